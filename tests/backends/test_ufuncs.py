"""Element-wise operations in native code by the loops of NumPy and SciPy: their results bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special

from hybrid.backends import compile
from hybrid.core.spec import spec_of
from hybrid.ir.trace import trace

EDGES = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-310, 700.0, 1e300])
PLANE = np.empty((10, 10), complex)
PLANE.real, PLANE.imag = EDGES[:, None], EDGES
RANDOM = np.random.default_rng(3).normal(size=(4, 600))
X, Y = RANDOM[0] + 1j * RANDOM[1], RANDOM[2] + 1j * RANDOM[3]

OF_ONE = [
    np.exp, np.sqrt, np.log, np.sin, np.tanh, np.arccos, np.abs, np.square, np.reciprocal, np.log1p, np.sign, np.isinf, np.isfinite,
    np.arctanh, np.angle, np.conj,
]  # fmt: skip
OF_TWO = [np.multiply, np.divide, np.power, np.less, np.maximum, np.float_power]


def assert_same(function: Callable[..., Any], *arrays: Any) -> None:
    executable = compile(trace(function, *map(spec_of, arrays)), back_end="numba")
    assert not executable.fallbacks
    with np.errstate(all="ignore"):
        wants = function(*arrays)
    for got, want in zip(executable(*arrays), wants, strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (want.dtype, np.shape(want))
        np.testing.assert_array_equal(got, want)
        if want.dtype.kind in "fc":
            for part in ("real", "imag"):
                np.testing.assert_array_equal(np.signbit(getattr(got, part)), np.signbit(getattr(want, part)), strict=True)


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
def test_complex_numbers(dtype: str) -> None:
    with np.errstate(all="ignore"):
        plane = PLANE.astype(dtype)
    assert_same(lambda z: [f(z) for f in OF_ONE], plane)
    assert_same(lambda z, w: [f(z, w) for f in OF_TWO], X.astype(dtype), Y.astype(dtype))


def test_complex_numbers_inside_groups_and_alone() -> None:
    assert_same(lambda x, y: [x * y + x, np.square(x) + y, x / y + x, x * 2.0 + y, np.abs(x) + y, x[0] * y[1], np.exp(x[0])], X, Y)
    assert_same(lambda x, y: [x * y, x / y, x**3, np.angle(x, deg=True) + 1.0], X.astype("c8"), Y.astype("c8"))


def test_functions_that_native_code_has_no_expression_for() -> None:
    functions = np.cbrt, np.spacing, np.signbit, np.exp2
    assert_same(lambda x: [*(f(x) for f in functions), np.logaddexp(x, x[::-1]), np.nextafter(x, 2.0), np.heaviside(x, 0.5)], EDGES)
    assert_same(lambda n: [np.float_power(n, 2), np.lcm(n, 6), np.bitwise_count(n)], np.arange(-4, 5))


def test_special_functions() -> None:
    x = np.abs(RANDOM[0]) + 0.1
    special = scipy.special
    assert_same(
        lambda x: [special.gamma(x), special.erf(x), special.gammainc(x, 2.0), special.expit(x) + 1.0, special.xlogy(x[0], x[1])], x
    )


def test_whole_arrays_have_the_bits_of_numpy() -> None:
    functions = np.exp, np.log, np.sin, np.tanh, np.arctan
    assert_same(lambda x: [f(x) for f in functions], np.abs(RANDOM))
    assert_same(lambda x: [f(x) for f in functions], np.abs(RANDOM[:, ::3]).astype("float32"))
    assert_same(lambda x, y: [np.power(x, y), np.hypot(x[:, None], y), np.arctan2(x, 2.0)], np.abs(RANDOM[0, :9]), RANDOM[1, :9])
