"""Special functions of SciPy: gamma, beta, zeta and Bessel functions."""

from __future__ import annotations

from typing import Any

import scipy

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import elementwise_as_run
from hybrid.ops._samples import given, pairs, sample, singles
from hybrid.ops._special import ufunc

__all__ = [
    "beta", "betaln", "digamma", "gamma", "gammainc", "gammaincc", "gammaln", "i0", "i0e", "i1", "i1e", "polygamma", "zeta",
]  # fmt: skip


def polygamma_of(n: Any, x: Any) -> Any:
    """SciPy's function: it isn't imported before it is called."""
    return scipy.special.polygamma(n, x)


def zeta_of(*operands: Any) -> Any:
    """SciPy's function: it isn't imported before it is called."""
    return scipy.special.zeta(*operands)


def zetas(x: Spec, q: Spec | None = None) -> Spec:
    """Like a function of one or of two operands."""
    return elementwise_as_run(zeta_of)(*(spec for spec in (x, q) if spec is not None))


@op(infer=ufunc("gamma"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.gamma"], samples=singles(0.5, 3.0))
def gamma(x, /):
    """The gamma function, element by element (DLMF 5.2.1): (n - 1)! for positive integers n.

    Args:
        x: any shape and dtype.

    Returns:
        Values, of the same shape; integers, booleans and float16 become float64. nan at negative integers, infinite at 0.

    >>> hybrid.special.gamma(hybrid.asarray([5.0, 0.5]))
    Tensor([24.        ,  1.77245385], dtype=float64)
    """
    return scipy.special.gamma(x)


@op(
    infer=ufunc("gammaln"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.gammaln"], samples=singles(0.5, 3.0)
)
def gammaln(x, /):
    """The logarithm of |gamma(x)|, element by element, without overflow on the way.

    Args:
        x: any shape, real.

    Returns:
        Logarithms, of the same shape; integers, booleans and float16 become float64. Infinite at 0 and negative integers.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.gammaln(hybrid.asarray([5.0, 1000.0]))
    Tensor([3.17805383e+00, 5.90522042e+03], dtype=float64)
    """
    return scipy.special.gammaln(x)


@op(infer=ufunc("digamma"), dtypes=DTYPES, namespace="special", scipy=["scipy.special.psi"], samples=singles(0.5, 3.0))
def digamma(x, /):
    """The derivative of the logarithm of ``gamma``, element by element (DLMF 5.2.2).

    Args:
        x: any shape and dtype.

    Returns:
        Values, of the same shape; integers, booleans and float16 become float64. nan at negative integers, minus infinity at 0.

    >>> hybrid.special.digamma(hybrid.asarray([1.0, 10.0]))
    Tensor([-0.57721566,  2.25175259], dtype=float64)
    """
    return scipy.special.digamma(x)


@op(
    infer=elementwise_as_run(polygamma_of),
    namespace="special",
    scipy=["scipy.special.polygamma"],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=[
        sample((3, 4), (3, 4), low=1.0),
        sample(given(1), (3, 4), low=0.5),
        sample(given([0, 1, 2]), (2, 1), low=0.5),
        sample(given(2), (), low=0.5),
        sample(given(1), (0, 3)),
        sample(given(0), given(2.5)),
    ],
)
def polygamma(n, x, /):
    """The n-th derivative of ``digamma``, element by element (DLMF 5.15).

    Args:
        n: whole numbers of at least 0, of any shape.
        x: any shape that broadcasts with that of ``n``, real.

    Returns:
        Values as float64, of the broadcast shape; nan for other ``n``.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.polygamma(1, hybrid.asarray([1.0, 2.0]))
    Tensor([1.64493407, 0.64493407], dtype=float64)
    """
    return polygamma_of(n, x)


@op(
    infer=ufunc("gammainc"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.gammainc"], samples=pairs(0.5, 3.0)
)
def gammainc(a, x, /):
    """The lower incomplete gamma function divided by the gamma function, element by element (DLMF 8.2.4).

    Args:
        a: any shape, real; at least 0.
        x: at least 0; any shape that broadcasts with that of ``a``.

    Returns:
        Values within [0, 1], of the broadcast shape, as float32 or float64; nan for negative operands.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.gammainc(0.5, hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 0.84270079], dtype=float64)
    """
    return scipy.special.gammainc(a, x)


@op(
    infer=ufunc("gammaincc"),
    dtypes=BOOL + INTEGERS + FLOATS,
    namespace="special",
    scipy=["scipy.special.gammaincc"],
    samples=pairs(0.5, 3.0),
)
def gammaincc(a, x, /):
    """1 - gammainc(a, x), element by element, exact also where it is small (DLMF 8.2.4).

    Args:
        a: any shape, real; at least 0.
        x: at least 0; any shape that broadcasts with that of ``a``.

    Returns:
        Values within [0, 1], of the broadcast shape, as float32 or float64; nan for negative operands.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.gammaincc(0.5, hybrid.asarray([0.0, 100.0]))
    Tensor([1.00000000e+00, 2.08848758e-45], dtype=float64)
    """
    return scipy.special.gammaincc(a, x)


@op(infer=ufunc("beta"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.beta"], samples=pairs(0.5, 3.0))
def beta(a, b, /):
    """The beta function gamma(a) * gamma(b) / gamma(a + b), element by element (DLMF 5.12.1).

    Args:
        a: any shape, real.
        b: any shape that broadcasts with that of ``a``.

    Returns:
        Values of the broadcast shape, as float32 or float64.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.beta(hybrid.asarray([1.0, 2.0]), 3.0)
    Tensor([0.33333333, 0.08333333], dtype=float64)
    """
    return scipy.special.beta(a, b)


@op(infer=ufunc("betaln"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.betaln"], samples=pairs(0.5, 3.0))
def betaln(a, b, /):
    """The logarithm of |beta(a, b)|, element by element, without overflow on the way.

    Args:
        a: any shape, real.
        b: any shape that broadcasts with that of ``a``.

    Returns:
        Logarithms, of the broadcast shape, as float32 or float64.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.special.betaln(hybrid.asarray([1.0, 2000.0]), 3000.0)
    Tensor([   -8.00636757, -3367.68438215], dtype=float64)
    """
    return scipy.special.betaln(a, b)


@op(
    infer=zetas,
    namespace="special",
    scipy=["scipy.special.zeta"],
    dtypes=DTYPES,
    samples=[*pairs(1.5, 3.0), *singles(1.5, 3.0)],
)
def zeta(x, q=None, /):
    """The sum of 1 / (k + q)**x over k = 0, 1, 2, …, element by element (DLMF 25.11.1); for q = 1 Riemann's zeta function.

    Args:
        x: any shape; real, or complex if ``q`` isn't given. Without ``q`` the function is continued to numbers below 1.
        q: any shape that broadcasts with that of ``x``, real; 1 if not given.

    Returns:
        Values of the broadcast shape, as float32 or float64, or complex; infinite where x is 1.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers where ``q`` is given.

    >>> hybrid.special.zeta(hybrid.asarray([2.0, 4.0]))
    Tensor([1.64493407, 1.08232323], dtype=float64)
    """
    return zeta_of(x) if q is None else zeta_of(x, q)


@op(infer=ufunc("i0"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.i0"], samples=singles())
def i0(x, /):
    """The modified Bessel function of the first kind and order 0, element by element (DLMF 10.25).

    Args:
        x: any shape, real.

    Returns:
        Values of the same shape, as float32 or float64.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.i0(hybrid.asarray([0.0, 1.0]))
    Tensor([1.        , 1.26606588], dtype=float64)
    """
    return scipy.special.i0(x)


@op(infer=ufunc("i0e"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.i0e"], samples=singles())
def i0e(x, /):
    """exp(-|x|) * i0(x), element by element, without overflow on the way.

    Args:
        x: any shape, real.

    Returns:
        Values of the same shape, as float32 or float64.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.i0e(hybrid.asarray([1.0, 1000.0]))
    Tensor([0.46575961, 0.01261724], dtype=float64)
    """
    return scipy.special.i0e(x)


@op(infer=ufunc("i1"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.i1"], samples=singles())
def i1(x, /):
    """The modified Bessel function of the first kind and order 1, element by element (DLMF 10.25).

    Args:
        x: any shape, real.

    Returns:
        Values of the same shape, as float32 or float64.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.i1(hybrid.asarray([0.0, 1.0]))
    Tensor([0.       , 0.5651591], dtype=float64)
    """
    return scipy.special.i1(x)


@op(infer=ufunc("i1e"), dtypes=BOOL + INTEGERS + FLOATS, namespace="special", scipy=["scipy.special.i1e"], samples=singles())
def i1e(x, /):
    """exp(-|x|) * i1(x), element by element, without overflow on the way.

    Args:
        x: any shape, real.

    Returns:
        Values of the same shape, as float32 or float64.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.special.i1e(hybrid.asarray([1.0, 1000.0]))
    Tensor([0.20791042, 0.01261093], dtype=float64)
    """
    return scipy.special.i1e(x)
