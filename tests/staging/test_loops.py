"""Loops on run-time values: what a round changes is found by tracing it until nothing new turns up."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from hybrid.functions.function import function


def test_the_graph_of_a_loop() -> None:
    """What nobody asks for after the loop isn't carried: whether ``i`` is bound, and its value."""

    def f(n: int) -> int:
        total = 0
        for i in range(n):
            total += i
        return total

    wanted = """
        graph(%0: int):
          %1: int = for_range(0, %0, 1, 0, body=@1, carried=1)
          return %1

        graph @1(%0: int, %1: int):
          %2: int = call_python(%1, %0, function='add')
          return %2
    """
    assert str(function(f).trace(5).graph).strip() == dedent(wanted).strip()


def none_first(xs: np.ndarray) -> Any:
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def int_to_float(n: int) -> Any:
    y = 0
    for i in range(n):
        y = y + 0.5 * i
    return y


def lists_that_grow(n: int) -> list:
    out = []
    for i in range(n):
        if i % 2:
            out.append(i * 0.5)
    return out


def lists_of_mixed(n: int) -> list:
    out: list = ["start"]
    for i in range(n):
        out.append((i, "odd" if i % 2 else None))
    out.reverse()
    return out


def shapes_that_change(n: int) -> np.ndarray:
    a = np.zeros(1)
    for i in range(n):
        a = np.concatenate([a, a + i])
    return a


def break_and_else(n: int) -> Any:
    for i in range(n):
        if i * i > 50:
            break
    else:
        return "all", n
    return "some", i


def nested_break(n: int) -> list:
    out = []
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            out.append(i * 10 + j)
        else:
            break
    return out


def popped(n: int) -> list:
    stack = [0]
    while stack and len(stack) < n:
        top = stack.pop()
        stack.append(top + 1)
        stack.append(top + 2)
    return stack


def known_first(n: int) -> int:
    k, steps = 3, 0
    while k > 0 or n > 10:
        k -= 1
        steps += 1
        if k <= 0:
            n //= 2
    return steps * 100 + n


FUNCTIONS = [int_to_float, lists_that_grow, lists_of_mixed, shapes_that_change, break_and_else, nested_break, popped, known_first]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_compiled_is_as_plain(f: Any) -> None:
    compiled = function(f)
    for n in (0, 1, 2, 5, 9, 40 if f is not shapes_that_change else 6):
        wanted, found = f(n), compiled(n)
        assert type(found) is type(wanted)
        np.testing.assert_equal(found, wanted)


def test_none_before_the_first_round() -> None:
    assert function(none_first)(np.array([1.0, 7.0, 3.0])) == 7.0
    assert function(none_first)(np.empty(0)) is None


def test_closures_bind_late_in_unrolled_loops() -> None:
    def f(n: int, x: float) -> list:
        fs = []
        for k in range(n):
            fs.append(lambda: k * x)  # noqa: B023 - late binding is what is tested
        return [g() for g in fs]

    assert function(f)(3, 2.0) == f(3, 2.0)


def test_a_dict_that_grows() -> None:
    def f(n: int) -> dict:
        return {i: i * i for i in range(n) if i % 2}

    assert function(f)(6) == f(6)


def _deep_sum(x):
    total = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                total += x[i, j, k]
    return total


def _deep_largest(x, rounds):
    largest = 0.0
    for _ in range(rounds):
        largest = 0.0
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                if abs(x[i, j]) > largest:
                    largest = abs(x[i, j])
    return largest


@pytest.mark.parametrize(
    ("program", "arguments", "most"), [(_deep_sum, (np.ones((13, 14, 15)),), 6), (_deep_largest, (np.arange(143.0).reshape(11, 13), 30), 3)]
)
def test_loops_inside_loops_are_not_written_down_again_and_again(program, arguments, most) -> None:
    """A round is peeled off where that gives a variable one kind for the other rounds, and only there."""
    compiled = function(program)
    wanted, received = program(*arguments), compiled(*arguments)
    assert (type(received), received) == (type(wanted), wanted)
    assert str(compiled.trace(*arguments).graph).count(" = for_range(") <= most


def _sweeps(u, rounds):
    new = u.copy()
    for n in range(rounds):
        for i in range(1, len(u) - 1):
            new[i] = 0.5 * (u[i - 1] + u[i + 1])
        u[:] = new
        if u[1] > 0.4:
            return n
    return rounds


@pytest.mark.parametrize("rounds", [0, 1, 7, 50])
def test_an_argument_that_is_written_as_a_whole_in_a_loop(rounds: int) -> None:
    """After the loop its content may be in its own memory, or in that of another array."""
    wanted, received = np.eye(12)[0].copy(), np.eye(12)[0].copy()
    assert function(_sweeps)(received, rounds) == _sweeps(wanted, rounds)
    np.testing.assert_array_equal(received, wanted)


def test_powers_of_numbers_are_those_of_c() -> None:
    """For some numbers ``x ** 2`` of Python and of NumPy's scalars isn't ``x * x``; of arrays it is."""

    def squares(x, out):
        for i in range(len(x)):
            out[i, 0], out[i, 1], out[i, 2] = x[i] ** 2, float(x[i]) ** 2, x[i] ** -1.0
        return x**2

    x = np.random.default_rng(0).standard_normal(20_000)
    wanted, received = np.empty((20_000, 3)), np.empty((20_000, 3))
    np.testing.assert_array_equal(function(squares)(x, received), squares(x, wanted))
    np.testing.assert_array_equal(received, wanted)
    assert np.any(wanted[:, 0] != x * x)


def test_small_loops_inside_each_other_are_not_all_unrolled() -> None:
    def f(x: np.ndarray) -> Any:
        total = 0.0
        for i in range(3):
            for j in range(4):
                total += x[i, j] * (i - j)
        return total

    x = np.arange(12.0).reshape(3, 4)
    compiled = function(f)
    assert compiled(x) == f(x)
    assert str(compiled.trace(x).graph).count("multiply(") <= 6


def _swaps(u, n):
    v = np.zeros_like(u)
    for _ in range(n):
        v[:] = u + 1
        u, v = v, u
    return u


def _third_name(u, n):
    v, k = np.zeros_like(u), 0
    while k < n:
        t = u
        u = v
        v = t
        u += 1
        k += 1
    return u


def _becomes_an_argument(u, n):
    total = u * 0
    for k in range(n):
        total += u
        if k == 0:
            total = u
    return total


@pytest.mark.parametrize("program", [_swaps, _third_name, _becomes_an_argument])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_names_that_are_an_argument_in_some_rounds(program: Any, n: int) -> None:
    """What is written under such a name is in the caller's array as well."""
    wanted, received = np.arange(3.0), np.arange(3.0)
    np.testing.assert_array_equal(function(program)(received, n), program(wanted, n))
    np.testing.assert_array_equal(received, wanted)
