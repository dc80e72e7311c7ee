"""Where the elements of a view are: its strides, counted in elements, from those of the array it looks into.

Each function takes the strides of the first argument (``None`` if they aren't known), the arguments' specs and the operation's
attributes. It returns the strides of the view, ``True`` for a view with strides that aren't known, ``False`` where NumPy
makes a copy, and ``None`` where running decides between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from hybrid.core.dim import DimLike, never_one, product
from hybrid.core.spec import Spec
from hybrid.ops._infer import axes_of

__all__ = ["Strides", "broadcast_strides", "contiguous", "is_contiguous", "known", "raveled", "read_only", "reshaped"]

Strides: TypeAlias = "tuple[DimLike, ...] | bool | None"


def known(rule: Callable[..., Strides]) -> Callable[..., Strides]:
    """A rule for what is always a view: without strides to start from, there are none to tell."""

    def view(strides: Any, *specs: Spec, **attributes: Any) -> Strides:
        return True if strides is None else rule(strides, *specs, **attributes)

    return view


def read_only(*_: Any, **__: Any) -> Any:
    """The answer to a write into a view that NumPy makes read-only: ``ValueError``."""
    raise ValueError("assignment destination is read-only")


def contiguous(shape: Sequence[DimLike], order: str = "C") -> tuple[DimLike, ...]:
    """The strides of an array without gaps, its last (or, in order F, first) axis running fastest."""
    if order == "F":
        return tuple(product(shape[:i]) for i in range(len(shape)))
    return tuple(product(shape[i + 1 :]) for i in range(len(shape)))


def is_contiguous(strides: Sequence[DimLike], shape: Sequence[DimLike], order: str = "C") -> bool | None:
    """Whether elements stand without gaps in an order; ``None`` where the sizes, not known yet, decide it."""
    wanted = contiguous(shape, order)
    if 0 in shape or all(s == w for s, w, n in zip(strides, wanted, shape, strict=True) if n != 1):
        return True
    return False if any(never_one(n) and _never_equal(s, w) for s, w, n in zip(strides, wanted, shape, strict=True)) else None


def _only_copied(strides: Sequence[DimLike], shape: Sequence[DimLike], wanted: Sequence[DimLike]) -> bool:
    """Whether elements that are to stand on one axis can't, because the axes are known not to follow each other in memory."""
    if sum(size != 1 for size in wanted) != 1:
        return False
    axes = [(s, n) for s, n in zip(strides, shape, strict=True) if n != 1]
    return any(never_one(n) and never_one(m) and _never_equal(s, t * m) for (s, n), (t, m) in pairwise(axes))


def _never_equal(a: DimLike, b: DimLike) -> bool:
    difference = a - b
    if isinstance(difference, int):
        return difference != 0
    return (a == 1 and never_one(b)) or (b == 1 and never_one(a))


def broadcast_strides(strides: Sequence[DimLike], shape: Sequence[DimLike], wanted: Sequence[DimLike]) -> Strides:
    """The strides of an array repeated to a shape: 0 along the axes that are repeated."""
    new = len(wanted) - len(shape)
    if any(n not in (1, w) and not never_one(n) for n, w in zip(shape, wanted[new:], strict=True)):
        return True
    return (0,) * new + tuple(0 if n == 1 and w != 1 else s for s, n, w in zip(strides, shape, wanted[new:], strict=True))


def reshaped(strides: Any, shape: Sequence[DimLike], wanted: Sequence[DimLike], order: str = "C") -> Strides:
    """The strides of elements in another shape, read in an order; NumPy itself decides where all sizes are numbers."""
    if strides is None:
        return None
    if is_contiguous(strides, shape, order):
        return contiguous(wanted, order)
    if any(not isinstance(n, int) for n in (*strides, *shape, *wanted)):
        return False if order == "C" and _only_copied(strides, shape, wanted) else None
    probe = np.lib.stride_tricks.as_strided(np.empty(1, np.int8), tuple(shape), tuple(strides))  # type: ignore[arg-type]
    try:
        return probe.reshape(tuple(wanted), order=order, copy=False).strides  # type: ignore[arg-type,call-overload]
    except ValueError:
        return False


def raveled(strides: Any, shape: Sequence[DimLike], order: str = "C") -> Strides:
    """The strides of all elements on one axis: a view if they stand without gaps in that order."""
    if strides is None:
        return None
    answer = is_contiguous(strides, shape, order)
    return (1,) if answer else answer


def flipped(strides: tuple[DimLike, ...], x: Spec, *, axis: Any) -> Strides:
    """The strides of reversed axes."""
    axes = axes_of(axis, x.ndim)
    return tuple(-s if i in axes else s for i, s in enumerate(strides))
