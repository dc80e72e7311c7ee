"""Factorisations of matrices, and solving with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np
import scipy

from hybrid.core.dim import dim_min
from hybrid.core.dtypes import DTYPES, INEXACT
from hybrid.core.op import op
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import NUMPY
from hybrid.ops._cores import as_run, core_shape, empties, must_be_square, single, sizes_differ
from hybrid.ops._infer import Shape
from hybrid.ops._samples import given, sample

__all__ = ["cho_solve", "cholesky", "lu", "lu_factor", "lu_solve", "qr", "solve_triangular", "svd", "svdvals"]

QRResult: Final = type(np.linalg.qr(np.eye(1)))
"""NumPy's pair (Q, R)."""

SVDResult: Final = type(np.linalg.svd(np.eye(1)))
"""NumPy's triple (U, S, Vh)."""

TALL: Final = [sample((4, 2)), sample((2, 4)), sample((2, 3, 3)), sample((1, 1)), sample((0, 2)), sample((2, 3, 0)), sample((0, 2, 3))]
"""Matrices: tall, wide, stacked, of size 1, without elements."""


def _tall_or_wide(x: Spec) -> tuple[Any, ...]:
    """The stack's shape, the two sizes of the matrices, and the smaller of them."""
    *stack, m, n = x.shape
    return tuple(stack), m, n, dim_min(m, n)


# -- Cholesky -------------------------------------------------------------------------------------------------------
def _cholesky_rule(x: Spec, *, upper: bool) -> Spec:
    dtype = as_run(np.linalg.cholesky, x, upper=upper)
    must_be_square(x)
    return Spec(dtype, x.shape)


@op(
    namespace="linalg",
    infer=_cholesky_rule,
    numpy=[np.linalg.cholesky],
    dtypes=DTYPES,
    samples=[
        sample((1, 1), low=0.5), sample((2, 1, 1), low=0.5, upper=True), sample((0, 0)), sample((0, 2, 2)),
        sample(given([[4.0, 1.0], [1.0, 3.0]])), sample(given([[[4, 1], [1, 3]], [[2, 0], [0, 1]]]), upper=True),
        sample(given([[2, 1j, 0], [-1j, 3, 1], [0, 1, 2]])), sample(given([[4.0, 1.0], [1.0, 3.0]], "float32")),
    ],
)  # fmt: skip
def cholesky(x, /, *, upper: bool = False):
    """The Cholesky factor of a positive definite matrix: ``x = L @ L.conj().mT`` with L lower triangular.

    Args:
        x: Hermitian matrices, (..., M, M), any dtype but float16; only the lower (or upper) triangle is read.
        upper: give U = ``L.conj().mT`` instead, made from the upper triangle.

    Returns:
        (..., M, M), of the dtype of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for a matrix that isn't positive definite, and for matrices that aren't square.
        TypeError: for float16.

    >>> hybrid.linalg.cholesky(hybrid.asarray([[4.0, 2.0], [2.0, 5.0]]))
    Tensor([[2., 0.],
            [1., 2.]], dtype=float64)
    """
    return np.linalg.cholesky(x, upper=upper)


def _solution_shape(name: str, a: Shape, b: Shape) -> Shape:
    return core_shape(name, "(m,m),(m)->(m)" if len(b) == 1 else "(m,m),(m,n)->(m,n)", [a, b])


def _cho_solve_rule(c: Spec, b: Spec, *, lower: bool, check_finite: bool) -> Spec:
    return Spec(as_run(_cho_solve, single(c), single(b)), _solution_shape("cho_solve", c.shape, b.shape))


def _cho_solve(c: Any, b: Any, lower: bool = True, check_finite: bool = True) -> Any:
    return scipy.linalg.cho_solve((c, bool(lower)), b, check_finite=check_finite)


