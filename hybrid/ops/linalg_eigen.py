"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np

from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.refusal import described
from hybrid.core.spec import Spec
from hybrid.errors import UnsupportedError
from hybrid.ops._cores import as_run, must_be_square
from hybrid.ops._samples import sample

__all__ = ["eig", "eigh", "eigvals", "eigvalsh"]

EigResult: Final = type(np.linalg.eig(np.eye(1)))
"""NumPy's pair (eigenvalues, eigenvectors)."""

EighResult: Final = type(np.linalg.eigh(np.eye(1)))
"""NumPy's pair (eigenvalues, eigenvectors) of a Hermitian matrix."""

SQUARE: Final = [sample((3, 3)), sample((1, 1)), sample((2, 3, 3)), sample((0, 0)), sample((0, 2, 2)), sample((2, 1, 2, 2))]
"""Square matrices: one, of size 1, stacked, without elements."""


# -- Hermitian matrices ---------------------------------------------------------------------------------------------
def _eigh_rule(x: Spec, *, UPLO: str) -> tuple[Spec, ...]:
    values, vectors = as_run(np.linalg.eigh, x, UPLO=UPLO)
    must_be_square(x)
    return Spec(values, x.shape[:-1]), Spec(vectors, x.shape)


@op(
    namespace="linalg",
    infer=_eigh_rule,
    numpy=[np.linalg.eigh],
    dtypes=DTYPES,
    returns=EighResult,
    samples=[*SQUARE, sample((2, 2), UPLO="U")],
)
def eigh(x, /, *, UPLO: Literal["L", "U"] = "L"):
    """The eigenvalues, ascending, and eigenvectors of Hermitian matrices.

    Args:
        x: matrices, (..., M, M), any dtype but float16; only one triangle is read.
        UPLO: which one: the lower or the upper triangle.

    Returns:
        ``(eigenvalues, eigenvectors)``: (..., M), real, and (..., M, M), whose columns are orthonormal; of the dtype of ``x`` and
        the real dtype that belongs to it; float64 for integers and booleans.

    Raises:
        LinAlgError: for matrices that aren't square, and if the computation doesn't converge.
        ValueError: for another ``UPLO``.
        TypeError: for float16.

    >>> hybrid.linalg.eigh(hybrid.asarray([[3.0, 0.0], [0.0, 1.0]])).eigenvalues
    Tensor([1., 3.], dtype=float64)
    """
    return np.linalg.eigh(x, UPLO)


def _eigvalsh_rule(x: Spec, *, UPLO: str) -> Spec:
    dtype = as_run(np.linalg.eigvalsh, x, UPLO=UPLO)
    must_be_square(x)
    return Spec(dtype, x.shape[:-1])


@op(
    namespace="linalg",
    infer=_eigvalsh_rule,
    numpy=[np.linalg.eigvalsh],
    dtypes=DTYPES,
    samples=[*SQUARE, sample((2, 2), UPLO="U")],
)
def eigvalsh(x, /, *, UPLO: Literal["L", "U"] = "L"):
    """The eigenvalues of Hermitian matrices, ascending.

    Args:
        x: matrices, (..., M, M), any dtype but float16; only one triangle is read.
        UPLO: which one: the lower or the upper triangle.

    Returns:
        (..., M), of the real dtype that belongs to that of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for matrices that aren't square, and if the computation doesn't converge.
        ValueError: for another ``UPLO``.
        TypeError: for float16.

    >>> hybrid.linalg.eigvalsh(hybrid.asarray([[3.0, 0.0], [0.0, 1.0]]))
    Tensor([1., 3.], dtype=float64)
    """
    return np.linalg.eigvalsh(x, UPLO)


# -- any matrices ---------------------------------------------------------------------------------------------------
def _complex(result: np.ndarray) -> np.ndarray:
    """NumPy gives real results where no imaginary part comes out; here the dtype doesn't depend on the values."""
    return result.astype(np.result_type(result.dtype, np.complex64), copy=False)


def _eig_rule(x: Spec) -> tuple[Spec, ...]:
    values, vectors = as_run(_eig, x)
    must_be_square(x)
    return Spec(values, x.shape[:-1]), Spec(vectors, x.shape)


def _eig(x: Any) -> Any:
    return EigResult(*map(_complex, np.linalg.eig(x)))


@op(namespace="linalg", infer=_eig_rule, dtypes=DTYPES, returns=EigResult, samples=SQUARE)
def eig(x, /):
    """The eigenvalues, in no particular order, and eigenvectors of matrices; always complex.

    ``numpy.linalg.eig`` gives real numbers where all eigenvalues of a real matrix are real; here the dtype doesn't depend on values.

    Args:
        x: matrices, (..., M, M), any dtype but float16.

    Returns:
        ``(eigenvalues, eigenvectors)``: (..., M) and (..., M, M), whose columns have norm 1; complex64 for float32 and complex64,
        else complex128.

    Raises:
        LinAlgError: for matrices that aren't square, for infinities and NaN, and if the computation doesn't converge.
        TypeError: for float16.

    >>> hybrid.linalg.eig(hybrid.asarray([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues
    Tensor([0.+1.j, 0.-1.j], dtype=complex128)
    """
    return _eig(x)


def _eigvals_rule(x: Spec) -> Spec:
    dtype = as_run(_eigvals, x)
    must_be_square(x)
    return Spec(dtype, x.shape[:-1])


def _eigvals(x: Any) -> Any:
    return _complex(np.linalg.eigvals(x))


@op(namespace="linalg", infer=_eigvals_rule, dtypes=DTYPES, samples=SQUARE)
def eigvals(x, /):
    """The eigenvalues of matrices, in no particular order; always complex.

    Args:
        x: matrices, (..., M, M), any dtype but float16.

    Returns:
        (..., M); complex64 for float32 and complex64, else complex128.

    Raises:
        LinAlgError: for matrices that aren't square, for infinities and NaN, and if the computation doesn't converge.
        TypeError: for float16.

    >>> hybrid.linalg.eigvals(hybrid.asarray([[2.0, 1.0], [0.0, 3.0]]))
    Tensor([2.+0.j, 3.+0.j], dtype=complex128)
    """
    return _eigvals(x)


@eig.from_numpy(np.linalg.eig)
def _numpy_eig(a: Any) -> Any:
    _must_be_complex(a, "eig")
    return eig(a)


@eigvals.from_numpy(np.linalg.eigvals)
def _numpy_eigvals(a: Any) -> Any:
    _must_be_complex(a, "eigvals")
    return eigvals(a)


def _must_be_complex(a: Any, name: str) -> None:
    if a.dtype.kind != "c":
        raise UnsupportedError(
            f"numpy.linalg.{name} of a real matrix is real or complex, depending on its values: wanted a complex matrix, received "
            f"{described(a)}; use hybrid.linalg.{name}, which is always complex"
        )
