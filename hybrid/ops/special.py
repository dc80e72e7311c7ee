"""Special functions of SciPy: errors and normal distribution, logistic functions, entropies, sums of exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, NUMERIC
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import axes_of, broadcast, check_elements, dtype_as_run, reduced
from hybrid.ops._samples import given, pairs, sample, singles
from hybrid.ops._special import ufunc, within

__all__ = [
    "entr", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "expit", "kl_div", "log_expit", "log_ndtr", "log_softmax", "logit",
    "logsumexp", "ndtr", "ndtri", "rel_entr", "softmax", "xlog1py", "xlogy",
]  # fmt: skip

OVER = [
    sample((3, 4)),
    sample((3, 4), axis=1),
    sample((2, 3, 4), axis=(0, -1)),
    sample(()),
    sample((0, 3), axis=1),
    sample((0, 3)),
    sample((2, 1, 3), axis=-2),
]


def logs_of_sums(x: Spec, b: Spec | None = None, *, axis: Any, keepdims: bool, return_sign: bool) -> Any:
    """The shape after the sum; the dtypes are SciPy's."""
    axes_of(axis, x.ndim)
    shape = reduced(x.shape if b is None else broadcast(x.shape, b.shape), axis, keepdims)
    dtypes = dtype_as_run(log_and_sign, *(spec for spec in (x, b) if spec is not None), return_sign=return_sign)
    return tuple(Spec(dtype, shape) for dtype in dtypes) if return_sign else Spec(dtypes, shape)


def log_and_sign(x: Any, b: Any = None, *, return_sign: bool) -> Any:
    """The operation on one element, to learn the dtypes."""
    return scipy.special.logsumexp(x, None, b, return_sign=return_sign)


def normalised(x: Spec, *, axis: Any) -> Spec:
    """The shape stays; SciPy starts with the maximum, and there is none of nothing."""
    check_elements(one_softmax, x, axis)
    return Spec(dtype_as_run(one_softmax, x), x.shape)


def one_softmax(x: Any) -> Any:
    """The operation on one element, to learn the dtype."""
    return scipy.special.softmax(x)


def as_inexact(x: Any) -> Any:
    """Integers as floats, because SciPy would subtract them as integers, which wrap around."""
    x = np.asarray(x)
    return x.astype(np.exp.resolve_dtypes((x.dtype, None))[0]) if x.dtype.kind in "iu" else x


