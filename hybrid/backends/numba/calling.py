"""Calling a native function: arguments in, results out, exceptions raised, with as little Python in between as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from hybrid.backends.executable import MISS, Shortcut
from hybrid.backends.numba.host import Host
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.sites import bind_sizes
from hybrid.core.spec import Spec
from hybrid.core.tensor import Tensor, wrap
from hybrid.ir.graph import Const, Graph

__all__ = ["Entry", "caller"]


@dataclass(frozen=True, eq=False)
class Entry:
    """A native function and what calling it takes.

    Attributes:
        function: gets the host's address, the arguments and the constants; returns whether it went well, and the results.
        host: what the function calls.
        constants: arrays of the graph.
        graph, in_place: what the function was made of.
        is_native: for each output of the graph whether the function returns it; the others are arguments or constants.
    """

    function: Callable[..., Any]
    host: Host
    constants: Sequence[np.ndarray]
    graph: Graph
    in_place: dict[int, int]
    is_native: Sequence[bool]


def caller(entry: Entry) -> Callable[..., tuple[Any, ...]]:
    """A Python function that calls the native one.

    Its source is generated: each argument is checked in one expression, and what doesn't pass is looked at more closely by
    ``_Slow``.
    """
    inputs = [v.spec for v in entry.graph.inputs]
    names = [f"x{i}" for i in range(len(inputs))]
    host = entry.host.call
    space: dict[str, Any] = {"entry": entry.function, "host": id(host), "ndarray": np.ndarray, "uint16": np.uint16, "float16": np.float16}
    space["slow"] = _Slow(entry, host)
    checks = [check for i, spec in enumerate(inputs) for check in [_check(i, spec, space)] if check]
    given = [_given(name, spec) for name, spec in zip(names, inputs, strict=True)]
    for i, constant in enumerate(entry.constants):
        space[f"c{i}"] = constant
        given.append(f"c{i}")
    results, native = [], 0
    for o, value in enumerate(entry.graph.outputs):
        if entry.is_native[o]:
            native += 1
            results.append(_result(f"r[{native}]", value.spec, space))
        else:
            results.append(_known(entry, o, space))
    places = [(o, i) for o, i in entry.in_place.items() if not inputs[i].shape]
    writes = [f"        x{i}[...] = out[{o}]" for o, i in places]
    lines = [
        f"def call({', '.join([*names, '/'] if names else [])}):",
        "    r = None",
        f"    if {' and '.join(checks) or 'True'}:",
        f"        r = entry({', '.join(['host', *given])})",
        "    if r is None or not r[0]:",
        f"        r = slow(r, {', '.join(names)})",
        f"    return ({', '.join(results)}{',' * (len(results) == 1)})",
    ]
    if writes:
        lines[-1] = f"    out = [{', '.join(results)}]"
        lines += [line[4:] for line in writes]
        lines += [f"    out[{o}] = x{i}" for o, i in places] + ["    return tuple(out)"]
    exec("\n".join(lines), space)
    return space["call"]


def shortcut(entry: Entry, is_tensor: Sequence[bool], to_array: bool, to_tensor: bool) -> Shortcut | None:
    """The shortest way through a native function with one result and sizes that are numbers; ``None`` for others.

    The native function itself looks at sizes and layouts, before it does anything.
    """
    inputs, outputs = [v.spec for v in entry.graph.inputs], entry.graph.outputs
    if len(outputs) != 1 or not entry.is_native[0] or any(spec.symbols for spec in inputs):
        return None
    host = entry.host.call  # the native function knows its address: it must live as long as the shortcut
    space: dict[str, Any] = {"entry": entry.function, "host": id(host), "kept": host, "ndarray": np.ndarray, "uint16": np.uint16}
    space |= {"float16": np.float16, "asarray": np.asarray, "Tensor": Tensor, "wrap": wrap, "MISS": MISS, "missed": partial(_missed, entry)}
    checks, given = [], []
    for i, (spec, is_boxed) in enumerate(zip(inputs, is_tensor, strict=True)):
        name = f"x{i}._array" if is_boxed else f"x{i}"
        checks += ([f"type(x{i}) is Tensor"] if is_boxed else []) + [_check(i, spec, space, name)]
        given.append(_given(name, spec))
    arrays = [f"x{i}" for i, spec in enumerate(inputs) if spec.shape or is_tensor[i]]
    checks += [f"{a} is not {b}" for k, a in enumerate(arrays) for b in arrays[:k]]
    for i, constant in enumerate(entry.constants):
        space[f"c{i}"] = constant
        given.append(f"c{i}")
    result = _result("r[1]", outputs[0].spec, space)
    result = f"asarray({result})" if to_array and not outputs[0].spec.shape else result
    lines = [
        f"def shortcut({', '.join([*(f'x{i}' for i in range(len(inputs))), '/'] if inputs else [])}):",
        f"    if {' and '.join(checks) or 'True'}:",
        f"        r = entry({', '.join(['host', *given])})",
        "        if r[0]:",
        f"            return {f'wrap({result})' if to_tensor else result}",
        "        return missed()",
        "    return MISS",
    ]
    exec("\n".join(lines), space)
    return space["shortcut"]


def _missed(entry: Entry) -> Any:
    """Raise what the native function came upon; if it didn't, the sizes or layouts were others."""
    problem = entry.host.problem()
    if problem is not None:
        raise problem
    return MISS