@op(
    namespace="linalg",
    infer=_cho_solve_rule,
    dtypes=DTYPES,
    samples=[
        sample((1, 1), (1, 2), low=0.5), sample(given([[2.0, 0.0], [1.0, 3.0]]), (2,)),
        sample(given([[2.0, 1.0], [0.0, 3.0]]), (2, 3), lower=False), sample(given([[[2.0, 0.0], [1.0, 3.0]]]), (4, 2, 1)),
        sample((0, 0), (0,)), sample((2, 2), (2, 0), low=0.5), sample((0, 2, 2), (2, 1)),
    ],
)  # fmt: skip
def cho_solve(c, b, /, *, lower: bool = True, check_finite: bool = True):
    """The solution x of ``a @ x = b``, from the Cholesky factor of a.

    Args:
        c: the factors, (..., M, M), any dtype.
        b: (M,), or (..., M, K); leading axes broadcast.
        lower: whether ``c`` is lower triangular, as ``hybrid.linalg.cholesky`` gives it; else ``a = c.conj().mT @ c``.
        check_finite: refuse infinities and NaN.

    Returns:
        (..., M) for a vector, else (..., M, K); a float dtype of 32 bits or more that holds both operands.

    Raises:
        ValueError: for sizes that don't fit, and for infinities and NaN.

    >>> factor = hybrid.linalg.cholesky(hybrid.asarray([[4.0, 2.0], [2.0, 5.0]]))
    >>> hybrid.linalg.cho_solve(factor, hybrid.asarray([8.0, 12.0]))
    Tensor([1., 2.], dtype=float64)
    """
    c, b = np.asarray(c), np.asarray(b)
    if 0 in c.shape or 0 in b.shape:
        return empties(_cho_solve_rule, c, b, lower=lower, check_finite=check_finite)
    return _cho_solve(c, b, lower, check_finite)


def _scipy_cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    c, lower = c_and_lower
    return cho_solve(c, b, lower=bool(lower), check_finite=check_finite)


NUMPY.later("scipy.linalg.cho_solve", lambda _: _scipy_cho_solve)


def _triangular_rule(a: Spec, b: Spec, *, lower: bool, trans: Any, unit_diagonal: bool, check_finite: bool) -> Spec:
    dtype = as_run(_solve_triangular, single(a), single(b), trans=trans)
    if sizes_differ(*a.shape[-2:]):
        raise ValueError("expected square matrix")
    return Spec(dtype, _solution_shape("solve_triangular", a.shape, b.shape))


def _solve_triangular(a: Any, b: Any, lower: bool = False, trans: Any = 0, unit_diagonal: bool = False, check_finite: bool = True) -> Any:
    if a.ndim < 2 or b.ndim < 1:
        raise ValueError(f"wanted matrices and a right-hand side of one axis or more, received the shapes {a.shape} and {b.shape}")
    return scipy.linalg.solve_triangular(
        a, b, trans=_transposition(trans), lower=bool(lower), unit_diagonal=bool(unit_diagonal), check_finite=check_finite
    )


def _transposition(trans: Any) -> int:
    """0 for the matrix itself, 1 for its transpose, 2 for its conjugate transpose."""
    known = {"N": 0, "T": 1, "C": 2, 0: 0, 1: 1, 2: 2}
    if trans not in known:
        raise ValueError(f"wanted a trans among 0, 1, 2, 'N', 'T' and 'C', received {trans!r}")
    return known[trans]


