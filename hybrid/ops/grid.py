"""Grids of coordinates, and the positions of diagonals and triangles."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike, dim_max, unknown
from hybrid.core.dtypes import BOOL, INTEGERS, as_dtype
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY
from hybrid.core.tensor import wrap
from hybrid.ops._infer import Shape, broadcast
from hybrid.ops._samples import given, sample
from hybrid.ops._shapes import sizes
from hybrid.ops.convert import copy as copied
from hybrid.ops.create import arange, steps_between
from hybrid.ops.shape import broadcast_arrays, reshape

__all__ = [
    "diag_indices", "diag_indices_from", "fromfunction", "indices", "ix_", "meshgrid", "mgrid", "ogrid", "ravel_multi_index",
    "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip

CONSTANT = "the result depends on no value"
INTP = np.dtype(np.intp)


def _alone(i: int, size: DimLike, ndim: int) -> Shape:
    """The shape of an axis by itself among axes of size 1."""
    return (1,) * i + (size,) + (1,) * (ndim - i - 1)


# -- coordinates ----------------------------------------------------------------------------------------------------
def _positions(*, dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    shape, found = sizes(dimensions), as_dtype(dtype)
    if sparse:
        return tuple(Spec(found, _alone(i, size, len(shape))) for i, size in enumerate(shape))
    return Spec(found, (len(shape), *shape))


@op(
    infer=_positions,
    numpy=[np.indices],
    samples=[
        sample(dimensions=(2, 3)),
        sample(dimensions=(4,), dtype="f4"),
        sample(dimensions=()),
        sample(dimensions=(2, 0, 3), sparse=True),
    ],
    no_gradient=CONSTANT,
)
def indices(dimensions: tuple[int, ...], *, dtype: Any = int, sparse: bool = False):
    """The position of every element of a grid along each of its axes.

    Args:
        dimensions: the shape of the grid.
        dtype: the dtype of the positions.
        sparse: give each axis by itself, with size 1 along the others.

    Returns:
        One array of shape ``(len(dimensions), *dimensions)``; if sparse, a tuple of arrays.

    Raises:
        ValueError: for negative sizes.

    >>> hybrid.indices((2, 2))
    Tensor([[[0, 0],
             [1, 1]],
    <BLANKLINE>
            [[0, 1],
             [0, 1]]], dtype=int64)
    """
    return np.indices(dimensions, as_dtype(dtype), sparse)


@explained
def meshgrid(*arrays: Any, indexing: Literal["xy", "ij"] = "xy", sparse: bool = False, copy: bool = True) -> list[Any]:
    """Coordinates on a grid, of coordinates along its axes.

    Args:
        *arrays: the coordinates along each axis; arrays with several axes are flattened.
        indexing: ``"ij"``: axis i of the results runs through array i; ``"xy"``: the first two are swapped.
        sparse: leave size 1 along the other axes.
        copy: ``False`` gives views, that can't be written to, where that is possible.

    Returns:
        A list with one array for each of ``arrays``, all of the grid's shape unless sparse.

    Raises:
        ValueError: for another ``indexing``.

    >>> hybrid.meshgrid(hybrid.asarray([1, 2, 3]), hybrid.asarray([4, 5]))
    [Tensor([[1, 2, 3],
            [1, 2, 3]], dtype=int64), Tensor([[4, 4, 4],
            [5, 5, 5]], dtype=int64)]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Valid values for `indexing` are 'xy' and 'ij', received {indexing!r}")
    places = list(range(len(arrays)))
    if indexing == "xy":
        places[:2] = places[1::-1] if len(arrays) > 1 else places
    axes = [reshape(asarray(x), _alone(i, -1, len(arrays))) for i, x in zip(places, arrays, strict=True)]
    grids = axes if sparse else broadcast_arrays(*axes)
    return [copied(grid) for grid in grids] if copy else grids


def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: Any = "xy") -> Any:
    grids = meshgrid(*xi, indexing=indexing, sparse=sparse, copy=copy)
    return grids if sparse and not copy else tuple(grids)


NUMPY[np.meshgrid] = _meshgrid


@stands_for(np.ix_)
@explained
def ix_(*args: Any) -> tuple[Any, ...]:
    """Index arrays that select a block: each sequence of positions on an axis of its own.

    Args:
        *args: positions along each axis, or masks of them; one axis each.

    Returns:
        A tuple of integer arrays, each with size 1 along all axes but its own.

    Raises:
        ValueError: for an argument that hasn't one axis.

    >>> hybrid.asarray([[1, 2, 3], [4, 5, 6]])[hybrid.ix_([0, 1], [0, 2])]
    Tensor([[1, 3],
            [4, 6]], dtype=int64)
    """
    return tuple(_ix(i, x, len(args)) for i, x in enumerate(args))


