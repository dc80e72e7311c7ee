"""Axes in another order, reversed, rotated: views."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import DimLike
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.ops._infer import axes_of, axis_of
from hybrid.ops._samples import given, sample
from hybrid.ops._views import Strides, flipped, known

__all__ = ["flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims", "rollaxis", "rot90", "swapaxes", "unstack"]


# -- axes in another order ------------------------------------------------------------------------------------------
def permutation(axes: Any, ndim: int) -> tuple[int, ...]:
    """Where each axis of the result comes from, for ``np.transpose``; ``None`` reverses the axes."""
    if axes is None:
        return tuple(range(ndim))[::-1]
    wanted = axes if isinstance(axes, tuple | list | np.ndarray) else (axes,)
    if len(wanted) != ndim:
        raise ValueError("axes don't match array")
    found = tuple(axis_of(axis, ndim) for axis in wanted)
    if len(set(found)) < ndim:
        raise ValueError("repeated axis in transpose")
    return found


def _permuted(x: Spec, *, axes: Any = None) -> Spec:
    return x.with_shape(x.shape[i] for i in permutation(axes, x.ndim))


@known
def _permuted_view(strides: tuple[DimLike, ...], x: Spec, *, axes: Any) -> Strides:
    return tuple(strides[i] for i in permutation(axes, x.ndim))


@op(
    infer=_permuted,
    view=_permuted_view,
    numpy=[np.transpose],
    dtypes=DTYPES,
    samples=[
        sample((3, 4)),
        sample((2, 3, 4), axes=(1, 2, 0)),
        sample((2, 3), axes=(-1, 0)),
        sample((), axes=()),
        sample((0, 3), axes=(1, 0)),
    ],
    onnx="Transpose",
)
def permute_dims(x, /, axes: tuple[int, ...] | None = None):
    """A view with the axes in another order.

    Args:
        x: any shape and dtype.
        axes: which axis of ``x`` each axis of the result is; reversed if not given.

    Returns:
        A view of the dtype of ``x``.

    Raises:
        ValueError: if ``axes`` doesn't name every axis once.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.permute_dims(hybrid.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return np.transpose(x, axes)


@permute_dims.writes_back
def _(base, new, *, axes):
    axes = permutation(axes, base.ndim)
    return permute_dims(new, tuple(axes.index(i) for i in range(base.ndim)))


def _check_matrix(x: Spec) -> None:
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")


def _matrix_transposed(x: Spec) -> Spec:
    _check_matrix(x)
    return x.with_shape((*x.shape[:-2], x.shape[-1], x.shape[-2]))


@known
def _matrix_transposed_view(strides: tuple[DimLike, ...], x: Spec) -> Strides:
    return (*strides[:-2], strides[-1], strides[-2])


@op(
    infer=_matrix_transposed,
    view=_matrix_transposed_view,
    numpy=[np.matrix_transpose],
    dtypes=DTYPES,
    samples=[sample((3, 4)), sample((2, 3, 4)), sample((0, 2)), sample((1, 1))],
)
def matrix_transpose(x, /):
    """A view with the last two axes swapped.

    Args:
        x: two or more axes, any dtype.

    Returns:
        A view of the dtype of ``x``.

    Raises:
        ValueError: below two axes.

    >>> hybrid.matrix_transpose(hybrid.zeros((5, 2, 3))).shape
    (5, 3, 2)
    """
    return np.matrix_transpose(x)


@matrix_transpose.writes_back
def _(base, new):
    return matrix_transpose(new)


