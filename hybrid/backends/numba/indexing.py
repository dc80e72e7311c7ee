"""Items and slices: reads and writes by numbers and slices, with bounds checked as NumPy checks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybrid.backends.numba.bounds import is_below
from hybrid.backends.numba.program import Program, Window, cast
from hybrid.core.pattern import Slice, Slot
from hybrid.ir.graph import Const, Node

__all__ = ["check_number", "is_storable", "lower_getitem", "lower_setitem", "nest", "selects_view", "slice_text", "target_of"]


@dataclass(frozen=True, slots=True)
class Key:
    """An index of numbers and slices, written out for every axis.

    Attributes:
        parts: for each entry ``(part, axis)``; ``None`` for the axis of a new one.
        is_point: every axis has a number.
    """

    parts: tuple[tuple[Any, int | None], ...]
    is_point: bool


def key_of(node: Node, indices: Sequence[Any]) -> Key | None:
    """The key of a node; ``None`` if there are index arrays or masks in it."""
    pattern, ndim = node.attributes["index"], node.operands[0].spec.ndim  # type: ignore[union-attr]
    slots = [part.number for part in pattern if isinstance(part, Slot)]
    if any(indices[n].spec.shape or indices[n].spec.dtype.kind == "b" for n in slots):
        return None
    used = sum(part is not None and part is not ... for part in pattern)
    parts: list[tuple[Any, int | None]] = []
    axis = 0
    for part in pattern if ... in pattern else (*pattern, ...):
        if part is ...:
            parts += [(Slice(), axis + k) for k in range(ndim - used)]
            axis += ndim - used
        else:
            parts.append((part, None if part is None else axis))
            axis += part is not None
    return Key(tuple(parts), all(not isinstance(part, Slice) and part is not None for part, _ in parts))


def selects_view(node: Node) -> bool:
    """Whether an operation can be a view: a selection by slices."""
    if node.op.name != "getitem" or node.operands[0].spec.dtype == np.float16:  # type: ignore[union-attr]
        return False
    key = key_of(node, node.operands[1:])
    return key is not None and bool(node.outputs[0].spec.shape)


# -- reading --------------------------------------------------------------------------------------------------------
def lower_getitem(p: Program, node: Node) -> bool:
    """Write ``x[key]`` for numbers and slices."""
    key, x, out = key_of(node, node.operands[1:]), node.operands[0], node.outputs[0]
    if key is None or (not isinstance(x, Const) and not x.spec.shape):  # type: ignore[union-attr]
        return False
    if not out.spec.shape:
        if key.is_point:
            p.assign(out, p.item(x, _key_texts(p, node, key, node.operands[1:])), "item")
        return key.is_point
    texts = _key_texts(p, node, key, node.operands[1:])
    text = f"{p.text(x)}[{', '.join(texts) or '()'}]"
    if node not in p.plan.views:
        p.assign(out, f"copied({text})", "part")
        return True
    p.views.add(out)
    places = _places(key, texts, x.spec.shape)  # type: ignore[union-attr]
    if places is None or not out.spec.symbols <= set(p.sizes):
        p.assign(out, text, "view")
    else:
        p.windows[out] = Window(p.text(x), tuple(place if isinstance(place, str) else place[:2] for place in places), text)
    return True


def _places(key: Key, texts: Sequence[str], shape: Sequence[Any]) -> list[Any] | None:
    """For each axis the text of a position, or ``(start, step, size)`` of a slice; ``None`` if only running tells.

    A size of ``None`` is that of the whole axis.
    """
    places: list[Any] = []
    for (part, axis), text in zip(key.parts, texts, strict=True):
        if not isinstance(part, Slice | None):
            places.append(text)
        elif part == Slice():
            places.append((0, 1, None))
        elif part is None or not all(bound is None or isinstance(bound, int) for bound in (*part.bounds, shape[axis])):  # type: ignore[index]
            return None
        else:
            start, stop, step = slice(*part.bounds).indices(shape[axis])  # type: ignore[index]
            places.append((start, step, len(range(start, stop, step))))
    return places


def _key_texts(p: Program, node: Node, key: Key, indices: Sequence[Any]) -> list[str]:
    """The text of each part of a key; positions are checked."""
    dims = p.dims(node.operands[0])  # type: ignore[arg-type]
    texts = []
    for part, axis in key.parts:
        if part is None:
            texts.append("None")
        elif isinstance(part, Slice):
            texts.append(slice_text(p, node, part, indices))
        else:
            assert axis is not None
            texts.append(position(p, node, indices[part.number] if isinstance(part, Slot) else Const(part), dims[axis]))
    return texts


def slice_text(p: Program, node: Node, part: Slice, indices: Sequence[Any]) -> str:
    """The text of a slice; a step that only running tells is checked."""
    bounds = []
    for bound in part.bounds:
        x = indices[bound.number] if isinstance(bound, Slot) else bound
        bounds.append("" if x is None else str(x) if isinstance(x, int) else p.cast(x, np.dtype("int64")))
    if isinstance(part.step, Slot) and not isinstance(indices[part.step.number], Const):
        p.guard(f"{bounds[2]} == 0", node)
    return ":".join(bounds if bounds[2] else bounds[:2])


def position(p: Program, node: Node, index: Any, dim: str) -> str:
    """The text of a checked position counted from the front."""
    text = p.cast(index, np.dtype("int64"))
    if isinstance(index, Const):
        return _constant_position(p, node, int(index.value), dim)
    if p.ranges.get(text, (-1, 0))[0] < 0:
        name = p.new("at")
        p.emit(f"{name} = {text} + {dim} if {text} < 0 else {text}")
        p.guard_index(f"{name} < 0 or {name} >= {dim}", node)
        return name
    if not is_below(p, text, dim):
        p.guard_index(f"{text} >= {dim}", node)
    return text


def _constant_position(p: Program, node: Node, index: int, dim: str) -> str:
    if dim.isdigit():
        return str(index % int(dim)) if -int(dim) <= index < int(dim) else _out_of_bounds(p, node)
    p.guard_index(f"{dim} <= {index}" if index >= 0 else f"{dim} < {-index}", node)
    return str(index) if index >= 0 else f"{dim} - {-index}"


def _out_of_bounds(p: Program, node: Node) -> str:
    p.guard("True", node)
    return "0"


# -- writing --------------------------------------------------------------------------------------------------------
def lower_setitem(p: Program, node: Node) -> bool:
    """Write ``x[key] = value`` for numbers and slices, in place where the plan says so."""
    x, value, *indices = node.operands
    key, out = key_of(node, indices), node.outputs[0]
    if key is None or not x.spec.shape or not is_storable(value, x.spec.dtype):  # type: ignore[union-attr]
        return False
    if key.is_point and value.spec.shape:  # type: ignore[union-attr]
        return False
    texts = _key_texts(p, node, key, indices)
    check_number(p, node, value, x.spec.dtype)  # type: ignore[union-attr]
    dims = p.dims(x)  # type: ignore[arg-type]
    target = target_of(p, node)
    places = _places(key, texts, x.spec.shape)  # type: ignore[union-attr]
    if key.is_point:
        p.emit(f"{target}[{', '.join(texts)}] = {p.cast(value, x.spec.dtype)}")  # type: ignore[union-attr]
    elif places is None:
        part = p.new("part")
        p.emit(f"{part} = {target}[{', '.join(texts) or '()'}]")
        sizes = [f"{part}.shape[{k}]" for k in range(sum(isinstance(part, Slice) or part is None for part, _ in key.parts))]
        _fill(p, node, sizes, lambda index: f"{part}[{', '.join(index)}]", value)
    else:
        sizes = [dim if place[2] is None else str(place[2]) for place, dim in zip(places, dims, strict=True) if not isinstance(place, str)]
        window = Window(target, tuple(place if isinstance(place, str) else place[:2] for place in places), "")
        _fill(p, node, sizes, window.item, value)
    p.names[out] = target
    return True


def target_of(p: Program, node: Node) -> str:
    """The variable of the array that is written: the operand's own, or that of a copy."""
    x, out = node.operands[0], node.outputs[0]
    if node not in p.plan.in_place:
        return p.assign(out, f"copied({p.text(x)})", "changed")
    if x in p.views:
        p.views.add(out)
    return p.text(x)


