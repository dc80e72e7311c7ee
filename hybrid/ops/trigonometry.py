"""Trigonometric and hyperbolic functions and their inverses, element by element."""

from __future__ import annotations

import numpy as np

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.ops._infer import elementwise
from hybrid.ops._samples import pairs, singles

__all__ = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "deg2rad", "rad2deg", "sin", "sinh", "tan",
    "tanh",
]  # fmt: skip


@op(infer=elementwise(np.sin), numpy=[np.sin], dtypes=DTYPES, samples=singles(), onnx="Sin")
def sin(x, /):
    """The sine of angles in radians, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Sines, of the same shape; integers and booleans become floats. nan, with a warning, for infinities.

    >>> hybrid.sin(hybrid.asarray([0.0, np.pi / 2]))
    Tensor([0., 1.], dtype=float64)
    """
    return np.sin(x)


@op(infer=elementwise(np.cos), numpy=[np.cos], dtypes=DTYPES, samples=singles(), onnx="Cos")
def cos(x, /):
    """The cosine of angles in radians, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Cosines, of the same shape; integers and booleans become floats. nan, with a warning, for infinities.

    >>> hybrid.cos(hybrid.asarray([0.0, np.pi]))
    Tensor([ 1., -1.], dtype=float64)
    """
    return np.cos(x)


@op(infer=elementwise(np.tan), numpy=[np.tan], dtypes=DTYPES, samples=singles(-1.2, 1.2), onnx="Tan")
def tan(x, /):
    """The tangent of angles in radians, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Tangents, of the same shape; integers and booleans become floats. nan, with a warning, for infinities.

    >>> hybrid.tan(hybrid.asarray([0.0, np.pi / 4]))
    Tensor([0., 1.], dtype=float64)
    """
    return np.tan(x)


@op(infer=elementwise(np.arcsin), numpy=[np.arcsin], dtypes=DTYPES, samples=singles(-0.9, 0.9), onnx="Asin")
def asin(x, /):
    """The inverse sine, in radians, element by element.

    Args:
        x: numbers from -1 to 1, or complex; any shape.

    Returns:
        Angles within [-π/2, π/2], of the same shape; integers and booleans become floats. nan, with a warning, for other real
        numbers; complex numbers have the branch cuts of DLMF 4.23.

    >>> hybrid.asin(hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 1.57079633], dtype=float64)
    """
    return np.arcsin(x)


@op(infer=elementwise(np.arccos), numpy=[np.arccos], dtypes=DTYPES, samples=singles(-0.9, 0.9), onnx="Acos")
def acos(x, /):
    """The inverse cosine, in radians, element by element.

    Args:
        x: numbers from -1 to 1, or complex; any shape.

    Returns:
        Angles within [0, π], of the same shape; integers and booleans become floats. nan, with a warning, for other real
        numbers; complex numbers have the branch cuts of DLMF 4.23.

    >>> hybrid.acos(hybrid.asarray([0.0, 1.0]))
    Tensor([1.57079633, 0.        ], dtype=float64)
    """
    return np.arccos(x)


@op(infer=elementwise(np.arctan), numpy=[np.arctan], dtypes=DTYPES, samples=singles(), onnx="Atan")
def atan(x, /):
    """The inverse tangent, in radians, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Angles within [-π/2, π/2], of the same shape; integers and booleans become floats. Complex numbers have the branch cuts
        of DLMF 4.23.

    >>> hybrid.atan(hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 0.78539816], dtype=float64)
    """
    return np.arctan(x)