def _ix(i: int, x: Any, ndim: int) -> Any:
    array = asarray(x)
    if array.ndim != 1:
        raise ValueError("Cross index must be 1 dimensional")
    if array.dtype.kind == "b":
        (array,) = array.nonzero()
    elif array.shape[0] == 0 and isinstance(x, list | tuple):
        array = array.astype(INTP)
    return array.reshape(_alone(i, array.shape[0], ndim))


def fromfunction(function: Callable[..., Any], shape: tuple[int, ...], *, dtype: Any = float, **kwargs: Any) -> Any:
    """What a function makes of the coordinates of a grid.

    Args:
        function: called once, with one array for each axis: the positions along it, in the grid's shape.
        shape: the shape of the grid.
        dtype: the dtype of the coordinates.
        **kwargs: further arguments of ``function``.

    >>> hybrid.fromfunction(lambda i, j: 10 * i + j, (2, 3), dtype=int)
    Tensor([[ 0,  1,  2],
            [10, 11, 12]], dtype=int64)
    """
    return function(*indices(shape, dtype=dtype), **kwargs)


NUMPY[np.fromfunction] = lambda function, shape, *, dtype=float, like=None, **kwargs: fromfunction(function, shape, dtype=dtype, **kwargs)


# -- mgrid and ogrid ------------------------------------------------------------------------------------------------
Range = tuple[Any, Any, Any]
"""Start, stop and step of a slice; slices themselves can't be attributes, because they have no hash."""


def _range_size(start: Any, stop: Any, step: Any) -> DimLike:
    if isinstance(step, complex | np.complexfloating):
        return int(abs(step))
    return steps_between(0 if start is None else start, stop, 1 if step is None else step)


def _small(part: Range) -> slice:
    """A slice of one element with bounds of the same types."""
    start, stop, step = part
    return slice(
        None if start is None else 0 if isinstance(start, Dim) else type(start)(0),
        1 if isinstance(stop, Dim) else type(stop)(1),
        None if step is None else 1 if isinstance(step, Dim) else 1j if isinstance(step, complex | np.complexfloating) else type(step)(1),
    )


def _grid_spec(*, ranges: tuple[Range, ...] | Range, sparse: bool = False) -> Any:
    is_single = not isinstance(ranges[0], tuple)
    parts: tuple[Range, ...] = (ranges,) if is_single else ranges  # type: ignore[assignment]
    found = _grid_kernel(sparse)[_small(parts[0]) if is_single else tuple(map(_small, parts))]
    counts = tuple(_range_size(*part) for part in parts)
    if is_single:
        return Spec(found.dtype, counts)  # type: ignore[union-attr]
    if sparse:
        return tuple(Spec(x.dtype, _alone(i, n, len(counts))) for i, (x, n) in enumerate(zip(found, counts, strict=True)))
    return Spec(found.dtype, (len(counts), *counts))  # type: ignore[union-attr]


def _grid_kernel(sparse: bool) -> Any:
    return np.ogrid if sparse else np.mgrid


@op(
    infer=_grid_spec,
    samples=[
        sample(ranges=(0, 5, None)),
        sample(ranges=(None, 1.0, 0.25), sparse=True),
        sample(ranges=((0, 3, None), (1, 8, 3))),
        sample(ranges=((0, 1, 3j), (0, 2, None))),
        sample(ranges=((0, 1, 3j), (0, 2, None)), sparse=True),
    ],
    no_gradient=CONSTANT,
)
def grid(*, ranges: tuple[Range, ...] | Range, sparse: bool = False):
    """What ``mgrid`` and ``ogrid`` give for slices.

    Args:
        ranges: start, stop and step of each slice, or those of a single one.
        sparse: give each axis by itself, as ``ogrid`` does.

    Returns:
        Coordinates in one array, its first axis running over the slices; if sparse, a tuple of arrays. For a single slice,
        an array with one axis.

    >>> from hybrid.ops.grid import grid
    >>> grid(ranges=(0, 3, None))
    Tensor([0, 1, 2], dtype=int64)
    """
    key = tuple(slice(*part) for part in ranges) if isinstance(ranges[0], tuple) else slice(*ranges)
    return _grid_kernel(sparse)[key]


