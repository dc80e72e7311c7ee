"""Python's own complex numbers in native code: its algorithms, to the last bit, and its exceptions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.ir.parser import parse

PARTS = [0.0, -0.0, 1.5, -2.25, 1e-310, 1e200, float("inf"), float("nan")]
RANDOM = np.random.default_rng(5).normal(size=(40, 2))
NUMBERS = [*(complex(*pair) for pair in product(PARTS, PARTS)), *(complex(*pair) for pair in RANDOM)]

FUNCTIONS: list[tuple[str, str, Callable[[complex, complex], Any]]] = [
    ("%0, %1", "truediv", operator.truediv),
    ("%0, %1", "mul", operator.mul),
    ("2.5, %1", "truediv", lambda a, b: 2.5 / b),
    ("%0, 3", "truediv", lambda a, b: a / 3),
    ("%0, 1", "pow", lambda a, b: a**1),
    ("%0, 2", "pow", lambda a, b: a**2),
    ("%0, 7", "pow", lambda a, b: a**7),
    ("%0, 100", "pow", lambda a, b: a**100),
    ("%0, -2", "pow", lambda a, b: a**-2),
    ("%0", "abs", lambda a, b: abs(a)),
    ("%0, 0", "eq", lambda a, b: a == 0),
    ("1.5, %0", "ne", lambda a, b: a != 1.5),
    ("%0, %1", "eq", operator.eq),
]


def outcome(function: Callable[..., Any], *arguments: Any) -> str:
    try:
        return repr(function(*arguments))
    except (ZeroDivisionError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(("operands", "name", "function"), FUNCTIONS)
def test_results_are_those_of_python(operands: str, name: str, function: Callable[..., Any]) -> None:
    kind = {"abs": "float", "eq": "bool", "ne": "bool"}.get(name, "complex")
    text = f"graph(%0: complex, %1: complex):\n  %2: {kind} = call_python({operands}, function={name!r})\n  return %2"
    executable = compile(parse(text), back_end="numba")
    for a, b in zip(NUMBERS, NUMBERS[37:] + NUMBERS[:37], strict=True):
        assert outcome(lambda x, y: executable(x, y)[0], a, b) == outcome(function, a, b), (a, b)
