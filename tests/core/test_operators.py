"""Operators of tensors: with everything that may stand on the other side, and in place."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from ops.calls import observed, same

import hybrid
from hybrid.core.dtypes import DTYPES
from hybrid.core.shortcuts import BINARY, COMPARISONS, UNARY

BINARIES = {name: f for name, (f, _) in (BINARY | COMPARISONS).items()} | {"divmod": divmod}
IN_PLACE = {name: getattr(operator, f"__i{name}__") for name in BINARY}
ARRAYS = {d.name: (np.arange(1, 5).reshape(2, 2) / (1 if d.kind in "biu" else 4)).astype(d) for d in DTYPES}
OTHERS: list[Any] = [
    2,
    True,
    0.5,
    1j,
    np.float32(0.5),
    np.int8(3),
    np.bool(True),
    np.array([1.5, 2.5]),
    np.array([[1], [2]], "u1"),
    [2.0, 3.0],
    (2, 3),
]


def sides(call: Any, x: Any, y: Any) -> None:
    """The result is that of arrays if the left, the right, or both are tensors."""
    want = observed(call, [x, y])
    made = [
        v if isinstance(v, list | tuple | int | float | complex) and not isinstance(v, np.generic) else hybrid.Tensor(v) for v in (x, y)
    ]
    for left, right in ((made[0], y), (x, made[1]), tuple(made)):
        if isinstance(left, hybrid.Tensor) or isinstance(right, hybrid.Tensor):
            same(want, observed(call, [left, right]))


def is_numpys_own(x: Any, other: Any) -> bool:
    """NumPy's scalars let a list repeat itself, as Python's integers do; a scalar tensor meets it as an array."""
    return isinstance(x, np.generic) and isinstance(other, list | tuple)


@pytest.mark.parametrize("name", BINARIES)
@pytest.mark.parametrize("dtype", ARRAYS)
def test_binary(name: str, dtype: str) -> None:
    x = ARRAYS[dtype]
    for other in [*OTHERS, *ARRAYS.values()]:
        sides(BINARIES[name], x, other)
        sides(BINARIES[name], other, x)
        if not is_numpys_own(x[0, 1], other) and not (name == "divmod" and x.dtype.kind == "c"):
            sides(BINARIES[name], x[0, 1], other)


@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str) -> None:
    for x in ARRAYS.values():
        same(observed(UNARY[name][0], [x]), observed(UNARY[name][0], [hybrid.Tensor(x)]))
        same(observed(UNARY[name][0], [x[0, 0]]), observed(UNARY[name][0], [hybrid.Tensor(x[0, 0])]))


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float32", "float64", "complex128"])
def test_in_place(name: str, dtype: str) -> None:
    def step(x: Any, y: Any) -> Any:
        alias = x
        x = IN_PLACE[name](x, y)
        return x is alias, x, alias

    for other in [*OTHERS, *ARRAYS.values(), np.ones(3)]:
        for start in (ARRAYS[dtype], ARRAYS[dtype][0, 0], np.array(ARRAYS[dtype][0, 1])):
            if is_numpys_own(start, other):
                continue
            want = observed(step, [start.copy(), other])
            same(want, observed(step, [hybrid.Tensor(start.copy()), other]))
            if isinstance(other, np.ndarray):
                same(want, observed(step, [hybrid.Tensor(start.copy()), hybrid.Tensor(other)]))


def test_arrays_in_place_with_tensors() -> None:
    x = np.arange(3.0)
    alias = x
    x += hybrid.asarray([1.0, 2.0, 3.0])
    assert x is alias and isinstance(x, np.ndarray) and x.tolist() == [1, 3, 5]
    x[hybrid.asarray([0, 2])] = hybrid.asarray(7.0)
    assert x.tolist() == [7, 3, 7] and x[hybrid.asarray([True, False, False])].tolist() == [7]
    items = [1.0, 2.0]
    items += hybrid.asarray([1.0, 1.0])
    assert isinstance(items, hybrid.Tensor) and items.tolist() == [2, 3]


def test_in_place_through_views_and_overlaps() -> None:
    x = np.arange(6.0)
    t = hybrid.constant(x)
    t[1:] += t[:-1]
    x[1:] += x[:-1]
    t[::2] *= t[::-2]
    x[::2] *= x[::-2]
    np.testing.assert_array_equal(t, x)
    m = hybrid.asarray(np.zeros((2, 3)))
    m.T[0] += 1
    m[0][1] = 5
    assert m.tolist() == [[1, 5, 0], [1, 0, 0]]


def test_aliases_see_writes_into_arrays_but_not_into_scalars() -> None:
    zero_d = hybrid.asarray(np.array(1.0))
    alias = zero_d
    zero_d += 1
    assert alias is zero_d and alias.item() == 2
    scalar = zero_d[()]
    alias = scalar
    scalar += 1
    assert alias.item() == 2 and scalar.item() == 3
    with pytest.raises(TypeError, match=r"(?s)does not support item assignment.*received \(float64\[\] = 3\.0, Ellipsis, 1\)"):
        scalar[...] = 1


@pytest.mark.parametrize("other", [None, "a", b"a"])
def test_nothing_equals_none_or_text(other: Any) -> None:
    x = np.arange(3.0)
    t = hybrid.asarray(x)
    same(x == other, t == other)
    same(x != other, t != other)
    same(x == other, other == t)
    for call in (operator.lt, operator.add, operator.mul, operator.and_, operator.matmul, operator.iadd):
        with pytest.raises(TypeError, match=r"Tensor|integer scalar"):
            call(t, other)


def test_foreign_objects_decide() -> None:
    class Foreign:
        def __radd__(self, other: Any) -> str:
            return f"radd {type(other).__name__}"

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    t = hybrid.asarray([1.0, 2.0])
    assert t + Foreign() == "radd Tensor"
    assert (t == Foreign()) is True
    for other in (object(), len, Fraction(1, 2), Fraction(1), range(2)):
        same(t.numpy() == other, t == other)
        same(other != t.numpy(), other != t)
    for bad in (object(), {}, {1}, np.datetime64("2020-01-01"), np.array(["a"]), np.array([None])):
        with pytest.raises(TypeError):
            t + bad


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_of_arrays_come_first() -> None:
    t = hybrid.asarray([[1.0, 2.0]])
    masked = np.ma.masked_array([[1.0, 2.0]], mask=[[False, True]])
    for got in (t + masked, masked + t, np.add(t, masked)):
        assert isinstance(got, np.ma.MaskedArray) and got.mask.tolist() == [[False, True]] and got[0, 0] == 2
    matrix = np.asmatrix([[3.0], [4.0]])
    for got in (t * matrix, np.asmatrix(t) * matrix):
        assert isinstance(got, np.matrix) and got.item() == 11


def test_memory_maps_are_arrays(tmp_path: Any) -> None:
    file = np.memmap(tmp_path / "x", dtype="f8", mode="w+", shape=(2,))
    file[:] = [1.0, 2.0]
    t = hybrid.asarray(file)
    t += 1
    assert file.tolist() == [2, 3]
    for got in (t + file, file + t, t * 2, np.add(file, t)):
        assert type(got) is hybrid.Tensor


def test_powers() -> None:
    t = hybrid.asarray([2.0, 3.0])
    assert (t**2).tolist() == [4, 9] and (2**t).tolist() == [4, 8] and pow(t, 2).tolist() == [4, 9]
    with pytest.raises(TypeError):
        pow(t, 2, 5)
    with pytest.raises(ValueError, match=r"(?s)Integers to negative integer powers.*received \(x1: int64\[1\], x2: -1\)"):
        hybrid.asarray([2]) ** -1


def test_big_integers_follow_numpy() -> None:
    t = hybrid.asarray([1, 2])
    assert (t < 2**70).tolist() == [True, True]
    assert (hybrid.asarray([1.0]) + 2**70).tolist() == [2.0**70]
    with pytest.raises(OverflowError, match=r"x2: 1180591620717411303424"):
        t + 2**70
    with pytest.raises(OverflowError, match=r"x2: an integer of 10001 bits"):
        t + 2**10_000


def test_warnings_are_numpys() -> None:
    t = hybrid.asarray([1.0, 0.0])
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in divide"):
        1 / t
    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar add"):
        hybrid.asarray(np.array([127], "i1"))[0] + np.int8(1)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match=r"(?s)divide by zero.*x2: float64\[2\]"):
        1 / t
