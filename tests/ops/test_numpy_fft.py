"""numpy.fft called on tensors as on arrays, and the identities that define the transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
import hybrid.fft as fft
from hybrid.core.dtypes import DTYPES
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY
from hybrid.ir.trace import trace, trace_program

RNG = np.random.default_rng(2)
REAL = RNG.normal(size=(4, 3, 6))
COMPLEX = REAL + 1j * RNG.normal(size=REAL.shape)
ARRAYS = {
    "float64": REAL, "complex128": COMPLEX, "float32": REAL.astype("float32"), "complex64": COMPLEX.astype("complex64"),
    "float16": REAL.astype("float16"), "int8": np.arange(24, dtype="int8").reshape(4, 6), "bool": REAL > 0, "vector": REAL[0, 0],
    "one point": np.ones(1), "no points": np.zeros((2, 0)), "no vectors": np.zeros((0, 3)), "0-d": np.float64(2),
    "nan": np.array([1, np.nan, 3]), "strided": REAL[::-1, :, ::2],
}  # fmt: skip

ONE_AXIS = [np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft]
SEVERAL_AXES = [np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn]
TWO_AXES = [np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2]

FORMS_ONE: dict[str, Callable[..., Any]] = {
    "plain": lambda f: f,
    "cut": lambda f: lambda a: f(a, 3),
    "padded": lambda f: lambda a: f(a, n=9),
    "one point": lambda f: lambda a: f(a, n=1),
    "axis": lambda f: lambda a: f(a, axis=0),
    "n and axis": lambda f: lambda a: f(a, 5, -2),
    "ortho": lambda f: lambda a: f(a, norm="ortho"),
    "forward": lambda f: lambda a: f(a, None, -1, "forward"),
    "backward": lambda f: lambda a: f(a, norm="backward"),
    "another norm": lambda f: lambda a: f(a, norm="sideways"),
    "no points": lambda f: lambda a: f(a, n=0),
    "no such axis": lambda f: lambda a: f(a, n=3, axis=4),
}
FORMS_SEVERAL: dict[str, Callable[..., Any]] = {
    "plain": lambda f: f,
    "axes": lambda f: lambda a: f(a, axes=(0, -1)),
    "axes as a list": lambda f: lambda a: f(a, axes=[1, 0]),
    "one axis": lambda f: lambda a: f(a, axes=(0,)),
    "s": lambda f: lambda a: f(a, (3, 5), (0, 1)),
    "s with the whole axis": lambda f: lambda a: f(a, s=(-1, 4), axes=(0, 1)),
    "s without axes": lambda f: lambda a: f(a, s=(2, 3)),
    "an axis twice": lambda f: lambda a: f(a, axes=(0, 0)),
    "ortho": lambda f: lambda a: f(a, norm="ortho"),
    "forward": lambda f: lambda a: f(a, norm="forward"),
    "another norm": lambda f: lambda a: f(a, norm="sideways"),
    "more sizes than axes": lambda f: lambda a: f(a, (2, 3), (0,)),
    "no points": lambda f: lambda a: f(a, (0, 2), (0, 1)),
    "no such axis": lambda f: lambda a: f(a, s=(2,), axes=(5,)),
}


def arrays_for(function: Callable[..., Any]) -> list[Any]:
    """NumPy's transforms to real numbers read beyond the end of an axis without elements."""
    to_real = function in (np.fft.irfft, np.fft.hfft, np.fft.irfftn, np.fft.irfft2)
    return [array for array in ARRAYS.values() if array.size or not to_real]


def name(value: Any) -> str:
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize("form", FORMS_ONE)
@pytest.mark.parametrize("function", ONE_AXIS, ids=name)
def test_along_one_axis(function: Callable[..., Any], form: str) -> None:
    for array in arrays_for(function):
        check(FORMS_ONE[form](function), array)
        check_graph(FORMS_ONE[form](function), array)


@pytest.mark.parametrize("form", FORMS_SEVERAL)
@pytest.mark.parametrize("function", [*SEVERAL_AXES, *TWO_AXES], ids=name)
def test_along_several_axes(function: Callable[..., Any], form: str) -> None:
    for array in arrays_for(function):
        check(FORMS_SEVERAL[form](function), array)
        check_graph(FORMS_SEVERAL[form](function), array)


@pytest.mark.parametrize("function", [np.fft.fft, np.fft.ifft, np.fft.fftn, np.fft.ifftn, np.fft.fft2], ids=name)
def test_out(function: Callable[..., Any]) -> None:
    def call(a: Any, out: Any) -> Any:
        return function(a, out=out)

    check(call, COMPLEX, np.zeros_like(COMPLEX))
    check_graph(call, COMPLEX, np.zeros_like(COMPLEX))


@pytest.mark.parametrize("function", [np.fft.fftshift, np.fft.ifftshift], ids=name)
@pytest.mark.parametrize("axes", [None, 0, -1, (0, 1), [1], (), 7], ids=str)
def test_shifts(function: Callable[..., Any], axes: Any) -> None:
    for array in ARRAYS.values():
        check(lambda a: function(a, axes), array)
        check_graph(lambda a: function(a, axes=axes), array)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(name: str) -> None:
    ours, numpys = getattr(fft, name), getattr(np.fft, name)
    for n in (1, 2, 5, 8):
        for d in (1.0, 0.25, 3):
            got, want = ours(n, d=d), numpys(n, d)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got.numpy(), want)
    assert ours(4, dtype="float32").dtype == np.float32
    np.testing.assert_array_equal(ours(4, d=hybrid.asarray(0.5)).numpy(), numpys(4, 0.5))
    for n, error in ((2.5, ValueError), (0, ZeroDivisionError), (-3, ValueError)):
        with pytest.raises(error):
            ours(n)
        with pytest.raises(error):
            trace(lambda n=n: ours(n))
    with pytest.raises(TypeError, match="floating-point dtype"):
        ours(4, dtype="int32")
    with pytest.raises(ValueError, match="device"):
        ours(4, device="gpu")


