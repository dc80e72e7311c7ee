"""Norms, condition numbers and ranks."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np

from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._cores import as_run, must_be_square
from hybrid.ops._infer import broadcast, reduced
from hybrid.ops._samples import given, sample

__all__ = ["cond", "matrix_norm", "matrix_rank", "norm", "vector_norm"]

Order = int | float | Literal["fro", "nuc"] | None

INFINITY: Final = float("inf")


# -- norms ----------------------------------------------------------------------------------------------------------
def _norm_rule(x: Spec, *, ord: Order, axis: Any, keepdims: bool) -> Spec:
    dtype = as_run(np.linalg.norm, x, ord=ord, axis=axis, keepdims=keepdims)
    return Spec(dtype, reduced(x.shape, axis if axis is None or isinstance(axis, tuple) else int(axis), keepdims))


@op(
    namespace="linalg",
    infer=_norm_rule,
    numpy=[np.linalg.norm],
    dtypes=DTYPES,
    samples=[
        sample((2, 3)), sample((5,)), sample((2, 3, 4), keepdims=True), sample((3,), ord=1), sample((3,), ord=INFINITY),
        sample((3,), ord=-INFINITY), sample((3,), ord=0), sample((3,), ord=3, low=0.5), sample((2, 3), ord=2, axis=-1),
        sample((2, 3), ord=2), sample((2, 3), ord=-2), sample((2, 3), ord="nuc"), sample((2, 3), ord="fro", keepdims=True),
        sample((2, 3, 4), ord=1, axis=(0, 2)), sample((2, 3), ord=-1), sample((2, 3, 4), ord=INFINITY, axis=(2, 0), keepdims=True),
        sample((2, 3), ord=-INFINITY), sample((0, 3), axis=0), sample(()), sample((0,), ord=-INFINITY), sample((0, 3), ord=1),
    ],
)  # fmt: skip
def norm(x, /, *, ord: Order = None, axis: int | tuple[int, int] | None = None, keepdims: bool = False):
    """A norm of vectors or matrices, as ``numpy.linalg.norm``.

    Args:
        x: any dtype; not float16 for a norm made from singular values.
        ord: for vectors any number: the sum of ``abs(x)**ord`` to the power ``1/ord``, the largest or smallest element for ``inf``
            and ``-inf``, how many are not zero for 0. For matrices "fro" (root of the sum of squares), "nuc" (sum of the
            singular values), 2 and -2 (the largest and smallest singular value), 1 and -1 (the largest and smallest sum of
            a column), ``inf`` and ``-inf`` (of a row). If not given, the root of the sum of squares.
        axis: one axis for vectors, two for matrices; if not given, all of a vector or matrix, or without ``ord`` of any array.
        keepdims: keep the axes, with size 1.

    Returns:
        The norms, of the real dtype that belongs to that of ``x``; float64 for integers and booleans.

    Raises:
        ValueError: for an ``ord`` that vectors or matrices don't have, and for other numbers of axes.
        AxisError: for an axis that isn't there.

    >>> hybrid.linalg.norm(hybrid.asarray([3.0, 4.0])), hybrid.linalg.norm(hybrid.asarray([[1.0, -2.0], [3.0, 4.0]]), ord=1)
    (Tensor(5.0, dtype=float64), Tensor(6.0, dtype=float64))
    """
    return np.linalg.norm(x, ord, axis, keepdims)


def _vector_norm_rule(x: Spec, *, ord: int | float, axis: Any, keepdims: bool) -> Spec:
    dtype = as_run(np.linalg.vector_norm, x, ord=ord, axis=axis, keepdims=keepdims)
    return Spec(dtype, reduced(x.shape, axis, keepdims))


@op(
    namespace="linalg",
    infer=_vector_norm_rule,
    numpy=[np.linalg.vector_norm],
    dtypes=DTYPES,
    onnx="ReduceL2",
    samples=[
        sample((2, 3)), sample((2, 3), axis=-1, keepdims=True), sample((2, 3, 4), axis=(0, 2), ord=1), sample((3,), ord=INFINITY),
        sample((), ord=0), sample((2, 3), ord=-INFINITY, axis=0), sample((2, 3), ord=2.5, low=0.5), sample((0, 3), axis=0),
        sample((1, 1), keepdims=True), sample((2, 3, 4), axis=(2, 0), keepdims=True),
    ],
)  # fmt: skip
def vector_norm(x, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, ord: int | float = 2):
    """A norm of vectors that lie along any axes.

    Args:
        x: any dtype.
        axis: the axes over which a vector extends; all if not given.
        keepdims: keep the axes, with size 1.
        ord: the sum of ``abs(x)**ord`` to the power ``1/ord``; the largest or smallest element for ``inf`` and ``-inf``; how many
            are not zero for 0.

    Returns:
        The norms, of the real dtype that belongs to that of ``x``; float64 for integers and booleans.

    Raises:
        AxisError: for an axis that isn't there.
        ValueError: for an axis named twice, and for the smallest of no elements.

    >>> hybrid.linalg.vector_norm(hybrid.asarray([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    Tensor([ 5., 10.], dtype=float64)
    """
    return np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


def _matrix_norm_rule(x: Spec, *, ord: Order, keepdims: bool) -> Spec:
    dtype = as_run(np.linalg.matrix_norm, x, ord=ord, keepdims=keepdims)
    return Spec(dtype, reduced(x.shape, (-2, -1), keepdims))


@op(
    namespace="linalg",
    infer=_matrix_norm_rule,
    numpy=[np.linalg.matrix_norm],
    dtypes=DTYPES,
    samples=[
        sample((2, 3)), sample((2, 3, 4), keepdims=True), sample((2, 3), ord=1), sample((2, 3, 2), ord="nuc"), sample((3, 3), ord=2),
        sample((2, 3), ord=-INFINITY), sample((0, 3)), sample((1, 1), ord=INFINITY),
    ],
)  # fmt: skip
def matrix_norm(x, /, *, keepdims: bool = False, ord: Order = "fro"):
    """A norm of matrices.

    Args:
        x: matrices, (..., M, N), any dtype; not float16 for a norm made from singular values.
        keepdims: keep the axes, with size 1.
        ord: "fro" (root of the sum of squares), "nuc" (sum of the singular values), 2 and -2 (the largest and smallest
            singular value), 1 and -1 (the largest and smallest sum of a column), ``inf`` and ``-inf`` (of a row).

    Returns:
        An array of shape (...), of the real dtype that belongs to that of ``x``; float64 for integers and booleans.

    Raises:
        ValueError: for another ``ord``.
        AxisError: for fewer than two axes.

    >>> hybrid.linalg.matrix_norm(hybrid.asarray([[1.0, -2.0], [2.0, 4.0]]))
    Tensor(5.0, dtype=float64)
    """
    return np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)


# -- condition numbers and ranks ------------------------------------------------------------------------------------
def _cond_rule(x: Spec, *, p: Order) -> Spec:
    dtype = as_run(np.linalg.cond, x, p=p)
    if p not in (None, 2, -2):
        must_be_square(x)
    return Spec(dtype, x.shape[:-2])


@op(
    namespace="linalg",
    infer=_cond_rule,
    numpy=[np.linalg.cond],
    dtypes=DTYPES,
    samples=[
        sample((3, 3)), sample((2, 3)), sample((2, 3, 3), p=1), sample((3, 3), p="fro"), sample((2, 2), p=-2),
        sample((1, 1), p=INFINITY, low=0.5), sample((0, 2, 2)), sample((2, 2), p="nuc"), sample((0, 0)),
    ],
)  # fmt: skip
def cond(x, /, *, p: Order = None):
    """The condition number: the norm of a matrix times the norm of its inverse; ``inf`` for a singular matrix.

    Args:
        x: matrices, (..., M, M), or (..., M, N) for a norm made from singular values; any dtype but float16.
        p: which norm, as in ``hybrid.linalg.matrix_norm``; the ratio of the largest to the smallest singular value if not given.

    Returns:
        An array of shape (...), of the real dtype that belongs to that of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for matrices without elements, and for matrices that aren't square where an inverse is needed.
        TypeError: for float16.

    >>> hybrid.linalg.cond(hybrid.asarray([[2.0, 0.0], [0.0, 1.0]]))
    Tensor(2.0, dtype=float64)
    """
    return np.linalg.cond(x, p)


def _rank_rule(x: Spec, rtol: Spec | None, tol: Spec | None, *, hermitian: bool) -> Spec:
    dtype = as_run(_rank, x, rtol, tol, hermitian=hermitian)
    if x.ndim < 2:
        return Spec(dtype, weak=True)
    if hermitian:
        must_be_square(x)
    return Spec(dtype, broadcast(x.shape[:-2], *(spec.shape for spec in (rtol, tol) if spec is not None)))


def _rank(x: Any, rtol: Any = None, tol: Any = None, hermitian: bool = False) -> Any:
    return np.linalg.matrix_rank(x, tol, hermitian, rtol=rtol)


@op(
    namespace="linalg",
    infer=_rank_rule,
    numpy=[np.linalg.matrix_rank],
    tensors=["rtol", "tol"],
    dtypes=DTYPES,
    no_gradient="integer result",
    samples=[
        sample((3, 3), None, None), sample((2, 3), given(0.1), None), sample((2, 3, 3), None, given([0.1, 100.0])),
        sample((4,), None, None), sample((3, 3), None, None, hermitian=True), sample((0, 2), None, None),
        sample((2, 3), given([[0.1], [0.9]]), None),
    ],
)  # fmt: skip
def matrix_rank(x, /, *, rtol=None, tol=None, hermitian: bool = False):
    """The number of singular values above a tolerance.

    Args:
        x: matrices, (..., M, N), any dtype but float16.
        rtol: the tolerance as a fraction of the largest singular value; if neither is given, the precision times max(M, N).
        tol: the tolerance itself.
        hermitian: take ``x`` as Hermitian, from its lower triangle, which is faster.

    Returns:
        An array of shape (...), broadcast with the tolerance; int64. For fewer than two axes a Python integer:
        whether any element is not zero.

    Raises:
        ValueError: for both tolerances at once.
        LinAlgError: if the singular values don't converge.
        TypeError: for float16.

    >>> hybrid.linalg.matrix_rank(hybrid.asarray([[1.0, 2.0], [2.0, 4.0]]))
    Tensor(1, dtype=int64)
    """
    return _rank(x, rtol, tol, hermitian)
