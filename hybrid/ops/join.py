"""Arrays joined: along an axis, along a new one, as blocks of a larger array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import DimLike
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, as_dtype
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.ops._infer import axis_of, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops._shapes import agreed
from hybrid.ops.axes import permute_dims
from hybrid.ops.convert import Casting
from hybrid.ops.shape import atleast_1d, atleast_2d, atleast_3d, ravel, reshape

__all__ = ["append", "block", "column_stack", "concat", "dstack", "hstack", "stack", "vstack"]

Arrays = Sequence[Any]


def _or_none(dtype: Any) -> np.dtype | None:
    return None if dtype is None else as_dtype(dtype)


def _joined_dtype(arrays: Sequence[Spec], dtype: Any, casting: str) -> np.dtype:
    return dtype_as_run(_flat, *arrays, dtype=_or_none(dtype), casting=casting)


def _flat(*arrays: Any, dtype: Any, casting: Any) -> np.ndarray:
    return np.concatenate(arrays, None, dtype=dtype, casting=casting)


# -- along an axis --------------------------------------------------------------------------------------------------
def _joined_size(arrays: Sequence[Spec], i: int) -> DimLike:
    """The size along an axis that isn't joined; ``ValueError`` if the arrays have different ones."""
    size = agreed(spec.shape[i] for spec in arrays)
    if size is not None:
        return size
    known = [(n, spec.shape[i]) for n, spec in enumerate(arrays) if isinstance(spec.shape[i], int)]
    other, different = next((n, size) for n, size in known if size != known[0][1])
    raise ValueError(
        "all the input array dimensions except for the concatenation axis must match exactly, but along dimension "
        f"{i}, the array at index {known[0][0]} has size {known[0][1]} and the array at index {other} has size {different}"
    )


def _joined(arrays: Sequence[Spec], *, axis: int | None = 0, dtype: Any = None, casting: str = "same_kind") -> Spec:
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        return Spec(_joined_dtype(arrays, dtype, casting), (sum((spec.size for spec in arrays), 0),))
    first = arrays[0]
    if first.ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    place = axis_of(axis, first.ndim)
    for i, spec in enumerate(arrays):
        if spec.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.ndim} dimension(s) and the array at index {i} has {spec.ndim} dimension(s)"
            )
    total = sum((spec.shape[place] for spec in arrays), 0)
    shape = tuple(total if i == place else _joined_size(arrays, i) for i in range(first.ndim))
    return Spec(_joined_dtype(arrays, dtype, casting), shape)


@op(
    infer=_joined,
    sequences=("arrays",),
    numpy=[np.concatenate],
    dtypes=DTYPES,
    samples=[
        sample([(2, 3), (1, 3)]),
        sample([(2, 1), (2, 0), (2, 4)], axis=-1),
        sample([(2,), (), (0, 3), given(2)], axis=None),
        sample([(4,)]),
        sample([(2,), (3,)], dtype="f4", casting="unsafe", dtypes=BOOL + INTEGERS + FLOATS),
        sample([(2,), (3,)], dtype="c8"),
    ],
    onnx="Concat",
)
def concat(arrays, /, *, axis: int | None = 0, dtype: Any = None, casting: Casting = "same_kind"):
    """Arrays joined along an axis that they have.

    Args:
        arrays: a sequence of arrays with the same sizes along the other axes.
        axis: the axis; ``None`` flattens the arrays first.
        dtype: the dtype of the result; what the arrays promote to, if not given.
        casting: which casts to ``dtype`` are allowed.

    Returns:
        An array with as many axes as each of ``arrays``.

    Raises:
        ValueError: for no array, arrays without axes, and sizes or numbers of axes that differ.
        TypeError: if ``casting`` forbids the cast.
        AxisError: for an axis that doesn't exist.

    >>> hybrid.concat([hybrid.asarray([1, 2]), hybrid.asarray([3])])
    Tensor([1, 2, 3], dtype=int64)
    """
    return np.concatenate(arrays, axis, dtype=_or_none(dtype), casting=casting)


def _stacked(arrays: Sequence[Spec], *, axis: int = 0, dtype: Any = None, casting: str = "same_kind") -> Spec:
    if not arrays:
        raise ValueError("need at least one array to stack")
    ndim = arrays[0].ndim
    sizes = [None] if any(spec.ndim != ndim for spec in arrays) else [agreed(s.shape[i] for s in arrays) for i in range(ndim)]
    if None in sizes:
        raise ValueError("all input arrays must have the same shape")
    place = axis_of(axis, ndim + 1)
    strong = [Spec(spec.dtype, spec.shape) for spec in arrays]
    return Spec(_joined_dtype(strong, dtype, casting), (*sizes[:place], len(arrays), *sizes[place:]))


