"""Sizes that only running tells: a number becomes the size of a view without memory."""

from __future__ import annotations

import numpy as np

from hybrid.core.dim import unknown
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._samples import given, sample

__all__ = ["extent"]


def _of_unknown_size(n: Spec) -> Spec:
    if n.dtype.kind not in "iu" or n.shape:
        raise TypeError(f"'{n}' object cannot be interpreted as an integer")
    return Spec(np.dtype("bool"), (unknown("n"),))


@op(infer=_of_unknown_size, dtypes=(), samples=[sample(given(3)), sample(given(0))], no_gradient="integer argument", effects=True)
def extent(n, /):
    """An array of a size, of which only the size counts; it takes no memory.

    Args:
        n: an integer.

    Returns:
        ``n`` times False.

    Raises:
        ValueError: for a negative size.

    >>> hybrid.ops.OPS["extent"](3)
    Tensor([False, False, False], dtype=bool)
    """
    return np.broadcast_to(np.False_, (n,))
