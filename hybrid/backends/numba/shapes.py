"""Operations that only move elements: views where strides can say it, loops where they can't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hybrid.backends.numba.gather import check_broadcast, value_index
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.memory import transposed
from hybrid.backends.numba.native import HALF, reshaped
from hybrid.backends.numba.program import Program, cast
from hybrid.core.dim import product
from hybrid.ir.graph import Node
from hybrid.ops._infer import axes_of, axis_of

__all__ = ["SHAPES", "VIEWS"]


def _shared(p: Program, node: Node, text: str, base: str) -> bool:
    """A view, or a copy of it where it must not share memory."""
    out = node.outputs[0]
    if node in p.plan.views:
        p.assign(out, text, base)
        p.views.add(out)
    else:
        p.assign(out, f"copied({text})", base)
    return True


def _same(p: Program, node: Node) -> bool:
    """The operand itself, or a copy of it where it must not share memory."""
    x, out = node.operands[0], node.outputs[0]
    if out.spec.shape and node not in p.plan.views:
        p.assign(out, f"copied({p.text(x)})", "same")
        return True
    p.names[out] = p.text(x)
    if x in p.views:
        p.views.add(out)
    return True


def _has_axes(node: Node) -> bool:
    return bool(node.operands[0].spec.shape and node.outputs[0].spec.shape)  # type: ignore[union-attr]


# -- views ----------------------------------------------------------------------------------------------------------
def _permuted(p: Program, node: Node) -> bool:
    """Axes in another order."""
    ndim = node.outputs[0].spec.ndim
    axes = node.attributes.get("axes")
    if ndim < 2:
        return _same(p, node)
    order = [axis_of(a, ndim) for a in axes] if axes is not None else list(range(ndim))[::-1]
    if node.op.name == "matrix_transpose":
        order = [*range(ndim - 2), ndim - 1, ndim - 2]
    permute = p.use(f"transposed_{'_'.join(map(str, order))}", transposed(tuple(order)))
    return _shared(p, node, f"{permute}({p.text(node.operands[0])})", "transposed")


def _flipped(p: Program, node: Node) -> bool:
    """Axes in the opposite direction."""
    x = node.operands[0]
    if not _has_axes(node):
        return _same(p, node)
    axes = axes_of(node.attributes["axis"], x.spec.ndim)  # type: ignore[union-attr]
    parts = ["::-1" if k in axes else ":" for k in range(x.spec.ndim)]  # type: ignore[union-attr]
    return _shared(p, node, f"{p.text(x)}[{', '.join(parts)}]", "flipped")


def _reshaped(p: Program, node: Node) -> bool:
    """Other sizes, the same elements in C order: memory is shared as long as it is in that order."""
    x, out, attrs = node.operands[0], node.outputs[0], node.attributes
    if not _has_axes(node):
        return _number_reshaped(p, node)
    if attrs.get("order", "C") not in ("C", "K") and not (attrs["order"] == "A" and x not in p.views):
        return False
    have, wanted = product(x.spec.shape), product(out.spec.shape)  # type: ignore[union-attr]
    if have != wanted:
        p.guard(f"{p.dim(have)} != {p.dim(wanted)}", node)
    p.use("reshaped", reshaped)
    dims = p.dims(out) if out in p.names else [p.dim(d) for d in out.spec.shape]
    text = f"reshaped({p.contiguous(x)}, ({', '.join(dims)}{',' * (len(dims) == 1)}))"
    p.assign(out, text if node in p.plan.views else f"copied({text})", "reshaped")
    return True


def _number_reshaped(p: Program, node: Node) -> bool:
    """The only element, with axes or without."""
    x, out = node.operands[0], node.outputs[0]
    if HALF == out.spec.dtype and (x.spec.shape or out.spec.shape):  # type: ignore[union-attr]
        return False
    if not out.spec.shape:
        sizes = p.dims(x)  # type: ignore[arg-type]
        if bad := [f"{d} != 1" for d in sizes if d != "1"]:
            p.guard(" or ".join(bad), node)
        p.assign(out, f"{p.text(x)}[{', '.join(['0'] * len(sizes))}]" if sizes else p.text(x), "item")
        return True
    target = p.empty(out, "reshaped")
    p.emit(f"{target}[{', '.join(['0'] * out.spec.ndim)}] = {p.text(x)}")
    return True


# -- copies ---------------------------------------------------------------------------------------------------------
def _spread(p: Program, node: Node) -> bool:
    """Axes of size 1 repeated."""
    x, out = node.operands[0], node.outputs[0]
    if not out.spec.shape:
        return _same(p, node)
    result = [p.dim(d) for d in out.spec.shape]
    check_broadcast(p, node, x, result)
    target = p.empty(out, "spread")
    with nest(p, result) as index:
        p.emit(f"{target}[{', '.join(index)}] = {value_index(p, x, index, result)}")
    return True


def _joined(p: Program, node: Node) -> bool:
    """Arrays one after the other along an axis."""
    (arrays,), out = node.operands, node.outputs[0]
    axis = node.attributes["axis"]
    if axis is None:
        return _all_joined(p, node)
    if not _can_cast(arrays, out):
        return False
    axis %= out.spec.ndim
    first = arrays[0]  # type: ignore[index]
    _check_alike(p, node, arrays, axis)
    lengths = [p.dims(x)[axis] for x in arrays]  # type: ignore[union-attr]
    dims = [p.dims(first)[k] if k != axis else f"({' + '.join(lengths)})" for k in range(out.spec.ndim)]
    return _put_together(p, node, arrays, axis, lengths, dims)  # type: ignore[arg-type]


def _can_cast(arrays: Any, out: Any) -> bool:
    """Whether native code casts as NumPy does: not from float to unsigned, and no Python numbers."""
    given = [x.spec for x in arrays]
    others = [s for s in given if s.dtype != out.spec.dtype]
    is_integer = out.spec.dtype.kind in "iu"
    return not any(HALF in (s.dtype, out.spec.dtype) or (is_integer and (s.weak or s.dtype.kind in "fc")) for s in others)


def _check_alike(p: Program, node: Node, arrays: Any, axis: int | None) -> None:
    """Fail if arrays differ in a size that isn't the one of the axis."""
    first, *others = (p.dims(x) for x in arrays)
    pairs = [(a, b) for dims in others for k, (a, b) in enumerate(zip(first, dims, strict=True)) if k != axis and a != b]
    if pairs:
        p.guard(" or ".join(f"{a} != {b}" for a, b in dict.fromkeys(pairs)), node)