KINDS: Final = {"b": bool, "i": int, "f": float, "c": complex}


def _check(i: int, spec: Spec, space: dict[str, Any], x: str = "") -> str:
    """The text of a condition under which an argument is what the graph is for."""
    x = x or f"x{i}"
    space[f"d{i}"] = KINDS[spec.dtype.kind] if spec.weak else spec.dtype
    if spec.weak:
        return f"type({x}) is d{i}"
    if not spec.shape:
        return f"{x}.dtype == d{i} and not {x}.shape"
    return f"type({x}) is ndarray and {x}.dtype is d{i} and {x}.ndim == {spec.ndim}"


def _given(name: str, spec: Spec) -> str:
    """The text of an argument as the native function takes it."""
    if spec.weak:
        return name
    return f"{name}.item()" if not spec.shape else f"{name}.view(uint16)" if spec.dtype == HALF else name


def _result(text: str, spec: Spec, space: dict[str, Any]) -> str:
    """The text of a result as the graph's caller gets it."""
    if spec.weak or (spec.shape and spec.dtype != HALF):
        return text
    if spec.shape:
        return f"{text}.view(float16)"
    space[spec.dtype.name] = spec.dtype.type
    return f"{spec.dtype.name}({text})"


def _known(entry: Entry, o: int, space: dict[str, Any]) -> str:
    value = entry.graph.outputs[o]
    if o in entry.in_place:
        return f"x{entry.in_place[o]}"
    if isinstance(value, Const):
        space[f"k{o}"] = value.value
        return f"k{o}"
    return f"x{entry.graph.inputs.index(value)}"


class _Slow:
    """What happens when a call doesn't go the short way: an exception, arguments that aren't contiguous, or that don't fit."""

    def __init__(self, entry: Entry, host: Any):
        self._entry, self._function = entry, host

    def __call__(self, result: Any, *arrays: Any) -> Any:
        """The results of the native function, by another call of it; raises if that fails too."""
        problem = self._entry.host.problem() if result is not None else None
        if problem is not None:
            raise problem
        inputs = self._entry.graph.inputs
        if len(arrays) != len(inputs):
            raise TypeError(f"wanted {len(inputs)} arguments, received {len(arrays)}")
        sizes: dict[str, int] = {}
        for i, (value, array) in enumerate(zip(inputs, arrays, strict=True)):
            bind_sizes(sizes, value.spec, array, f"argument {i}")
        copies = [_copied(v.spec, x) for v, x in zip(inputs, arrays, strict=True)]
        result = self._entry.function(id(self._function), *copies, *self._entry.constants)
        for i in self._entry.in_place.values():
            if inputs[i].spec.shape:
                arrays[i][...] = copies[i].view(inputs[i].spec.dtype)
        if not result[0]:
            raise self._entry.host.problem() or RuntimeError("the native program left without an exception")
        return result


def _copied(spec: Spec, x: Any) -> Any:
    if not spec.shape:
        return x if spec.weak else x.item()
    copy = np.array(x, copy=True, order="C", subok=False)
    return copy.view(np.uint16) if spec.dtype == HALF else copy
