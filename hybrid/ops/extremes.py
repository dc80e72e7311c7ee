"""Larger and smaller of numbers, and bounds, element by element."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hybrid.core.dtypes import DTYPES, INTEGERS, NUMERIC
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.core.ufunc_call import fill_out
from hybrid.ops._infer import broadcast, elementwise, promoted
from hybrid.ops._samples import given, pairs, sample

__all__ = ["clip", "fmax", "fmin", "maximum", "minimum"]

OMITTED: Final = np._NoValue  # type: ignore[attr-defined]  # NumPy's mark for an argument that was not given


def clipped(x: Spec, min: Spec | None = None, max: Spec | None = None) -> Spec:
    """The operands broadcast and promote; without bounds NumPy does ``+x``."""
    if min is None and max is None:
        return elementwise(np.positive)(x)
    given = [spec for spec in (x, min, max) if spec is not None]
    return Spec(promoted(*given), broadcast(*(spec.shape for spec in given)))


@op(infer=elementwise(np.maximum), numpy=[np.maximum], dtypes=DTYPES, samples=pairs(), onnx="Max")
def maximum(x1, x2, /):
    """The larger of two numbers, element by element; nan if either is nan.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Numbers of the broadcast shape and the promoted dtype. Complex numbers are ordered by their real parts, then by their imaginary
        parts.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.maximum(hybrid.asarray([1.0, 5.0, np.nan]), 3.0)
    Tensor([ 3.,  5., nan], dtype=float64)
    """
    return np.maximum(x1, x2)


@op(infer=elementwise(np.minimum), numpy=[np.minimum], dtypes=DTYPES, samples=pairs(), onnx="Min")
def minimum(x1, x2, /):
    """The smaller of two numbers, element by element; nan if either is nan.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Numbers of the broadcast shape and the promoted dtype. Complex numbers are ordered by their real parts, then by their imaginary
        parts.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.minimum(hybrid.asarray([1.0, 5.0, np.nan]), 3.0)
    Tensor([ 1.,  3., nan], dtype=float64)
    """
    return np.minimum(x1, x2)


@op(infer=elementwise(np.fmax), numpy=[np.fmax], dtypes=DTYPES, samples=pairs())
def fmax(x1, x2, /):
    """The larger of two numbers, element by element; nan only if both are nan.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Numbers of the broadcast shape and the promoted dtype. Complex numbers are ordered by their real parts, then by their imaginary
        parts.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.fmax(hybrid.asarray([1.0, 5.0, np.nan]), 3.0)
    Tensor([3., 5., 3.], dtype=float64)
    """
    return np.fmax(x1, x2)


@op(infer=elementwise(np.fmin), numpy=[np.fmin], dtypes=DTYPES, samples=pairs())
def fmin(x1, x2, /):
    """The smaller of two numbers, element by element; nan only if both are nan.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Numbers of the broadcast shape and the promoted dtype. Complex numbers are ordered by their real parts, then by their imaginary
        parts.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.fmin(hybrid.asarray([1.0, 5.0, np.nan]), 3.0)
    Tensor([1., 3., 3.], dtype=float64)
    """
    return np.fmin(x1, x2)


@op(
    infer=clipped,
    dtypes=DTYPES,
    tensors=("min", "max"),
    samples=[
        sample((3, 4), (3, 4), (3, 4)),
        sample((3, 4), given(-1), given(2)),
        sample((2, 3), given(-0.5), given(1.5)),
        sample((), given(1)),
        sample((2, 1, 3), None, (4, 1)),
        sample((0, 3), (3,), None),
        sample((5,), dtypes=NUMERIC),
        sample((5,), given(-1000), given(1000), dtypes=INTEGERS),
    ],
)
def clip(x, /, min=None, max=None):
    """The numbers kept within bounds, element by element: ``minimum(maximum(x, min), max)``.

    Args:
        x: any shape and dtype.
        min: lower bounds; any shape that broadcasts with that of ``x``. No bound if not given.
        max: upper bounds, in the same way; where they are below ``min``, the result is ``max``.

    Returns:
        Numbers of the broadcast shape and the promoted dtype; nan where an operand is.

    Raises:
        ValueError: if the shapes don't broadcast.
        OverflowError: for a Python integer that the dtype doesn't hold, if it bounds anything.

    >>> hybrid.clip(hybrid.asarray([-1.0, 0.5, 7.0]), 0, 1)
    Tensor([0. , 0.5, 1. ], dtype=float64)
    """
    return np.clip(x, min, max)


@clip.from_numpy(np.clip)
def _(a: Any, a_min: Any = OMITTED, a_max: Any = OMITTED, out: Any = None, *, min: Any = OMITTED, max: Any = OMITTED) -> Any:
    """NumPy's call, with bounds under either pair of names."""
    if a_min is OMITTED and a_max is OMITTED:
        a_min, a_max = (None if bound is OMITTED else bound for bound in (min, max))
    elif min is not OMITTED or max is not OMITTED:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    elif a_min is OMITTED or a_max is OMITTED:
        missing = "a_min" if a_min is OMITTED else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: '{missing}'")
    return fill_out(out, clip(a, a_min, a_max), "clip")
