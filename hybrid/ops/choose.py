"""Choosing elements: by position, by condition, and from several arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hybrid.core.dim import DimLike, unknown
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.core.table import CHECKS
from hybrid.ops._infer import Shape, array_likes, as_array, axis_of, broadcast, dtype_as_run, promoted
from hybrid.ops._samples import given, sample

__all__ = [
    "argwhere", "choose", "compress", "extract", "flatnonzero", "nonzero", "select", "take", "take_along_axis", "where",
]  # fmt: skip

INDEX: Final = np.dtype(np.intp)
MODES: Final = ("raise", "wrap", "clip")
MOST_WRAPS: Final = 2**30


def check_mode(mode: str) -> None:
    """``ValueError`` for what isn't one of NumPy's ways to treat positions out of bounds."""
    if mode not in MODES:
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")


def within(indices: Any, size: int, mode: str) -> Any:
    """Positions that wrap around as ones that exist: NumPy adds or subtracts the size until they do, which may take forever.

    Refuses what isn't a mode.
    """
    check_mode(mode)
    if mode != "wrap" or not size:
        return indices
    positions = np.asarray(indices)
    if positions.ndim == 0 and positions.dtype.kind == "f":
        return int(positions) % size  # NumPy takes the integer part of a single float
    return np.mod(positions, size) if positions.dtype.kind in "iu" else indices


def check_wraps(indices: Any, size: int, mode: Any) -> None:
    """``ValueError`` for positions that NumPy would wrap around forever."""
    positions = np.asarray(indices)
    if mode == "wrap" and positions.dtype.kind in "iu" and positions.size and size:
        farthest = max(-int(positions.min()), int(positions.max()))
        if farthest // size > MOST_WRAPS:
            raise ValueError(f"wanted positions that wrap around at most {MOST_WRAPS} times, received {farthest} for the size {size}")


def _check_take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> None:
    if mode == "wrap":
        check_wraps(indices, np.size(a) if axis is None else np.shape(a)[axis], mode)


def _check_choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> None:
    if mode == "wrap":
        check_wraps(a, len(choices), mode)


CHECKS.update({np.take: _check_take, np.choose: _check_choose})


def flattened(x: Spec, axis: int | None) -> tuple[Shape, int]:
    """The shape and axis that NumPy works on: all elements in a row for no axis; a number is one element in a row."""
    if axis is None:
        return (x.size,), 0
    shape = x.shape or (1,)
    return shape, axis_of(axis, len(shape))


# -- by position ----------------------------------------------------------------------------------------------------
@array_likes
def _taken(x: Spec, indices: Spec, *, axis: int | None, mode: str) -> Spec:
    check_mode(mode)
    shape, axis = flattened(x, axis)
    dtype = dtype_as_run(np.take, x.with_shape((1,)), indices, mode="wrap")
    if shape[axis] == 0 and all(isinstance(size, int) and size for size in indices.shape):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    return Spec(dtype, (*shape[:axis], *indices.shape, *shape[axis + 1 :]))


@op(
    infer=_taken,
    numpy=[np.take],
    dtypes=DTYPES,
    onnx="Gather",
    samples=[
        sample((5,), given([4, 0, -1])),
        sample((3, 4), given([[2, 0], [1, 1]]), axis=0),
        sample((2, 3, 4), given([1, -3]), axis=-2),
        sample((3, 4), given([11, 0, 5])),
        sample((3, 4), given(2), axis=1),
        sample((3,), given([5, -7]), mode="wrap"),
        sample((3, 2), given([5, -7]), axis=0, mode="clip"),
        sample((0, 3), given([2]), axis=1),
        sample((), given([0, 0]), axis=0),
    ],
)
def take(x, indices, /, *, axis: int | None = None, mode: str = "raise"):
    """The elements, or slices along an axis, at given positions.

    Args:
        x: any shape and dtype.
        indices: integers of any shape.
        axis: the axis that positions count along; without it, they count through all elements in a row.
        mode: what to do with positions out of bounds: ``"raise"``, ``"wrap"`` around, or ``"clip"`` to the ends (negative ones to 0).

    Returns:
        The dtype of ``x``; its shape with the shape of ``indices`` in place of the axis, or the shape of ``indices``.

    Raises:
        IndexError: for positions out of bounds, if ``mode`` is ``"raise"``.
        TypeError: for indices that are no integers.

    >>> hybrid.take(hybrid.asarray([10, 20, 30]), np.array([2, 0]))
    Tensor([30, 10], dtype=int64)
    """
    size = np.size(x) if axis is None or mode != "wrap" else np.shape(x)[axis]
    return np.take(x, within(indices, size, mode), axis=axis, mode=mode)


def along_axis(x: Spec, indices: Spec, axis: int | None) -> Shape:
    """The shape of what ``indices`` select along an axis; ``IndexError`` or ``ValueError`` if they can't."""
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        return indices.shape
    axis = axis_of(axis, x.ndim)
    if indices.ndim != x.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    try:
        others = broadcast(*((*s.shape[:axis], 1, *s.shape[axis + 1 :]) for s in (x, indices)))
    except ValueError as error:
        raise IndexError(f"shape mismatch: indexing arrays could not be broadcast together: {error}") from None
    return (*others[:axis], indices.shape[axis], *others[axis + 1 :])


