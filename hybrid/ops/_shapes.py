"""Building blocks of the rules of new, joined and reshaped arrays: sizes that are asked for, and sizes that must agree."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from hybrid.core.dim import DimLike
from hybrid.ops._cores import sizes_differ
from hybrid.ops._infer import Shape, scalar_ints

__all__ = ["LARGE", "MOST_AXES", "agreed", "check_fits", "check_room", "shape_text", "sizes"]

MOST_AXES: Final = 64


LARGE: Final = 2**28
"""Elements above which it is worth a look whether an array can be allocated."""


def sizes(shape: Any) -> Shape:
    """The shape of a new array; ``ValueError`` for negative sizes and too many axes."""
    if not hasattr(shape, "__index__") and not hasattr(shape, "__iter__"):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape}'")
    found = scalar_ints(shape)
    if any(isinstance(size, int) and size < 0 for size in found):
        raise ValueError("negative dimensions are not allowed")
    if len(found) > MOST_AXES:
        raise ValueError(f"maximum supported dimension for an ndarray is currently {MOST_AXES}, found {len(found)}")
    return found


def check_fits(shape: Shape, wanted: Shape) -> None:
    """``ValueError`` for values that don't broadcast to a shape, in which they are to be put."""
    extra = max(0, len(shape) - len(wanted))
    pairs = zip(reversed(shape), reversed(wanted), strict=False)
    if any(size != 1 for size in shape[:extra]) or any(a != 1 and sizes_differ(a, b) for a, b in pairs):
        raise ValueError(f"could not broadcast input array from shape {shape_text(shape)} into shape {shape_text(wanted)}")


def check_room(shape: Shape, dtype: Any) -> None:
    """``MemoryError`` for an array that can't be allocated: for kernels that would fill the memory on the way to it."""
    if math.prod(shape) > LARGE:  # type: ignore[arg-type]
        np.empty(shape, dtype)  # type: ignore[arg-type]


def agreed(sizes: Iterable[DimLike]) -> DimLike | None:
    """The one size that all of these are, a number if there is one among them; ``None`` if they are known to differ.

    >>> from hybrid.core.dim import symbol
    >>> agreed([symbol("n"), 3, 3]), agreed([2, 3])
    (3, None)
    """
    found = list(sizes)
    numbers = [size for size in found if isinstance(size, int)]
    return None if len(set(numbers)) > 1 else (numbers or found)[0]


def shape_text(shape: Shape) -> str:
    """A shape as NumPy writes it in messages: ``(2,3)`` or ``(2,)``."""
    return f"({','.join(map(str, shape))}{',' * (len(shape) == 1)})"
