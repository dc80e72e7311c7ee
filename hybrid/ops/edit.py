"""Elements repeated, shifted, put in between and taken away."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike, unknown
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.operators import Operators
from hybrid.core.pattern import Slice
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.core.table import CHECKS, OPS
from hybrid.ops._cores import sizes_differ
from hybrid.ops._infer import axes_of, axis_of, scalar_ints
from hybrid.ops._samples import given, sample
from hybrid.ops._shapes import LARGE, check_room, shape_text
from hybrid.ops.create import arange
from hybrid.ops.index import sliced
from hybrid.ops.join import concat

__all__ = ["delete", "insert", "repeat", "roll", "tile", "trim_zeros"]

FEW = 64
"""Up to so many numbers, positions that are known are part of the operation."""


def _flattened(x: Spec, axis: int | None) -> tuple[Spec, int]:
    """The array that is worked on, and the axis: without an axis, the array is flattened."""
    return (x.with_shape((x.size,)), 0) if axis is None else (x, axis_of(axis, x.ndim))


def _resized(x: Spec, axis: int, size: DimLike) -> Spec:
    return x.with_shape((*x.shape[:axis], size, *x.shape[axis + 1 :]))


# -- repeated -------------------------------------------------------------------------------------------------------
def _tiled(x: Spec, *, repetitions: Any) -> Spec:
    counts = scalar_ints(repetitions)
    if any(isinstance(count, int) and count < 0 for count in counts):
        raise ValueError("negative dimensions are not allowed")
    ndim = max(x.ndim, len(counts))
    sizes = (1,) * (ndim - x.ndim) + x.shape
    return x.with_shape(n * c for n, c in zip(sizes, (1,) * (ndim - len(counts)) + counts, strict=True))


@op(
    infer=_tiled,
    dtypes=DTYPES,
    samples=[
        sample((2, 3), repetitions=(2, 2)),
        sample((3,), repetitions=2),
        sample((3,), repetitions=(2, 1, 2)),
        sample((2, 1, 3), repetitions=(2,)),
        sample((), repetitions=()),
        sample((0, 2), repetitions=(0, 3)),
    ],
    onnx="Tile",
)
def tile(x, /, repetitions: int | tuple[int, ...]):
    """The array repeated as a whole along its axes.

    Args:
        x: any shape and dtype.
        repetitions: how many times along each axis, counted from the last; axes are added in front where needed.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: for negative numbers and sizes beyond what can be addressed.

    >>> hybrid.tile(hybrid.asarray([1, 2]), (2, 2))
    Tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]], dtype=int64)
    """
    check_room((np.size(x), *np.atleast_1d(repetitions).tolist()), np.result_type(x))
    return np.tile(x, repetitions)


@tile.from_numpy(np.tile)
def _(A: Any, reps: Any) -> Any:
    return tile(A, tuple(reps.tolist()) if isinstance(reps, np.ndarray) and reps.ndim else reps)


def _axis_or_all(x: Spec, axis: int | None) -> int | None:
    """An axis; none for the first or last of an array without axes, as NumPy says."""
    return None if x.ndim == 0 and axis in (0, -1) else axis


def _repeated(x: Spec, *, repeats: Any, axis: int | None = None) -> Spec:
    x, place = _flattened(x, _axis_or_all(x, axis))
    size = x.shape[place]
    if isinstance(repeats, Dim):
        return _resized(x, place, size * repeats)
    counts = np.asarray(repeats, dtype=np.int64)
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    if counts.size != 1 and sizes_differ(counts.size, size):
        raise ValueError(f"operands could not be broadcast together with shape ({size},) ({counts.size},)")
    if counts.size and counts.min() < 0:
        raise ValueError("negative dimensions are not allowed" if counts.size == 1 else "repeats may not contain negative values.")
    return _resized(x, place, size * int(counts.item()) if counts.size == 1 else int(counts.sum()))


@op(
    name="repeat",
    infer=_repeated,
    dtypes=DTYPES,
    samples=[
        sample((2, 3), repeats=2),
        sample((2, 3), repeats=3, axis=-1),
        sample((2, 3), repeats=(0, 2, 1), axis=1),
        sample((3,), repeats=(2,)),
        sample((), repeats=3),
        sample((), repeats=2, axis=-1),
        sample((0, 2), repeats=2, axis=0),
    ],
)
def _repeat(x, /, *, repeats: int | tuple[int, ...], axis: int | None = None):
    """Each element several times, by numbers that are known.

    Args:
        x: any shape and dtype.
        repeats: how many times: one number for all, or one for each element along the axis.
        axis: the axis to repeat along; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: for negative numbers, and as many numbers as don't fit the axis.
        TypeError: for numbers that are no integers.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.repeat(hybrid.asarray([1, 2]), 2)
    Tensor([1, 1, 2, 2], dtype=int64)
    """
    check_repeats(x, repeats, axis)
    return np.repeat(x, repeats, axis)


def check_repeats(a: Any, repeats: Any, axis: int | None = None) -> None:
    """``MemoryError`` or ``ValueError`` for what can't be allocated: NumPy counts elements modulo 2**64, and writes beyond what it has."""
    counts = np.asarray(repeats)
    if counts.dtype.kind not in "iu" or not counts.size or int(counts.max()) * np.size(a) < LARGE:
        return
    total = sum(map(int, counts.flat)) * np.size(a)
    check_room((total if counts.size == 1 else total // counts.size,), np.result_type(a))


CHECKS[np.repeat] = check_repeats


def _repeated_each(x: Spec, repeats: Spec, /, *, axis: int | None = None) -> Spec:
    x, place = _flattened(x, _axis_or_all(x, axis))
    if repeats.ndim > 1:
        raise ValueError("object too deep for desired array")
    if not repeats.weak and not np.can_cast(repeats.dtype, np.int64):
        kind = "array data" if repeats.shape else "scalar"
        raise TypeError(f"Cannot cast {kind} from {repeats.dtype!r} to dtype('int64') according to the rule 'safe'")
    if repeats.ndim and repeats.shape != (1,) and sizes_differ(repeats.shape[0], x.shape[place]):
        raise ValueError(f"operands could not be broadcast together with shape ({x.shape[place]},) {shape_text(repeats.shape)}")
    return _resized(x, place, unknown("repeated"))


@op(
    infer=_repeated_each,
    dtypes=DTYPES,
    samples=[
        sample((2, 3), given(2)),
        sample((2, 3), given([0, 2, 1]), axis=1),
        sample((3,), given([2])),
        sample((3,), given([True, False, True])),
        sample((0,), given([1])),
    ],
)
def repeat_each(x, repeats, /, *, axis: int | None = None):
    """Each element several times, by numbers that only running tells.

    Args:
        x: any shape and dtype.
        repeats: how many times, integers: one number for all, or one for each element along the axis.
        axis: the axis to repeat along; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: for negative numbers, and as many numbers as don't fit the axis.
        TypeError: for numbers that are no integers.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.repeat(hybrid.asarray([1, 2]), hybrid.asarray([2, 1]))
    Tensor([1, 1, 2], dtype=int64)
    """
    check_repeats(x, repeats, axis)
    return np.repeat(x, repeats, axis)


@stands_for(np.repeat)
@explained
def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    """Each element several times.

    Args:
        x: any shape and dtype.
        repeats: how many times: one number for all, or one for each element along the axis.
        axis: the axis to repeat along; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: for negative numbers, and as many numbers as don't fit the axis.
        TypeError: for numbers that are no integers.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.repeat(hybrid.asarray([1, 2]), 2), hybrid.repeat(hybrid.asarray([1, 2]), [2, 1])
    (Tensor([1, 1, 2, 2], dtype=int64), Tensor([1, 1, 2], dtype=int64))
    """
    if isinstance(repeats, Operators | np.ndarray) or _holds_operators(repeats):
        return repeat_each(x, asarray(repeats), axis=axis)
    return _repeat(x, repeats=repeats, axis=axis)


def _holds_operators(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(item, Operators) for item in value)


# -- shifted --------------------------------------------------------------------------------------------------------
def _rolled(x: Spec, shift: Spec, *, axis: Any = None) -> Spec:
    if axis is not None:
        axes = axis if isinstance(axis, tuple | list) else (axis,)
        for a in axes:
            axis_of(a, x.ndim)
        if shift.ndim > 1:
            raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
        if shift.ndim and len(axes) != 1 and shift.shape != (1,) and sizes_differ(shift.shape[0], len(axes)):
            raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.")
    return Spec(x.dtype, x.shape)


@op(
    infer=_rolled,
    tensors=("shift",),
    numpy=[np.roll],
    dtypes=DTYPES,
    samples=[
        sample((3, 4), given(1)),
        sample((3, 4), given(-5), axis=1),
        sample((3, 4), given([1, -1]), axis=(0, -1)),
        sample((3, 4), given(1), axis=(0, 1)),
        sample((5,), given([1, 2]), axis=0),
        sample((), given(1)),
        sample((0, 2), given(1), axis=0),
    ],
)
def roll(x, /, shift, *, axis: int | tuple[int, ...] | None = None):
    """The elements moved along axes; those that leave at one end enter at the other.

    Args:
        x: any shape and dtype.
        shift: how far, towards larger positions if positive: one number, or one for each axis.
        axis: the axes; ``None`` moves elements in the flattened array.

    Returns:
        An array of the shape and dtype of ``x``.

    Raises:
        AxisError: for an axis that doesn't exist.
        ValueError: for as many shifts as don't fit the axes.

    >>> hybrid.roll(hybrid.asarray([1, 2, 3]), 1)
    Tensor([3, 1, 2], dtype=int64)
    """
    return np.roll(x, shift, axis)


# -- put in between, taken away -------------------------------------------------------------------------------------
def _inserted(x: Spec, obj: Spec, values: Spec, /, *, axis: int | None = None) -> Spec:
    x, place = _flattened(x, axis)
    if obj.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    sizes = (1,) * (x.ndim - values.ndim) + values.shape
    if obj.dtype.kind == "b":
        added: DimLike = unknown("inserted")
    elif obj.ndim == 0 or obj.shape == (1,):
        added = sizes[0 if obj.ndim == 0 else place]
    else:
        added = obj.shape[0]
    return _resized(x, place, x.shape[place] + added)


@op(
    name="insert",
    infer=_inserted,
    dtypes=DTYPES,
    samples=[
        sample((4,), given(1), given(1)),
        sample((3, 2), given(-1), (2,), axis=0),
        sample((3, 2), given([0, 2]), (2, 2), axis=0),
        sample((3, 2), given([1]), (3, 4), axis=1),
        sample((2, 2), given(3), (3,)),
        sample((3,), given([], np.int64), given([], np.float64)),
    ],
)
def _insert(x, obj, values, /, *, axis: int | None = None):
    """An array with values put in before positions.

    Args:
        x: any shape and dtype.
        obj: the positions, integers, or a mask of them.
        values: what to put in; cast to the dtype of ``x``.
        axis: the axis along which; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        IndexError: for a position that doesn't exist.
        ValueError: for values that don't fit.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.insert(hybrid.asarray([1, 2, 3]), 1, 9)
    Tensor([1, 9, 2, 3], dtype=int64)
    """
    return np.insert(x, obj, values, axis)


@stands_for(np.insert)
@explained
def insert(x: Any, obj: Any, values: Any, /, *, axis: int | None = None) -> Any:
    """An array with values put in before positions.

    Args:
        x: any shape and dtype.
        obj: the positions: a number, several, a slice or a mask.
        values: what to put in; cast to the dtype of ``x``.
        axis: the axis along which; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        IndexError: for a position that doesn't exist.
        ValueError: for values that don't fit.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.insert(hybrid.asarray([1, 2, 3]), [0, 2], [8, 9])
    Tensor([8, 1, 2, 9, 3], dtype=int64)
    """
    x = asarray(x)
    if isinstance(obj, slice):
        size = x.size if axis is None else x.shape[axis_of(axis, x.ndim)]
        obj = np.arange(*obj.indices(size))
    elif isinstance(obj, list | tuple) and not _holds_operators(obj):
        obj = np.array(obj, dtype=None if len(obj) else np.intp)
    return _insert(x, obj, values, axis=axis)


def _positions_left(size: DimLike, obj: Any, place: int) -> DimLike:
    """How many positions along an axis are left after taking away others, that are known."""
    if isinstance(obj, tuple) and len(obj) == 1 and isinstance(obj[0], Slice):
        return size - sliced(size, *obj[0].bounds)  # type: ignore[arg-type]
    positions = np.asarray(obj, dtype=np.intp if np.size(obj) == 0 else None)
    if positions.dtype.kind == "b":
        if positions.ndim != 1 or sizes_differ(positions.size, size):
            raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {size}")
        return size - int(positions.sum())
    if positions.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if isinstance(size, Dim):
        return size - len(set(positions.flat)) if positions.size < 2 or positions.min() >= 0 else unknown("left")
    outside = next((p for p in positions.flat if not -size <= p < size), None)
    if outside is not None:
        raise IndexError(f"index {outside} is out of bounds for axis {place} with size {size}")
    return size - len(set((positions % size).flat)) if positions.size else size


def _deleted(x: Spec, *, obj: Any, axis: int | None = None) -> Spec:
    x, place = _flattened(x, axis)
    return _resized(x, place, _positions_left(x.shape[place], obj, place))


def _decoded(obj: Any) -> Any:
    """Positions as NumPy takes them."""
    if isinstance(obj, tuple) and len(obj) == 1 and isinstance(obj[0], Slice):
        return slice(*obj[0].bounds)
    return np.array(obj, dtype=None if len(obj) else np.intp) if isinstance(obj, tuple | list) else obj


@op(
    name="delete",
    infer=_deleted,
    dtypes=DTYPES,
    samples=[
        sample((4,), obj=1),
        sample((3, 2), obj=-1, axis=0),
        sample((2, 5), obj=(0, 3, 0), axis=1),
        sample((2, 5), obj=(Slice(None, None, 2),), axis=-1),
        sample((2, 2), obj=(True, False, True, True)),
        sample((3,), obj=()),
    ],
)
def _delete(x, /, *, obj: Any, axis: int | None = None):
    """An array without some positions, that are known.

    Args:
        x: any shape and dtype.
        obj: the positions: a number, several, a mask, or one ``Slice``.
        axis: the axis along which; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        IndexError: for a position that doesn't exist.
        ValueError: for a mask that doesn't fit.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.delete(hybrid.asarray([1, 2, 3]), 1)
    Tensor([1, 3], dtype=int64)
    """
    return np.delete(x, _decoded(obj), axis)


def _deleted_at(x: Spec, obj: Spec, /, *, axis: int | None = None) -> Spec:
    x, place = _flattened(x, axis)
    size = x.shape[place]
    if obj.dtype.kind not in "biu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if obj.dtype.kind == "b" and (obj.ndim != 1 or sizes_differ(obj.shape[0], size)):
        raise ValueError(f"boolean array argument obj to delete must be one dimensional and match the axis length of {size}")
    is_one = obj.dtype.kind != "b" and all(n == 1 for n in obj.shape)
    return _resized(x, place, size - 1 if is_one else unknown("left"))


@op(
    infer=_deleted_at,
    dtypes=DTYPES,
    samples=[
        sample((4,), given(1)),
        sample((3, 2), given([-1]), axis=0),
        sample((2, 5), given([0, 3, 0]), axis=1),
        sample((2, 2), given([True, False, True, True])),
    ],
)
def delete_at(x, obj, /, *, axis: int | None = None):
    """An array without some positions, that only running tells.

    Args:
        x: any shape and dtype.
        obj: the positions, integers, or a mask of them.
        axis: the axis along which; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        IndexError: for a position that doesn't exist.
        ValueError: for a mask that doesn't fit.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.delete(hybrid.asarray([1, 2, 3]), hybrid.asarray([0, 2]))
    Tensor([2], dtype=int64)
    """
    return np.delete(x, obj, axis)


@stands_for(np.delete)
@explained
def delete(x: Any, obj: Any, /, *, axis: int | None = None) -> Any:
    """An array without some positions.

    Args:
        x: any shape and dtype.
        obj: the positions: a number, several, a slice or a mask.
        axis: the axis along which; ``None`` flattens ``x`` first.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        IndexError: for a position that doesn't exist.
        ValueError: for a mask that doesn't fit.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.delete(hybrid.asarray([1, 2, 3]), 1), hybrid.delete(hybrid.asarray([1, 2, 3]), slice(0, 2))
    (Tensor([1, 3], dtype=int64), Tensor([3], dtype=int64))
    """
    if isinstance(obj, slice):
        return _delete(x, obj=(Slice(obj.start, obj.stop, obj.step),), axis=axis)
    if isinstance(obj, Operators) or _holds_operators(obj) or np.size(obj) > FEW:
        return delete_at(x, asarray(obj), axis=axis)
    return _delete(x, obj=obj, axis=axis)


@stands_for(np.trim_zeros)
@explained
def trim_zeros(x: Any, /, *, trim: str = "fb", axis: int | tuple[int, ...] | None = None) -> Any:
    """A view without the zeros at the ends of axes; ``x`` itself without axes.

    Args:
        x: any shape and dtype.
        trim: whether to trim at the front (``"f"``), at the back (``"b"``) or both.
        axis: the axes to trim; all if not given.

    Returns:
        A view of the dtype of ``x``; its sizes depend on the values.

    Raises:
        ValueError: for another ``trim``.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.trim_zeros(hybrid.asarray([0, 1, 0, 2, 0]))
    Tensor([1, 0, 2], dtype=int64)
    """
    x, where = asarray(x), trim.lower()
    if where not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {where!r}")
    axes = axes_of(axis, x.ndim)
    if not axes:
        return x
    bounds = [_bounds(x, i) if i in axes else (None, None) for i in range(x.ndim)]
    return x[tuple(slice(start if "f" in where else None, stop if "b" in where else None) for start, stop in bounds)]


def _bounds(x: Any, axis: int) -> tuple[Any, Any]:
    """The first position along an axis where there is anything but zeros, and the one after the last: the size and 0 for only zeros."""
    there = OPS["any"](x != 0, axis=tuple(i for i in range(x.ndim) if i != axis))
    start = OPS["argmax"](concat([there, np.ones(1, bool)]))
    stop = OPS["max"](concat([there * (arange(x.shape[axis]) + 1), np.zeros(1, np.int64)]))
    return start, stop
