"""Keys of dicts and items of sets that only running tells; objects of Python that change."""

from __future__ import annotations

import bisect
import collections
import heapq
from typing import Any

import numpy as np
import pytest
from frontend.table import assert_same, observe

from hybrid.errors import StagingError
from hybrid.functions.function import function

pytestmark = pytest.mark.usefixtures("interpreted")


def item_of_a_scalar(x: Any) -> Any:
    d = {1: "a"}
    d[x + 0] = "b"
    return d, len(d)


def set_of_scalars(x: Any) -> Any:
    s = {1}
    s.add(x)
    return s, len(s), x in s, {x: 1, 1: 2}


def popped(x: Any) -> Any:
    d = {1: "a", 2: "c"}
    return d.get(x), x in d, d.pop(x, None), d


def counted(x: Any) -> Any:
    c: dict[int, int] = {}
    for v in x:
        c[int(v)] = c.get(int(v), 0) + 1
    return c


def counted_scalars(x: Any) -> Any:
    c: dict[Any, int] = {}
    for v in x:
        c[v] = c.get(v, 0) + 1
    return c


def counter(x: Any) -> Any:
    c: Any = collections.Counter()
    for v in x:
        c[int(v)] += 1
    return c, c.most_common(1)


def groups(x: Any) -> Any:
    g: dict[int, list[int]] = {}
    for v in x:
        g.setdefault(int(v) % 2, []).append(int(v))
    return g


def first_seen_twice(x: Any) -> Any:
    seen = set()
    for v in x:
        if int(v) in seen:
            return int(v)
        seen.add(int(v))
    return None


def comprehensions(x: Any) -> Any:
    return {int(v): i for i, v in enumerate(x)}, {int(v) for v in x}


def given(x: Any) -> Any:
    d = {1: 2, 3: 4}
    row = [1]
    d[int(x[0])] = row  # type: ignore[assignment]
    row.append(2)
    return d, row


def kinds_of_dicts(x: Any) -> Any:
    d = collections.defaultdict(list)
    d["a"].append(x)
    d["b"]
    c = collections.Counter([1, 1, 2])
    c.update([x])
    c.subtract([1])
    o = collections.OrderedDict(a=x)
    o["b"] = 2
    o.move_to_end("a")
    return dict(d), c, list(o)


def queue(x: Any) -> Any:
    q = collections.deque([1, 2], maxlen=2)
    q.append(x)
    q.appendleft(0)
    return list(q), q[0], len(q)


def heap(x: Any) -> Any:
    h = [3, 5]
    heapq.heapify(h)
    heapq.heappush(h, x)
    if x > 1:
        heapq.heappush(h, 0)
    return heapq.heappop(h), h


def sorted_in(x: Any) -> Any:
    xs = [1, 5]
    bisect.insort(xs, x)
    return xs


def wrong_index(x: Any) -> Any:
    return [1, 2, 3][x]


SCALARS = [np.float64(2.0), np.int64(1), 1, 2]
ARRAYS = [np.array([1, 4, 1]), np.array([2.0, 3.0])]


@pytest.mark.parametrize("x", SCALARS, ids=repr)
@pytest.mark.parametrize("plain", [item_of_a_scalar, set_of_scalars, popped, kinds_of_dicts, queue, heap, sorted_in, wrong_index])
def test_scalars(plain: Any, x: Any) -> None:
    assert_same(observe(plain, (x,)), observe(function(plain), (x,)))


@pytest.mark.parametrize("x", ARRAYS, ids=repr)
@pytest.mark.parametrize("plain", [counted, counted_scalars, counter, groups, first_seen_twice, comprehensions, given])
def test_items_of_arrays(plain: Any, x: Any) -> None:
    assert_same(observe(plain, (x,)), observe(function(plain), (x,)))


def test_a_dict_among_the_arguments() -> None:
    def f(x: Any, d: Any) -> Any:
        d[int(x[0])] = 5
        return d[1], len(d)

    for x in (np.array([1]), np.array([7])):
        assert_same(observe(f, (x, {1: 2})), observe(function(f), (x, {1: 2})))


def test_counts_are_set_and_not_added() -> None:
    def f(c: Any) -> None:
        c["a"] += 1

    counts = collections.Counter(a=1)
    function(f)(counts)
    assert counts == {"a": 2}


def test_arrays_are_no_keys() -> None:
    with pytest.raises(TypeError, match=r"unhashable type: 'numpy\.ndarray'"):
        function(lambda x: {x: 1})(np.zeros(2))
    with pytest.raises(StagingError, match="it can't be a key"):
        function(lambda x: {x[0]: 1})(np.zeros(2))


def test_truth_values_are_one_object_each() -> None:
    def f(x: Any) -> Any:
        return x is True, x is False, x is None, (x is True) == bool(x)

    for x in (True, False, 1, 0.0):
        assert function(f)(x) == f(x)
