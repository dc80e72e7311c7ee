"""Arrays outside of a function: what they hold when it runs, never what they held when it was traced."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hybrid

ARRAY = np.arange(3.0)
PAIR = (ARRAY, np.ones(3))
OBJECT = SimpleNamespace(array=ARRAY, rows=[ARRAY], named={"a": ARRAY})


pytestmark = pytest.mark.usefixtures("interpreted")


def operators(x: Any) -> Any:
    return x + ARRAY * 2, -ARRAY, ARRAY @ ARRAY, ARRAY**2, 2 - ARRAY, ARRAY == 1, divmod(ARRAY, 2)


def loops(x: Any) -> Any:
    return [a * x for a in ARRAY], sum(ARRAY), max(ARRAY), [row * x for row in PAIR]


def methods(x: Any) -> Any:
    return ARRAY.sum() + x, ARRAY.copy(), ARRAY.T + 1, abs(ARRAY), len(ARRAY), float(ARRAY[0])


def names(x: Any) -> Any:
    other = ARRAY
    first, second = PAIR
    return other * x, first * 2, second * 2, PAIR[0] * 2


def containers(x: Any) -> Any:
    return OBJECT.array * x, OBJECT.rows[0] * x, OBJECT.named["a"] * x, OBJECT.named.get("a") * x, [row * x for row in OBJECT.rows]


def texts(x: Any) -> Any:
    return f"{ARRAY}", str(ARRAY), 1.0 in ARRAY


def made_of_it(x: Any) -> Any:
    made = np.array([ARRAY, ARRAY])
    made[0, 0] = x
    return made, np.asarray(ARRAY) is ARRAY, np.array(ARRAY)


def written(x: Any) -> Any:
    global ARRAY
    view = np.asarray(ARRAY)
    view[0] += x
    OBJECT.array *= 2
    ARRAY -= 1
    return ARRAY * 1


@pytest.mark.parametrize("program", [operators, loops, methods, names, containers, texts, made_of_it, written])
def test_what_an_array_outside_holds_is_read_at_each_run(program: Any) -> None:
    compiled = hybrid.function(program)
    for k in (0.0, 1.0, 5.0):
        ARRAY[:] = [k, 1, 2]
        want, after = program(3), ARRAY.copy()
        ARRAY[:] = [k, 1, 2]
        assert repr(compiled(3)) == repr(want)
        assert ARRAY.tolist() == after.tolist()
    assert compiled.stats().traces == 1


def test_new_arrays_are_new_at_each_run() -> None:
    @hybrid.function
    def f(x: Any) -> Any:
        made, tensor = np.array([10.0, 20.0]), hybrid.asarray([1.0])
        made[0] += x
        tensor[0] += x
        return made, tensor, made[1], np.append(made, 3)

    assert repr([f(1), f(2), f(1)]) == repr([f.python_function(1), f.python_function(2), f.python_function(1)])
