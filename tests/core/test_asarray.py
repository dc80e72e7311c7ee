"""Making tensors: of what, into which dtype, sharing or copying, and what is refused."""

from __future__ import annotations

import array
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import hybrid
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.tensor import unwrap
from hybrid.errors import DTypeError


@pytest.mark.parametrize(
    "obj",
    [
        1, 1.5, True, 2 + 1j, 2**63, [], [[]], [1, 2], [1, 2.5], [True, 2], [[1, 2], [3, 4]], range(4), [range(2), range(2)],
        np.float32(2), [np.float32(1), np.float32(2)], [np.arange(2), np.arange(2)], np.arange(3, dtype="u2"), [1, 2**63], [float("nan")],
        array.array("f", [1.0, 2.0]), bytearray(b"ab"), memoryview(b"ab"), pd.Series([1, 2]), pd.DataFrame({"a": [1.0], "b": [2.0]}),
        [[np.int8(1), 2], [3, 4]],
    ],
    ids=lambda obj: "memoryview" if isinstance(obj, memoryview) else repr(obj),
)  # fmt: skip
def test_as_numpy(obj: Any) -> None:
    want, got = np.array(obj), hybrid.asarray(obj)
    assert type(got) is hybrid.Tensor and got.dtype == want.dtype
    np.testing.assert_array_equal(got, want)


def test_sequences_of_tensors() -> None:
    x, w = hybrid.asarray([1.0, 2.0]), hybrid.Variable([3.0, 4.0])
    assert hybrid.asarray([x, w]).tolist() == [[1, 2], [3, 4]]
    assert hybrid.asarray([x[0], w[1], 5]).tolist() == [1, 4, 5]
    assert hybrid.asarray([[x[0], x[1]], [w[0], 2]]).tolist() == [[1, 2], [3, 2]]
    assert hybrid.asarray([hybrid.asarray(1), hybrid.asarray(2.5)], dtype="f4").tolist() == [1, 2.5]
    assert hybrid.asarray((hybrid.asarray([1], dtype="i1"), hybrid.asarray([2], dtype="i2"))).dtype == np.int16


def test_dtypes() -> None:
    for dtype in ("float32", "f4", np.float32, np.dtype("f4")):
        assert hybrid.asarray([1, 2], dtype=dtype).dtype == np.float32
    assert hybrid.asarray([1.9, -1.9], dtype=int).tolist() == [1, -1]
    assert hybrid.asarray(hybrid.asarray([1, 2]), dtype=float).dtype == np.float64
    assert hybrid.asarray(np.arange(3, dtype=">i4")).tolist() == [0, 1, 2]
    assert hybrid.asarray(np.arange(3, dtype=">i4")).dtype == np.dtype("=i4")
    assert (hybrid.asarray([1.0, 2.0]) + np.array([1.0, 2.0], ">f8")).tolist() == [2, 4]
    assert hybrid.asarray(np.longlong(5)).dtype == np.int64 and hybrid.asarray(np.zeros(2, "q")).dtype == np.int64


def test_sharing() -> None:
    x = np.zeros(3)
    t = hybrid.asarray(x)
    t[0] = 1
    assert x[0] == 1 and hybrid.asarray(t) is t and hybrid.asarray(t, dtype="f8", copy=None) is t and hybrid.asarray(t, copy=False) is t
    assert not np.shares_memory(hybrid.asarray(x, copy=True), x) and not np.shares_memory(hybrid.constant(x), x)
    assert not np.shares_memory(hybrid.asarray(t, dtype="f4"), t)
    for obj, dtype in (([1.0], None), (1.0, None), (x, "f4"), (t, "f4"), (np.zeros(2, ">f8"), None)):
        with pytest.raises((ValueError, TypeError), match=r"copy"):
            hybrid.asarray(obj, dtype=dtype, copy=False)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_become_plain() -> None:
    assert type(hybrid.asarray(np.asmatrix([[1, 2]])).numpy()) is np.ndarray
    with pytest.raises(TypeError, match="without a mask"):
        hybrid.asarray(np.ma.masked_array([1, 2], mask=[True, False]))


