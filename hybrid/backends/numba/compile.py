"""A graph becomes a native function, and that a callable."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import njit
from numba.core import types

from hybrid.backends.executable import Executable, Options
from hybrid.backends.numba.control import write_graph
from hybrid.backends.numba.helpers import HELPERS
from hybrid.backends.numba.host import Host, bind_sizes
from hybrid.backends.numba.indexing import selects_view
from hybrid.backends.numba.lower import lower
from hybrid.backends.numba.native import HALF, array_type, native_type, null_result
from hybrid.backends.numba.program import BASE, Program
from hybrid.core.dim import Dim
from hybrid.ir.graph import Const, Graph, Value
from hybrid.passes.buffers import plan_buffers

__all__ = ["compile_graph"]


def compile_graph(graph: Graph, name: str, in_place: dict[int, int], options: Options) -> Executable:
    """Compile a graph to native code."""
    native = _Native(graph, name, in_place)
    return Executable(native.callable(), native.source, tuple(native.program.fallbacks))


class _Native:
    """One graph on its way to native code."""

    def __init__(self, graph: Graph, name: str, in_place: dict[int, int]):
        self.graph, self.name, self.in_place = graph, name, in_place
        owned = [k in in_place.values() for k in range(len(graph.inputs))]
        self.program = Program(plan_buffers(graph, owned, selects_view))
        self.arguments = [f"x{k}" for k in range(len(graph.inputs))]
        self.returned: list[Any] = []
        self.source = self._write()

    # -- source -----------------------------------------------------------------------------------------------------
    def _write(self) -> str:
        p, graph = self.program, self.graph
        for value, text in zip(graph.inputs, self.arguments, strict=True):
            p.names[value] = text
        self._check_arguments()
        outputs = write_graph(p, graph, self.arguments, [False] * len(graph.inputs), lower)
        if outputs is not None:
            self._write_back()
            p.emit(f"return {self._results()}")
        self._collect_returned()
        head = f"def {self.name}({', '.join(['host', *self.arguments, *p.constants])}):"
        return "\n".join([head, "    failed = no_result()", *p.lines, ""])

    def _check_arguments(self) -> None:
        """Arguments of other sizes or layouts than those that the graph is for make the program leave at once."""
        p, sizes, conditions = self.program, {}, []
        for value, text in zip(self.graph.inputs, self.arguments, strict=True):
            stride = np.dtype("uint16").itemsize if value.spec.dtype == HALF else value.spec.dtype.itemsize
            inner = str(stride)
            for k in reversed(range(value.spec.ndim)):
                conditions.append(f"{text}.strides[{k}] != {inner}")
                inner = f"{inner} * {text}.shape[{k}]"
            for k, dim in enumerate(value.spec.shape):
                if isinstance(dim, Dim) and str(dim).isidentifier() and str(dim) not in sizes:
                    sizes[str(dim)] = f"{text}.shape[{k}]"
        p.sizes = sizes
        for value, text in zip(self.graph.inputs, self.arguments, strict=True):
            for k, dim in enumerate(value.spec.shape):
                if (wanted := p.dim(dim)) != f"{text}.shape[{k}]":
                    conditions.append(f"{text}.shape[{k}] != {wanted}")
        if conditions:
            with p.block(f"if {' or '.join(conditions)}:"):
                p.emit("return failed")

    def _write_back(self) -> None:
        """Bring the outputs that belong into arguments there, if they aren't there already."""
        p, pending = self.program, []
        for o, i in self.in_place.items():
            value, target = self.graph.outputs[o], self.graph.inputs[i]
            if not target.spec.shape or value is target:
                continue
            is_there = isinstance(value, Value) and p.plan.of(value) is p.plan.of(target) and value not in p.views
            if not is_there:
                is_own = isinstance(value, Value) and not p.plan.of(value).sources
                pending.append((p.text(target), p.text(value) if is_own else f"{p.text(value)}.copy()"))
        news = []
        for _, text in pending:
            news.append(p.new("new"))
            p.emit(f"{news[-1]} = {text}")
        for (target, _), new in zip(pending, news, strict=True):
            p.emit(f"{target}[:] = {new}")

    def _results(self) -> str:
        p, texts, seen = self.program, ["True"], set()
        for o, value in enumerate(self.graph.outputs):
            if not self._is_native(o):
                continue
            text = p.text(value)
            if value.spec.shape:
                memory = p.plan.of(value)
                if memory.sources or memory in seen or value in p.views or not memory.owned:
                    text = f"{text}.copy()"
                seen.add(memory)
            texts.append(text)
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})"

    def _is_native(self, o: int) -> bool:
        """Whether an output comes from the program: not an argument itself, and no constant."""
        value = self.graph.outputs[o]
        if o in self.in_place and value.spec.shape:
            return False
        return not isinstance(value, Const) and value not in self.graph.inputs

    def _collect_returned(self) -> None:
        self.returned = [value.spec for o, value in enumerate(self.graph.outputs) if self._is_native(o)]

    # -- native code ------------------------------------------------------------------------------------------------
    def callable(self) -> Callable[..., tuple[Any, ...]]:
        p = self.program
        host = Host(p.sites)
        results = tuple(map(native_type, self.returned))
        inputs = [native_type(v.spec) for v in self.graph.inputs] + [array_type(c.dtype, c.ndim) for c in p.constants.values()]
        signature = types.Tuple((types.boolean, *results))(types.intp, *inputs)
        namespace = BASE | HELPERS | p.namespace | {"no_result": null_result(results)}
        entry = _compiled(self.source, self.name, namespace, signature)
        return _Caller(self, host, entry).call


