"""Powers, exponentials and logarithms, and other functions of one or two numbers, element by element."""

from __future__ import annotations

import numpy as np

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import axis_of, dtype_as_run, elementwise, elementwise_as_run
from hybrid.ops._samples import pairs, sample, singles

__all__ = [
    "cbrt", "exp", "exp2", "expm1", "hypot", "i0", "log", "log1p", "log2", "log10", "logaddexp", "logaddexp2", "sinc", "sqrt",
    "unwrap",
]  # fmt: skip


def like_unwrapped(x: Spec, *, discont: float | None, axis: int, period: float) -> Spec:
    """The shape stays; NumPy promotes with the period."""
    if not x.shape:
        raise ValueError("diff requires input that is at least one dimensional")
    axis_of(axis, x.ndim)
    return Spec(dtype_as_run(np.unwrap, x, discont=discont, axis=axis, period=period), x.shape)


@op(infer=elementwise(np.sqrt), numpy=[np.sqrt], dtypes=DTYPES, samples=singles(0.1, 3.0), onnx="Sqrt")
def sqrt(x, /):
    """The square root, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        The root with a real part of at least 0, of the same shape; integers and booleans become floats. nan, with a warning,
        for negative real numbers.

    >>> hybrid.sqrt(hybrid.asarray([4.0, 2.0]))
    Tensor([2.        , 1.41421356], dtype=float64)
    """
    return np.sqrt(x)


@op(infer=elementwise(np.cbrt), numpy=[np.cbrt], dtypes=BOOL + INTEGERS + FLOATS, samples=singles(0.1, 3.0))
def cbrt(x, /):
    """The real cube root, element by element.

    Args:
        x: any shape, real.

    Returns:
        The root with the sign of x, of the same shape; integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.cbrt(hybrid.asarray([8.0, -27.0]))
    Tensor([ 2., -3.], dtype=float64)
    """
    return np.cbrt(x)


