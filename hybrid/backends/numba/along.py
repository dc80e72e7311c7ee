"""Elements by their positions along an axis, or among all elements in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.gather import check_broadcast, item_at, met_dims, value_index
from hybrid.backends.numba.indexing import check_number, is_storable, nest, target_of
from hybrid.backends.numba.masks import flattened, new_array
from hybrid.backends.numba.program import Program, cast
from hybrid.ir.graph import Node

__all__ = ["ALONG"]

INT64: Final = np.dtype("int64")


def _take(p: Program, node: Node) -> bool:
    """Slices at positions along an axis, or elements at positions in a row."""
    x, indices = node.operands
    axis, mode, out = node.attributes["axis"], node.attributes["mode"], node.outputs[0]
    if not x.spec.shape or indices.spec.dtype.kind not in "iu":  # type: ignore[union-attr]
        return False
    array, dims = (flattened(p, x), []) if axis is None else (p.text(x), p.dims(x))  # type: ignore[arg-type]
    dims = dims or [f"{array}.size"]
    axis = (axis or 0) % len(dims)
    wanted = p.dims(indices)  # type: ignore[arg-type]
    if dims[axis] == "0" or not dims[axis].isdigit():
        p.guard(" and ".join([f"{dims[axis]} == 0", *(f"{d} != 0" for d in wanted)]), node)
    made = p.allocation(out.spec, [*dims[:axis], *wanted, *dims[axis + 1 :]]) if out.spec.shape else ""
    target = p.assign(out, made, "taken") if made else p.new("taken")
    with nest(p, dims[:axis]) as outer, nest(p, wanted) as index:
        at = within(p, node, indices, ", ".join(index), dims[axis], mode)
        with nest(p, dims[axis + 1 :]) as inner:
            item = f"{array}[{', '.join([*outer, at, *inner])}]"
            p.emit(f"{target}[{', '.join([*outer, *index, *inner])}] = {item}" if made else f"{target} = {item}")
    p.names[out] = target
    return True


def within(p: Program, node: Node, indices: Any, index: str, size: str, mode: str) -> str:
    """A variable with a position that exists; fails, wraps around or stops at the ends where it doesn't."""
    at = p.new("at")
    item = f"{p.text(indices)}[{index}]" if index else p.text(indices)
    p.emit(f"{at} = {cast(item, indices.spec.dtype, INT64)}")
    if mode == "wrap":
        p.emit(f"{at} %= {size}")
    elif mode == "clip":
        p.emit(f"{at} = min(max({at}, 0), {size} - 1)")
    else:
        if indices.spec.dtype.kind == "i" or indices.spec.dtype == np.uint64:
            with p.block(f"if {at} < 0:"):
                p.emit(f"{at} += {size}")
        p.guard_index(f"{at} < 0 or {at} >= {size}", node)
    return at


# -- rows with positions of their own -------------------------------------------------------------------------------
def _along(p: Program, node: Node, x: Any, indices: Any) -> tuple[str, int, Sequence[str], Sequence[str]] | None:
    """The array, the axis, the sizes of the array, and those of all positions together."""
    axis = node.attributes["axis"]
    if not x.spec.shape or (axis is None and x in p.views and node.op.mutates):
        return None
    if axis is None:
        flat = flattened(p, x)
        return flat, 0, [f"{flat}.size"], p.dims(indices)
    axis %= x.spec.ndim
    dims, wanted = p.dims(x), p.dims(indices)
    shapes = [[1 if k == axis else size for k, size in enumerate(y.spec.shape)] for y in (x, indices)]
    met = met_dims(p, node, list(zip(shapes, (dims, wanted), strict=True)))
    return p.text(x), axis, dims, [*met[:axis], wanted[axis], *met[axis + 1 :]]


def _place(x: Any, dims: Sequence[str], axis: int, at: str, index: Sequence[str], result: Sequence[str]) -> str:
    """The text of the index of the element of an array at a position along an axis."""
    if len(dims) < x.spec.ndim:
        return at
    parts = [item_at([size], [dim], [i], [n]) for size, dim, i, n in zip(x.spec.shape, dims, index, result, strict=True)]
    return ", ".join([*parts[:axis], at, *parts[axis + 1 :]])


def _take_along_axis(p: Program, node: Node) -> bool:
    """Elements at positions along an axis."""
    x, indices = node.operands
    out = node.outputs[0]
    found = _along(p, node, x, indices)
    if found is None:
        return False
    array, axis, dims, result = found
    target = p.assign(out, p.allocation(out.spec, result), "taken")
    with nest(p, result) as index:
        own = item_at(indices.spec.shape, p.dims(indices), index, result)  # type: ignore[union-attr, arg-type]
        at = within(p, node, indices, own, dims[axis], "raise")
        p.emit(f"{target}[{', '.join(index)}] = {array}[{_place(x, dims, axis, at, index, result)}]")
    return True


