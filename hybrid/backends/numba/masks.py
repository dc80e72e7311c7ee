"""What conditions choose: positions of true elements, and elements picked or written where a mask holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.memory import allocator
from hybrid.backends.numba.native import array_type, flat_view
from hybrid.backends.numba.program import Program, cast
from hybrid.ir.graph import Node

__all__ = ["MASKS", "count_of", "flattened", "positions_of_mask"]

BOOL: Final = np.dtype("bool")
INT64: Final = np.dtype("int64")


def new_array(p: Program, base: str, dtype: np.dtype, dims: Sequence[str]) -> str:
    """A new array without content that isn't a value of the graph."""
    name = p.new(base)
    empty = p.use(f"empty_{dtype.name}_{len(dims)}", allocator(array_type(dtype, len(dims))))
    p.emit(f"{name} = {empty}(({', '.join(dims)}{',' * (len(dims) == 1)}))")
    return name


def flattened(p: Program, x: Any) -> str:
    """A variable with all elements of an array in a row, without a copy where they are in C order."""
    name = p.new("flat")
    p.emit(f"{name} = {p.use('flat_view', flat_view)}({p.contiguous(x)})")
    return name


def truth_of(p: Program, x: Any, index: Sequence[str]) -> str:
    """The text of whether an element is true."""
    return cast(f"{p.text(x)}[{', '.join(index)}]" if index else p.text(x), x.spec.dtype, BOOL)


# -- masks in an index ----------------------------------------------------------------------------------------------
def count_of(p: Program, node: Node, mask: Any, sizes: Sequence[str]) -> str:
    """A variable with the number of true elements; fails if the mask doesn't have the sizes of the array."""
    bad = [f"({m} != {n} and {m} != 0)" for m, n in zip(p.dims(mask), sizes, strict=False) if m != n]
    if bad:
        p.guard(" or ".join(bad), node)
    return counted(p, mask)


def counted(p: Program, mask: Any) -> str:
    """A variable with the number of true elements."""
    count = p.new("count")
    p.emit(f"{count} = 0")
    with nest(p, p.dims(mask)) as index:
        p.emit(f"{count} += int64({truth_of(p, mask, index)})")
    return count


def positions_of_mask(p: Program, node: Node, mask: Any, sizes: Sequence[str]) -> tuple[list[str], str]:
    """Arrays of the positions of a mask's true elements along each of its axes, and their number."""
    count = count_of(p, node, mask, sizes)
    return _positions(p, mask, [new_array(p, "places", INT64, [count]) for _ in mask.spec.shape], count), count


def _positions(p: Program, mask: Any, names: Sequence[str], count: str) -> list[str]:
    at = p.new("at")
    p.emit(f"{at} = 0")
    with nest(p, p.dims(mask)) as index, p.block(f"if {truth_of(p, mask, index)}:"):
        for name, i in zip(names, index, strict=True):
            p.emit(f"{name}[{at}] = {i}")
        p.emit(f"{at} += 1")
    return list(names)


# -- positions ------------------------------------------------------------------------------------------------------
def _nonzero(p: Program, node: Node) -> bool:
    """The positions of what isn't zero, an array for each axis."""
    x = node.operands[0]
    count = counted(p, x)
    names = [p.assign(out, p.allocation(out.spec, [count]), "nonzero") for out in node.outputs]
    _positions(p, x, names, count)
    return True


def _flatnonzero(p: Program, node: Node) -> bool:
    """The positions of what isn't zero among all elements in a row."""
    x, out = node.operands[0], node.outputs[0]
    count, at, place = counted(p, x), p.new("at"), p.new("place")
    target = p.assign(out, p.allocation(out.spec, [count]), "flatnonzero")
    p.emit(f"{at} = {place} = 0")
    with nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
        with p.block(f"if {truth_of(p, x, index)}:"):
            p.emit(f"{target}[{at}] = {place}")
            p.emit(f"{at} += 1")
        p.emit(f"{place} += 1")
    return True


def _argwhere(p: Program, node: Node) -> bool:
    """The positions of what isn't zero, a row for each."""
    x, out = node.operands[0], node.outputs[0]
    count, at = counted(p, x), p.new("at")
    target = p.assign(out, p.allocation(out.spec, [count, str(x.spec.ndim)]), "argwhere")  # type: ignore[union-attr]
    p.emit(f"{at} = 0")
    with nest(p, p.dims(x)) as index, p.block(f"if {truth_of(p, x, index)}:"):  # type: ignore[arg-type]
        for k, i in enumerate(index):
            p.emit(f"{target}[{at}, {k}] = {i}")
        p.emit(f"{at} += 1")
    return True


# -- elements -------------------------------------------------------------------------------------------------------
def _extract(p: Program, node: Node) -> bool:
    """The elements in a row for which a condition holds."""
    condition, x = node.operands
    if not condition.spec.shape or not x.spec.shape:  # type: ignore[union-attr]
        return False
    return _taken_where(p, node, condition, x, 0, flattened(p, x), [])


def _compress(p: Program, node: Node) -> bool:
    """Slices along an axis for which a condition holds."""
    condition, x = node.operands
    axis = node.attributes["axis"]
    if not x.spec.shape:  # type: ignore[union-attr]
        return False
    if axis is None:
        return _taken_where(p, node, condition, x, 0, flattened(p, x), [])
    return _taken_where(p, node, condition, x, axis % x.spec.ndim, p.text(x), p.dims(x))  # type: ignore[union-attr, arg-type]


def _taken_where(p: Program, node: Node, condition: Any, x: Any, axis: int, array: str, dims: Sequence[str]) -> bool:
    """The condition in a row says which positions along an axis of an array are taken; those beyond the end don't exist."""
    out, chosen, count, i = node.outputs[0], flattened(p, condition), p.new("count"), p.new("i")
    sizes = list(dims) or [f"{array}.size"]
    holds = cast(f"{chosen}[{i}]", condition.spec.dtype, BOOL)
    p.emit(f"{count} = 0")
    with p.block(f"for {i} in range({chosen}.size):"), p.block(f"if {holds}:"):
        p.guard_index(f"{i} >= {sizes[axis]}", node)
        p.emit(f"{count} += 1")
    target, at = p.assign(out, p.allocation(out.spec, [*sizes[:axis], count, *sizes[axis + 1 :]]), node.op.name), p.new("at")
    p.emit(f"{at} = 0")
    with p.block(f"for {i} in range({chosen}.size):"), p.block(f"if {holds}:"):
        with nest(p, [*sizes[:axis], *sizes[axis + 1 :]]) as index:
            place, item = ([*index[:axis], k, *index[axis:]] for k in (at, i))
            p.emit(f"{target}[{', '.join(place)}] = {array}[{', '.join(item)}]")
        p.emit(f"{at} += 1")
    return True


MASKS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "nonzero": _nonzero,
    "flatnonzero": _flatnonzero,
    "argwhere": _argwhere,
    "extract": _extract,
    "compress": _compress,
}
"""Operations whose result's size depends on a condition."""
