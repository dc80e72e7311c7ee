"""Arguments that nothing was made for: values that tests put in the place of good ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

import hybrid

__all__ = ["ATTRIBUTES", "LAYOUTS", "TENSORS", "Thing", "things"]


@dataclass(frozen=True, repr=False)
class Thing:
    """A value that is made anew for each call, and its text."""

    text: str
    make: Callable[[], Any]

    def __repr__(self) -> str:
        return self.text


class Opaque:
    """An object that is nothing else."""

    def __repr__(self) -> str:
        return "Opaque()"


class Unprintable:
    """An object whose text can't be had."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


class NoArray:
    """An object that promises an array and gives a list."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return [1, 2]


class Liar:
    """An object with the attributes of an array and nothing behind them."""

    shape, dtype, ndim, size = (2, 3), np.dtype("float64"), 2, 6


NAMES = {
    "np": np, "hybrid": hybrid, "Decimal": Decimal, "Fraction": Fraction, "Opaque": Opaque, "Unprintable": Unprintable,
    "NoArray": NoArray, "Liar": Liar,
}  # fmt: skip


def thing(text: str) -> Thing:
    """The value of a Python expression."""
    code = compile(text, text, "eval")
    return Thing(text, lambda: eval(code, NAMES))


def things(lines: str) -> list[Thing]:
    """The values of Python expressions, one on each line."""
    return [thing(line.strip()) for line in lines.strip().splitlines()]


OBJECTS = things("""
    None
    "text"
    b"bytes"
    {1, 2}
    {"a": 1}
    (i for i in range(3))
    object()
    Opaque()
    Unprintable()
    NoArray()
    Liar()
    len
    lambda x: x
    float
    ...
    slice(1, 2)
    Fraction(1, 2)
    Decimal("1.5")
    np.str_("text")
    np.datetime64("2020-01-01")
    np.timedelta64(1, "s")
    np.longdouble(1)
    np.ma.masked
    np
""")
"""Python objects that are no arrays of numbers."""

NUMBERS = things("""
    True
    0
    1
    -1
    2
    -2
    7
    64
    65
    -100
    2**40
    2**60
    2**61
    2**62
    2**63
    -2**63
    2**64
    2**100
    10**12
    10**400
    1.5
    -0.0
    1e300
    float("nan")
    float("inf")
    2j
    np.int64(1)
    np.int8(-1)
    np.uint64(2**63)
    np.float64(1.0)
    np.bool(True)
""")
"""Python's and NumPy's numbers, some of them large."""

SEQUENCES = things("""
    []
    [[]]
    ()
    [[1, 2], [3]]
    [[1, 2], 3]
    [1, "a"]
    ["a", "b"]
    [1, None]
    [Opaque()]
    [[[[1.0]]]]
    range(3)
    [2**100]
    [1, 2**100]
    [1.5, 2**100]
    [True, 2]
    (1, 2, 3)
    memoryview(b"abc")
    [np.ones(2), np.ones(3)]
    [hybrid.ones(2), np.ones((2, 2)), 3]
    [hybrid.ones(2), "a"]
    [hybrid.ones(2), None]
    [np.ones(2, object)]
    [np.ma.masked_array([1.0, 2.0], [0, 1])]
""")
"""Sequences, ragged ones and ones of other things than numbers among them."""

ARRAYS = things("""
    np.array([1, "a", None], object)
    np.ones((2, 3), object)
    np.array(["a", "bc"])
    np.array([b"a"])
    np.array(["2020-01-01"], "datetime64[D]")
    np.array([1, 2], "timedelta64[s]")
    np.zeros(2, [("a", "f4"), ("b", "i2")])
    np.ones((2, 3), np.longdouble)
    np.ones(3, np.clongdouble)
    np.zeros(2, "V3")
    np.array(["a"], np.dtypes.StringDType())
    np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0])
    np.array([None, 1.0], object)[:1]
    np.matrix([[1.0, 2.0]])
    np.rec.array([(1, 2.0)], dtype=[("a", int), ("b", float)])
""")
"""Arrays of what tensors can't hold, and subclasses of arrays."""

