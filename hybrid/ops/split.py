"""Arrays cut into pieces along an axis: views."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import DimLike
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.errors import UnsupportedError
from hybrid.ops._samples import sample
from hybrid.ops._views import Strides, known
from hybrid.ops.index import sliced
from hybrid.ops.join import concat

__all__ = ["array_split", "dsplit", "hsplit", "split", "vsplit"]

Sections = int | Sequence[int]


def _is_count(sections: Any) -> bool:
    return not isinstance(sections, Sequence | np.ndarray) or (isinstance(sections, np.ndarray) and sections.ndim == 0)


def _piece_sizes(size: DimLike, sections: Any) -> list[DimLike]:
    """The sizes of pieces: as equal as can be, the larger ones first; or between the positions given."""
    if _is_count(sections):
        count = int(sections)
        if count <= 0:
            raise ValueError("number sections must be larger than 0.")
        return [(size + (count - 1 - i)) // count for i in range(count)]
    points = [0, *(int(point) for point in sections), None]
    return [sliced(size, start, stop, None) for start, stop in pairwise(points)]


def _cut(x: Spec, *, indices_or_sections: Any, axis: int = 0) -> tuple[Spec, ...]:
    if not -x.ndim <= axis < x.ndim:
        raise IndexError("tuple index out of range")
    place = axis % x.ndim
    return tuple(
        x.with_shape((*x.shape[:place], size, *x.shape[place + 1 :])) for size in _piece_sizes(x.shape[place], indices_or_sections)
    )


def _cut_equally(x: Spec, *, indices_or_sections: Any, axis: int = 0) -> tuple[Spec, ...]:
    if _is_count(indices_or_sections) and -x.ndim <= axis < x.ndim:
        size = x.shape[axis]
        if indices_or_sections == 0:
            raise ZeroDivisionError("integer modulo by zero")
        if isinstance(size, int) and size % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
        if indices_or_sections > 0 and not isinstance(size, int):
            piece = x.with_shape(size // indices_or_sections if i == axis % x.ndim else n for i, n in enumerate(x.shape))
            return (piece,) * indices_or_sections
    return _cut(x, indices_or_sections=indices_or_sections, axis=axis)


@known
def _piece_view(strides: tuple[DimLike, ...], x: Spec, **_: Any) -> Strides:
    return strides


def _overlap(size: DimLike, sections: Any) -> bool:
    """Whether pieces have, or might have, elements in common."""
    if _is_count(sections):
        return False
    if isinstance(size, int):
        return sum(_piece_sizes(size, sections)) != size  # type: ignore[arg-type]
    return list(sections) != sorted(sections) or min(sections, default=0) < 0


PIECES = [
    sample((6, 2), indices_or_sections=3),
    sample((2, 4), indices_or_sections=2, axis=-1),
    sample((5,), indices_or_sections=(1, 3)),
    sample((5, 2), indices_or_sections=(-2, 9)),
    sample((0, 2), indices_or_sections=1),
]


@op(infer=_cut_equally, view=_piece_view, returns=list, numpy=[np.split], dtypes=DTYPES, samples=PIECES, onnx="Split")
def split(x, /, indices_or_sections: Sections, *, axis: int = 0):
    """The pieces of an array along an axis.

    Args:
        x: any shape with an axis, any dtype.
        indices_or_sections: how many pieces of equal size; or the positions at which to cut.
        axis: the axis to cut along.

    Returns:
        A list of views.

    Raises:
        ValueError: if the axis can't be cut into equal pieces.
        IndexError: for an axis that doesn't exist.

    >>> hybrid.split(hybrid.arange(4), 2)
    [Tensor([0, 1], dtype=int64), Tensor([2, 3], dtype=int64)]
    """
    return np.split(np.asarray(x), indices_or_sections, axis)


@op(
    infer=_cut,
    view=_piece_view,
    returns=list,
    numpy=[np.array_split],
    dtypes=DTYPES,
    samples=[*PIECES, sample((5,), indices_or_sections=3), sample((2, 2), indices_or_sections=4)],
)
def array_split(x, /, indices_or_sections: Sections, *, axis: int = 0):
    """The pieces of an array along an axis, where necessary the first ones larger by 1 than the others.

    Args:
        x: any shape with an axis, any dtype.
        indices_or_sections: how many pieces; or the positions at which to cut.
        axis: the axis to cut along.

    Returns:
        A list of views.

    Raises:
        ValueError: for less than one piece.
        IndexError: for an axis that doesn't exist.

    >>> hybrid.array_split(hybrid.arange(3), 2)
    [Tensor([0, 1], dtype=int64), Tensor([2], dtype=int64)]
    """
    return np.array_split(np.asarray(x), indices_or_sections, axis)


@split.writes_back
@array_split.writes_back
def _(base, new, *, indices_or_sections, axis):
    if _overlap(base.shape[axis], indices_or_sections):
        raise UnsupportedError(f"wanted pieces that don't overlap to write into, received the positions {indices_or_sections}")
    return concat(new, axis=axis)


@stands_for(np.hsplit)
@explained
def hsplit(x: Any, /, indices_or_sections: Sections) -> list[Any]:
    """The pieces along axis 1, or along the only axis; raises as ``split`` does, ``ValueError`` without an axis.

    >>> hybrid.hsplit(hybrid.asarray([[1, 2], [3, 4]]), 2)[0]
    Tensor([[1],
            [3]], dtype=int64)
    """
    x = asarray(x)
    if x.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(x, indices_or_sections, axis=1 if x.ndim > 1 else 0)


@stands_for(np.vsplit)
@explained
def vsplit(x: Any, /, indices_or_sections: Sections) -> list[Any]:
    """The pieces along axis 0; raises as ``split`` does, ``ValueError`` below two axes.

    >>> hybrid.vsplit(hybrid.asarray([[1, 2], [3, 4]]), 2)[0]
    Tensor([[1, 2]], dtype=int64)
    """
    x = asarray(x)
    if x.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(x, indices_or_sections, axis=0)


@stands_for(np.dsplit)
@explained
def dsplit(x: Any, /, indices_or_sections: Sections) -> list[Any]:
    """The pieces along axis 2; raises as ``split`` does, ``ValueError`` below three axes.

    >>> hybrid.dsplit(hybrid.asarray([[[1, 2], [3, 4]]]), 2)[0].shape
    (1, 2, 1)
    """
    x = asarray(x)
    if x.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(x, indices_or_sections, axis=2)
