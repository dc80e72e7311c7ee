"""The same elements in another shape, with axes of size 1 added, dropped or repeated: views wherever NumPy makes views."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike, Undecided, never_one, product
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY
from hybrid.errors import UnsupportedError
from hybrid.ops._cores import sizes_differ
from hybrid.ops._infer import Shape, axes_of, axis_of, broadcast, scalar_ints
from hybrid.ops._samples import sample
from hybrid.ops._shapes import shape_text
from hybrid.ops._views import Strides, broadcast_strides, known, raveled, read_only, reshaped

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_to", "expand_dims", "ravel", "reshape", "resize", "squeeze",
]  # fmt: skip

Order = Literal["C", "F", "A", "K"]


# -- another shape --------------------------------------------------------------------------------------------------
def _check_order(order: str, ndim: int, allowed: str) -> None:
    """Refuse orders that don't exist, and those that depend on the memory's layout, of which a rule knows nothing."""
    if order not in tuple("CFAK"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if order not in allowed:
        raise ValueError(f"order {order!r} is not permitted for reshaping")
    if order in "AK" and ndim > 1:
        raise UnsupportedError(f"wanted the order 'C' or 'F' in a graph, where the layout of memory isn't known, received {order!r}")


def new_shape(old: Shape, shape: Any) -> Shape:
    """The shape that is asked for, its unknown size worked out; ``ValueError`` if the elements don't fit.

    >>> from hybrid.core.dim import symbol
    >>> [str(d) for d in new_shape((symbol("n"), 6), (-1, 2))]
    ['3*n', '2']
    """
    wanted = scalar_ints(shape)
    holes = [i for i, size in enumerate(wanted) if isinstance(size, int) and size < 0]
    if len(holes) > 1:
        raise ValueError("can only specify one unknown dimension")
    total, rest = product(old), product(size for i, size in enumerate(wanted) if i not in holes)
    if not (_divides(rest, total) if holes else not sizes_differ(total, rest)):
        text = ",".join("newaxis" if i in holes and i else str(size) for i, size in enumerate(wanted) if i not in holes or i)
        raise ValueError(f"cannot reshape array of size {total} into shape ({text})")
    return tuple(total // rest if i in holes else size for i, size in enumerate(wanted))


def _divides(rest: DimLike, total: DimLike) -> bool:
    """Whether sizes can be completed to a number of elements; where a symbol is among them, running checks."""
    if isinstance(rest, Dim) or isinstance(total, Dim):
        return rest != 0
    return rest != 0 and total % rest == 0


def _reshaped(x: Spec, *, shape: Any, order: str = "C", copy: bool | None = None) -> Spec:
    _check_order(order, x.ndim, "CFA")
    return x.with_shape(new_shape(x.shape, shape))


def _reshape_view(strides: Any, x: Spec, *, shape: Any, order: str, copy: bool | None) -> Strides:
    return False if copy or x.weak else reshaped(strides, x.shape, new_shape(x.shape, shape), order)


@op(
    infer=_reshaped,
    view=_reshape_view,
    numpy=[np.reshape],
    dtypes=DTYPES,
    samples=[
        sample((3, 4), shape=(2, 6)),
        sample((3, 4), shape=-1),
        sample((2, 3, 4), shape=(4, -1), order="F"),
        sample((1, 1), shape=()),
        sample((), shape=(1, 1), copy=True),
        sample((0, 3), shape=(3, -1)),
        sample((6,), shape=(3, 2), order="A", copy=False),
    ],
    onnx="Reshape",
)
def reshape(x, /, shape: int | tuple[int, ...], *, order: Literal["C", "F", "A"] = "C", copy: bool | None = None):
    """The same elements in another shape.

    Args:
        x: any shape and dtype.
        shape: the new shape; one size may be -1, and is worked out from the others.
        order: how elements are counted: the last index running fastest (``"C"``), or the first (``"F"``); ``"A"`` is ``"F"``
            for an array that lies in memory like that.
        copy: ``True`` always copies, ``False`` never, ``None`` copies where a view isn't possible.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: if the elements don't fit, for another order, and where ``copy=False`` isn't possible.

    >>> hybrid.reshape(hybrid.arange(6), (3, -1))
    Tensor([[0, 1],
            [2, 3],
            [4, 5]], dtype=int64)
    """
    return np.reshape(x, shape, order, copy=copy)


@reshape.writes_back
def _(base, new, *, shape, order, copy):
    return reshape(new, base.shape, order=order)


def _raveled(x: Spec, *, order: str = "C") -> Spec:
    _check_order(order, x.ndim, "CFAK")
    return x.with_shape((x.size,))


def _ravel_view(strides: Any, x: Spec, *, order: str) -> Strides:
    return False if x.weak else raveled(strides, x.shape, order)


@op(
    infer=_raveled,
    view=_ravel_view,
    numpy=[np.ravel],
    dtypes=DTYPES,
    samples=[sample((3, 4)), sample((2, 3), order="F"), sample(()), sample((0, 3)), sample((5,), order="K")],
)
def ravel(x, /, *, order: Order = "C"):
    """All elements on one axis: a view if they lie in memory one after the other, else a copy.

    Args:
        x: any shape and dtype.
        order: how elements are counted: the last index running fastest (``"C"``), or the first (``"F"``), or as they lie
            in memory (``"A"``, ``"K"``).

    Returns:
        An array of the dtype of ``x`` with one axis.

    Raises:
        ValueError: for another order.

    >>> hybrid.ravel(hybrid.asarray([[1, 2], [3, 4]]), order="F")
    Tensor([1, 3, 2, 4], dtype=int64)
    """
    return np.ravel(x, order)


@ravel.writes_back
def _(base, new, *, order):
    return reshape(new, base.shape, order=order)


def _repeated_to(x: Spec, *, new_shape: Any) -> Spec:
    shape = scalar_ints(new_shape)
    if any(isinstance(size, int) and size < 0 for size in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    return x.with_shape(shape)


@op(
    infer=_repeated_to,
    numpy=[np.resize],
    dtypes=DTYPES,
    samples=[sample((2, 3), new_shape=(4, 2)), sample((6,), new_shape=4), sample((0,), new_shape=(2,)), sample((), new_shape=(2, 2))],
)
def resize(x, /, new_shape: int | tuple[int, ...]):
    """The elements, repeated or cut off, in a shape of any size; zeros if there are none.

    Args:
        x: any shape and dtype.
        new_shape: the shape of the result.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: for negative sizes.

    >>> hybrid.resize(hybrid.asarray([1, 2, 3]), (2, 2))
    Tensor([[1, 2],
            [3, 1]], dtype=int64)
    """
    flat, shape = np.ravel(x), (new_shape,) if isinstance(new_shape, int | np.integer) else tuple(new_shape)
    if any(size < 0 for size in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    total = math.prod(shape)
    if flat.size == 0 or total == 0:
        return np.zeros(shape, flat.dtype)
    elements = np.empty(total, flat.dtype)
    whole = total // flat.size * flat.size
    elements[:whole].reshape(-1, flat.size)[...] = flat
    elements[whole:] = flat[: total - whole]
    return elements.reshape(shape)


# -- axes of size 1 -------------------------------------------------------------------------------------------------
def _new_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    wanted = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    axes = tuple(axis_of(a, ndim + len(wanted)) for a in wanted)
    if len(set(axes)) < len(axes):
        raise ValueError("repeated axis")
    return axes


def _expanded(x: Spec, *, axis: Any) -> Spec:
    axes, rest = _new_axes(axis, x.ndim), iter(x.shape)
    return x.with_shape([1 if i in axes else next(rest) for i in range(x.ndim + len(axes))])


@known
def _expanded_view(strides: tuple[DimLike, ...], x: Spec, *, axis: Any) -> Strides:
    axes, rest = _new_axes(axis, x.ndim), iter(strides)
    return tuple([0 if i in axes else next(rest) for i in range(x.ndim + len(axes))])


@op(
    infer=_expanded,
    view=_expanded_view,
    numpy=[np.expand_dims],
    dtypes=DTYPES,
    samples=[sample((3, 4), axis=0), sample((3,), axis=-1), sample((2, 3), axis=(0, -2)), sample((), axis=0), sample((0,), axis=1)],
    onnx="Unsqueeze",
)
def expand_dims(x, /, axis: int | tuple[int, ...]):
    """A view with new axes of size 1.

    Args:
        x: any shape and dtype.
        axis: the places of the new axes in the result.

    Returns:
        A view of the dtype of ``x``.

    Raises:
        AxisError: for places beyond the result's axes.
        ValueError: for a place named twice.

    >>> hybrid.expand_dims(hybrid.zeros((2, 3)), (0, -1)).shape
    (1, 2, 3, 1)
    """
    return np.expand_dims(x, axis)


def _dropped(x: Spec, axis: Any) -> tuple[int, ...]:
    axes = axes_of(None if x.ndim == 0 and axis in (0, -1) else axis, x.ndim)
    for size in (x.shape[i] for i in axes):
        if size != 1 and not never_one(size):
            raise Undecided(f"the size {size} isn't known while tracing: an axis of size 1 is squeezed, others aren't")
    if axis is None:
        return tuple(i for i in axes if x.shape[i] == 1)
    if any(x.shape[i] != 1 for i in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return axes


def _squeezed(x: Spec, *, axis: Any = None) -> Spec:
    axes = _dropped(x, axis)
    return x.with_shape(size for i, size in enumerate(x.shape) if i not in axes)


@known
def _squeezed_view(strides: tuple[DimLike, ...], x: Spec, *, axis: Any) -> Strides:
    axes = _dropped(x, axis)
    return tuple(stride for i, stride in enumerate(strides) if i not in axes)


@op(
    infer=_squeezed,
    view=_squeezed_view,
    numpy=[np.squeeze],
    dtypes=DTYPES,
    samples=[
        sample((1, 3, 1)),
        sample((1, 3, 1), axis=0),
        sample((1, 3, 1), axis=(0, -1)),
        sample((2, 3)),
        sample((1, 1)),
        sample((2,), axis=()),
        sample((), axis=-1),
    ],
    onnx="Squeeze",
)
def squeeze(x, /, axis: int | tuple[int, ...] | None = None):
    """A view without axes of size 1.

    Args:
        x: any shape and dtype.
        axis: the axes to drop; all of size 1 if not given.

    Returns:
        A view of the dtype of ``x``.

    Raises:
        ValueError: for an axis whose size isn't 1, or named twice.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.squeeze(hybrid.zeros((1, 3, 1)), 0).shape
    (3, 1)
    """
    return np.squeeze(x, axis)


@expand_dims.writes_back
@squeeze.writes_back
def _(base, new, *, axis):
    return reshape(new, base.shape)


def _at_least(shape: Any, *arrays: Any) -> Any:
    made = [x if (wanted := shape(x.shape)) == x.shape else reshape(x, wanted) for x in map(asarray, arrays)]
    return made[0] if len(made) == 1 else tuple(made)


@stands_for(np.atleast_1d)
@explained
def atleast_1d(*arrays: Any) -> Any:
    """Arrays with at least one axis; a tuple of them unless there is just one.

    >>> hybrid.atleast_1d(5)
    Tensor([5], dtype=int64)
    """
    return _at_least(lambda shape: shape or (1,), *arrays)


@stands_for(np.atleast_2d)
@explained
def atleast_2d(*arrays: Any) -> Any:
    """Arrays with at least two axes, new ones in front; a tuple of them unless there is just one.

    >>> hybrid.atleast_2d(hybrid.asarray([1, 2]))
    Tensor([[1, 2]], dtype=int64)
    """
    return _at_least(lambda shape: (1,) * (2 - len(shape)) + tuple(shape), *arrays)


@stands_for(np.atleast_3d)
@explained
def atleast_3d(*arrays: Any) -> Any:
    """Arrays with at least three axes: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1); a tuple unless there is just one.

    >>> hybrid.atleast_3d(hybrid.asarray([1, 2])).shape
    (1, 2, 1)
    """
    return _at_least(_three_axes, *arrays)


def _three_axes(shape: Shape) -> Shape:
    return ((1, 1, 1), (1, *shape, 1), (*shape, 1), shape)[min(len(shape), 3)]


# -- repeated axes --------------------------------------------------------------------------------------------------
def _spread(x: Spec, *, shape: Any) -> Spec:
    wanted = scalar_ints(shape)
    if not wanted and x.shape:
        raise ValueError("cannot broadcast a non-scalar to a scalar array")
    if any(isinstance(size, int) and size < 0 for size in wanted):
        raise ValueError("all elements of broadcast shape must be non-negative")
    if x.ndim > len(wanted):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    if any(a != 1 and ((b == 1 and never_one(a)) or sizes_differ(a, b)) for a, b in zip(x.shape[::-1], wanted[::-1], strict=False)):
        texts = f"{shape_text(x.shape)}  and requested shape {shape_text(wanted)}"
        raise ValueError(f"operands could not be broadcast together with remapped shapes [original->remapped]: {texts}")
    return x.with_shape(wanted)


@known
def _spread_view(strides: tuple[DimLike, ...], x: Spec, *, shape: Any) -> Strides:
    return broadcast_strides(strides, x.shape, scalar_ints(shape))


@op(
    infer=_spread,
    view=_spread_view,
    numpy=[np.broadcast_to],
    dtypes=DTYPES,
    samples=[
        sample((3, 4), shape=(2, 3, 4)),
        sample((3, 1), shape=(3, 4)),
        sample((), shape=(2,)),
        sample((1,), shape=(0,)),
        sample((), shape=()),
    ],
    onnx="Expand",
)
def broadcast_to(x, /, shape: int | tuple[int, ...]):
    """A view, that can't be written to, with axes added in front and axes of size 1 repeated.

    Args:
        x: any dtype, a shape that broadcasts to the new one.
        shape: the shape of the result.

    Returns:
        A view of the dtype of ``x``.

    Raises:
        ValueError: if the shape of ``x`` doesn't broadcast to ``shape``.

    >>> hybrid.broadcast_to(hybrid.asarray([1, 2]), (2, 2))
    Tensor([[1, 2],
            [1, 2]], dtype=int64)
    """
    return np.broadcast_to(x, shape)


broadcast_to.writes_back(read_only)


@explained
def broadcast_arrays(*arrays: Any) -> list[Any]:
    """Arrays repeated to their common shape: views where they have to be repeated, else the arrays themselves.

    Raises ``ValueError`` if the shapes don't broadcast.

    >>> hybrid.broadcast_arrays(hybrid.asarray([1, 2]), hybrid.asarray([[3], [4]]))[0]
    Tensor([[1, 2],
            [1, 2]], dtype=int64)
    """
    made = [asarray(x) for x in arrays]
    try:
        shape = broadcast(*(tuple(x.shape) for x in made))
    except ValueError:
        texts = " ".join(shape_text(tuple(x.shape)) for x in made)
        raise ValueError(f"shape mismatch: objects cannot be broadcast to a single shape, received shapes {texts}") from None
    return [x if tuple(x.shape) == shape else broadcast_to(x, shape) for x in made]


NUMPY[np.broadcast_arrays] = lambda *args, subok=False: tuple(broadcast_arrays(*args))
