"""Exceptions leave arguments, objects and variables half done, exactly as plain Python leaves them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from frontend.table import assert_same, observe

from hybrid.functions.function import function


@dataclasses.dataclass
class Account:
    total: float = 0.0
    seen: list[float] = dataclasses.field(default_factory=list)


def writes_then_raises(x: Any, k: int) -> None:
    x[0] = 5
    if x[1] > k:
        raise ValueError("no")
    x[2] = 7


def index_after_write(x: Any, i: int) -> Any:
    x[0] = 5
    y = x[i]
    x[1] = 7
    return y


def division_in_a_loop(x: Any, n: int) -> Any:
    for i in range(n):
        x[i] = 10 // (3 - i)
    return x.sum()


def list_in_a_loop(xs: list[int], n: int) -> None:
    for i in range(n):
        xs.append(i)
        xs[0] = 10 // (4 - i)


def dict_in_an_endless_loop(d: dict[str, int], k: int) -> None:
    d["a"] = k
    while True:
        d["n"] = d.get("n", 0) + 1
        k -= 1
        d["z"] = 100 // k


def object_in_a_loop(account: Account, xs: Any) -> None:
    for x in xs:
        account.total += x
        account.seen.append(x)
        if x < 0:
            raise ValueError(f"bad {x} {account.total}")


def _deposit(account: Account, k: int) -> None:
    account.total += 1
    1 // k
    account.total += 1


def in_a_helper(account: Account, k: int) -> None:
    _deposit(account, 1)
    _deposit(account, k)


def after_an_exception_that_is_caught(x: Any, ys: list[int]) -> Any:
    try:
        x[0] = 1
        ys.append(1)
        10 // ys[0]
        x[1] = 1
    except ZeroDivisionError:
        x[2] = 9
    z = 1 // (ys[0] - 1)
    x[3] = 4
    return z


def before_a_raise_that_always_comes(account: Account, xs: list[int], k: int) -> Any:
    try:
        account.total += 10 // k
        account.seen.append(k)
        xs.append(k)
        raise ValueError("no")
    except (ValueError, ZeroDivisionError):
        account.total += 1
    return account.total, len(xs)


def through_handlers_of_others(x: Any, ys: list[int], k: int) -> None:
    try:
        x[0] = 1
        ys.append(1)
        10 // k
    except KeyError:
        x[2] = 9


def through_finally(x: Any, k: int) -> None:
    try:
        x[0] = 1
        10 // k
    finally:
        x[2] = 9


def through_a_view(x: Any, k: int) -> int:
    x[0] += 1
    y = x[::2]
    y[1] = 5
    x = x * 2
    x[1] = 3
    return 1 // k


def _factorial(n: int, d: int) -> int:
    return 1 // d if n == 0 else n * _factorial(n - 1, d)


def in_a_recursion(x: Any, n: int, d: int) -> int:
    x[0] = 3
    r = _factorial(n, d)
    x[1] = 4
    return r


CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    *((writes_then_raises, (np.array([1.0, b, 3.0]), 0)) for b in (2.0, -2.0)),
    *((index_after_write, (np.arange(3), i)) for i in (1, 7)),
    *((division_in_a_loop, (x, n)) for x in (np.arange(5), np.arange(2), np.arange(10)[::2]) for n in (2, 5)),
    *((list_in_a_loop, ([0], n)) for n in (2, 5)),
    (dict_in_an_endless_loop, ({}, 3)),
    *((object_in_a_loop, (Account(), xs)) for xs in (np.array([1.0, 2, -3, 4]), [1.0, 2.0], [1.0, -1.0, 2.0])),
    *((in_a_helper, (Account(), k)) for k in (1, 0)),
    *((after_an_exception_that_is_caught, (np.zeros(4), [k])) for k in (0, 1, 2)),
    *((before_a_raise_that_always_comes, (Account(), [], k)) for k in (0, 1)),
    *((through_handlers_of_others, (np.zeros(4), [], k)) for k in (0, 1)),
    *((through_finally, (np.zeros(4), k)) for k in (0, 1)),
    *((through_a_view, (np.zeros(4), k)) for k in (0, 1)),
    *((in_a_recursion, (np.zeros(2), 3, d)) for d in (0, 1)),
    (through_a_view, (np.zeros(8).reshape(2, 4).T, 0)),
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("plain", "arguments"), CALLS, ids=lambda x: getattr(x, "__name__", ""))
def test_half_done_as_plain(plain: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(observe(plain, arguments), observe(function(plain), arguments))


def native(account: Account, x: Any, n: int) -> None:
    for i in range(n):
        account.total += i
        x[i] += 1
        x[0] += 1 // (3 - i)


@pytest.mark.parametrize("x", [np.arange(5), np.arange(2), np.arange(10)[::2]], ids=["division", "index", "strided"])
def test_native_programs_leave_the_same(x: Any) -> None:
    arguments = (Account(), x, 5)
    assert_same(observe(native, arguments), observe(function(native), arguments))


def test_an_array_without_axes() -> None:
    def f(x: Any, k: int) -> int:
        x[...] = 5
        return 1 // k

    assert_same(observe(f, (np.zeros(()), 0)), observe(function(f), (np.zeros(()), 0)))


COUNT = 0


def counts(k: int) -> int:
    global COUNT
    COUNT += 1
    return 1 // k


@pytest.mark.usefixtures("interpreted")
def test_globals_are_half_done() -> None:
    compiled = function(counts)
    before = COUNT
    for k in (1, 0, 0):
        try:
            compiled(k)
        except ZeroDivisionError:
            pass
    assert before + 3 == COUNT


def test_what_cannot_fail_notes_nothing() -> None:
    def f(x: Any, y: Any) -> None:
        x += y

    assert "half_done" not in str(function(f).trace(np.zeros(3), np.ones(3)).graph)


def test_a_type_is_no_array() -> None:
    """``np.uint8.shape`` is a descriptor: looked at as an array's shape it raised, which was taken for the program's exception."""

    def f(x: np.ndarray) -> np.ndarray:
        counts = np.zeros(6, dtype=np.int64)
        counts[x[0]] += 1
        if counts[0] == 9:
            return x.copy()
        return counts.astype(np.uint8)

    x = np.arange(6, dtype=np.uint8)
    np.testing.assert_array_equal(function(f)(x), f(x), strict=True)