def is_storable(value: Any, dtype: np.dtype) -> bool:
    """Whether native code casts a value to a dtype as NumPy does."""
    if np.float16 in (value.spec.dtype, dtype):
        return False
    if isinstance(value, Const) and value.spec.weak and dtype.kind in "iu" and value.spec.dtype.kind == "i":
        return bool(np.iinfo(dtype).min <= value.value <= np.iinfo(dtype).max)
    return not (value.spec.weak and value.spec.dtype.kind == "f" and dtype.kind in "iu")


def check_number(p: Program, node: Node, value: Any, dtype: np.dtype) -> None:
    """A Python integer must fit the array's dtype."""
    is_variable = value.spec.weak and value.spec.dtype.kind == "i" and not isinstance(value, Const)
    if is_variable and dtype.kind in "iu" and dtype != np.int64:
        info = np.iinfo(dtype)
        upper = "" if dtype == np.uint64 else f" <= {info.max}"
        p.guard(f"not ({info.min} <= {p.text(value)}{upper})", node)


def _fill(p: Program, node: Node, sizes: Sequence[str], place: Callable[[Sequence[str]], str], value: Any) -> None:
    """Loops over a selection of these sizes that give each element its value."""
    dtype = node.operands[0].spec.dtype  # type: ignore[union-attr]
    extra = max(value.spec.ndim - len(sizes), 0)
    shape, own_sizes = value.spec.shape[extra:], p.dims(value)
    offset = len(sizes) - len(shape)
    conditions, steps = [], []
    for k, (size, text) in enumerate(zip(shape, own_sizes[extra:], strict=True)):
        steps.append(None if size == 1 else text)
        if size != 1 and text != sizes[offset + k]:
            conditions.append(f"{text} != {sizes[offset + k]}" + ("" if isinstance(size, int) else f" and {text} != 1"))
    conditions += [f"{text} != 1" for size, text in zip(value.spec.shape[:extra], own_sizes, strict=False) if size != 1]
    if conditions:
        p.guard(" or ".join(f"({c})" if " and " in c else c for c in conditions), node)
    given = p.text(value) if value.spec.shape and value not in p.windows else ""
    with nest(p, sizes) as index:
        own = []
        for i, (size, step) in zip(index[offset:], zip(shape, steps, strict=True), strict=True):
            is_same = step is not None and (isinstance(size, int) or step == sizes[index.index(i)])
            own.append("0" if step is None else i if is_same else f"(0 if {step} == 1 else {i})")
        at = ["0"] * extra + own
        item = p.text(value) if not value.spec.shape else f"{given}[{', '.join(at)}]" if given else p.item(value, at)
        p.emit(f"{place(index)} = {cast(item, value.spec.dtype, dtype)}")


@contextmanager
def nest(p: Program, dims: Sequence[str]) -> Iterator[list[str]]:
    """Loops over the positions of a shape; gives the texts of the index."""
    index = [p.new("i") for _ in dims]
    blocks = [p.block(f"for {i} in range({dim}):") for i, dim in zip(index, dims, strict=True)]
    for block in blocks:
        block.__enter__()
    yield index
    for block in reversed(blocks):
        block.__exit__(None, None, None)