@op(infer=elementwise(np.hypot), numpy=[np.hypot], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def hypot(x1, x2, /):
    """The length sqrt(x1**2 + x2**2), element by element, without overflow on the way.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Lengths, of the broadcast shape; integers and booleans become floats. Infinite if an operand is, even beside nan.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.hypot(hybrid.asarray([3.0, 5.0]), hybrid.asarray([4.0, 12.0]))
    Tensor([ 5., 13.], dtype=float64)
    """
    return np.hypot(x1, x2)


@op(infer=elementwise(np.exp), numpy=[np.exp], dtypes=DTYPES, samples=singles(), onnx="Exp")
def exp(x, /):
    """e ** x, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Powers, of the same shape; integers and booleans become floats.

    >>> hybrid.exp(hybrid.asarray([0.0, 1.0]))
    Tensor([1.        , 2.71828183], dtype=float64)
    """
    return np.exp(x)


@op(infer=elementwise(np.exp2), numpy=[np.exp2], dtypes=DTYPES, samples=singles())
def exp2(x, /):
    """2 ** x, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Powers, of the same shape; integers and booleans become floats.

    >>> hybrid.exp2(hybrid.asarray([0.0, 3.0]))
    Tensor([1., 8.], dtype=float64)
    """
    return np.exp2(x)


@op(infer=elementwise(np.expm1), numpy=[np.expm1], dtypes=DTYPES, samples=singles())
def expm1(x, /):
    """exp(x) - 1, element by element, exact also for small x.

    Args:
        x: any shape and dtype.

    Returns:
        The same as ``exp(x) - 1``, of the same shape; integers and booleans become floats.

    >>> hybrid.expm1(hybrid.asarray([0.0, 1e-10]))
    Tensor([0.e+00, 1.e-10], dtype=float64)
    """
    return np.expm1(x)


@op(infer=elementwise(np.log), numpy=[np.log], dtypes=DTYPES, samples=singles(0.1, 3.0), onnx="Log")
def log(x, /):
    """The natural logarithm, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Logarithms, of the same shape; integers and booleans become floats. Zero gives minus infinity and negative real numbers
        nan, each with a warning. For complex numbers, the imaginary part is within (-π, π] (DLMF 4.2(i)).

    >>> hybrid.log(hybrid.asarray([1.0, 10.0]))
    Tensor([0.        , 2.30258509], dtype=float64)
    """
    return np.log(x)


@op(infer=elementwise(np.log1p), numpy=[np.log1p], dtypes=DTYPES, samples=singles(-0.5, 3.0))
def log1p(x, /):
    """log(1 + x), element by element, exact also for small x.

    Args:
        x: any shape and dtype.

    Returns:
        Logarithms, of the same shape; integers and booleans become floats. -1 gives minus infinity, and real numbers below it
        nan, each with a warning.

    >>> hybrid.log1p(hybrid.asarray([0.0, 1e-10]))
    Tensor([0.e+00, 1.e-10], dtype=float64)
    """
    return np.log1p(x)


@op(infer=elementwise(np.log2), numpy=[np.log2], dtypes=DTYPES, samples=singles(0.1, 3.0))
def log2(x, /):
    """The logarithm to base 2, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Logarithms, of the same shape; integers and booleans become floats. Zero gives minus infinity and negative real numbers
        nan, each with a warning.

    >>> hybrid.log2(hybrid.asarray([1.0, 8.0]))
    Tensor([0., 3.], dtype=float64)
    """
    return np.log2(x)


@op(infer=elementwise(np.log10), numpy=[np.log10], dtypes=DTYPES, samples=singles(0.1, 3.0))
def log10(x, /):
    """The logarithm to base 10, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Logarithms, of the same shape; integers and booleans become floats. Zero gives minus infinity and negative real numbers
        nan, each with a warning.

    >>> hybrid.log10(hybrid.asarray([1.0, 1000.0]))
    Tensor([0., 3.], dtype=float64)
    """
    return np.log10(x)


@op(infer=elementwise(np.logaddexp), numpy=[np.logaddexp], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def logaddexp(x1, x2, /):
    """log(exp(x1) + exp(x2)), element by element, without overflow on the way.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Logarithms of sums, of the broadcast shape; integers and booleans become floats.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.logaddexp(hybrid.asarray([0.0, 1000.0]), hybrid.asarray([0.0, 1000.0]))
    Tensor([6.93147181e-01, 1.00069315e+03], dtype=float64)
    """
    return np.logaddexp(x1, x2)


@op(infer=elementwise(np.logaddexp2), numpy=[np.logaddexp2], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def logaddexp2(x1, x2, /):
    """log2(2**x1 + 2**x2), element by element, without overflow on the way.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Logarithms of sums, of the broadcast shape; integers and booleans become floats.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.logaddexp2(hybrid.asarray([0.0, 2000.0]), hybrid.asarray([0.0, 2000.0]))
    Tensor([1.000e+00, 2.001e+03], dtype=float64)
    """
    return np.logaddexp2(x1, x2)


@op(infer=elementwise_as_run(np.sinc), numpy=[np.sinc], dtypes=DTYPES, samples=singles())
def sinc(x, /):
    """The normalised sinc function sin(πx) / (πx), element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Values between -0.22 and 1 for real x, 1 at 0; of the same shape. Integers and booleans become float64, float16 stays.

    >>> hybrid.sinc(hybrid.asarray([0.0, 0.5, 1.5]))
    Tensor([ 1.        ,  0.63661977, -0.21220659], dtype=float64)
    """
    return np.sinc(x)


@op(infer=elementwise_as_run(np.i0), numpy=[np.i0], dtypes=BOOL + INTEGERS + FLOATS, samples=singles())
def i0(x, /):
    """The modified Bessel function of the first kind and order 0, element by element (DLMF 10.25; NumPy's own approximation,
    good to about 1e-15: the window functions need it. ``hybrid.special.i0`` is SciPy's).

    Args:
        x: any shape, real.

    Returns:
        Values of at least 1, of the same shape; integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> i0(hybrid.asarray([0.0, 1.0]))
    Tensor([1.        , 1.26606588], dtype=float64)
    """
    return np.i0(x)


@op(
    infer=like_unwrapped,
    numpy=[np.unwrap],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=[
        sample((6,), low=-9.0, high=9.0),
        sample((3, 4), low=-9.0, high=9.0, axis=0),
        sample((3, 4), low=-9.0, high=9.0, axis=-2, period=4.0),
        sample((5,), low=-9.0, high=9.0, discont=4.0),
        sample((5,), low=-9.0, high=9.0, period=3),
        sample((0, 3)),
        sample((2, 1, 3), axis=1),
    ],
)
def unwrap(x, /, *, discont: float | None = None, axis: int = -1, period: float = 2 * np.pi):
    """Remove jumps: add multiples of a period, so that neighbours along an axis differ by at most half of it.

    Args:
        x: angles, or other periodic numbers; at least one axis, real.
        discont: jumps up to this size stay; no less than half the period, which it is if not given.
        axis: along which.
        period: of the numbers; if it and the numbers are integers, so is the result.

    Returns:
        The same shape; a float dtype unless numbers and period are integers.

    Raises:
        ValueError: for an array without axes, or an axis that it doesn't have.
        TypeError: for complex numbers.

    >>> hybrid.unwrap(hybrid.asarray([0, 3, 0, 1]), period=4)
    Tensor([ 0, -1,  0,  1], dtype=int64)
    """
    return np.unwrap(x, discont, axis, period=period)
