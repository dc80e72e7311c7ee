"""Addition, multiplication and their kin, element by element."""

from __future__ import annotations

import numpy as np

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, NUMERIC
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import elementwise
from hybrid.ops._samples import pairs, sample, singles

__all__ = [
    "abs", "add", "divide", "divmod", "fabs", "float_power", "floor_divide", "fmod", "gcd", "lcm", "multiply", "negative",
    "positive", "pow", "reciprocal", "remainder", "sign", "square", "subtract",
]  # fmt: skip


@op(infer=elementwise(np.add), numpy=[np.add], dtypes=DTYPES, samples=pairs(), onnx="Add")
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


@op(infer=elementwise(np.subtract), numpy=[np.subtract], dtypes=NUMERIC, samples=pairs(), onnx="Sub")
def subtract(x1, x2, /):
    """x1 - x2, element by element.

    Args:
        x1: any shape and numeric dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        The differences, of the broadcast shape and the promoted dtype; integers wrap around.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for two boolean arrays: use ``bitwise_xor`` or ``logical_xor``.

    >>> hybrid.subtract(hybrid.asarray([1.0, 2.0]), 10)
    Tensor([-9., -8.], dtype=float64)
    """
    return np.subtract(x1, x2)


@op(infer=elementwise(np.multiply), numpy=[np.multiply], dtypes=DTYPES, samples=pairs(), onnx="Mul")
def multiply(x1, x2, /):
    """x1 * x2, element by element; for booleans, "and".

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        The products, of the broadcast shape and the promoted dtype; integers wrap around.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.multiply(hybrid.asarray([[1], [2]]), hybrid.asarray([10, 20]))
    Tensor([[10, 20],
            [20, 40]], dtype=int64)
    """
    return np.multiply(x1, x2)


@op(infer=elementwise(np.divide), numpy=[np.divide], dtypes=DTYPES, samples=pairs(), onnx="Div")
def divide(x1, x2, /):
    """x1 / x2, element by element, never rounded to an integer.

    Args:
        x1: any shape and dtype.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        The quotients, of the broadcast shape; integers and booleans become floats. A number divided by zero is an infinity,
        zero by zero is nan, each with a warning.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.divide(hybrid.asarray([1, 2]), 4)
    Tensor([0.25, 0.5 ], dtype=float64)
    """
    return np.divide(x1, x2)


