"""Sizes as numbers."""

from __future__ import annotations

from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import axis_of
from hybrid.ops._samples import sample

__all__ = ["dimension"]


def _number(x: Spec, *, axis: int) -> Spec:
    axis_of(axis, x.ndim)
    return Spec.parse("int")


@op(infer=_number, dtypes=DTYPES, samples=[sample((3, 4), axis=1), sample((0, 2), axis=0)], no_gradient="integer result")
def dimension(x, /, *, axis: int) -> int:
    """The size of an axis as a Python number.

    Args:
        x: any dtype and shape.
        axis: which axis.

    Returns:
        A Python int.

    Raises:
        AxisError: for an axis that isn't there.

    >>> hybrid.ops.OPS["dimension"](hybrid.asarray([[1.0, 2.0]]), axis=1)
    2
    """
    return x.shape[axis]