@stands_for(np.swapaxes)
@explained
def swapaxes(x: Any, /, axis1: int, axis2: int) -> Any:
    """A view with two axes swapped; ``AxisError`` for axes that don't exist.

    >>> hybrid.swapaxes(hybrid.zeros((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    x = asarray(x)
    axes = list(range(x.ndim))
    i, j = axis_of(axis1, x.ndim, "axis1: axis"), axis_of(axis2, x.ndim, "axis2: axis")
    axes[i], axes[j] = j, i
    return permute_dims(x, tuple(axes))


@stands_for(np.moveaxis)
@explained
def moveaxis(x: Any, /, source: int | tuple[int, ...], destination: int | tuple[int, ...]) -> Any:
    """A view with axes moved to other places; the remaining ones keep their order.

    Args:
        x: any shape and dtype.
        source: the axes to move.
        destination: the place of each of them in the result.

    Raises:
        AxisError: for axes that don't exist.
        ValueError: for an axis named twice, and for unequal numbers of axes.

    >>> hybrid.moveaxis(hybrid.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = asarray(x)
    start, end = _distinct(source, x.ndim, "source"), _distinct(destination, x.ndim, "destination")
    if len(start) != len(end):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    axes = [axis for axis in range(x.ndim) if axis not in start]
    for place, axis in sorted(zip(end, start, strict=True)):
        axes.insert(place, axis)
    return permute_dims(x, tuple(axes))


def _distinct(axes: Any, ndim: int, name: str) -> tuple[int, ...]:
    found = tuple(axis_of(axis, ndim, f"{name}: axis") for axis in (axes if isinstance(axes, tuple | list) else (axes,)))
    if len(set(found)) < len(found):
        raise ValueError(f"repeated axis in `{name}` argument")
    return found


@stands_for(np.rollaxis)
@explained
def rollaxis(x: Any, /, axis: int, start: int = 0) -> Any:
    """A view with an axis moved until it lies before another; ``moveaxis`` says the same more clearly.

    Args:
        x: any shape and dtype.
        axis: the axis to move.
        start: the axis before which it comes to lie; the number of axes for the end.

    Raises:
        AxisError: for axes that don't exist.

    >>> rollaxis(hybrid.zeros((2, 3, 4)), 2, 1).shape
    (2, 4, 3)
    """
    x = asarray(x)
    ndim, place = x.ndim, operator.index(start)
    axis = axis_of(axis, ndim)
    place = place + ndim if place < 0 else place
    if not 0 <= place <= ndim:
        raise np.exceptions.AxisError(f"'start' arg requires {-ndim} <= start < {ndim + 1}, but {place} was passed in")
    axes = [i for i in range(ndim) if i != axis]
    axes.insert(place - (axis < place), axis)
    return permute_dims(x, tuple(axes))


# -- reversed axes ---------------------------------------------------------------------------------------------------
def _reversed(x: Spec, *, axis: Any = None) -> Spec:
    if isinstance(axis, tuple | list) and len({axis_of(a, x.ndim) for a in axis}) < len(axis):
        raise ValueError("repeated axis")
    axes_of(axis, x.ndim)
    return x.with_shape(x.shape)


def _reversed_view(strides: Any, x: Spec, *, axis: Any) -> Strides:
    """A view, but a scalar where there are no axes."""
    return False if not x.shape else True if strides is None else flipped(strides, x, axis=axis)


@op(
    infer=_reversed,
    view=_reversed_view,
    numpy=[np.flip],
    dtypes=DTYPES,
    samples=[sample((3, 4)), sample((3, 4), axis=1), sample((2, 3, 4), axis=(0, -1)), sample(()), sample((0, 2), axis=0), sample(given(3))],
)
def flip(x, /, *, axis: int | tuple[int, ...] | None = None):
    """A view with the order of the elements reversed along axes.

    Args:
        x: any shape and dtype.
        axis: the axes to reverse; all if not given.

    Returns:
        A view of the shape and dtype of ``x``.

    Raises:
        AxisError: for an axis that doesn't exist.
        ValueError: for an axis named twice.

    >>> hybrid.flip(hybrid.asarray([[1, 2], [3, 4]]), axis=1)
    Tensor([[2, 1],
            [4, 3]], dtype=int64)
    """
    return np.flip(x, axis)


@flip.writes_back
def _(base, new, *, axis):
    return flip(new, axis=axis)


@stands_for(np.fliplr)
@explained
def fliplr(x: Any, /) -> Any:
    """A view with the order of the columns (axis 1) reversed; ``ValueError`` below two axes.

    >>> hybrid.fliplr(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[2, 1],
            [4, 3]], dtype=int64)
    """
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(x, axis=1)


@stands_for(np.flipud)
@explained
def flipud(x: Any, /) -> Any:
    """A view with the order of the rows (axis 0) reversed; ``ValueError`` without an axis.

    >>> hybrid.flipud(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[3, 4],
            [1, 2]], dtype=int64)
    """
    x = asarray(x)
    if x.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(x, axis=0)


@stands_for(np.rot90)
@explained
def rot90(x: Any, /, *, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    """A view rotated by quarter turns in the plane of two axes, from the first towards the second.

    Args:
        x: two or more axes, any dtype.
        k: how many quarter turns; negative ones go the other way.
        axes: the plane.

    Raises:
        ValueError: for axes that are the same or don't exist, or not two of them.

    >>> hybrid.rot90(hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([[2, 4],
            [1, 3]], dtype=int64)
    """
    x = asarray(x)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = axes
    if first == second or abs(first - second) == x.ndim:
        raise ValueError("Axes must be different.")
    if any(not -x.ndim <= axis < x.ndim for axis in axes):
        raise ValueError(f"Axes={tuple(axes)} out of range for array of ndim={x.ndim}.")
    turns = operator.index(k) % 4
    if turns == 0:
        return x[:]
    if turns == 2:
        return flip(x, axis=(first, second))
    return swapaxes(flip(x, axis=second), first, second) if turns == 1 else flip(swapaxes(x, first, second), axis=second)


@stands_for(np.unstack)
@explained
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis, as a tuple of views.

    Raises ``ValueError`` for an array without axes, and ``AxisError`` for an axis that doesn't exist.

    >>> hybrid.unstack(hybrid.asarray([[1, 2], [3, 4]]), axis=1)
    (Tensor([1, 3], dtype=int64), Tensor([2, 4], dtype=int64))
    """
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))