@array_likes
def _taken_along(x: Spec, indices: Spec, *, axis: int | None) -> Spec:
    return Spec(x.dtype, along_axis(x, indices, axis))


@op(
    infer=_taken_along,
    numpy=[np.take_along_axis],
    dtypes=DTYPES,
    onnx="GatherElements",
    samples=[
        sample((5,), given([4, 0, -1])),
        sample((2, 3), given([[2, 0, 0, 1], [1, 1, -1, 0]])),
        sample((3, 4), given([[0, 2, 1, 0]]), axis=0),
        sample((1, 4), given([[0], [3]]), axis=1),
        sample((2, 3), given([5, 0]), axis=None),
        sample((0, 3), given(np.zeros((0, 2), int)), axis=1),
    ],
)
def take_along_axis(x, indices, /, *, axis: int | None = -1):
    """Elements at positions along an axis, where each row has positions of its own: undoes ``argsort``.

    Args:
        x: any shape and dtype.
        indices: integers, with as many axes as ``x``, broadcasting with it on all but the axis.
        axis: the axis that positions count along; ``None`` for all elements in a row.

    Returns:
        The dtype of ``x``, the shape of ``indices``, broadcast.

    Raises:
        IndexError: for positions out of bounds, for indices that are no integers or don't broadcast.
        ValueError: for another number of axes.

    >>> x = hybrid.asarray([[3, 1, 2], [6, 5, 4]])
    >>> hybrid.take_along_axis(x, hybrid.argsort(x), axis=1)
    Tensor([[1, 2, 3],
            [4, 5, 6]], dtype=int64)
    """
    return np.take_along_axis(np.asarray(x), np.asarray(indices), axis=axis)


# -- by condition ---------------------------------------------------------------------------------------------------
@array_likes
def _compressed(condition: Spec, x: Spec, *, axis: int | None) -> Spec:
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    shape, axis = flattened(x, axis)
    return Spec(x.dtype, (*shape[:axis], _count(condition), *shape[axis + 1 :]))


def _count(condition: Spec) -> DimLike:
    """How many elements of a condition are true."""
    return 0 if 0 in condition.shape else unknown("count")


@op(
    infer=_compressed,
    numpy=[np.compress],
    dtypes=DTYPES,
    onnx="Compress",
    samples=[
        sample(given([True, False, True]), (3, 4), axis=0),
        sample(given([0, 2]), (3, 4), axis=-1),
        sample(given([False, True, True]), (2, 3)),
        sample(given([False]), (4,)),
        sample(given([True]), (), axis=0),
    ],
)
def compress(condition, x, /, *, axis: int | None = None):
    """The slices along an axis for which a condition is true.

    Args:
        condition: one axis; slices beyond its length are left out.
        x: any shape and dtype.
        axis: the axis; without it, the elements of ``x`` in a row.

    Returns:
        The dtype of ``x``, and its shape with the number of true elements in place of the axis.

    Raises:
        ValueError: if the condition doesn't have exactly one axis.
        IndexError: if it is true beyond the end of the axis.

    >>> hybrid.compress(np.array([True, False]), hybrid.asarray([[1, 2], [3, 4]]), axis=0)
    Tensor([[1, 2]], dtype=int64)
    """
    return np.compress(condition, x, axis=axis)


@array_likes
def _extracted(condition: Spec, x: Spec) -> Spec:
    return Spec(x.dtype, (_count(condition),))


