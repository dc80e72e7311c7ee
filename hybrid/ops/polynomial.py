"""Polynomials given by their coefficients, highest degree first; convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dim import DimLike, dim_max, dim_min, unknown
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, NUMERIC
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Rule, broadcast, dtype_as_run, may_agree
from hybrid.ops._samples import given, sample

__all__ = [
    "convolve", "correlate", "polyadd", "polyder", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots", "vander",
]  # fmt: skip


# -- convolutions ---------------------------------------------------------------------------------------------------
def overlap(mode: Any, n: DimLike, m: DimLike) -> DimLike:
    """The number of positions in which two sequences overlap: at all, as centred in the longer one, or wholly."""
    if mode == "full":
        return n + m - 1
    if mode == "same":
        return dim_max(n, m)
    if mode == "valid":
        return dim_max(n, m) - dim_min(n, m) + 1
    raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")


def checked_mode(mode: Any) -> str:
    """The name of a mode."""
    overlap(mode, 1, 1)
    return mode


def _convolved(a: Spec, v: Spec, *, mode: str = "full") -> Spec:
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError("object too deep for desired array")
    n, m = (*a.shape, 1)[0], (*v.shape, 1)[0]
    if n == 0 or m == 0:
        raise ValueError(f"{'a' if n == 0 else 'v'} cannot be empty")
    return Spec(dtype_as_run(np.convolve, a, v), (overlap(mode, n, m),))


def _correlated(a: Spec, v: Spec, *, mode: str = "valid") -> Spec:
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"object {'too deep' if a.ndim > 1 or v.ndim > 1 else 'of too small depth'} for desired array")
    if a.shape[0] == 0 or v.shape[0] == 0:
        raise ValueError(f"{'first' if a.shape[0] == 0 else 'second'} array argument cannot be empty")
    return Spec(dtype_as_run(np.correlate, a, v), (overlap(mode, a.shape[0], v.shape[0]),))


@op(
    infer=_convolved, numpy=[np.convolve], dtypes=DTYPES,
    samples=[
        sample((5,), (3,)), sample((2,), (6,), mode="same"), sample((4,), (3,), mode="valid"), sample((3,), (3,), mode="valid"),
        sample((), (4,)), sample((0,), (2,)), sample((2, 2), (2,)), sample((3,), (1,), mode="same"),
    ],
)  # fmt: skip
def convolve(a, v, /, *, mode: str = "full"):
    """The discrete convolution of two sequences: sum over m of a[m] * v[n - m].

    Args:
        a: one axis, any dtype.
        v: one axis, any dtype.
        mode: ``"full"``: wherever they overlap; ``"same"``: the middle part, as long as the longer one; ``"valid"``: where
            they overlap wholly.

    Returns:
        One axis of the promoted dtype: N + M - 1, max(N, M) or max(N, M) - min(N, M) + 1 elements.

    Raises:
        ValueError: for sequences without elements or with several axes, and an unknown mode.

    >>> hybrid.convolve(hybrid.asarray([1.0, 2.0, 3.0]), hybrid.asarray([0.0, 1.0, 0.5]))
    Tensor([0. , 1. , 2.5, 4. , 1.5], dtype=float64)
    """
    return np.convolve(a, v, checked_mode(mode))


@op(
    infer=_correlated, numpy=[np.correlate], dtypes=DTYPES,
    samples=[
        sample((5,), (3,)), sample((2,), (6,), mode="same"), sample((4,), (3,), mode="full"), sample((3,), (3,)), sample((2,), (4,)),
        sample((), (4,)), sample((2,), (0,)), sample((2, 2), (2,)),
    ],
)  # fmt: skip
def correlate(a, v, /, *, mode: str = "valid"):
    """The cross-correlation of two sequences: sum over n of a[n + k] * conj(v[n]).

    Args:
        a: one axis, any dtype.
        v: one axis, any dtype.
        mode: ``"full"``, ``"same"`` or ``"valid"``, as in ``hybrid.convolve``.

    Returns:
        One axis of the promoted dtype: N + M - 1, max(N, M) or max(N, M) - min(N, M) + 1 elements.

    Raises:
        ValueError: for sequences without elements or not of one axis, and an unknown mode.

    >>> hybrid.correlate(hybrid.asarray([1.0, 2.0, 3.0]), hybrid.asarray([0.0, 1.0, 0.5]), mode="same")
    Tensor([2. , 3.5, 3. ], dtype=float64)
    """
    return np.correlate(a, v, checked_mode(mode))


# -- values and arithmetic ------------------------------------------------------------------------------------------
def _values(p: Spec, x: Spec) -> Spec:
    if p.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    if p.shape[0] == 0:
        return Spec(x.dtype, x.shape)
    return Spec(dtype_as_run(np.polyval, p, x), broadcast(p.shape[1:], x.shape))


@op(
    infer=_values, numpy=[np.polyval], dtypes=DTYPES,
    samples=[
        sample((3,), (2, 4)), sample((1,), ()), sample((0,), (3,)), sample((3,), (0,)), sample((2, 3), (3,)), sample((3,), given(2)),
        sample((), (2,)), sample((4,), given(0.5)),
    ],
)  # fmt: skip
def polyval(p, x, /):
    """The values of a polynomial.

    Args:
        p: the coefficients along the first axis, highest degree first; further axes broadcast with ``x``.
        x: where to evaluate it; any shape and dtype.

    Returns:
        The values, of the shape of ``x`` and the promoted dtype.

    Raises:
        TypeError: for a number in place of coefficients.

    Source:
        Horner's rule: D. E. Knuth, The Art of Computer Programming, volume 2, section 4.6.4

    >>> hybrid.polyval(hybrid.asarray([3.0, 0.0, 1.0]), hybrid.asarray([0.0, 1.0, 5.0]))
    Tensor([ 1.,  4., 76.], dtype=float64)
    """
    return np.polyval(p, x)


def _longer(function: Any) -> Rule:
    def rule(a1: Spec, a2: Spec) -> Spec:
        must_be_coefficients(a1, a2)
        return Spec(dtype_as_run(function, a1, a2), (dim_max((*a1.shape, 1)[0], (*a2.shape, 1)[0]),))

    return rule


def must_be_coefficients(*polynomials: Any) -> None:
    """``ValueError`` for more than one axis."""
    if any(np.ndim(p) > 1 if not isinstance(p, Spec) else p.ndim > 1 for p in polynomials):
        raise ValueError("Polynomial must be 1d only.")


SUMMANDS = [sample((3,), (3,)), sample((2,), (4,)), sample((4,), ()), sample((0,), (2,)), sample((2, 2), (2,)), sample((3,), given(2.5))]


@op(infer=_longer(np.polyadd), numpy=[np.polyadd], dtypes=DTYPES, samples=SUMMANDS)
def polyadd(a1, a2, /):
    """The sum of two polynomials.

    Args:
        a1: coefficients on one axis, highest degree first.
        a2: coefficients on one axis, highest degree first.

    Returns:
        The coefficients of the sum, as many as the longer one has, of the promoted dtype.

    Raises:
        ValueError: for several axes.

    >>> hybrid.polyadd(hybrid.asarray([1, 2]), hybrid.asarray([9, 5, 4]))
    Tensor([9, 6, 6], dtype=int64)
    """
    must_be_coefficients(a1, a2)
    return np.polyadd(a1, a2)


@op(infer=_longer(np.polysub), numpy=[np.polysub], dtypes=DTYPES, samples=SUMMANDS)
def polysub(a1, a2, /):
    """The difference of two polynomials.

    Args:
        a1: coefficients on one axis, highest degree first.
        a2: coefficients on one axis, highest degree first.

    Returns:
        The coefficients of the difference, as many as the longer one has, of the promoted dtype.

    Raises:
        ValueError: for several axes.
        TypeError: for booleans.

    >>> hybrid.polysub(hybrid.asarray([2, 10, -2]), hybrid.asarray([3, 10, -4]))
    Tensor([-1,  0,  2], dtype=int64)
    """
    must_be_coefficients(a1, a2)
    return np.polysub(a1, a2)


def _multiplied(a1: Spec, a2: Spec) -> Spec:
    must_be_coefficients(a1, a2)
    return Spec(dtype_as_run(np.polymul, a1, a2), (unknown("coefficients"),))


@op(infer=_multiplied, numpy=[np.polymul], dtypes=DTYPES, samples=SUMMANDS)
def polymul(a1, a2, /):
    """The product of two polynomials.

    Args:
        a1: coefficients on one axis, highest degree first.
        a2: coefficients on one axis, highest degree first.

    Returns:
        The coefficients of the product, of the promoted dtype. Leading zeros of the factors are left out, so that only the
        values tell the size.

    Raises:
        ValueError: for several axes.

    >>> hybrid.polymul(hybrid.asarray([1, 2, 3]), hybrid.asarray([0, 5, 1]))
    Tensor([ 5, 11, 17,  3], dtype=int64)
    """
    must_be_coefficients(a1, a2)
    return np.polymul(a1, a2)


# -- calculus -------------------------------------------------------------------------------------------------------
def _coefficients(p: Any) -> DimLike:
    """How many coefficients there are; ``TypeError`` or ``ValueError`` unless they lie on one axis."""
    must_be_coefficients(p)
    if p.ndim == 0:
        raise TypeError("len() of unsized object")
    return p.shape[0]


def _repeatedly(function: Callable[..., Any], p: Any, m: int, *constants: Any) -> Any:
    """What NumPy gives for ``m`` derivatives or integrals; ``ValueError`` where calling itself as often is too deep for Python."""
    try:
        return function(p, m, *constants)
    except RecursionError:
        raise ValueError(f"wanted fewer derivatives or integrals at once, received m={m}") from None


def _derived(p: Spec, *, m: int = 1) -> Spec:
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    return Spec(dtype_as_run(np.polyder, p, m=m), (dim_max(_coefficients(p) - m, 0) if m else _coefficients(p),))


@op(
    infer=_derived, numpy=[np.polyder], dtypes=DTYPES,
    samples=[
        sample((4,)), sample((4,), m=2), sample((2,), m=3), sample((0,)), sample((3,), m=0), sample((2, 2)), sample((3,), m=-1), sample(()),
    ],
)  # fmt: skip
def polyder(p, /, *, m: int = 1):
    """The derivative of a polynomial.

    Args:
        p: coefficients on one axis, highest degree first.
        m: how many times to differentiate.

    Returns:
        The coefficients of the derivative, ``m`` fewer, of the dtype to which that of ``p`` and int64 promote.

    Raises:
        ValueError: for several axes and a negative ``m``.

    >>> hybrid.polyder(hybrid.asarray([1, 1, 1, 1]))
    Tensor([3, 2, 1], dtype=int64)
    """
    must_be_coefficients(p)
    return _repeatedly(np.polyder, p, m) if m else np.array(p)


def _integral(p: Spec, k: Spec | None = None, *, m: int = 1) -> Spec:
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    size = _coefficients(p)
    constants = m if k is None else (*k.shape, 1)[0]
    if isinstance(constants, int) and constants < m and constants != 1:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    return Spec(dtype_as_run(_with_constants, p, k, m=m), (size + m,))


def _with_constants(p: Any, k: Any, *, m: int) -> Any:
    return np.polyint(p, m, k)


@op(
    infer=_integral, numpy=[np.polyint], tensors=("k",), dtypes=DTYPES,
    samples=[
        sample((3,)), sample((3,), (2,), m=2), sample((2,), given(1.5), m=2), sample((0,)), sample((3,), m=0), sample((4,), (1,)),
        sample((3,), (1,), m=3), sample((2,), (2,), m=3), sample((2, 2)), sample((2,), m=-1), sample(()),
    ],
)  # fmt: skip
def polyint(p, /, *, m: int = 1, k: Any = None):
    """The antiderivative of a polynomial.

    Args:
        p: coefficients on one axis, highest degree first.
        m: how many times to integrate.
        k: the constant of each integration, the first one first; a single one serves for all. 0 if not given.

    Returns:
        The coefficients of the antiderivative, ``m`` more; at least float64.

    Raises:
        ValueError: for several axes, a negative ``m``, and fewer constants than ``m``.

    >>> hybrid.polyint(hybrid.asarray([3, 2, 1]), k=5)
    Tensor([1., 1., 1., 5.], dtype=float64)
    """
    must_be_coefficients(p)
    return _repeatedly(np.polyint, p, m, k) if m else np.array(p)


# -- roots and fits -------------------------------------------------------------------------------------------------
def _root_spec(p: Spec) -> Spec:
    must_be_coefficients(p)
    return Spec(dtype_as_run(roots_of, p), (unknown("roots"),))


def roots_of(p: Any) -> np.ndarray:
    """The roots, complex whatever they are."""
    p = np.atleast_1d(p)
    if p.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return np.roots(p).astype(np.result_type(p.dtype if p.dtype.kind in "fc" else np.float64, np.complex64))


@op(
    infer=_root_spec,
    dtypes=DTYPES,
    samples=[sample((4,), low=1), sample((2,), low=1), sample((0,)), sample((1,)), sample((2, 2)), sample(())],
)
def roots(p, /):
    """The roots of a polynomial, in no particular order; always complex.

    ``numpy.roots`` gives real numbers where all roots are real; here the dtype doesn't depend on values.

    Args:
        p: coefficients on one axis, highest degree first; any dtype but float16.

    Returns:
        The roots, complex64 for float32 and complex64, else complex128. Leading zeros of ``p`` are left out, so that only the
        values tell how many there are.

    Raises:
        ValueError: for several axes.
        LinAlgError: for coefficients that are not finite.

    Source:
        Eigenvalues of the companion matrix: R. A. Horn, C. R. Johnson, Matrix Analysis, section 3.3

    >>> hybrid.roots(hybrid.asarray([1.0, 0.0, -4.0]))
    Tensor([-2.+0.j,  2.+0.j], dtype=complex128)
    """
    must_be_coefficients(p)
    return roots_of(p)


def _powers(x: Spec, *, N: Any = None, increasing: bool = False) -> Spec:
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    if isinstance(N, int) and N < 0:
        raise ValueError("negative dimensions are not allowed")
    return Spec(dtype_as_run(np.vander, x), (x.shape[0], x.shape[0] if N is None else N))


@op(
    infer=_powers, numpy=[np.vander], dtypes=DTYPES,
    samples=[
        sample((3,)), sample((3,), N=2), sample((2,), N=4, increasing=True), sample((0,)), sample((3,), N=0), sample((2, 2)),
        sample((2,), N=-1),
    ],
)  # fmt: skip
def vander(x, /, *, N: int | None = None, increasing: bool = False):
    """The Vandermonde matrix: the powers of each element in a row.

    Args:
        x: one axis, any dtype.
        N: how many powers; as many as there are elements if not given.
        increasing: from the power 0 upwards, not downwards to it.

    Returns:
        A row for each element, ``N`` columns, of the dtype to which that of ``x`` and int64 promote.

    Raises:
        ValueError: for other than one axis, and a negative ``N``.

    >>> hybrid.vander(hybrid.asarray([2, 3]), N=3)
    Tensor([[4, 2, 1],
            [9, 3, 1]], dtype=int64)
    """
    return np.vander(x, N, increasing)


def _fitted(
    x: Spec, y: Spec, w: Spec | None = None, *, deg: int, rcond: float | None = None, full: bool = False, cov: Any = False
) -> Spec | tuple[Spec, ...]:
    _check_points(x, y, w, deg)
    coefficients, residuals, rank, singular, cutoff, matrix = dtype_as_run(_parts, x, y, w, rcond=rcond)
    size, count, sets = deg + 1, x.shape[0], y.shape[1:]
    best = Spec(coefficients, (size, *sets))
    if full:
        found = 0 if isinstance(count, int) and count <= size else unknown("residuals")
        return best, Spec(residuals, (found,)), Spec(rank, ()), Spec(singular, (dim_min(count, size),)), Spec(cutoff, ())
    if not cov:
        return best
    if cov != "unscaled" and isinstance(count, int) and count <= size:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    if cov == "unscaled":
        return best, Spec(matrix, (size, size, *(1 for _ in sets)))
    return best, Spec(np.result_type(matrix, residuals), (size, size, *sets))


def _check_points(x: Spec, y: Spec, w: Spec | None, deg: int) -> None:
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.shape[0] == 0:
        raise TypeError("expected non-empty vector for x")
    if not 1 <= y.ndim <= 2:
        raise TypeError("expected 1D or 2D array for y")
    if not may_agree(x.shape, y.shape[:1]):
        raise TypeError("expected x and y to have same length")
    if w is not None and w.ndim != 1:
        raise TypeError("expected a 1-d array for weights")
    if w is not None and not may_agree(w.shape, y.shape[:1]):
        raise TypeError("expected w and y to have the same length")


def _parts(x: Any, y: Any, w: Any, *, rcond: float | None) -> Any:
    """What a full fit gives, with NumPy numbers for Python's, and the matrix of powers."""
    coefficients, residuals, rank, singular, cutoff = np.polyfit(x, y, 0, rcond, True, w)
    return coefficients, residuals, np.int32(rank), singular, np.asarray(cutoff), np.vander(np.asarray(x) + 0.0, 1)


