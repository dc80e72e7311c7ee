"""Comparisons and logic, element by element, and the comparison of whole arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import broadcast, elementwise, elementwise_as_run
from hybrid.ops._samples import given, pairs, sample, singles

__all__ = [
    "allclose", "array_equal", "array_equiv", "equal", "greater", "greater_equal", "isclose", "isfinite", "isinf", "isnan",
    "isneginf", "isposinf", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "not_equal",
]  # fmt: skip


def one_boolean(*_: Spec, **__: Any) -> Spec:
    """A Python ``bool``, whatever the operands."""
    return Spec(np.dtype(bool), (), True)


def one_boolean_of_pair(x1: Spec, x2: Spec, **_: Any) -> Spec:
    """A Python ``bool``, if the operands broadcast."""
    broadcast(x1.shape, x2.shape)
    return Spec(np.dtype(bool), (), True)


@op(infer=elementwise(np.equal), numpy=[np.equal], dtypes=DTYPES, samples=pairs(), onnx="Equal", no_gradient="boolean result")
def equal(x1, x2, /):
    """x1 == x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape; false where an operand is nan. Integers of any dtypes are compared exactly.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.equal(hybrid.asarray([1, 2, 3]), 2)
    Tensor([False,  True, False], dtype=bool)
    """
    return np.equal(x1, x2)


@op(infer=elementwise(np.not_equal), numpy=[np.not_equal], dtypes=DTYPES, samples=pairs(), no_gradient="boolean result")
def not_equal(x1, x2, /):
    """x1 != x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape; true where an operand is nan. Integers of any dtypes are compared exactly.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.not_equal(hybrid.asarray([1, 2, 3]), 2)
    Tensor([ True, False,  True], dtype=bool)
    """
    return np.not_equal(x1, x2)


@op(infer=elementwise(np.less), numpy=[np.less], dtypes=DTYPES, samples=pairs(), onnx="Less", no_gradient="boolean result")
def less(x1, x2, /):
    """x1 < x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape; false where an operand is nan. Complex numbers are ordered by their real parts, then
        by their imaginary parts. Integers of any dtypes are compared exactly.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.less(hybrid.asarray([1, 2, 3]), 2)
    Tensor([ True, False, False], dtype=bool)
    """
    return np.less(x1, x2)


@op(
    infer=elementwise(np.less_equal),
    numpy=[np.less_equal],
    dtypes=DTYPES,
    samples=pairs(),
    onnx="LessOrEqual",
    no_gradient="boolean result",
)
def less_equal(x1, x2, /):
    """x1 <= x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape; false where an operand is nan. Complex numbers are ordered by their real parts, then
        by their imaginary parts. Integers of any dtypes are compared exactly.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.less_equal(hybrid.asarray([1, 2, 3]), 2)
    Tensor([ True,  True, False], dtype=bool)
    """
    return np.less_equal(x1, x2)


@op(infer=elementwise(np.greater), numpy=[np.greater], dtypes=DTYPES, samples=pairs(), onnx="Greater", no_gradient="boolean result")
def greater(x1, x2, /):
    """x1 > x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape; false where an operand is nan. Complex numbers are ordered by their real parts, then
        by their imaginary parts. Integers of any dtypes are compared exactly.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.greater(hybrid.asarray([1, 2, 3]), 2)
    Tensor([False, False,  True], dtype=bool)
    """
    return np.greater(x1, x2)


@op(
    infer=elementwise(np.greater_equal),
    numpy=[np.greater_equal],
    dtypes=DTYPES,
    samples=pairs(),
    onnx="GreaterOrEqual",
    no_gradient="boolean result",
)
def greater_equal(x1, x2, /):
    """x1 >= x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape; false where an operand is nan. Complex numbers are ordered by their real parts, then
        by their imaginary parts. Integers of any dtypes are compared exactly.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.greater_equal(hybrid.asarray([1, 2, 3]), 2)
    Tensor([False,  True,  True], dtype=bool)
    """
    return np.greater_equal(x1, x2)


@op(infer=elementwise(np.logical_and), numpy=[np.logical_and], dtypes=DTYPES, samples=pairs(), onnx="And", no_gradient="boolean result")
def logical_and(x1, x2, /):
    """Whether both are true, element by element.

    Args:
        x1: any shape and dtype; what isn't zero counts as true, nan too.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.logical_and(hybrid.asarray([True, False]), True)
    Tensor([ True, False], dtype=bool)
    """
    return np.logical_and(x1, x2)


@op(infer=elementwise(np.logical_or), numpy=[np.logical_or], dtypes=DTYPES, samples=pairs(), onnx="Or", no_gradient="boolean result")
def logical_or(x1, x2, /):
    """Whether either is true, element by element.

    Args:
        x1: any shape and dtype; what isn't zero counts as true, nan too.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.logical_or(hybrid.asarray([True, False]), False)
    Tensor([ True, False], dtype=bool)
    """
    return np.logical_or(x1, x2)


@op(infer=elementwise(np.logical_xor), numpy=[np.logical_xor], dtypes=DTYPES, samples=pairs(), onnx="Xor", no_gradient="boolean result")
def logical_xor(x1, x2, /):
    """Whether exactly one is true, element by element.

    Args:
        x1: any shape and dtype; what isn't zero counts as true, nan too.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Booleans, of the broadcast shape.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.logical_xor(hybrid.asarray([True, False]), True)
    Tensor([False,  True], dtype=bool)
    """
    return np.logical_xor(x1, x2)


@op(infer=elementwise(np.logical_not), numpy=[np.logical_not], dtypes=DTYPES, samples=singles(), onnx="Not", no_gradient="boolean result")
def logical_not(x, /):
    """Whether each element is false.

    Args:
        x: any shape and dtype; what isn't zero counts as true, nan too.

    Returns:
        Booleans, of the same shape.

    >>> hybrid.logical_not(hybrid.asarray([True, False]))
    Tensor([False,  True], dtype=bool)
    """
    return np.logical_not(x)


@op(infer=elementwise(np.isfinite), numpy=[np.isfinite], dtypes=DTYPES, samples=singles(), no_gradient="boolean result")
def isfinite(x, /):
    """Whether each element is neither nan nor infinite.

    Args:
        x: any shape and dtype.

    Returns:
        Booleans, of the same shape; for complex numbers, whether both parts are finite.

    >>> hybrid.isfinite(hybrid.asarray([1.0, np.nan, -np.inf]))
    Tensor([ True, False, False], dtype=bool)
    """
    return np.isfinite(x)


@op(infer=elementwise(np.isinf), numpy=[np.isinf], dtypes=DTYPES, samples=singles(), onnx="IsInf", no_gradient="boolean result")
def isinf(x, /):
    """Whether each element is infinite, of either sign.

    Args:
        x: any shape and dtype.

    Returns:
        Booleans, of the same shape; for complex numbers, whether a part is infinite.

    >>> hybrid.isinf(hybrid.asarray([1.0, np.nan, -np.inf]))
    Tensor([False, False,  True], dtype=bool)
    """
    return np.isinf(x)


@op(infer=elementwise(np.isnan), numpy=[np.isnan], dtypes=DTYPES, samples=singles(), onnx="IsNaN", no_gradient="boolean result")
def isnan(x, /):
    """Whether each element is nan, not a number.

    Args:
        x: any shape and dtype.

    Returns:
        Booleans, of the same shape; for complex numbers, whether a part is nan.

    >>> hybrid.isnan(hybrid.asarray([1.0, np.nan, -np.inf]))
    Tensor([False,  True, False], dtype=bool)
    """
    return np.isnan(x)


@op(
    infer=elementwise_as_run(np.isposinf),
    numpy=[np.isposinf],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=singles(),
    no_gradient="boolean result",
)
def isposinf(x, /):
    """Whether each element is infinity.

    Args:
        x: any shape, real.

    Returns:
        Booleans, of the same shape.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.isposinf(hybrid.asarray([np.inf, -np.inf, np.nan]))
    Tensor([ True, False, False], dtype=bool)
    """
    return np.isposinf(x)


@op(
    infer=elementwise_as_run(np.isneginf),
    numpy=[np.isneginf],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=singles(),
    no_gradient="boolean result",
)
def isneginf(x, /):
    """Whether each element is minus infinity.

    Args:
        x: any shape, real.

    Returns:
        Booleans, of the same shape.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.isneginf(hybrid.asarray([np.inf, -np.inf, np.nan]))
    Tensor([False,  True, False], dtype=bool)
    """
    return np.isneginf(x)


@op(
    infer=elementwise_as_run(np.isclose),
    numpy=[np.isclose],
    dtypes=DTYPES,
    samples=[*pairs(), sample((3, 4), (3, 4), rtol=0.5, atol=0.1), sample(given([np.nan, 1.0]), given([np.nan, 2.0]), equal_nan=True)],
    no_gradient="boolean result",
)
def isclose(x1, x2, /, *, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False):
    """Whether |x1 - x2| <= atol + rtol * |x2|, element by element.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``; the reference.
        rtol: the tolerance in proportion to ``x2``.
        atol: the tolerance besides.
        equal_nan: whether nan is close to nan.

    Returns:
        Booleans, of the broadcast shape; an infinity is close to itself only.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.isclose(hybrid.asarray([1.0, 2.0]), hybrid.asarray([1.0 + 1e-9, 2.1]))
    Tensor([ True, False], dtype=bool)
    """
    return np.isclose(x1, x2, rtol, atol, equal_nan)


@op(
    infer=one_boolean_of_pair,
    numpy=[np.allclose],
    dtypes=DTYPES,
    samples=[*pairs(), sample((3, 4), (3, 4), rtol=5.0, atol=1.0), sample(given([np.nan, 1.0]), given([np.nan, 1.0]), equal_nan=True)],
    no_gradient="boolean result",
)
def allclose(x1, x2, /, *, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False):
    """Whether all elements are close, as ``isclose`` has it.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``; the reference.
        rtol: the tolerance in proportion to ``x2``.
        atol: the tolerance besides.
        equal_nan: whether nan is close to nan.

    Returns:
        A Python ``bool``; true if there are no elements.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.allclose(hybrid.asarray([1.0, 2.0]), hybrid.asarray([1.0, 2.0 + 1e-9]))
    True
    """
    return np.allclose(x1, x2, rtol, atol, equal_nan)


@op(
    infer=one_boolean,
    numpy=[np.array_equal],
    dtypes=DTYPES,
    samples=[*pairs(), sample((3,), (4,)), sample(given([np.nan, 1.0]), given([np.nan, 1.0]), equal_nan=True)],
    no_gradient="boolean result",
)
def array_equal(x1, x2, /, *, equal_nan: bool = False):
    """Whether two arrays have the same shape and equal elements.

    Args:
        x1, x2: any shapes and dtypes.
        equal_nan: whether nan equals nan.

    Returns:
        A Python ``bool``.

    >>> hybrid.array_equal(hybrid.asarray([1, 2]), hybrid.asarray([1.0, 2.0]))
    True
    """
    return np.array_equal(x1, x2, equal_nan)


@op(infer=one_boolean, numpy=[np.array_equiv], dtypes=DTYPES, samples=[*pairs(), sample((3,), (4,))], no_gradient="boolean result")
def array_equiv(x1, x2, /):
    """Whether two arrays broadcast to the same shape and have equal elements there.

    Args:
        x1, x2: any shapes and dtypes.

    Returns:
        A Python ``bool``; false for shapes that don't broadcast.

    >>> hybrid.array_equiv(hybrid.asarray([2, 2]), 2)
    True
    """
    return np.array_equiv(x1, x2)
