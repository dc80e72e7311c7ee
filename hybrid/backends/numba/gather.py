"""Index arrays and masks: elements picked and placed one by one, after all positions have been checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.indexing import check_number, is_storable, lower_getitem, lower_setitem, nest, slice_text, target_of
from hybrid.backends.numba.masks import count_of, positions_of_mask
from hybrid.backends.numba.program import Program, cast
from hybrid.core.dim import DimLike, symbol
from hybrid.core.pattern import Slice, Slot
from hybrid.core.spec import Spec
from hybrid.ir.graph import Const, Node

__all__ = ["GATHERS", "Selection", "check_broadcast", "item_at", "met_dims", "selection_of", "value_index", "write_selection"]

INT64: Final = np.dtype("int64")


@dataclass(frozen=True, slots=True)
class Pick:
    """Positions along an axis: a number or an index array.

    Attributes:
        text: the variable or number.
        dtype: of its numbers.
        shape, dims: its sizes, and their texts.
    """

    text: str
    dtype: np.dtype
    shape: tuple[DimLike, ...]
    dims: Sequence[str]


@dataclass(frozen=True, slots=True)
class Selection:
    """An index with every axis written out.

    Attributes:
        parts: for each axis of the array, and each new one, a slice, ``None``, or a pick.
        place: before which part of the result the axes of the index arrays stand.
        dims: the texts of the sizes of the index arrays together.
        result: the texts of the sizes of what is selected.
        base: the array with its slices applied.
        sizes: the texts of the array's own sizes.
    """

    parts: tuple[Any, ...]
    place: int
    dims: Sequence[str]
    result: Sequence[str]
    base: str
    sizes: Sequence[str]


def selection_of(p: Program, node: Node, pattern: Sequence[Any], indices: Sequence[Any]) -> Selection | None:
    """Write what comes before the loops over an index; ``None`` for indices that have no native code."""
    x = node.operands[0]
    if any(isinstance(part, Slot) and _is_truth(indices[part.number].spec) for part in pattern):
        return None
    sizes = p.dims(x)  # type: ignore[arg-type]
    parts, marks = _parts_of(p, node, pattern, indices, sizes)
    picks = [part for part in parts if isinstance(part, Pick)]
    dims = met_dims(p, node, [(pick.shape, pick.dims) for pick in picks])
    base = _base(p, node, parts, indices, p.text(x))  # type: ignore[arg-type]
    axes = _axes(parts, base, sizes, base == p.text(x))  # type: ignore[arg-type]
    place = _place(parts, marks)
    return Selection(tuple(parts), place, dims, [*axes[:place], *dims, *axes[place:]], base, sizes)


def _is_truth(spec: Spec) -> bool:
    return spec.dtype.kind not in "iub" or (spec.dtype.kind == "b" and not spec.shape)


def _parts_of(p: Program, node: Node, pattern: Sequence[Any], indices: Sequence[Any], sizes: Sequence[str]) -> tuple[list[Any], list[bool]]:
    """The parts for every axis; and for each part of the pattern whether it picks."""
    used = sum(0 if part is None or part is ... else _axes_used(part, indices) for part in pattern)
    parts: list[Any] = []
    marks: list[bool] = []
    axis = 0
    for part in pattern if ... in pattern else (*pattern, ...):
        if part is ...:
            found: list[Any] = [Slice()] * (len(sizes) - used)
            marks += [False] * max(len(found), int(... in pattern))
        elif part is None or isinstance(part, Slice):
            found = [part]
            marks.append(False)
        else:
            found = _picks_of(p, node, Const(part) if isinstance(part, int) else indices[part.number], sizes[axis:])
            marks += [True] * len(found)
        parts += found
        axis += sum(entry is not None for entry in found)
    return parts, marks


def _axes_used(part: Any, indices: Sequence[Any]) -> int:
    spec = indices[part.number].spec if isinstance(part, Slot) else None
    return spec.ndim if spec is not None and spec.dtype.kind == "b" else 1


def _picks_of(p: Program, node: Node, x: Any, sizes: Sequence[str]) -> list[Any]:
    if x.spec.dtype.kind != "b":
        return [Pick(p.text(x), x.spec.dtype, x.spec.shape, p.dims(x))]
    names, count = positions_of_mask(p, node, x, sizes)
    return [Pick(name, INT64, (symbol(count),), (count,)) for name in names]


def _place(parts: Sequence[Any], marks: Sequence[bool]) -> int:
    """Where the axes of index arrays go: index arrays together stay in place, separated ones move to the front."""
    if True not in marks:
        return 0
    first, last = marks.index(True), len(marks) - 1 - marks[::-1].index(True)
    where = next(k for k, part in enumerate(parts) if isinstance(part, Pick))
    return sum(not isinstance(part, Pick) for part in parts[:where]) if all(marks[first : last + 1]) else 0


def _axes(parts: Sequence[Any], base: str, sizes: Sequence[str], is_whole: bool) -> list[str]:
    """The texts of the sizes of slices and new axes."""
    found, axis = [], 0
    for part in parts:
        if part is None:
            found.append("1")
            continue
        if isinstance(part, Slice):
            found.append(sizes[axis] if is_whole or part == Slice() else f"{base}.shape[{axis}]")
        axis += 1
    return found


def _base(p: Program, node: Node, parts: Sequence[Any], indices: Sequence[Any], array: str) -> str:
    """The array with its slices applied, and all picked axes whole."""
    texts = [slice_text(p, node, x, indices) if isinstance(x, Slice) else ":" for x in parts if x is not None]
    if all(text == ":" for text in texts):
        return array
    base = p.new("part")
    p.emit(f"{base} = {array}[{', '.join(texts)}]")
    return base


# -- sizes ----------------------------------------------------------------------------------------------------------
def met_dims(p: Program, node: Node, arrays: Sequence[tuple[Sequence[DimLike], Sequence[str]]]) -> list[str]:
    """The texts of the sizes of arrays that are broadcast together; fails where they don't fit."""
    ndim = max((len(shape) for shape, _ in arrays), default=0)
    found = []
    for k in range(ndim, 0, -1):
        texts = [dims[-k] for shape, dims in arrays if len(shape) >= k and shape[-k] != 1]
        texts = list(dict.fromkeys(texts))
        if len(texts) < 2:
            found.append(texts[0] if texts else "1")
            continue
        known = [text for text in texts if text.isdigit()]
        size = known[0] if known else p.new("size")
        if not known:
            p.emit(f"{size} = {texts[0]}")
            for text in texts[1:]:
                with p.block(f"if {size} == 1:"):
                    p.emit(f"{size} = {text}")
        p.guard(" or ".join(_misfit(text, size) for text in texts if text != size), node)
        found.append(size)
    return found


