"""Lists that grow and shrink in native code: in memory with room for more, and never in memory that somebody else looks at."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.passes.buffers import plan_buffers


def stack_of_numbers(x: np.ndarray) -> Any:
    """Grows and shrinks; what was popped stays what it was."""
    stack, popped = [], []
    for i in range(len(x)):
        while len(stack) > 1 and stack[-1] > x[i]:
            popped.append(stack.pop())
        stack.append(float(x[i]))
    return stack, popped, len(stack)


def copies_part(n: int) -> Any:
    """Each copy goes its own way."""
    a = []
    for i in range(n):
        a.append(i)
    b = a[:]
    c = a + b
    a.append(-1)
    b.append(-2)
    for i in range(3):
        c.append(i)
        b.pop()
        a[0] += i
    return a, b, c


def rows_of_arrays(x: np.ndarray) -> Any:
    """Rows that were taken out of a list don't change when the list does."""
    rows = []
    for i in range(len(x)):
        rows.append(x[i] * 2)
    last = rows[-1]
    rows.pop()
    rows.append(x[0] + 100)
    rows.append(x[0] + 200)
    return np.stack(rows), last


def two_lists(n: int) -> Any:
    """Two that begin alike."""
    a, b = [0], [0]
    for i in range(n):
        a.append(i)
        if i % 2:
            b.append(i)
        a[-1] += b[-1]
    return a, b


CASES = [
    (stack_of_numbers, (np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.5, 7.0]),)),
    (copies_part, (5,)),
    (rows_of_arrays, (np.arange(6.0).reshape(3, 2),)),
    (two_lists, (40,)),
]


def text(value: Any) -> str:
    return repr(value)


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda x: getattr(x, "__name__", ""))
@pytest.mark.usefixtures("interpreted")
def test_interpreted(function: Any, arguments: Any) -> None:
    assert text(hybrid.function(function)(*copy.deepcopy(arguments))) == text(function(*copy.deepcopy(arguments)))


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_native(function: Any, arguments: Any) -> None:
    pytest.importorskip("numba")
    compiled = hybrid.function(function)
    for _ in range(2):
        assert text(compiled(*copy.deepcopy(arguments))) == text(function(*copy.deepcopy(arguments)))


@pytest.mark.usefixtures("interpreted")
def test_growth_is_in_place() -> None:
    def grow(n: int) -> Any:
        found = []
        for i in range(n):
            found.append(i)
        return found

    graph = hybrid.function(grow).trace(3).graph
    assert "append_row: in place" in plan_buffers(graph).text(graph)


@pytest.mark.usefixtures("interpreted")
def test_lengths_are_read_without_keeping_what_they_are_of() -> None:
    def merged(labels: np.ndarray) -> Any:
        parent = [0]
        for i in range(len(labels)):
            label = int(labels[i])
            while parent[label] != label:
                parent[label] = parent[parent[label]]
                label = parent[label]
            parent.append(min(len(parent), label + 1))
        return parent

    function = hybrid.function(merged)
    labels = np.array([0, 1, 1, 2, 0])
    assert function(labels) == merged(labels)
    graph = function.trace(labels).graph
    plan = plan_buffers(graph).text(graph)
    assert "append_row: in place" in plan and "copies operand" not in plan


@pytest.mark.usefixtures("interpreted")
def test_sizes_in_a_loop_inside_another_have_names_of_their_own() -> None:
    def popped(x: np.ndarray) -> Any:
        stack = []
        total = 0.0
        for i in range(len(x)):
            stack.append(float(x[i]))
            before = np.array(stack)
            while len(stack) > 2:
                stack.pop()
                total += (np.array(stack)[: len(stack)] + before[: len(stack)]).sum() + len(before)
        return stack, total

    x = np.array([3.0, 1.0, 2.0, 5.0])
    assert hybrid.function(popped)(x) == popped(x)
