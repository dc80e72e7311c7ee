"""Functions of whole matrices, and matrices built of vectors and blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy

from hybrid.core.dim import DimLike
from hybrid.core.dtypes import DTYPES, NUMERIC
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._cores import as_run, empties, must_be_square
from hybrid.ops._infer import Rule, Shape, broadcast
from hybrid.ops._samples import given, sample

__all__ = ["block_diag", "expm", "logm", "sqrtm", "toeplitz"]

SQUARE: Final = [sample((3, 3)), sample((1, 1), low=0.5), sample((2, 3, 3)), sample((0, 0)), sample((0, 2, 2)), sample((2, 1, 2, 2))]
"""Square matrices: one, of size 1, stacked, without elements."""

REGULAR: Final = [
    sample((1, 1), low=0.5, dtypes=NUMERIC), sample(given([[2.0, 1.0], [0.5, 3.0]])), sample(given([[2, 1], [1, 3]])), sample((0, 0)),
    sample((0, 2, 2)), sample(given([[True]])), sample(given([[2.0, 1.0], [-1.0, 2.0]], "float32")),
    sample(given([[[1j, 1], [0, 2]], [[1, 0], [2, 1]]])),
]  # fmt: skip
"""Square matrices without eigenvalues near zero or on the negative axis."""


# -- functions of matrices ------------------------------------------------------------------------------------------
def _function_rule(kernel: Callable[..., Any]) -> Rule:
    def rule(x: Spec) -> Spec:
        _must_be_matrix(x)
        dtype = as_run(kernel, Spec(x.dtype, (1, 1)))
        must_be_square(x)
        return Spec(dtype, x.shape)

    return rule


def _must_be_matrix(x: Any) -> None:
    if len(x.shape) < 2:
        raise np.linalg.LinAlgError("The input array must be at least two-dimensional")


def _floating(x: Any) -> Any:
    """The matrices in a dtype that LAPACK has: SciPy's own choice depends on their size."""
    x = np.asarray(x)
    _must_be_matrix(x)
    if x.dtype.kind in "biu":
        return x.astype(np.float64)
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _expm(x: Any) -> Any:
    return scipy.linalg.expm(_floating(x))


@op(namespace="linalg", infer=_function_rule(_expm), scipy=["scipy.linalg.expm"], dtypes=DTYPES, samples=SQUARE)
def expm(x, /):
    """The matrix exponential, by scaling, a Padé approximant and squaring.

    Source: A. H. Al-Mohy, N. J. Higham, doi:10.1137/09074721X.

    Args:
        x: matrices, (..., M, M), any dtype.

    Returns:
        (..., M, M), of the dtype of ``x``; float64 for integers and booleans, float32 for float16.

    Raises:
        LinAlgError: for matrices that aren't square.

    >>> hybrid.linalg.expm(hybrid.asarray([[0.0, 1.0], [0.0, 0.0]]))
    Tensor([[1., 1.],
            [0., 1.]], dtype=float64)
    """
    return _expm(x)


def _logm(x: Any) -> Any:
    x = _floating(x)
    dtype = np.result_type(x.dtype, np.complex64)
    if x.size == 0:
        return np.zeros(x.shape, dtype)
    return scipy.linalg.logm(x.astype(np.result_type(x.dtype, np.float64))).astype(dtype)


@op(namespace="linalg", infer=_function_rule(_logm), dtypes=DTYPES, samples=REGULAR)
def logm(x, /):
    """The principal logarithm of a matrix: the inverse of ``hybrid.linalg.expm``; always complex.

    Source: A. H. Al-Mohy, N. J. Higham, doi:10.1137/110852553.

    Args:
        x: matrices, (..., M, M), any dtype, without eigenvalue 0.

    Returns:
        (..., M, M); complex64 for float16, float32 and complex64, else complex128.

    Raises:
        LinAlgError: for fewer than two axes.
        ValueError: for matrices that aren't square.

    >>> hybrid.linalg.logm(hybrid.asarray([[1.0, 1.0], [0.0, 1.0]])).real.round(6)
    Tensor([[0., 1.],
            [0., 0.]], dtype=float64)
    """
    return _logm(x)


def _sqrtm(x: Any) -> Any:
    x = _floating(x)
    return scipy.linalg.sqrtm(x).astype(np.result_type(x.dtype, np.complex64))


