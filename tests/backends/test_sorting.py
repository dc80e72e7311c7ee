"""Sorting and searching in native code: NumPy's order, of equal elements too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace

RANDOM = np.random.default_rng(11)
WHOLE = RANDOM.integers(-5, 6, (4, 40))
TIES = RANDOM.choice([1.0, -1.0, 0.0, -0.0, np.nan, np.inf, -3.5], (4, 40))


def check(function: Callable[..., Any], *arrays: Any, is_symbolic: bool = False) -> None:
    specs = [Spec(x.dtype, tuple(map(symbol, "nmk"[: x.ndim]))) if is_symbolic else spec_of(x) for x in arrays]
    executable = compile(trace(function, *specs), back_end="numba")
    assert not executable.fallbacks
    before = [np.array(x) for x in arrays]
    for got, want in zip(executable(*arrays), function(*arrays), strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (want.dtype, np.shape(want))
        assert np.asarray(got).tobytes() == want.tobytes()
    for x, y in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "int64", "uint16", "complex128"])
def test_sorting(dtype: str) -> None:
    x = (TIES if np.dtype(dtype).kind in "fc" else WHOLE).astype(dtype)
    check(lambda x: [np.sort(x), np.sort(x, axis=0, kind="stable"), np.argsort(x), np.argsort(x, axis=0), np.argsort(x[0], stable=True)], x)


def test_sorting_of_views_and_all_elements() -> None:
    check(
        lambda x: [np.sort(x, axis=None), np.argsort(x, axis=None), np.sort(x[::-1, ::2]), np.argsort(x.T, axis=0)], TIES, is_symbolic=True
    )


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
def test_sorting_of_few_elements(shape: tuple[int, ...]) -> None:
    check(lambda x: [np.sort(x), np.sort(x, axis=0), np.argsort(x), np.argsort(x, axis=0)], np.zeros(shape))


def test_sorting_by_several_keys() -> None:
    check(lambda x, y: [np.lexsort((y[1], x)), np.lexsort((x[::-1], y[0], y[2])), np.lexsort((y[:, 1],))], WHOLE[0], TIES)


@pytest.mark.parametrize("side", ["left", "right"])
def test_searching(side: Any) -> None:
    ordered, numbers = np.sort(TIES[0]), np.sort(WHOLE[0])
    search = lambda x, y: np.searchsorted(x, y, side=side)  # noqa: E731
    check(lambda x, y, z, w: [search(x, y), search(x, y[1, 2]), search(x, 0.5), search(z, w), search(z, y)], ordered, TIES, numbers, WHOLE)
    check(lambda x, y: [search(x, y), search(y, x)], TIES[1], RANDOM.normal(size=40), is_symbolic=True)