def _misfit(text: str, size: str) -> str:
    return f"{text} != {size}" if text.isdigit() else f"({text} != {size} and {text} != 1)"


def item_at(shape: Sequence[DimLike], dims: Sequence[str], index: Sequence[str], sizes: Sequence[str]) -> str:
    """The text of the index of an array that is broadcast to other sizes."""
    extra = len(index) - len(shape)
    parts = []
    for size, dim, i, wanted in zip(shape, dims, index[extra:], sizes[extra:], strict=True):
        parts.append("0" if size == 1 else i if dim == wanted or dim.isdigit() else f"(0 if {dim} == 1 else {i})")
    return ", ".join(parts)


def check_broadcast(p: Program, node: Node, value: Any, result: Sequence[str]) -> None:
    """Fail if a value doesn't broadcast to sizes; axes of size 1 that it has more don't matter."""
    extra = max(value.spec.ndim - len(result), 0)
    dims = p.dims(value)
    bad = [f"{text} != 1" for size, text in zip(value.spec.shape[:extra], dims, strict=False) if size != 1]
    wanted = result[len(result) - (value.spec.ndim - extra) :]
    for size, text, other in zip(value.spec.shape[extra:], dims[extra:], wanted, strict=True):
        if size != 1 and text != other:
            bad.append(_misfit(text, other))
    if bad:
        p.guard(" or ".join(bad), node)


