"""Sums of floats are added in the order in which NumPy adds."""

from __future__ import annotations

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.ir.parser import parse

SIZES = [1, 2, 7, 8, 9, 16, 17, 127, 128, 129, 136, 255, 256, 257, 1000, 4097, 100_003]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_are_equal_bit_by_bit(dtype: str) -> None:
    whole = compile(parse(f"graph(%0: {dtype}[n]):\n  %1: {dtype}[] = sum(%0)\n  return %1"), back_end="numba")
    rows = compile(parse(f"graph(%0: {dtype}[m, n]):\n  %1: {dtype}[m] = sum(%0, axis=1)\n  return %1"), back_end="numba")
    random = np.random.default_rng(0)
    for size in SIZES:
        x = (random.standard_normal((3, size)) * 10.0 ** random.uniform(-6, 6, size)).astype(dtype)
        assert whole(x[1].copy())[0] == x[1].sum()
        np.testing.assert_array_equal(rows(x)[0], x.sum(axis=1))
