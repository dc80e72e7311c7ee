"""Writing into arrays, other than by an index: by position, by condition, along a diagonal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from hybrid.core.dim import Dim
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.operators import refuse_overlap
from hybrid.core.spec import Spec
from hybrid.core.table import CHECKS
from hybrid.ops._infer import array_likes, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops.choose import along_axis, check_mode, check_wraps, within
from hybrid.ops.index import as_elements, check_cast, check_fits

__all__ = ["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"]

CASTINGS: Final = ("no", "equiv", "safe", "same_kind", "unsafe")


def check_dtypes(kernel: Callable[..., Any], x: Spec, *others: Spec, **attributes: Any) -> None:
    """What the kernel raises for arrays of these dtypes, if it does, found by running it on one element."""
    dtype_as_run(kernel, x.with_shape((1,)), *others, **attributes)


# -- by position ----------------------------------------------------------------------------------------------------
@array_likes
def _put_at(x: Spec, indices: Spec, values: Spec, *, mode: str) -> Spec:
    check_mode(mode)
    check_cast(x, values)
    check_dtypes(np.put, x, indices, Spec(x.dtype), mode="wrap")
    if x.size == 0 and all(isinstance(size, int) and size for size in (*indices.shape, *values.shape)):
        raise IndexError("cannot replace elements of an empty array")
    return Spec(x.dtype, x.shape)


@op(
    infer=_put_at,
    mutates=True,
    dtypes=DTYPES,
    samples=[
        sample((2, 3), given([0, -1]), given(2)),
        sample((5,), given([3, 1, 2]), (2,)),
        sample((2, 3), given([[7, -8]]), (1, 2), mode="wrap"),
        sample((2, 3), given([7, -8]), (2,), mode="clip"),
        sample((), given(0), ()),
        sample((3,), given([0, 1]), (0,)),
    ],
)
def put(x, indices, values, /, *, mode: str = "raise"):
    """Write values to positions counted through all elements in a row.

    Args:
        x: any shape and dtype; it is changed.
        indices: integers of any shape.
        values: repeated if there are fewer of them than positions; cast to the dtype of ``x``.
        mode: what to do with positions out of bounds: ``"raise"``, ``"wrap"`` around, or ``"clip"`` to the ends (negative ones to 0).

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        IndexError: for positions out of bounds, if ``mode`` is ``"raise"``.
        TypeError: for indices that are no integers.

    >>> x = hybrid.asarray([[1, 2], [3, 4]])
    >>> hybrid.put(x, np.array([0, -1]), 0)
    >>> x
    Tensor([[0, 2],
            [3, 0]], dtype=int64)
    """
    np.put(x, within(indices, np.size(x), mode), values, mode=mode)


def _check_put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    check_wraps(ind, np.size(a), mode)


CHECKS[np.put] = _check_put


@put.from_numpy(np.put)
def put_numbers(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """``numpy.put``; numbers in lists are cast one by one."""
    put(a, ind, as_elements(a, v), mode=mode)


@array_likes
def _put_along(x: Spec, indices: Spec, values: Spec, *, axis: int | None) -> Spec:
    check_cast(x, values)
    check_fits(values.shape, along_axis(x, indices, axis), is_fancy=True)
    return Spec(x.dtype, x.shape)


@op(
    infer=_put_along,
    mutates=True,
    dtypes=DTYPES,
    samples=[
        sample((2, 3), given([[2, 0], [1, -1]]), given(2), axis=1),
        sample((3, 4), given([[0, 2, 1, 0]]), (1, 4), axis=0),
        sample((2, 3), given([[0], [1]]), (2, 1), axis=-1),
        sample((5,), given([4, 0]), (2,), axis=0),
        sample((2, 3), given([5, 0]), (2,), axis=None),
    ],
)
def put_along_axis(x, indices, values, /, *, axis: int | None):
    """Write values to positions along an axis, where each row has positions of its own.

    Args:
        x: any shape and dtype; it is changed.
        indices: integers, with as many axes as ``x``, broadcasting with it on all but the axis.
        values: broadcast to the shape of ``take_along_axis``; cast to the dtype of ``x``.
        axis: the axis that positions count along; ``None`` for all elements in a row.

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        IndexError: for positions out of bounds, for indices that are no integers or don't broadcast.
        ValueError: for another number of axes, and for values that don't broadcast.

    >>> x = hybrid.asarray([[3, 1, 2], [6, 5, 4]])
    >>> hybrid.put_along_axis(x, np.array([[1], [2]]), 0, axis=1)
    >>> x
    Tensor([[3, 0, 2],
            [6, 5, 0]], dtype=int64)
    """
    np.put_along_axis(x, np.asarray(indices), values, axis=axis)


@put_along_axis.from_numpy(np.put_along_axis)
def put_numbers_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """``numpy.put_along_axis``; numbers in lists are cast one by one."""
    put_along_axis(arr, indices, as_elements(arr, values), axis=axis)


# -- by condition ---------------------------------------------------------------------------------------------------
def _check_as_many(name: str, x: Spec, mask: Spec) -> None:
    if isinstance(x.size, int) and isinstance(mask.size, int) and x.size != mask.size:
        raise ValueError(f"{name}: mask and data must be the same size")


@array_likes
def _put_masked(x: Spec, mask: Spec, values: Spec) -> Spec:
    check_dtypes(np.putmask, x, Spec(mask.dtype, (1,)), values)
    _check_as_many("putmask", x, mask)
    return Spec(x.dtype, x.shape)


MASKED = [
    sample((2, 3), given([[True, False, True], [False, True, True]]), given(2)),
    sample((4,), given([0, 1, 2, 0]), (2,)),
    sample((2, 2), given([True, False, False, True]), (2, 2)),
    sample((), given(True), ()),
    sample((0, 3), given(np.zeros((0, 3), bool)), (1,)),
]


@op(infer=_put_masked, mutates=True, dtypes=DTYPES, samples=MASKED)
def putmask(x, mask, values, /):
    """Write values where a mask is true: to each place the value that lies at it when ``values`` are repeated to the size of ``x``.

    Args:
        x: any shape and dtype; it is changed.
        mask: as many elements as ``x``.
        values: repeated in a row; of a dtype that casts safely to that of ``x``.

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        ValueError: if the mask has another size.
        TypeError: for values that can't be cast safely.

    >>> x = hybrid.asarray([1, 2, 3, 4])
    >>> hybrid.putmask(x, x > 2, np.array([10, 20]))
    >>> x
    Tensor([ 1,  2, 10, 20], dtype=int64)
    """
    np.putmask(x, mask, values)


@putmask.from_numpy(np.putmask)
def putmask_numbers(a: Any, /, mask: Any, values: Any) -> None:
    """``numpy.putmask``; numbers in lists are cast one by one."""
    putmask(a, mask, as_elements(a, values))


@array_likes
def _placed(x: Spec, mask: Spec, values: Spec) -> Spec:
    check_dtypes(np.place, x, Spec(mask.dtype, (1,)), values)
    _check_as_many("place", x, mask)
    return Spec(x.dtype, x.shape)


@op(infer=_placed, mutates=True, dtypes=DTYPES, samples=MASKED)
def place(x, mask, values, /):
    """Write values where a mask is true: to the first place the first value, and so on, beginning anew after the last value.

    Args:
        x: any shape and dtype; it is changed.
        mask: as many elements as ``x``.
        values: at least one if the mask is true anywhere; of a dtype that casts safely to that of ``x``.

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        ValueError: if the mask has another size, or if there is no value.
        TypeError: for values that can't be cast safely.

    >>> x = hybrid.asarray([1, 2, 3, 4])
    >>> hybrid.place(x, x > 1, np.array([10, 20]))
    >>> x
    Tensor([ 1, 10, 20, 10], dtype=int64)
    """
    np.place(x, mask, values)


@place.from_numpy(np.place)
def place_numbers(arr: Any, mask: Any, vals: Any) -> None:
    """``numpy.place``; numbers in lists are cast one by one."""
    refuse_overlap("numpy.place", arr, vals)
    place(arr, mask, as_elements(arr, vals))


# -- by shape -------------------------------------------------------------------------------------------------------
@array_likes
def _copied(x: Spec, values: Spec, where: Spec | None, *, casting: str) -> Spec:
    if casting not in CASTINGS:
        raise ValueError(f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got {casting!r})")
    if casting != "unsafe":
        check_dtypes(np.copyto, x, Spec(values.dtype, (), values.weak), casting=casting)
    check_fits(values.shape, x.shape, is_fancy=False)
    if where is not None:
        _check_copied_where(x, where)
    return Spec(x.dtype, x.shape)


def _check_copied_where(x: Spec, where: Spec) -> None:
    if where.dtype.kind != "b" and not where.weak:
        raise TypeError(f"Cannot cast array data from {where.dtype!r} to dtype('bool') according to the rule 'safe'")
    pairs = zip(where.shape[::-1], x.shape[::-1], strict=False)
    if where.ndim > x.ndim or any(m not in (1, n) for m, n in pairs if not (isinstance(m, Dim) or isinstance(n, Dim))):
        raise ValueError(f"could not broadcast where mask from shape {where.shape} into shape {x.shape}")


@op(
    infer=_copied,
    mutates=True,
    tensors=("where",),
    dtypes=DTYPES,
    samples=[
        sample((2, 3), given(True)),
        sample((2, 3), (3,)),
        sample((2, 3), (2, 1), given([True, False, True])),
        sample((2, 3), (1, 1, 3), given([[True], [False]]), casting="unsafe"),
        sample((), (), given(False), casting="no"),
        sample((0, 3), (3,)),
    ],
)
def copyto(x, values, /, where=None, *, casting: str = "same_kind"):
    """Write values to all elements, or to those where a mask is true.

    Args:
        x: any shape and dtype; it is changed.
        values: broadcast to the shape of ``x``.
        where: a boolean mask that broadcasts to the shape of ``x``; everywhere if left out.
        casting: which casts of the values are allowed, as in ``numpy.can_cast``.

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        ValueError: if values or mask don't broadcast.
        TypeError: for a cast that isn't allowed, or a mask that isn't boolean.

    >>> x = hybrid.asarray([1.0, 2.0, 3.0])
    >>> hybrid.copyto(x, 0, where=x < 3)
    >>> x
    Tensor([0., 0., 3.], dtype=float64)
    """
    np.copyto(x, values, casting=casting, where=True if where is None else where)  # type: ignore[arg-type]


@copyto.from_numpy(np.copyto)
def copyto_numpy(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """``numpy.copyto``, where ``where=True`` means everywhere."""
    copyto(dst, src, where=None if where is True else where, casting=casting)


@array_likes
def _diagonal_filled(x: Spec, values: Spec, *, wrap: bool) -> Spec:
    check_cast(x, values)
    if x.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if x.ndim > 2 and len({size for size in x.shape if isinstance(size, int)}) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return Spec(x.dtype, x.shape)


@op(
    infer=_diagonal_filled,
    mutates=True,
    dtypes=DTYPES,
    samples=[
        sample((3, 3), given(2)),
        sample((3, 4), (2,)),
        sample((5, 2), (), wrap=True),
        sample((2, 2, 2), (2,)),
        sample((0, 3), (1,)),
    ],
)
def fill_diagonal(x, values, /, *, wrap: bool = False):
    """Write values to the elements whose positions are the same along all axes.

    Args:
        x: at least two axes; more than two of equal sizes; any dtype; it is changed.
        values: repeated in a row; cast to the dtype of ``x``.
        wrap: go on with a new diagonal below the end of the first one, in a matrix with more rows than columns.

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        ValueError: for fewer than two axes, and for more than two of different sizes.

    >>> x = hybrid.asarray([[1, 2], [3, 4]])
    >>> hybrid.fill_diagonal(x, 0)
    >>> x
    Tensor([[0, 2],
            [3, 0]], dtype=int64)
    """
    np.fill_diagonal(x, values, wrap=wrap)


@fill_diagonal.from_numpy(np.fill_diagonal)
def fill_diagonal_numbers(a: Any, val: Any, wrap: bool = False) -> None:
    """``numpy.fill_diagonal``; numbers in lists are cast one by one."""
    refuse_overlap("numpy.fill_diagonal", a, val)
    fill_diagonal(a, as_elements(a, val), wrap=wrap)
