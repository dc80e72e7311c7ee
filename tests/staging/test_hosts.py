"""Calls that only Python can make: at each run, in order; and results that are made anew for each call."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.function import function


def test_clocks_and_random_numbers_are_not_frozen() -> None:
    compiled = function(lambda: (time.perf_counter(), random.random(), random.randint(0, 10**9)))
    first, second = compiled(), compiled()
    assert first[0] < second[0] and first[1] != second[1] and first[2] != second[2]


def test_random_numbers_in_a_loop() -> None:
    def f(n: int) -> float:
        total = 0.0
        for _ in range(n):
            total += random.random()
        return total

    compiled = function(f)
    random.seed(1)
    wanted = f(50)
    random.seed(1)
    assert compiled(50) == wanted


def test_functions_that_stay_as_they_are() -> None:
    seen = []

    @hybrid.do_not_convert
    def note(x: Any) -> Any:
        seen.append(x)
        return {"value": x, "text": f"<{x}>"}

    def f(x: float) -> Any:
        d = note(x * 2)
        return d["value"] + 1, d["text"].upper(), len(d), [key for key in d]

    compiled = function(f)
    assert compiled(1.0) == (3.0, "<2.0>", 2, ["value", "text"])
    assert compiled(2.0) == (5.0, "<4.0>", 2, ["value", "text"])
    assert seen == [2.0, 4.0]


def test_arrays_that_an_unknown_function_writes() -> None:
    @hybrid.do_not_convert
    def fill(a: np.ndarray) -> None:
        a[:] = 5

    def f(a: np.ndarray) -> Any:
        b = a * 2
        fill(b)
        return b.sum()

    assert function(f)(np.ones(3)) == 15.0


def test_lists_that_an_unknown_function_changes() -> None:
    def f(x: float) -> Any:
        xs = [3.0, x, 1.0]
        random.shuffle(xs)
        return sorted(xs), len(xs)

    assert function(f)(2.0) == ([1.0, 2.0, 3.0], 3)


def test_print_and_calls_stay_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    @hybrid.do_not_convert
    def shout(x: Any) -> None:
        print("shout", x)

    def f(x: float) -> None:
        print("before", x)
        shout(x)
        print("after")

    compiled = function(f)
    compiled(1.0)
    compiled(2.0)
    assert capsys.readouterr().out == "before 1.0\nshout 1.0\nafter\nbefore 2.0\nshout 2.0\nafter\n"


def test_generators_run_at_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    def numbers(n: int) -> Any:
        for i in range(n):
            print("made", i)
            yield i

    def f(n: int) -> int:
        return sum(x * 2 for x in numbers(n))

    compiled = function(f)
    assert compiled(2) == 2 and compiled(2) == 2
    assert capsys.readouterr().out == "made 0\nmade 1\n" * 2


def test_results_are_new_and_share_what_is_shared() -> None:
    def f(x: float) -> Any:
        inner = [x]
        return inner, inner, {"k": inner}

    compiled = function(f)
    a, b, d = compiled(1.0)
    assert a is b is d["k"] and compiled(1.0)[0] is not a


def test_closures_that_are_returned() -> None:
    def f(x: float) -> Any:
        count = 0

        def step(by: float = x) -> float:
            nonlocal count
            count += 1
            return count * by

        return step

    compiled = function(f)
    first, second = compiled(2.0), compiled(3.0)
    assert [first(), first(), second(), first(10.0)] == [2.0, 4.0, 3.0, 30.0]


TOTAL = 1


def add_to_total(x: int) -> int:
    global TOTAL
    TOTAL += x
    return TOTAL


def test_globals_that_are_written() -> None:
    global TOTAL
    TOTAL = 1
    compiled = function(add_to_total)
    assert [compiled(2), compiled(3)] == [3, 6] and TOTAL == 6
    TOTAL = 100
    assert compiled(1) == 101


def test_numbers_that_are_needed_as_they_are() -> None:
    def f(n: int, x: float) -> Any:
        return {n: x}[n], "ab"[n], "%d" % n  # noqa: UP031 - the operator is what is tested

    compiled = function(f)
    assert compiled(1, 2.0) == (2.0, "b", "1") and compiled(0, 3.0) == (3.0, "a", "0")
    assert compiled.stats().traces == 2


def test_zeros_of_either_sign_are_two_constants() -> None:
    compiled = function(lambda x: "%r" % x)  # noqa: UP031 - the operator is what is tested
    assert (compiled(0.0), compiled(-0.0)) == ("0.0", "-0.0")


def test_user_code_does_not_catch_refusals() -> None:
    def f(n: int) -> Any:
        try:
            return [1, 2, 3][{n: n}[n] :]
        except TypeError:
            return "caught"

    assert function(f)(1) == [2, 3]