class Grid:
    """``mgrid`` and ``ogrid``: grids of coordinates, said with slices.

    Args:
        sparse: whether each axis comes by itself.
    """

    __slots__ = ("_sparse",)

    def __init__(self, sparse: bool):
        self._sparse = sparse

    def __getitem__(self, key: slice | tuple[slice, ...]) -> Any:
        parts = tuple((k.start, k.stop, k.step) for k in (key if isinstance(key, tuple) else (key,)))
        if any(isinstance(bound, np.generic) for part in parts for bound in part):
            return wrap(_grid_kernel(self._sparse)[key])  # a constant: attributes are Python's numbers, without a dtype
        return grid(ranges=parts if isinstance(key, tuple) else parts[0], sparse=self._sparse)

    def __repr__(self) -> str:
        return "hybrid.ogrid" if self._sparse else "hybrid.mgrid"


mgrid = Grid(sparse=False)
"""Coordinates on a grid: ``hybrid.mgrid[0:3, 0:1:5j]``, an imaginary step being a number of points, the last one included."""

ogrid = Grid(sparse=True)
"""Like ``mgrid``, a tuple with each axis by itself: ``hybrid.ogrid[0:3, 0:2]``."""


# -- flat positions -------------------------------------------------------------------------------------------------
def _check_positions(spec: Spec, order: str) -> None:
    if spec.dtype.kind not in "biu":
        raise TypeError("only int indices permitted")
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")


def _unraveled(indices: Spec, *, shape: Any, order: str = "C") -> tuple[Spec, ...]:
    _check_positions(indices, order)
    return (Spec(INTP, indices.shape),) * len(sizes(shape))


@op(
    infer=_unraveled,
    numpy=[np.unravel_index],
    dtypes=BOOL + INTEGERS,
    samples=[
        sample((4,), shape=(2, 3), low=0),
        sample((2, 2), shape=(2, 3, 2), order="F", low=0),
        sample((), shape=6, low=0),
        sample((0,), shape=(2, 3)),
        sample(given(3), shape=(2, 2)),
    ],
    no_gradient="integers",
)
def unravel_index(indices, /, shape: int | tuple[int, ...], *, order: Literal["C", "F"] = "C"):
    """The positions along each axis of elements known by their number.

    Args:
        indices: numbers of elements; any shape, integers.
        shape: the shape of the array they count in.
        order: whether the last index runs fastest (``"C"``) or the first (``"F"``).

    Returns:
        A tuple with one integer array for each axis, of the shape of ``indices``.

    Raises:
        TypeError: for numbers that are no integers.
        ValueError: for numbers of elements that don't exist, and another order.

    >>> hybrid.unravel_index(hybrid.asarray([1, 5]), (2, 3))
    (Tensor([0, 1], dtype=int64), Tensor([1, 2], dtype=int64))
    """
    return np.unravel_index(indices, shape, order)


def _multi_raveled(multi_index: Sequence[Spec], *, dims: Any, mode: Any = "raise", order: str = "C") -> Spec:
    shape = sizes(dims)
    if len(multi_index) != len(shape):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(shape)}")
    for spec in multi_index:
        _check_positions(spec, order)
    return Spec(INTP, broadcast(*(spec.shape for spec in multi_index)))


@op(
    infer=_multi_raveled,
    numpy=[np.ravel_multi_index],
    sequences=("multi_index",),
    dtypes=BOOL + INTEGERS,
    samples=[
        sample([(4,), (4,)], dims=(4, 5), low=0),
        sample([(2, 1), (3,), ()], dims=(4, 5, 6), order="F", low=0),
        sample([(2,), given(7)], dims=(4, 5), mode=("clip", "wrap")),
        sample([(0,)], dims=3),
    ],
    no_gradient="integers",
)
def ravel_multi_index(multi_index, /, dims: int | tuple[int, ...], *, mode: Any = "raise", order: Literal["C", "F"] = "C"):
    """The numbers of elements known by their positions along each axis.

    Args:
        multi_index: a sequence with one integer array for each axis; their shapes broadcast.
        dims: the shape of the array that is counted in.
        mode: what happens to positions that don't exist: ``"raise"``, ``"wrap"`` around or ``"clip"``; or one for each axis.
        order: whether the last index runs fastest (``"C"``) or the first (``"F"``).

    Returns:
        An integer array of the common shape.

    Raises:
        TypeError: for positions that are no integers.
        ValueError: for positions that don't exist, other modes and orders.

    >>> hybrid.ravel_multi_index([hybrid.asarray([0, 1]), hybrid.asarray([1, 2])], (2, 3))
    Tensor([1, 5], dtype=int64)
    """
    return np.ravel_multi_index(tuple(multi_index), dims, mode, order)


# -- positions of diagonals and triangles ---------------------------------------------------------------------------
@explained
def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """Index arrays of the main diagonal of an array with ``ndim`` axes of size ``n``.

    >>> x = hybrid.zeros((2, 2))
    >>> x[hybrid.diag_indices(2)] = 7
    >>> x
    Tensor([[7., 0.],
            [0., 7.]], dtype=float64)
    """
    return (arange(n),) * ndim