@op(infer=ufunc("erf"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.erf"], samples=singles(), onnx="Erf")
def erf(x, /):
    """The error function, element by element (DLMF 7.2.1).

    Args:
        x: any shape and dtype.

    Returns:
        Values within [-1, 1] for real x, of the same shape; integers, booleans and float16 become float64.

    >>> hybrid.special.erf(hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 0.84270079], dtype=float64)
    """
    return scipy.special.erf(x)


@op(infer=ufunc("erfc"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.erfc"], samples=singles())
def erfc(x, /):
    """1 - erf(x), element by element, exact also where it is small (DLMF 7.2.2).

    Args:
        x: any shape and dtype.

    Returns:
        Values within [0, 2] for real x, of the same shape; integers, booleans and float16 become float64.

    >>> hybrid.special.erfc(hybrid.asarray([0.0, 10.0]))
    Tensor([1.00000000e+00, 2.08848758e-45], dtype=float64)
    """
    return scipy.special.erfc(x)


@op(infer=ufunc("erfcx"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.erfcx"], samples=singles())
def erfcx(x, /):
    """exp(x**2) * erfc(x), element by element, without underflow on the way.

    Args:
        x: any shape and dtype.

    Returns:
        Values, of the same shape; integers, booleans and float16 become float64.

    >>> hybrid.special.erfcx(hybrid.asarray([0.0, 100.0]))
    Tensor([1.        , 0.00564161], dtype=float64)
    """
    return scipy.special.erfcx(x)


@op(infer=ufunc("erfinv"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.erfinv"], samples=within(-0.9, 0.9))
def erfinv(x, /):
    """The inverse of ``erf``, element by element (DLMF 7.17).

    Args:
        x: numbers from -1 to 1, of any shape.

    Returns:
        Values of the same shape, as float32 or float64. Infinite at -1 and 1, nan outside.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.erfinv(hybrid.asarray([0.0, 0.5]))
    Tensor([0.        , 0.47693628], dtype=float64)
    """
    return scipy.special.erfinv(x)


@op(infer=ufunc("erfcinv"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.erfcinv"], samples=within(0.1, 1.9))
def erfcinv(x, /):
    """The inverse of ``erfc``, element by element (DLMF 7.17).

    Args:
        x: numbers from 0 to 2, of any shape.

    Returns:
        Values of the same shape, as float32 or float64. Infinite at 0 and 2, nan outside.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.erfcinv(hybrid.asarray([1.0, 0.5]))
    Tensor([-0.        ,  0.47693628], dtype=float64)
    """
    return scipy.special.erfcinv(x)


@op(infer=ufunc("ndtr"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.ndtr"], samples=singles())
def ndtr(x, /):
    """The probability that a standard normal variable is at most x, element by element (DLMF 7.18(iv)).

    Args:
        x: any shape and dtype.

    Returns:
        Probabilities for real x, of the same shape; integers, booleans and float16 become float64.

    >>> hybrid.special.ndtr(hybrid.asarray([0.0, 1.96]))
    Tensor([0.5      , 0.9750021], dtype=float64)
    """
    return scipy.special.ndtr(x)


@op(infer=ufunc("log_ndtr"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.log_ndtr"], samples=singles())
def log_ndtr(x, /):
    """The logarithm of ``ndtr``, element by element, exact also far to the left.

    Args:
        x: any shape and dtype.

    Returns:
        Logarithms, of the same shape; integers, booleans and float16 become float64.

    >>> hybrid.special.log_ndtr(hybrid.asarray([0.0, -40.0]))
    Tensor([-6.93147181e-01, -8.04608442e+02], dtype=float64)
    """
    return scipy.special.log_ndtr(x)


@op(infer=ufunc("ndtri"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.ndtri"], samples=within(0.1, 0.9))
def ndtri(x, /):
    """The inverse of ``ndtr``, element by element: quantiles of the standard normal distribution.

    Args:
        x: probabilities, of any shape.

    Returns:
        Quantiles, of the same shape, as float32 or float64. Infinite at 0 and 1, nan outside.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.ndtri(hybrid.asarray([0.5, 0.975]))
    Tensor([0.        , 1.95996398], dtype=float64)
    """
    return scipy.special.ndtri(x)


@op(
    infer=ufunc("expit"),
    dtypes=BOOL + INTEGERS + FLOATS,
    namespace="special",
    scipy=["scipy.special.expit"],
    samples=singles(),
    onnx="Sigmoid",
)
def expit(x, /):
    """The logistic function 1 / (1 + exp(-x)), element by element, without overflow on the way.

    Args:
        x: any shape, real.

    Returns:
        Values within [0, 1], of the same shape, as float32 or float64.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.expit(hybrid.asarray([0.0, 2.0, -1000.0]))
    Tensor([0.5       , 0.88079708, 0.        ], dtype=float64)
    """
    return scipy.special.expit(x)


@op(infer=ufunc("logit"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.logit"], samples=within(0.1, 0.9))
def logit(x, /):
    """log(x / (1 - x)), the inverse of ``expit``, element by element.

    Args:
        x: numbers from 0 to 1, of any shape.

    Returns:
        Values of the same shape, as float32 or float64. Infinite at 0 and 1, nan outside.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.logit(hybrid.asarray([0.5, 0.9]))
    Tensor([0.        , 2.19722458], dtype=float64)
    """
    return scipy.special.logit(x)


@op(infer=ufunc("log_expit"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.log_expit"], samples=singles())
def log_expit(x, /):
    """The logarithm of ``expit``, element by element, exact also far to the left.

    Args:
        x: any shape, real.

    Returns:
        Logarithms of the same shape, as float32 or float64.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.log_expit(hybrid.asarray([0.0, -1000.0]))
    Tensor([-6.93147181e-01, -1.00000000e+03], dtype=float64)
    """
    return scipy.special.log_expit(x)


@op(infer=ufunc("entr"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.entr"], samples=singles(0.1, 3.0))
def entr(x, /):
    """-x * log(x), element by element: a summand of the entropy; 0 at 0.

    Args:
        x: any shape, real.

    Returns:
        Values of the same shape, as float32 or float64; minus infinity for negative x.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.entr(hybrid.asarray([0.0, 0.5]))
    Tensor([0.        , 0.34657359], dtype=float64)
    """
    return scipy.special.entr(x)


@op(
    infer=ufunc("rel_entr"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.rel_entr"], samples=pairs(0.1, 3.0)
)
def rel_entr(x, y, /):
    """x * log(x / y), element by element: a summand of the relative entropy; 0 where x is 0 and y isn't negative.

    Args:
        x: any shape, real.
        y: any shape that broadcasts with that of ``x``.

    Returns:
        Values of the broadcast shape, as float32 or float64. Infinite for other numbers that aren't positive.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.rel_entr(hybrid.asarray([0.0, 0.5]), 0.25)
    Tensor([0.        , 0.34657359], dtype=float64)
    """
    return scipy.special.rel_entr(x, y)


@op(infer=ufunc("kl_div"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.kl_div"], samples=pairs(0.1, 3.0))
def kl_div(x, y, /):
    """x * log(x / y) - x + y, element by element: a summand of the Kullback-Leibler divergence of positive measures.

    Args:
        x: any shape, real.
        y: any shape that broadcasts with that of ``x``.

    Returns:
        Values of at least 0, of the broadcast shape, as float32 or float64. Infinite for numbers below 0, and where ``y`` is 0
        and ``x`` isn't.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.kl_div(hybrid.asarray([0.0, 0.5]), 0.25)
    Tensor([0.25      , 0.09657359], dtype=float64)
    """
    return scipy.special.kl_div(x, y)


@op(infer=ufunc("xlogy"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.xlogy"], samples=pairs(0.1, 3.0))
def xlogy(x, y, /):
    """x * log(y), element by element; 0 where x is 0, unless y is nan.

    Args:
        x: any shape and dtype.
        y: any shape that broadcasts with that of ``x``.

    Returns:
        Values of the broadcast shape; integers, booleans and float16 become float64.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.special.xlogy(hybrid.asarray([0.0, 2.0]), hybrid.asarray([0.0, 3.0]))
    Tensor([0.        , 2.19722458], dtype=float64)
    """
    return scipy.special.xlogy(x, y)


@op(infer=ufunc("xlog1py"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.xlog1py"], samples=pairs(0.1, 3.0))
def xlog1py(x, y, /):
    """x * log(1 + y), element by element; 0 where x is 0, unless y is nan.

    Args:
        x: any shape and dtype.
        y: any shape that broadcasts with that of ``x``.

    Returns:
        Values of the broadcast shape; integers, booleans and float16 become float64.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.special.xlog1py(hybrid.asarray([0.0, 2.0]), hybrid.asarray([-1.0, 1e-10]))
    Tensor([0.e+00, 2.e-10], dtype=float64)
    """
    return scipy.special.xlog1py(x, y)


@op(
    infer=logs_of_sums,
    namespace="special",
    scipy=["scipy.special.logsumexp"],
    tensors=("b",),
    dtypes=DTYPES,
    samples=[
        sample((3, 4)),
        sample((3, 4), axis=0, keepdims=True),
        sample((2, 3, 4), axis=(0, -1)),
        sample((3, 4), (4,), axis=1, low=0.5),
        sample((3,), (2, 1), axis=0, low=0.5),
        sample((3, 4), given([1.0, -2.0, 3.0, 1.0]), axis=1, return_sign=True),
        sample((2, 3), given(2), axis=-1),
        sample(()),
        sample((0, 3), axis=0),
        sample((2, 1, 3), axis=1, return_sign=True),
    ],
)
def logsumexp(x, /, b=None, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, return_sign: bool = False):
    """log(sum(b * exp(x))) over axes, without overflow on the way.

    Args:
        x: any shape and dtype.
        b: factors; any shape that broadcasts with that of ``x``. All 1 if not given.
        axis: the axes to sum over; all if not given.
        keepdims: keep those axes, with size 1.
        return_sign: whether to return the logarithm of the sum's magnitude and, beside it, its sign (its phase, for complex
            numbers) instead of nan for the logarithm of a negative sum.

    Returns:
        Logarithms, and signs if asked for; integers and booleans become float64. Minus infinity for the sum of nothing.

    Raises:
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.
        ValueError: if the factors don't broadcast.

    >>> hybrid.special.logsumexp(hybrid.asarray([1000.0, 1000.0]))
    Tensor(1000.6931471805599, dtype=float64)
    """
    return scipy.special.logsumexp(x, axis, b, keepdims, return_sign)


@op(
    infer=normalised,
    namespace="special",
    scipy=["scipy.special.softmax"],
    dtypes=NUMERIC,
    samples=OVER,
    onnx="Softmax",
)
def softmax(x, /, *, axis: int | tuple[int, ...] | None = None):
    """exp(x) / sum(exp(x)) over axes, without overflow on the way.

    Unlike in SciPy, differences of integers don't wrap around on the way.

    Args:
        x: any shape, numeric.
        axis: the axes over which the numbers add up to 1; all if not given.

    Returns:
        Numbers from 0 to 1 that add up to 1, of the same shape; integers become floats.

    Raises:
        ValueError: if there are no numbers to add up.
        TypeError: for booleans.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.special.softmax(hybrid.asarray([[1.0, 2.0], [1000.0, 0.0]]), axis=1)
    Tensor([[0.26894142, 0.73105858],
            [1.        , 0.        ]], dtype=float64)
    """
    return scipy.special.softmax(as_inexact(x), axis)


@op(
    infer=normalised,
    namespace="special",
    scipy=["scipy.special.log_softmax"],
    dtypes=NUMERIC,
    samples=OVER,
    onnx="LogSoftmax",
)
def log_softmax(x, /, *, axis: int | tuple[int, ...] | None = None):
    """The logarithm of ``softmax``, exact also where that is small.

    Unlike in SciPy, differences of integers don't wrap around on the way.

    Args:
        x: any shape, numeric.
        axis: the axes over which the numbers add up to 1; all if not given.

    Returns:
        Logarithms of numbers that add up to 1, of the same shape; integers become floats.

    Raises:
        ValueError: if there are no numbers to add up.
        TypeError: for booleans.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.special.log_softmax(hybrid.asarray([[1.0, 2.0], [1000.0, 0.0]]), axis=1)
    Tensor([[-1.31326169e+00, -3.13261688e-01],
            [ 0.00000000e+00, -1.00000000e+03]], dtype=float64)
    """
    return scipy.special.log_softmax(as_inexact(x), axis)