def test_frequencies_of_run_time_spacing() -> None:
    program = trace_program(lambda d: NUMPY[np.fft.rfftfreq](6, d), "float")
    np.testing.assert_array_equal(program(0.25).numpy(), np.fft.rfftfreq(6, 0.25))


def test_every_function_of_numpy_fft_is_mapped() -> None:
    names = [name for name in dir(np.fft) if callable(getattr(np.fft, name)) and not name.startswith("_") and name != "test"]
    assert len(names) == 18 and set(names) == set(fft.__all__)
    assert all(getattr(np.fft, name) in NUMPY for name in names)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_inverses(norm: Any) -> None:
    x, z = hybrid.asarray(REAL), hybrid.asarray(COMPLEX)
    for there, back in [(fft.fft, fft.ifft), (fft.fftn, fft.ifftn), (fft.fft2, fft.ifft2)]:
        np.testing.assert_allclose(back(there(z, norm=norm), norm=norm).numpy(), COMPLEX, atol=1e-14)
    for there, back in [(fft.rfft, fft.irfft), (fft.rfftn, fft.irfftn), (fft.rfft2, fft.irfft2), (fft.ihfft, fft.hfft)]:
        np.testing.assert_allclose(back(there(x, norm=norm), norm=norm).numpy(), REAL, atol=1e-14)
    np.testing.assert_array_equal(fft.ifftshift(fft.fftshift(x)).numpy(), REAL)


def test_definition() -> None:
    """X[k] is the sum of x[j] exp(-2πi jk/n)."""
    n = 5
    x, grid = COMPLEX[0, 0, :n], np.outer(np.arange(n), np.arange(n))
    np.testing.assert_allclose(fft.fft(hybrid.asarray(x)).numpy(), np.exp(-2j * np.pi * grid / n) @ x, atol=1e-13)
    np.testing.assert_allclose(fft.rfft(hybrid.asarray(x.real)).numpy(), fft.fft(hybrid.asarray(x.real)).numpy()[: n // 2 + 1], atol=1e-13)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes(dtype: np.dtype) -> None:
    array = hybrid.asarray(np.ones(4, dtype))
    wanted = {"float32": "complex64", "complex64": "complex64", "float16": "complex64"}.get(dtype.name, "complex128")
    assert fft.fft(array).dtype == np.dtype(wanted)


@pytest.mark.parametrize("transform", [fft.irfft, fft.hfft])
def test_no_frequencies_are_padded_with_zeros(transform: Callable[..., Any]) -> None:
    for _ in range(5):
        assert transform(hybrid.asarray(np.zeros((2, 0))), n=3).tolist() == [[0, 0, 0]] * 2
        assert transform(hybrid.asarray(np.zeros((0, 2), "complex64")), n=2, axis=0).tolist() == [[0, 0]] * 2
    assert fft.irfftn(hybrid.asarray(np.zeros((2, 0))), s=(2, 3), axes=(0, 1)).tolist() == [[0, 0, 0]] * 2
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        transform(hybrid.asarray(np.zeros((2, 0))))


def test_a_transform_along_no_axis_is_a_copy() -> None:
    x = hybrid.asarray(np.ones(3))
    y = fft.fftn(x, axes=())
    y[0] = 2
    assert x.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "call, specs, want",
    [
        (np.fft.fft, ["f32[b, n]"], "c64[b, n]"),
        (np.fft.rfft, ["f64[n]"], "c128[floordiv(n, 2) + 1]"),
        (np.fft.irfft, ["c64[n]"], "f32[2*n - 2]"),
        (lambda a: np.fft.irfft(np.fft.rfft(a), n=a.shape[0]), ["f64[n]"], "f64[n]"),
        (lambda a: np.fft.fft(a, n=2 * a.shape[0]), ["f64[n]"], "c128[2*n]"),
        (np.fft.rfftn, ["f64[n, m]"], "c128[n, floordiv(m, 2) + 1]"),
        (np.fft.irfft2, ["c128[b, n, m]"], "f64[b, n, 2*m - 2]"),
        (lambda a: np.fft.fftn(a, s=(8, -1), axes=(0, 1)), ["f64[n, m]"], "c128[8, m]"),
        (np.fft.fftshift, ["i8[n]"], "i8[n]"),
    ],
)
def test_symbolic_sizes(call: Callable[..., Any], specs: list[str], want: str) -> None:
    assert trace(call, *specs).outputs[0].spec == Spec.parse(want)


def test_sizes_that_are_symbols_run() -> None:
    program = trace_program(lambda a: np.fft.irfft(np.fft.rfft(a, n=a.shape[0] + 3)), "f64[n]")
    for n in (5, 6):
        np.testing.assert_array_equal(program(REAL[0, 0, :n]).numpy(), np.fft.irfft(np.fft.rfft(REAL[0, 0, :n], n=n + 3)))
