"""The Python side of a native program: kernels that it calls, and exceptions that they raise."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybrid.core.dim import Dim, evaluate
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.graph import Const, Node, map_operand

__all__ = ["Host", "Site", "bind_sizes"]


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

    def __call__(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The results of the kernel for native arguments, as native results."""
        node, count = self.node, len(self.symbols)
        sizes = dict(zip(self.symbols, arguments[:count], strict=True))
        remaining = iter(arguments[count:])
        read = lambda leaf: leaf.value if isinstance(leaf, Const) else from_native(leaf.spec, next(remaining))  # noqa: E731
        operands = [_as_lists(map_operand(read, operand)) for operand in node.operands]
        if self.run is not None:
            result = self.run(*operands)
        else:
            result = node.op.run(*operands, **{name: _numeric(value, sizes) for name, value in node.attrs})
        results = result if isinstance(result, tuple | list) else (result,)
        for value, array in zip(node.outputs, results, strict=True):
            bind_sizes(sizes, value.spec, array, f"the result of {node.op.name}")
        if self.must_raise:
            _refuse_large(results)
            raise AssertionError(f"{node.op.name} was expected to raise for {operands!r}, gave {results!r}")
        given = [id(x) for x in leaves_of_lists(operands)]
        own = [r.copy() if id(r) in given and v.spec.shape else r for v, r in zip(node.outputs, results, strict=True)]
        return tuple(to_native(v.spec, r) for v, r in zip(node.outputs, own, strict=True))


class Host:
    """What a program calls, by the numbers of its sites; keeps the exception until the program has left."""

    def __init__(self, sites: list[Site]):
        self._sites = sites
        self._problems: dict[int, BaseException] = {}

    def call(self, number: int, *arguments: Any) -> tuple[Any, ...] | None:
        """The results of a site; ``None`` after an exception."""
        try:
            site = self._sites[number]
            if site.node.op.effects:
                return site(arguments)
            with np.errstate(all="ignore"):
                return site(arguments)
        except BaseException as error:  # the program must leave in order first
            location = self._sites[number].node.location
            if location is not None:
                error.add_note(f'File "{location.file}", line {location.line}')
            self._problems[threading.get_ident()] = error
            return None

    def problem(self) -> BaseException | None:
        """The exception that made this thread's program leave, once."""
        return self._problems.pop(threading.get_ident(), None)


# -- values ---------------------------------------------------------------------------------------------------------
def from_native(spec: Spec, value: Any) -> Any:
    """What a kernel gets: native programs know neither NumPy's scalars nor float16."""
    if spec.shape:
        return value.view(np.float16) if spec.dtype == np.float16 else value
    return value if spec.weak else spec.dtype.type(value)


def to_native(spec: Spec, value: Any) -> Any:
    """What a program gets: an array of its own in C order, or a Python number."""
    if spec.weak:
        _refuse_large([value])
        return value
    if not spec.shape:
        return np.asarray(value).item()
    own = np.array(value, copy=True, order="C") if value.base is not None or not value.flags.c_contiguous else value
    own = own if own.flags.writeable and own.flags.owndata else own.copy()
    return own.view(np.uint16) if spec.dtype == np.float16 else own


def _refuse_large(results: Any) -> None:
    for value in results:
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


def leaves_of_lists(values: Any) -> Iterator[Any]:
    """The leaves of nested lists."""
    for value in values:
        if isinstance(value, list):
            yield from leaves_of_lists(value)
        else:
            yield value


def _numeric(attribute: Any, sizes: dict[str, int]) -> Any:
    if isinstance(attribute, Dim):
        return evaluate(attribute, sizes)
    return tuple(_numeric(a, sizes) for a in attribute) if type(attribute) is tuple else attribute


def _as_lists(operand: Any) -> Any:
    return [_as_lists(o) for o in operand] if isinstance(operand, tuple) else operand
