"""Every binary operator on every pair of dtypes and on Python numbers, eagerly and in graphs: NumPy's dtypes, bits and refusals.

The values are those where arithmetic goes wrong: the ends of the integers, both zeros, NaN, infinities in either part.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from robustness.random_programs import REFUSALS, different, outcome

import hybrid
from hybrid.core.dtypes import DTYPES
from hybrid.ir.trace import Tracer, program_of

NAMES = "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift lt le eq ne gt ge"
OPERATORS: list[Callable[[Any, Any], Any]] = [divmod, *(getattr(operator, name) for name in NAMES.split())]

VALUES = {
    "b": [False, True, True, False],
    "u": [0, 1, 3, -1],
    "i": [0, -1, 3, 1],
    "f": [0.0, -0.0, np.nan, -np.inf],
    "c": [0, -1j, complex(np.inf, np.nan), complex(-np.inf, -0.0)],
}
NUMBERS = [0, 1, -1, 3, True, 255, -129, 2**31, 2**63, 2**64 - 1, -(2**63), 0.0, -0.0, 0.25, 1e300, float("nan"), float("-inf"), 1j]
TOO_LARGE = [2**64, -(2**63) - 1, 2**200]


def array(dtype: np.dtype, turn: int = 0) -> np.ndarray:
    """Four telling values of a dtype."""
    values = np.array(VALUES[dtype.kind]).astype(dtype)
    if dtype.kind in "iu":
        values[turn] = np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max
    return np.roll(values, turn)


def traced(call: Callable[..., Any]) -> Callable[..., Any]:
    """The call by way of a graph, whose inputs are arrays, scalars and Python numbers like the arguments."""

    def run(*arguments: Any) -> Any:
        tracer = Tracer()
        is_array = [isinstance(x, np.ndarray) for x in arguments]
        stand_ins = [tracer.lifted_input(x, not known, known) for x, known in zip(arguments, is_array, strict=True)]
        return program_of(tracer, call, stand_ins)(*arguments)

    return run


def tensors(*arguments: Any) -> list[Any]:
    return [hybrid.Tensor(x) if isinstance(x, np.ndarray | np.generic) else x for x in arguments]


def faults(call: Callable[..., Any], *arguments: Any, is_number: bool = False) -> list[str]:
    """How the results on tensors and in a graph differ from NumPy's."""
    want = outcome(call, list(arguments))
    got = {"eager": outcome(call, tensors(*arguments)), "graph": outcome(traced(call), list(arguments))}
    found = []
    for way, result in got.items():
        if way == "graph" and isinstance(result, REFUSALS):
            continue
        if difference := different(want, result, exact=way == "eager"):
            found.append(f"{way}: {call.__name__} of {arguments!r}: {difference}")
    return found


@pytest.mark.parametrize("call", OPERATORS, ids=lambda call: call.__name__)
def test_pairs_of_dtypes(call: Callable[[Any, Any], Any]) -> None:
    found = []
    for one, two in product(DTYPES, DTYPES):
        x, y = array(one), array(two, turn=1)
        found += faults(call, x, y) + faults(call, x, y[2])
    assert not found, "\n".join(found[:10])


IS_SET_BY_VALUE = {(operator.pow, 0.5), (operator.pow, 2), (operator.pow, -1)}
"""Powers that NumPy computes in another way than others, where it sees the number: sqrt, square, reciprocal."""


@pytest.mark.parametrize("call", OPERATORS, ids=lambda call: call.__name__)
def test_python_numbers(call: Callable[[Any, Any], Any]) -> None:
    found = []
    for dtype, number in product(DTYPES, NUMBERS):
        if (call, number) not in IS_SET_BY_VALUE:
            found += faults(call, array(dtype), number)
        found += faults(call, number, array(dtype))
    assert not found, "\n".join(found[:10])


@pytest.mark.parametrize("call", [c for c in OPERATORS if c is not divmod], ids=lambda call: call.__name__)
def test_integers_beyond_64_bits(call: Callable[[Any, Any], Any]) -> None:
    for dtype, number in product(DTYPES, TOO_LARGE):
        for arguments in ((array(dtype), number), (number, array(dtype))):
            assert not different(outcome(call, list(arguments)), outcome(call, tensors(*arguments)), exact=True), (dtype, number)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_known_powers_are_those_of_arrays(dtype: np.dtype) -> None:
    for exponent in (2, -1, 0.5, 0, 1, 3, 2.0):
        call = lambda x, exponent=exponent: x**exponent  # noqa: E731
        assert not faults(call, array(dtype))


def test_the_exponent_of_booleans_decides_the_dtype_so_it_must_be_known() -> None:
    with pytest.raises(hybrid.errors.StagingError, match="exponent of booleans"):
        traced(operator.pow)(np.array([True, False]), 2)


def test_numbers_that_only_running_tells_are_checked_when_running() -> None:
    for call in (operator.add, lambda x, k: np.add(x, k, dtype=np.uint8)):
        run = traced(call)
        with pytest.raises(OverflowError, match="out of bounds for uint8"):
            run(np.array([1, 2], np.uint8), -1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(run(np.array([1, 2], np.uint8), 255).numpy(), np.array([0, 1], np.uint8))