@op(
    namespace="linalg",
    infer=_triangular_rule,
    scipy=["scipy.linalg.solve_triangular"],
    dtypes=DTYPES,
    samples=[
        sample((1, 1), (1, 2), low=0.5), sample((3, 3), (3,)), sample((3, 3), (3, 2), lower=True), sample((2, 3, 3), (3, 2), trans=1),
        sample((2, 1, 2, 2), (3, 2, 1), lower=True, trans="C"), sample((3, 3), (3,), unit_diagonal=True), sample((0, 0), (0,)),
        sample((0, 2, 2), (2, 3)), sample((2, 2), (2, 0)),
    ],
)  # fmt: skip
def solve_triangular(a, b, /, *, lower: bool = False, trans: int | str = 0, unit_diagonal: bool = False, check_finite: bool = True):
    """The solution x of ``a @ x = b`` for a triangular matrix.

    Args:
        a: the matrices, (..., M, M), any dtype; the other triangle isn't read.
        b: (M,), or (..., M, K); leading axes broadcast.
        lower: whether ``a`` is lower triangular.
        trans: 0 or "N": solve with a; 1 or "T": with its transpose; 2 or "C": with its conjugate transpose.
        unit_diagonal: take the diagonal as ones, and don't read it.
        check_finite: refuse infinities and NaN.

    Returns:
        (..., M) for a vector, else (..., M, K); a float dtype of 32 bits or more that holds both operands.

    Raises:
        LinAlgError: for a zero on the diagonal.
        ValueError: for sizes that don't fit, for infinities and NaN, and for another ``trans``.

    >>> hybrid.linalg.solve_triangular(hybrid.asarray([[1.0, 2.0], [0.0, 4.0]]), hybrid.asarray([5.0, 8.0]))
    Tensor([1., 2.], dtype=float64)
    """
    a, b = np.asarray(a), np.asarray(b)
    if 0 in a.shape or 0 in b.shape:
        return empties(_triangular_rule, a, b, lower=lower, trans=trans, unit_diagonal=unit_diagonal, check_finite=check_finite)
    return _solve_triangular(a, b, lower, trans, unit_diagonal, check_finite)


# -- QR -------------------------------------------------------------------------------------------------------------
def _qr_rule(x: Spec, *, mode: str) -> Any:
    dtypes = as_run(_qr, x, mode=mode)
    stack, m, n, k = _tall_or_wide(x)
    if mode == "r":
        return Spec(dtypes, (*stack, k, n))
    inner = m if mode == "complete" else k
    return Spec(dtypes[0], (*stack, m, inner)), Spec(dtypes[1], (*stack, inner, n))


def _qr(x: Any, mode: str) -> Any:
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"wanted a mode among 'reduced', 'complete' and 'r', received {mode!r}")
    return np.linalg.qr(x, mode)


@op(
    namespace="linalg",
    infer=_qr_rule,
    dtypes=DTYPES,
    returns=QRResult,
    samples=[
        *TALL, sample((3, 2), mode="complete"), sample((2, 3, 2), mode="r"), sample((2, 0), mode="complete"), sample((2, 3), mode="r"),
    ],
)  # fmt: skip
def qr(x, /, *, mode: Literal["reduced", "complete", "r"] = "reduced"):
    """The factors of ``x = Q @ R``: Q has orthonormal columns, R is upper triangular.

    Args:
        x: matrices, (..., M, N), any dtype but float16.
        mode: ``"reduced"``: K = min(M, N) columns of Q; ``"complete"``: K = M; ``"r"``: only R, as a single array.

    Returns:
        ``(Q, R)``: (..., M, K) and (..., K, N), of the dtype of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for fewer than two axes.
        ValueError: for another mode.
        TypeError: for float16.

    >>> x = hybrid.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> q, r = hybrid.linalg.qr(x)
    >>> bool(abs(q @ r - x).max() < 1e-12), float(r[1, 0])
    (True, 0.0)
    """
    return _qr(x, mode)


def _qr_raw_rule(x: Spec) -> tuple[Spec, ...]:
    dtypes = as_run(_qr_raw, x)
    stack, m, n, k = _tall_or_wide(x)
    return Spec(dtypes[0], (*stack, n, m)), Spec(dtypes[1], (*stack, k))


def _qr_raw(x: Any) -> Any:
    return np.linalg.qr(x, "raw")


@op(name="qr_raw", namespace="linalg", infer=_qr_raw_rule, dtypes=DTYPES, samples=TALL, no_gradient="LAPACK's packed form")
def qr_raw(x, /):
    """The QR factors as LAPACK's ``geqrf`` packs them: ``numpy.linalg.qr(x, "raw")``.

    Args:
        x: matrices, (..., M, N), any dtype but float16.

    Returns:
        ``(h, tau)``: (..., N, M), R and the reflectors, transposed; and (..., min(M, N)), their factors.

    Raises:
        LinAlgError: for fewer than two axes.
        TypeError: for float16.

    >>> h, tau = np.linalg.qr(hybrid.asarray([[1.0, 2.0, 3.0]]), "raw")
    >>> h.shape, tau
    ((3, 1), Tensor([0.], dtype=float64))
    """
    return _qr_raw(x)