def value_index(p: Program, value: Any, index: Sequence[str], result: Sequence[str]) -> str:
    """The text of the element of a value that belongs to a place of the result."""
    if not value.spec.shape:
        return p.text(value)
    extra = max(value.spec.ndim - len(result), 0)
    inner = item_at(value.spec.shape[extra:], p.dims(value)[extra:], index, result)
    return f"{p.text(value)}[{', '.join(['0'] * extra + ([inner] if inner else []))}]"


# -- loops ----------------------------------------------------------------------------------------------------------
def _positions(p: Program, node: Node, chosen: Selection, index: Sequence[str], is_checked: bool) -> dict[int, str]:
    """The texts of the positions on the picked axes; writes the lines that compute them."""
    found, axis, bad = {}, -1, []
    for k, pick in enumerate(chosen.parts):
        axis += pick is not None
        if not isinstance(pick, Pick):
            continue
        text, size = p.new("at"), chosen.sizes[axis]
        item = f"{pick.text}[{item_at(pick.shape, pick.dims, index, chosen.dims)}]" if pick.shape else pick.text
        p.emit(f"{text} = {cast(item, pick.dtype, INT64)}")
        if pick.dtype.kind == "i" or pick.dtype == np.uint64:
            with p.block(f"if {text} < 0:"):
                p.emit(f"{text} += {size}")
        bad.append(f"{text} < 0 or {text} >= {size}")
        found[k] = text
    if bad and not is_checked:
        p.guard_index(" or ".join(bad), node)
    return found


def _element(chosen: Selection, base: str, found: dict[int, str], rest: Sequence[str]) -> str:
    """The text of an element of the array."""
    kept = iter(rest)
    parts = [(found[k] if k in found else next(kept), part) for k, part in enumerate(chosen.parts)]
    return f"{base}[{', '.join(text for text, part in parts if part is not None)}]"


def _rest(chosen: Selection) -> Sequence[str]:
    """The sizes of what isn't picked."""
    return [*chosen.result[: chosen.place], *chosen.result[chosen.place + len(chosen.dims) :]]


def _whole_index(chosen: Selection, index: Sequence[str], rest: Sequence[str]) -> list[str]:
    return [*rest[: chosen.place], *index, *rest[chosen.place :]]


# -- reading --------------------------------------------------------------------------------------------------------
def _getitem(p: Program, node: Node) -> bool:
    """``x[key]``, whatever the key."""
    if lower_getitem(p, node):
        return True
    x, *indices = node.operands
    pattern, out = node.attributes["index"], node.outputs[0]
    if not x.spec.shape and not indices:  # type: ignore[union-attr]
        return _of_number(p, node)
    if not x.spec.shape or not out.spec.shape:  # type: ignore[union-attr]
        return False
    if (mask := _whole_mask(x, pattern, indices)) is not None:
        return _compressed(p, node, mask)
    chosen = selection_of(p, node, pattern, indices)
    if chosen is None:
        return False
    target = p.assign(out, p.allocation(out.spec, chosen.result), "picked")
    with nest(p, chosen.dims) as index:
        found = _positions(p, node, chosen, index, is_checked=False)
        with nest(p, _rest(chosen)) as rest:
            p.emit(f"{target}[{', '.join(_whole_index(chosen, index, rest))}] = {_element(chosen, chosen.base, found, rest)}")
    return True


def _of_number(p: Program, node: Node) -> bool:
    """A number as it is, or with new axes."""
    text, out = p.text(node.operands[0]), node.outputs[0]
    if not out.spec.shape:
        p.names[out] = text
        return True
    target = p.empty(out, "item")
    p.emit(f"{target}[{', '.join(['0'] * out.spec.ndim)}] = {text}")
    return True


def _whole_mask(x: Any, pattern: Sequence[Any], indices: Sequence[Any]) -> Any:
    """The mask that is all of an index."""
    if len(pattern) != 1 or not isinstance(pattern[0], Slot):
        return None
    mask = indices[pattern[0].number]
    return mask if mask.spec.dtype.kind == "b" and mask.spec.ndim == x.spec.ndim > 0 else None


