"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY, OPS
from hybrid.ops._infer import Rule, axis_of, dtype_as_run
from hybrid.ops._samples import sample
from hybrid.ops.reduce import checked_dtype, reducing

__all__ = ["cumulative_prod", "cumulative_sum"]

ALONG = [
    sample((5,)), sample((3, 4), axis=0), sample((2, 1, 3), axis=-1), sample((0, 3), axis=0), sample(()),
    sample((3, 2), axis=1, include_initial=True), sample((0,), include_initial=True), sample((3,), dtype=np.dtype("complex64")),
    sample((2, 3)),
]  # fmt: skip
"""Arrays with several numbers of axes; the last needs an axis."""


def _running(function: Callable[..., Any]) -> Rule:
    """The rule of a running total: the shape stays, with one element more along the axis if the initial value is included."""

    def first_axis(x: Any, dtype: Any = None) -> Any:
        return function(x, axis=0, dtype=dtype)

    def rule(x: Spec, *, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Spec:
        shape = x.shape or (1,)
        if axis is None and len(shape) > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        place = axis_of(0 if axis is None else axis, len(shape))
        sizes = tuple(n + 1 if i == place and include_initial else n for i, n in enumerate(shape))
        return Spec(dtype_as_run(first_axis, x, dtype=checked_dtype(dtype)), sizes)

    return rule


@op(infer=_running(np.cumulative_sum), dtypes=DTYPES, samples=ALONG, onnx="CumSum")
def cumulative_sum(x, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False):
    """The sum of the elements up to each element, along an axis.

    Args:
        x: any shape and dtype; a number counts as one element.
        axis: the axis to add along; needed if there are several.
        dtype: the dtype of the sums.
        include_initial: put the empty sum, 0, before the first.

    Returns:
        The running sums, of the shape of ``x``, with one element more along the axis for ``include_initial``. Booleans and
        small integers are added as 64-bit integers, which wrap around; other dtypes stay.

    Raises:
        ValueError: if there are several axes, and none is given.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.cumulative_sum(hybrid.asarray([1, 2, 3]), include_initial=True)
    Tensor([0, 1, 3, 6], dtype=int64)
    """
    return np.cumulative_sum(x, axis=axis, dtype=checked_dtype(dtype), include_initial=include_initial)


@op(infer=_running(np.cumulative_prod), dtypes=DTYPES, samples=ALONG)
def cumulative_prod(x, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False):
    """The product of the elements up to each element, along an axis.

    Args:
        x: any shape and dtype; a number counts as one element.
        axis: the axis to multiply along; needed if there are several.
        dtype: the dtype of the products.
        include_initial: put the empty product, 1, before the first.

    Returns:
        The running products, of the shape of ``x``, with one element more along the axis for ``include_initial``. Booleans
        and small integers are multiplied as 64-bit integers, which wrap around; other dtypes stay.

    Raises:
        ValueError: if there are several axes, and none is given.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> hybrid.cumulative_prod(hybrid.asarray([1.0, 2.0, 3.0, 4.0]))
    Tensor([ 1.,  2.,  6., 24.], dtype=float64)
    """
    return np.cumulative_prod(x, axis=axis, dtype=checked_dtype(dtype), include_initial=include_initial)


def _flattening(function: Callable[..., Any]) -> Callable[..., Any]:
    """The call form of NumPy's cumsum and cumprod, which flatten where no axis is given."""
    along_axis = NUMPY[function]

    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        if axis is None:
            a, axis = OPS["reshape"](a, (-1,)), 0
        return along_axis(a, axis=axis, dtype=dtype, out=out)

    return call


reducing(cumulative_sum, np.cumulative_sum)
reducing(cumulative_prod, np.cumulative_prod)
cumulative_sum.from_numpy(np.cumsum)(_flattening(np.cumulative_sum))
cumulative_prod.from_numpy(np.cumprod)(_flattening(np.cumulative_prod))
