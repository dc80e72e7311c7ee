"""Products of vectors, matrices and tensors; the trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hybrid.core.dim import Dim, DimLike, Undecided
from hybrid.core.dtypes import DTYPES, NUMERIC
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._cores import core_shape, gufunc, sizes_differ
from hybrid.ops._infer import Shape, axes_of, axis_of, broadcast, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops._shapes import shape_text

__all__ = ["cross", "dot", "inner", "kron", "matmul", "matvec", "outer", "tensordot", "trace", "vdot", "vecdot", "vecmat"]

Axes = int | tuple[int | Sequence[int], int | Sequence[int]]

VECTORS: Final = [sample((3,), (3,)), sample((2, 3), (3,)), sample((2, 1, 3), (4, 3)), sample((0,), (0,)), sample((1, 2), (3, 2))]
"""Stacks of vectors: equal, broadcast, without elements, of size-1 stacks."""


# -- stacks of matrices and vectors ---------------------------------------------------------------------------------
@op(
    infer=gufunc(np.matmul),
    numpy=[np.matmul, np.linalg.matmul],
    dtypes=DTYPES,
    onnx="MatMul",
    samples=[
        sample((2, 3), (3, 4)), sample((3,), (3,)), sample((2, 3), (3,)), sample((3,), (2, 3, 4)), sample((5, 1, 2, 3), (4, 3, 2)),
        sample((2, 0), (0, 3)), sample((0, 3), (3, 2)), sample((1, 3), (3, 1)),
    ],
)  # fmt: skip
def matmul(x1, x2, /):
    """The matrix product; leading axes are stacks of matrices and broadcast.

    Args:
        x1: (..., N, K) or (K,), any dtype.
        x2: (..., K, M) or (K,), any dtype.

    Returns:
        (..., N, M), of the promoted dtype; the axis of an operand that has only one is left out.

    Raises:
        ValueError: for a 0-d operand, and for sizes that don't fit.

    >>> hybrid.matmul(hybrid.asarray([[1, 2], [3, 4]]), hybrid.asarray([1, 10]))
    Tensor([21, 43], dtype=int64)
    """
    return np.matmul(x1, x2)


@op(
    infer=gufunc(np.matvec),
    numpy=[np.matvec],
    dtypes=DTYPES,
    samples=[sample((2, 3), (3,)), sample((4, 2, 3), (3,)), sample((2, 3), (4, 3)), sample((2, 0), (0,)), sample((1, 1), (1,))],
)
def matvec(x1, x2, /):
    """The product of a matrix and a vector; leading axes are stacks and broadcast.

    Args:
        x1: matrices, (..., M, N), any dtype.
        x2: vectors, (..., N), any dtype.

    Returns:
        (..., M), of the promoted dtype.

    Raises:
        ValueError: for operands with too few axes, and for sizes that don't fit.

    >>> hybrid.matvec(hybrid.asarray([[1, 2], [3, 4]]), hybrid.asarray([[1, 0], [0, 1]]))
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return np.matvec(x1, x2)


@op(
    infer=gufunc(np.vecmat),
    numpy=[np.vecmat],
    dtypes=DTYPES,
    samples=[sample((2,), (2, 3)), sample((4, 2), (2, 3)), sample((2,), (4, 2, 3)), sample((0,), (0, 2)), sample((1,), (1, 1))],
)
def vecmat(x1, x2, /):
    """The product of a vector, conjugated, and a matrix; leading axes are stacks and broadcast.

    Args:
        x1: vectors, (..., M), any dtype.
        x2: matrices, (..., M, N), any dtype.

    Returns:
        (..., N), of the promoted dtype.

    Raises:
        ValueError: for operands with too few axes, and for sizes that don't fit.

    >>> hybrid.vecmat(hybrid.asarray([1j, 1]), hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([3.-1.j, 4.-2.j], dtype=complex128)
    """
    return np.vecmat(x1, x2)


def _vecdot_rule(x1: Spec, x2: Spec, *, axis: int, keepdims: bool) -> Spec:
    dtype = dtype_as_run(np.vecdot, x1, x2, axis=axis, keepdims=keepdims)
    shape = core_shape("vecdot", "(n),(n)->()", [_moved_last(x1.shape, axis), _moved_last(x2.shape, axis)])
    if not keepdims:
        return Spec(dtype, shape)
    place = axis_of(axis, len(shape) + 1)
    return Spec(dtype, (*shape[:place], 1, *shape[place:]))


def _moved_last(shape: Shape, axis: int) -> Shape:
    k = axis_of(axis, len(shape))
    return (*shape[:k], *shape[k + 1 :], shape[k])


