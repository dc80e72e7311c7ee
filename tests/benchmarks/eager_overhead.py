"""What an eager operation on a small tensor costs, against NumPy on the same array: ``python tests/benchmarks/eager_overhead.py``.

Each pair is timed in turns, in short slices of processor time, and the least of many repeats counts, so that other work on the
machine matters little.
"""

from __future__ import annotations

import operator
import sys
import time
import timeit
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import hybrid

CASES = [
    "x + x", "x + 1.0", "1.0 - x", "-x", "x < x", "iadd(x, 1.0)", "s + s",
    "np.sin(x)", "np.add(x, x)", "np.add(x, x, out=y)", "np.add.reduce(x)",
    "x.sum()", "x.sum(axis=0)", "m.sum(axis=0)", "x.mean()", "x.max()", "x.dot(x)", "m @ x",
    "x[1:]", "x[0]", "x[k]", "x[x > 3]", "x[0] = 1.0", "x[1:] = y[1:]", "x.reshape(2, 4)", "m.T", "x.copy()", "x.shape",
    "np.sum(x)", "np.concatenate([x, x])", "np.where(x > 3, x, y)", "np.clip(x, 1, 5)", "np.linalg.norm(x)",
    "list(x)", "float(s)", "np.asarray(x)",
]  # fmt: skip
"""Statements over arrays of 8 floats ``x`` and ``y``, the 8×8 matrix ``m``, the scalar ``s`` and the integers ``k``."""

REPEATS = 200


def main(repeats: int = REPEATS) -> None:
    """Print a table of nanoseconds and ratios."""
    table = Table("statement", "numpy ns", "hybrid ns", "ratio", "extra ns")
    plain, tensors = names(np.array), names(hybrid.constant)
    for statement in CASES:
        ours, theirs = least(statement, tensors, plain, repeats)
        table.add_row(escape(statement), f"{theirs:.0f}", f"{ours:.0f}", f"{ours / theirs:.2f}", f"{ours - theirs:+.0f}")
    table.add_section()
    numbers = [float(i) for i in range(1_000_000)]
    ours, theirs = least("make(numbers)", {"make": hybrid.asarray, "numbers": numbers}, {"make": np.array, "numbers": numbers}, 5)
    table.add_row("array of a list of 10⁶ floats", f"{theirs:.0f}", f"{ours:.0f}", f"{ours / theirs:.2f}", "")
    Console(width=100).print(table)


def names(make: object) -> dict[str, object]:
    """The variables of the statements, made by ``np.array`` or ``hybrid.constant``."""
    arrays = {"x": np.arange(8.0), "y": np.ones(8), "m": np.eye(8), "k": np.array([0, 3])}
    made = {name: make(array) for name, array in arrays.items()}  # type: ignore[operator]
    return made | {"np": np, "iadd": operator.iadd, "s": made["x"][1]}


def least(statement: str, ours: dict[str, object], theirs: dict[str, object], repeats: int) -> Sequence[float]:
    """The least nanoseconds of one execution, for either set of variables."""
    timers = [timeit.Timer(statement, timer=time.process_time, globals=dict(variables)) for variables in (ours, theirs)]
    number = max(timers[1].autorange()[0] // 200, 1)
    times = [[timer.timeit(number) for timer in timers] for _ in range(repeats)]
    return [min(column) / number * 1e9 for column in zip(*times, strict=True)]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS)