def _compressed(p: Program, node: Node, mask: Any) -> bool:
    """The elements where a mask of the same shape holds."""
    x, out = node.operands[0], node.outputs[0]
    count = count_of(p, node, mask, p.dims(x))  # type: ignore[arg-type]
    target, at = p.assign(out, p.allocation(out.spec, [count]), "picked"), p.new("at")
    p.emit(f"{at} = 0")
    with nest(p, p.dims(mask)) as index, p.block(f"if {p.text(mask)}[{', '.join(index)}]:"):
        p.emit(f"{target}[{at}] = {p.text(x)}[{', '.join(index)}]")
        p.emit(f"{at} += 1")
    return True


# -- writing --------------------------------------------------------------------------------------------------------
def _setitem(p: Program, node: Node) -> bool:
    """``x[key] = value``, whatever the key."""
    if lower_setitem(p, node):
        return True
    x, value, *indices = node.operands
    pattern = node.attributes["index"]
    if not is_storable(value, x.spec.dtype):  # type: ignore[union-attr]
        return False
    if not x.spec.shape:  # type: ignore[union-attr]
        return not indices and not value.spec.shape and _number_written(p, node, value)  # type: ignore[union-attr]
    if (mask := _whole_mask(x, pattern, indices)) is not None:
        return _masked(p, node, mask)
    return write_selection(p, node, value, indices)


def _number_written(p: Program, node: Node, value: Any) -> bool:
    """All of an array without axes: another number."""
    dtype = node.outputs[0].spec.dtype
    check_number(p, node, value, dtype)
    p.assign(node.outputs[0], p.cast(value, dtype), "changed")
    return True


def write_selection(p: Program, node: Node, value: Any, indices: Sequence[Any], combine: Callable[[str, str], str] | None = None) -> bool:
    """Give each selected element the value that belongs to it, or what is made of both, one after the other."""
    x = node.operands[0]
    dtype = x.spec.dtype  # type: ignore[union-attr]
    chosen = selection_of(p, node, node.attributes["index"], indices)
    if chosen is None:
        return False
    if value is not None:
        check_number(p, node, value, dtype)
        check_broadcast(p, node, value, chosen.result)
    with nest(p, chosen.dims) as index:
        _positions(p, node, chosen, index, is_checked=False)
    base = target = target_of(p, node)
    if chosen.base != p.text(x):  # type: ignore[arg-type]
        base = chosen.base if target == p.text(x) else _base(p, node, chosen.parts, indices, target)  # type: ignore[arg-type]
    with nest(p, chosen.dims) as index:
        found = _positions(p, node, chosen, index, is_checked=True)
        with nest(p, _rest(chosen)) as rest:
            place = _element(chosen, base, found, rest)
            item = value_index(p, value, _whole_index(chosen, index, rest), chosen.result) if value is not None else ""
            new = cast(item, value.spec.dtype, dtype) if combine is None else combine(place, item)
            p.emit(f"{place} = {new}")
    p.names[node.outputs[0]] = target
    return True


def _masked(p: Program, node: Node, mask: Any) -> bool:
    """One number, or one after the other, wherever a mask holds."""
    x, value = node.operands[:2]
    dtype, given = x.spec.dtype, value.spec  # type: ignore[union-attr]
    check_number(p, node, value, dtype)
    at = ""
    if given.shape and given.shape != (1,):
        size = p.dims(value)[0]  # type: ignore[arg-type]
        count = count_of(p, node, mask, p.dims(x))  # type: ignore[arg-type]
        p.guard(f"{size} != {count} and {size} != 1", node)
        at = p.new("at")
        p.emit(f"{at} = 0")
    target = target_of(p, node)
    item = f"{p.text(value)}[{at or '0'}]" if given.shape else p.text(value)  # type: ignore[arg-type]
    with nest(p, p.dims(mask)) as index:
        place = ", ".join(index)
        with p.block(f"if {p.text(mask)}[{place}]:"):
            p.emit(f"{target}[{place}] = {cast(item, given.dtype, dtype)}")
            if at:
                p.emit(f"{at} += {size} != 1")
    p.names[node.outputs[0]] = target
    return True


GATHERS: Final[dict[str, Callable[[Program, Node], bool]]] = {"getitem": _getitem, "setitem": _setitem}
"""Items by any key."""