@op(
    infer=_extracted,
    numpy=[np.extract],
    dtypes=DTYPES,
    samples=[
        sample(given([[True, False], [True, True]]), (2, 2)),
        sample(given([0, 2, 0]), (2, 3)),
        sample(given(True), ()),
        sample(given([]), (3,)),
    ],
)
def extract(condition, x, /):
    """The elements, in a row, for which a condition is true.

    Args:
        condition: its elements, in a row, go with those of ``x``.
        x: any shape and dtype.

    Returns:
        One axis, of the dtype of ``x``.

    Raises:
        IndexError: if the condition is true beyond the last element.

    >>> x = hybrid.asarray([[1, 2], [3, 4]])
    >>> hybrid.extract(x > 2, x)
    Tensor([3, 4], dtype=int64)
    """
    return np.extract(condition, x)


@array_likes
def _positions(x: Spec) -> tuple[Spec, ...]:
    if not x.shape:
        np.nonzero(np.array(0))  # NumPy's own refusal
    return (Spec(INDEX, (_count(x),)),) * x.ndim


CONDITIONS = [
    sample((5,), low=-1, high=1),
    sample((3, 4), low=-1, high=1),
    sample((2, 1, 3), low=-1, high=1),
    sample((0, 3)),
    sample((2, 0)),
]
"""Arrays that have zeros, in the integer dtypes at least."""


@op(infer=_positions, numpy=[np.nonzero], dtypes=DTYPES, samples=CONDITIONS, no_gradient="integer result")
def nonzero(x, /):
    """The positions of the elements that are not zero.

    Args:
        x: at least one axis, any dtype.

    Returns:
        For each axis an int64 array of positions along it; in row-major order of the elements.

    Raises:
        ValueError: for an array without axes.

    >>> hybrid.nonzero(hybrid.asarray([[0, 7], [8, 9]]))
    (Tensor([0, 1, 1], dtype=int64), Tensor([1, 0, 1], dtype=int64))
    """
    return np.nonzero(x)


@array_likes
def _flat_positions(x: Spec) -> Spec:
    return Spec(INDEX, (_count(x),))


@op(infer=_flat_positions, numpy=[np.flatnonzero], dtypes=DTYPES, samples=[*CONDITIONS, sample(())], no_gradient="integer result")
def flatnonzero(x, /):
    """The positions, counted through all elements in a row, of the elements that are not zero.

    Args:
        x: any shape and dtype.

    Returns:
        One axis, int64.

    >>> hybrid.flatnonzero(hybrid.asarray([[0, 7], [8, 9]]))
    Tensor([1, 2, 3], dtype=int64)
    """
    return np.flatnonzero(x)


@array_likes
def _rows_of_positions(x: Spec) -> Spec:
    return Spec(INDEX, (_count(x), x.ndim))


@op(infer=_rows_of_positions, numpy=[np.argwhere], dtypes=DTYPES, samples=[*CONDITIONS, sample(())], no_gradient="integer result")
def argwhere(x, /):
    """The positions of the elements that are not zero, one row for each.

    Args:
        x: any shape and dtype.

    Returns:
        Two axes, int64: as many rows as elements that are not zero, as many columns as axes of ``x``.

    >>> hybrid.argwhere(hybrid.asarray([[0, 7], [8, 0]]))
    Tensor([[0, 1],
            [1, 0]], dtype=int64)
    """
    return np.argwhere(x)


# -- from several arrays --------------------------------------------------------------------------------------------
def _chosen_by_condition(condition: Any, x1: Any, x2: Any) -> Spec:
    condition, x1, x2 = map(as_array, (condition, x1, x2))
    return Spec(dtype_as_run(np.where, condition, x1, x2), broadcast(condition.shape, x1.shape, x2.shape))


@op(
    infer=_chosen_by_condition,
    dtypes=DTYPES,
    onnx="Where",
    samples=[
        sample(given([[True], [False]]), (2, 3), (2, 3)),
        sample(given([True, False, True]), (2, 1), ()),
        sample(given([0, 2, 1]), (3,), given(2)),
        sample(given([True, False]), given(1.5), (2,)),
        sample(given(True), (), ()),
        sample(given([[True]]), (0, 3), (3,)),
    ],
)
def where(condition, x1, x2, /):
    """The elements of ``x1`` where a condition is true, those of ``x2`` elsewhere.

    Args:
        condition: any shape; what isn't boolean is true where it isn't zero.
        x1, x2: any dtype and shape that broadcasts with the condition's.

    Returns:
        The broadcast shape and the promoted dtype of ``x1`` and ``x2``.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> x = hybrid.asarray([-1.0, 2.0])
    >>> hybrid.where(x > 0, x, 0)
    Tensor([0., 2.], dtype=float64)
    """
    return np.where(condition, x1, x2)


