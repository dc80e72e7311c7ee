"""Every function of NumPy that asks ``__array_function__``: called on tensors it gives what it gives on arrays."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing.overrides import get_overridable_numpy_array_functions
from ops.calls import observed, same

import hybrid

CALLS = Path(__file__).with_name("array_calls.txt").read_text().splitlines()
"""Calls of the arrays below, as a user writes them."""

ARRAYS = {
    "x": np.array([0.5, 3.0, 1.0, 2.5, 4.0, 2.0]),
    "y": np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "m": np.arange(12.0).reshape(3, 4),
    "s": np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]),
    "n": np.array([1.0, np.nan, 3.0, 2.0]),
    "c": np.array([1 + 2j, 3 - 1j, 2 + 0j]),
    "k": np.array([0, 1, 3, 1]),
    "u": np.array([3, 255], dtype=np.uint8),
    "b": np.array([True, False, True]),
}

FILES = {"np.save", "np.savez", "np.savez_compressed", "np.savetxt", "np.genfromtxt", "np.loadtxt", "np.fromfile"}
"""Tested below."""

NO_NUMBERS = {"np.busday_count", "np.busday_offset", "np.is_busday", "np.datetime_as_string"}
"""Functions of dates."""


OTHER_MODULES = ("np.lib.recfunctions.", "np.char.", "np.strings.", "np.polynomial.")
"""Records and texts, which tensors can't hold, and polynomials, tested below."""


def run(call: str, arrays: dict[str, Any]) -> Any:
    """The result of the call, and the arrays after it."""
    result = observed(lambda: eval(call, {"np": np}, arrays), [])
    return result, list(arrays.values())


def name_of(function: Any) -> str:
    return f"{function.__module__}.{function.__name__}".replace("numpy.", "np.")


@pytest.mark.parametrize("call", CALLS)
def test_call(call: str) -> None:
    want, got = (run(call, {name: make(a) for name, a in ARRAYS.items()}) for make in (np.array, hybrid.constant))
    assert not isinstance(want[0], Exception), want[0]
    same(list(want), list(got))


def test_no_function_is_left_out() -> None:
    called = {call.partition("(")[0] for call in CALLS}
    functions = {name_of(f) for f in get_overridable_numpy_array_functions()}
    left_out = functions - called - FILES - NO_NUMBERS
    assert not {name for name in left_out if not name.startswith(OTHER_MODULES)}


def test_polynomials() -> None:
    x, m = hybrid.asarray([0.5, 2.0]), hybrid.asarray([[1.0, 2.0], [3.0, 4.0]])
    for module in (np.polynomial.polynomial, np.polynomial.chebyshev):
        evaluate = next(f for name, f in vars(module).items() if name.endswith("val2d"))
        same(evaluate(x.numpy(), x.numpy(), m.numpy()), hybrid.asarray(evaluate(x, x, m)))


@pytest.mark.parametrize("call", CALLS)
def test_variables_are_read_as_tensors_are(call: str) -> None:
    if any(word in call for word in ("like=x", "copyto", "place", "put", "fill_diagonal", "share", "atleast")):
        return
    want, got = (run(call, {name: make(a) for name, a in ARRAYS.items()})[0] for make in (hybrid.constant, hybrid.Variable))
    assert repr(want) == repr(got)


def test_functions_write_into_variables() -> None:
    variable = hybrid.Variable(np.zeros(3))
    before = variable.value
    np.copyto(variable, 1.0)
    np.put(variable, [0], 2.0)
    np.putmask(variable, variable == 1, [5.0, 6.0, 7.0])
    assert variable.tolist() == [2, 6, 7] and before.tolist() == [0, 0, 0]
    square = hybrid.Variable(np.zeros((2, 2)))
    np.fill_diagonal(square, 3.0)
    np.put_along_axis(square, np.array([[0], [1]]), 4.0, axis=1)
    np.place(square, square == 0, [9.0])
    assert square.tolist() == [[4, 9], [9, 4]]


def test_files() -> None:
    x = hybrid.asarray([[1.0, 2.5], [3.0, 4.0]])
    file = io.BytesIO()
    np.save(file, x)
    file.seek(0)
    np.testing.assert_array_equal(np.load(file), x)
    text = io.StringIO()
    np.savetxt(text, x, fmt="%.1f")
    assert text.getvalue() == "1.0 2.5\n3.0 4.0\n"
    assert isinstance(np.loadtxt(io.StringIO(text.getvalue()), like=x), hybrid.Tensor)
    archive = io.BytesIO()
    np.savez(archive, x=x)
    archive.seek(0)
    np.testing.assert_array_equal(np.load(archive)["x"], x)


def test_results_that_are_no_numbers_stay_numpys() -> None:
    got = np.where(hybrid.asarray([1.0, -1.0]) > 0, "up", "down")
    assert isinstance(got, np.ndarray) and got.tolist() == ["up", "down"]


def test_an_argument_that_comes_back_is_the_same_object() -> None:
    x, out = hybrid.constant([1.0, 2.0]), hybrid.constant([0.0])
    assert np.sum(x, keepdims=True, out=out) is out
    assert np.concatenate([x, x], out=(both := hybrid.constant([0.0] * 4))) is both
    assert both.tolist() == [1, 2, 1, 2]


def test_functions_that_do_not_ask_see_arrays() -> None:
    x = hybrid.asarray([3.0, 1.0, 2.0])
    assert np.vectorize(lambda v: v * 2)(x).tolist() == [6, 2, 4]
    assert np.r_[x, 1.0].tolist() == [3, 1, 2, 1] and np.c_[x, x].shape == (3, 2)
    assert [i for i, _ in np.ndenumerate(x)] == [(0,), (1,), (2,)]
    assert [float(v) for v in np.nditer(x)] == [3, 1, 2]
    assert np.broadcast(x, x[:, None]).shape == (3, 3)
    assert np.poly1d(x)(1.0) == 6 and np.polynomial.Polynomial(x)(1.0) == 6
    assert sorted(np.random.default_rng(0).permutation(x).tolist()) == [1, 2, 3]
    assert np.random.default_rng(0).choice(x) in (1, 2, 3)
    assert np.ma.masked_greater(x, 2).count() == 2
    np.testing.assert_allclose(x, [3.0, 1.0, 2.0])


def test_foreign_arrays_are_left_to_themselves() -> None:
    class Foreign:
        def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> str:
            return "foreign"

    assert np.concatenate([hybrid.asarray([1.0]), Foreign()]) == "foreign"