def _compiled(source: str, name: str, namespace: dict[str, Any], signature: Any) -> Callable[..., Any]:
    file = f"<hybrid {name} {hash(source) & 0xFFFFFFFFFFFF:x}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), namespace)
    dispatcher = njit(signature, error_model="numpy")(namespace[name])
    return dispatcher.overloads[signature.args].entry_point


class _Caller:
    """Calls the native function: arguments in, results out, exceptions raised."""

    def __init__(self, native: _Native, host: Host, entry: Callable[..., Any]):
        self._graph, self._in_place, self._host, self._entry = native.graph, native.in_place, host, entry
        self._function = host.call
        self._address = id(self._function)
        self._constants = [c.view(np.uint16) if c.dtype == HALF else c for c in native.program.constants.values()]
        self._kinds = [_reader(v.spec) for v in native.graph.inputs]
        self._made = [_maker(spec) for spec in native.returned]
        self._places = [self._place(native, o, v) for o, v in enumerate(native.graph.outputs)]
        self._scalars = [(o, i) for o, i in native.in_place.items() if not native.graph.inputs[i].spec.shape]

    @staticmethod
    def _place(native: _Native, o: int, value: Any) -> tuple[str, Any]:
        if native._is_native(o):
            return "native", None
        if o in native.in_place:
            return "argument", native.in_place[o]
        return ("constant", value.value) if isinstance(value, Const) else ("argument", native.graph.inputs.index(value))

    def call(self, *arrays: Any) -> tuple[Any, ...]:
        if len(arrays) != len(self._kinds):
            raise TypeError(f"wanted {len(self._kinds)} arguments, received {len(arrays)}")
        result = None
        try:
            given = [read(x) for read, x in zip(self._kinds, arrays, strict=True)]
        except _Unfit:
            given = None
        if given is not None:
            result = self._entry(self._address, *given, *self._constants)
            if not result[0]:
                problem = self._host.problem()
                if problem is not None:
                    raise problem
                result = None
        if result is None:
            result, arrays = self._call_with_copies(arrays), arrays
        made = [make(x) for make, x in zip(self._made, result[1:], strict=True)]
        return self._packed(arrays, made)

    def _packed(self, arrays: Sequence[Any], made: list[Any]) -> tuple[Any, ...]:
        remaining = iter(made)
        outputs = [next(remaining) if kind == "native" else arrays[x] if kind == "argument" else x for kind, x in self._places]
        for o, i in self._scalars:
            arrays[i][...] = outputs[o]
            outputs[o] = arrays[i]
        return tuple(outputs)

    def _call_with_copies(self, arrays: Sequence[Any]) -> Any:
        """The call for arguments that aren't contiguous; a clear refusal for those that don't fit."""
        sizes: dict[str, int] = {}
        for i, (value, array) in enumerate(zip(self._graph.inputs, arrays, strict=True)):
            bind_sizes(sizes, value.spec, array, f"argument {i}")
        copies = [np.array(x, copy=True, order="C") if v.spec.shape else x for v, x in zip(self._graph.inputs, arrays, strict=True)]
        result = self._entry(self._address, *(read(x) for read, x in zip(self._kinds, copies, strict=True)), *self._constants)
        for i in self._in_place.values():
            if self._graph.inputs[i].spec.shape:
                arrays[i][...] = copies[i]
        if not result[0]:
            raise self._host.problem() or RuntimeError("the native program left without an exception")
        return result


class _Unfit(Exception):
    """An argument isn't what the graph is for."""


def _reader(spec: Any) -> Callable[[Any], Any]:
    """Makes a native argument of an argument."""
    dtype = spec.dtype
    if spec.shape:

        def read_array(x: Any) -> Any:
            if type(x) is not np.ndarray or x.dtype != dtype or x.ndim != spec.ndim:
                raise _Unfit
            return x.view(np.uint16) if dtype == HALF else x

        return read_array
    if spec.weak:
        kind = type(dtype.type(0).item())

        def read_number(x: Any) -> Any:
            if type(x) is not kind:
                raise _Unfit
            return x

        return read_number

    def read_scalar(x: Any) -> Any:
        if getattr(x, "dtype", None) != dtype or x.shape:
            raise _Unfit
        return x.item()

    return read_scalar


def _maker(spec: Any) -> Callable[[Any], Any]:
    """Makes a result of a native result."""
    if spec.shape:
        return (lambda x: x.view(np.float16)) if spec.dtype == HALF else _same
    return _same if spec.weak else spec.dtype.type


def _same(x: Any) -> Any:
    return x
