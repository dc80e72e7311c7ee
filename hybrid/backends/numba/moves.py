"""Elements moved, repeated and cut: each element of the result is one of the operand, or a margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.masks import flattened
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.program import Program, cast
from hybrid.backends.numba.views import diagonal_view, piece_view
from hybrid.core.dim import Dim
from hybrid.ir.graph import Const, Node
from hybrid.ops._infer import axis_of
from hybrid.ops.pad import width_pairs

__all__ = ["MOVES", "PIECES"]

INT64: Final = np.dtype("int64")


# -- shifted and repeated -------------------------------------------------------------------------------------------
def _item(p: Program, x: Any, index: Sequence[str]) -> str:
    return f"{p.text(x)}[{', '.join(index)}]" if index else p.text(x)


def _roll(p: Program, node: Node) -> bool:
    """Each axis is shifted; without an axis, all elements in a row."""
    x, shift = node.operands
    out, axis = node.outputs[0], node.attributes["axis"]
    if not x.spec.shape:  # type: ignore[union-attr]
        p.names[out] = p.text(x)
        return True
    if any(isinstance(size, Dim) for size in shift.spec.shape):  # type: ignore[union-attr]
        return False
    dims = p.dims(x)  # type: ignore[arg-type]
    array, into = p.text(x), p.assign(out, p.allocation(out.spec, dims), "rolled")
    if axis is None:
        array, target, into = flattened(p, x), into, p.new("flat")
        p.emit(f"{into} = flat_view({target})")
        axis, dims = 0, [f"{array}.size"]
    starts = {k: _start(p, texts, dims[k]) for k, texts in _shifts(p, shift, axis, len(dims)).items()}
    with ExitStack() as stack:
        index, places = [], []
        for k, dim in enumerate(dims):
            index += stack.enter_context(nest(p, [dim]))
            places.append(_shifted(p, index[k], starts[k], dim) if k in starts else index[k])
        p.emit(f"{into}[{', '.join(index)}] = {array}[{', '.join(places)}]")
    return True


def _shifts(p: Program, shift: Any, axis: Any, ndim: int) -> dict[int, list[str]]:
    """For each axis the texts of its shifts."""
    axes = [axis_of(a, ndim) for a in (axis if isinstance(axis, tuple | list) else (axis,))]
    count = shift.spec.shape[0] if shift.spec.shape else 1
    found: dict[int, list[str]] = {}
    for j in range(max(len(axes), count) if axes else 0):
        item = f"{p.text(shift)}[{j if count > 1 else 0}]" if shift.spec.shape else p.text(shift)
        found.setdefault(axes[j % len(axes)], []).append(cast(item, shift.spec.dtype, INT64))
    return found


def _start(p: Program, shifts: Sequence[str], dim: str) -> str:
    """A variable with the position that comes first after shifting."""
    start = p.new("start")
    p.emit(f"{start} = (-({' + '.join(shifts)})) % max({dim}, 1)")
    return start


def _shifted(p: Program, i: str, start: str, dim: str) -> str:
    at = p.new("at")
    p.emit(f"{at} = {i} + {start}")
    with p.block(f"if {at} >= {dim}:"):
        p.emit(f"{at} -= {dim}")
    return at


def _tile(p: Program, node: Node) -> bool:
    """The array as a whole, several times along each axis."""
    x, out = node.operands[0], node.outputs[0]
    if not out.spec.shape:
        p.names[out] = p.text(x)
        return True
    counts = node.attributes["repetitions"]
    counts = tuple(counts) if isinstance(counts, tuple | list) else (counts,)
    counts = (1,) * (out.spec.ndim - len(counts)) + counts
    dims = ["1"] * (out.spec.ndim - x.spec.ndim) + p.dims(x)  # type: ignore[union-attr, arg-type]
    sizes = [d if c == 1 else f"{d} * {p.dim(c)}" for d, c in zip(dims, counts, strict=True)]
    target = p.assign(out, p.allocation(out.spec, sizes), "tiled")
    with nest(p, [p.dim(c) for c in counts if c != 1]) as turn, nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
        turns, own = iter(turn), ["0"] * (out.spec.ndim - len(index)) + index
        place = [i if c == 1 else f"{next(turns)} * {d} + {i}" for i, d, c in zip(own, dims, counts, strict=True)]
        p.emit(f"{target}[{', '.join(place)}] = {_item(p, x, index)}")
    return True


def _repeat(p: Program, node: Node) -> bool:
    """Each element several times, by numbers that are known."""
    x, repeats, axis = node.operands[0], node.attributes["repeats"], node.attributes["axis"]
    if not isinstance(repeats, Dim) and np.size(repeats) != 1:
        return _repeat_by(p, node, Const(np.asarray(repeats, np.int64)))
    count = p.dim(repeats if isinstance(repeats, Dim) else int(np.asarray(repeats).item()))
    if not x.spec.shape:  # type: ignore[union-attr]
        target = p.assign(node.outputs[0], p.allocation(node.outputs[0].spec, [count]), "repeated")
        p.emit(f"fill({target}, {p.text(x)})")
        return True
    array, dims, axis = _rows(p, x, axis)
    target = p.assign(
        node.outputs[0], p.allocation(node.outputs[0].spec, [*dims[:axis], f"{dims[axis]} * {count}", *dims[axis + 1 :]]), "repeated"
    )
    with nest(p, [*dims[: axis + 1], count, *dims[axis + 1 :]]) as index:
        i, turn = index[axis], index[axis + 1]
        place = [*index[:axis], f"{i} * {count} + {turn}", *index[axis + 2 :]]
        p.emit(f"{target}[{', '.join(place)}] = {array}[{', '.join([*index[: axis + 1], *index[axis + 2 :]])}]")
    return True


def _rows(p: Program, x: Any, axis: int | None) -> tuple[str, list[str], int]:
    """The array that is worked on, its sizes, and the axis: without one, all elements are in a row."""
    if axis is None:
        flat = flattened(p, x)
        return flat, [f"{flat}.size"], 0
    return p.text(x), p.dims(x), axis % x.spec.ndim


def _repeat_each(p: Program, node: Node) -> bool:
    """Each element several times, by numbers that only running tells."""
    return _repeat_by(p, node, node.operands[1])


def _repeat_by(p: Program, node: Node, repeats: Any) -> bool:
    x, out = node.operands[0], node.outputs[0]
    if not x.spec.shape or repeats.spec.dtype.kind not in "biu":  # type: ignore[union-attr]
        return False
    array, dims, axis = _rows(p, x, node.attributes["axis"])
    if repeats.spec.shape not in ((), (1,)) and (size := p.dims(repeats)[0]) != dims[axis]:
        p.guard(f"{size} != {dims[axis]} and {size} != 1", node)
    count, at, i = p.new("count"), p.new("at"), p.new("i")
    p.emit(f"{count} = 0")
    with p.block(f"for {i} in range({dims[axis]}):"):
        p.guard(f"{_number_at(p, repeats, i)} < 0", node)
        p.emit(f"{count} += {_number_at(p, repeats, i)}")
    target = p.assign(out, p.allocation(out.spec, [*dims[:axis], count, *dims[axis + 1 :]]), "repeated")
    p.emit(f"{at} = 0")
    with p.block(f"for {i} in range({dims[axis]}):"):
        with p.block(f"for _ in range({_number_at(p, repeats, i)}):"):
            with nest(p, [*dims[:axis], *dims[axis + 1 :]]) as index:
                place, item = ([*index[:axis], k, *index[axis:]] for k in (at, i))
                p.emit(f"{target}[{', '.join(place)}] = {array}[{', '.join(item)}]")
            p.emit(f"{at} += 1")
    return True


def _number_at(p: Program, repeats: Any, i: str) -> str:
    """The text of how many times an element comes."""
    if not repeats.spec.shape:
        return p.cast(repeats, INT64)
    size = p.dims(repeats)[0]
    place = "0" if size == "1" else i if size.isdigit() else f"(0 if {size} == 1 else {i})"
    return cast(f"{p.text(repeats)}[{place}]", repeats.spec.dtype, INT64)


# -- cut ------------------------------------------------------------------------------------------------------------
def _split(p: Program, node: Node) -> bool:
    """Pieces along an axis."""
    x, sections = node.operands[0], node.attributes["indices_or_sections"]
    axis = node.attributes["axis"] % x.spec.ndim  # type: ignore[union-attr]
    size = p.dims(x)[axis]  # type: ignore[arg-type]
    is_count = not isinstance(sections, Sequence | np.ndarray) or np.ndim(sections) == 0
    if is_count and isinstance(sections, Dim):
        return False
    if is_count and node.op.name == "split" and not size.isdigit():
        p.guard(f"{size} % {int(sections)} != 0", node)
    cut = p.use(f"piece_along_{axis}", piece_view(axis))
    for value, (start, stop) in zip(node.outputs, _cuts(p, size, int(sections) if is_count else [int(k) for k in sections]), strict=True):
        text = f"{cut}({p.text(x)}, {start}, {stop})"
        p.assign(value, text if node in p.plan.views else f"copied({text})", "piece")
        if node in p.plan.views:
            p.views.add(value)
    return True


def _cuts(p: Program, size: str, sections: int | list[int]) -> list[tuple[str, str]]:
    """The texts of where pieces begin and end."""
    points = []
    for k in range(1, sections) if isinstance(sections, int) else sections:
        name = p.new("cut")
        if isinstance(sections, int):
            p.emit(f"{name} = {k} * ({size} // {sections}) + min({k}, {size} % {sections})")
        else:
            p.emit(f"{name} = min({k}, {size})" if k >= 0 else f"{name} = max({size} - {-k}, 0)")
        points.append(name)
    pairs = list(pairwise(["0", *points, size]))
    return pairs if isinstance(sections, int) else [(a, b if a == "0" else f"max({a}, {b})") for a, b in pairs]


def _diagonal(p: Program, node: Node) -> bool:
    """A diagonal of each matrix."""
    x, out, attrs = node.operands[0], node.outputs[0], node.attributes
    axes = [axis_of(attrs[name], x.spec.ndim) for name in ("axis1", "axis2")]  # type: ignore[union-attr]
    offset = attrs["offset"]
    if isinstance(offset, Dim):
        return False
    rows, columns = (p.dims(x)[a] for a in axes)  # type: ignore[arg-type]
    size = f"max(min({rows} + {min(offset, 0)}, {columns} - {max(offset, 0)}), 0)"
    view = p.use(f"diagonal_view_{axes[0]}_{axes[1]}_{offset}".replace("-", "m"), diagonal_view(*axes, offset))
    text = f"{view}({p.text(x)}, {size})"
    p.assign(out, text if node in p.plan.views else f"copied({text})", "diagonal")
    if node in p.plan.views:
        p.views.add(out)
    return True


def _diagflat(p: Program, node: Node) -> bool:
    """A matrix of zeros but for a diagonal."""
    x, out, k = node.operands[0], node.outputs[0], node.attributes["k"]
    if isinstance(k, Dim):
        return False
    count = f"{p.text(x)}.size" if x.spec.shape else "1"  # type: ignore[union-attr]
    side, at = f"{count} + {abs(k)}", p.new("at")
    target = p.assign(out, p.allocation(out.spec, [side, side]), "diagonal")
    p.emit(f"clear({target})")
    p.emit(f"{at} = 0")
    with nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
        p.emit(f"{target}[{at} + {max(-k, 0)}, {at} + {max(k, 0)}] = {_item(p, x, index)}")
        p.emit(f"{at} += 1")
    return True


def _triangle(keep: str) -> Callable[[Program, Node], bool]:
    """A triangle of each matrix; zeros elsewhere. A row stands for a square matrix of equal rows."""

    def lower(p: Program, node: Node) -> bool:
        x, out, k = node.operands[0], node.outputs[0], node.attributes["k"]
        dims = p.dims(x)  # type: ignore[arg-type]
        dims = dims if len(dims) > 1 else dims * 2
        target = p.assign(out, p.allocation(out.spec, dims), node.op.name)
        p.emit(f"clear({target})")
        with nest(p, dims) as index, p.block(f"if {index[-1]} {keep} {index[-2]} + {p.dim(k)}:"):
            p.emit(f"{target}[{', '.join(index)}] = {_item(p, x, index[len(dims) - x.spec.ndim :])}")  # type: ignore[union-attr]
        return True

    return lower


# -- margins --------------------------------------------------------------------------------------------------------
SOURCES: Final = {
    "edge": "min(max({at}, 0), {n} - 1)",
    "wrap": "{at} % {n}",
    "symmetric": "min({at} % (2 * {n}), 2 * {n} - 1 - {at} % (2 * {n}))",
    "reflect": "min({at} % max(2 * {n} - 2, 1), 2 * {n} - 2 - {at} % max(2 * {n} - 2, 1))",
}
"""Where the elements of a margin come from, by mode: ``at`` counts from the first element of the axis, ``n`` is its size."""


def _pad(p: Program, node: Node) -> bool:
    """An array with a margin."""
    x, value, _ = node.operands
    out, attrs = node.outputs[0], node.attributes
    mode = attrs["mode"]
    if not x.spec.shape:  # type: ignore[union-attr]
        p.names[out] = p.text(x)
        return True
    if attrs["reflect_type"] == "odd" or (mode not in SOURCES and mode not in ("constant", "empty")):
        return False
    if value is not None and (value.spec.shape or not _is_cast(value, out.spec.dtype)):  # type: ignore[union-attr]
        return False
    pairs = [tuple(map(p.dim, pair)) for pair in width_pairs(attrs["pad_width"], x.spec.ndim)]  # type: ignore[union-attr]
    dims = p.dims(x)  # type: ignore[arg-type]
    sizes = [d if pair == ("0", "0") else f"{pair[0]} + {d} + {pair[1]}" for d, pair in zip(dims, pairs, strict=True)]
    if mode in SOURCES:
        _check_sources(p, node, dims, pairs)
    target = p.assign(out, p.allocation(out.spec, sizes), "padded")
    if mode not in SOURCES:
        p.emit(f"clear({target})" if value is None else f"fill({target}, {p.cast(value, out.spec.dtype)})")
        with nest(p, dims) as index:
            place = ", ".join(i if a == "0" else f"{i} + {a}" for i, (a, _) in zip(index, pairs, strict=True))
            p.emit(f"{target}[{place}] = {_item(p, x, index)}")
        return True
    _fill_margins(p, target, x, mode, sizes, pairs)
    return True


def _is_cast(value: Any, dtype: np.dtype) -> bool:
    """Whether native code casts a constant for the margin as NumPy does."""
    return HALF not in (value.spec.dtype, dtype) and (value.spec.dtype.kind in "biu" or dtype.kind in "fc") and dtype.kind >= "c"


def _check_sources(p: Program, node: Node, dims: Sequence[str], pairs: Sequence[tuple[str, ...]]) -> None:
    """Fail for a margin of an axis without elements."""
    bad = [f"{d} == 0" for d, pair in zip(dims, pairs, strict=True) if not d.isdigit() and pair != ("0", "0")]
    if bad:
        p.guard(" or ".join(bad), node)


def _fill_margins(p: Program, target: str, x: Any, mode: str, sizes: Sequence[str], pairs: Sequence[tuple[str, ...]]) -> None:
    with ExitStack() as stack:
        index, places = [], []
        for size, pair, n in zip(sizes, pairs, p.dims(x), strict=True):
            (i,) = stack.enter_context(nest(p, [size]))
            index.append(i)
            if pair == ("0", "0"):
                places.append(i)
                continue
            at = p.new("at")
            p.emit(f"{at} = {i} - {pair[0]}")
            p.emit(f"{at} = {SOURCES[mode].format(at=at, n=n)}")
            places.append(at)
        p.emit(f"{target}[{', '.join(index)}] = {_item(p, x, places)}")


PIECES: Final = {"split", "array_split", "diagonal"}
"""Operations of this file whose results can be views."""

MOVES: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "roll": _roll,
    "tile": _tile,
    "repeat": _repeat,
    "repeat_each": _repeat_each,
    "split": _split,
    "array_split": _split,
    "diagonal": _diagonal,
    "diagflat": _diagflat,
    "tril": _triangle("<="),
    "triu": _triangle(">="),
    "pad": _pad,
}
"""Operations that move elements."""
