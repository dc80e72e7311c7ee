"""Bitwise operations, shifts, and packing of bits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hybrid.core.dim import DimLike, product
from hybrid.core.dtypes import BOOL, INTEGERS, UNSIGNED
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Shape, axis_of, elementwise
from hybrid.ops._samples import pairs, sample, singles

__all__ = [
    "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "packbits", "unpackbits",
]  # fmt: skip

BITS = pairs(-100.0, 100.0, (5, 2.5))
SHIFTS = pairs(0.0, 7.0, (2, 2.5))
"""Counts of bits that every dtype has."""


def resized(x: Spec, axis: int | None, size: Callable[[DimLike], DimLike]) -> Shape:
    """The shape with one axis resized; without an axis (or axes), all elements are on one."""
    shape = (product(x.shape),) if axis is None or not x.shape else x.shape
    index = axis_of(axis or 0, len(shape))
    return (*shape[:index], size(shape[index]), *shape[index + 1 :])


def check_bitorder(bitorder: str) -> None:
    """``ValueError`` for what isn't an order of bits."""
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")


def packed(x: Spec, *, axis: int | None, bitorder: str) -> Spec:
    """Eight elements become one byte."""
    check_bitorder(bitorder)
    if x.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    return Spec(np.dtype("uint8"), resized(x, axis, lambda n: (n + 7) // 8))


def unpacked(x: Spec, *, axis: int | None, count: int | None, bitorder: str) -> Spec:
    """One byte becomes eight elements, or as many as are wanted."""
    check_bitorder(bitorder)
    if x.dtype != np.dtype("uint8"):
        raise TypeError("Expected an input array of unsigned byte data type")
    shape = resized(x, axis, lambda n: n * 8 if count is None else count if count >= 0 else n * 8 + count)
    if any(isinstance(size, int) and size < 0 for size in shape):
        raise ValueError("-count larger than number of elements")
    return Spec(np.dtype("uint8"), shape)


@op(
    infer=elementwise(np.bitwise_and),
    numpy=[np.bitwise_and],
    dtypes=BOOL + INTEGERS,
    samples=BITS,
    onnx="BitwiseAnd",
    no_gradient="integer result",
)
def bitwise_and(x1, x2, /):
    """x1 & x2: the bits set in both, element by element.

    Args:
        x1: any shape, integers or booleans.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Integers or booleans, of the broadcast shape and the promoted dtype.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_and(hybrid.asarray([12, 10]), 6)
    Tensor([4, 2], dtype=int64)
    """
    return np.bitwise_and(x1, x2)


@op(
    infer=elementwise(np.bitwise_or),
    numpy=[np.bitwise_or],
    dtypes=BOOL + INTEGERS,
    samples=BITS,
    onnx="BitwiseOr",
    no_gradient="integer result",
)
def bitwise_or(x1, x2, /):
    """x1 | x2: the bits set in either, element by element.

    Args:
        x1: any shape, integers or booleans.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Integers or booleans, of the broadcast shape and the promoted dtype.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_or(hybrid.asarray([12, 10]), 6)
    Tensor([14, 14], dtype=int64)
    """
    return np.bitwise_or(x1, x2)


@op(
    infer=elementwise(np.bitwise_xor),
    numpy=[np.bitwise_xor],
    dtypes=BOOL + INTEGERS,
    samples=BITS,
    onnx="BitwiseXor",
    no_gradient="integer result",
)
def bitwise_xor(x1, x2, /):
    """x1 ^ x2: the bits set in exactly one, element by element.

    Args:
        x1: any shape, integers or booleans.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Integers or booleans, of the broadcast shape and the promoted dtype.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_xor(hybrid.asarray([12, 10]), 6)
    Tensor([10, 12], dtype=int64)
    """
    return np.bitwise_xor(x1, x2)


@op(
    infer=elementwise(np.invert),
    numpy=[np.invert],
    dtypes=BOOL + INTEGERS,
    samples=singles(-100.0, 100.0),
    onnx="BitwiseNot",
    no_gradient="integer result",
)
def bitwise_invert(x, /):
    """~x: every bit flipped, element by element; for booleans, "not".

    Args:
        x: any shape, integers or booleans.

    Returns:
        The same shape and dtype.

    Raises:
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_invert(hybrid.asarray([0, 5]))
    Tensor([-1, -6], dtype=int64)
    """
    return np.invert(x)


@op(infer=elementwise(np.left_shift), numpy=[np.left_shift], dtypes=BOOL + INTEGERS, samples=SHIFTS, no_gradient="integer result")
def bitwise_left_shift(x1, x2, /):
    """x1 << x2: the bits moved up, element by element.

    Args:
        x1: any shape, integers or booleans.
        x2: counts; any shape that broadcasts with that of ``x1``.

    Returns:
        Integers, of the broadcast shape and the promoted dtype; booleans become int8. Bits that leave are lost; counts beyond
        the number of bits give 0, negative ones are undefined.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_left_shift(hybrid.asarray([1, 3]), 2)
    Tensor([ 4, 12], dtype=int64)
    """
    return np.left_shift(x1, x2)


@op(infer=elementwise(np.right_shift), numpy=[np.right_shift], dtypes=BOOL + INTEGERS, samples=SHIFTS, no_gradient="integer result")
def bitwise_right_shift(x1, x2, /):
    """x1 >> x2: the bits moved down, element by element, with the sign kept.

    Args:
        x1: any shape, integers or booleans.
        x2: counts; any shape that broadcasts with that of ``x1``.

    Returns:
        Integers, of the broadcast shape and the promoted dtype; booleans become int8. Counts beyond the number of bits give 0
        or -1, negative ones are undefined.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_right_shift(hybrid.asarray([8, -8]), 2)
    Tensor([ 2, -2], dtype=int64)
    """
    return np.right_shift(x1, x2)


@op(
    infer=elementwise(np.bitwise_count),
    numpy=[np.bitwise_count],
    dtypes=BOOL + INTEGERS,
    samples=singles(-100.0, 100.0),
    no_gradient="integer result",
)
def bitwise_count(x, /):
    """The number of bits set in |x|, element by element.

    Args:
        x: any shape, integers or booleans.

    Returns:
        Counts as uint8, of the same shape.

    Raises:
        TypeError: for anything but integers and booleans.

    >>> hybrid.bitwise_count(hybrid.asarray([7, -8]))
    Tensor([3, 1], dtype=uint8)
    """
    return np.bitwise_count(x)


@op(
    infer=packed,
    numpy=[np.packbits],
    dtypes=BOOL + INTEGERS,
    samples=[
        sample((19,)),
        sample((3, 10), axis=0),
        sample((2, 17), axis=-1, bitorder="little"),
        sample((3, 5)),
        sample(()),
        sample((0, 3), axis=1),
        sample((2, 1, 3), axis=1),
    ],
    no_gradient="integer result",
)
def packbits(x, /, *, axis: int | None = None, bitorder: str = "big"):
    """Pack bits, one for each element (is it nonzero?), into bytes along an axis, the last byte filled up with zeros.

    Args:
        x: any shape, integers or booleans.
        axis: along which; all elements on one axis if not given.
        bitorder: ``"big"`` if the first element is the highest bit of a byte, ``"little"`` if it is the lowest.

    Returns:
        Bytes as uint8: the size of the axis divided by 8 and rounded up.

    Raises:
        TypeError: for anything but integers and booleans.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.
        ValueError: for another ``bitorder``.

    >>> hybrid.packbits(hybrid.asarray([True, False, True]))
    Tensor([160], dtype=uint8)
    """
    return np.packbits(x, axis, bitorder)


@op(
    infer=unpacked,
    numpy=[np.unpackbits],
    dtypes=UNSIGNED[:1],
    samples=[
        sample((3,), high=255.0),
        sample((2, 3), high=255.0, axis=0),
        sample((2, 3), high=255.0, axis=-1, bitorder="little", count=19),
        sample((2, 3), high=255.0, axis=1, count=-3),
        sample((), high=255.0),
        sample((0, 3), axis=1, count=30),
    ],
    no_gradient="integer result",
)
def unpackbits(x, /, *, axis: int | None = None, count: int | None = None, bitorder: str = "big"):
    """Unpack bytes into their bits along an axis: what ``packbits`` undoes.

    Args:
        x: bytes as uint8; any shape.
        axis: along which; all elements on one axis if not given.
        count: how many bits to give, filled up with zeros; a negative number leaves out so many at the end.
        bitorder: ``"big"`` if the first bit is the highest of a byte, ``"little"`` if it is the lowest.

    Returns:
        Zeros and ones as uint8: 8 for each byte along the axis, or ``count``.

    Raises:
        TypeError: for anything but uint8.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.
        ValueError: for another ``bitorder``, or a negative ``count`` beyond the number of bits.

    >>> hybrid.unpackbits(hybrid.asarray([160], dtype="uint8"), count=3)
    Tensor([1, 0, 1], dtype=uint8)
    """
    return np.unpackbits(x, axis, count, bitorder)