def _all_joined(p: Program, node: Node) -> bool:
    """The elements of all arrays in a row."""
    (arrays,), out = node.operands, node.outputs[0]
    if not _can_cast(arrays, out) or any(x.spec.dtype == HALF and not x.spec.shape for x in arrays):  # type: ignore[union-attr]
        return False
    count, at = p.new("count"), p.new("at")
    p.emit(f"{count} = {' + '.join(f'{p.text(x)}.size' if x.spec.shape else '1' for x in arrays)}")  # type: ignore[union-attr]
    target = p.assign(out, p.allocation(out.spec, [count]), "joined")
    p.emit(f"{at} = 0")
    for x in arrays:  # type: ignore[union-attr]
        with nest(p, p.dims(x)) as index:
            item = f"{p.text(x)}[{', '.join(index)}]" if index else p.text(x)
            p.emit(f"{target}[{at}] = {cast(item, x.spec.dtype, out.spec.dtype)}")
            p.emit(f"{at} += 1")
    return True


def _put_together(p: Program, node: Node, arrays: Sequence[Any], axis: int, lengths: Sequence[str], dims: Sequence[str]) -> bool:
    out = node.outputs[0]
    target = p.assign(out, p.allocation(out.spec, dims), "joined")
    offset = ""
    for x, length in zip(arrays, lengths, strict=True):
        own = [length if k == axis else d for k, d in enumerate(dims)]
        with nest(p, own) as index:
            place = ", ".join(f"{offset}{i}" if k == axis else i for k, i in enumerate(index))
            item = f"{p.text(x)}[{', '.join(index)}]"
            p.emit(f"{target}[{place}] = {cast(item, x.spec.dtype, out.spec.dtype)}")
        offset += f"{length} + "
    return True


def _stacked(p: Program, node: Node) -> bool:
    """Arrays of one shape along a new axis."""
    (arrays,), out = node.operands, node.outputs[0]
    first = arrays[0]  # type: ignore[index]
    if not _can_cast(arrays, out) or (out.spec.dtype == HALF and not first.spec.shape):
        return False
    _check_alike(p, node, arrays, None)
    axis = node.attributes["axis"] % out.spec.ndim
    dims = p.dims(first)
    target = p.assign(out, p.allocation(out.spec, [*dims[:axis], str(len(arrays)), *dims[axis:]]), "stacked")  # type: ignore[arg-type]
    for n, x in enumerate(arrays):  # type: ignore[arg-type]
        with nest(p, p.dims(x)) as index:
            place = [*index[:axis], str(n), *index[axis:]]
            item = f"{p.text(x)}[{', '.join(index)}]" if index else p.text(x)
            p.emit(f"{target}[{', '.join(place)}] = {cast(item, x.spec.dtype, out.spec.dtype)}")
    return True


VIEWS: Final = {"permute_dims", "matrix_transpose", "flip", "reshape", "ravel", "expand_dims", "squeeze"}
"""Operations of this file whose results can be views."""

SHAPES: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "permute_dims": _permuted,
    "matrix_transpose": _permuted,
    "flip": _flipped,
    "reshape": _reshaped,
    "ravel": _reshaped,
    "expand_dims": _reshaped,
    "squeeze": _reshaped,
    "broadcast_to": _spread,
    "concat": _joined,
    "stack": _stacked,
}
"""Operations on shapes."""