@qr.from_numpy(np.linalg.qr)
def _numpy_qr(a: Any, mode: Any = "reduced") -> Any:
    return qr_raw(a) if mode == "raw" else qr(a, mode=mode)


# -- singular values ------------------------------------------------------------------------------------------------
def _svd_rule(x: Spec, *, full_matrices: bool, hermitian: bool) -> tuple[Spec, ...]:
    dtypes = as_run(np.linalg.svd, x, full_matrices=full_matrices, hermitian=hermitian)
    if hermitian:
        must_be_square(x)
    stack, m, n, k = _tall_or_wide(x)
    shapes = ((m, m), (k,), (n, n)) if full_matrices and not hermitian else ((m, k), (k,), (k, n))
    return tuple(Spec(dtype, stack + core) for dtype, core in zip(dtypes, shapes, strict=True))


@op(
    namespace="linalg",
    infer=_svd_rule,
    dtypes=DTYPES,
    returns=SVDResult,
    samples=[
        *TALL, sample((4, 2), full_matrices=False), sample((2, 2, 4), full_matrices=False), sample((3, 3), hermitian=True),
        sample((0, 2), full_matrices=False),
    ],
)  # fmt: skip
def svd(x, /, *, full_matrices: bool = True, hermitian: bool = False):
    """The singular value decomposition ``x = U * S @ Vh``: U and Vh are unitary, S is real, not negative and descends.

    Args:
        x: matrices, (..., M, N), any dtype but float16.
        full_matrices: give U and Vh as square matrices, else only their min(M, N) columns and rows that S meets.
        hermitian: take ``x`` as Hermitian, from its lower triangle, which is faster.

    Returns:
        ``(U, S, Vh)``: (..., M, M), (..., min(M, N)) and (..., N, N), or less of U and Vh; of the dtype of ``x`` and the real dtype
        that belongs to it; float64 for integers and booleans.

    Raises:
        LinAlgError: for fewer than two axes, and if the computation doesn't converge.
        TypeError: for float16.

    >>> hybrid.linalg.svd(hybrid.asarray([[0.0, 3.0], [4.0, 0.0]])).S
    Tensor([4., 3.], dtype=float64)
    """
    return np.linalg.svd(x, full_matrices=full_matrices, hermitian=hermitian)


def _svdvals_rule(x: Spec, *, hermitian: bool) -> Spec:
    dtype = as_run(_svdvals, x, hermitian=hermitian)
    if hermitian:
        must_be_square(x)
    stack, _, _, k = _tall_or_wide(x)
    return Spec(dtype, (*stack, k))


def _svdvals(x: Any, hermitian: bool = False) -> Any:
    return np.linalg.svd(x, compute_uv=False, hermitian=hermitian)


@op(namespace="linalg", infer=_svdvals_rule, numpy=[np.linalg.svdvals], dtypes=DTYPES, samples=[*TALL, sample((3, 3), hermitian=True)])
def svdvals(x, /, *, hermitian: bool = False):
    """The singular values, in descending order.

    Args:
        x: matrices, (..., M, N), any dtype but float16.
        hermitian: take ``x`` as Hermitian, from its lower triangle, which is faster.

    Returns:
        (..., min(M, N)), of the real dtype that belongs to that of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for fewer than two axes, and if the computation doesn't converge.
        TypeError: for float16.

    >>> hybrid.linalg.svdvals(hybrid.asarray([[0.0, 3.0], [4.0, 0.0]]))
    Tensor([4., 3.], dtype=float64)
    """
    return _svdvals(x, hermitian)


@svd.from_numpy(np.linalg.svd)
def _numpy_svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    if not compute_uv:
        return svdvals(a, hermitian=hermitian)
    return svd(a, full_matrices=full_matrices, hermitian=hermitian)


