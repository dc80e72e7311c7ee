"""``try`` on what may fail at run time, and exceptions as values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.table import assert_same, observe

from hybrid.functions.function import function
from hybrid.staging.attempts import Watched


def test_the_graph_of_an_attempt() -> None:
    def f(x: int) -> Any:
        try:
            y = 10 // x
        except ZeroDivisionError:
            y = -1
        return y

    text = str(function(f).trace(5).graph)
    assert "attempt(%0, body=@1, catches=((<class 'ZeroDivisionError'>,),))" in text
    assert "  checkpoint(" in text and "  %1: int = call_python(10, %0, function='floordiv')" in text


def test_what_cannot_fail_needs_no_attempt() -> None:
    def f(x: int) -> Any:
        try:
            y = x + 1
        except ZeroDivisionError:
            y = -1
        return y

    assert "attempt" not in str(function(f).trace(5).graph)


def message(x: int) -> Any:
    try:
        return 1 // x
    except ZeroDivisionError as error:
        return str(error), type(error).__name__, error.args


def chained(x: int) -> Any:
    try:
        return 1 // x
    except ZeroDivisionError as error:
        raise ValueError(f"bad {x}") from error


def context(x: int) -> Any:
    try:
        return 1 // x
    except ZeroDivisionError:
        return [][x]


def reraised(x: int) -> Any:
    try:
        return 1 // x
    except ArithmeticError:
        print("again")
        raise


def passes_the_inner_one(x: int) -> Any:
    y = "start"
    try:
        try:
            y = "changed"
            1 // x
        except KeyError:
            y = "key"
    except ZeroDivisionError:
        return y
    return "fine"


def sees_what_was_bound_last(x: int) -> Any:
    y = "start"
    try:
        y = 1 // (x + 1)
        y = "bound"
        [][5]
    except IndexError:
        pass
    return y


def always_last(x: int) -> Any:
    log = []
    try:
        log.append("body")
        log.append(1 // x)
    except ZeroDivisionError:
        log.append("handler")
    else:
        log.append("else")
    finally:
        log.append("last")
        print(log)
    return log


def unused_results_raise(x: int) -> str:
    1 // x
    return "fine"


class Own(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(f"code {code}")
        self.code = code


def own_class(x: int) -> Any:
    try:
        if x < 1:
            raise Own(x)
    except Own as error:
        return error.code, str(error)
    raise Own(x + 10)


FUNCTIONS = [
    message,
    chained,
    context,
    reraised,
    passes_the_inner_one,
    sees_what_was_bound_last,
    always_last,
    unused_results_raise,
    own_class,
]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [0, 1, 3])
def test_compiled_is_as_plain(f: Any, x: int) -> None:
    assert_same(observe(f, (x,)), observe(function(f), (x,)))


def test_exceptions_of_numpy_have_its_class_and_message() -> None:
    def f(a: np.ndarray) -> Any:
        return np.concatenate([a, a[None]])

    assert_same(observe(f, (np.ones(3),)), observe(function(f), (np.ones(3),)))


def test_writes_before_an_exception_that_always_comes() -> None:
    def f(a: np.ndarray, xs: list) -> None:
        a[0] = 7
        xs.append(1)
        raise KeyError("after")

    a, xs = np.zeros(2), []
    with pytest.raises(KeyError, match="after"):
        function(f)(a, xs)
    assert a[0] == 7 and xs == [1]


def test_nested_attempts_are_not_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body five levels deep is traced a few times for each level, and not a power of that."""
    made: list[Watched] = []
    begin = Watched.__init__

    def counting(self: Watched, *args: Any) -> None:
        made.append(self)
        begin(self, *args)

    monkeypatch.setattr(Watched, "__init__", counting)

    def f(x: int) -> int:
        y = 0
        try:
            try:
                try:
                    try:
                        try:
                            y = 10 // x
                        except KeyError:
                            y = -1
                        y += 10 // (x - 1)
                    finally:
                        y += 1
                    y += 10 // (x - 2)
                except IndexError:
                    y += 7
                y += 10 // (x - 3)
            finally:
                y += 5
            y += 10 // (x - 4)
        except ZeroDivisionError:
            y += 100
        return y

    compiled = function(f)
    assert [compiled(x) for x in range(7)] == [f(x) for x in range(7)]
    assert len(made) <= 30
