"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import DimLike, dim_max, dim_min
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.ops._infer import axis_of
from hybrid.ops._samples import sample
from hybrid.ops._views import Strides, known, read_only

__all__ = ["diag", "diagflat", "diagonal", "tril", "triu"]


def diagonal_size(rows: DimLike, columns: DimLike, offset: int = 0) -> DimLike:
    """The number of elements on a diagonal of a matrix.

    >>> diagonal_size(3, 4), diagonal_size(3, 4, 2), diagonal_size(3, 4, -5)
    (3, 2, 0)
    """
    return dim_max(0, dim_min(rows + min(offset, 0), columns - max(offset, 0)))


def _axes(x: Spec, axis1: int, axis2: int) -> tuple[int, int]:
    if x.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = axis_of(axis1, x.ndim, "axis1: axis"), axis_of(axis2, x.ndim, "axis2: axis")
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    return first, second


def _diagonal(x: Spec, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Spec:
    first, second = _axes(x, axis1, axis2)
    rest = [size for i, size in enumerate(x.shape) if i not in (first, second)]
    return x.with_shape((*rest, diagonal_size(x.shape[first], x.shape[second], offset)))


@known
def _diagonal_view(strides: tuple[DimLike, ...], x: Spec, *, offset: int, axis1: int, axis2: int) -> Strides:
    first, second = _axes(x, axis1, axis2)
    rest = [stride for i, stride in enumerate(strides) if i not in (first, second)]
    return (*rest, strides[first] + strides[second])


@op(
    infer=_diagonal,
    view=_diagonal_view,
    numpy=[np.diagonal],
    dtypes=DTYPES,
    samples=[
        sample((3, 4)),
        sample((3, 3), offset=-1),
        sample((2, 3, 4), axis1=-1, axis2=0, offset=1),
        sample((0, 3)),
        sample((2, 2), offset=5),
    ],
)
def diagonal(x, /, *, offset: int = 0, axis1: int = 0, axis2: int = 1):
    """A diagonal, or one for each matrix, as a view that can't be written to.

    Args:
        x: two or more axes, any dtype.
        offset: which diagonal: above the main one if positive, below if negative.
        axis1: the axis of the matrices' rows.
        axis2: the axis of their columns.

    Returns:
        A view of the dtype of ``x``: the other axes, then one for the diagonal.

    Raises:
        ValueError: below two axes, and for axes that are the same.
        AxisError: for axes that don't exist.

    >>> hybrid.diagonal(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([1, 4], dtype=int64)
    """
    return np.diagonal(x, offset, axis1, axis2)


diagonal.writes_back(read_only)


def _square(x: Spec, *, k: int = 0) -> Spec:
    return x.with_shape((x.size + abs(k),) * 2)


@op(infer=_square, numpy=[np.diagflat], dtypes=DTYPES, samples=[sample((3,)), sample((2, 2), k=1), sample((), k=-2), sample((0,), k=1)])
def diagflat(x, /, *, k: int = 0):
    """A matrix of zeros with the elements on a diagonal.

    Args:
        x: any shape and dtype; several axes are flattened.
        k: which diagonal: above the main one if positive, below if negative.

    Returns:
        A square matrix of the dtype of ``x``, with as many rows as are needed.

    >>> hybrid.diagflat(hybrid.asarray([1, 2]))
    Tensor([[1, 0],
            [0, 2]], dtype=int64)
    """
    return np.diagflat(x, k)


@stands_for(np.diag)
@explained
def diag(x: Any, /, *, k: int = 0) -> Any:
    """The diagonal of a matrix, as a view that can't be written to; or a matrix with a vector on its diagonal.

    Args:
        x: one or two axes, any dtype.
        k: which diagonal: above the main one if positive, below if negative.

    Raises:
        ValueError: for other numbers of axes.

    >>> hybrid.diag(hybrid.asarray([[1, 2], [3, 4]])), hybrid.diag(hybrid.asarray([1, 2]))
    (Tensor([1, 4], dtype=int64), Tensor([[1, 0],
            [0, 2]], dtype=int64))
    """
    x = asarray(x)
    if x.ndim not in (1, 2):
        raise ValueError("Input must be 1- or 2-d.")
    return diagonal(x, offset=k) if x.ndim == 2 else diagflat(x, k=k)


def _triangle(x: Spec, *, k: int = 0) -> Spec:
    if x.ndim == 0:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    return x.with_shape(x.shape if x.ndim > 1 else x.shape * 2)


TRIANGLES = [sample((3, 4)), sample((2, 3, 3), k=1), sample((4, 2), k=-1), sample((3,)), sample((0, 2))]


@op(infer=_triangle, numpy=[np.tril], dtypes=DTYPES, samples=TRIANGLES, onnx="Trilu")
def tril(x, /, *, k: int = 0):
    """The matrices with zeros above a diagonal.

    Args:
        x: two or more axes, any dtype; a vector is taken for every row of a square matrix.
        k: the last diagonal to keep: above the main one if positive, below if negative.

    Returns:
        An array of the shape and dtype of ``x``.

    Raises:
        TypeError: for an array without axes.

    >>> hybrid.tril(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[1, 0],
            [3, 4]], dtype=int64)
    """
    return np.tril(x, k)


@op(infer=_triangle, numpy=[np.triu], dtypes=DTYPES, samples=TRIANGLES, onnx="Trilu")
def triu(x, /, *, k: int = 0):
    """The matrices with zeros below a diagonal.

    Args:
        x: two or more axes, any dtype; a vector is taken for every row of a square matrix.
        k: the first diagonal to keep: above the main one if positive, below if negative.

    Returns:
        An array of the shape and dtype of ``x``.

    Raises:
        TypeError: for an array without axes.

    >>> hybrid.triu(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[1, 2],
            [0, 4]], dtype=int64)
    """
    return np.triu(x, k)