@where.from_numpy(np.where)
def where_or_nonzero(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """With one argument, ``numpy.where`` is ``nonzero``."""
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return where(condition, x, y)


def _selected(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any) -> Spec:
    conditions, choices = _items(condlist), _items(choicelist)
    if len(conditions) != len(choices):
        raise ValueError("list of cases must be same length as list of conditions")
    if not conditions:
        raise ValueError("select with an empty condition list is not possible")
    for i, condition in enumerate(conditions):
        if condition.dtype.kind != "b":
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    choices.append(as_array(default))
    return Spec(promoted(*choices), broadcast(*(spec.shape for spec in (*conditions, *choices))))


def _items(sequence: Any) -> list[Spec]:
    """The specs of a sequence's items; those of an array lie along its first axis."""
    if isinstance(sequence, Spec):
        return [sequence.with_shape(sequence.shape[1:])] * int(sequence.shape[0])
    return [as_array(item) for item in sequence]


@op(
    infer=_selected,
    numpy=[np.select],
    sequences=("condlist", "choicelist"),
    tensors=("default",),
    dtypes=DTYPES,
    samples=[
        sample([given([True, False, False]), given([True, True, False])], [(3,), (3,)], given(0)),
        sample([given([[True], [False]])], [(3,)], ()),
        sample([given(True), given([True, False])], [(), given(2)], given(1.5)),
        sample([given([True, False])], [(0, 2)], (2,)),
        sample([given(True)], [()], ()),
    ],
)
def select(condlist, choicelist, /, default=0):
    """Each element from the first choice whose condition is true.

    Args:
        condlist: boolean arrays.
        choicelist: as many arrays of any dtype; all shapes broadcast.
        default: where no condition is true.

    Returns:
        The broadcast shape and the promoted dtype of choices and default.

    Raises:
        ValueError: for lists of different or no length, or shapes that don't broadcast.
        TypeError: for conditions that aren't boolean.

    >>> x = hybrid.asarray([1, 2, 3])
    >>> hybrid.select([x < 2, x > 2], [x, x * 10], default=-1)
    Tensor([ 1, -1, 30], dtype=int64)
    """
    return np.select(condlist, choicelist, default)


def _choose_flat(x: Any, *choices: Any) -> Any:
    return np.choose(x, choices, mode="wrap")


def _chosen_by_number(x: Any, choices: Any, *, mode: str) -> Spec:
    check_mode(mode)
    x, specs = as_array(x), _items(choices)
    if not specs:
        raise ValueError("0-length sequence.")
    return Spec(dtype_as_run(_choose_flat, x, *specs), broadcast(x.shape, *(spec.shape for spec in specs)))


@op(
    infer=_chosen_by_number,
    numpy=[np.choose],
    sequences=("choices",),
    dtypes=DTYPES,
    samples=[
        sample(given([0, 1, 1]), [(3,), (3,)]),
        sample(given([[0], [2]]), [(3,), (), (1,)]),
        sample(given([5, -7]), [(2,), given(2)], mode="wrap"),
        sample(given([5, -7]), [(2,), (2,)], mode="clip"),
        sample(given(1), [(), ()]),
        sample(given(np.array([True, False])), [(0, 2), (2,)]),
    ],
)
def choose(x, choices, /, *, mode: str = "raise"):
    """Each element from the array that ``x`` names by its number.

    Args:
        x: integers of any shape.
        choices: arrays of any dtype whose shapes broadcast with that of ``x``.
        mode: what to do with numbers of no array: ``"raise"``, ``"wrap"`` around, or ``"clip"`` to the ends (negative ones to 0).

    Returns:
        The broadcast shape and the common dtype of the choices.

    Raises:
        ValueError: for numbers of no array if ``mode`` is ``"raise"``, and for shapes that don't broadcast.
        TypeError: if ``x`` isn't of integers or booleans that fit into int64.

    >>> hybrid.choose(hybrid.asarray([0, 1, 0]), [np.array([1, 2, 3]), 9])
    Tensor([1, 9, 3], dtype=int64)
    """
    return np.choose(within(x, len(choices), mode), choices, mode=mode)
