"""Reductions: sums, extremes, means and counts over axes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dtypes import DTYPES, NUMERIC, as_dtype
from hybrid.core.numpy_call import adapt, write_out
from hybrid.core.op import Op, op
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY, OPS
from hybrid.ops._infer import Rule, axes_of, axis_of, broadcast, check_elements, dtype_as_run, reduced, reduction
from hybrid.ops._samples import given, sample

__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min", "prod", "ptp", "std", "sum", "var"]

MASK = given([[True], [False], [True]])
OVER = [
    sample((3, 4)), sample((3, 4), axis=0), sample((2, 3, 4), axis=(0, -1)), sample((3, 1, 2), axis=1, keepdims=True), sample(()),
    sample((0, 3), axis=1), sample((2, 3), axis=()),
]  # fmt: skip
"""Arrays with several numbers of axes, and every way to say over which axes."""

NO_ELEMENTS = sample((0, 3), axis=0)


def start(value: Any) -> Any:
    """What NumPy is to be given for an argument that may be left out."""
    return np._NoValue if value is None else value  # type: ignore[attr-defined]


def checked_dtype(dtype: Any) -> np.dtype | None:
    """The dtype asked for; ``TypeError`` if tensors can't have it."""
    return None if dtype is None else as_dtype(dtype)


def reducing(operation: Op, *functions: Callable[..., Any], casting: str = "unsafe") -> None:
    """Declare that an operation does what NumPy's functions do.

    What is special about reductions is ``out``: its dtype takes part in choosing the dtype of the sum, and any cast is made.
    """
    for function in functions:
        operation.from_numpy(function)(_into_out(operation, function, casting))


