"""Element-wise operations and new arrays in native code: exactly NumPy's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from backends.native import agrees

ODD = np.array([0.0, -0.0, 1.5, -2.5, 0.5, np.nan, np.inf, -np.inf, 1e-310, 3.0, 255.9, 7.25])
INTS = np.array([0, 1, -1, 5, -7, 12, 127, -128], np.int8)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_floats(dtype: str) -> None:
    x = ODD.astype(dtype)
    agrees(
        lambda x, y: [
            np.signbit(x),
            np.nextafter(x, y),
            np.heaviside(x, y),
            np.logical_and(x, y),
            np.logical_xor(x, y),
            np.logical_not(x),
            np.isposinf(x),
            np.isneginf(x),
            np.round(x),
            np.round(x, 1),
            np.round(x, -1),
            np.nan_to_num(x),
            np.nan_to_num(x, nan=2, posinf=y[1]),
            np.isclose(x, y),
            np.isclose(x, y, equal_nan=True),
            np.angle(x),
            np.iscomplex(x),
            np.ldexp(x, 3),
            np.cbrt(x * 0),
            np.square(x > 1),
        ],
        x,
        x[::-1].copy(),
    )


def test_floats_as_unsigned_integers() -> None:
    inside = np.array([0.0, 1.9, 200.7, 65535.2, 4e9])
    agrees(lambda x: [x.astype(t) for t in ("uint8", "uint16", "uint32", "uint64")] + [(-x).astype("uint64")], inside, is_symbolic=False)
    agrees(lambda x: [x.astype("uint64")], np.array([1e19, 2.0**63, 2.0**63 - 1024, -5.0]))


def test_integers_and_their_bits() -> None:
    agrees(
        lambda x, y: [
            np.lcm(x, y),
            np.gcd(x, y),
            np.bitwise_count(x),
            np.logical_or(x, y),
            np.logical_not(x),
            np.round(x),
            np.isposinf(x),
            np.float_power(x, 2.0),
        ],
        INTS,
        INTS[::-1].copy(),
    )


def test_complex_numbers() -> None:
    z = np.array([1 + 2j, -3j, 0j, complex(np.nan, 1), complex(np.inf, -1), -2.0])
    agrees(
        lambda z, x: [
            abs(z),
            np.isfinite(z),
            np.isinf(z),
            np.isreal(z),
            np.iscomplex(z),
            np.logical_not(z),
            np.logical_and(z, x),
        ],
        z,
        np.arange(6.0),
    )


def test_the_first_choice_whose_condition_holds() -> None:
    agrees(
        lambda x, y, c: [np.select([x > 2, c], [x, y], -1.5), np.select([c, x > 1], [x, 7.0]), np.where(c, x, 2)],
        np.arange(5.0),
        np.float64(9),
        np.array([True, False, False, True, False]),
    )


def test_new_arrays() -> None:
    agrees(
        lambda x, n, k: [
            np.full_like(x, k),
            np.full_like(x, x[0]),
            np.linspace(n, 2.0, 5),
            np.linspace(0, k, 7, endpoint=False),
            np.linspace(n, n, 3),
            np.linspace(0, n, 1),
            np.zeros_like(x),
            np.full_like(x, k, dtype="uint8"),
        ],
        np.ones((2, 3)),
        0.1,
        5,
    )