GOOD_ARRAYS = things("""
    np.ones(0)
    np.ones((0, 3))
    np.ones((3, 0, 2), np.int32)
    np.array(2.5)
    np.array(3)
    np.ones(2)
    np.ones(4)
    np.ones(7)
    np.arange(8, dtype=np.int8)
    np.ones((4, 4), np.float32)
    np.arange(12.0).reshape(3, 4)
    np.arange(12).reshape(4, 3)
    np.ones((1, 1, 1, 1, 1))
    np.ones((1,) * 64)
    np.ones((2, 3, 4), np.complex64)
    np.ones((2, 2), bool)
    np.array([0, 1, 2])
    np.array([-1, 100])
    np.array([2**62, -2**62])
    np.array([2**62, 2**62, 2**62, 2**62])
    np.array(2**61)
    np.array([True, False, True])
    np.arange(3, dtype=">f8")
    np.arange(4, dtype=">i2")
    np.full((2, 2), np.nan)
    np.array([np.inf, -np.inf, 0.0])
    np.array([255, 0], np.uint8)
    np.array([1, 2**63], np.uint64)
    hybrid.ones(3)
    hybrid.asarray(2)
    hybrid.ones((2, 3), dtype="float16")
    hybrid.asarray([[True, False]])
    hybrid.Variable([1.0, 2.0])
    hybrid.ones(3)[0]
""")
"""Arrays of numbers with other shapes, dtypes and values than those wanted."""

ONLY_ATTRIBUTES = things("""
    (0,)
    (0, 1)
    (1, 0)
    (0, 0)
    (-1,)
    (-1, 1)
    (5,)
    (2, 2)
    (1, -1)
    (-1, -1)
    (0, -3)
    (2**62,)
    (2**61,)
    (2**32, 2**32)
    (4, 2**61, 2)
    (2**40,)
    (2**31, 2**31, 2**31)
    (2**20, 2**20)
    (1.5,)
    ("a",)
    (None,)
    ((0, 1), (1, 2))
    ((0,), (1,))
    ((1, 2), (3, 4), (5, 6))
    [0]
    [1, 1]
    range(2)
    {0: 1}
    ""
    "sum"
    "r"
    "F"
    "C"
    "ij"
    "float32"
    "float16"
    "int8"
    "bool"
    "complex64"
    "object"
    "datetime64[s]"
    "U3"
    ">f8"
    "i4,f4"
    object
    str
    int
    float
    bool
    complex
    np.longdouble
    np.float32
    np.void
    np.generic
    np.dtype("float32")
    np.dtype([("a", int)])
    "reflect"
    "full"
    "same"
    "ortho"
    "left"
    "linear"
    "nuc"
    "fro"
""")
"""Values for attributes: axes, shapes, dtypes, modes, good and bad."""

TENSORS = OBJECTS + NUMBERS + SEQUENCES + 2 * (ARRAYS + GOOD_ARRAYS)
"""What may stand where a tensor is wanted."""

ATTRIBUTES = [x for x in OBJECTS if x.text != "Unprintable()"] + NUMBERS + SEQUENCES + 2 * ONLY_ATTRIBUTES + ARRAYS[:4] + GOOD_ARRAYS[:20]
"""What may stand where an attribute is wanted."""


def reversed_twice(array: np.ndarray) -> np.ndarray:
    """The same values with negative strides."""
    index = (slice(None, None, -1),) * array.ndim
    return array[index].copy()[index] if array.ndim else array


def spread(array: np.ndarray) -> np.ndarray:
    """The same values with gaps between them."""
    wide = np.zeros((*array.shape, 2), array.dtype)
    wide[..., 0] = array
    return wide[..., 0]


def read_only(array: np.ndarray) -> np.ndarray:
    """The same values, that can't be written to."""
    copied = array.copy()
    copied.flags.writeable = False
    return copied


def unaligned(array: np.ndarray) -> np.ndarray:
    """The same values at an odd address."""
    memory = np.zeros(array.nbytes + 1, np.uint8)
    moved = memory[1:].view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def swapped(array: np.ndarray) -> np.ndarray:
    """The same values in the other byte order."""
    return array.astype(array.dtype.newbyteorder())


LAYOUTS: dict[str, Callable[[np.ndarray], Any]] = {
    "as they are": lambda array: array,
    "tensors": hybrid.asarray,
    "variables": hybrid.Variable,
    "in Fortran's order": np.asfortranarray,
    "reversed": reversed_twice,
    "with gaps": spread,
    "read-only": read_only,
    "unaligned": unaligned,
    "of the other byte order": swapped,
    "lists": np.ndarray.tolist,
}
"""How the good arrays of a call lie in memory, or what they are."""
