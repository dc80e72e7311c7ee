"""The places where a native program calls Python: for each a function of native arguments, made to measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hybrid.core.dim import Dim, evaluate
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.graph import Const, Node, map_operand

__all__ = ["Site", "bind_sizes"]


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """A place where a program calls Python.

    Attributes:
        node: the operation whose kernel is called.
        symbols: the sizes that are passed first.
        must_raise: the program calls it only where the kernel raises.
        run: what is called instead of the kernel, with the same operands.
    """

    node: Node
    symbols: tuple[str, ...]
    must_raise: bool
    run: Callable[..., Any] | None

    def caller(self) -> Callable[..., tuple[Any, ...]]:
        """A function of native arguments that gives native results, or raises."""
        return self._raise if self.must_raise or self.run is not None else _Writer(self).function()

    def _raise(self, *arguments: Any) -> tuple[Any, ...]:
        node, count = self.node, len(self.symbols)
        sizes = dict(zip(self.symbols, arguments[:count], strict=True))
        remaining = iter(arguments[count:])
        read = lambda leaf: leaf.value if isinstance(leaf, Const) else from_native(leaf.spec, next(remaining))  # noqa: E731
        operands = [_as_lists(map_operand(read, operand)) for operand in node.operands]
        run = self.run or (lambda *xs: node.op.run(*xs, **{name: _numeric(value, sizes) for name, value in node.attrs}))
        result = run(*operands)
        results = result if isinstance(result, tuple | list) else (result,)
        for value, array in zip(node.outputs, results, strict=True):
            bind_sizes(sizes, value.spec, array, f"the result of {node.op.name}")
        for value in results:
            _refuse_large(value)
        raise AssertionError(f"{node.op.name} was expected to raise for {operands!r}, gave {results!r}")


class _Writer:
    """Writes the function of a site: what is known of the operation is decided here, once, and not at each call."""

    def __init__(self, site: Site):
        self._site, self._node = site, site.node
        self._symbols = {symbol: f"s{i}" for i, symbol in enumerate(site.symbols)}
        self._arrays: list[str] = []
        self._arguments: list[str] = []
        self._space: dict[str, Any] = {"ndarray": np.ndarray, "uint16": np.uint16, "float16": np.float16, "own": _own, "small": _small}

    def function(self) -> Callable[..., tuple[Any, ...]]:
        call = self._call()
        names = [f"r{i}" for i in range(len(self._node.outputs))]
        unpacked = "r0 = r[0] if isinstance(r, (tuple, list)) else r" if len(names) == 1 else f"{', '.join(names) or '()'} = r"
        lines = [f"r = {call}", unpacked, *self._checks(names)]
        given = [self._given(name, value.spec) for name, value in zip(names, self._node.outputs, strict=True)]
        lines.append(f"return ({', '.join(given)}{',' * (len(given) == 1)})")
        head = f"def call({', '.join([*self._symbols.values(), *self._arguments])}):"
        exec("\n    ".join([head, *lines]), self._space)
        return self._space["call"]

    def _keep(self, thing: Any, base: str) -> str:
        name = f"{base}{len(self._space)}"
        self._space[name] = thing
        return name

    # -- operands ---------------------------------------------------------------------------------------------------
    def _call(self) -> str:
        op = self._node.op
        run = self._keep(op.run if op.mutates or op.keywords else op.kernel, "run")
        attributes = [f"{name}={self._attribute(value)}" for name, value in self._node.attrs]
        return f"{run}({', '.join([*map(self._operand, self._node.operands), *attributes])})"

    def _operand(self, operand: Any) -> str:
        if isinstance(operand, tuple):
            return f"[{', '.join(map(self._operand, operand))}]"
        if operand is None or isinstance(operand, Const):
            return self._keep(operand and operand.value, "constant")
        name, spec = f"x{len(self._arguments)}", operand.spec
        self._arguments.append(name)
        if spec.shape:
            self._arrays.append(name)
            return f"{name}.view(float16)" if spec.dtype == np.float16 else name
        return name if spec.weak else f"{self._keep(spec.dtype.type, 'number')}({name})"

    def _attribute(self, value: Any) -> str:
        kept = self._keep(value, "value")
        return f"{self._keep(_numeric, 'numeric')}({kept}, {self._sizes()})" if _has_dim(value) else kept

    def _sizes(self) -> str:
        return f"{{{', '.join(f'{symbol!r}: {name}' for symbol, name in self._symbols.items())}}}"

    # -- results ----------------------------------------------------------------------------------------------------
    def _checks(self, names: list[str]) -> Iterator[str]:
        """Lines that refuse what the graph doesn't promise: in short where sizes are numbers or given, at length for the others."""
        what = f"the result of {self._node.op.name}"
        if not all(self._size(dim) for value in self._node.outputs for dim in value.spec.shape):
            yield f"sizes = {self._sizes()}"
            for name, value in zip(names, self._node.outputs, strict=True):
                yield f"{self._keep(bind_sizes, 'bind')}(sizes, {self._keep(value.spec, 'spec')}, {name}, {what!r})"
            return
        for name, value in zip(names, self._node.outputs, strict=True):
            refuse = f"{self._keep(bind_sizes, 'bind')}({self._sizes()}, {self._keep(value.spec, 'spec')}, {name}, {what!r})"
            yield f"if not ({self._condition(name, value.spec)}): {refuse}"

    def _size(self, dim: Any) -> str | None:
        return self._symbols.get(str(dim)) if isinstance(dim, Dim) else str(dim)

    def _condition(self, name: str, spec: Spec) -> str:
        if spec.weak:
            return f"type({name}) is {self._keep(KINDS[spec.dtype.kind], 'kind')}"
        dtype = self._keep(spec.dtype, "dtype")
        if not spec.shape:
            return f"{name}.dtype is {dtype} and {name}.shape == ()"
        shape = "".join(f"{self._size(dim)}, " for dim in spec.shape)
        return f"type({name}) is ndarray and {name}.dtype is {dtype} and {name}.shape == ({shape})"

    def _given(self, name: str, spec: Spec) -> str:
        if not spec.shape:
            return f"small({name})" if spec.weak and spec.dtype.kind == "i" else name if spec.weak else f"{name}.item()"
        others = "".join(f" and {name} is not {array}" for array in self._arrays)
        is_own = f"{name}.base is None and {name}.flags.carray and {name}.flags.owndata{others}"
        text = f"({name} if {is_own} else own({name}))"
        return f"{text}.view(uint16)" if spec.dtype == np.float16 else text


