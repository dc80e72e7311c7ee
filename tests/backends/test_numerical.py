"""Closeness, equality, rounding, differences and ufuncs with two results in native code: what NumPy gives, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace

X = np.array([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf, 2.5, 3.5, -1e-9, 1e30, 2.675, 1234.5678]).reshape(3, 4)
Y = X + 1e-9
N = np.arange(-6, 6).reshape(3, 4)

TABLE: list[Callable[[Any, Any], Any]] = [
    lambda x, y: (np.isclose(x, y), np.isclose(x, y, equal_nan=True, rtol=0), np.isclose(x, 1.0)),
    lambda x, y: (np.allclose(x, y), np.allclose(x[0, :3], y[0, :3]), np.allclose(x, y, equal_nan=True)),
    lambda x, y: (np.array_equal(x, y), np.array_equal(x, x, equal_nan=True), np.array_equal(x[0, :3], x[0, :3])),
    lambda x, y: tuple(np.round(x, k) for k in (0, 1, 2, -1, -3)),
    lambda x, y: (np.round(x[2, 3], 2), np.round(x[2, 3])),
    lambda x, y: (np.diff(x), np.diff(x, axis=0), np.diff(x.T[::-1], axis=0)),
    lambda x, y: (*np.modf(x), *np.frexp(x), *np.divmod(x, y[0])),
    lambda x, y: (*np.modf(x[2, 3]), *np.divmod(x[0, 2], y[0, 1])),
]


def check(functions: list[Callable[..., Any]], arrays: list[Any], specs: list[Any]) -> None:
    def program(*values: Any) -> list[Any]:
        results = [f(*values) for f in functions]
        return [y for result in results for y in (result if isinstance(result, tuple) else (result,))]

    executable = compile(trace(program, *specs), back_end="numba")
    assert not executable.fallbacks
    with np.errstate(all="ignore"):
        wants = program(*arrays)
    for got, want in zip(executable(*arrays), wants, strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (np.asarray(want).dtype, np.shape(want))
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_floats(dtype: str) -> None:
    arrays = [X.astype(dtype), Y.astype(dtype)]
    check(TABLE, arrays, [spec_of(x) for x in arrays])


def test_sizes_that_are_symbols() -> None:
    check(TABLE[:3] + TABLE[5:7], [X, Y], [Spec(X.dtype, (symbol("n"), 4))] * 2)


def test_integers() -> None:
    table = [
        lambda i: np.divmod(i, i[::-1] + 0),
        lambda i: np.diff(i.astype("u1")),
        lambda i: np.round(i, 2),
        lambda i: np.diff(i[:0], axis=0),
    ]
    close = [lambda i: np.isclose(i, i[::-1], atol=3), lambda i: np.allclose(i, i * 1.0), lambda i: np.isclose(i.astype("f4"), i)]
    check([*table, *close], [N], [spec_of(N)])
    check([lambda b: np.diff(b), lambda b: np.array_equal(b, b)], [N > 0], [spec_of(N > 0)])


def test_arrays_of_other_sizes_are_not_equal() -> None:
    specs = [Spec(X.dtype, (symbol("n"),)), Spec(X.dtype, (symbol("m"),))]
    executable = compile(trace(lambda x, y: np.array_equal(x, y), *specs), back_end="numba")
    assert [executable(X[0], Y) for Y in (X[0], X[0, :3])] == [(False,), (False,)]
    assert executable(N[0] * 1.0, N[0] * 1.0) == (True,)
