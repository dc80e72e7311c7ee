"""Reductions and running totals that leave out nan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dim import product
from hybrid.core.dtypes import DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Rule, axis_of, dtype_as_run, reduction
from hybrid.ops._samples import given, sample
from hybrid.ops.reduce import MASK, NO_ELEMENTS, OVER, PLACES, SPREAD, checked_dtype, position, reducing, spread, start, with_ddof
from hybrid.ops.statistics import QUANTILES, REAL, quantiles

__all__ = [
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile", "nanprod",
    "nanquantile", "nanstd", "nansum", "nanvar",
]  # fmt: skip

SOME_NAN = given([[1.0, np.nan, 3.0], [np.nan, -5.0, 2.5]])
WITH_NAN = [*OVER, sample(SOME_NAN), sample(SOME_NAN, axis=1, keepdims=True)]
NAN_SPREAD = [*SPREAD, sample(SOME_NAN, axis=1, correction=1)]


@op(
    infer=reduction(np.nansum), tensors=("where", "initial"), dtypes=DTYPES,
    samples=[*WITH_NAN, NO_ELEMENTS, sample((3, 4), MASK, given(2)), sample((2, 3), dtype=np.dtype("complex64"))],
)  # fmt: skip
def nansum(
    x, /, *, axis: int | tuple[int, ...] | None = None, dtype: Any = None, keepdims: bool = False, where: Any = None, initial: Any = None
):
    """The sum of the elements over axes, nan counted as 0.

    Args:
        x: any shape and dtype.
        axis: the axes to reduce; all if not given.
        dtype: the dtype of the result.
        keepdims: keep the axes reduced, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        initial: a number to start with.

    Returns:
        As ``hybrid.sum``.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nansum(hybrid.asarray([[2.0, np.nan], [3.0, 4.0]]), axis=0)
    Tensor([5., 4.], dtype=float64)
    """
    return np.nansum(x, axis=axis, dtype=checked_dtype(dtype), keepdims=keepdims, initial=start(initial), where=start(where))


@op(
    infer=reduction(np.nanprod), tensors=("where", "initial"), dtypes=DTYPES,
    samples=[*WITH_NAN, NO_ELEMENTS, sample((3, 4), MASK, given(2)), sample((2, 3), dtype=np.dtype("complex64"))],
)  # fmt: skip
def nanprod(
    x, /, *, axis: int | tuple[int, ...] | None = None, dtype: Any = None, keepdims: bool = False, where: Any = None, initial: Any = None
):
    """The product of the elements over axes, nan counted as 1.

    Args:
        x: any shape and dtype.
        axis: the axes to reduce; all if not given.
        dtype: the dtype of the result.
        keepdims: keep the axes reduced, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        initial: a number to start with.

    Returns:
        As ``hybrid.prod``.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanprod(hybrid.asarray([[2.0, np.nan], [3.0, 4.0]]), axis=0)
    Tensor([6., 4.], dtype=float64)
    """
    return np.nanprod(x, axis=axis, dtype=checked_dtype(dtype), keepdims=keepdims, initial=start(initial), where=start(where))


@op(
    infer=reduction(np.nanmax, identity=False), tensors=("where", "initial"), dtypes=DTYPES,
    samples=[*WITH_NAN, NO_ELEMENTS, sample((3, 4), MASK, given(1)), sample(SOME_NAN, None, given(1.5))],
)  # fmt: skip
def nanmax(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, where: Any = None, initial: Any = None):
    """The largest element over axes that is not nan; nan and a warning where all are.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to look at. Needs ``initial``.
        initial: a number that the result is at least.

    Returns:
        As ``hybrid.max``.

    Raises:
        ValueError: where there is no element and no ``initial``.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanmax(hybrid.asarray([[2.0, np.nan], [3.0, 4.0]]), axis=1)
    Tensor([2., 4.], dtype=float64)
    """
    return np.nanmax(x, axis=axis, keepdims=keepdims, initial=start(initial), where=start(where))


@op(
    infer=reduction(np.nanmin, identity=False), tensors=("where", "initial"), dtypes=DTYPES,
    samples=[*WITH_NAN, NO_ELEMENTS, sample((3, 4), MASK, given(1)), sample(SOME_NAN, None, given(1.5))],
)  # fmt: skip
def nanmin(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, where: Any = None, initial: Any = None):
    """The smallest element over axes that is not nan; nan and a warning where all are.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to look at. Needs ``initial``.
        initial: a number that the result is at most.

    Returns:
        As ``hybrid.min``.

    Raises:
        ValueError: where there is no element and no ``initial``.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanmin(hybrid.asarray([[2.0, np.nan], [3.0, 4.0]]), axis=1)
    Tensor([2., 3.], dtype=float64)
    """
    return np.nanmin(x, axis=axis, keepdims=keepdims, initial=start(initial), where=start(where))


@op(
    infer=reduction(np.nanmean), tensors=("where",), dtypes=DTYPES,
    samples=[*WITH_NAN, sample((3, 4), MASK, axis=0), sample((2, 3), dtype=np.dtype("float32"), dtypes=INTEGERS + FLOATS)],
)  # fmt: skip
def nanmean(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, dtype: Any = None, where: Any = None):
    """The arithmetic mean over axes of the elements that are not nan; nan and a warning where all are.

    Args:
        x: any shape and dtype.
        axis: the axes to average over; all if not given.
        keepdims: keep those axes, with size 1.
        dtype: the dtype of the mean.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.

    Returns:
        As ``hybrid.mean``.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanmean(hybrid.asarray([[2.0, np.nan], [3.0, 4.0]]), axis=0)
    Tensor([2.5, 4. ], dtype=float64)
    """
    return np.nanmean(x, axis=axis, dtype=checked_dtype(dtype), keepdims=keepdims, where=start(where))


@op(infer=spread(np.nanvar, on_scalars=True), tensors=("where", "mean"), dtypes=DTYPES, samples=NAN_SPREAD)
def nanvar(
    x,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    dtype: Any = None,
    where: Any = None,
    mean: Any = None,
):
    """The variance over axes of the elements that are not nan.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        correction: what is subtracted from the number of elements when the mean is taken.
        keepdims: keep those axes, with size 1.
        dtype: the dtype in which it is computed.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        mean: the mean, if it is known already: as ``hybrid.nanmean`` gives it with ``keepdims=True``.

    Returns:
        As ``hybrid.var``; nan and a warning where there are not enough elements.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanvar(hybrid.asarray([1.0, np.nan, 3.0]))
    Tensor(1.0, dtype=float64)
    """
    return np.nanvar(x, axis=axis, dtype=checked_dtype(dtype), ddof=correction, keepdims=keepdims, where=start(where), mean=start(mean))


@op(infer=spread(np.nanstd, on_scalars=True), tensors=("where", "mean"), dtypes=DTYPES, samples=NAN_SPREAD)
def nanstd(
    x,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    keepdims: bool = False,
    dtype: Any = None,
    where: Any = None,
    mean: Any = None,
):
    """The standard deviation over axes of the elements that are not nan.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        correction: what is subtracted from the number of elements when the mean is taken.
        keepdims: keep those axes, with size 1.
        dtype: the dtype in which it is computed.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        mean: the mean, if it is known already: as ``hybrid.nanmean`` gives it with ``keepdims=True``.

    Returns:
        As ``hybrid.std``; nan and a warning where there are not enough elements.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanstd(hybrid.asarray([1.0, np.nan, 3.0]))
    Tensor(1.0, dtype=float64)
    """
    return np.nanstd(x, axis=axis, dtype=checked_dtype(dtype), ddof=correction, keepdims=keepdims, where=start(where), mean=start(mean))


@op(
    infer=position(np.nanargmax), numpy=[np.nanargmax], dtypes=DTYPES, samples=[*PLACES, sample(SOME_NAN, axis=1)],
    no_gradient="integer result",
)  # fmt: skip
def nanargmax(x, /, *, axis: int | None = None, keepdims: bool = False):
    """The position of the first largest element that is not nan.

    Args:
        x: any shape and dtype.
        axis: the axis to look along; if not given, the position is that in the flattened array.
        keepdims: keep the axes looked along, with size 1.

    Returns:
        Positions, int64.

    Raises:
        ValueError: where there is no element, or all are nan.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanargmax(hybrid.asarray([[np.nan, 5.0], [7.0, 2.0]]), axis=1)
    Tensor([1, 0], dtype=int64)
    """
    return np.nanargmax(x, axis=axis, keepdims=keepdims)


@op(
    infer=position(np.nanargmin), numpy=[np.nanargmin], dtypes=DTYPES, samples=[*PLACES, sample(SOME_NAN, axis=1)],
    no_gradient="integer result",
)  # fmt: skip
def nanargmin(x, /, *, axis: int | None = None, keepdims: bool = False):
    """The position of the first smallest element that is not nan.

    Args:
        x: any shape and dtype.
        axis: the axis to look along; if not given, the position is that in the flattened array.
        keepdims: keep the axes looked along, with size 1.

    Returns:
        Positions, int64.

    Raises:
        ValueError: where there is no element, or all are nan.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanargmin(hybrid.asarray([[np.nan, 5.0], [7.0, 2.0]]), axis=1)
    Tensor([1, 1], dtype=int64)
    """
    return np.nanargmin(x, axis=axis, keepdims=keepdims)


# -- order statistics -----------------------------------------------------------------------------------------------
@op(infer=reduction(np.nanmedian, on_scalars=False), dtypes=DTYPES, samples=WITH_NAN)
def nanmedian(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False):
    """The median over axes of the elements that are not nan; nan and a warning where all are.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.

    Returns:
        As ``hybrid.median``.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nanmedian(hybrid.asarray([[1.0, 7.0, np.nan], [4.0, 4.0, 9.0]]), axis=1)
    Tensor([4., 4.], dtype=float64)
    """
    return np.nanmedian(x, axis=axis, keepdims=keepdims)


NAN_QUANTILES = [*QUANTILES[:8], sample(SOME_NAN, given([0.25, 0.75]), axis=1), sample(SOME_NAN, given(0.5))]


@op(
    infer=quantiles(np.nanpercentile, of_nothing=np.nanmean),
    tensors=("weights",),
    dtypes=REAL,
    samples=NAN_QUANTILES,
)
def nanpercentile(
    x, q, /, *, axis: int | tuple[int, ...] | None = None, method: str = "linear", keepdims: bool = False, weights: Any = None
):
    """The values below which percentages of the elements that are not nan lie; nan and a warning where all are.

    Args:
        x: any shape, real.
        q: a number or one axis of numbers, each from 0 to 100.
        axis: the axes to look over; all if not given.
        method: how to choose or interpolate between two elements: any name that ``numpy.nanpercentile`` knows.
        keepdims: keep the axes looked over, with size 1.
        weights: for each element, of the shape of ``x`` or of its ``axis``; only with ``method="inverted_cdf"``.

    Returns:
        As ``hybrid.percentile``.

    Raises:
        ValueError: for ``q`` outside 0 … 100, an unknown method, or weights of the wrong shape.
        TypeError: for complex numbers.

    >>> hybrid.nanpercentile(hybrid.asarray([[10.0, 7.0, np.nan], [3.0, 2.0, 1.0]]), 50, axis=1)
    Tensor([8.5, 2. ], dtype=float64)
    """
    return np.nanpercentile(x, q, axis=axis, method=method, keepdims=keepdims, weights=weights)


@op(
    infer=quantiles(np.nanquantile, of_nothing=np.nanmean),
    tensors=("weights",),
    dtypes=REAL,
    samples=NAN_QUANTILES,
)
def nanquantile(x, q, /, *, axis: int | tuple[int, ...] | None = None, method: str = "linear", keepdims: bool = False, weights: Any = None):
    """The values below which fractions of the elements that are not nan lie; nan and a warning where all are.

    Args:
        x: any shape, real.
        q: a number or one axis of numbers, each from 0 to 1.
        axis: the axes to look over; all if not given.
        method: how to choose or interpolate between two elements: any name that ``numpy.nanquantile`` knows.
        keepdims: keep the axes looked over, with size 1.
        weights: for each element, of the shape of ``x`` or of its ``axis``; only with ``method="inverted_cdf"``.

    Returns:
        As ``hybrid.quantile``.

    Raises:
        ValueError: for ``q`` outside 0 … 1, an unknown method, or weights of the wrong shape.
        TypeError: for complex numbers.

    >>> hybrid.nanquantile(hybrid.asarray([[10.0, 7.0, np.nan], [3.0, 2.0, 1.0]]), 0.5, axis=1)
    Tensor([8.5, 2. ], dtype=float64)
    """
    return np.nanquantile(x, q, axis=axis, method=method, keepdims=keepdims, weights=weights)


# -- running totals -------------------------------------------------------------------------------------------------
def _running(function: Callable[..., Any]) -> Rule:
    """The rule of a running total that flattens where no axis is given."""

    def rule(x: Spec, *, axis: Any = None, dtype: Any = None) -> Spec:
        shape = (product(x.shape),) if axis is None else x.shape or (1,)
        axis_of(0 if axis is None else axis, len(shape))
        return Spec(dtype_as_run(function, x, dtype=checked_dtype(dtype)), shape)

    return rule


RUNNING = [
    sample((5,)), sample((3, 4), axis=0), sample((2, 1, 3), axis=-1), sample((0, 3)), sample(()), sample((2, 3)), sample(SOME_NAN, axis=1),
    sample((3,), dtype=np.dtype("complex64")), sample((), axis=0),
]  # fmt: skip


@op(infer=_running(np.nancumsum), dtypes=DTYPES, samples=RUNNING)
def nancumsum(x, /, *, axis: int | None = None, dtype: Any = None):
    """The sum of the elements up to each element, nan counted as 0.

    Args:
        x: any shape and dtype.
        axis: the axis to go along; if not given, ``x`` is flattened.
        dtype: the dtype of the result.

    Returns:
        The running sums, of the shape of ``x``, or on one axis. Booleans and small integers give 64-bit integers, which wrap
        around; other dtypes stay.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nancumsum(hybrid.asarray([2.0, np.nan, 3.0]))
    Tensor([2., 2., 5.], dtype=float64)
    """
    return np.nancumsum(x, axis=axis, dtype=checked_dtype(dtype))


@op(infer=_running(np.nancumprod), dtypes=DTYPES, samples=RUNNING)
def nancumprod(x, /, *, axis: int | None = None, dtype: Any = None):
    """The product of the elements up to each element, nan counted as 1.

    Args:
        x: any shape and dtype.
        axis: the axis to go along; if not given, ``x`` is flattened.
        dtype: the dtype of the result.

    Returns:
        The running products, of the shape of ``x``, or on one axis. Booleans and small integers give 64-bit integers, which wrap
        around; other dtypes stay.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.nancumprod(hybrid.asarray([2.0, np.nan, 3.0]))
    Tensor([2., 2., 6.], dtype=float64)
    """
    return np.nancumprod(x, axis=axis, dtype=checked_dtype(dtype))


# -- NumPy's call forms ---------------------------------------------------------------------------------------------
reducing(nansum, np.nansum)
reducing(nanprod, np.nanprod)
reducing(nanmax, np.nanmax)
reducing(nanmin, np.nanmin)
reducing(nanmean, np.nanmean, casting="same_kind")
nanvar.from_numpy(np.nanvar)(with_ddof(nanvar, "same_kind"))
nanstd.from_numpy(np.nanstd)(with_ddof(nanstd, "same_kind", nanvar))
reducing(nanmedian, np.nanmedian)
reducing(nanpercentile, np.nanpercentile)
reducing(nanquantile, np.nanquantile)
reducing(nancumsum, np.nancumsum)
reducing(nancumprod, np.nancumprod)
