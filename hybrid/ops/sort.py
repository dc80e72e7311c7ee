"""Sorting, partitioning, and searching in sorted arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dim import Dim
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import array_likes, as_array, axis_of, dtype_as_run, may_agree
from hybrid.ops._samples import given, sample
from hybrid.ops.choose import INDEX, flattened

__all__ = ["argpartition", "argsort", "lexsort", "partition", "searchsorted", "sort", "sort_complex"]


# -- sorting --------------------------------------------------------------------------------------------------------
def in_order(function: Callable[..., Any], x: Any, axis: int | None, descending: bool, stable: bool, kind: str | None) -> Any:
    """``np.sort`` or ``np.argsort``; in descending order equal elements still keep their order, if that is wanted."""
    algorithm = kind or ("stable" if stable else None)
    if not descending:
        return function(x, axis=axis, kind=algorithm)
    x, axis = (np.ravel(x), 0) if axis is None else (x, axis)
    return np.flip(function(np.flip(x, axis), axis=axis, kind=algorithm), axis).copy()


def _check_kind(kind: str | None) -> None:
    np.sort(np.zeros(1), kind=kind)  # type: ignore[call-overload]  # NumPy's own refusal


@array_likes
def _sorted(x: Spec, *, axis: int | None, descending: bool, stable: bool, kind: str | None) -> Spec:
    _check_kind(kind)
    if axis is None:
        return Spec(x.dtype, (x.size,))
    axis_of(axis, x.ndim)
    return Spec(x.dtype, x.shape)


@array_likes
def _sorting(x: Spec, *, axis: int | None, descending: bool, stable: bool, kind: str | None) -> Spec:
    _check_kind(kind)
    shape, _ = flattened(x, axis)
    return Spec(INDEX, shape)


ORDERS = [
    sample((6,)),
    sample((3, 4), axis=0),
    sample((2, 3, 4), axis=1, descending=True),
    sample((3, 4), axis=None),
    sample((3, 3), axis=None, descending=True),
    sample((5,), stable=False),
    sample((2, 5), kind="heapsort"),
    sample((0, 3)),
]


@op(infer=_sorted, dtypes=DTYPES, samples=ORDERS)
def sort(x, /, *, axis: int | None = -1, descending: bool = False, stable: bool = True, kind: str | None = None):
    """The elements in ascending or descending order along an axis.

    Args:
        x: any shape and dtype; complex numbers are ordered by real, then by imaginary part.
        axis: the axis; ``None`` for all elements in a row.
        descending: largest first.
        stable: elements that compare equal (0.0 and -0.0) keep their order.
        kind: NumPy's name of the algorithm; it decides instead of ``stable``.

    Returns:
        The dtype and shape of ``x``; nan comes last, or first in descending order.

    Raises:
        numpy.exceptions.AxisError: if there is no such axis.

    >>> hybrid.sort(hybrid.asarray([3.0, 1.0, 2.0]), descending=True)
    Tensor([3., 2., 1.], dtype=float64)
    """
    return in_order(np.sort, x, axis, descending, stable, kind)


@op(infer=_sorting, dtypes=DTYPES, samples=[*ORDERS, sample(())], no_gradient="integer result")
def argsort(x, /, *, axis: int | None = -1, descending: bool = False, stable: bool = True, kind: str | None = None):
    """The positions along an axis that put the elements in ascending or descending order.

    Args:
        x: any shape and dtype; complex numbers are ordered by real, then by imaginary part.
        axis: the axis; ``None`` for all elements in a row.
        descending: largest first.
        stable: elements that compare equal keep their order, also in descending order.
        kind: NumPy's name of the algorithm; it decides instead of ``stable``.

    Returns:
        int64 positions, of the shape of ``x``; nan comes last, or first in descending order.

    Raises:
        numpy.exceptions.AxisError: if there is no such axis.

    >>> hybrid.argsort(hybrid.asarray([1, 3, 1, 3]), descending=True)
    Tensor([1, 3, 0, 2], dtype=int64)
    """
    if not descending:
        return in_order(np.argsort, x, axis, False, stable, kind)
    x = np.ravel(x) if axis is None else np.atleast_1d(x)
    last = x.shape[-1 if axis is None else axis] - 1
    return last - in_order(np.argsort, x, -1 if axis is None else axis, True, stable, kind)


def _arguments(kind: str | None, order: None, stable: bool | None) -> dict[str, Any]:
    """What NumPy's arguments ``kind``, ``order`` and ``stable`` say, as attributes."""
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and keyword parameters can't be provided at the same time. Use only one of them.")
    return {"kind": kind, "stable": bool(stable)}