KINDS: Final = {"b": bool, "i": int, "f": float, "c": complex}


# -- values ---------------------------------------------------------------------------------------------------------
def from_native(spec: Spec, value: Any) -> Any:
    """What a kernel gets: native programs know neither NumPy's scalars nor float16."""
    if spec.shape:
        return value.view(np.float16) if spec.dtype == np.float16 else value
    return value if spec.weak else spec.dtype.type(value)


def _own(array: Any) -> np.ndarray:
    """An array in C order in memory of its own."""
    return np.array(array, copy=True, order="C", subok=False)


def _small(number: int) -> int:
    _refuse_large(number)
    return number


def _refuse_large(value: Any) -> None:
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise OverflowError(f"wanted an integer of at most 64 bits in native code, received {value}")


def bind_sizes(sizes: dict[str, int], spec: Spec, array: Any, what: str) -> None:
    """Check an array against its spec, and learn the sizes whose names stand alone in it."""
    actual = spec_of(array)
    if (actual.dtype, actual.ndim, actual.weak) != (spec.dtype, spec.ndim, spec.weak):
        raise TypeError(f"wanted {spec} for {what}, received {actual}")
    for dim, size in zip(spec.shape, actual.shape, strict=True):
        if isinstance(dim, Dim) and str(dim).isidentifier():
            sizes.setdefault(str(dim), int(size))  # type: ignore[arg-type]
        if evaluate(dim, sizes) != size:
            raise ValueError(f"wanted {spec} for {what}, received {actual} (sizes so far: {sizes})")


def _has_dim(attribute: Any) -> bool:
    return any(map(_has_dim, attribute)) if type(attribute) is tuple else isinstance(attribute, Dim)


def _numeric(attribute: Any, sizes: dict[str, int]) -> Any:
    if isinstance(attribute, Dim):
        return evaluate(attribute, sizes)
    return tuple(_numeric(a, sizes) for a in attribute) if type(attribute) is tuple else attribute


def _as_lists(operand: Any) -> Any:
    return [_as_lists(o) for o in operand] if isinstance(operand, tuple) else operand
