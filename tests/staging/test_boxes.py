"""Variables that functions inside write, in branches, loops, attempts and recursion that only running decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hybrid

pytestmark = pytest.mark.usefixtures("interpreted")


def in_a_branch_of_a_loop(x: Any) -> Any:
    total = 0

    def add(v: Any) -> None:
        nonlocal total
        total = total + v

    for i in range(20):
        if i < x:
            add(i * 0.5)
    return total


def before_an_exception(x: Any) -> Any:
    total = 0

    def add(v: Any) -> None:
        nonlocal total
        total = total + v
        if total > 10:
            raise ValueError("much")

    try:
        for _ in range(20):
            add(x)
    except ValueError:
        return "stopped", total
    return total


def none_at_first(x: Any) -> Any:
    best, i = None, 0

    def see(v: Any) -> None:
        nonlocal best
        if best is None or v > best:
            best = v

    while i < x:
        see((i * 7) % 5)
        i += 1
    return best


def in_recursion(x: Any) -> Any:
    total = 0

    def walk(n: Any) -> None:
        nonlocal total
        total += n
        if n > 0:
            walk(n - 1)

    walk(x)
    return total


def another_list(x: Any) -> Any:
    items: list[Any] = []

    def reset() -> None:
        nonlocal items
        items = [x]

    for i in range(3):
        if i > x:
            reset()
        items.append(i)
    return items


@pytest.mark.parametrize("value", [3, 0, 7, np.float64(2.5), np.int64(4)], ids=repr)
@pytest.mark.parametrize("program", [in_a_branch_of_a_loop, before_an_exception, none_at_first, in_recursion, another_list])
def test_compiled_is_as_plain(program: Any, value: Any) -> None:
    assert repr(hybrid.function(program)(value)) == repr(program(value))
