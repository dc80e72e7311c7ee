"""Interpolation and polynomials in native code: what NumPy gives, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace

RANDOM = np.random.default_rng(13)
WHERE = np.concatenate([RANDOM.normal(size=60), [np.nan, np.inf, -np.inf, 0.0, -0.0]])


def check(functions: list[Callable[..., Any]], arrays: list[Any], specs: list[Any] | None = None) -> None:
    graph = trace(lambda *xs: [f(*xs) for f in functions], *(specs or map(spec_of, arrays)))
    executable = compile(graph, back_end="numba")
    assert not executable.fallbacks
    with np.errstate(all="ignore"):
        wants = [f(*arrays) for f in functions]
    for got, want in zip(executable(*arrays), wants, strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (want.dtype, np.shape(want))
        np.testing.assert_array_equal(got, want)


def test_interpolation() -> None:
    sizes = [Spec(WHERE.dtype, (symbol(name),)) for name in "mnn"]
    program = lambda x, xp, fp: [np.interp(x[k], xp, fp, *ends) for k, ends in enumerate([(), (-9.0, 9)])]  # noqa: E731
    executable = compile(trace(program, *sizes), back_end="numba")
    assert not executable.fallbacks
    for count in (1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 200):
        points, values = np.sort(RANDOM.normal(size=count)), RANDOM.normal(size=count)
        special = np.where(RANDOM.random(count) < 0.3, np.inf, values)
        tables = (points, values), (points, special), (points[RANDOM.permutation(count)], values)  # NumPy doesn't check the order
        for (xp, fp), x in product(tables, [*WHERE, *points[:40]]):
            got = executable(np.array([x, x]), xp, fp)
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(got, program(np.array([x, x]), xp, fp), err_msg=repr((x, xp, fp)))


def test_interpolation_of_integers_and_of_no_points() -> None:
    check([lambda x, xp, fp: np.interp(x[1], xp, fp)], [np.arange(-3, 9), np.array([-9, 2, 5]), np.array([1, 7, -2], "int8")])
    sizes = [Spec(WHERE.dtype, (symbol(name),)) for name in "nmk"]
    executable = compile(trace(lambda x, xp, fp: np.interp(x[0], xp, fp), *sizes), back_end="numba")
    with pytest.raises(ValueError, match="array of sample points is empty"):
        executable(WHERE, np.zeros(0), np.zeros(0))
    with pytest.raises(ValueError, match="fp and xp are not of the same length"):
        executable(WHERE, np.zeros(2), np.zeros(3))


def test_polynomials() -> None:
    functions = [lambda p, x: np.polyval(p, x), lambda p, x: np.polyval(p, x[2]), lambda p, x: np.polyval(p[:0], x)]
    check(functions, [RANDOM.normal(size=6), WHERE])
    check(functions, [RANDOM.normal(size=3).astype("float32"), WHERE.reshape(5, 13).astype("float32")])
    check(functions, [np.arange(40, dtype="int8"), np.arange(30, dtype="int8")])