def _put_along_axis(p: Program, node: Node) -> bool:
    """Values to positions along an axis."""
    x, indices, value = node.operands
    dtype = x.spec.dtype  # type: ignore[union-attr]
    if not is_storable(value, dtype) or (found := _along(p, node, x, indices)) is None:
        return False
    _, axis, dims, result = found
    check_number(p, node, value, dtype)
    check_broadcast(p, node, value, result)
    own = lambda index: item_at(indices.spec.shape, p.dims(indices), index, result)  # type: ignore[union-attr, arg-type]  # noqa: E731
    with nest(p, result) as index:
        within(p, node, indices, own(index), dims[axis], "raise")
    array = target = target_of(p, node)
    if node.attributes["axis"] is None:
        array = p.new("flat")
        p.emit(f"{array} = flat_view({target})")
    with nest(p, result) as index:
        at = p.new("at")
        p.emit(f"{at} = {cast(f'{p.text(indices)}[{own(index)}]', indices.spec.dtype, INT64)}")  # type: ignore[union-attr, arg-type]
        place = _place(x, dims, axis, f"({at} + {dims[axis]} if {at} < 0 else {at})", index, result)
        p.emit(f"{array}[{place}] = {cast(value_index(p, value, index, result), value.spec.dtype, dtype)}")  # type: ignore[union-attr]
    p.names[node.outputs[0]] = target
    return True


# -- chosen by a number, and differences ----------------------------------------------------------------------------
def _choose(p: Program, node: Node) -> bool:
    """Each element from one of several arrays, by a number."""
    which, choices = node.operands
    out = node.outputs[0]
    dtype = out.spec.dtype
    if not isinstance(choices, tuple) or which.spec.dtype.kind not in "iub" or not out.spec.shape or which.spec.dtype.kind == "b":  # type: ignore[union-attr]
        return False
    if any(not is_storable(x, dtype) or (x.spec.weak and dtype.kind in "iu") for x in choices):  # type: ignore[union-attr, arg-type]
        return False
    result = met_dims(p, node, [(x.spec.shape, p.dims(x)) for x in (which, *choices)])  # type: ignore[union-attr, arg-type]
    target = p.assign(out, p.allocation(out.spec, result), "chosen")
    with nest(p, result) as index:
        place = value_index(p, which, index, result)
        at = p.new("at")
        p.emit(f"{at} = {cast(place, which.spec.dtype, INT64)}")  # type: ignore[union-attr]
        _bounded(p, node, at, len(choices), node.attributes["mode"])
        for k, x in enumerate(choices):
            with p.block(f"{'el' if k else ''}if {at} == {k}:"):
                item = cast(value_index(p, x, index, result), x.spec.dtype, dtype)  # type: ignore[union-attr]
                p.emit(f"{target}[{', '.join(index)}] = {item}")
    return True


def _bounded(p: Program, node: Node, at: str, count: int, mode: str) -> None:
    if mode == "wrap":
        p.emit(f"{at} %= {count}")
    elif mode == "clip":
        p.emit(f"{at} = min(max({at}, 0), {count - 1})")
    else:
        p.guard(f"{at} < 0 or {at} >= {count}", node)


def _diff(p: Program, node: Node) -> bool:
    """Differences of neighbours along an axis."""
    x, *others = node.operands
    out, attrs = node.outputs[0], node.attributes
    dtype = out.spec.dtype
    if any(y is not None for y in others) or not isinstance(attrs["n"], int) or attrs["n"] < 1 or dtype.kind not in "biufc":
        return False
    axis = attrs["axis"] % x.spec.ndim  # type: ignore[union-attr]
    array, dims = p.text(x), p.dims(x)  # type: ignore[arg-type]
    sign = "!=" if dtype.kind == "b" else "-"
    for _ in range(attrs["n"]):
        dims = [f"max({d} - 1, 0)" if k == axis else d for k, d in enumerate(dims)]
        made = new_array(p, "differences", dtype, dims)
        with nest(p, dims) as index:
            ahead = [f"{i} + 1" if k == axis else i for k, i in enumerate(index)]
            text = f"{array}[{', '.join(ahead)}] {sign} {array}[{', '.join(index)}]"
            p.emit(f"{made}[{', '.join(index)}] = {text if dtype.kind == 'b' else f'{dtype.name}({text})'}")
        array = made
    p.names[out] = array
    return True


def _ediff1d(p: Program, node: Node) -> bool:
    """Differences of neighbours in a row."""
    x, *others = node.operands
    out = node.outputs[0]
    if any(y is not None for y in others) or not x.spec.shape or out.spec.dtype.kind not in "iufc":  # type: ignore[union-attr]
        return False
    flat, i = flattened(p, x), p.new("i")
    target = p.assign(out, p.allocation(out.spec, [f"max({flat}.size - 1, 0)"]), "differences")
    with p.block(f"for {i} in range({target}.size):"):
        p.emit(f"{target}[{i}] = {out.spec.dtype.name}({flat}[{i} + 1] - {flat}[{i}])")
    return True


ALONG: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "take": _take,
    "take_along_axis": _take_along_axis,
    "put_along_axis": _put_along_axis,
    "choose": _choose,
    "diff": _diff,
    "ediff1d": _ediff1d,
}
"""Operations on positions along an axis."""
