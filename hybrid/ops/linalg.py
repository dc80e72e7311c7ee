"""Linear algebra: systems of equations, inverses, determinants, products of many matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import dim_min, product, unknown
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY
from hybrid.ops import diagonal as diagonals
from hybrid.ops import products
from hybrid.ops._cores import as_run, core_shape, must_be_square, sizes_differ
from hybrid.ops._infer import broadcast, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops.axes import matrix_transpose

__all__ = [
    "cross", "det", "diagonal", "inv", "lstsq", "matrix_power", "multi_dot", "outer", "pinv", "slogdet", "solve", "tensorinv",
    "tensorsolve", "trace",
]  # fmt: skip

SQUARE: Final = [sample((3, 3)), sample((1, 1), low=0.5), sample((2, 3, 3)), sample((0, 0)), sample((0, 2, 2)), sample((2, 1, 2, 2))]
"""Square matrices: one, of size 1, stacked, without elements."""

SlogdetResult: Final = type(np.linalg.slogdet(np.eye(1)))
"""NumPy's pair (sign, logabsdet)."""


# -- systems of equations -------------------------------------------------------------------------------------------
def _solve_rule(x1: Spec, x2: Spec) -> Spec:
    dtype = as_run(np.linalg.solve, x1, x2)
    must_be_square(x1)
    name, core = ("solve1", "(m,m),(m)->(m)") if x2.ndim == 1 else ("solve", "(m,m),(m,n)->(m,n)")
    return Spec(dtype, core_shape(name, core, [x1.shape, x2.shape]))


@op(
    namespace="linalg",
    infer=_solve_rule,
    numpy=[np.linalg.solve],
    dtypes=DTYPES,
    samples=[
        sample((3, 3), (3,)), sample((3, 3), (3, 2)), sample((2, 3, 3), (3, 2)), sample((2, 1, 2, 2), (3, 2, 1)), sample((2, 3, 3), (3,)),
        sample((0, 0), (0,)), sample((2, 2), (2, 0)), sample((1, 1), (1,), low=0.5),
    ],
)  # fmt: skip
def solve(x1, x2, /):
    """The solution x of ``x1 @ x = x2``.

    Args:
        x1: invertible matrices, (..., M, M), any dtype but float16.
        x2: (M,), or (..., M, K); leading axes broadcast.

    Returns:
        (..., M) for a vector, else (..., M, K), of the promoted dtype; float64 for integers and booleans.

    Raises:
        LinAlgError: for a singular matrix, and for matrices that aren't square.
        ValueError: for sizes that don't fit.
        TypeError: for float16.

    >>> hybrid.linalg.solve(hybrid.asarray([[2.0, 0.0], [0.0, 4.0]]), hybrid.asarray([1.0, 2.0]))
    Tensor([0.5, 0.5], dtype=float64)
    """
    return np.linalg.solve(x1, x2)


def _lstsq_rule(x1: Spec, x2: Spec, *, rcond: float | None) -> tuple[Spec, ...]:
    dtypes = as_run(np.linalg.lstsq, x1, x2, rcond=rcond)
    (m, n), rest = x1.shape, x2.shape[1:]
    if sizes_differ(m, x2.shape[0]):
        raise np.linalg.LinAlgError("Incompatible dimensions")
    is_never_full = isinstance(m, int) and isinstance(n, int) and m <= n
    residuals = 0 if is_never_full else unknown("residuals")
    shapes = ((n, *rest), (residuals,), (), (dim_min(m, n),))
    return tuple(Spec(dtype, shape) for dtype, shape in zip(dtypes, shapes, strict=True))


