"""Compiled functions as their callers see them: when they are traced, what they take for granted, what they return and change."""

from __future__ import annotations

import threading
from collections import namedtuple
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.eagerly import run_eagerly
from hybrid.functions.function import Function, function

pytestmark = pytest.mark.usefixtures("interpreted")


# -- specialisation -------------------------------------------------------------------------------------------------
def test_ten_batch_sizes_cost_two_traces() -> None:
    f = function(lambda x, w: np.tanh(x @ w).sum(axis=0))
    w = np.ones((3, 2))
    for n in range(2, 12):
        x = np.arange(3.0 * n).reshape(n, 3)
        np.testing.assert_array_equal(f(x, w), np.tanh(x @ w).sum(axis=0))
    assert f.stats().traces == 2


def test_sizes_that_go_together_are_one_symbol() -> None:
    f = function(lambda x, y: x * y + 1)
    for n in (3, 4, 5):
        f(np.ones(n), np.ones(n))
    assert f.stats().traces == 2
    with pytest.raises(ValueError, match="could not be broadcast"):
        f(np.ones(6), np.ones(7))
    np.testing.assert_array_equal(f(np.ones(6), np.ones(1)), np.full(6, 2.0))


def test_five_hundred_floats_cost_one_trace() -> None:
    f = function(lambda x: x * 2 + 1)
    assert [f(k / 7) for k in range(500)] == [k / 7 * 2 + 1 for k in range(500)]
    assert f.stats().traces == 1


def test_kinds_are_told_apart() -> None:
    f = function(lambda x: x + x)
    values = [1, True, 1.0, 1j, np.float32(1), np.int8(1), np.ones(2), np.ones(2, "f4"), hybrid.asarray([1.0, 2.0])]
    for value in values:
        want, got = value + value, f(value)
        assert type(got) is type(want) and np.array_equal(got, want)
    assert f.stats().traces == len(values)


def test_a_number_that_tracing_needs_becomes_a_constant() -> None:
    layers = [np.sin, np.cos, np.tan]
    f = function(lambda x, i: layers[i % 3](x) if isinstance(i, int) else x)
    g = function(lambda x, n: np.mgrid[0:n] + x)
    assert f(1.0, 0) == np.sin(1.0) and f(1.0, 1) == np.cos(1.0)
    np.testing.assert_array_equal(g(1, 3), [1, 2, 3])
    np.testing.assert_array_equal(g(1, 2), [1, 2])
    assert any("needs the value of n (3)" in reason for reason in g.stats().reasons)


def test_a_retrace_storm_is_one_warning() -> None:
    f = function(lambda x, name: x)
    with pytest.warns(RuntimeWarning, match="traced 12 times") as caught:
        for k in range(20):
            f(1.0, f"name {k}")
    assert len(caught) == 1


# -- guards ---------------------------------------------------------------------------------------------------------
SCALE = 3


def test_a_global_that_changes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    f = function(lambda x: x * SCALE)
    assert f(2.0) == 6.0
    monkeypatch.setitem(globals(), "SCALE", 10)
    assert f(2.0) == 20.0
    assert f.stats().reasons[-1] == "the global SCALE changed from 3 to 10"


def test_a_closure_cell_that_changes_is_seen() -> None:
    scale = 3

    @function
    def f(x):
        return x * scale

    assert f(2.0) == 6.0
    scale = 10
    assert f(2.0) == 20.0


def test_items_and_attributes_that_change_are_seen_without_a_new_trace() -> None:
    config = {"k": 3.0}

    class Model:
        rate = 0.5

    model = Model()

    @function
    def f(x):
        return x * config["k"] + model.rate

    assert f(2.0) == 6.5
    config["k"], model.rate = 10.0, 1.5
    assert f(2.0) == 21.5
    assert f.stats().traces == 1


def test_an_array_from_outside_is_read_at_each_call() -> None:
    weights = np.ones(3)
    f = function(lambda x: (x * weights).sum())
    assert f(2.0) == 6.0
    weights[0] = 5.0
    assert f(2.0) == 14.0
    assert f.stats().traces == 1


def test_a_list_that_grows_outside_is_seen() -> None:
    terms = [1.0, 2.0]

    @function
    def f(x):
        total = x
        for term in terms:
            total = total + term
        return total

    assert f(1.0) == 4.0
    terms.append(10.0)
    assert f(1.0) == 14.0


def test_a_helper_that_is_replaced_is_seen() -> None:
    def helper(x):
        return x + 1

    f = function(lambda x: helper(x))
    assert f(1.0) == 2.0

    def helper(x):  # noqa: F811 - replacing it is the point
        return x + 100

    assert f(1.0) == 101.0


# -- arguments and results ------------------------------------------------------------------------------------------
Point = namedtuple("Point", "x y")


@dataclass
class State:
    position: float
    names: list