NUMPY[np.diag_indices] = diag_indices


@stands_for(np.diag_indices_from)
@explained
def diag_indices_from(arr: Any, /) -> tuple[Any, ...]:
    """Index arrays of the main diagonal of an array; ``ValueError`` unless it has two or more axes of equal sizes.

    >>> hybrid.diag_indices_from(hybrid.zeros((2, 2)))
    (Tensor([0, 1], dtype=int64), Tensor([0, 1], dtype=int64))
    """
    shape = asarray(arr).shape
    if len(shape) < 2:
        raise ValueError("input array must be at least 2-d")
    if any(size != shape[0] for size in shape):
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(shape[0], len(shape))


def _lower_count(rows: DimLike, columns: DimLike, k: int) -> DimLike:
    """How many elements of a matrix stand on or below a diagonal."""
    if isinstance(rows, int) and isinstance(columns, int):
        return int(np.clip(np.arange(rows) + (k + 1), 0, columns).sum())
    return (rows * rows + rows) // 2 if k == 0 and rows == columns else unknown("count")


def _lower(*, n: DimLike, k: int = 0, m: DimLike | None = None) -> tuple[Spec, Spec]:
    rows, columns = (dim_max(0, size) for size in (n, n if m is None else m))
    positions = Spec(INTP, (_lower_count(rows, columns, operator.index(k)),))
    return positions, positions


def _upper(*, n: DimLike, k: int = 0, m: DimLike | None = None) -> tuple[Spec, Spec]:
    rows, columns = (dim_max(0, size) for size in (n, n if m is None else m))
    below = _lower_count(rows, columns, operator.index(k) - 1)
    known = isinstance(rows, int) and isinstance(columns, int)
    count = rows * columns - below if known else _lower_count(rows, columns, operator.index(k))
    return Spec(INTP, (count,)), Spec(INTP, (count,))


TRIANGLES = [sample(n=3), sample(n=4, k=1), sample(n=3, k=-1, m=5), sample(n=5, k=2, m=3), sample(n=0)]


@op(infer=_lower, numpy=[np.tril_indices], samples=TRIANGLES, no_gradient=CONSTANT)
def tril_indices(n: int, k: int = 0, m: int | None = None):
    """Index arrays of the lower triangle of a matrix.

    Args:
        n: the number of rows.
        k: the diagonal up to which it reaches: above the main one if positive, below if negative.
        m: the number of columns; that of rows if not given.

    Returns:
        Two arrays of rows and columns, row by row.

    >>> hybrid.tril_indices(2)
    (Tensor([0, 1, 1], dtype=int64), Tensor([0, 0, 1], dtype=int64))
    """
    return np.tril_indices(n, k, m)


@op(infer=_upper, numpy=[np.triu_indices], samples=TRIANGLES, no_gradient=CONSTANT)
def triu_indices(n: int, k: int = 0, m: int | None = None):
    """Index arrays of the upper triangle of a matrix.

    Args:
        n: the number of rows.
        k: the diagonal from which it starts: above the main one if positive, below if negative.
        m: the number of columns; that of rows if not given.

    Returns:
        Two arrays of rows and columns, row by row.

    >>> hybrid.triu_indices(2)
    (Tensor([0, 0, 1], dtype=int64), Tensor([0, 1, 1], dtype=int64))
    """
    return np.triu_indices(n, k, m)


@stands_for(np.tril_indices_from)
@explained
def tril_indices_from(arr: Any, /, *, k: int = 0) -> tuple[Any, Any]:
    """Index arrays of the lower triangle of a matrix; ``ValueError`` unless it has two axes.

    >>> hybrid.tril_indices_from(hybrid.zeros((2, 2)), k=-1)
    (Tensor([1], dtype=int64), Tensor([0], dtype=int64))
    """
    rows, columns = _matrix_shape(arr)
    return tril_indices(rows, k=k, m=columns)


@stands_for(np.triu_indices_from)
@explained
def triu_indices_from(arr: Any, /, *, k: int = 0) -> tuple[Any, Any]:
    """Index arrays of the upper triangle of a matrix; ``ValueError`` unless it has two axes.

    >>> hybrid.triu_indices_from(hybrid.zeros((2, 2)), k=1)
    (Tensor([0], dtype=int64), Tensor([1], dtype=int64))
    """
    rows, columns = _matrix_shape(arr)
    return triu_indices(rows, k=k, m=columns)


def _matrix_shape(arr: Any) -> tuple[int, int]:
    shape = asarray(arr).shape
    if len(shape) != 2:
        raise ValueError("input array must be 2-d")
    return shape
