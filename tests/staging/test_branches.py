"""Branches on run-time values: what a side did is undone, and what both sides leave behind is joined."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from hybrid.functions.function import function

A = np.array([1.0, 2.0, 3.0])


def graph_of(f: Any, *args: Any) -> str:
    return str(function(f).trace(*args).graph).strip()


def expected(text: str) -> str:
    return dedent(text).strip()


def test_numbers_are_results_of_the_branch() -> None:
    def f(x: float) -> float:
        y = x + 1 if x > 0 else x - 1
        return y

    assert graph_of(f, 2.0) == expected("""
        graph(%0: float):
          %1: bool = call_python(%0, 0, function='gt')
          %2: float = cond(%1, %0, then=@1, orelse=@2)
          return %2

        graph @1(%0: float):
          %1: float = call_python(%0, 1, function='add')
          return %1

        graph @2(%0: float):
          %1: float = call_python(%0, 1, function='sub')
          return %1
    """)


def test_a_side_that_raises_is_a_check() -> None:
    def f(x: float) -> float:
        if x < 0:
            raise ValueError("negative")
        return x + 1

    assert graph_of(f, 2.0) == expected("""
        graph(%0: float):
          %1: bool = call_python(%0, 0, function='lt')
          cond(%1, then=@1, orelse=@2)
          %2: float = call_python(%0, 1, function='add')
          return %2

        graph @1():
          fail(error='ValueError', message=('negative',))
          return

        graph @2():
          return
    """)


def test_kinds_that_differ_get_a_tag() -> None:
    def f(x: float) -> Any:
        return None if x > 0 else x

    assert graph_of(f, 2.0) == expected("""
        graph(%0: float):
          %1: bool = call_python(%0, 0, function='gt')
          %2: int, %3: float = cond(%1, %0, then=@1, orelse=@2)
          return %2, %3

        graph @1(%0: float):
          return 0, 0.0

        graph @2(%0: float):
          return 1, %0
    """)
    assert function(f)(2.0) is None and function(f)(-2.0) == -2.0


def test_arrays_written_on_one_side() -> None:
    def f(a: np.ndarray, x: float) -> float:
        if x > 0:
            a[0] = x
        return a.sum()

    compiled = function(f)
    for x in (5.0, -5.0):
        a, b = A.copy(), A.copy()
        assert f(a, x) == compiled(b, x)
        np.testing.assert_array_equal(a, b)


def grown(xs: list, x: float) -> tuple:
    if x > 0:
        xs.append(x)
    return len(xs), xs[-1], x in xs


def emptied(xs: list, x: float) -> tuple:
    last = xs.pop() if x > 0 else None
    xs[0] = "first"
    return last, list(xs)


def keyed(d: dict, x: float) -> Any:
    if x > 0:
        d["new"] = x
    else:
        del d["old"]
    return "new" in d, d.get("old", "gone")


def collected(s: set, x: float) -> int:
    if x > 0:
        s.add("positive")
    return len(s)


@pytest.mark.parametrize(
    ("f", "argument"), [(grown, [1.0, 2.0]), (emptied, [1.0, 2.0, 3.0]), (keyed, {"old": 1.0, "k": 2}), (collected, {"a"})]
)
@pytest.mark.parametrize("x", [2.0, -2.0])
def test_containers_changed_on_one_side(f: Any, argument: Any, x: float) -> None:
    first, second = type(argument)(argument), type(argument)(argument)
    assert function(f)(first, x) == f(second, x)
    assert first == second


class Counter:
    def __init__(self, start: float) -> None:
        self.value = start


def test_attributes_set_on_one_side() -> None:
    def f(x: float) -> Any:
        c = Counter(x)
        if x > 0:
            c.value = x * 2
            c.extra = "set"
        return c.value, hasattr(c, "extra"), c

    compiled = function(f)
    assert compiled(2.0)[:2] == (4.0, True) and compiled(-2.0)[:2] == (-2.0, False)
    assert vars(compiled(2.0)[2]) == {"value": 4.0, "extra": "set"} and vars(compiled(-2.0)[2]) == {"value": -2.0}
    assert compiled(2.0)[2] is not compiled(2.0)[2]


def test_objects_from_outside_change_after_the_call() -> None:
    counter = Counter(1.0)

    def f(x: float) -> float:
        if x > 0:
            counter.value += x
        return counter.value

    compiled = function(f)
    assert [compiled(2.0), compiled(-1.0), compiled(3.0)] == [3.0, 3.0, 6.0] and counter.value == 6.0
    counter.value = 0.0
    assert compiled(1.0) == 1.0


def test_a_name_of_one_side_is_unbound_on_the_other() -> None:
    def f(x: float) -> float:
        if x > 0:
            y = x
        return y

    assert function(f)(1.0) == 1.0
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'y'"):
        function(f)(-1.0)


def test_texts_are_alternatives() -> None:
    def f(x: float) -> str:
        size = "large" if x > 10 else "small"
        return f"{size.upper()}: {x:.2f}" + "!" * 2

    assert function(f)(11.0) == "LARGE: 11.00!!" and function(f)(1.0) == "SMALL: 1.00!!"