@op(
    infer=_vecdot_rule,
    numpy=[np.vecdot, np.linalg.vecdot],
    dtypes=DTYPES,
    samples=[*VECTORS, sample((3, 2), (3, 2), axis=0), sample((4, 3, 2), (3, 2), axis=-2, keepdims=True)],
)
def vecdot(x1, x2, /, *, axis: int = -1, keepdims: bool = False):
    """The dot product along an axis, with the first vector conjugated; the other axes broadcast.

    Args:
        x1, x2: any dtype; their sizes along the axis are equal.
        axis: the axis of the vectors, counted in each operand by itself.
        keepdims: keep the axis, with size 1.

    Returns:
        The products, of the promoted dtype and the broadcast shape without the axis.

    Raises:
        ValueError: for 0-d operands, and for sizes that don't fit.
        AxisError: for an axis that an operand doesn't have.

    >>> hybrid.vecdot(hybrid.asarray([[1, 2], [3, 4]]), hybrid.asarray([10, 1]))
    Tensor([12, 34], dtype=int64)
    """
    return np.vecdot(x1, x2, axis=axis, keepdims=keepdims)


# -- products of whole arrays ---------------------------------------------------------------------------------------
def _must_align(a: Shape, i: int, b: Shape, j: int) -> None:
    if sizes_differ(a[i], b[j]):
        raise ValueError(f"shapes {shape_text(a)} and {shape_text(b)} not aligned: {a[i]} (dim {i % len(a)}) != {b[j]} (dim {j % len(b)})")


def dot_shape(a: Shape, b: Shape) -> Shape:
    """The shape of ``dot``; ``ValueError`` for sizes that don't fit."""
    if not a or not b:
        return a + b
    contracted = max(len(b) - 2, 0)
    _must_align(a, -1, b, contracted)
    return a[:-1] + b[:contracted] + b[contracted + 1 :]


def _dot_rule(x1: Spec, x2: Spec) -> Spec:
    return Spec(dtype_as_run(np.dot, x1, x2), dot_shape(x1.shape, x2.shape))


@op(
    infer=_dot_rule,
    numpy=[np.dot],
    dtypes=DTYPES,
    samples=[
        sample((2, 3), (3, 4)), sample((3,), (3,)), sample((), (2, 3)), sample((2, 3), given(2.5)), sample((2, 3), (3,)),
        sample((2, 3), (4, 3, 2)), sample((2, 0), (0, 3)), sample((1,), (1, 1)),
    ],
)  # fmt: skip
def dot(x1, x2, /):
    """The sum of products over the last axis of the first array and the last axis but one of the second.

    Args:
        x1: (..., K), any dtype.
        x2: (..., K, M) or (K,), any dtype.

    Returns:
        Of the promoted dtype: all other axes of ``x1``, then those of ``x2``, without broadcasting. With a 0-d operand, its
        product with every element.

    Raises:
        ValueError: for sizes that don't fit.

    >>> hybrid.dot(hybrid.asarray([1.0, 2.0]), hybrid.asarray([3.0, 4.0]))
    Tensor(11.0, dtype=float64)
    """
    return np.dot(x1, x2)


def _inner_rule(x1: Spec, x2: Spec) -> Spec:
    dtype, a, b = dtype_as_run(np.inner, x1, x2), x1.shape, x2.shape
    if not a or not b:
        return Spec(dtype, a + b)
    _must_align(a, -1, b, -1)
    return Spec(dtype, a[:-1] + b[:-1])