def test_containers_go_in_and_come_out() -> None:
    @function
    def f(p, d, s, *rest, scale=2.0, **more):
        return Point(p.x * scale, d["a"] + rest[0]), {"n": len(more), "s": State(s.position + 1, s.names)}, [None, "text", more["k"]]

    point, report, tail = f(Point(1.0, 2.0), {"a": np.ones(2)}, State(3.0, ["a"]), 5.0, k=True)
    assert isinstance(point, Point) and point.x == 2.0 and np.array_equal(point.y, [6.0, 6.0])
    assert report == {"n": 1, "s": State(4.0, ["a"])} and tail == [None, "text", True]


def test_tensors_in_tensors_out_and_numpy_in_numpy_out() -> None:
    f = function(lambda x: (x.sum(), x * 2))
    total, double = f(np.ones(3))
    assert type(total) is np.float64 and type(double) is np.ndarray
    total, double = f(hybrid.asarray(np.ones(3)))
    assert type(total) is hybrid.Tensor and type(double) is hybrid.Tensor


def test_an_argument_that_is_returned_is_the_same_object() -> None:
    f = function(lambda x: x)
    x = np.ones(3)
    assert f(x) is x


def test_writes_reach_the_callers_arrays() -> None:
    @function
    def f(a, t):
        a[0] = 5.0
        t += a[0]
        return a.sum()

    a, t = np.zeros(3), hybrid.asarray(np.zeros(3))
    assert f(a, t) == 5.0
    assert a[0] == 5.0 and t.tolist() == [5.0, 5.0, 5.0]
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(a, t)


def test_methods_and_attributes() -> None:
    class Counter:
        def __init__(self):
            self.total = 0.0

        @function
        def add(self, x):
            self.total = self.total + x
            return self.total

    one, other = Counter(), Counter()
    assert [one.add(1.0), one.add(2.0), other.add(10.0)] == [1.0, 3.0, 10.0]
    assert (one.total, other.total) == (3.0, 10.0)


def test_wrong_arguments_are_refused_as_python_does() -> None:
    f = function(lambda x, y: x)
    with pytest.raises(TypeError, match="missing a required argument: 'y'"):
        f(1.0)


def test_functions_call_each_other_and_run_eagerly() -> None:
    inner = function(lambda x: x + 1)
    outer = function(lambda x: inner(x) * 2)
    assert outer(1.0) == 4.0
    assert inner.stats().traces == 0
    with run_eagerly():
        assert outer(1.0) == 4.0


def test_it_looks_like_the_function() -> None:
    @function(example=lambda: (1.0,))
    def double(x):
        """Twice x."""
        return x * 2

    assert isinstance(double, Function)
    assert (double.__name__, double.__doc__, double.example()) == ("double", "Twice x.", (1.0,))
    assert "hy__" in double.converted or "return" in double.converted
    assert str(double.trace(1.0).graph) == (
        "graph(%0: float):\n  %1: float = call_python(%0, 2, function='mul')\n  return %1"
    )  # fmt: skip


def test_many_threads_get_right_answers_from_one_trace() -> None:
    f = function(lambda x: x * 2 + 1)
    results: list[float] = []

    def work(k: int) -> None:
        results.extend(f(float(k)) for _ in range(50))

    threads = [threading.Thread(target=copy_context().run, args=(work, k)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == sorted(k * 2.0 + 1 for k in range(8) for _ in range(50))
    assert f.stats().traces == 1


def test_the_shortest_way_is_for_the_same_arguments_only() -> None:
    """After a call the next one may skip the search for its trace; whatever differs goes the long way."""

    def f(x: Any, y: Any) -> Any:
        return x * y

    x = np.arange(6.0)
    given: list[tuple[Any, Any]] = [
        (x, 2.0), (x, 3.0), (x, 2), (x[:5], 2.0), (x[::2], 2.0), (x.astype("f4"), 2.0), (x.reshape(2, 3), 2.0),
        (hybrid.asarray(x), 2.0), (hybrid.asarray(x), hybrid.asarray(x)), (x, x), (x, x.copy()), (np.float64(3.0), 2.0), (3.0, 2.0),
        (x, 2.0),
    ]  # fmt: skip
    for arguments in (given[:8], given[7:]):
        compiled = function(f)
        for a, b in arguments * 2:
            wanted, received = f(a, b), compiled(a, b)
            assert type(received) is type(wanted) and received.dtype == wanted.dtype if hasattr(wanted, "dtype") else received == wanted
            np.testing.assert_array_equal(received, wanted)
    with pytest.raises(TypeError, match="missing a required argument"):
        compiled(x)


def test_exceptions_come_the_shortest_way_too() -> None:
    compiled = function(lambda x, i: x[i])
    assert compiled(np.arange(3.0), 1) == 1.0
    assert compiled(np.arange(3.0), 2) == 2.0
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        compiled(np.arange(3.0), 3)
    assert compiled(np.arange(3.0), 0) == 0.0
