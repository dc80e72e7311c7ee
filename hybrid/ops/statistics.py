"""Medians, quantiles, weighted averages and covariances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dim import DimLike, Undecided, never_one, product
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, NUMERIC, as_dtype
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Rule, axes_of, dtype_as_run, may_agree, reduced, reduction
from hybrid.ops._samples import given, sample
from hybrid.ops.reduce import OVER, checked_dtype

__all__ = ["average", "corrcoef", "cov", "median", "percentile", "quantile"]

REAL = BOOL + INTEGERS + FLOATS


# -- order statistics -----------------------------------------------------------------------------------------------
@op(infer=reduction(np.median, on_scalars=False), numpy=[np.median], dtypes=DTYPES, samples=OVER)
def median(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False):
    """The middle of the sorted elements over axes, or the mean of the two in the middle; nan if any element is nan.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.

    Returns:
        The medians: float64 for booleans and integers, else the dtype of ``x``; nan and a warning where there is no element.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.median(hybrid.asarray([[1, 7, 2], [4, 4, 9]]), axis=1)
    Tensor([2., 4.], dtype=float64)
    """
    return np.median(x, axis=axis, keepdims=keepdims)


def quantiles(function: Callable[..., Any], *, of_nothing: Callable[..., Any] | None = None) -> Rule:
    """The rule of percentile and its kin: the axes of ``q`` come first, then those of ``x`` that are left.

    Without elements it is an ``IndexError``, or the reduction ``of_nothing``, which knows no ``q``.
    """
    empty = None if of_nothing is None else reduction(of_nothing)

    def without_axis(x: Any, q: Any, weights: Any, *, method: str) -> Any:
        return function(x, q, method=method, weights=weights)

    def rule(x: Spec, q: Spec, weights: Spec | None = None, *, axis: Any = None, method: str = "linear", keepdims: bool = False) -> Spec:
        if q.ndim > 2:
            raise ValueError("q must be a scalar or 1d")
        if weights is not None:
            check_weights(x, weights, axis)
            weights = Spec(weights.dtype, x.shape)
        if empty is not None and x.size == 0:
            return empty(x, axis=axis, keepdims=keepdims)
        if any(x.shape[a] == 0 for a in axes_of(axis, x.ndim)):
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        return Spec(dtype_as_run(without_axis, x, q, weights, method=method), q.shape + reduced(x.shape, axis, keepdims))

    return rule


def check_weights(x: Spec, weights: Spec, axis: Any) -> None:
    """``TypeError`` or ``ValueError`` unless the weights have the shape of ``x``, or that of the axes given."""
    if may_agree(x.shape, weights.shape):
        return
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if not may_agree(weights.shape, tuple(x.shape[a] for a in axes_of(axis, x.ndim))):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")


HALF = given(0.5)
QUANTILES = [
    sample((3, 4), HALF), sample((3, 4), given([0.1, 0.75]), axis=0), sample((2, 3, 4), HALF, axis=(0, -1), method="lower"),
    sample((3, 2), given([[0.25, 0.5], [0.75, 1.0]]), axis=1, keepdims=True), sample((), given([0.3])), sample((0, 3), HALF, axis=1),
    sample((5,), given([0.1, 0.6]), given([1.0, 2.0, 1.0, 0.5, 3.0]), method="inverted_cdf"), sample((4,), given(1), method="nearest"),
    sample((3, 4), given([0.3, 0.6], "float32"), given([1, 2, 3, 4]), axis=1, method="inverted_cdf"), sample((0, 3), HALF, axis=0),
]  # fmt: skip
"""Quantiles as a number, on one and on two axes, with weights, and with methods that choose and that interpolate."""


@op(
    infer=quantiles(np.percentile),
    numpy=[np.percentile],
    tensors=("weights",),
    dtypes=REAL,
    samples=QUANTILES,
)
def percentile(x, q, /, *, axis: int | tuple[int, ...] | None = None, method: str = "linear", keepdims: bool = False, weights: Any = None):
    """The values below which percentages of the elements lie, over axes; nan if any element is nan.

    Args:
        x: any shape, real.
        q: a number or one axis of numbers, each from 0 to 100.
        axis: the axes to look over; all if not given.
        method: how to choose or interpolate between two elements: any name that ``numpy.percentile`` knows.
        keepdims: keep the axes looked over, with size 1.
        weights: for each element, of the shape of ``x`` or of its ``axis``; only with ``method="inverted_cdf"``.

    Returns:
        The percentiles: the axes of ``q``, then those of ``x`` that are left. float64 for integers that are interpolated,
        else the promoted dtype.

    Raises:
        ValueError: for percentages outside 0 … 100, an unknown method, or weights of the wrong shape.
        IndexError: where there is no element.
        TypeError: for complex numbers.

    >>> hybrid.percentile(hybrid.asarray([[10.0, 7.0, 4.0], [3.0, 2.0, 1.0]]), [0, 50], axis=1)
    Tensor([[4., 1.],
            [7., 2.]], dtype=float64)
    """
    return np.percentile(x, q, axis=axis, method=method, keepdims=keepdims, weights=weights)


@op(
    infer=quantiles(np.quantile),
    numpy=[np.quantile],
    tensors=("weights",),
    dtypes=REAL,
    samples=QUANTILES,
)
def quantile(x, q, /, *, axis: int | tuple[int, ...] | None = None, method: str = "linear", keepdims: bool = False, weights: Any = None):
    """The values below which fractions of the elements lie, over axes; nan if any element is nan.

    Args:
        x: any shape, real.
        q: a number or one axis of numbers, each from 0 to 1.
        axis: the axes to look over; all if not given.
        method: how to choose or interpolate between two elements: any name that ``numpy.quantile`` knows.
        keepdims: keep the axes looked over, with size 1.
        weights: for each element, of the shape of ``x`` or of its ``axis``; only with ``method="inverted_cdf"``.

    Returns:
        The quantiles: the axes of ``q``, then those of ``x`` that are left. float64 for integers that are interpolated, else
        the promoted dtype.

    Raises:
        ValueError: for fractions outside 0 … 1, an unknown method, or weights of the wrong shape.
        IndexError: where there is no element.
        TypeError: for complex numbers.

    Source:
        R. J. Hyndman, Y. Fan: Sample quantiles in statistical packages. DOI 10.1080/00031305.1996.10473566

    >>> hybrid.quantile(hybrid.asarray([1.0, 2.0, 3.0, 4.0]), 0.25), hybrid.quantile(hybrid.asarray([1, 2, 3, 4]), 0.3, method="lower")
    (Tensor(1.75, dtype=float64), Tensor(1, dtype=int64))
    """
    return np.quantile(x, q, axis=axis, method=method, keepdims=keepdims, weights=weights)


# -- averages and covariances ---------------------------------------------------------------------------------------
def _averaged(x: Spec, weights: Spec | None = None, *, axis: Any = None, returned: bool = False, keepdims: bool = False) -> Any:
    if weights is not None:
        check_weights(x, weights, axis)
        weights = Spec(weights.dtype, x.shape)
    shape = reduced(x.shape, axis, keepdims)
    if weights is None and product(shape) == 0:
        raise ZeroDivisionError("division by zero")
    dtypes = dtype_as_run(_with_weights, x, weights)
    return tuple(Spec(dtype, shape) for dtype in dtypes) if returned else Spec(dtypes[0], shape)


def _with_weights(x: Any, weights: Any) -> Any:
    return np.average(x, weights=weights, returned=True)


@op(
    infer=_averaged, numpy=[np.average], tensors=("weights",), dtypes=DTYPES,
    samples=[
        sample((3, 4)), sample((3, 4), axis=0), sample((2, 3, 4), axis=(0, -1), keepdims=True), sample(()), sample((0, 3), axis=1),
        sample((3, 4), given([0.5, 1.0, 2.5]), axis=0), sample((2, 3), given([[1, 2, 3], [4, 5, 6]]), returned=True),
        sample((3, 2), axis=1, returned=True), sample((3,), given([1.0, 2.0, 1.5], "float32")),
        sample((2, 3, 4), given([[1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 2.0, 2.0]]), axis=(0, 2), returned=True),
    ],
)  # fmt: skip
def average(x, /, *, axis: int | tuple[int, ...] | None = None, weights: Any = None, returned: bool = False, keepdims: bool = False):
    """The weighted mean over axes: sum(x * weights) / sum(weights).

    Args:
        x: any shape and dtype.
        axis: the axes to average over; all if not given.
        weights: of the shape of ``x`` or of its ``axis``; all equal if not given.
        returned: also return the sum of the weights.
        keepdims: keep the axes averaged over, with size 1.

    Returns:
        The averages, or with ``returned`` the pair (averages, sums of weights); both at least float64 for booleans and
        integers, else of the dtype to which ``x`` and the weights promote.

    Raises:
        ZeroDivisionError: for weights whose sum is 0.
        ValueError, TypeError: for weights of the wrong shape.

    >>> hybrid.average(hybrid.asarray([1.0, 2.0, 3.0]), weights=[3, 1, 1], returned=True)
    (Tensor(1.6, dtype=float64), Tensor(5.0, dtype=float64))
    """
    return np.average(x, axis=axis, weights=weights, returned=returned, keepdims=keepdims)


def _covariance(
    m: Spec,
    y: Spec | None = None,
    fweights: Spec | None = None,
    aweights: Spec | None = None,
    *,
    rowvar: bool = True,
    dtype: Any = None,
    **attributes: Any,
) -> Spec:
    if m.ndim > 2 or (y is not None and y.ndim > 2):
        raise ValueError(f"{'y' if m.ndim <= 2 else 'm'} has more than 2 dimensions")
    ddof = attributes.get("ddof")
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    variables, count = _variables(m, (rowvar and m.ndim > 0) or m.ndim == 1)
    if y is not None:
        more, also = _variables(y, rowvar or y.ndim < 2 or y.shape[0] == 1)
        if not may_agree((count,), (also,)):
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        variables = variables + more
    if variables == 0:
        return Spec(np.dtype("float64"), (0, 0))
    if y is None and variables != 1 and not never_one(variables):
        raise Undecided(f"the size {variables} isn't known while tracing: of one variable the covariance is a number, of more a matrix")
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        _check_observation_weights(name, weights, count)
    inputs = [m.dtype, *([] if y is None else [y.dtype]), np.float64] if dtype is None else [as_dtype(dtype)]
    weighted = [np.float64] if fweights is not None or aweights is not None else []
    return Spec(np.result_type(*inputs, *weighted), () if variables == 1 else (variables, variables))


def _variables(x: Spec, in_rows: bool) -> tuple[DimLike, DimLike]:
    """The number of variables and of observations of each."""
    rows, columns = ((1,) * (2 - x.ndim) + x.shape) if x.ndim < 2 else x.shape
    return (rows, columns) if in_rows else (columns, rows)


def _check_observation_weights(name: str, weights: Spec | None, count: DimLike) -> None:
    if weights is None:
        return
    if weights.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if not may_agree(weights.shape, (count,)):
        raise RuntimeError(f"incompatible numbers of samples and {name}")


@op(
    infer=_covariance, numpy=[np.cov], tensors=("fweights", "aweights"), dtypes=DTYPES,
    samples=[
        sample((3, 4)), sample((5,), (5,)), sample((4, 2), rowvar=False), sample((5,), bias=True), sample((2, 4), ddof=0), sample((0, 3)),
        sample((2, 4), None, given([1, 2, 1, 3])), sample((3, 4), (4,)), sample((4, 2), (4, 3), rowvar=False), sample((2, 3, 2)),
        sample((1, 4)), sample((2, 4), None, None, given([0.5, 1.5, 1.0, 2.0]), dtype=np.dtype("float32"), dtypes=FLOATS),
        sample((2, 3), dtype=np.dtype("float32"), dtypes=FLOATS),
    ],
)  # fmt: skip
def cov(
    m, y=None, /, *, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None, aweights: Any = None,
    dtype: Any = None,
):  # fmt: skip
    """The covariances of variables, estimated from observations.

    Args:
        m: one axis, the observations of one variable, or two: a variable in each row.
        y: more variables, in the same form.
        rowvar: the variables are the rows; otherwise the columns.
        bias: divide by the number of observations N; otherwise by N - 1.
        ddof: divide by N - ``ddof``, whatever ``bias`` says.
        fweights: how often each observation occurred: integers on one axis.
        aweights: how much each observation counts, on one axis.
        dtype: the dtype in which it is computed.

    Returns:
        A square array with a row for each variable, or a number if there is one; at least float64.

    Raises:
        ValueError: for more than two axes, numbers of observations that differ, and negative weights.
        RuntimeError: for weights of the wrong shape.
        TypeError: for ``fweights`` that are no whole numbers.

    >>> hybrid.cov(hybrid.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    Tensor([[ 1., -1.],
            [-1.,  1.]], dtype=float64)
    """
    return np.cov(m, y, rowvar, bias, ddof, fweights, aweights, dtype=checked_dtype(dtype))


@op(
    infer=_covariance, numpy=[np.corrcoef], dtypes=NUMERIC,
    samples=[
        sample((3, 4)), sample((5,), (5,)), sample((4, 2), rowvar=False), sample((5,)), sample((3, 4), (4,)),
        sample((4, 2), (4, 3), rowvar=False), sample((2, 3), dtype=np.dtype("float32"), dtypes=FLOATS), sample((2, 3, 2)),
    ],
)  # fmt: skip
def corrcoef(x, y=None, /, *, rowvar: bool = True, dtype: Any = None):
    """The correlation coefficients (Pearson's) of variables, estimated from observations.

    Args:
        x: one axis, the observations of one variable, or two: a variable in each row.
        y: more variables, in the same form.
        rowvar: the variables are the rows; otherwise the columns.
        dtype: the dtype in which it is computed.

    Returns:
        A square array with a row for each variable, or a number if there is one; at least float64. nan for variables that
        don't vary.

    Raises:
        ValueError: for more than two axes, and for numbers of observations that differ.

    >>> hybrid.corrcoef(hybrid.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    Tensor([[ 1., -1.],
            [-1.,  1.]], dtype=float64)
    """
    return np.corrcoef(x, y, rowvar, dtype=checked_dtype(dtype))