NODES = given([0.0, 1.0, 2.0, 3.5, 5.0])


@op(
    infer=_fitted, numpy=[np.polyfit], tensors=("w",), dtypes=BOOL + INTEGERS + FLOATS + NUMERIC[-2:],
    samples=[
        sample(NODES, (5,), deg=2), sample(NODES, (5, 2), deg=1), sample(NODES, (5,), given([1.0, 2.0, 1.0, 0.5, 1.0]), deg=1),
        sample(NODES, (5,), deg=1, full=True), sample(NODES, (5,), deg=1, cov=True), sample(NODES, (5, 2), deg=2, cov="unscaled"),
        sample(NODES, (5, 2), deg=1, cov=True), sample(NODES, (5,), deg=1, full=True, rcond=1e-3), sample(NODES, (5,), deg=4, cov=True),
        sample((3,), (4,), deg=1), sample((2, 2), (2,), deg=1), sample((0,), (0,), deg=0),
    ],
)  # fmt: skip
def polyfit(x, y, /, *, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: bool | str = False):
    """The polynomial that fits points best, by least squares.

    Args:
        x: where the points are: M numbers on one axis.
        y: their values: M numbers, or (M, K) for K sets of values.
        deg: the degree.
        rcond: singular values below this part of the largest are taken for zero; M times the machine precision if not given.
        full: also return what the solver found out.
        w: weights, M numbers; they multiply the residuals (not their squares).
        cov: also return the covariance matrix of the coefficients, scaled so that chi² per degree of freedom is 1;
            ``"unscaled"`` if the weights are reciprocals of known deviations.

    Returns:
        The ``deg + 1`` coefficients, or (``deg + 1``, K), highest degree first, at least float64; with ``full`` the tuple
        (coefficients, sums of squared residuals, rank, singular values, rcond); with ``cov`` the pair (coefficients, covariances).

    Raises:
        ValueError: for a negative degree, and too few points for ``cov``.
        TypeError: for arrays of wrong shapes, and float16.
        LinAlgError: if the computation doesn't converge.

    >>> hybrid.polyfit(hybrid.asarray([0.0, 1.0, 2.0]), hybrid.asarray([1.0, 3.0, 5.0]), deg=1).round(6)
    Tensor([2., 1.], dtype=float64)
    """
    results = np.polyfit(x, y, deg, rcond, full, w, cov)
    if not full:
        return results
    coefficients, residuals, rank, singular, cutoff = results
    return coefficients, residuals, np.int32(rank), singular, np.asarray(cutoff)[()]