@op(
    namespace="linalg",
    infer=_lstsq_rule,
    numpy=[np.linalg.lstsq],
    dtypes=DTYPES,
    samples=[
        sample((4, 2), (4,)), sample((4, 2), (4, 3)), sample((2, 4), (2,)), sample((3, 3), (3, 1), rcond=0.1), sample((3, 2), (3, 0)),
        sample((0, 2), (0,)), sample((3, 0), (3,)),
    ],
)  # fmt: skip
def lstsq(x1, x2, /, *, rcond: float | None = None):
    """The x that makes the norm of ``x1 @ x - x2`` smallest; of several, the one of smallest norm.

    Args:
        x1: a matrix, (M, N), any dtype but float16.
        x2: (M,) or (M, K).
        rcond: singular values below this fraction of the largest count as zero; if not given, the precision times max(M, N).

    Returns:
        (x, residuals, rank, singular values): (N,) or (N, K); the sums of squares, (K,) or (1,), empty unless the rank is N and
        M > N; a 0-d integer; (min(M, N),).

    Raises:
        LinAlgError: for operands with other numbers of axes, for sizes that don't fit, and if the computation doesn't converge.
        TypeError: for float16.

    >>> x, residuals, rank, _ = hybrid.linalg.lstsq(hybrid.asarray([[1.0], [1.0]]), hybrid.asarray([1.0, 3.0]))
    >>> x.round(6), residuals.round(6), rank
    (Tensor([2.], dtype=float64), Tensor([2.], dtype=float64), Tensor(1, dtype=int32))
    """
    return np.linalg.lstsq(x1, x2, rcond=rcond)


def _tensorsolve_rule(x1: Spec, x2: Spec, *, axes: Sequence[int] | None) -> Spec:
    dtype = dtype_as_run(np.linalg.tensorsolve, x1, x2, axes=None if axes is None else tuple(axes))
    order = [i for i in range(x1.ndim) if i not in (axes or ())] + list(axes or ())
    shape = tuple(x1.shape[i] for i in order)[-(x1.ndim - x2.ndim) :]
    size = product(shape)
    if sizes_differ(x1.size, size * size):
        raise np.linalg.LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    if sizes_differ(x2.size, size):
        raise ValueError(f"wanted {size} elements in x2, received {x2.size}")
    return Spec(dtype, shape)


@op(
    namespace="linalg",
    infer=_tensorsolve_rule,
    numpy=[np.linalg.tensorsolve],
    dtypes=DTYPES,
    samples=[
        sample((2, 3, 6), (2, 3)), sample((6, 2, 3), (6,)), sample((2, 6, 3), (6,), axes=(0, 2)), sample((1, 1), (1,), low=0.5),
        sample((0, 0), (0,)),
    ],
)  # fmt: skip
def tensorsolve(x1, x2, /, *, axes: Sequence[int] | None = None):
    """The solution x of ``tensordot(x1, x, x.ndim) = x2``.

    Args:
        x1: of shape ``x2.shape + s``, where ``s`` is the shape of x and both parts have equally many elements; any dtype but float16.
        x2: the right-hand side.
        axes: axes of ``x1`` to move to its end first; not negative.

    Returns:
        x, of the promoted dtype; float64 for integers and booleans.

    Raises:
        LinAlgError: for a singular system, and where the two parts differ in size.
        TypeError: for float16.

    >>> a = np.eye(6).reshape(2, 3, 6)
    >>> hybrid.linalg.tensorsolve(hybrid.asarray(a), hybrid.asarray(np.ones((2, 3)))).shape
    (6,)
    """
    return np.linalg.tensorsolve(x1, x2, axes=axes)


# -- inverses -------------------------------------------------------------------------------------------------------
def _square_rule(kernel: Any) -> Any:
    """The rule of a function of square matrices that gives matrices of the same shape."""

    def rule(x: Spec) -> Spec:
        dtype = as_run(kernel, x)
        must_be_square(x)
        return Spec(dtype, x.shape)

    return rule


@op(namespace="linalg", infer=_square_rule(np.linalg.inv), numpy=[np.linalg.inv], dtypes=DTYPES, samples=SQUARE)
def inv(x, /):
    """The inverse matrix.

    Args:
        x: invertible matrices, (..., M, M), any dtype but float16.

    Returns:
        (..., M, M), of the dtype of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for a singular matrix, and for matrices that aren't square.
        TypeError: for float16.

    >>> hybrid.linalg.inv(hybrid.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Tensor([[0.5 , 0.  ],
            [0.  , 0.25]], dtype=float64)
    """
    return np.linalg.inv(x)