@op(
    infer=_inner_rule,
    numpy=[np.inner],
    dtypes=DTYPES,
    samples=[*VECTORS, sample((), (2, 3)), sample((2, 1), given(2.5))],
)
def inner(x1, x2, /):
    """The sum of products over the last axes of both arrays, without conjugation.

    Args:
        x1, x2: (..., K), any dtype.

    Returns:
        Of the promoted dtype: the other axes of ``x1``, then those of ``x2``. With a 0-d operand, its product with every element.

    Raises:
        ValueError: for sizes that don't fit.

    >>> hybrid.inner(hybrid.asarray([[1, 0], [0, 1]]), hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return np.inner(x1, x2)


def _vdot_rule(x1: Spec, x2: Spec) -> Spec:
    if sizes_differ(x1.size, x2.size):
        raise ValueError(f"cannot reshape array of size {x2.size} into shape ({x1.size},)")
    return Spec(dtype_as_run(np.vdot, x1, x2))


@op(
    infer=_vdot_rule,
    numpy=[np.vdot],
    dtypes=DTYPES,
    samples=[sample((3,), (3,)), sample((2, 3), (2, 3)), sample((2, 3), (6,)), sample((), ()), sample((0,), (0, 2))],
)
def vdot(x1, x2, /):
    """The dot product of all elements, with the first array conjugated.

    Args:
        x1, x2: any dtype; equally many elements.

    Returns:
        0-d, of the promoted dtype.

    Raises:
        ValueError: for different numbers of elements.

    >>> hybrid.vdot(hybrid.asarray([1 + 2j, 3 + 4j]), hybrid.asarray([1 + 2j, 3 + 4j]))
    Tensor((30+0j), dtype=complex128)
    """
    return np.vdot(x1, x2)


def _outer_rule(x1: Spec, x2: Spec) -> Spec:
    return Spec(dtype_as_run(np.outer, x1, x2), (x1.size, x2.size))


@op(
    infer=_outer_rule,
    numpy=[np.outer],
    dtypes=DTYPES,
    samples=[sample((3,), (4,)), sample((2, 3), (2,)), sample((), (3,)), sample((0,), (2,)), sample((1,), (1,)), sample((2,), given(2.5))],
)
def outer(x1, x2, /):
    """Every element of the first array times every element of the second.

    Args:
        x1: any shape and dtype; it is flattened to M elements.
        x2: any shape and dtype; it is flattened to N elements.

    Returns:
        (M, N), of the promoted dtype.

    >>> hybrid.outer(hybrid.asarray([1, 2]), hybrid.asarray([3, 4, 5]))
    Tensor([[ 3,  4,  5],
            [ 6,  8, 10]], dtype=int64)
    """
    return np.outer(x1, x2)


def _tensordot_rule(x1: Spec, x2: Spec, *, axes: Axes) -> Spec:
    dtype = dtype_as_run(np.tensordot, x1, x2, axes=_hashable(axes))
    first, second = _contracted(axes, x1.ndim, x2.ndim)
    if any(sizes_differ(x1.shape[i], x2.shape[j]) for i, j in zip(first, second, strict=True)):
        raise ValueError("shape-mismatch for sum")
    rest = [size for i, size in enumerate(x1.shape) if i not in first] + [size for j, size in enumerate(x2.shape) if j not in second]
    return Spec(dtype, tuple(rest))


def _hashable(axes: Any) -> Any:
    return tuple(map(_hashable, axes)) if isinstance(axes, list | tuple) else axes


def _contracted(axes: Any, ndim1: int, ndim2: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of each operand that are summed over."""
    if isinstance(axes, int | np.integer):
        return tuple(range(ndim1 - max(axes, 0), ndim1)), tuple(range(axes))
    first, second = axes
    return axes_of(first, ndim1), axes_of(second, ndim2)


@op(
    infer=_tensordot_rule,
    numpy=[np.tensordot, np.linalg.tensordot],
    dtypes=DTYPES,
    samples=[
        sample((2, 3, 4), (3, 4, 5)), sample((2, 3), (3, 4), axes=1), sample((2, 3), (3, 2), axes=((0, 1), (1, 0))),
        sample((2, 3, 1), (4, 1, 2), axes=((0, -1), (2, 1))), sample((2, 0), (0, 3), axes=1), sample((), (2,), axes=0),
        sample((2, 3), (4, 3), axes=(1, 1)), sample((2,), (3,), axes=0),
    ],
)  # fmt: skip
def tensordot(x1, x2, /, *, axes: Axes = 2):
    """The sum of products over chosen axes of both arrays.

    Args:
        x1, x2: any shape and dtype.
        axes: how many axes to sum over (the last ones of ``x1``, the first ones of ``x2``), or a pair of sequences that name them.

    Returns:
        Of the promoted dtype: the other axes of ``x1``, then those of ``x2``.

    Raises:
        ValueError: for sizes that don't fit, and for an axis named twice.
        IndexError: for an axis that an operand doesn't have.

    >>> hybrid.tensordot(hybrid.asarray([[1, 2], [3, 4]]), hybrid.asarray([[1, 10], [0, 1]]), axes=([0], [1]))
    Tensor([[31,  3],
            [42,  4]], dtype=int64)
    """
    return np.tensordot(x1, x2, axes=axes)


def _kron_rule(x1: Spec, x2: Spec) -> Spec:
    ndim = max(x1.ndim, x2.ndim)
    a, b = ((1,) * (ndim - spec.ndim) + spec.shape for spec in (x1, x2))
    return Spec(dtype_as_run(np.kron, x1, x2), tuple(m * n for m, n in zip(a, b, strict=True)))


@op(
    infer=_kron_rule,
    numpy=[np.kron],
    dtypes=DTYPES,
    samples=[
        sample((2, 3), (3, 2)),
        sample((2,), (3,)),
        sample((2, 3), (4,)),
        sample((), (2, 3)),
        sample((2, 1, 2), (3, 2)),
        sample((0, 2), (2, 2)),
    ],
)
def kron(x1, x2, /):
    """The Kronecker product: each element of the first array times the whole second array.

    Args:
        x1, x2: any shape and dtype; the one with fewer axes gets axes of size 1 in front.

    Returns:
        Of the promoted dtype; along each axis, the product of the sizes.

    >>> hybrid.kron(hybrid.asarray([1, 10]), hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[ 1,  2, 10, 20],
            [ 3,  4, 30, 40]], dtype=int64)
    """
    return np.kron(x1, x2)


