"""Casts in native code: NumPy's results, for what is out of range too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.core.spec import spec_of
from hybrid.ir.trace import trace

WANTED = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint64", "float32", "float64", "complex64"]
FLOATS = [
    0.0, -0.0, 1.7, -1.7, 127.9, 128.0, -129.0, 255.5, 256.0, -300.0, 32768.0, 65536.0, -70000.0, 2.0**31, -(2.0**31) - 1, 2.0**32 + 5,
    2.0**53, 2.0**63 - 1024, 2.0**63, 2.0**63 + 4096, 2.0**64 - 2048, 2.0**64, -(2.0**63), -(2.0**64), 1e300, np.inf, -np.inf, np.nan,
]  # fmt: skip
INTEGERS = [0, 1, -1, 127, 128, 255, 256, 2**31, 2**40, -(2**40), 2**63 - 1, -(2**63)]


def check(function: Any, x: Any) -> None:
    executable = compile(trace(function, spec_of(x)), back_end="numba")
    assert not executable.fallbacks
    with np.errstate(all="ignore"):
        wants = function(x)
    for got, want in zip(executable(x), wants, strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (want.dtype, np.shape(want))
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_floats(dtype: str) -> None:
    with np.errstate(all="ignore"):
        x = np.array(FLOATS).astype(dtype)
    check(lambda x: [y for t in WANTED for y in (x.astype(t), (x * 1.0).astype(t), x[11].astype(t), x[-1].astype(t))], x)
    check(lambda x: [x.astype("uint32"), x[3].astype("uint32")], x[np.abs(x) < 2.0**31])


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "uint8", "bool"])
def test_integers(dtype: str) -> None:
    check(lambda x: [x.astype(t) for t in WANTED], np.array(INTEGERS).astype(dtype))


def test_floats_written_into_unsigned_arrays() -> None:
    def program(x: Any) -> Any:
        y = x[:4].astype("uint8")
        y[0], y[1:] = x[4], x[2:5]
        return [y]

    check(program, np.array(FLOATS))
