"""Differences, numerical derivatives and integrals, linear interpolation."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hybrid.core.dim import DimLike, dim_max
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Shape, axes_of, axis_of, broadcast, dtype_as_run, may_agree, reduced
from hybrid.ops._samples import given, sample

__all__ = ["diff", "ediff1d", "gradient", "interp", "trapezoid"]


def with_size(shape: Shape, axis: int, size: DimLike) -> Shape:
    """A shape with another size of one axis."""
    return (*shape[:axis], size, *shape[axis + 1 :])


def fewer(size: DimLike, count: int) -> DimLike:
    """A size less ``count``, but not below 0."""
    return dim_max(size - count, 0) if count else size


# -- differences ----------------------------------------------------------------------------------------------------
def _diff_spec(x: Spec, prepend: Spec | None = None, append: Spec | None = None, *, axis: int = -1, n: int = 1) -> Spec:
    if n == 0:
        return Spec(x.dtype, x.shape)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if x.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    place = axis_of(axis, x.ndim)
    size = x.shape[place]
    for extra in (prepend, append):
        size = size if extra is None else size + _extra_size(x, extra, place)
    return Spec(dtype_as_run(_differences, x, prepend, append), with_size(x.shape, place, fewer(size, n)))


def _extra_size(x: Spec, extra: Spec, axis: int) -> DimLike:
    """How much longer ``x`` gets along an axis when a number or an array is put before or behind it."""
    if extra.ndim == 0:
        return 1
    if extra.ndim != x.ndim or not may_agree(with_size(x.shape, axis, 1), with_size(extra.shape, axis, 1)):
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    return extra.shape[axis]


HIGH: Final = 100
"""The order from which on it is looked whether any elements will be left."""


def _differences(x: Any, prepend: Any, append: Any, *, n: int = 1, axis: int = -1) -> Any:
    ends = {name: end for name, end in (("prepend", prepend), ("append", append)) if end is not None}
    if n > HIGH:
        n = min(n, HIGH + sum(map(np.size, (x, *ends.values()))))  # further steps would find nothing and take time
    return np.diff(x, n, axis, **ends)


@op(
    infer=_diff_spec, numpy=[np.diff], tensors=("prepend", "append"), dtypes=DTYPES,
    samples=[
        sample((5,)), sample((3, 4), axis=0), sample((2, 3, 4), axis=1, n=2), sample((2,), n=3), sample((0, 3)), sample((0, 3), axis=0),
        sample((2, 3), (2, 2), (2, 1)), sample((3,), given(2)), sample((3,), None, given(2.5)), sample((2, 3), n=0), sample(()),
        sample((2, 3), (1, 3)),
    ],
)  # fmt: skip
def diff(x, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None):
    """Differences of neighbours along an axis.

    Args:
        x: any shape but a number, any dtype.
        axis: the axis along which neighbours are.
        n: how many times to take differences.
        prepend: what to put before ``x`` first: a number, or an array like ``x`` but for the size of the axis.
        append: what to put behind ``x`` first.

    Returns:
        ``x[i + 1] - x[i]``, ``n`` elements fewer along the axis; the dtype of ``x`` (with ``prepend`` and ``append`` that to
        which they promote). Booleans give whether neighbours differ.

    Raises:
        ValueError: for a number in place of an array, a negative ``n``, and arrays that can't be put together.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.diff(hybrid.asarray([1, 2, 4, 7, 0]))
    Tensor([ 1,  2,  3, -7], dtype=int64)
    """
    return _differences(x, prepend, append, n=n, axis=axis) if n else np.array(x)


def _all_differences(x: Spec, to_end: Spec | None = None, to_begin: Spec | None = None) -> Spec:
    dtype = dtype_as_run(np.ediff1d, x, to_end, to_begin)
    ends = [end.size for end in (to_begin, to_end) if end is not None]
    return Spec(dtype, (sum(ends, fewer(x.size, 1)),))


@op(
    infer=_all_differences, numpy=[np.ediff1d], tensors=("to_end", "to_begin"), dtypes=DTYPES,
    samples=[
        sample((5,)), sample((2, 3)), sample((3,), (2,), (1,)), sample((3,), given(2)), sample((0,), None, given(1.5)), sample((1,)),
        sample(()), sample((3,), (2, 2)),
    ],
)  # fmt: skip
def ediff1d(x, /, *, to_end: Any = None, to_begin: Any = None):
    """Differences of neighbours in the flattened array.

    Args:
        x: any shape, numeric.
        to_end: numbers to put behind the differences; their dtype must cast to that of ``x`` as the same kind.
        to_begin: numbers to put before them.

    Returns:
        One axis, with the dtype of ``x``.

    Raises:
        TypeError: for booleans, and for numbers of another kind to put before or behind.

    >>> hybrid.ediff1d(hybrid.asarray([[1, 2], [4, 7]]), to_begin=-99, to_end=[88, 99])
    Tensor([-99,   1,   2,   3,  88,  99], dtype=int64)
    """
    return np.ediff1d(x, to_end, to_begin)


# -- derivatives and integrals --------------------------------------------------------------------------------------
def _gradient_specs(f: Spec, *spacing: Spec, axis: Any = None, edge_order: int = 1) -> Spec | tuple[Spec, ...]:
    axes = axes_of(axis, f.ndim)
    if len(spacing) not in (0, len(axes)) and not (len(spacing) == 1 and spacing[0].ndim == 0):
        raise TypeError("invalid number of arguments")
    for distances, place in zip(spacing, axes, strict=False):
        _check_distances(distances, f.shape[place])
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    sizes = [f.shape[place] for place in axes]
    if any(isinstance(size, int) and size < edge_order + 1 for size in sizes):
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    curved = edge_order == 2 and len(spacing) == len(axes) and all(distances.ndim for distances in spacing)
    result = Spec(dtype_as_run(_slope, Spec(f.dtype, ()), curved=curved) if axes else f.dtype, f.shape)
    return result if len(axes) == 1 else (result,) * len(axes)


def _check_distances(distances: Spec, size: DimLike) -> None:
    if distances.ndim > 1:
        raise ValueError("distances must be either scalars or 1d")
    if distances.ndim and not may_agree(distances.shape, (size,)):
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")


def _slope(value: Any, *, curved: bool) -> Any:
    """A gradient as it is computed with distances that differ and second order at the edges, or otherwise."""
    values = np.stack([value] * 3)
    return np.gradient(values, [0.0, 1.0, 3.0], edge_order=2) if curved else np.gradient(values)


@op(
    infer=_gradient_specs, numpy=[np.gradient], dtypes=DTYPES,
    samples=[
        sample((5,)), sample((3, 4)), sample((3, 4), given(0.5), axis=0), sample((3, 4), given(2), given([0.0, 1.0, 3.0, 4.0])),
        sample((4,), given([0.0, 1.0, 3.0, 4.0]), edge_order=2), sample((2, 3, 4), given(1.5), axis=(0, -1)), sample((3, 4), axis=(1,)),
        sample((2,), edge_order=2), sample((0,)), sample((3, 2), given([0.0, 1.0])), sample((2, 2), given(1), given(1), given(1)),
        sample((3,), edge_order=3),
    ],
)  # fmt: skip
def gradient(f, /, *spacing, axis: int | tuple[int, ...] | None = None, edge_order: int = 1):
    """The derivative of sampled values along axes, by central differences inside and one-sided ones at the edges.

    Args:
        f: the values; any shape, numeric.
        spacing: nothing (distance 1), one number for all axes, or for each axis a number or the coordinates of its values.
        axis: the axes along which to differentiate; all if not given.
        edge_order: the order of accuracy at the edges, 1 or 2.

    Returns:
        For one axis an array of the shape of ``f``; else a tuple with one for each axis. float64 for integers, else the dtype of ``f``.

    Raises:
        ValueError: for fewer than ``edge_order + 1`` values along an axis, coordinates of another size, and another ``edge_order``.
        TypeError: for booleans, and a wrong number of spacings.

    Source:
        B. Fornberg, Generation of finite difference formulas on arbitrarily spaced grids. DOI 10.1090/S0025-5718-1988-0935077-0

    >>> hybrid.gradient(hybrid.asarray([1.0, 2.0, 4.0, 7.0]), 0.5)
    Tensor([2., 3., 5., 6.], dtype=float64)
    """
    return np.gradient(f, *spacing, axis=axis, edge_order=edge_order)


def _integrated(y: Spec, x: Spec | None = None, dx: Spec | None = None, *, axis: int = -1) -> Spec:
    if y.ndim == 0:
        raise IndexError("list assignment index out of range")
    place = axis_of(axis, y.ndim)
    inner = with_size(y.shape, place, fewer(y.shape[place], 1))
    shapes = [inner, _widths(x, y, axis)] if x is not None else [inner] if dx is None else [inner, dx.shape]
    return Spec(dtype_as_run(_trapezoids, y, x, dx), reduced(broadcast(*shapes), axis))


def _widths(x: Spec, y: Spec, axis: int) -> Shape:
    """The shape of the distances, as it meets the values."""
    if x.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    if x.ndim == 1:
        return with_size((1,) * y.ndim, axis_of(axis, y.ndim), fewer(x.shape[0], 1))
    place = axis_of(axis, x.ndim)
    return with_size(x.shape, place, fewer(x.shape[place], 1))


def _trapezoids(y: Any, x: Any, dx: Any, *, axis: int = -1) -> Any:
    return np.trapezoid(y, x, 1.0 if dx is None else dx, axis)


@op(
    infer=_integrated, numpy=[np.trapezoid], tensors=("dx",), dtypes=DTYPES,
    samples=[
        sample((5,)), sample((3, 4), axis=0), sample((3, 4), given([0.0, 1.0, 3.0, 4.0])), sample((3, 2), given([0.0, 1.0, 3.0]), axis=0),
        sample((5,), None, given(0.5)), sample((2, 3), (2, 3)), sample((0,)), sample((2, 1)), sample((0, 3)), sample(()),
        sample((3,), (2, 3)), sample((3,), given([0, 2, 3])), sample((3, 4), given([0.0, 1.0, 3.0])),
    ],
)  # fmt: skip
def trapezoid(y, x=None, /, *, dx: Any = None, axis: int = -1):
    """The integral of sampled values along an axis, by the trapezoidal rule.

    Args:
        y: the values; any shape but a number, any dtype.
        x: their coordinates: along the axis, or of a shape that broadcasts with ``y``; equally spaced if not given.
        dx: the distance between neighbours, if there is no ``x``; 1 if not given.
        axis: the axis to integrate along.

    Returns:
        The integrals: the shape of ``y`` without the axis; float64 for booleans and integers, else the promoted dtype.

    Raises:
        ValueError: for coordinates that don't fit.
        IndexError: for an axis that ``y`` doesn't have.

    >>> hybrid.trapezoid(hybrid.asarray([1.0, 2.0, 3.0]), hybrid.asarray([4.0, 6.0, 8.0]))
    Tensor(8.0, dtype=float64)
    """
    return _trapezoids(y, x, dx, axis=axis)


# -- interpolation --------------------------------------------------------------------------------------------------
def _interpolated(x: Spec, xp: Spec, fp: Spec, left: Spec | None = None, right: Spec | None = None, period: Spec | None = None) -> Spec:
    dtype = dtype_as_run(np.interp, x, xp, fp, left, right, period)
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    if not may_agree(xp.shape, fp.shape):
        raise ValueError("fp and xp are not of the same length.")
    return Spec(dtype, x.shape)


POINTS = given([-1.0, 0.0, 2.0, 2.5])


@op(
    infer=_interpolated, numpy=[np.interp], tensors=("left", "right", "period"), dtypes=BOOL + INTEGERS + FLOATS,
    samples=[
        sample((3, 4), POINTS, (4,)), sample((), POINTS, (4,)), sample((0,), POINTS, (4,)),
        sample((5,), POINTS, (4,), given(-9.0), given(9)), sample((5,), POINTS, (4,), None, None, given(4.0)),
        sample(given(0.5), POINTS, (4,)), sample((3,), POINTS, given([1j, 2, 3j, 4])),
        sample((3,), POINTS, (3,)), sample((3,), given([]), given([])), sample((3,), (2, 2), (2, 2)),
    ],
)  # fmt: skip
def interp(x, xp, fp, /, *, left: Any = None, right: Any = None, period: Any = None):
    """The values at ``x`` of the straight lines between points.

    Args:
        x: where to interpolate; any shape, real.
        xp: the coordinates of the points on one axis, increasing (this is not checked) unless there is a period.
        fp: the values of the points, as many; real or complex.
        left: the value below ``xp[0]``; ``fp[0]`` if not given.
        right: the value above ``xp[-1]``; ``fp[-1]`` if not given.
        period: a period of the coordinates; ``left`` and ``right`` don't matter then.

    Returns:
        The values, of the shape of ``x``; complex128 where ``fp`` is complex, else float64.

    Raises:
        ValueError: for no points, sizes that differ, several axes, and a period of 0.
        TypeError: for complex coordinates.

    >>> hybrid.interp(hybrid.asarray([0.0, 1.0, 1.5, 9.0]), [1.0, 2.0, 3.0], [3.0, 2.0, 0.0])
    Tensor([3. , 3. , 2.5, 0. ], dtype=float64)
    """
    return np.interp(x, xp, fp, left, right, period)
