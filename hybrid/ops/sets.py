"""Arrays as sets of numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hybrid.core.dim import DimLike, unknown
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Shape, array_likes, axis_of, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops.choose import INDEX

__all__ = [
    "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse",
    "unique_values",
]  # fmt: skip

UniqueAllResult: Final = type(np.unique_all(np.zeros(1)))
UniqueCountsResult: Final = type(np.unique_counts(np.zeros(1)))
UniqueInverseResult: Final = type(np.unique_inverse(np.zeros(1)))


# -- distinct elements ----------------------------------------------------------------------------------------------
def _distinct(x: Spec) -> DimLike:
    """How many distinct elements an array has."""
    return 0 if 0 in x.shape else unknown("distinct")


@array_likes
def _unique(
    x: Spec, *, return_index: bool, return_inverse: bool, return_counts: bool, axis: int | None, equal_nan: bool, sorted: bool
) -> Spec | tuple[Spec, ...]:
    shape, count, places = _unique_shapes(x, axis)
    results = [Spec(x.dtype, shape)]
    results += [Spec(INDEX, (count,))] * bool(return_index)
    results += [Spec(INDEX, places)] * bool(return_inverse)
    results += [Spec(INDEX, (count,))] * bool(return_counts)
    return tuple(results) if len(results) > 1 else results[0]


def _unique_shapes(x: Spec, axis: int | None) -> tuple[Shape, DimLike, Shape]:
    """The shape of the distinct elements or slices, their number, and the shape of the positions that restore ``x``."""
    if axis is None:
        return (_distinct(x),), _distinct(x), x.shape
    axis = axis_of(axis, x.ndim)
    count = 0 if x.shape[axis] == 0 else unknown("distinct")
    return (*x.shape[:axis], count, *x.shape[axis + 1 :]), count, (x.shape[axis],)


DISTINCT = [
    sample((8,), low=-2, high=2),
    sample((3, 4), low=-2, high=2),
    sample(()),
    sample((0, 3)),
    sample(given([1.0, float("nan"), 0.0, float("nan"), -0.0])),
]
"""Arrays with elements that occur more than once."""


@op(
    infer=_unique,
    numpy=[np.unique],
    dtypes=DTYPES,
    samples=[
        *DISTINCT,
        sample((8,), low=-2, high=2, return_index=True, return_inverse=True, return_counts=True),
        sample((2, 4), low=-2, high=2, return_inverse=True),
        sample((4, 2), low=0, high=1, axis=0, return_index=True, return_inverse=True),
        sample((2, 5), low=0, high=1, axis=-1, return_counts=True),
        sample(given([1.0, float("nan"), float("nan")]), equal_nan=False, return_counts=True),
        sample((6,), low=-2, high=2, sorted=False),
    ],
)
def unique(
    x,
    /,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
):
    """The distinct elements, or the distinct slices along an axis, as ``numpy.unique`` gives them.

    Args:
        x: any shape and dtype.
        return_index: also the position of the first occurrence of each.
        return_inverse: also the positions among the distinct ones that restore ``x``.
        return_counts: also how often each occurs.
        axis: compare the slices along this axis; the elements if not given.
        equal_nan: all nan count as one.
        sorted: in ascending order; otherwise in any.

    Returns:
        The distinct elements on one axis, or slices; or a tuple of those and what else was asked for (int64).

    Raises:
        numpy.exceptions.AxisError: if there is no such axis.

    >>> hybrid.unique(hybrid.asarray([3, 1, 3]), return_counts=True)
    (Tensor([1, 3], dtype=int64), Tensor([1, 2], dtype=int64))
    """
    return np.unique(
        x,
        return_index=return_index,
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=axis,
        equal_nan=equal_nan,
        sorted=sorted,
    )


@array_likes
def _all_of_unique(x: Spec) -> tuple[Spec, ...]:
    count = _distinct(x)
    return Spec(x.dtype, (count,)), Spec(INDEX, (count,)), Spec(INDEX, x.shape), Spec(INDEX, (count,))


@op(infer=_all_of_unique, numpy=[np.unique_all], returns=UniqueAllResult, dtypes=DTYPES, samples=DISTINCT)
def unique_all(x, /):
    """The distinct elements, where each occurs first, how they restore the array, and how often each occurs.

    Args:
        x: any shape and dtype; every nan is distinct from every other.

    Returns:
        A named tuple: ``values`` and ``indices`` (of first occurrences, counted through all elements in a row) on one axis,
        ``inverse_indices`` of the shape of ``x``, and ``counts``; all but the values are int64.

    >>> hybrid.unique_all(hybrid.asarray([3, 1, 3])).counts
    Tensor([1, 2], dtype=int64)
    """
    return np.unique_all(x)


@array_likes
def _counts_of_unique(x: Spec) -> tuple[Spec, Spec]:
    return Spec(x.dtype, (_distinct(x),)), Spec(INDEX, (_distinct(x),))


@op(infer=_counts_of_unique, numpy=[np.unique_counts], returns=UniqueCountsResult, dtypes=DTYPES, samples=DISTINCT)
def unique_counts(x, /):
    """The distinct elements, and how often each occurs.

    Args:
        x: any shape and dtype; every nan is distinct from every other.

    Returns:
        A named tuple: ``values`` on one axis, and their ``counts`` (int64).

    >>> hybrid.unique_counts(hybrid.asarray([3, 1, 3])).values
    Tensor([1, 3], dtype=int64)
    """
    return np.unique_counts(x)


@array_likes
def _inverse_of_unique(x: Spec) -> tuple[Spec, Spec]:
    return Spec(x.dtype, (_distinct(x),)), Spec(INDEX, x.shape)


@op(infer=_inverse_of_unique, numpy=[np.unique_inverse], returns=UniqueInverseResult, dtypes=DTYPES, samples=DISTINCT)
def unique_inverse(x, /):
    """The distinct elements, and the positions among them that restore the array.

    Args:
        x: any shape and dtype; every nan is distinct from every other.

    Returns:
        A named tuple: ``values`` on one axis, and ``inverse_indices`` (int64) of the shape of ``x``.

    >>> hybrid.unique_inverse(hybrid.asarray([3, 1, 3])).inverse_indices
    Tensor([1, 0, 1], dtype=int64)
    """
    return np.unique_inverse(x)


@array_likes
def _values_of_unique(x: Spec) -> Spec:
    return Spec(x.dtype, (_distinct(x),))


@op(infer=_values_of_unique, numpy=[np.unique_values], dtypes=DTYPES, samples=DISTINCT)
def unique_values(x, /):
    """The distinct elements, in any order.

    Args:
        x: any shape and dtype; every nan is distinct from every other.

    Returns:
        One axis, of the dtype of ``x``.

    >>> hybrid.sort(hybrid.unique_values(hybrid.asarray([3, 1, 3])))
    Tensor([1, 3], dtype=int64)
    """
    return np.unique_values(x)


# -- two sets -------------------------------------------------------------------------------------------------------
TWO_SETS = [
    sample((6,), (4,), low=-2, high=2),
    sample((2, 3), (2, 2), low=-2, high=2),
    sample((), (3,), low=-2, high=2),
    sample((0,), (3,)),
    sample((3,), (0,)),
]


@array_likes
def _union(x1: Spec, x2: Spec) -> Spec:
    size = 0 if 0 in x1.shape and 0 in x2.shape else unknown("distinct")
    return Spec(dtype_as_run(np.union1d, x1, x2), (size,))


@op(infer=_union, numpy=[np.union1d], dtypes=DTYPES, samples=TWO_SETS)
def union1d(x1, x2, /):
    """The distinct elements of two arrays together, in ascending order.

    Args:
        x1, x2: any shapes and dtypes.

    Returns:
        One axis, of the promoted dtype.

    >>> hybrid.union1d(hybrid.asarray([3, 1]), np.array([2, 3]))
    Tensor([1, 2, 3], dtype=int64)
    """
    return np.union1d(x1, x2)


@array_likes
def _intersection(x1: Spec, x2: Spec, *, assume_unique: bool, return_indices: bool) -> Spec | tuple[Spec, ...]:
    size = 0 if 0 in x1.shape or 0 in x2.shape else unknown("common")
    values = Spec(dtype_as_run(np.intersect1d, x1, x2), (size,))
    return (values, Spec(INDEX, (size,)), Spec(INDEX, (size,))) if return_indices else values


@op(
    infer=_intersection,
    numpy=[np.intersect1d],
    dtypes=DTYPES,
    samples=[
        *TWO_SETS,
        sample((6,), (4,), low=-2, high=2, return_indices=True),
        sample((1,), (1,), assume_unique=True, return_indices=True),
    ],
)
def intersect1d(x1, x2, /, *, assume_unique: bool = False, return_indices: bool = False):
    """The distinct elements that two arrays have in common, in ascending order.

    Args:
        x1, x2: any shapes and dtypes.
        assume_unique: promises that no element occurs twice in an array; if one does, the result is undefined.
        return_indices: also the positions of the first occurrences, counted through all elements in a row.

    Returns:
        One axis, of the promoted dtype; or a tuple of that and two int64 arrays of positions.

    >>> hybrid.intersect1d(hybrid.asarray([3, 1, 2]), np.array([2, 3]))
    Tensor([2, 3], dtype=int64)
    """
    return np.intersect1d(x1, x2, assume_unique=assume_unique, return_indices=return_indices)


@array_likes
def _difference(x1: Spec, x2: Spec, *, assume_unique: bool) -> Spec:
    return Spec(dtype_as_run(np.setdiff1d, x1, x2), (0 if 0 in x1.shape else unknown("different"),))


@op(infer=_difference, numpy=[np.setdiff1d], dtypes=DTYPES, samples=[*TWO_SETS, sample((3,), (4,), assume_unique=True)])
def setdiff1d(x1, x2, /, *, assume_unique: bool = False):
    """The distinct elements of one array that another doesn't have, in ascending order.

    Args:
        x1, x2: any shapes and dtypes.
        assume_unique: promises that no element occurs twice in an array; the result then keeps the order of ``x1``.

    Returns:
        One axis, of the dtype of ``x1``.

    >>> hybrid.setdiff1d(hybrid.asarray([3, 1, 2]), np.array([2]))
    Tensor([1, 3], dtype=int64)
    """
    return np.setdiff1d(x1, x2, assume_unique=assume_unique)


@array_likes
def _symmetric_difference(x1: Spec, x2: Spec, *, assume_unique: bool) -> Spec:
    size = 0 if 0 in x1.shape and 0 in x2.shape else unknown("different")
    return Spec(dtype_as_run(np.setxor1d, x1, x2), (size,))


@op(infer=_symmetric_difference, numpy=[np.setxor1d], dtypes=DTYPES, samples=[*TWO_SETS, sample((1,), (1,), assume_unique=True)])
def setxor1d(x1, x2, /, *, assume_unique: bool = False):
    """The distinct elements that exactly one of two arrays has, in ascending order.

    Args:
        x1, x2: any shapes and dtypes.
        assume_unique: promises that no element occurs twice in an array; if one does, the result is undefined.

    Returns:
        One axis, of the promoted dtype.

    >>> hybrid.setxor1d(hybrid.asarray([3, 1, 2]), np.array([2, 4]))
    Tensor([1, 3, 4], dtype=int64)
    """
    return np.setxor1d(x1, x2, assume_unique=assume_unique)


@array_likes
def _membership(x1: Spec, x2: Spec, *, assume_unique: bool, invert: bool) -> Spec:
    return Spec(dtype_as_run(np.isin, x1, x2), x1.shape)


@op(
    infer=_membership,
    dtypes=DTYPES,
    samples=[*TWO_SETS, sample((2, 3), (4,), low=-2, high=2, invert=True), sample((3,), (3,), assume_unique=True)],
    no_gradient="boolean result",
)
def isin(x1, x2, /, *, assume_unique: bool = False, invert: bool = False):
    """Whether each element of one array occurs in another.

    Args:
        x1, x2: any shapes and dtypes; nan occurs nowhere.
        assume_unique: promises that no element occurs twice in an array.
        invert: whether it doesn't occur.

    Returns:
        Booleans of the shape of ``x1``.

    >>> hybrid.isin(hybrid.asarray([1, 2, 3]), np.array([1, 3]))
    Tensor([ True, False,  True], dtype=bool)
    """
    return np.isin(x1, x2, assume_unique=assume_unique, invert=invert)


@isin.from_numpy(np.isin)
def isin_numpy(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None) -> Any:
    """``numpy.isin``; ``kind`` only says how it is computed."""
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: {kind!r}. Please use None, 'sort' or 'table'.")
    if kind == "table" and any(np.result_type(x).kind not in "biu" for x in (element, test_elements) if hasattr(x, "dtype")):
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind.")
    return isin(element, test_elements, assume_unique=assume_unique, invert=invert)