# -- LU -------------------------------------------------------------------------------------------------------------
def _lu_rule(x: Spec, *, permute_l: bool, p_indices: bool, check_finite: bool) -> tuple[Spec, ...]:
    dtypes = as_run(_lu, single(x), permute_l=permute_l, p_indices=p_indices)
    stack, m, n, k = _tall_or_wide(x)
    factors = ((*stack, m, k), (*stack, k, n))
    shapes = factors if permute_l else ((*stack, m) if p_indices else (*stack, m, m), *factors)
    return tuple(Spec(dtype, shape) for dtype, shape in zip(dtypes, shapes, strict=True))


def _lu(x: Any, permute_l: bool = False, p_indices: bool = False, check_finite: bool = True) -> Any:
    """SciPy's factors, with the same dtype and shape of the permutation for matrices of size 1 and without elements as for others."""
    results = scipy.linalg.lu(x, permute_l=permute_l, p_indices=p_indices, check_finite=check_finite)
    if permute_l:
        return results
    p, lower, upper = results
    if x.size == 0:
        identity = np.arange(x.shape[-2]) if p_indices else np.eye(x.shape[-2])
        p = np.broadcast_to(identity, x.shape[:-2] + identity.shape)
    return p.real.astype(np.int32 if p_indices else lower.real.dtype), lower, upper


@op(
    namespace="linalg",
    infer=_lu_rule,
    scipy=["scipy.linalg.lu"],
    dtypes=DTYPES,
    samples=[
        *TALL, sample((3, 4), permute_l=True), sample((2, 3, 2), p_indices=True), sample((1, 1), p_indices=True),
        sample((3, 0), p_indices=True),
    ],
)  # fmt: skip
def lu(x, /, *, permute_l: bool = False, p_indices: bool = False, check_finite: bool = True):
    """The factors of ``x = P @ L @ U``: P permutes rows, L is lower triangular with ones on its diagonal, U is upper triangular.

    Args:
        x: matrices, (..., M, N), any dtype.
        permute_l: give ``(P @ L, U)``.
        p_indices: give P as indices, so that ``x = L[P] @ U``.
        check_finite: refuse infinities and NaN.

    Returns:
        ``(P, L, U)``: (..., M, M) or, as indices, (..., M) and int32; (..., M, K); (..., K, N), where K = min(M, N). The dtype is
        ``x``'s, or a float dtype of 32 bits or more; P is real.

    Raises:
        ValueError: for fewer than two axes, and for infinities and NaN.

    >>> p, l, u = hybrid.linalg.lu(hybrid.asarray([[1.0, 1.0], [2.0, 4.0]]))
    >>> u
    Tensor([[ 2.,  4.],
            [ 0., -1.]], dtype=float64)
    """
    return _lu(np.asarray(x), permute_l, p_indices, check_finite)


def _lu_factor_rule(x: Spec, *, check_finite: bool) -> tuple[Spec, ...]:
    if x.ndim < 2:
        raise ValueError(f"wanted matrices of two axes or more, received {x}")
    dtype, index = as_run(scipy.linalg.lu_factor, Spec(x.dtype, (1, 1)))
    stack, _, _, k = _tall_or_wide(x)
    return Spec(dtype, x.shape), Spec(index, (*stack, k))


@op(
    namespace="linalg",
    infer=_lu_factor_rule,
    scipy=["scipy.linalg.lu_factor"],
    dtypes=DTYPES,
    samples=[TALL[0], *(replace(s, dtypes=INEXACT) for s in TALL[1:])],
)
def lu_factor(x, /, *, check_finite: bool = True):
    """The LU factors in one matrix, for ``hybrid.linalg.lu_solve``.

    Args:
        x: matrices, (..., M, N), any dtype.
        check_finite: refuse infinities and NaN.

    Returns:
        ``(lu, piv)``: (..., M, N), U and below its diagonal L, of the dtype of ``x`` or a float dtype of 32 bits or more; and
        (..., min(M, N)), int32: row i was exchanged with row ``piv[i]``.

    Raises:
        ValueError: for fewer than two axes, and for infinities and NaN.

    >>> factors, pivots = hybrid.linalg.lu_factor(hybrid.asarray([[1.0, 1.0], [2.0, 4.0]]))
    >>> pivots
    Tensor([1, 1], dtype=int32)
    """
    x = np.asarray(x)
    if x.ndim < 2 or x.size == 0:
        return empties(_lu_factor_rule, x, check_finite=check_finite)
    return tuple(scipy.linalg.lu_factor(x, check_finite=check_finite))