def _into_out(operation: Op, function: Callable[..., Any], casting: str) -> Callable[..., Any]:
    plain, signature = adapt(function, operation), inspect.signature(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        given = bound.arguments
        out = given.pop("out", None)
        if out is None:
            return plain(*args, **kwargs)
        if "dtype" in operation.attributes and given.get("dtype") is None:
            given["dtype"] = np.result_type(_dtype_of(bound.args[0]), out.dtype)
        return write_out(out, plain(*bound.args, **bound.kwargs), casting)

    return call


def _dtype_of(value: Any) -> np.dtype:
    return value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype


# -- sums and extremes ----------------------------------------------------------------------------------------------
@op(
    infer=reduction(np.add.reduce), tensors=("where", "initial"), dtypes=DTYPES, onnx="ReduceSum",
    samples=[*OVER, NO_ELEMENTS, sample((3, 4), MASK, given(2)), sample((2, 3), dtype=np.dtype("complex64"))],
)  # fmt: skip
def sum(
    x, /, *, axis: int | tuple[int, ...] | None = None, dtype: Any = None, keepdims: bool = False, where: Any = None, initial: Any = None
):
    """The sum of the elements over axes.

    Args:
        x: any shape and dtype.
        axis: the axes to sum over; all if not given.
        dtype: the dtype of the sum and of its summands.
        keepdims: keep the axes summed over, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        initial: a number to start with.

    Returns:
        The sums. Booleans and small integers are added as 64-bit integers, which wrap around; other dtypes stay.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.sum(hybrid.asarray([[1, 2], [3, 4]]), axis=0)
    Tensor([4, 6], dtype=int64)
    """
    return np.add.reduce(x, axis, checked_dtype(dtype), None, keepdims, start(initial), True if where is None else where)


@op(
    infer=reduction(np.multiply.reduce), tensors=("where", "initial"), dtypes=DTYPES, onnx="ReduceProd",
    samples=[*OVER, NO_ELEMENTS, sample((3, 4), MASK, given(2)), sample((2, 3), dtype=np.dtype("complex64"))],
)  # fmt: skip
def prod(
    x, /, *, axis: int | tuple[int, ...] | None = None, dtype: Any = None, keepdims: bool = False, where: Any = None, initial: Any = None
):
    """The product of the elements over axes.

    Args:
        x: any shape and dtype.
        axis: the axes to multiply over; all if not given.
        dtype: the dtype of the product and of its factors.
        keepdims: keep the axes multiplied over, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        initial: a number to start with.

    Returns:
        The products. Booleans and small integers are multiplied as 64-bit integers, which wrap around; other dtypes stay.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.prod(hybrid.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=1)
    Tensor([ 2., 12.], dtype=float64)
    """
    return np.multiply.reduce(x, axis, checked_dtype(dtype), None, keepdims, start(initial), True if where is None else where)


@op(
    infer=reduction(np.maximum.reduce, identity=False), tensors=("where", "initial"), dtypes=DTYPES,
    samples=[*OVER, NO_ELEMENTS, sample((0,), None, given(1)), sample((3, 4), MASK, given(1))], onnx="ReduceMax",
)  # fmt: skip
def max(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, where: Any = None, initial: Any = None):
    """The largest element over axes; nan if any is nan.

    Args:
        x: any shape and dtype; complex numbers are ordered by real part, then by imaginary part.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to look at. Needs ``initial``.
        initial: a number that the result is at least.

    Returns:
        The maxima, with the dtype of ``x``.

    Raises:
        ValueError: where there is no element and no ``initial``.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.max(hybrid.asarray([[1, 5], [7, 2]]), axis=1)
    Tensor([5, 7], dtype=int64)
    """
    return np.maximum.reduce(x, axis, None, None, keepdims, start(initial), True if where is None else where)


@op(
    infer=reduction(np.minimum.reduce, identity=False), tensors=("where", "initial"), dtypes=DTYPES,
    samples=[*OVER, NO_ELEMENTS, sample((0,), None, given(1)), sample((3, 4), MASK, given(1))], onnx="ReduceMin",
)  # fmt: skip
def min(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, where: Any = None, initial: Any = None):
    """The smallest element over axes; nan if any is nan.

    Args:
        x: any shape and dtype; complex numbers are ordered by real part, then by imaginary part.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to look at. Needs ``initial``.
        initial: a number that the result is at most.

    Returns:
        The minima, with the dtype of ``x``.

    Raises:
        ValueError: where there is no element and no ``initial``.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.min(hybrid.asarray([[1, 5], [7, 2]]), axis=1)
    Tensor([1, 2], dtype=int64)
    """
    return np.minimum.reduce(x, axis, None, None, keepdims, start(initial), True if where is None else where)


@op(infer=reduction(np.ptp, identity=False), dtypes=DTYPES, samples=[*OVER, NO_ELEMENTS])
def ptp(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False):
    """The largest element minus the smallest, over axes; nan if any is nan.

    Args:
        x: any shape, numeric.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.

    Returns:
        The differences, with the dtype of ``x``: integers wrap around.

    Raises:
        ValueError: where there is no element.
        TypeError: for booleans.

    >>> hybrid.ptp(hybrid.asarray([3, 9, 4]))
    Tensor(6, dtype=int64)
    """
    return np.ptp(x, axis=axis, keepdims=keepdims)


# -- means ----------------------------------------------------------------------------------------------------------
@op(
    infer=reduction(np.mean, on_scalars=False), tensors=("where",), dtypes=DTYPES, onnx="ReduceMean",
    samples=[*OVER, sample((3, 4), MASK, axis=0), sample((2, 3), dtype=np.dtype("float32"), dtypes=NUMERIC[:11])],
)  # fmt: skip
def mean(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, dtype: Any = None, where: Any = None):
    """The arithmetic mean over axes.

    Args:
        x: any shape and dtype.
        axis: the axes to average over; all if not given.
        keepdims: keep those axes, with size 1.
        dtype: the dtype of the mean.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.

    Returns:
        The means: float64 for booleans and integers, else the dtype of ``x``; nan and a warning where there is no element.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.mean(hybrid.asarray([[1, 2], [3, 5]]), axis=1)
    Tensor([1.5, 4. ], dtype=float64)
    """
    return np.mean(x, axis=axis, dtype=checked_dtype(dtype), keepdims=keepdims, where=start(where))


def spread(function: Callable[..., Any], *, on_scalars: bool = False) -> Rule:
    """The rule of var and std: a mean that is given takes part in the dtype."""
    plain = reduction(function, on_scalars=on_scalars)

    def with_mean(x: Any, mean: Any, dtype: Any = None) -> Any:
        return function(x, mean=mean, dtype=dtype)

    def rule(
        x: Spec, where: Spec | None = None, mean: Spec | None = None, *, correction: float = 0.0, dtype: Any = None, **attributes: Any
    ) -> Spec:
        result = plain(x, where, dtype=dtype, **attributes)
        if mean is None:
            return result
        dtype = checked_dtype(dtype)
        if broadcast(x.shape, mean.shape) != x.shape:
            raise ValueError(f"wanted a mean that broadcasts to shape {x.shape}, received one of shape {mean.shape}")
        return result.with_dtype(dtype_as_run(with_mean, x, mean, dtype=dtype))

    return rule


SPREAD = [
    *OVER[:6], sample((3, 4), MASK, axis=0), sample((2, 3), None, given([[0.5], [1.0]]), axis=1, keepdims=True, correction=1),
    sample((5,), correction=1.5), sample((2, 3), dtype=np.dtype("float32"), dtypes=NUMERIC[:11]),
]  # fmt: skip


@op(infer=spread(np.var), tensors=("where", "mean"), dtypes=DTYPES, samples=SPREAD)
def var(
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
    """The variance over axes: the mean of abs(x - mean(x))**2.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        correction: what is subtracted from the number of elements when the mean is taken; 1 for an unbiased estimate
            (Bessel's correction).
        keepdims: keep those axes, with size 1.
        dtype: the dtype in which it is computed.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        mean: the mean, if it is known already: as ``hybrid.mean`` gives it with ``keepdims=True``.

    Returns:
        The variances: float64 for booleans and integers, else the real dtype of ``x``; nan and a warning where there are
        not enough elements.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.var(hybrid.asarray([1.0, 2.0, 3.0, 4.0])), hybrid.var(hybrid.asarray([1.0, 2.0, 3.0]), correction=1)
    (Tensor(1.25, dtype=float64), Tensor(1.0, dtype=float64))
    """
    return np.var(x, axis=axis, dtype=checked_dtype(dtype), ddof=correction, keepdims=keepdims, where=start(where), mean=start(mean))


@op(infer=spread(np.std), tensors=("where", "mean"), dtypes=DTYPES, samples=SPREAD)
def std(
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
    """The standard deviation over axes: the square root of ``hybrid.var``.

    Args:
        x: any shape and dtype.
        axis: the axes to look over; all if not given.
        correction: what is subtracted from the number of elements when the mean is taken.
        keepdims: keep those axes, with size 1.
        dtype: the dtype in which it is computed.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        mean: the mean, if it is known already: as ``hybrid.mean`` gives it with ``keepdims=True``.

    Returns:
        The deviations: float64 for booleans and integers, else the real dtype of ``x``; nan and a warning where there are
        not enough elements.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.std(hybrid.asarray([1.0, 3.0, 1.0, 3.0]))
    Tensor(1.0, dtype=float64)
    """
    return np.std(x, axis=axis, dtype=checked_dtype(dtype), ddof=correction, keepdims=keepdims, where=start(where), mean=start(mean))


def with_ddof(operation: Op, casting: str, variance: Op | None = None) -> Callable[..., Any]:
    """The call form of NumPy's var and std, for an operation with ``correction``; std takes the root of what var wrote into ``out``."""

    def call(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, *, where: Any = None,
        mean: Any = None, correction: Any = None,
    ) -> Any:  # fmt: skip
        if correction is not None and ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        correction = ddof if correction is None else correction
        if out is not None and dtype is None and _dtype_of(a) == np.float16:
            dtype = np.float32  # NumPy rounds to half precision only what it returns
        called = operation if out is None or variance is None else variance
        result = called(a, axis=axis, correction=correction, keepdims=keepdims, dtype=dtype, where=where, mean=mean)
        if out is not None:
            write_out(out, result, casting)
            if variance is not None:
                out[...] = OPS["sqrt"](out)
        return result if out is None else out

    return call


# -- truth and positions --------------------------------------------------------------------------------------------
TRUTH = [*OVER, NO_ELEMENTS, sample((3, 4), MASK, axis=1, low=0, high=1), sample((0,))]


@op(
    infer=reduction(lambda x: np.logical_and.reduce(x, None)), tensors=("where",), dtypes=DTYPES,
    samples=TRUTH, no_gradient="boolean result",
)  # fmt: skip
def all(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, where: Any = None):
    """Whether all elements over axes are true; nan is true.

    Args:
        x: any shape and dtype; zero is false.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to look at.

    Returns:
        Booleans; true where there is no element.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.all(hybrid.asarray([[True, False], [True, True]]), axis=1)
    Tensor([False,  True], dtype=bool)
    """
    return np.logical_and.reduce(x, axis, None, None, keepdims, np._NoValue, True if where is None else where)


@op(
    infer=reduction(lambda x: np.logical_or.reduce(x, None)), tensors=("where",), dtypes=DTYPES,
    samples=TRUTH, no_gradient="boolean result",
)  # fmt: skip
def any(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, where: Any = None):
    """Whether any element over axes is true; nan is true.

    Args:
        x: any shape and dtype; zero is false.
        axis: the axes to look over; all if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to look at.

    Returns:
        Booleans; false where there is no element.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.any(hybrid.asarray([[0, 0], [0, 3]]), axis=1)
    Tensor([False,  True], dtype=bool)
    """
    return np.logical_or.reduce(x, axis, None, None, keepdims, np._NoValue, True if where is None else where)


def position(function: Callable[..., Any]) -> Rule:
    """The rule of argmax and its kin: one axis or all; ``ValueError`` without elements."""

    def rule(x: Spec, *, axis: Any = None, keepdims: bool = False) -> Spec:
        axis = None if x.ndim == 0 and axis in (0, -1) else axis
        axes = None if axis is None else (axis_of(axis, x.ndim),)
        check_elements(function, x, axes)
        return Spec(np.dtype(np.intp), reduced(x.shape, axes, keepdims))

    return rule


PLACES = [
    sample((3, 4)), sample((3, 4), axis=0), sample((2, 3, 4), axis=-1), sample((3, 1, 2), axis=1, keepdims=True), sample(()),
    sample((0, 3), axis=1), sample((0, 3), axis=0), sample((2, 3), keepdims=True), sample((), axis=-1),
]  # fmt: skip


@op(infer=position(np.argmax), numpy=[np.argmax], dtypes=DTYPES, samples=PLACES, no_gradient="integer result", onnx="ArgMax")
def argmax(x, /, *, axis: int | None = None, keepdims: bool = False):
    """The position of the first largest element; that of the first nan, if there is one.

    Args:
        x: any shape and dtype.
        axis: the axis to look along; if not given, the position is that in the flattened array.
        keepdims: keep the axes looked along, with size 1.

    Returns:
        Positions, int64.

    Raises:
        ValueError: where there is no element.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.argmax(hybrid.asarray([[1, 5, 5], [7, 2, 3]]), axis=1)
    Tensor([1, 0], dtype=int64)
    """
    return np.argmax(x, axis=axis, keepdims=keepdims)


@op(infer=position(np.argmin), numpy=[np.argmin], dtypes=DTYPES, samples=PLACES, no_gradient="integer result", onnx="ArgMin")
def argmin(x, /, *, axis: int | None = None, keepdims: bool = False):
    """The position of the first smallest element; that of the first nan, if there is one.

    Args:
        x: any shape and dtype.
        axis: the axis to look along; if not given, the position is that in the flattened array.
        keepdims: keep the axes looked along, with size 1.

    Returns:
        Positions, int64.

    Raises:
        ValueError: where there is no element.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.argmin(hybrid.asarray([[1, 5, 5], [7, 2, 3]]), axis=1)
    Tensor([0, 1], dtype=int64)
    """
    return np.argmin(x, axis=axis, keepdims=keepdims)


def _counted(x: Spec, *, axis: Any = None, keepdims: bool = False) -> Spec:
    axes = () if x.ndim == 0 and axis in (0, -1) else axes_of(axis, x.ndim)
    return Spec(np.dtype(np.intp), reduced(x.shape, axes, keepdims))


@op(infer=_counted, numpy=[np.count_nonzero], dtypes=DTYPES, samples=[*OVER, NO_ELEMENTS, sample((2, 3), keepdims=True)],
    no_gradient="integer result")  # fmt: skip
def count_nonzero(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False):
    """The number of elements over axes that are not zero; nan counts.

    Args:
        x: any shape and dtype.
        axis: the axes to count over; all if not given.
        keepdims: keep those axes, with size 1.

    Returns:
        Counts, int64.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.count_nonzero(hybrid.asarray([[1, 0, 5], [0, 0, 3]]), axis=1)
    Tensor([2, 1], dtype=int64)
    """
    return np.count_nonzero(x, axis=axis, keepdims=keepdims)


# -- NumPy's call forms ---------------------------------------------------------------------------------------------
reducing(sum, np.sum)
reducing(prod, np.prod)
reducing(max, np.max, np.amax)
reducing(min, np.min, np.amin)
reducing(mean, np.mean)
reducing(all, np.all)
reducing(any, np.any)
var.from_numpy(np.var)(with_ddof(var, "unsafe"))
std.from_numpy(np.std)(with_ddof(std, "same_kind", var))


@ptp.from_numpy(np.ptp)
def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    if out is None:
        return ptp(a, axis=axis, keepdims=keepdims)
    NUMPY[np.max](a, axis=axis, out=out, keepdims=keepdims)  # so that small integers don't wrap around in a wider array
    return NUMPY[np.subtract](out, min(a, axis=axis, keepdims=keepdims), out=out)
