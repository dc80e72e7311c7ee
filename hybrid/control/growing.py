"""Lists as rows of an array that grows and shrinks at its end: native code keeps spare memory behind the rows."""

from __future__ import annotations

import numpy as np

from hybrid.core.dim import dim_max
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._samples import sample

__all__ = ["append_row", "drop_row"]


def _longer(x: Spec, row: Spec) -> Spec:
    if not x.shape or row.ndim != x.ndim - 1 or row.dtype != x.dtype:
        raise TypeError(f"wanted rows and a further one of their kind, received {x} and {row}")
    return Spec(x.dtype, (x.shape[0] + 1, *x.shape[1:]))


def _shorter(x: Spec) -> Spec:
    if not x.shape:
        raise TypeError(f"wanted rows, received {x}")
    return Spec(x.dtype, (dim_max(0, x.shape[0] - 1), *x.shape[1:]))


@op(infer=_longer, dtypes=DTYPES, samples=[sample((3,), ()), sample((0,), ()), sample((2, 3), (3,))])
def append_row(x, row, /):
    """The rows of an array, and a further one.

    Args:
        x: at least one axis, any dtype.
        row: of the shape and dtype of the rows.

    Returns:
        An array with one row more.

    Raises:
        ValueError: for a row of another shape.

    >>> hybrid.ops.OPS["append_row"](hybrid.asarray([1, 2]), hybrid.asarray(3))
    Tensor([1, 2, 3], dtype=int64)
    """
    return np.concatenate([x, np.asarray(row, x.dtype)[None]])


@op(infer=_shorter, dtypes=DTYPES, samples=[sample((3,)), sample((0,)), sample((2, 3))])
def drop_row(x, /):
    """The rows of an array but for the last one.

    Args:
        x: at least one axis, any dtype.

    Returns:
        An array with one row less; empty if there was none.

    >>> hybrid.ops.OPS["drop_row"](hybrid.asarray([1, 2, 3]))
    Tensor([1, 2], dtype=int64)
    """
    return x[:-1].copy()
