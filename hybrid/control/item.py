"""One element as a Python number."""

from __future__ import annotations

from typing import Any

from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec, weak_spec
from hybrid.ops._samples import sample

__all__ = ["item"]


def _number(x: Spec) -> Spec:
    if any(size != 1 for size in x.shape):
        raise ValueError(f"can only convert an array of size 1 to a Python scalar, received {x}")
    spec = weak_spec(x.dtype.type(0).item())
    assert spec is not None
    return spec


@op(infer=_number, dtypes=DTYPES, samples=[sample(()), sample((1, 1))])
def item(x, /) -> Any:
    """The only element as a Python number.

    Args:
        x: one element, any dtype and number of axes.

    Returns:
        A Python bool, int, float or complex number.

    Raises:
        ValueError: for more or fewer elements.

    >>> hybrid.ops.OPS["item"](hybrid.asarray([2.5]))
    2.5
    """
    return x.item()