@op(infer=elementwise(np.arctan2), numpy=[np.arctan2], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def atan2(x1, x2, /):
    """The angle from the positive x axis to the point (x2, x1), element by element.

    Args:
        x1: the ordinates; any shape, real.
        x2: the abscissae; any shape that broadcasts with that of ``x1``.

    Returns:
        Angles within [-π, π] with the sign of ``x1``, also for signed zeros and infinities; of the broadcast shape. Integers
        and booleans become floats.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.atan2(hybrid.asarray([1.0, -0.0]), hybrid.asarray([1.0, -1.0]))
    Tensor([ 0.78539816, -3.14159265], dtype=float64)
    """
    return np.arctan2(x1, x2)


@op(infer=elementwise(np.sinh), numpy=[np.sinh], dtypes=DTYPES, samples=singles(), onnx="Sinh")
def sinh(x, /):
    """The hyperbolic sine, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        (exp(x) - exp(-x)) / 2, of the same shape; integers and booleans become floats.

    >>> hybrid.sinh(hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 1.17520119], dtype=float64)
    """
    return np.sinh(x)


@op(infer=elementwise(np.cosh), numpy=[np.cosh], dtypes=DTYPES, samples=singles(), onnx="Cosh")
def cosh(x, /):
    """The hyperbolic cosine, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        (exp(x) + exp(-x)) / 2, of the same shape; integers and booleans become floats.

    >>> hybrid.cosh(hybrid.asarray([0.0, 1.0]))
    Tensor([1.        , 1.54308063], dtype=float64)
    """
    return np.cosh(x)


@op(infer=elementwise(np.tanh), numpy=[np.tanh], dtypes=DTYPES, samples=singles(-1.2, 1.2), onnx="Tanh")
def tanh(x, /):
    """The hyperbolic tangent, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Sinh(x) / cosh(x), of the same shape; integers and booleans become floats.

    >>> hybrid.tanh(hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 0.76159416], dtype=float64)
    """
    return np.tanh(x)


@op(infer=elementwise(np.arcsinh), numpy=[np.arcsinh], dtypes=DTYPES, samples=singles(), onnx="Asinh")
def asinh(x, /):
    """The inverse hyperbolic sine, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Numbers whose ``sinh`` is x, of the same shape; integers and booleans become floats. Complex numbers have the branch
        cuts of DLMF 4.37.

    >>> hybrid.asinh(hybrid.asarray([0.0, 1.0]))
    Tensor([0.        , 0.88137359], dtype=float64)
    """
    return np.arcsinh(x)


@op(infer=elementwise(np.arccosh), numpy=[np.arccosh], dtypes=DTYPES, samples=singles(1.1, 3.0), onnx="Acosh")
def acosh(x, /):
    """The inverse hyperbolic cosine, element by element.

    Args:
        x: numbers of at least 1, or complex; any shape.

    Returns:
        Numbers of at least 0 whose ``cosh`` is x, of the same shape; integers and booleans become floats. nan, with a warning,
        for other real numbers; complex numbers have the branch cuts of DLMF 4.37.

    >>> hybrid.acosh(hybrid.asarray([1.0, 2.0]))
    Tensor([0.       , 1.3169579], dtype=float64)
    """
    return np.arccosh(x)


@op(infer=elementwise(np.arctanh), numpy=[np.arctanh], dtypes=DTYPES, samples=singles(-0.9, 0.9), onnx="Atanh")
def atanh(x, /):
    """The inverse hyperbolic tangent, element by element.

    Args:
        x: numbers from -1 to 1, or complex; any shape.

    Returns:
        Numbers whose ``tanh`` is x, of the same shape; integers and booleans become floats. Infinite at -1 and 1, with a
        warning; nan, with a warning, for other real numbers; complex numbers have the branch cuts of DLMF 4.37.

    >>> hybrid.atanh(hybrid.asarray([0.0, 0.5]))
    Tensor([0.        , 0.54930614], dtype=float64)
    """
    return np.arctanh(x)


@op(infer=elementwise(np.deg2rad), numpy=[np.deg2rad, np.radians], dtypes=BOOL + INTEGERS + FLOATS, samples=singles(-100.0, 100.0))
def deg2rad(x, /):
    """Angles in degrees as angles in radians, element by element.

    Args:
        x: any shape, real.

    Returns:
        X * π / 180, of the same shape; integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.deg2rad(hybrid.asarray([90.0, 180.0]))
    Tensor([1.57079633, 3.14159265], dtype=float64)
    """
    return np.deg2rad(x)


@op(infer=elementwise(np.rad2deg), numpy=[np.rad2deg, np.degrees], dtypes=BOOL + INTEGERS + FLOATS, samples=singles())
def rad2deg(x, /):
    """Angles in radians as angles in degrees, element by element.

    Args:
        x: any shape, real.

    Returns:
        X * 180 / π, of the same shape; integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.rad2deg(hybrid.asarray([np.pi / 2, np.pi]))
    Tensor([ 90., 180.], dtype=float64)
    """
    return np.rad2deg(x)