@op(infer=elementwise(np.floor_divide), numpy=[np.floor_divide], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def floor_divide(x1, x2, /):
    """x1 // x2, element by element: the quotient rounded towards minus infinity.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Whole numbers, of the broadcast shape and the promoted dtype; booleans become int8. Integers divided by zero give 0,
        floats an infinity or nan, each with a warning.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.floor_divide(hybrid.asarray([7, -7]), 2)
    Tensor([ 3, -4], dtype=int64)
    """
    return np.floor_divide(x1, x2)


@op(infer=elementwise(np.remainder), numpy=[np.remainder], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def remainder(x1, x2, /):
    """x1 % x2, element by element: the remainder that has the sign of x2, as in Python.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        x1 - (x1 // x2) * x2, of the broadcast shape and the promoted dtype; booleans become int8. Modulo zero, integers give 0
        and floats nan, each with a warning.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.remainder(hybrid.asarray([7, -7]), 3)
    Tensor([1, 2], dtype=int64)
    """
    return np.remainder(x1, x2)


@op(infer=elementwise(np.fmod), numpy=[np.fmod], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def fmod(x1, x2, /):
    """The remainder of x1 / x2 that has the sign of x1, as in C, element by element.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Remainders, of the broadcast shape and the promoted dtype; booleans become int8. Modulo zero, integers give 0 and floats
        nan, each with a warning.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.fmod(hybrid.asarray([7, -7]), 3)
    Tensor([ 1, -1], dtype=int64)
    """
    return np.fmod(x1, x2)


@op(infer=elementwise(np.divmod), numpy=[np.divmod], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def divmod(x1, x2, /):
    """The pair (x1 // x2, x1 % x2), element by element.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Quotients, rounded towards minus infinity, and remainders, which have the sign of ``x2``; both of the broadcast shape
        and the promoted dtype. Integer division by zero gives 0 and a warning.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.divmod(hybrid.asarray([7, -7]), 2)
    (Tensor([ 3, -4], dtype=int64), Tensor([1, 1], dtype=int64))
    """
    return np.divmod(x1, x2)


@op(infer=elementwise(np.power), numpy=[np.power], dtypes=DTYPES, samples=pairs(0.5, 3.0), onnx="Pow")
def pow(x1, x2, /):
    """x1 ** x2, element by element.

    Args:
        x1: any shape and dtype.
        x2: the exponents: any shape that broadcasts with that of ``x1``.

    Returns:
        Powers, of the broadcast shape and the promoted dtype; integers wrap around, booleans become int8. A negative float to a
        fraction is nan.

    Raises:
        ValueError: if the shapes don't broadcast.
        ValueError: for an integer to a negative integer.

    >>> hybrid.pow(hybrid.asarray([1, 2, 3]), 2)
    Tensor([1, 4, 9], dtype=int64)
    """
    return np.power(x1, x2)


def _power_of_numbers(x1: Spec, x2: Spec) -> Spec:
    if x1.shape or x2.shape:
        raise TypeError(f"wanted two numbers, received {x1} and {x2}")
    return elementwise(np.power)(x1, x2)


@op(infer=_power_of_numbers, dtypes=FLOATS, samples=[sample((), (), low=0.5, high=3.0)])
def scalar_power(x1, x2, /):
    """x1 ** x2 of NumPy's scalars: by C's ``pow``, where arrays square and take roots for some exponents, with other last bits.

    Args:
        x1: a number without axes.
        x2: the exponent, without axes.

    Returns:
        The power, without axes, of the promoted dtype.

    Raises:
        TypeError: for arrays with axes.
        ValueError: for an integer to a negative integer.

    >>> hybrid.ops.OPS["scalar_power"](np.float64(2.0), 3)
    Tensor(8.0, dtype=float64)
    """
    a, b = (x[()] if isinstance(x, np.ndarray) else x for x in (x1, x2))
    return a**b


@op(infer=elementwise(np.float_power), numpy=[np.float_power], dtypes=DTYPES, samples=pairs(0.5, 3.0))
def float_power(x1, x2, /):
    """x1 ** x2 in float64 or complex128, element by element.

    Args:
        x1: any shape and dtype.
        x2: the exponents: any shape that broadcasts with that of ``x1``.

    Returns:
        Powers, of the broadcast shape; complex128 if an operand is complex, else float64.

    Raises:
        ValueError: if the shapes don't broadcast.

    >>> hybrid.float_power(hybrid.asarray([1, 2, 4]), -1)
    Tensor([1.  , 0.5 , 0.25], dtype=float64)
    """
    return np.float_power(x1, x2)


@op(infer=elementwise(np.negative), numpy=[np.negative], dtypes=NUMERIC, samples=singles(), onnx="Neg")
def negative(x, /):
    """-x, element by element.

    Args:
        x: any shape and numeric dtype.

    Returns:
        The same shape and dtype; integers wrap around.

    Raises:
        TypeError: for booleans: use ``logical_not``.

    >>> hybrid.negative(hybrid.asarray([1, -2]))
    Tensor([-1,  2], dtype=int64)
    """
    return np.negative(x)


@op(infer=elementwise(np.positive), numpy=[np.positive], dtypes=NUMERIC, samples=singles())
def positive(x, /):
    """+x: a copy of a numeric array.

    Args:
        x: any shape and numeric dtype.

    Returns:
        The same values, shape and dtype.

    Raises:
        TypeError: for booleans.

    >>> hybrid.positive(hybrid.asarray([1, -2]))
    Tensor([ 1, -2], dtype=int64)
    """
    return np.positive(x)


@op(infer=elementwise(np.absolute), numpy=[np.absolute], dtypes=DTYPES, samples=singles(), onnx="Abs")
def abs(x, /):
    """The absolute value, element by element; for complex numbers, the distance from zero.

    Args:
        x: any shape and dtype.

    Returns:
        The same shape and dtype; for complex numbers, the dtype of their parts. The smallest signed integer stays as it is.

    >>> hybrid.abs(hybrid.asarray([-1.5, 2.0]))
    Tensor([1.5, 2. ], dtype=float64)
    """
    return np.absolute(x)


@op(infer=elementwise(np.fabs), numpy=[np.fabs], dtypes=BOOL + INTEGERS + FLOATS, samples=singles())
def fabs(x, /):
    """The absolute value as a float, element by element.

    Args:
        x: any shape, real.

    Returns:
        The same shape; integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.fabs(hybrid.asarray([-1, 2]))
    Tensor([1., 2.], dtype=float64)
    """
    return np.fabs(x)


@op(infer=elementwise(np.sign), numpy=[np.sign], dtypes=NUMERIC, samples=singles(), onnx="Sign")
def sign(x, /):
    """-1, 0 or 1 for each element; for complex numbers z / |z|.

    Args:
        x: any shape and numeric dtype.

    Returns:
        The same shape and dtype; nan for nan, 0 for either zero.

    Raises:
        TypeError: for booleans.

    >>> hybrid.sign(hybrid.asarray([-2.5, 0.0, 7.0]))
    Tensor([-1.,  0.,  1.], dtype=float64)
    """
    return np.sign(x)


@op(infer=elementwise(np.reciprocal), numpy=[np.reciprocal], dtypes=DTYPES, samples=singles(0.5, 3.0), onnx="Reciprocal")
def reciprocal(x, /):
    """1 / x, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        The same shape and dtype; for integers the quotient is rounded towards zero, booleans become int8.

    >>> hybrid.reciprocal(hybrid.asarray([0.5, 4.0]))
    Tensor([2.  , 0.25], dtype=float64)
    """
    return np.reciprocal(x)


@op(infer=elementwise(np.square), numpy=[np.square], dtypes=DTYPES, samples=singles())
def square(x, /):
    """x * x, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        The same shape and dtype; integers wrap around, booleans become int8.

    >>> hybrid.square(hybrid.asarray([1.0, -3.0]))
    Tensor([1., 9.], dtype=float64)
    """
    return np.square(x)


@op(infer=elementwise(np.gcd), numpy=[np.gcd], dtypes=INTEGERS, samples=pairs(-12.0, 12.0, (4, 2.5)), no_gradient="integer result")
def gcd(x1, x2, /):
    """The greatest common divisor of |x1| and |x2|, element by element.

    Args:
        x1: any shape, integers.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Divisors, of the broadcast shape and the promoted dtype; gcd(0, 0) is 0.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers.

    >>> hybrid.gcd(hybrid.asarray([12, 20]), 8)
    Tensor([4, 4], dtype=int64)
    """
    return np.gcd(x1, x2)


@op(infer=elementwise(np.lcm), numpy=[np.lcm], dtypes=INTEGERS, samples=pairs(-12.0, 12.0, (4, 2.5)), no_gradient="integer result")
def lcm(x1, x2, /):
    """The least common multiple of |x1| and |x2|, element by element.

    Args:
        x1: any shape, integers.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Multiples, of the broadcast shape and the promoted dtype; 0 where an operand is 0. Multiples that are too large wrap
        around.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers.

    >>> hybrid.lcm(hybrid.asarray([4, 6]), 10)
    Tensor([20, 30], dtype=int64)
    """
    return np.lcm(x1, x2)
