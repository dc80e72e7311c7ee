"""Index arrays and masks: elements picked and placed one by one, after all positions have been checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hybrid.backends.numba.indexing import check_number, is_storable, lower_getitem, lower_setitem, nest, slice_text, target_of
from hybrid.backends.numba.program import Program, cast
from hybrid.core.pattern import Slice, Slot
from hybrid.ir.graph import Const, Node

__all__ = ["GATHERS"]


@dataclass(frozen=True, slots=True)
class Picks:
    """An index with arrays of integers in it.

    Attributes:
        parts: for each axis of the array a slice, or an index array or number.
        place: where the axes of the index arrays stand among those of the result.
        ndim: the number of those axes.
    """

    parts: tuple[Any, ...]
    place: int
    ndim: int


def picks_of(pattern: Sequence[Any], indices: Sequence[Any], ndim: int) -> Picks | None:
    """The picks of an index; ``None`` for masks, new axes, and where sizes may not fit."""
    if None in pattern:
        return None
    used = sum(part is not ... for part in pattern)
    parts: list[Any] = []
    marks: list[bool] = []
    for part in pattern if ... in pattern else (*pattern, ...):
        if part is ...:
            parts += [Slice()] * (ndim - used)
            marks += [False] * max(ndim - used, int(... in pattern))
            continue
        parts.append(part if isinstance(part, Slice) else indices[part.number] if isinstance(part, Slot) else Const(part))
        marks.append(not isinstance(part, Slice))
    arrays = [x for x in parts if not isinstance(x, Slice)]
    if any(x.spec.dtype.kind not in "iu" for x in arrays) or not _meet(arrays):
        return None
    first, last = marks.index(True), len(marks) - 1 - marks[::-1].index(True)
    is_together = all(marks[first : last + 1])
    place = sum(isinstance(x, Slice) for x in parts[: _axis_of(parts)]) if is_together else 0
    return Picks(tuple(parts), place, max(x.spec.ndim for x in arrays))


def _axis_of(parts: Sequence[Any]) -> int:
    return next(k for k, part in enumerate(parts) if not isinstance(part, Slice))


def _meet(arrays: Sequence[Any]) -> bool:
    """Whether index arrays broadcast for sure."""
    ndim = max((x.spec.ndim for x in arrays), default=0)
    for k in range(1, ndim + 1):
        sizes = {x.spec.shape[-k] for x in arrays if x.spec.ndim >= k} - {1}
        if len(sizes) > 1:
            return False
    return ndim > 0


def _index_dims(p: Program, picks: Picks) -> list[str]:
    """The texts of the sizes of the index arrays together."""
    dims = ["1"] * picks.ndim
    for x in picks.parts:
        if not isinstance(x, Slice):
            for k, (size, text) in enumerate(zip(x.spec.shape, p.dims(x), strict=True)):
                if size != 1:
                    dims[picks.ndim - x.spec.ndim + k] = text
    return dims


def _positions(p: Program, node: Node, picks: Picks, dims: Sequence[str], index: Sequence[str], is_checked: bool) -> dict[int, str]:
    """The texts of the positions on the picked axes; writes the lines that compute them."""
    found = {}
    for axis, x in enumerate(picks.parts):
        if isinstance(x, Slice):
            continue
        own = index[picks.ndim - x.spec.ndim :]
        item = f"{p.text(x)}[{', '.join('0' if d == 1 else i for d, i in zip(x.spec.shape, own, strict=True))}]"
        text = p.new("at")
        p.emit(f"{text} = {cast(item if x.spec.shape else p.text(x), x.spec.dtype, INT64)}")
        if x.spec.dtype.kind == "i":
            with p.block(f"if {text} < 0:"):
                p.emit(f"{text} += {dims[axis]}")
        if not is_checked:
            p.guard(f"{text} < 0 or {text} >= {dims[axis]}", node)
        found[axis] = text
    return found


def _base(p: Program, node: Node, picks: Picks, indices: Sequence[Any], array: str) -> str:
    """The array with its slices applied, and all picked axes whole."""
    texts = [slice_text(p, node, x, indices) if isinstance(x, Slice) else ":" for x in picks.parts]
    if all(text == ":" for text in texts):
        return array
    base = p.new("part")
    p.emit(f"{base} = {array}[{', '.join(texts)}]")
    return base


def _arranged(picks: Picks, found: dict[int, str], kept: Sequence[str]) -> str:
    """The text of an index of the array."""
    remaining = iter(kept)
    return ", ".join(found[k] if k in found else next(remaining) for k in range(len(picks.parts)))


# -- reading --------------------------------------------------------------------------------------------------------
def _getitem(p: Program, node: Node) -> bool:
    """``x[key]``, whatever the key."""
    if lower_getitem(p, node):
        return True
    x, *indices = node.operands
    pattern = node.attributes["index"]
    if not x.spec.shape:  # type: ignore[union-attr]
        return False
    if len(pattern) == 1 and isinstance(pattern[0], Slot) and _is_whole_mask(x, indices[pattern[0].number]):
        return _compressed(p, node, x, indices[pattern[0].number])
    if any(isinstance(part, Slot) and indices[part.number].spec.dtype.kind == "b" for part in pattern):
        return False
    picks = picks_of(pattern, indices, x.spec.ndim)  # type: ignore[union-attr]
    return picks is not None and _picked(p, node, picks, p.text(x), p.dims(x), indices)  # type: ignore[arg-type]


def _picked(p: Program, node: Node, picks: Picks, array: str, sizes: list[str], indices: Sequence[Any]) -> bool:
    out = node.outputs[0]
    base = _base(p, node, picks, indices, array)
    kept = [f"{base}.shape[{k}]" if base != array else sizes[k] for k, x in enumerate(picks.parts) if isinstance(x, Slice)]
    index_dims = _index_dims(p, picks)
    dims = [*kept[: picks.place], *index_dims, *kept[picks.place :]]
    target = p.assign(out, p.allocation(out.spec, dims), "picked")
    with nest(p, index_dims) as index:
        found = _positions(p, node, picks, sizes, index, is_checked=False)
        with nest(p, kept) as rest:
            place = [*rest[: picks.place], *index, *rest[picks.place :]]
            p.emit(f"{target}[{', '.join(place)}] = {base}[{_arranged(picks, found, rest)}]")
    return True


def _is_whole_mask(x: Any, mask: Any) -> bool:
    return mask.spec.dtype.kind == "b" and mask.spec.ndim == x.spec.ndim > 0 and mask.spec.shape == x.spec.shape


def _compressed(p: Program, node: Node, x: Any, mask: Any) -> bool:
    """The elements where a mask of the same shape holds."""
    out = node.outputs[0]
    count, at = p.new("count"), p.new("at")
    p.emit(f"{count} = 0")
    with nest(p, p.dims(x)) as index:
        p.emit(f"{count} += {p.text(mask)}[{', '.join(index)}]")
    target = p.assign(out, p.allocation(out.spec, [count]), "picked")
    p.emit(f"{at} = 0")
    with nest(p, p.dims(x)) as index:
        with p.block(f"if {p.text(mask)}[{', '.join(index)}]:"):
            p.emit(f"{target}[{at}] = {p.text(x)}[{', '.join(index)}]")
            p.emit(f"{at} += 1")
    return True


def _take(p: Program, node: Node) -> bool:
    """Slices at positions along an axis."""
    x, indices = node.operands
    axis, ndim = node.attributes["axis"], x.spec.ndim  # type: ignore[union-attr]
    if node.attributes["mode"] != "raise" or not indices.spec.shape or not ndim or (axis is None and ndim > 1):  # type: ignore[union-attr]
        return False
    pattern = (*[Slice()] * ((axis or 0) % ndim), Slot(0))
    picks = picks_of(pattern, [indices], ndim)
    return picks is not None and _picked(p, node, picks, p.text(x), p.dims(x), [indices])  # type: ignore[arg-type]


# -- writing --------------------------------------------------------------------------------------------------------
def _setitem(p: Program, node: Node) -> bool:
    """``x[key] = value``, whatever the key."""
    if lower_setitem(p, node):
        return True
    x, value, *indices = node.operands
    pattern = node.attributes["index"]
    if not x.spec.shape or not is_storable(value, x.spec.dtype):  # type: ignore[union-attr]
        return False
    if len(pattern) == 1 and isinstance(pattern[0], Slot) and _is_whole_mask(x, indices[pattern[0].number]):
        return not value.spec.shape and _masked(p, node, indices[pattern[0].number])  # type: ignore[union-attr]
    if any(isinstance(part, Slot) and indices[part.number].spec.dtype.kind == "b" for part in pattern):
        return False
    picks = picks_of(pattern, indices, x.spec.ndim)  # type: ignore[union-attr]
    return picks is not None and _placed(p, node, picks, indices)


def _masked(p: Program, node: Node, mask: Any) -> bool:
    """One number wherever a mask holds."""
    x, value = node.operands[:2]
    check_number(p, node, value, x.spec.dtype)  # type: ignore[union-attr]
    target = target_of(p, node)
    with nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
        place = ", ".join(index)
        with p.block(f"if {p.text(mask)}[{place}]:"):
            p.emit(f"{target}[{place}] = {p.cast(value, x.spec.dtype)}")  # type: ignore[union-attr]
    p.names[node.outputs[0]] = target
    return True


def _placed(p: Program, node: Node, picks: Picks, indices: Sequence[Any]) -> bool:
    x, value = node.operands[:2]
    rest = sum(isinstance(part, Slice) for part in picks.parts)
    if value.spec.shape and (rest or not _fits(value, picks)):  # type: ignore[union-attr]
        return False
    check_number(p, node, value, x.spec.dtype)  # type: ignore[union-attr]
    sizes, index_dims = p.dims(x), _index_dims(p, picks)  # type: ignore[arg-type]
    with nest(p, index_dims) as index:
        _positions(p, node, picks, sizes, index, is_checked=False)
    target = target_of(p, node)
    base = _base(p, node, picks, indices, target)
    kept = [f"{base}.shape[{k}]" if base != target else sizes[k] for k, part in enumerate(picks.parts) if isinstance(part, Slice)]
    with nest(p, index_dims) as index:
        found = _positions(p, node, picks, sizes, index, is_checked=True)
        with nest(p, kept) as inner:
            own = index[picks.ndim - value.spec.ndim :]  # type: ignore[union-attr]
            item = ", ".join("0" if d == 1 else i for d, i in zip(value.spec.shape, own, strict=True))  # type: ignore[union-attr]
            text = f"{p.text(value)}[{item}]" if value.spec.shape else p.text(value)  # type: ignore[union-attr]
            p.emit(f"{base}[{_arranged(picks, found, inner)}] = {cast(text, value.spec.dtype, x.spec.dtype)}")  # type: ignore[union-attr]
    p.names[node.outputs[0]] = target
    return True


def _fits(value: Any, picks: Picks) -> bool:
    """Whether a value broadcasts for sure to the shape of the index arrays."""
    if value.spec.ndim > picks.ndim:
        return False
    for k in range(1, value.spec.ndim + 1):
        sizes = {x.spec.shape[-k] for x in picks.parts if not isinstance(x, Slice) and x.spec.ndim >= k} - {1}
        if value.spec.shape[-k] not in {1, *sizes}:
            return False
    return True


INT64: Final = Const(0).spec.dtype

GATHERS: Final[dict[str, Callable[[Program, Node], bool]]] = {"getitem": _getitem, "setitem": _setitem, "take": _take}
"""Items by any key."""