@op(namespace="linalg", infer=_function_rule(_sqrtm), dtypes=DTYPES, samples=REGULAR)
def sqrtm(x, /):
    """The principal square root of a matrix; always complex.

    Source: E. Deadman, N. J. Higham, R. Ralha, doi:10.1007/978-3-642-36803-5_12.

    Args:
        x: matrices, (..., M, M), any dtype.

    Returns:
        (..., M, M); complex64 for float16, float32 and complex64, else complex128.

    Raises:
        LinAlgError: for matrices that aren't square.

    >>> hybrid.linalg.sqrtm(hybrid.asarray([[4.0, 0.0], [0.0, 9.0]])).real
    Tensor([[2., 0.],
            [0., 3.]], dtype=float64)
    """
    return _sqrtm(x)


# -- building matrices ----------------------------------------------------------------------------------------------
def _block_diag_rule(*arrays: Spec) -> Spec:
    if not arrays:
        return Spec(np.dtype("float64"), (1, 0))
    shapes = [(1,) * (2 - spec.ndim) + spec.shape for spec in arrays]
    rows: DimLike = 0
    columns: DimLike = 0
    for shape in shapes:
        rows, columns = rows + shape[-2], columns + shape[-1]
    dtype = as_run(_block_diag, *(Spec(spec.dtype, (1, 1)) for spec in arrays))
    return Spec(dtype, (*broadcast(*(shape[:-2] for shape in shapes)), rows, columns))


def _block_diag(*arrays: Any) -> Any:
    return scipy.linalg.block_diag(*map(np.asarray, arrays))


@op(
    namespace="linalg",
    infer=_block_diag_rule,
    scipy=["scipy.linalg.block_diag"],
    dtypes=DTYPES,
    samples=[
        sample((2, 3), (1, 2)), sample((), (3,), (2, 2)), sample((2, 1, 2), (3, 1)), sample((2, 0), (1, 2)), sample((2, 2)), sample(),
        sample(given(2), (1, 1)), sample((0, 2, 2), (1, 1)),
    ],
)  # fmt: skip
def block_diag(*arrays):
    """The matrix with blocks along its diagonal and zeros elsewhere.

    Args:
        arrays: blocks, (..., M, N), any dtypes; one with fewer axes is a single row. Leading axes broadcast.

    Returns:
        (..., sum of M, sum of N), of the promoted dtype; (1, 0) and float64 without arguments.

    Raises:
        ValueError: for leading axes that don't broadcast.

    >>> hybrid.linalg.block_diag(hybrid.asarray([[1, 2]]), 3)
    Tensor([[1, 2, 0],
            [0, 0, 3]], dtype=int64)
    """
    return _block_diag(*arrays)


def _toeplitz_rule(c: Spec, r: Spec | None) -> Spec:
    first = _at_least_1d(c)
    other = first if r is None else _at_least_1d(r)
    dtype = as_run(_toeplitz, Spec(c.dtype, (1,)), None if r is None else Spec(r.dtype, (1,)))
    return Spec(dtype, (*broadcast(first[:-1], other[:-1]), first[-1], other[-1]))


def _at_least_1d(x: Spec) -> Shape:
    return x.shape or (1,)


def _toeplitz(c: Any, r: Any = None) -> Any:
    return scipy.linalg.toeplitz(c, r)


@op(
    namespace="linalg",
    infer=_toeplitz_rule,
    scipy=["scipy.linalg.toeplitz"],
    dtypes=DTYPES,
    samples=[
        sample((3,), (4,)), sample((3,), None), sample((2, 3), (4,)), sample((), (2,)), sample((0,), None), sample((2, 3), (2, 2)),
        sample((0, 3), (2,)), sample((1,), None),
    ],
)  # fmt: skip
def toeplitz(c, r=None, /):
    """The matrix with constant diagonals that has a given first column and first row.

    Args:
        c: first columns, (..., M), any dtype.
        r: first rows, (..., N), without regard to their first element; the conjugate of ``c`` if not given. Leading axes broadcast.

    Returns:
        (..., M, N), of the promoted dtype.

    Raises:
        ValueError: for leading axes that don't broadcast.

    >>> hybrid.linalg.toeplitz(hybrid.asarray([1, 2, 3]), hybrid.asarray([1, 4]))
    Tensor([[1, 4],
            [2, 1],
            [3, 2]], dtype=int64)
    """
    c = np.atleast_1d(c)
    r = None if r is None else np.atleast_1d(r)
    if 0 in c.shape[:-1] or (r is not None and 0 in r.shape[:-1]):
        return empties(_toeplitz_rule, c, r)
    return _toeplitz(c, r)
