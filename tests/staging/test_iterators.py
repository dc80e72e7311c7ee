"""Iterators and generators in branches, loops and ``try``, and what their items bind; bodies of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend.table import assert_same, observe

from hybrid.errors import StagingError
from hybrid.functions.function import function

pytestmark = pytest.mark.usefixtures("interpreted")


def next_in_try(xs: Any, k: int) -> Any:
    it = iter(xs)
    try:
        a = next(it)
        b = 10 // k
    except ZeroDivisionError:
        b = next(it)
    return a, b, list(it)


def next_in_branches(xs: Any, k: int) -> Any:
    it = iter(xs)
    if k > 0:
        next(it)
    a = next(it)
    if k > 5:
        next(it, None)
    return a, next(it, "none"), list(it)


def next_in_a_loop(xs: Any, n: int) -> Any:
    it = iter(xs)
    s = 0
    for _ in range(n):
        s += next(it)
    return s, next(it, -1)


def loop_left_early(xs: Any, k: int) -> Any:
    it = iter(xs)
    for v in it:
        if v > k:
            break
    return v, list(it)


def pairs(xs: Any) -> Any:
    it = iter(xs)
    return list(zip(it, it, strict=True))


def until_stop(xs: Any, k: int) -> Any:
    it = iter(xs)
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        if v == k:
            return v
    return None


def first_and_rest(xs: Any) -> Any:
    it = iter(xs)
    first, rest = next(it), 0
    for v in it:
        rest += v
    return first, rest, type(it).__name__


def map_and_filter(xs: Any) -> Any:
    doubled = map(lambda v: v * 2, xs)
    return next(doubled), sum(doubled), list(filter(lambda v: v > 1, xs))


def list_that_grows(xs: Any) -> Any:
    it = iter(xs)
    first = next(it)
    xs.append(9)
    return first, list(it), list(it)


def any_binds(xs: Any) -> Any:
    return any((last := x) > 2 for x in xs), last


def sum_binds(xs: Any) -> Any:
    last = None
    return sum((last := x) * 2 for x in xs), last


def next_binds(xs: Any, k: int) -> Any:
    g = ((last := x) for x in xs)
    a = next(g)
    return a, last, next(g), last + k


def loop_binds(xs: Any, k: int) -> Any:
    for v in ((w := x) for x in xs):
        if v > k:
            break
    return v, w


def tuple_binds(xs: Any) -> Any:
    t = tuple((k := x) for x in xs)
    return t, k


def any_then_list(xs: Any) -> Any:
    g = (x for x in xs)
    return any(x < 0 for x in g), list(g)


def class_body(x: int) -> Any:
    if x > 0:
        y = 1

    class C:
        z = y
        w = tuple(y + i for i in range(2))

    return C.z, C.w


def default_value(x: int) -> Any:
    if x > 0:
        y = 1
    return (lambda a=y: a)()


def combined(xs: Any) -> Any:
    it = zip(xs, xs, strict=False)
    try:
        a = next(it)
        1 // (len(xs) - 3)
    except ZeroDivisionError:
        a = next(it)
    return a, list(it), [*reversed(xs)], [*enumerate(xs)]


def unpacked(xs: Any) -> Any:
    a, b = zip(xs, [1, 2], strict=False)
    return a, b, [i * p * q for i, (p, q) in enumerate(zip(xs, reversed(xs), strict=True))]


LISTS = [[1, 2, 3], [1, 2, 3, 4, 9]]
CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    *((f, (xs, k)) for f in (next_in_try, next_in_branches, loop_left_early) for xs in LISTS for k in (0, 2, 7)),
    *((next_in_a_loop, ([1, 2, 3], n)) for n in (0, 2, 3, 7)),
    *((until_stop, ([1, 2, 3], k)) for k in (3, 9)),
    *((pairs, (xs,)) for xs in ([1, 2, 3, 4], np.arange(4), [1, 2, 3])),
    *((f, (xs,)) for f in (first_and_rest, map_and_filter) for xs in ([1, 2, 3], (1, 2.0), np.arange(4.0))),
    (list_that_grows, ([1, 2],)),
    *((f, (xs,)) for f in (any_binds, sum_binds, tuple_binds) for xs in ([1, 3, 5], [1.0, 2.0], np.array([1, 3, 5]), np.array([0.0, 1]))),
    (next_binds, ([1, 2, 3], 1)),
    *((loop_binds, (xs, k)) for xs in ([1, 3, 5], np.array([1, 3, 5])) for k in (0, 2, 9)),
    (any_then_list, ([1, 2],)),
    *((f, (xs,)) for f in (combined, unpacked) for xs in ([1, 2, 3], [1, 2], np.array([1, 2, 3]), np.array([1.0, 2]))),
    *((f, (x,)) for f in (class_body, default_value) for x in (1, -1)),
]


@pytest.mark.parametrize(("plain", "arguments"), CALLS, ids=lambda x: getattr(x, "__name__", ""))
def test_as_plain(plain: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(observe(plain, arguments), observe(function(plain), arguments))


def test_what_was_run_over_is_spent() -> None:
    def f(xs: Any) -> Any:
        z = zip(xs, xs, strict=True)
        return list(z), list(z)

    with pytest.raises(StagingError, match=r"wanted zip\(\) to be run over once"):
        function(f)(np.arange(3))


def test_generators_can_not_go_back() -> None:
    def f(xs: Any, k: float) -> Any:
        g = (x * 2 for x in xs)
        a = next(g)
        if a > k:
            a = next(g)
        return a

    with pytest.raises(StagingError, match="wanted the items of a generator taken outside of the branches"):
        function(f)(np.arange(3.0), 1.0)