def _pinv_rule(x: Spec, rtol: Spec | None, *, hermitian: bool) -> Spec:
    dtype = as_run(_pinv, x, rtol, hermitian=hermitian)
    *stack, m, n = x.shape
    if hermitian and 0 not in (m, n):
        must_be_square(x)
    if rtol is not None and broadcast(tuple(stack), rtol.shape) != tuple(stack):
        raise ValueError(f"wanted an rtol that broadcasts to the shape {tuple(stack)}, received the shape {rtol.shape}")
    return Spec(dtype, (*stack, n, m))


def _pinv(x: Any, rtol: Any = None, hermitian: bool = False) -> Any:
    if x.dtype.kind in "biu":
        x = np.asarray(x, np.float64)
    return np.linalg.pinv(x, rtol=rtol, hermitian=hermitian)


@op(
    namespace="linalg",
    infer=_pinv_rule,
    tensors=["rtol"],
    dtypes=DTYPES,
    samples=[
        sample((4, 2), None), sample((2, 4), given(0.01)), sample((3, 3), None, hermitian=True), sample((2, 3, 2), given([0.1, 0.01])),
        sample((0, 3), None), sample((2, 2, 0), None), sample((1, 1), None, low=0.5),
    ],
)  # fmt: skip
def pinv(x, /, *, rtol=None, hermitian: bool = False):
    """The Moore-Penrose inverse, made from the singular values.

    Args:
        x: matrices, (..., M, N), any dtype but float16.
        rtol: singular values at most this fraction of the largest count as zero; a number, or one for each matrix. If not given,
            the precision times max(M, N) (``numpy.linalg.pinv`` itself: 1e-15).
        hermitian: take ``x`` as Hermitian, from its lower triangle, and use its eigenvalues, which is faster.

    Returns:
        (..., N, M), of the dtype of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for fewer than two axes, and if the singular values don't converge.
        TypeError: for float16.

    >>> hybrid.linalg.pinv(hybrid.asarray([[2.0, 0.0]])).round(6)
    Tensor([[0.5],
            [0. ]], dtype=float64)
    """
    return _pinv(x, rtol, hermitian)


@pinv.from_numpy(np.linalg.pinv)
def _numpy_pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:  # type: ignore[attr-defined]
    is_given = rtol is not np._NoValue  # type: ignore[attr-defined]
    if rcond is not None and is_given:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if rcond is None:
        rcond = rtol if is_given else 1e-15
    return pinv(a, rtol=rcond, hermitian=hermitian)


def _tensorinv_rule(x: Spec, *, ind: int) -> Spec:
    dtype = dtype_as_run(np.linalg.tensorinv, x, ind=ind)
    rows, columns = product(x.shape[:ind]), product(x.shape[ind:])
    if sizes_differ(rows, columns):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    return Spec(dtype, x.shape[ind:] + x.shape[:ind])


@op(
    namespace="linalg",
    infer=_tensorinv_rule,
    numpy=[np.linalg.tensorinv],
    dtypes=DTYPES,
    samples=[sample((2, 3, 6)), sample((6, 2, 3), ind=1), sample((4, 2, 2), ind=1), sample((1, 1, 1), low=0.5)],
)
def tensorinv(x, /, *, ind: int = 2):
    """The inverse for ``tensordot(x, y, ind)``: the matrix whose rows are the first ``ind`` axes is inverted.

    Args:
        x: any dtype but float16; the first ``ind`` axes have as many elements as the others.
        ind: how many axes are rows; at least 1.

    Returns:
        An array of shape ``x.shape[ind:] + x.shape[:ind]``, of the dtype of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: where the two parts differ in size, and for a singular matrix.
        ValueError: for an ``ind`` below 1.
        TypeError: for float16.

    >>> hybrid.linalg.tensorinv(hybrid.asarray(np.eye(6).reshape(2, 3, 6))).shape
    (6, 2, 3)
    """
    return np.linalg.tensorinv(x, ind=ind)