@sort.from_numpy(np.sort)
def sort_numpy(a: Any, axis: int | None = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None) -> Any:
    """``numpy.sort``, which isn't stable unless told to be."""
    return sort(a, axis=axis, **_arguments(kind, order, stable))


@argsort.from_numpy(np.argsort)
def argsort_numpy(a: Any, axis: int | None = -1, kind: str | None = None, order: None = None, *, stable: bool | None = None) -> Any:
    """``numpy.argsort``, which isn't stable unless told to be."""
    return argsort(a, axis=axis, **_arguments(kind, order, stable))


@array_likes
def _sorted_complex(x: Spec) -> Spec:
    axis_of(-1, x.ndim)
    return Spec(dtype_as_run(np.sort_complex, x), x.shape)


@op(infer=_sorted_complex, numpy=[np.sort_complex], dtypes=DTYPES, samples=[sample((5,)), sample((2, 3)), sample((0,)), sample((2, 1, 2))])
def sort_complex(x, /):
    """The elements as complex numbers, in order of the real and then of the imaginary part.

    Args:
        x: at least one axis, any dtype.

    Returns:
        The shape of ``x``, sorted along the last axis; complex64 for integers of at most 16 bits and for complex64, else complex128.

    Raises:
        numpy.exceptions.AxisError: for an array without axes.

    >>> sort_complex(hybrid.asarray([2, 1 + 1j, 1 - 1j]))
    Tensor([1.-1.j, 1.+1.j, 2.+0.j], dtype=complex128)
    """
    return np.sort_complex(x)


def _check_keys(keys: Any) -> Spec:
    """The spec of one key; all have the same shape."""
    if isinstance(keys, Spec):
        specs = [keys.with_shape(keys.shape[1:])] if keys.shape and keys.shape[0] != 0 else []
    else:
        specs = [as_array(key) for key in keys]
    if not specs:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if not all(may_agree(spec.shape, specs[0].shape) for spec in specs):
        raise ValueError("all keys need to be the same shape")
    return specs[0]


def _sorting_by_keys(keys: Any, *, axis: int) -> Spec:
    key = _check_keys(keys)
    if key.ndim or axis not in (0, -1):
        axis_of(axis, key.ndim)
    return Spec(INDEX, key.shape)


@op(
    infer=_sorting_by_keys,
    numpy=[np.lexsort],
    sequences=("keys",),
    dtypes=DTYPES,
    samples=[
        sample([(6,), (6,)]),
        sample([(3, 4), (3, 4), (3, 4)], axis=0),
        sample([(2, 3)]),
        sample((2, 5)),
        sample([(), ()]),
        sample([(0,), (0,)]),
    ],
    no_gradient="integer result",
)
def lexsort(keys, /, *, axis: int = -1):
    """The positions along an axis that sort by several keys: by the last one, among equals by the one before, and so on.

    Args:
        keys: arrays of one shape and any dtypes, or one array whose first axis counts the keys.
        axis: the axis of the keys.

    Returns:
        int64 positions, of the shape of the keys.

    Raises:
        ValueError: for keys of different shapes.
        TypeError: for no keys.

    >>> hybrid.lexsort([np.array([3, 1, 2]), np.array([0, 0, -1])])
    Tensor([2, 1, 0], dtype=int64)
    """
    return np.lexsort(keys, axis=axis)


# -- partitioning ---------------------------------------------------------------------------------------------------
def positions_of(kth: Any) -> int | tuple[int, ...]:
    """Where to partition, as static numbers."""
    if isinstance(kth, bool | np.bool):
        raise ValueError("Booleans unacceptable as partition index")
    if isinstance(kth, int | np.integer):
        return int(kth)
    numbers = np.asarray(kth)
    if numbers.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    if numbers.ndim > 1:
        raise ValueError("object too deep for desired array")
    return tuple(numbers.tolist()) if numbers.ndim else int(numbers)


def _check_positions(kth: Any, x: Spec, axis: int, shape: tuple[Any, ...]) -> None:
    positions, size = positions_of(kth), shape[axis]
    if isinstance(size, Dim) or 0 in shape:
        return
    for k in (positions,) if isinstance(positions, int) else positions:
        if not -size <= k < size:
            raise ValueError(f"kth(={k}) out of bounds ({size})")


@array_likes
def _partitioned(x: Spec, *, kth: Any, axis: int | None) -> Spec:
    shape, place = flattened(x, axis)
    if axis is not None:
        axis_of(axis, x.ndim)
    _check_positions(kth, x, place, shape)
    return Spec(x.dtype, shape)


@array_likes
def _partitioning(x: Spec, *, kth: Any, axis: int | None) -> Spec:
    shape, place = flattened(x, axis)
    _check_positions(kth, x, place, shape)
    return Spec(INDEX, shape)


