"""Writes by position, by mask, along diagonals and by ufuncs in native code; choices and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from backends.native import agrees, refused

X = np.arange(12.0).reshape(3, 4)


def written(write: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the changed array."""

    def function(x: Any, *others: Any) -> Any:
        y = x + 0
        write(y, *others)
        return y

    return function


@pytest.mark.parametrize(
    ("write", "others"),
    [
        (lambda x, v, m: np.copyto(x, v, where=m), [np.arange(4.0), np.array([[True], [False], [True]])]),
        (lambda x, v: np.copyto(x[:, ::2], v), [7]),
        (lambda x, m, v: np.putmask(x, m, v), [X > 4, np.array([1.5, 2.5, 3.5])]),
        (lambda x, m, v: np.place(x, m, v), [X > 4, np.array([1.5, 2.5])]),
        (lambda x, m, v: np.place(x, m, v), [X > 40, np.zeros(0)]),
        (lambda x, m, v: np.putmask(x, m, v), [X.T > 4, np.zeros(0)]),
        (lambda x, i, v: np.put(x, i, v), [np.array([[3, -1], [3, 0]]), np.array([5.0, 6.0, 8.0])]),
        (lambda x, i, v: np.put(x, i, v, mode="clip"), [np.array([30, -5]), 2]),
        (lambda x, v: np.fill_diagonal(x, v), [np.array([1.5, 2.5])]),
        (lambda x, i, v: np.add.at(x, i, v), [np.array([0, 2, 0]), np.arange(4.0)]),
        (lambda x, i, j, v: np.subtract.at(x, (i, j), v), [np.array([0, 0, -1]), np.array([1, 1, 3]), 1.5]),
        (lambda x, m, v: np.maximum.at(x, m, v), [np.array([True, False, True]), 6.5]),
    ],
)
def test_writes(write: Callable[..., Any], others: list[Any]) -> None:
    agrees(written(write), X, *others)


@pytest.mark.parametrize(
    ("write", "others"),
    [
        (lambda x, v: np.copyto(x, v), [np.arange(3.0)]),
        (lambda x, m, v: np.place(x, m, v), [X > 4, np.zeros(0)]),
        (lambda x, m: np.putmask(x, m, 0), [X[1:] > 4]),
        (lambda x, i: np.put(x, i, 1.0), [np.array([1, 12])]),
        (lambda x, i: np.add.at(x, i, 1.0), [np.array([0, 3])]),
    ],
)
def test_writes_that_do_not_fit(write: Callable[..., Any], others: list[Any]) -> None:
    refused(written(write), X, *others)


def test_counts_by_add_at() -> None:
    agrees(written(lambda x, i: np.add.at(x, i, 1)), np.zeros(4, np.int64), np.array([0, 3, 3, -1, 0]))


def test_choices() -> None:
    which = np.array([0, 2, 1, 1])
    agrees(
        lambda i, x: [
            np.choose(i, [x[0], x[1], 9.5]),
            np.choose(i * 3 - 1, [x, x + 1], mode="wrap"),
            np.choose(i, [x[0], x[1]], mode="clip"),
        ],
        which,
        X,
    )
    refused(lambda i, x: np.choose(i, [x[0], x[1]]), which, X)


def test_differences() -> None:
    agrees(
        lambda x, k: [np.diff(x), np.diff(x, axis=0), np.diff(x.T, 2), np.diff(x > 3), np.diff(k), np.ediff1d(x), np.diff(x[:0], axis=0)],
        X**2,
        np.array([5, 2], np.uint8),
    )


def test_running_extremes() -> None:
    x = np.array([[1.0, 3.0, -0.0, np.nan, 2.0]])
    agrees(
        lambda x: [
            np.maximum.accumulate(x, 1),
            np.minimum.accumulate(x, -1),
            np.multiply.accumulate(x, 0),
            np.logical_or.accumulate(x > 1, 1),
        ],
        x,
    )