# -- determinants ---------------------------------------------------------------------------------------------------
def _det_rule(x: Spec) -> Spec:
    dtype = as_run(np.linalg.det, x)
    must_be_square(x)
    return Spec(dtype, x.shape[:-2])


@op(namespace="linalg", infer=_det_rule, numpy=[np.linalg.det], dtypes=DTYPES, samples=SQUARE, onnx="Det")
def det(x, /):
    """The determinant.

    Args:
        x: matrices, (..., M, M), any dtype but float16.

    Returns:
        An array of shape (...), of the dtype of ``x``; float64 for integers and booleans.

    Raises:
        LinAlgError: for matrices that aren't square.
        TypeError: for float16.

    >>> hybrid.linalg.det(hybrid.asarray([[0.0, 1.0], [1.0, 0.0]]))
    Tensor(-1.0, dtype=float64)
    """
    return np.linalg.det(x)


def _slogdet_rule(x: Spec) -> tuple[Spec, ...]:
    dtypes = as_run(np.linalg.slogdet, x)
    must_be_square(x)
    return tuple(Spec(dtype, x.shape[:-2]) for dtype in dtypes)


@op(namespace="linalg", infer=_slogdet_rule, numpy=[np.linalg.slogdet], dtypes=DTYPES, samples=SQUARE, returns=SlogdetResult)
def slogdet(x, /):
    """The sign of the determinant, and the logarithm of its absolute value, which can't overflow.

    Args:
        x: matrices, (..., M, M), any dtype but float16.

    Returns:
        ``(sign, logabsdet)``, both of shape (...): -1, 0 or 1, or a complex number of absolute value 1; and a real number, which
        is -inf for a singular matrix. float64 for integers and booleans.

    Raises:
        LinAlgError: for matrices that aren't square.
        TypeError: for float16.

    >>> hybrid.linalg.slogdet(hybrid.asarray([[1.0, 0.0], [0.0, -1.0]]))
    SlogdetResult(sign=Tensor(-1.0, dtype=float64), logabsdet=Tensor(0.0, dtype=float64))
    """
    return np.linalg.slogdet(x)


# -- products of matrices -------------------------------------------------------------------------------------------
def _power_rule(x: Spec, *, n: int) -> Spec:
    if x.ndim >= 2:
        must_be_square(x)
    return Spec(as_run(np.linalg.matrix_power, x, n=n), x.shape)


@op(
    namespace="linalg",
    infer=_power_rule,
    view=lambda strides, x, *, n: (True if strides is None else strides) if n == 1 else False,
    numpy=[np.linalg.matrix_power],
    dtypes=DTYPES,
    samples=[
        sample((3, 3), n=3), sample((2, 3, 3), n=0), sample((3, 3), n=-2), sample((1, 1), n=5, low=0.5), sample((0, 0), n=2),
        sample((2, 2), n=1),
    ],
)  # fmt: skip
def matrix_power(x, /, n: int):
    """The product of ``n`` copies of a matrix; of its inverse if ``n`` is negative, the identity if ``n`` is 0.

    Args:
        x: matrices, (..., M, M), any dtype; not float16 if ``n`` is negative.
        n: a whole number.

    Returns:
        (..., M, M), of the dtype of ``x``; float64 for integers and booleans if ``n`` is negative.

    Raises:
        LinAlgError: for matrices that aren't square, and for a singular matrix if ``n`` is negative.
        TypeError: for an exponent that isn't a whole number.

    >>> hybrid.linalg.matrix_power(hybrid.asarray([[1, 1], [1, 0]]), 10)
    Tensor([[89, 55],
            [55, 34]], dtype=int64)
    """
    return np.linalg.matrix_power(x, n)


@matrix_power.writes_back
def _(base, new, *, n):
    """The first power is the array itself."""
    return new


def _multi_dot_rule(arrays: Sequence[Spec]) -> Spec:
    dtype = as_run(_multi_dot, *arrays)
    return Spec(dtype, reduce(products.dot_shape, [spec.shape for spec in arrays]))


