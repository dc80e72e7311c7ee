"""The table of programs: plain functions with the arguments of their calls, and what a caller can see of a call."""

from __future__ import annotations

import contextlib
import copy
import io
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

PROGRAMS: list[Program] = []

SCALARS = [0, 3, -2, 2.5, -1.5, True, np.float64(2.5), np.int64(-3), np.float32(0.5)]
ARRAYS = [np.array(2.0), np.array([3.0]), np.array([1.0, -2.0, 3.0]), np.arange(6).reshape(2, 3), np.array([True, False])]
SEQUENCES = [[], [1, 2, 3], (4.0, -5.0), np.array([1.0, -2.0, 3.0]), np.arange(6).reshape(2, 3), "abc", range(4), {1: 2, 3: 4}]


@dataclass
class Program:
    """A plain function and the arguments of its calls; the function itself may be made anew for each decorator."""

    function: Callable[..., Any]
    calls: list[tuple[Any, ...]]
    is_maker: bool = False

    @property
    def name(self) -> str:
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"


@dataclass
class Outcome:
    value: Any
    error: BaseException | None
    printed: str
    arguments: Any


def program(*calls: tuple[Any, ...], on: list[Any] | None = None) -> Callable[[Any], Any]:
    """Put a function into the table; ``on`` are values that are each the only argument of a call."""

    def register(function: Any) -> Any:
        PROGRAMS.append(Program(function, [*calls, *((value,) for value in on or [])]))
        return function

    return register


def scenario(maker: Any) -> Any:
    """Put a function into the table that gets a decorator and returns what it saw."""
    PROGRAMS.append(Program(maker, [()], is_maker=True))
    return maker


def observe(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Call with copies of the arguments."""
    arguments = copy.deepcopy(arguments)
    printed, value, error = io.StringIO(), None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = function(*arguments)
        except Exception as raised:
            error = raised
    return Outcome(value, error, printed.getvalue(), arguments)


def assert_same(want: Outcome, got: Outcome) -> None:
    """All that a caller sees is the same."""
    if want.error is None and got.error is not None:
        raise got.error
    assert type(want.error) is type(got.error), (want, got)
    if want.error is not None and not isinstance(want.error, RecursionError):
        assert_same_errors(want.error, got.error)
    assert want.printed == got.printed
    assert_same_values(want.value, got.value)
    assert_same_values(want.arguments, got.arguments)


def assert_same_errors(want: BaseException | None, got: BaseException | None) -> None:
    """Class, message, and the exceptions that led there."""
    assert type(want) is type(got), (want, got)
    if want is None or got is None:
        return
    assert str(want) == str(got)
    assert want.__suppress_context__ == got.__suppress_context__, (want, got)
    assert_same_errors(want.__cause__, got.__cause__)
    assert_same_errors(want.__context__, got.__context__)


def assert_same_values(want: Any, got: Any) -> None:
    """Types, values, dtypes and shapes, in containers too."""
    assert type(want) is type(got), (want, got)
    if isinstance(want, np.ndarray | np.generic):
        assert want.dtype == got.dtype and np.shape(want) == np.shape(got), (want, got)
        np.testing.assert_array_equal(want, got)
    elif isinstance(want, list | tuple):
        assert len(want) == len(got), (want, got)
        for first, second in zip(want, got, strict=True):
            assert_same_values(first, second)
    elif isinstance(want, dict):
        assert list(want) == list(got)
        assert_same_values(list(want.values()), list(got.values()))
    elif isinstance(want, float):
        assert want == got or (math.isnan(want) and math.isnan(got)), (want, got)
    elif isinstance(want, int | str | bytes | bool | complex | set | frozenset | range | type(None) | type):
        assert want == got, (want, got)
    elif type(want).__eq__ is not object.__eq__:
        assert want == got, (want, got)
