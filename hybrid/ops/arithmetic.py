"""Addition, multiplication and their kin, element by element."""

from __future__ import annotations

import numpy as np

from hybrid.core.dtypes import BOOL, FLOATS, INTEGERS, NUMERIC
from hybrid.core.op import op
from hybrid.ops._infer import elementwise
from hybrid.ops._samples import given, sample

PAIR = [sample((3, 4), (3, 4)), sample((3, 1), (4,)), sample((), (2, 3)), sample((0, 3), (3,)), sample((3,), given(2)), sample((3,), given(2.5))]
"""Operands that agree, that broadcast, without elements, and with Python numbers."""


@op(infer=elementwise(np.add), numpy=[np.add], dtypes=BOOL + NUMERIC, samples=PAIR, onnx="Add")
def add(x1, x2, /):
    """x1 + x2, element by element; for booleans, "or".

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        The sums, of the broadcast shape and the promoted dtype; integers wrap around.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.add(hybrid.asarray([1.0, 2.0]), 10)
    Tensor([11., 12.], dtype=float64)
    """
    return np.add(x1, x2)


@op(infer=elementwise(np.divmod), numpy=[np.divmod], dtypes=INTEGERS + FLOATS, samples=PAIR)
def divmod(x1, x2, /):
    """The pair (x1 // x2, x1 % x2), element by element.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Quotients, rounded towards minus infinity, and remainders, which have the sign of ``x2``; both of the broadcast
        shape and the promoted dtype. Integer division by zero gives 0 and a warning.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.divmod(hybrid.asarray([7, -7]), 2)
    (Tensor([ 3, -4], dtype=int64), Tensor([1, 1], dtype=int64))
    """
    return np.divmod(x1, x2)
