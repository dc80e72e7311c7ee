"""Whole numbers and steps, element by element."""

from __future__ import annotations

import numpy as np

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import dtype_as_run, elementwise
from hybrid.ops._samples import pairs, sample, singles

__all__ = ["ceil", "floor", "heaviside", "modf", "rint", "round", "trunc"]


def rounded(x: Spec, *, decimals: int) -> Spec:
    """The shape stays; NumPy rounds booleans to float16."""
    return Spec(dtype_as_run(np.round, x, decimals=decimals), x.shape)


@op(
    infer=elementwise(np.ceil),
    numpy=[np.ceil],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=singles(),
    onnx="Ceil",
    no_gradient="piecewise constant",
)
def ceil(x, /):
    """The smallest whole number that is no smaller than x, element by element.

    Args:
        x: any shape, real.

    Returns:
        Of the same shape and dtype, whole numbers.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.ceil(hybrid.asarray([1.2, -1.2]))
    Tensor([ 2., -1.], dtype=float64)
    """
    return np.ceil(x)


@op(
    infer=elementwise(np.floor),
    numpy=[np.floor],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=singles(),
    onnx="Floor",
    no_gradient="piecewise constant",
)
def floor(x, /):
    """The largest whole number that is no larger than x, element by element.

    Args:
        x: any shape, real.

    Returns:
        Of the same shape and dtype, whole numbers.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.floor(hybrid.asarray([1.2, -1.2]))
    Tensor([ 1., -2.], dtype=float64)
    """
    return np.floor(x)


@op(
    infer=elementwise(np.trunc),
    numpy=[np.trunc, np.fix],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=singles(),
    no_gradient="piecewise constant",
)
def trunc(x, /):
    """x without its fractional part, element by element.

    Args:
        x: any shape, real.

    Returns:
        Of the same shape and dtype, whole numbers.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.trunc(hybrid.asarray([1.7, -1.7]))
    Tensor([ 1., -1.], dtype=float64)
    """
    return np.trunc(x)


@op(infer=elementwise(np.rint), numpy=[np.rint], dtypes=DTYPES, samples=singles(), onnx="Round", no_gradient="piecewise constant")
def rint(x, /):
    """The nearest whole number as a float, half to even, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Whole numbers, of the same shape; integers and booleans become floats. Complex numbers are rounded part by part.

    >>> hybrid.rint(hybrid.asarray([0.5, 1.5, 2.6]))
    Tensor([0., 2., 3.], dtype=float64)
    """
    return np.rint(x)


@op(
    infer=rounded,
    numpy=[np.round, np.around],
    dtypes=DTYPES,
    samples=[*singles(-30.0, 30.0), sample((3, 4), decimals=2), sample((5,), low=-99.0, high=99.0, decimals=-1)],
    no_gradient="piecewise constant",
)
def round(x, /, *, decimals: int = 0):
    """Round to a number of decimals, half to even, element by element.

    Args:
        x: any shape and dtype; complex numbers are rounded part by part.
        decimals: how many digits after the point stay; a negative number rounds to tens, hundreds and so on.

    Returns:
        The same shape and dtype; booleans become float16.

    Raises:
        TypeError: for booleans with ``decimals`` other than 0.

    >>> hybrid.round(hybrid.asarray([0.5, 1.5, 2.675]), decimals=2)
    Tensor([0.5 , 1.5 , 2.68], dtype=float64)
    """
    return np.round(x, decimals)


@op(infer=elementwise(np.heaviside), numpy=[np.heaviside], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def heaviside(x1, x2, /):
    """The step function: 0 where x1 is negative, x2 where it is 0, 1 where it is positive.

    Args:
        x1: any shape, real.
        x2: the values at 0; any shape that broadcasts with that of ``x1``.

    Returns:
        Of the broadcast shape; integers and booleans become floats; nan where ``x1`` is.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.heaviside(hybrid.asarray([-1.5, 0.0, 2.0]), 0.5)
    Tensor([0. , 0.5, 1. ], dtype=float64)
    """
    return np.heaviside(x1, x2)


@op(infer=elementwise(np.modf), numpy=[np.modf], dtypes=BOOL + INTEGERS + FLOATS, samples=singles())
def modf(x, /):
    """The fractional and the whole part, element by element.

    Args:
        x: any shape, real.

    Returns:
        Fractional parts and whole parts, both with the sign of x; of the same shape. Integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.modf(hybrid.asarray([1.5, -2.25]))
    (Tensor([ 0.5 , -0.25], dtype=float64), Tensor([ 1., -2.], dtype=float64))
    """
    return np.modf(x)