PARTITIONS = [
    sample((6,), kth=2),
    sample((3, 4), kth=-1, axis=0),
    sample((2, 3, 4), kth=(0, 2), axis=1),
    sample((3, 4), kth=(5, -2), axis=None),
    sample((0, 3), kth=1),
    sample((3, 0), kth=5),
]


@op(infer=_partitioned, dtypes=DTYPES, samples=PARTITIONS)
def partition(x, /, kth: int | tuple[int, ...], *, axis: int | None = -1):
    """The elements so arranged along an axis that the k-th is the one that sorting puts there, with the smaller ones before it.

    Args:
        x: any shape and dtype.
        kth: a position or several.
        axis: the axis; ``None`` for all elements in a row.

    Returns:
        The dtype and shape of ``x``; the order before and after the k-th element is NumPy's.

    Raises:
        ValueError: for a position out of bounds.

    >>> hybrid.partition(hybrid.asarray([4, 1, 3, 2]), 1)[:2]
    Tensor([1, 2], dtype=int64)
    """
    return np.partition(x, kth, axis=axis)


@op(infer=_partitioning, dtypes=DTYPES, samples=[*PARTITIONS, sample((), kth=0)], no_gradient="integer result")
def argpartition(x, /, kth: int | tuple[int, ...], *, axis: int | None = -1):
    """The positions along an axis that arrange the elements as ``partition`` does.

    Args:
        x: any shape and dtype.
        kth: a position or several.
        axis: the axis; ``None`` for all elements in a row.

    Returns:
        int64 positions, of the shape of ``x``.

    Raises:
        ValueError: for a position out of bounds.

    >>> hybrid.argpartition(hybrid.asarray([4, 1, 3, 2]), 0)[0]
    Tensor(1, dtype=int64)
    """
    return np.argpartition(x, kth, axis=axis)


def _check_partition(kind: str, order: None) -> None:
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


@partition.from_numpy(np.partition)
def partition_numpy(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None) -> Any:
    """``numpy.partition``; the positions are static."""
    _check_partition(kind, order)
    return partition(a, positions_of(kth), axis=axis)


@argpartition.from_numpy(np.argpartition)
def argpartition_numpy(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None) -> Any:
    """``numpy.argpartition``; the positions are static."""
    _check_partition(kind, order)
    return argpartition(a, positions_of(kth), axis=axis)


# -- searching ------------------------------------------------------------------------------------------------------
@array_likes
def _searched(x1: Spec, x2: Spec, sorter: Spec | None, *, side: str) -> Spec:
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")
    if x1.ndim != 1:
        raise ValueError("object too deep for desired array" if x1.ndim else "object of too small depth for desired array")
    if sorter is not None:
        _check_sorter(x1, sorter)
    return Spec(dtype_as_run(np.searchsorted, x1, x2), x2.shape)


def _check_sorter(x1: Spec, sorter: Spec) -> None:
    if sorter.ndim != 1:
        raise TypeError("could not parse sorter argument")
    if sorter.dtype.kind not in "iu":
        raise TypeError("sorter must only contain integers")
    if not np.can_cast(sorter.dtype, INDEX):
        raise ValueError("could not parse sorter argument")
    if not may_agree(x1.shape, sorter.shape):
        raise ValueError("sorter.size must equal a.size")


@op(
    infer=_searched,
    numpy=[np.searchsorted],
    tensors=("sorter",),
    dtypes=DTYPES,
    samples=[
        sample(given([-2.0, 0.5, 2.0]), (2, 3)),
        sample((4,), (3,), given([2, 0, 1, 3]), side="right"),
        sample(given([1, 2, 2, 3]), given(2), side="right"),
        sample(given([0.0, 1.0]), ()),
        sample((0,), (2,)),
    ],
    no_gradient="integer result",
)
def searchsorted(x1, x2, /, *, side: str = "left", sorter=None):
    """The positions at which values would go into a sorted array so that it stays sorted.

    Args:
        x1: one axis, any dtype, in ascending order.
        x2: the values: any shape and dtype.
        side: ``"left"`` for the first of several possible positions, ``"right"`` for the last.
        sorter: positions that put ``x1`` in ascending order, if it isn't.

    Returns:
        int64 positions from 0 to the size of ``x1``, of the shape of ``x2``.

    Raises:
        ValueError: if ``x1`` hasn't exactly one axis, or ``sorter`` has another size.
        TypeError: for a sorter that isn't of integers.

    >>> hybrid.searchsorted(hybrid.asarray([1.0, 2.0, 3.0]), 2.0, side="right")
    Tensor(2, dtype=int64)
    """
    return np.searchsorted(x1, x2, side=side, sorter=sorter)  # type: ignore[call-overload]
