"""What compiled functions once did unlike plain Python, or can't do: then they say so."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from frontend.table import assert_same, observe

from hybrid.errors import StagingError, UnsupportedError
from hybrid.functions.function import function

pytestmark = pytest.mark.usefixtures("interpreted")


def finally_returns_on_one_path(x: Any) -> Any:
    try:
        return 10 + x
    finally:
        if x == 0:
            return "over"  # noqa: B012


def finally_returns_after_a_raise(x: Any) -> Any:
    try:
        raise ValueError("no")
    finally:
        if x == 0:
            return "over"  # noqa: B012


def shown_exceptions(x: Any) -> Any:
    try:
        raise KeyError(x)
    except (ValueError, KeyError) as error:
        return error.args, str(error), repr(error)


def local_context_manager(x: Any) -> Any:
    log: list[Any] = []

    @contextlib.contextmanager
    def manager() -> Any:
        log.append("in")
        try:
            yield x
        finally:
            log.append("out")

    with manager() as value:
        log.append(value)
    return log


@pytest.mark.parametrize("x", [0, 1, 2.5, np.float64(0.0), np.int32(3)], ids=repr)
@pytest.mark.parametrize("plain", [finally_returns_on_one_path, finally_returns_after_a_raise, shown_exceptions, local_context_manager])
def test_as_plain(plain: Any, x: Any) -> None:
    assert_same(observe(plain, (x,)), observe(function(plain), (x,)))


@pytest.mark.parametrize(("a", "b", "wanted"), [(2, -1, "float(2) ** -1"), (-8.0, 0.5, "complex(-8.0) ** 0.5")])
def test_powers_of_another_type_are_refused(a: Any, b: Any, wanted: str) -> None:
    power = function(lambda a, b: a**b)
    assert power(2, 3) == 8 and power(4.0, 0.5) == 2.0
    with pytest.raises(UnsupportedError) as caught:
        power(a, b)
    assert wanted in str(caught.value)


def test_floating_point_exceptions_are_refused() -> None:
    def f(x: Any, mode: str) -> Any:
        with np.errstate(divide=mode):
            return 1 / x

    compiled = function(f)
    assert compiled(np.ones(1), "ignore")[0] == 1.0
    with pytest.raises(StagingError, match=r"wanted np\.errstate with 'ignore' or 'warn'"):
        compiled(np.zeros(1), "raise")


def _message(operation: Any) -> Any:
    try:
        return operation()
    except Exception as error:
        return type(error).__name__, str(error)


def beside_strangers(x: Any) -> Any:
    compared = x == None, None == x, x != None, x == "a", x != (1,)  # noqa: E711
    return compared, x in [None, 2], (x, None) == (x, None)


def refused_by_python(x: Any) -> Any:
    return [_message(f) for f in (lambda: x < None, lambda: x + None, lambda: "a" + x, lambda: x < "a", lambda: [1] - x, lambda: x(1))]


@pytest.mark.parametrize("x", [2, 2.5, True], ids=repr)
@pytest.mark.parametrize("plain", [beside_strangers, refused_by_python])
def test_numbers_beside_what_is_none(plain: Any, x: Any) -> None:
    assert_same(observe(plain, (x,)), observe(function(plain), (x,)))


def test_scalars_are_not_none() -> None:
    def f(x: Any) -> Any:
        return x == None, x != None  # noqa: E711

    assert function(f)(np.float64(2.0)) == (False, True)