def _lu_solve_rule(lu_and_piv: Any, b: Spec, *, trans: Any, check_finite: bool) -> Spec:
    factors, pivots = lu_and_piv
    _transposition(trans)
    dtype = as_run(_lu_solve_ones, single(factors), single(b))
    if pivots.dtype.kind not in "iu":
        raise TypeError(f"wanted pivots that are integers, received {pivots.dtype.name}")
    core = "(m,m),(m),(m)->(m)" if b.ndim == 1 else "(m,m),(m),(m,n)->(m,n)"
    return Spec(dtype, core_shape("lu_solve", core, [factors.shape, pivots.shape, b.shape]))


def _lu_solve_ones(factors: Any, b: Any) -> Any:
    return scipy.linalg.lu_solve((factors, np.zeros(1, np.int32)), b)


def _must_be_rows(pivots: Any, m: int) -> None:
    """LAPACK would exchange rows that lie outside of the matrix."""
    if pivots.min() < 0 or pivots.max() >= m:
        raise ValueError(f"wanted pivots from 0 to {m - 1}, received values from {pivots.min()} to {pivots.max()}")


@op(
    namespace="linalg",
    infer=_lu_solve_rule,
    scipy=["scipy.linalg.lu_solve"],
    sequences=["lu_and_piv"],
    dtypes=DTYPES,
    samples=[
        sample([given([[2.0, 1.0], [0.5, 3.0]]), given([1, 1], "int32")], (2,)),
        sample([given([[2.0, 1.0], [0.5, 3.0]]), given([0, 1], "int32")], (2, 3), trans=1),
        sample([given([[[2.0, 1.0], [0.5, 3.0]]]), given([[0, 1]], "int32")], (4, 2, 1), trans=2),
        sample([(0, 0), given([], "int32")], (0,)), sample([(2, 2), given([0, 1], "int32")], (0, 2, 1), low=0.5),
    ],
)  # fmt: skip
def lu_solve(lu_and_piv, b, /, *, trans: int | str = 0, check_finite: bool = True):
    """The solution x of ``a @ x = b``, from the LU factors of a.

    Args:
        lu_and_piv: what ``hybrid.linalg.lu_factor`` gave for a: (..., M, M) and (..., M).
        b: (M,), or (..., M, K); leading axes broadcast.
        trans: 0 or "N": solve with a; 1 or "T": with its transpose; 2 or "C": with its conjugate transpose.
        check_finite: refuse infinities and NaN in ``b``.

    Returns:
        (..., M) for a vector, else (..., M, K); a float dtype of 32 bits or more that holds both operands.

    Raises:
        ValueError: for sizes that don't fit, for infinities and NaN, for pivots that are no rows, and for another ``trans``.
        TypeError: for pivots that aren't integers.

    >>> factors = hybrid.linalg.lu_factor(hybrid.asarray([[1.0, 1.0], [2.0, 4.0]]))
    >>> hybrid.linalg.lu_solve(factors, hybrid.asarray([3.0, 10.0]))
    Tensor([1., 2.], dtype=float64)
    """
    factors, pivots, b = (np.asarray(x) for x in (*lu_and_piv, b))
    spec = _lu_solve_rule([spec_of(factors), spec_of(pivots)], spec_of(b), trans=trans, check_finite=check_finite)
    if 0 in spec.shape:
        return np.zeros(spec.shape, spec.dtype)
    _must_be_rows(pivots, factors.shape[-1])
    return scipy.linalg.lu_solve((factors, pivots), b, trans=_transposition(trans), check_finite=check_finite)