def _multi_dot(*arrays: Any) -> Any:
    return np.linalg.multi_dot(arrays)


@op(
    namespace="linalg",
    infer=_multi_dot_rule,
    numpy=[np.linalg.multi_dot],
    sequences=["arrays"],
    dtypes=DTYPES,
    samples=[
        sample([(2, 3), (3, 4)]), sample([(2, 3), (3, 4), (4, 1)]), sample([(3,), (3, 4), (4, 2), (2,)]), sample([(2, 3), (3, 4), (4,)]),
        sample([(3,), (3, 2), (2, 2)]), sample([(2, 0), (0, 3), (3, 1), (1, 2)]),
    ],
)  # fmt: skip
def multi_dot(arrays, /):
    """The matrix product of several matrices, in the order of multiplications that costs least.

    Args:
        arrays: at least two matrices, any dtypes; the first and the last may be vectors.

    Returns:
        (N, M), of the promoted dtype; the axis is left out where the first or the last array is a vector.

    Raises:
        ValueError: for fewer than two arrays, and for sizes that don't fit.
        LinAlgError: for arrays with other numbers of axes.

    >>> x = hybrid.asarray([[1, 2], [3, 4]])
    >>> hybrid.linalg.multi_dot([x, x, hybrid.asarray([1, 0])])
    Tensor([ 7, 15], dtype=int64)
    """
    return np.linalg.multi_dot(arrays)


# -- functions of the array API standard that other operations do ---------------------------------------------------
@stands_for(np.linalg.cross)
@explained
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors of size 3; the other axes broadcast.

    Args:
        x1, x2: any dtype but bool.
        axis: the axis of the vectors.

    Raises:
        ValueError: for vectors of another size.

    >>> hybrid.linalg.cross(hybrid.asarray([1, 0, 0]), hybrid.asarray([0, 1, 0]))
    Tensor([0, 0, 1], dtype=int64)
    """
    x1, x2 = asarray(x1), asarray(x2)
    sizes = x1.shape[axis], x2.shape[axis]
    if any(sizes_differ(size, 3) for size in sizes):
        raise ValueError(
            f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are {sizes[0]} and {sizes[1]} dimensional instead."
        )
    return products.cross(x1, x2, axis=axis)


@stands_for(np.linalg.diagonal)
@explained
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonal of matrices, as a view that can't be written to.

    Args:
        x: matrices, (..., M, N), any dtype.
        offset: which diagonal: 0 the main one, above it if positive, below it if negative.

    Raises:
        ValueError: for fewer than two axes.

    >>> hybrid.linalg.diagonal(hybrid.asarray([[1, 2], [3, 4]]), offset=1)
    Tensor([2], dtype=int64)
    """
    return diagonals.diagonal(x, offset=offset, axis1=-2, axis2=-1)


@stands_for(np.linalg.outer)
@explained
def outer(x1: Any, x2: Any, /) -> Any:
    """Every element of one vector times every element of another.

    Args:
        x1, x2: vectors, (M,) and (N,), any dtype; ``hybrid.outer`` takes any shape.

    Raises:
        ValueError: for operands that aren't vectors.

    >>> hybrid.linalg.outer(hybrid.asarray([1, 2]), hybrid.asarray([3, 4]))
    Tensor([[3, 4],
            [6, 8]], dtype=int64)
    """
    x1, x2 = asarray(x1), asarray(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}.")
    return products.outer(x1, x2)


@stands_for(np.linalg.trace)
@explained
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum of the diagonal of matrices.

    Args:
        x: matrices, (..., M, N), any dtype.
        offset: which diagonal: 0 the main one, above it if positive, below it if negative.
        dtype: the dtype to sum in; if not given that of ``x``, but at least a 64-bit integer for integers and booleans.

    Raises:
        ValueError: for fewer than two axes.

    >>> hybrid.linalg.trace(hybrid.asarray([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]))
    Tensor([ 5, 13], dtype=int64)
    """
    return products.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


NUMPY[np.linalg.matrix_transpose] = matrix_transpose
