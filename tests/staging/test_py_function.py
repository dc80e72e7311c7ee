"""``hybrid.py_function``: calls of Python with a stated result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.errors import StagingError
from hybrid.functions.function import function
from hybrid.staging.py_function import py_function

pytestmark = pytest.mark.usefixtures("interpreted")

SEEN: list[Any] = []


@hybrid.do_not_convert
def look(*values: Any) -> Any:
    SEEN.append(values)
    return values[0]


def test_called_each_time_in_order() -> None:
    stated = py_function(look, result=int)

    def f(n: int) -> int:
        total = 0
        for i in range(n):
            if stated(i) % 2:
                total += stated(i * 10)
        return total

    SEEN.clear()
    assert function(f)(4) == 40
    assert SEEN == [(0,), (1,), (10,), (2,), (3,), (30,)]


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (1, 5),
        (float, 2.5),
        (True, False),
        ("complex", 1j),
        (np.float32(0), np.float32(1.5)),
        ("int64[]", np.int64(3)),
        (np.zeros(3), np.arange(3.0)),
        ("float64[n]", np.arange(5.0)),
        ("float32[n, n]", np.eye(2, dtype="f4")),
        (hybrid.TensorSpec((None, 2), "float64"), hybrid.asarray(np.ones((3, 2)))),
        (None, None),
        ((1.0, "int64[n]", None), (2.0, np.arange(2), None)),
        ({"a": int, "b": [float]}, {"a": 1, "b": [2.0]}),
    ],
    ids=repr,
)
def test_kinds_of_results(result: Any, value: Any) -> None:
    stated = py_function(lambda: value, result=result)
    got = function(lambda: stated())()
    assert type(got) is type(value) and repr(got) == repr(value)
    assert stated() is value


@pytest.mark.parametrize(
    ("result", "value"),
    [
        (1, 5.0),
        (1, True),
        (1.0, np.float64(1)),
        (np.zeros(3), np.zeros(4)),
        (np.zeros(3), np.zeros(3, "f4")),
        ("float64[n, n]", np.zeros((2, 3))),
        (np.zeros(3), hybrid.asarray(np.zeros(3))),
        ((1, 2), (1,)),
        (None, 1),
        (1, None),
        (1, "one"),
    ],
    ids=repr,
)
def test_other_results_are_refused(result: Any, value: Any) -> None:
    @hybrid.do_not_convert
    def wrong() -> Any:
        return value

    stated = py_function(wrong, result=result)
    for call in (stated, function(lambda: stated())):
        with pytest.raises(TypeError, match=r"wanted .* from wrong, as its py_function says, received"):
            call()


def test_results_take_part_in_arithmetic() -> None:
    noise = py_function(lambda n: np.arange(float(n)), result="float64[n]")

    def f(x: Any) -> Any:
        y = noise(len(x)) * 2 + x
        y[0] = 7
        return y.sum()

    assert function(f)(np.ones(4)) == f(np.ones(4)) == 7 + 3 + 5 + 7


def test_arrays_are_written() -> None:
    def fill(x: Any) -> None:
        x[:] = 3

    stated = py_function(hybrid.do_not_convert(fill), result=None)

    def f(x: Any) -> Any:
        stated(x)
        return x.sum()

    x = np.zeros(4)
    assert function(f)(x) == 12.0 and x.tolist() == [3.0] * 4


def test_a_decorator_with_a_name() -> None:
    @py_function(result=float)
    def sensor() -> float:
        """Reads."""
        return 1.0

    assert sensor.__name__ == "sensor" and sensor.__doc__ == "Reads." and repr(sensor) == "py_function(sensor)"


def test_what_is_no_result() -> None:
    with pytest.raises(TypeError, match="wanted an example or a description of a result"):
        py_function(look, result=object())
    with pytest.raises(TypeError, match="wanted a function"):
        py_function(3, result=1)


def test_the_error_of_an_unknown_result_shows_it() -> None:
    def f(x: Any) -> Any:
        return x.reshape(look(5), 1)

    with pytest.raises(StagingError, match=r"hybrid\.py_function\(look, result="):
        function(f)(np.arange(5))
    stated = py_function(look, result=int)
    assert function(lambda x: x.reshape(stated(5), 1))(np.arange(5)).shape == (5, 1)
