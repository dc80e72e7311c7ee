"""Operations that only move elements: views where strides can say it, loops where they can't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.memory import transposed
from hybrid.backends.numba.native import reshaped
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


def _has_axes(node: Node) -> bool:
    return bool(node.operands[0].spec.shape and node.outputs[0].spec.shape)  # type: ignore[union-attr]


# -- views ----------------------------------------------------------------------------------------------------------
def _permuted(p: Program, node: Node) -> bool:
    """Axes in another order."""
    ndim = node.outputs[0].spec.ndim
    axes = node.attributes.get("axes")
    if ndim < 2:
        return False
    order = [axis_of(a, ndim) for a in axes] if axes is not None else list(range(ndim))[::-1]
    if node.op.name == "matrix_transpose":
        order = [*range(ndim - 2), ndim - 1, ndim - 2]
    permute = p.use(f"transposed_{'_'.join(map(str, order))}", transposed(tuple(order)))
    return _shared(p, node, f"{permute}({p.text(node.operands[0])})", "transposed")


def _flipped(p: Program, node: Node) -> bool:
    """Axes in the opposite direction."""
    if not _has_axes(node):
        return False
    x = node.operands[0]
    axes = axes_of(node.attributes["axis"], x.spec.ndim)  # type: ignore[union-attr]
    parts = ["::-1" if k in axes else ":" for k in range(x.spec.ndim)]  # type: ignore[union-attr]
    return _shared(p, node, f"{p.text(x)}[{', '.join(parts)}]", "flipped")


def _reshaped(p: Program, node: Node) -> bool:
    """Other sizes, the same elements in C order: memory is shared as long as it is in that order."""
    x, out, attrs = node.operands[0], node.outputs[0], node.attributes
    if not _has_axes(node) or attrs.get("order", "C") not in ("C", "K"):
        return False
    have, wanted = product(x.spec.shape), product(out.spec.shape)  # type: ignore[union-attr]
    if have != wanted:
        p.guard(f"{p.dim(have)} != {p.dim(wanted)}", node)
    p.use("reshaped", reshaped)
    dims = p.dims(out) if out in p.names else [p.dim(d) for d in out.spec.shape]
    text = f"reshaped({p.contiguous(x)}, ({', '.join(dims)}{',' * (len(dims) == 1)}))"
    p.assign(out, text if node in p.plan.views else f"copied({text})", "reshaped")
    return True


# -- copies ---------------------------------------------------------------------------------------------------------
def _spread(p: Program, node: Node) -> bool:
    """Axes of size 1 repeated."""
    x, out = node.operands[0], node.outputs[0]
    if not out.spec.shape or (
        x.spec.shape and any(d not in (1, w) for d, w in zip(x.spec.shape[::-1], out.spec.shape[::-1], strict=False))
    ):  # type: ignore[union-attr]
        return False
    target = p.empty(out, "spread")
    with nest(p, [p.dim(d) for d in out.spec.shape]) as index:
        own = index[len(index) - x.spec.ndim :]  # type: ignore[union-attr]
        item = ", ".join("0" if d == 1 else i for d, i in zip(x.spec.shape, own, strict=True))  # type: ignore[union-attr]
        p.emit(f"{target}[{', '.join(index)}] = {f'{p.text(x)}[{item}]' if x.spec.shape else p.text(x)}")  # type: ignore[union-attr]
    return True


def _joined(p: Program, node: Node) -> bool:
    """Arrays one after the other along an axis."""
    (arrays,), out = node.operands, node.outputs[0]
    axis = node.attributes["axis"]
    if axis is None or not all(x.spec.shape for x in arrays):  # type: ignore[union-attr]
        return False
    axis %= out.spec.ndim
    first = arrays[0]  # type: ignore[index]
    for x in arrays:  # type: ignore[union-attr]
        if any(a != b for k, (a, b) in enumerate(zip(x.spec.shape, first.spec.shape, strict=True)) if k != axis):
            return False
    lengths = [p.dims(x)[axis] for x in arrays]  # type: ignore[union-attr]
    dims = [p.dims(first)[k] if k != axis else f"({' + '.join(lengths)})" for k in range(out.spec.ndim)]
    return _put_together(p, node, arrays, axis, lengths, dims)  # type: ignore[arg-type]


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
    if any(x.spec.shape != first.spec.shape for x in arrays):  # type: ignore[union-attr]
        return False
    axis = node.attributes["axis"] % out.spec.ndim
    target = p.empty(out, "stacked")
    for n, x in enumerate(arrays):  # type: ignore[arg-type]
        with nest(p, p.dims(x)) as index:
            place = [*index[:axis], str(n), *index[axis:]]
            item = f"{p.text(x)}[{', '.join(index)}]" if index else p.text(x)
            p.emit(f"{target}[{', '.join(place)}] = {cast(item, x.spec.dtype, out.spec.dtype)}")
    return True


def _triangle(keep: str) -> Callable[[Program, Node], bool]:
    """A triangle of a matrix; zeros elsewhere."""

    def lower(p: Program, node: Node) -> bool:
        x, out, k = node.operands[0], node.outputs[0], node.attributes["k"]
        if x.spec.ndim < 2 or x.spec.dtype != out.spec.dtype:  # type: ignore[union-attr]
            return False
        target = p.filled(out, node.op.name)
        with nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
            place = ", ".join(index)
            with p.block(f"if {index[-1]} {keep} {index[-2]} + {p.dim(k)}:"):
                p.emit(f"{target}[{place}] = {p.text(x)}[{place}]")
        return True

    return lower


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
    "tril": _triangle("<="),
    "triu": _triangle(">="),
}
"""Operations on shapes."""