@op(
    infer=_stacked,
    sequences=("arrays",),
    numpy=[np.stack],
    dtypes=DTYPES,
    samples=[
        sample([(2, 3), (2, 3)]),
        sample([(2, 3), (2, 3)], axis=-1),
        sample([(), given(2)]),
        sample([(0,), (0,), (0,)], axis=1),
        sample([(2,), (2,)], dtype="f4", casting="unsafe", dtypes=BOOL + INTEGERS + FLOATS),
    ],
)
def stack(arrays, /, *, axis: int = 0, dtype: Any = None, casting: Casting = "same_kind"):
    """Arrays of the same shape joined along a new axis.

    Args:
        arrays: a sequence of arrays.
        axis: where the result has the new axis.
        dtype: the dtype of the result; what the arrays promote to, if not given.
        casting: which casts to ``dtype`` are allowed.

    Returns:
        An array with one axis more than each of ``arrays``.

    Raises:
        ValueError: for no array, and shapes that differ.
        TypeError: if ``casting`` forbids the cast.
        AxisError: for an axis that the result doesn't have.

    >>> hybrid.stack([hybrid.asarray([1, 2]), hybrid.asarray([3, 4])], axis=1)
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return np.stack(arrays, axis, dtype=_or_none(dtype), casting=casting)


def _each(arrays: Any) -> list[Any]:
    """The arrays of a sequence, or the slices of an array."""
    return [asarray(x) for x in arrays]


@stands_for(np.hstack)
@explained
def hstack(arrays: Arrays, /, *, dtype: Any = None, casting: Casting = "same_kind") -> Any:
    """Arrays side by side: joined along axis 1, or along the only axis of those that have one; raises as ``concat`` does.

    >>> hybrid.hstack([hybrid.asarray([1, 2]), hybrid.asarray([3])])
    Tensor([1, 2, 3], dtype=int64)
    """
    made = [atleast_1d(x) for x in _each(arrays)]
    return concat(made, axis=0 if made and made[0].ndim == 1 else 1, dtype=dtype, casting=casting)


@stands_for(np.vstack)
@explained
def vstack(arrays: Arrays, /, *, dtype: Any = None, casting: Casting = "same_kind") -> Any:
    """Arrays below each other: joined along axis 0, those with one axis as rows; raises as ``concat`` does.

    >>> hybrid.vstack([hybrid.asarray([1, 2]), hybrid.asarray([3, 4])])
    Tensor([[1, 2],
            [3, 4]], dtype=int64)
    """
    return concat([atleast_2d(x) for x in _each(arrays)], axis=0, dtype=dtype, casting=casting)


@stands_for(np.dstack)
@explained
def dstack(arrays: Arrays, /) -> Any:
    """Arrays behind each other: joined along axis 2, after ``atleast_3d``; raises as ``concat`` does.

    >>> hybrid.dstack([hybrid.asarray([1, 2]), hybrid.asarray([3, 4])])
    Tensor([[[1, 3],
             [2, 4]]], dtype=int64)
    """
    return concat([atleast_3d(x) for x in _each(arrays)], axis=2)


@stands_for(np.column_stack)
@explained
def column_stack(arrays: Arrays, /) -> Any:
    """Arrays with one axis as columns of a matrix, beside matrices; raises as ``concat`` does.

    >>> hybrid.column_stack([hybrid.asarray([1, 2]), hybrid.asarray([3, 4])])
    Tensor([[1, 3],
            [2, 4]], dtype=int64)
    """
    return concat([permute_dims(atleast_2d(x)) if x.ndim < 2 else x for x in _each(arrays)], axis=1)


@stands_for(np.append)
@explained
def append(arr: Any, values: Any, /, *, axis: int | None = None) -> Any:
    """An array followed by values: both flattened, or along an axis; raises as ``concat`` does.

    >>> hybrid.append(hybrid.asarray([1, 2]), [3])
    Tensor([1, 2, 3], dtype=int64)
    """
    arrays = [asarray(arr), asarray(values)]
    return concat([ravel(x) for x in arrays] if axis is None else arrays, axis=axis or 0)


# -- blocks ---------------------------------------------------------------------------------------------------------
@stands_for(np.block)
@explained
def block(arrays: Any, /) -> Any:
    """An array put together from blocks in nested lists: the innermost along the last axis, the next along the one before.

    Args:
        arrays: nested lists, of the same depth everywhere, of arrays and numbers; axes are added in front where needed.

    Raises:
        ValueError: for unequal depths, empty lists, and sizes that don't fit.
        TypeError: for tuples.

    >>> hybrid.block([[hybrid.ones((2, 2)), hybrid.zeros((2, 1))], [hybrid.full((1, 3), 7.0)]])
    Tensor([[1., 1., 0.],
            [1., 1., 0.],
            [7., 7., 7.]], dtype=float64)
    """
    depths = dict(_depths(arrays, ()))
    depth = len(next(iter(depths)))
    different = next((place for place in depths if len(place) != depth), None)
    if different is not None:
        raise ValueError(
            f"List depths are mismatched. First element was at depth {depth}, but there is an element at depth "
            f"{len(different)} ({_place_text(different)})"
        )
    empty = next((place for place, leaf in depths.items() if isinstance(leaf, list)), None)
    if empty is not None:
        raise ValueError(f"List at {_place_text(empty[:-1])} cannot be empty")
    if depth == 0:
        return asarray(arrays, copy=True)
    return _joined_blocks(arrays, depth, max(depth, *(asarray(leaf).ndim for leaf in depths.values())))


def _depths(arrays: Any, place: tuple[int | None, ...]) -> Any:
    """The places in nested lists and what is there; an empty list counts as having a place inside, and stands for itself."""
    if isinstance(arrays, tuple):
        raise TypeError(
            f"{_place_text(place)} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit "
            "conversion from tuple to ndarray."
        )
    if not isinstance(arrays, list):
        yield place, arrays
    elif not arrays:
        yield (*place, None), arrays
    else:
        for i, item in enumerate(arrays):
            yield from _depths(item, (*place, i))


def _place_text(place: tuple[int | None, ...]) -> str:
    return "arrays" + "".join(f"[{i}]" for i in place if i is not None)


def _joined_blocks(arrays: Any, depth: int, ndim: int) -> Any:
    if depth:
        return concat([_joined_blocks(item, depth - 1, ndim) for item in arrays], axis=-depth)
    made = asarray(arrays)
    return made if made.ndim == ndim else reshape(made, (1,) * (ndim - made.ndim) + tuple(made.shape))
