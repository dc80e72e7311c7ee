"""Arguments that are one object, share memory or can't be written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hybrid._util.sharing import flatten_once, unflatten_once
from hybrid.errors import UnsupportedError
from hybrid.functions.function import function

pytestmark = pytest.mark.usefixtures("interpreted")


@dataclasses.dataclass
class Box:
    value: int = 0


def lists(xs: Any, ys: Any) -> Any:
    xs.append(1)
    ys.append(2)
    return len(xs), len(ys), xs is ys


def arrays(x: Any, y: Any) -> Any:
    x[0] = 5
    y[1] = 7
    return x[1], y[0], x is y


def read_only(x: Any, y: Any) -> Any:
    return x is y, x + y


def one_result(x: Any, y: Any) -> Any:
    return x + 1 if x is y else x - 1


def dicts(d: Any, e: Any) -> Any:
    d["a"] = 1
    e["b"] = 2
    return len(d), d is e


def objects(p: Any, q: Any) -> Any:
    p.value += 1
    q.value += 2
    return p.value, p is q


def nested(x: Any, y: Any) -> Any:
    x[0][0] = 5
    return y[0][0] + 0, x is y, x[0] is y[0]


@pytest.mark.parametrize(
    ("plain", "make"),
    [
        (lists, list),
        (arrays, lambda: np.zeros(3)),
        (read_only, lambda: np.zeros(3)),
        (one_result, lambda: np.zeros(3)),
        (dicts, dict),
        (objects, Box),
        (nested, lambda: [np.zeros(2)]),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_the_same_object_twice(plain: Any, make: Callable[[], Any]) -> None:
    compiled = function(plain)
    for is_same in (False, True, False, True):
        seen = []
        for f in (plain, compiled):
            a = make()
            seen.append(repr((f(a, a if is_same else make()), a)))
        assert seen[0] == seen[1]


def writes(a: Any, b: Any) -> Any:
    a[:] = b * 2
    return a


@pytest.mark.parametrize(
    "parts", [lambda a: (a[:5], a[5:]), lambda a: (a[::2], a[1::2]), lambda a: (a[:2], np.ones(2))], ids=["halves", "turns", "other"]
)
def test_memory_that_is_apart(parts: Callable[[Any], Any]) -> None:
    want, got = np.arange(10.0), np.arange(10.0)
    writes(*parts(want))
    function(writes)(*parts(got))
    np.testing.assert_array_equal(want, got)


def test_memory_that_overlaps_is_refused() -> None:
    a, compiled = np.arange(10.0), function(writes)
    for _ in range(2):
        with pytest.raises(UnsupportedError, match="wanted arrays that don't share memory"):
            compiled(a[1:], a[:-1])
        compiled(a[5:], a[:5])


def test_a_list_inside_itself() -> None:
    xs: list[Any] = [1]
    xs.append(xs)
    assert function(lambda x: (len(x), x[1] is x))(xs) == (2, True)


GLOBAL = np.zeros(3)


def test_an_argument_that_is_a_global_too() -> None:
    def f(x: Any) -> Any:
        GLOBAL[0] += 1
        return x[0] + 0

    compiled = function(f)
    compiled(np.zeros(3))
    with pytest.raises(UnsupportedError, match="share memory"):
        compiled(GLOBAL)


def sometimes(x: Any, is_on: bool) -> Any:
    if is_on:
        x[0] = 1
    return x[0] + 1


def frozen(x: Any) -> Any:
    x.flags.writeable = False
    return x


def added(x: Any, is_on: bool) -> Any:
    x += is_on
    return x


@pytest.mark.parametrize("plain", [sometimes, added])
def test_arrays_that_cannot_be_written(plain: Any) -> None:
    compiled = function(plain)
    for x in (np.zeros(3), frozen(np.zeros(3)), np.zeros(3), frozen(np.zeros(3))):
        for is_on in (False, True):
            seen = []
            for f in (plain, compiled):
                given = x.copy() if x.flags.writeable else x
                try:
                    seen.append(repr(f(given, is_on)))
                except ValueError as error:
                    seen.append(str(error))
            assert seen[0] == seen[1]


def test_containers_are_put_together_again() -> None:
    xs = [1, 2]
    tree = {"a": xs, "b": (xs, Box(3)), "c": []}
    leaves, structure = flatten_once(tree, lambda leaf: False)
    made = unflatten_once(structure, leaves)
    assert leaves == [1, 2, 3] and made == tree and made["a"] is made["b"][0]


def swapped(a: Any, b: Any, n: int) -> Any:
    for i in range(n):
        a, b = b, a
        a[i] = i + 1
    return a


def test_writes_into_arrays_that_change_places_are_not_lost() -> None:
    want, got = [np.zeros(3), np.zeros(3)], [np.zeros(3), np.zeros(3)]
    compiled = function(swapped)
    assert swapped(*want, 3).tolist() == compiled(*got, 3).tolist()
    np.testing.assert_array_equal(want, got)