# -- the cross product ----------------------------------------------------------------------------------------------
def _cross_rule(x1: Spec, x2: Spec, *, axisa: int, axisb: int, axisc: int, axis: int | None) -> Spec:
    if axis is not None:
        axisa = axisb = axisc = axis
    if not x1.ndim or not x2.ndim:
        raise ValueError("At least one array has zero dimension")
    a, b = _moved_last(x1.shape, axisa), _moved_last(x2.shape, axisb)
    shape = broadcast(a[:-1], b[:-1])
    dtype = dtype_as_run(_cross_of_ones, Spec(x1.dtype), Spec(x2.dtype))
    if max(_vector_size(a[-1]), _vector_size(b[-1])) == 2:
        return Spec(dtype, shape)
    place = axis_of(axisc, len(shape) + 1, "axisc")
    return Spec(dtype, (*shape[:place], 3, *shape[place:]))


def _vector_size(size: DimLike) -> int:
    if isinstance(size, Dim):
        raise Undecided(f"the size {size} isn't known while tracing: the cross product wants vectors of 2 or 3")
    if size not in (2, 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    return size


def _cross_of_ones(x1: Any, x2: Any) -> Any:
    return np.cross(np.ones(3, x1.dtype), np.ones(3, x2.dtype))


@op(
    infer=_cross_rule,
    numpy=[np.cross],
    dtypes=NUMERIC,
    samples=[
        sample((3,), (3,)), sample((2, 3), (3,)), sample((3, 4), (3, 4), axis=0), sample((3, 2), (2, 3), axisa=0, axisc=0),
        sample((2, 1, 3), (4, 3), axisc=1), sample((0, 3), (3,)), sample((2, 3), (3, 2), axisb=0, axisc=-2),
    ],
)  # fmt: skip
def cross(x1, x2, /, *, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None):
    """The cross product of vectors in three dimensions; the other axes broadcast.

    Args:
        x1, x2: vectors of size 3, any dtype but bool. Vectors of size 2 (with 0 for the third component, and only that component of
            the result if both have size 2) are deprecated in NumPy.
        axisa, axisb: the axis of the vectors in ``x1`` and ``x2``.
        axisc: their axis in the result.
        axis: the axis in all three, instead of the other arguments.

    Returns:
        The vectors orthogonal to both, of the promoted dtype.

    Raises:
        ValueError: for vectors of another size, and for shapes that don't broadcast.
        AxisError: for an axis that isn't there.

    >>> hybrid.cross(hybrid.asarray([1, 0, 0]), hybrid.asarray([0, 1, 0]))
    Tensor([0, 0, 1], dtype=int64)
    """
    return np.cross(x1, x2, axisa=axisa, axisb=axisb, axisc=axisc, axis=axis)


# -- the trace ------------------------------------------------------------------------------------------------------
def _trace_rule(x: Spec, *, offset: int, axis1: int, axis2: int, dtype: Any) -> Spec:
    found = dtype_as_run(np.trace, x, offset=offset, axis1=axis1, axis2=axis2, dtype=dtype)
    summed = axes_of((axis1, axis2), x.ndim)
    return Spec(found, tuple(size for i, size in enumerate(x.shape) if i not in summed))


@op(
    infer=_trace_rule,
    numpy=[np.trace],
    dtypes=DTYPES,
    samples=[
        sample((3, 3)), sample((2, 3), offset=1), sample((2, 3, 4)), sample((2, 3, 4), offset=-1, axis1=-1, axis2=0), sample((0, 3)),
        sample((2, 2), dtype="float32"), sample((1, 1, 2), offset=5),
    ],
)  # fmt: skip
def trace(x, /, *, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None):
    """The sum of a diagonal.

    Args:
        x: two axes or more, any dtype.
        offset: which diagonal: 0 the main one, above it if positive, below it if negative.
        axis1, axis2: the axes of the matrices; ``hybrid.linalg.trace`` takes the last two.
        dtype: the dtype to sum in; if not given that of ``x``, but at least a 64-bit integer for integers and booleans.

    Returns:
        The sums; the shape without the two axes.

    Raises:
        ValueError: for fewer than two axes, and for equal axes.
        AxisError: for an axis that isn't there.

    >>> hybrid.trace(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor(5, dtype=int64)
    """
    return np.trace(x, offset=offset, axis1=axis1, axis2=axis2, dtype=dtype)
