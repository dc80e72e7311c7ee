"""Reductions in native code: every way to say over which axes, masks, initial values and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from backends.native import agrees, compiled, refused

X = (np.arange(24.0).reshape(2, 3, 4) - 9) / 4
MASK = np.array([[True], [False], [True]])


def close(function: Any, *arguments: Any) -> None:
    """As ``agrees``, for sums, which may be associated in another way."""
    made = compiled(function, arguments, True)
    assert made.fallbacks == ()
    for got, want in zip(made(*arguments), function(*arguments), strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (np.asarray(want).dtype, np.shape(want))
        np.testing.assert_allclose(got, want, rtol=1e-6 if np.asarray(want).dtype in (np.float32, np.complex64) else 1e-14)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int16"])
def test_sums_over_any_axes(dtype: str) -> None:
    x = (X * 4).astype(dtype)
    close(
        lambda x, m: [
            np.sum(x, (0, 2)),
            np.sum(x.T, 1),
            np.sum(x, (0, -1), keepdims=True),
            np.sum(x, 1, where=m[None], initial=3),
            np.sum(x, ()),
            np.sum(x[0, 0, 0]),
        ],
        x,
        MASK,
    )
    close(lambda x: [np.mean(x, (0, 2)), np.mean(x), np.mean(x[:, ::2], 1, keepdims=True), np.mean(x[0, 0, 0])], x)


@pytest.mark.parametrize("dtype", ["float64", "float32", "uint8"])
def test_variances(dtype: str) -> None:
    close(
        lambda x: [np.var(x), np.var(x, (0, 2)), np.std(x, 1, ddof=1, keepdims=True), np.std(x.T, 0, ddof=0.5)], (X * 4 + 9).astype(dtype)
    )


def test_a_long_sum_is_exact_enough() -> None:
    x = np.full(100_000, 0.1, np.float32)
    made = compiled(lambda x, m: [np.sum(x, where=m), np.mean(x), np.std(x)], (x, x > 0), True)
    np.testing.assert_allclose(made(x, x > 0), [10_000, 0.1, 0], rtol=1e-6, atol=1e-7)


def test_sums_of_negative_zeros_are_positive() -> None:
    agrees(
        lambda x: [np.sum(x), np.sum(x, 1), np.sum(x, 0), np.mean(x), np.sum(x, 1, where=x == 0), np.cumsum(x, 0)], np.full((3, 9), -0.0)
    )


def test_products_and_extremes() -> None:
    agrees(
        lambda x, m, b: [
            np.prod(x, 1),
            np.prod(x[0] > 0, 0),
            np.max(x, (0, 2)),
            np.min(x.T, 0),
            np.max(x, 1, where=m[None], initial=-1),
            np.max(b),
            np.min(b, 0),
            np.ptp(x, 2),
            np.ptp(x),
            np.max(x[0, 0, 0]),
            np.max(x, ()),
        ],
        X,
        MASK,
        X > 0,
    )
    refused(lambda x: np.max(x, 0), X[:0])
    refused(lambda x: np.ptp(x, 1), X[:, :0])


def test_truth() -> None:
    agrees(
        lambda x, m: [
            np.all(x, 1, where=m),
            np.any(x, (0, 2)),
            np.all(x),
            np.count_nonzero(x, (0, 1)),
            np.count_nonzero(x),
            np.any(x[0, 0, 0]),
        ],
        X,
        MASK[None],
    )


def test_positions_of_extremes() -> None:
    x = np.array([[1.0, np.nan, 3.0, np.nan], [5.0, -5.0, 5.0, -5.0]])
    agrees(
        lambda x: [
            np.argmax(x),
            np.argmin(x.T),
            np.argmax(x, 1),
            np.argmin(x[1:], 1, keepdims=True),
            np.argmax(x > 1),
            np.argmin(x, keepdims=True),
        ],
        x,
    )


def test_running_totals() -> None:
    agrees(lambda x: [np.cumsum(x, 1), np.cumprod(x[0], 0), np.cumsum(x), np.cumsum(x > 0, 2)], X)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
def test_reductions_that_pass_over_nan(dtype: str) -> None:
    x = (X * 4).astype(dtype)
    if dtype != "int32":
        x[0, :, 1] = x[1, 2] = np.nan
    close(lambda x: [np.nansum(x), np.nansum(x, 1), np.nanmean(x, (0, 2)), np.nanmean(x, 0, keepdims=True)], x)
    agrees(lambda x: [np.nanmax(x, (0, 2)), np.nanmin(x), np.nanprod(x, 1), np.nancumsum(x, 1), np.nancumprod(x[0], 0)], x)


def test_reductions_by_ufuncs() -> None:
    agrees(
        lambda k, b: [np.bitwise_or.reduce(k, 1), np.bitwise_xor.reduce(k, None), np.gcd.reduce(k, (0, 1)), np.logical_xor.reduce(b, 0)],
        np.arange(6, dtype=np.uint8).reshape(2, 3) * 2,
        np.array([[True, False], [True, True]]),
    )
