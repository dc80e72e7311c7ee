"""Recursion in native code: functions that call themselves and each other, their exceptions, their depth, and the cache on disk."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybrid.functions.function import function


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


def sum_of_halves(x, low, high):
    if high - low == 1:
        return x[low]
    middle = (low + high) // 2
    return sum_of_halves(x, low, middle) + sum_of_halves(x, middle, high)


def sorted_by_merging(x):
    if len(x) < 2:
        return x.copy()
    left, right = sorted_by_merging(x[: len(x) // 2]), sorted_by_merging(x[len(x) // 2 :])
    merged, i, j = np.empty_like(x), 0, 0
    for k in range(len(x)):
        if j == len(right) or (i < len(left) and left[i] <= right[j]):
            merged[k], i = left[i], i + 1
        else:
            merged[k], j = right[j], j + 1
    return merged


def moved(n, a, b, c):
    return 0 if n == 0 else moved(n - 1, a, c, b) + 1 + moved(n - 1, c, b, a)


def tower(n):
    return moved(n, "A", "B", "C")


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def deepest(n):
    return 0 if n == 0 else 1 + deepest(n - 1)


def fails_deep(x, n):
    if n == 0:
        return x[len(x) + 3]
    return fails_deep(x, n - 1) + 1.0


def same(program: Any, *arguments: Any) -> Any:
    compiled = function(program)
    wanted, received = program(*arguments), compiled(*arguments)
    assert type(received) is type(wanted)
    np.testing.assert_array_equal(received, wanted)
    return compiled


def test_numbers() -> None:
    compiled = same(fibonacci, 15)
    assert compiled(1) == 1
    assert compiled.trace(15).executable.fallbacks == ()
    same(ackermann, 2, 3)


def test_arrays() -> None:
    x = np.random.default_rng(0).standard_normal(37)
    same(sum_of_halves, x, 0, 37)
    same(sorted_by_merging, x)


def test_rings_of_functions_run_in_the_interpreter() -> None:
    same(tower, 4)
    same(is_even, 9)


def test_too_deep() -> None:
    compiled = same(deepest, 50)
    for f in (deepest, compiled):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            f(1_000_000)
    assert compiled(60) == 60


def test_exceptions_of_deep_calls() -> None:
    compiled = function(fails_deep)
    for f in (fails_deep, compiled):
        with pytest.raises(IndexError, match="index 6 is out of bounds for axis 0 with size 3"):
            f(np.ones(3), 20)


def test_the_cache_on_disk(tmp_path: Path) -> None:
    """Functions inside of the program call Python, too: what they need for that must be there in another process."""
    script = textwrap.dedent(
        """
        import numpy as np
        import hybrid
        from backends.test_routines import fails_deep, sorted_by_merging
        compiled, fails = hybrid.function(sorted_by_merging), hybrid.function(fails_deep)
        print(compiled(np.array([3.0, 1.0, 2.0])))
        try:
            fails(np.ones(3), 20)
        except IndexError as error:
            print(error)
        print(compiled.stats().disk_hits, fails.stats().disk_hits)
        """
    )
    root = Path(__file__).parents[2]
    paths = {"PYTHONPATH": f"{root}:{root / 'tests'}", "HYBRID_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    outputs = [
        subprocess.run([sys.executable, "-c", script], env=paths, capture_output=True, text=True, check=True).stdout.splitlines()
        for _ in range(2)
    ]
    answers = ["[1. 2. 3.]", "index 6 is out of bounds for axis 0 with size 3"]
    assert outputs == [[*answers, "0 0"], [*answers, "1 1"]]
