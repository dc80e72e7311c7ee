"""Choosing and putting elements, called as NumPy users do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.spec import Spec

M = np.array([[5, 0, 7], [2, 8, 0]])
X = np.array([[0.5, -1.0, 2.0], [3.0, np.nan, -0.0]])
V = np.array([3, 1, 2])
MASK = np.array([[True, False, True], [False, True, True]])
ROWS = np.array([[2, 0, 1], [0, 0, 2]])

CALLS = [
    # by position
    (lambda a: np.take(a, [0, 2]), X),
    (lambda a: np.take(a, 5), X),
    (lambda a: np.take(a, [[1, 0], [0, 1]], axis=0), X),
    (lambda a, i: np.take(a, i, axis=-1), X, V - 1),
    (lambda a: np.take(a, [7, -9], mode="wrap"), X),
    (lambda a: np.take(a, [7, -9], 1, mode="clip"), X),
    (lambda a: np.take(a, [True, False], axis=1), M),
    (lambda a: np.take(a, 1.0), V),
    (lambda a: np.take(a, np.array([1.0])), V),
    (lambda a: np.take(a, 6), X),
    (lambda a: np.take(a, [0], axis=2), X),
    (lambda a: np.take(a, [0], axis=0), np.zeros((0, 2))),
    (lambda a: np.take(a, [0], mode="around"), X),
    (lambda a, i: np.take(a, i, out=np.zeros_like(a)), V, V - 1),
    (lambda a, i: a.take(i), V, V - 1),
    (lambda a, i: a.take(i, axis=1, mode="clip"), M, V),
    (lambda a, i: np.take_along_axis(a, i, axis=1), X, ROWS),
    (lambda a, i: np.take_along_axis(a, i, 0), X, ROWS % 2),
    (lambda a, i: np.take_along_axis(a, i, axis=-1), X, ROWS[:, :1]),
    (lambda a, i: np.take_along_axis(a, i, None), X, V),
    (lambda a: np.take_along_axis(a, np.argsort(a, axis=0), axis=0), X),
    (lambda a, i: np.take_along_axis(a, i, axis=1), X, V),
    (lambda a, i: np.take_along_axis(a, i, axis=1), X, ROWS.astype(float)),
    (lambda a, i: np.take_along_axis(a, i, axis=1), X, MASK),
    (lambda a, i: np.take_along_axis(a, i, axis=1), X, np.array([[3]])),
    (lambda a, i: np.take_along_axis(a, i, axis=0), X, np.zeros((1, 2), int)),
    # by condition
    (lambda a: np.compress([True, False], a, axis=0), X),
    (lambda a, c: np.compress(c, a, 1), X, V > 1),
    (lambda a: np.compress([0, 1, 1, 1], a), X),
    (lambda a: np.compress([[True]], a), X),
    (lambda a: np.compress([False, False, True], a, axis=0), X),
    (lambda a: a.compress([True, False, True], axis=1), X),
    (lambda a: np.extract(a > 0, a), X),
    (lambda a: np.extract([1, 0, 1], a), X),
    (lambda a: np.nonzero(a), X),
    (lambda a: a.nonzero(), M),
    (lambda a: np.nonzero(a > 1), X),
    (lambda a: np.nonzero(a), np.array(3)),
    (lambda a: np.flatnonzero(a), M),
    (lambda a: np.flatnonzero(a), np.array(3)),
    (lambda a: np.argwhere(a), M),
    (lambda a: np.argwhere(a), np.array(0)),
    (lambda a: np.where(a), M),
    (lambda a: a[np.where(a > 1)], M),
    # from several arrays
    (lambda a: np.where(a > 0, a, 0), X),
    (lambda a: np.where(a > 0, a, -a), X),
    (lambda a, b: np.where(MASK, a, b), X.astype("f4"), V),
    (lambda a: np.where(a, 1, 2.5), V),
    (lambda a: np.where(a > 1, a, np.zeros((2, 1))), V),
    (lambda a: np.where(a > 1, a, 1), V.astype("int8")),
    (lambda a: np.where(a > 1, 1), V),
    (lambda a: np.where(a > 1, a, np.zeros(2)), V),
    (lambda a: np.select([a < 1, a > 2], [a, a * 2]), X),
    (lambda a: np.select([a < 1, a < 2], [a, 9.5], default=-1), V),
    (lambda a, b: np.select([a > 1, b > 2], [a, b], a), V, M),
    (lambda a: np.select([a > 1], [a.astype("f4")], 0.5), V),
    (lambda a: np.select([], []), V),
    (lambda a: np.select([a > 1], [a, a]), V),
    (lambda a: np.select([a], [a]), V),
    (lambda a: np.choose(a, [10, 20, 30]), V - 1),
    (lambda a, b: np.choose(a, [b, b * 10, 0.5]), V - 1, V),
    (lambda a, b: np.choose(a, b), V - 1, np.arange(12).reshape(3, 4)[:, :3]),
    (lambda a: np.choose(a, [10, 20], mode="wrap"), V),
    (lambda a: np.choose(a, [10, 20], mode="clip"), V),
    (lambda a: np.choose(a, [10, 20]), V),
    (lambda a: np.choose(a, [10, 20]), V / 2),
    (lambda a: a.choose([[10], [20], [30], [40]]), V),
    (lambda a: np.choose(a, [np.float32(1), 2]), V > 1),
]

WRITES = [
    (lambda a: np.put(a, [0, -1], [9.5, 8.5]), X),
    (lambda a: np.put(a, [0, 1, 2], [9, 8]), M),
    (lambda a, i, v: np.put(a, i, v), M, V, V * 10),
    (lambda a: np.put(a, 7, 1, mode="wrap"), M),
    (lambda a: np.put(a, [7, -9], [1, 2], mode="clip"), M),
    (lambda a: a.put([1, 2], 0), M),
    (lambda a: np.put(a, 7, 1), M),
    (lambda a: np.put(a, np.array([0.5]), 1), M),
    (lambda a: np.put(a, 0, 1j), M),
    (lambda a: np.put(a, [0], [300]), V.astype("int8")),
    (lambda a: np.put(a, 0, np.nan), M),
    (lambda a: np.put(a, 0, 1), np.zeros((0, 2))),
    (lambda a, i: np.put_along_axis(a, i, 9, axis=1), M, ROWS),
    (lambda a, i: np.put_along_axis(a, i, [[1], [2]], 1), M, ROWS),
    (lambda a, i, v: np.put_along_axis(a, i, v, axis=0), X, ROWS % 2, V),
    (lambda a, i: np.put_along_axis(a, i, 9, axis=None), M, V),
    (lambda a, i: np.put_along_axis(a, i, [1, 2], axis=1), M, ROWS),
    (lambda a, i: np.put_along_axis(a, i, 1, axis=1), M, V),
    (lambda a: np.putmask(a, a > 2, [10, 20]), M),
    (lambda a, b: np.putmask(a, a > 2, b), X, X * 10),
    (lambda a: np.putmask(a, a > 2, 1.5), M),
    (lambda a: np.putmask(a, a > 2, np.array([1.5])), M),
    (lambda a: np.putmask(a, [True], 1), M),
    (lambda a: np.place(a, a > 2, [10, 20]), M),
    (lambda a, b: np.place(a, MASK, b), X, V.astype(float)),
    (lambda a: np.place(a, a > 2, []), M),
    (lambda a: np.place(a, a > 90, []), M),
    (lambda a: np.place(a, [True], 1), M),
    (lambda a: np.copyto(a, 9), M),
    (lambda a, b: np.copyto(a, b), X, V),
    (lambda a, b: np.copyto(a, b, where=a > 0), X, V),
    (lambda a, b: np.copyto(a, b, casting="unsafe", where=[True, False, True]), M, X[0] * 10),
    (lambda a: np.copyto(a, 1.5), M),
    (lambda a: np.copyto(a, [1, 2]), M),
    (lambda a: np.copyto(a, 1, where=np.ones((1, 2, 3), bool)), M),
    (lambda a: np.copyto(a, 1, where=np.ones(3, int)), M),
    (lambda a: np.copyto(a, 1, casting="never"), M),
    (lambda a: np.fill_diagonal(a, 9), M),
    (lambda a: np.fill_diagonal(a, [7, 8]), M),
    (lambda a, v: np.fill_diagonal(a, v, wrap=True), np.zeros((7, 2)), V),
    (lambda a: np.fill_diagonal(a, 3), np.zeros((2, 2, 2))),
    (lambda a: np.fill_diagonal(a, 9), V),
    (lambda a: np.fill_diagonal(a, 9), np.zeros((2, 3, 2))),
    (lambda a: np.fill_diagonal(a, [300]), np.zeros((2, 2), "int8")),
    # methods that write
    (lambda a: a.fill(7), M),
    (lambda a: a.fill(7.9), M),
    (lambda a: a.sort(), X),
    (lambda a: a.sort(axis=0), M),
    (lambda a: a.sort(axis=1, kind="stable"), M),
    (lambda a: a.partition(1), M),
    (lambda a: a.partition(0, axis=0), X),
    (lambda a: a[1].sort(), M),
    (lambda a: np.put(a[:, 1:], [0, 1], [70, 80]), M),
    (lambda a: np.fill_diagonal(a.T, 9), M),
]


@pytest.mark.parametrize("case", CALLS + WRITES)
def test_calls(case: tuple[Any, ...]) -> None:
    call, *arrays = case
    check(call, *arrays)
    check_graph(call, *arrays)


def test_taking_from_the_array_api() -> None:
    x = hybrid.asarray(X)
    np.testing.assert_array_equal(hybrid.ops.choose.take(x, hybrid.asarray([1]), axis=0).numpy(), X[1:])
    np.testing.assert_array_equal(hybrid.ops.choose.take_along_axis(x, hybrid.asarray(ROWS)).numpy(), np.take_along_axis(X, ROWS, -1))


def test_where_keeps_signed_zeros_and_nan() -> None:
    got = np.where(hybrid.asarray([True, False, True]), hybrid.asarray([-0.0, 1.0, np.nan]), 0.0)
    assert np.signbit(got.numpy()).tolist() == [True, False, False]
    assert np.isnan(got.numpy()).tolist() == [False, False, True]


def test_python_numbers_give_way() -> None:
    small = Spec.parse("f32[3]")
    where = hybrid.ops.choose.where
    assert where.infer(Spec.parse("bool[3]"), small, Spec.parse("float")).dtype == np.float32
    assert where.infer(Spec.parse("bool[3]"), Spec.parse("int"), Spec.parse("float")).dtype == np.float64


def test_sizes_that_values_decide_share_one_name() -> None:
    rows, columns = hybrid.ops.choose.nonzero.infer(Spec.parse("f64[n, 3]"))
    assert rows == columns and str(rows.shape[0]) == "?count"
    assert hybrid.ops.choose.argwhere.infer(Spec.parse("f64[n, 3]")).shape == (rows.shape[0], 2)
    assert hybrid.ops.choose.flatnonzero.infer(Spec.parse("f64[0, 3]")).shape == (0,)