def test_constant() -> None:
    assert hybrid.constant(7, dtype="i4", shape=(2, 2)).tolist() == [[7, 7], [7, 7]]
    assert hybrid.constant([1, 2, 3, 4], shape=(2, 2)).tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match="cannot reshape array of size 3"):
        hybrid.constant([1, 2, 3], shape=(2, 2))


@pytest.mark.parametrize(
    ("obj", "dtype", "kind", "message"),
    [
        (None, None, TypeError, "wanted numbers, received None"),
        ("text", None, TypeError, "wanted numbers, received 'text'"),
        (b"text", None, TypeError, "wanted numbers, received b'text'"),
        ([1, None], None, TypeError, "wanted numbers, received None at [1]"),
        ([1, "a"], None, TypeError, "wanted numbers, received 'a' at [1]"),
        ([[1], ["a"]], None, TypeError, "wanted numbers, received 'a' at [1][0]"),
        (["1"], float, TypeError, "wanted numbers, received '1' at [0]"),
        ([[1, 2], [3, None]], "f4", TypeError, "wanted numbers, received None at [1][1]"),
        ([1, {}], None, TypeError, "wanted numbers, received {} at [1]"),
        ({1, 2}, None, TypeError, "wanted numbers or arrays of them, received {1, 2}"),
        ({}, None, TypeError, "wanted numbers or arrays of them, received {}"),
        (np.array([1, None]), None, TypeError, "wanted a dtype that is a boolean or a number"),
        (np.array(["a"]), None, TypeError, "wanted a dtype that is a boolean or a number"),
        (np.array([1], "M8[s]"), None, TypeError, "wanted a dtype that is a boolean or a number"),
        (np.longdouble(1), None, TypeError, "wanted a dtype that is a boolean or a number"),
        ([[1, 2], [3]], None, ValueError, "inhomogeneous shape after 1 dimensions"),
        ([np.zeros((2, 2)), np.zeros(3)], None, ValueError, "received (obj: [float64[2, 2], float64[3]])"),
        (2**64, None, OverflowError, "wanted an integer of at most 64 bits, received 18446744073709551616"),
        ([1, -(2**63) - 1], None, OverflowError, "received -9223372036854775809"),
        ([10**5000], None, OverflowError, "received an integer of 16610 bits"),
        ([300], "u1", OverflowError, "received (obj: [300], dtype='u1')"),
        ([1j], float, TypeError, "received (obj: [1j], dtype=float)"),
        ([float("nan")], int, ValueError, "received (obj: [nan], dtype=int)"),
        ([1], "text", TypeError, "wanted a dtype that is a boolean or a number"),
        ([1], "M8[s]", TypeError, "wanted a dtype that is a boolean or a number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals(obj: Any, dtype: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        hybrid.asarray(obj, dtype=dtype)


def test_errors_of_the_object_pass() -> None:
    class Broken:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise ValueError("broken") from KeyError("cause")

    with pytest.raises(ValueError, match=r"^broken$") as caught:
        hybrid.asarray(Broken())
    assert isinstance(caught.value.__cause__, KeyError)


def test_operands_are_checked() -> None:
    for bad in ([1, None], ["a"], np.array(["a"]), np.array([object()])):
        with pytest.raises(DTypeError, match="received"):
            unwrap(bad)
    with pytest.raises(OverflowError):
        unwrap([1, 2**70])
    with pytest.raises(OverflowError):
        unwrap([0.5, 2**70])
    numbers = [1, 2, 3]
    assert unwrap(numbers) is numbers and unwrap((1.5, 2)) == (1.5, 2) and unwrap([]) == []


def test_nobody_is_in_charge() -> None:
    assert INTERPRETER.get() is None
