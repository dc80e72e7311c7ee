"""Index arrays, masks and positions in native code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from backends.native import agrees, refused

X = np.arange(24.0).reshape(2, 3, 4)
ROWS = np.array([1, 0, 1, -1])
COLUMNS = np.array([[2], [-3]])


def test_index_arrays_among_slices_numbers_and_new_axes() -> None:
    agrees(
        lambda x, i, j, n: [
            x[i], x[0, j, ::2], x[:, j, n], x[i, None, j, None], x[1, ..., i], x[::-1, j, i],
        ],
        X[:, :2], ROWS, np.array([[1], [-2]]), -1,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint64", "int32"])
def test_index_arrays_of_other_integers(dtype: str) -> None:
    agrees(lambda x, i: [x[i], x[i, i], np.take(x, i), np.take(x, i, 1)], X[0], np.array([1, 0, 2]).astype(dtype))


def test_sizes_that_are_one_when_it_runs() -> None:
    agrees(lambda x, i, j, m: [x[i, j], x[m, i], x[m, :, j]], X, np.array([1]), np.array([[0], [2]]), np.array([True, False]))


def test_masks_of_full_and_of_partial_rank() -> None:
    agrees(
        lambda x, whole, rows, m, i: [x[whole], x[rows], x[m, 1:], x[0, :, m], x[rows, i]],
        X[:, :2, :2], X[:, :2, :2] % 5 > 1, np.array([[True, False], [True, True]]), np.array([False, True]), np.array([1, 0, -1]),
    )  # fmt: skip


def test_masks_without_true_and_without_elements() -> None:
    agrees(lambda x, m, e: [x[m], x[e], x[m[:, :0]], x[m, 1], x[x[:, 0, 0] > 9.5]], X, np.zeros((2, 3), bool), np.zeros(0, bool))


@pytest.mark.parametrize(
    "index",
    [
        lambda x, i: x[i], lambda x, i: x[:, i], lambda x, i: x[..., i], lambda x, i: np.take(x, i, 2), lambda x, i: x[i, i],
        lambda x, i: x[i > 0], lambda x, i: x[:, i > 0], lambda x, i: x[i[:2], i], lambda x, i: np.take(x, i),
    ],
)  # fmt: skip
def test_positions_that_do_not_exist(index: Any) -> None:
    try:
        index(X, np.array([30, 0, -9]))
    except IndexError:
        refused(index, X, np.array([30, 0, -9]))
    else:
        agrees(index, X, np.array([30, 0, -9]))


def written(write: Any) -> Any:
    """A function that gives the changed array."""

    def function(x: Any, *others: Any) -> Any:
        y = x + 0
        write(y, *others)
        return y

    return function


def assign(key: Any) -> Any:
    def write(x: Any, value: Any, *others: Any) -> None:
        x[key(*others)] = value

    return written(write)


S = slice(None)


@pytest.mark.parametrize(
    ("key", "value", "others"),
    [
        (lambda i: i, np.array([[1.0], [2.0], [3.0]]), [np.array([0, 1, 0])]),
        (lambda i: (S, i), np.array([[1.0], [2.0], [3.0]]), [np.array([0, 1, 0])]),
        (lambda i, j: (i, S, j), np.arange(6.0).reshape(2, 3), [np.array([0, -1]), np.array([1, 1])]),
        (lambda i, j: (i, j), np.array([[[5.0]]]), [np.array([0, -1]), np.array([1, 1])]),
        (lambda i: (i, slice(1, None), 2), np.array([7, 8]), [np.array([0, -1])]),
        (lambda i: (i, None, 1), np.arange(4.0), [np.array([0, -1])]),
        (lambda m: m, np.arange(4.0), [np.array([False, True])]),
        (lambda m: (S, m), np.arange(8.0).reshape(2, 1, 4), [np.array([True, False, True])]),
        (lambda m: m, 5, [X > 7]),
        (lambda m: m, np.arange(16.0), [X > 7]),
        (lambda m: m, np.array([9.0]), [X > 7]),
        (lambda m: m, np.zeros(0), [X > 70]),
        (lambda m, i: (m, i), np.array([1.0, 2.0]), [np.array([[True, False, False], [False, True, False]]), np.array([3, -4])]),
    ],
)  # fmt: skip
def test_writes_by_index_arrays_and_masks(key: Any, value: Any, others: Any) -> None:
    agrees(assign(key), X, value, *others)


@pytest.mark.parametrize(
    ("key", "value", "others"),
    [
        (lambda i: i, np.ones(4), [np.array([0, 2])]),
        (lambda i: i, np.ones(3), [np.array([0, 1])]),
        (lambda i: i, np.ones((2, 1, 3, 4)), [np.array([0, 1])]),
        (lambda m: m, np.ones(3), [X > 7]),
        (lambda m: m, np.ones(2), [X > 70]),
        (lambda m: m, 1, [np.ones(3, bool)]),
        (lambda i, j: (i, j), 1, [np.array([0, 1]), np.array([0, 1, 2])]),
    ],
)  # fmt: skip
def test_writes_that_do_not_fit(key: Any, value: Any, others: Any) -> None:
    refused(assign(key), X, value, *others)


def test_of_positions_that_come_twice_the_last_value_stays() -> None:
    agrees(assign(lambda i: i), np.zeros(3), np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 2, 0, -1]))


def test_numbers_as_arrays_without_axes() -> None:
    agrees(lambda x: [x[()], x[None], x[..., None, None], x[...] + 1], np.float32(2.5))

    def write(x: Any, value: Any) -> Any:
        y = np.zeros_like(x)
        y[()] = value
        return x + y

    agrees(write, np.float32(2.5), 3)


def test_positions_of_what_is_true() -> None:
    agrees(
        lambda x, m, e: [*np.nonzero(x), *np.where(m), np.flatnonzero(x), np.argwhere(m), np.argwhere(e), *np.nonzero(e),
                         np.flatnonzero(m.T)],
        np.array([0, 3, 0, -1]), X % 3 < 1, np.zeros((0, 2)),
    )  # fmt: skip


def test_compress_and_extract() -> None:
    agrees(
        lambda x, c: [
            np.compress(c, x, 0), np.compress(c, x[:, ::-1], -1), np.compress(c, x), np.compress(x[:, 0, 0] > 99, x, 0),
            np.extract(x > 5, x), np.extract(x.T > 5, x.T),
        ],
        X, np.array([0, 2]),
    )  # fmt: skip
    refused(lambda x, c: np.compress(c, x, 0), X, np.array([0, 2, 1]))


def test_take_wraps_and_clips() -> None:
    agrees(
        lambda x, i, n: [
            np.take(x, i, 1, mode="wrap"), np.take(x, i, mode="clip"), np.take(x, n, 0), np.take(x, n),
            np.take(x.T, i[:, None], 0, mode="clip"),
            np.take(x[:, :0], i[:0], 1),
        ],
        X, np.array([7, -30, 2]), -1,
    )  # fmt: skip
    refused(lambda x, i: np.take(x, i, 1, mode="clip"), X[:, :0], np.array([0]))


def test_along_an_axis() -> None:
    order = np.argsort(-X, axis=1)
    agrees(
        lambda x, o, one: [
            np.take_along_axis(x, o, 1), np.take_along_axis(x, o[:, :1], -2), np.take_along_axis(x, one, 2),
            np.take_along_axis(x, o.ravel(), None),
            np.take_along_axis(x[:1], o, 1),
        ],
        X, order, np.array([[[0], [-1], [2]]]),
    )  # fmt: skip
    agrees(written(lambda x, o, v: np.put_along_axis(x, o, v, 1)), X, order, np.arange(4.0))
    agrees(written(lambda x, o, v: np.put_along_axis(x, o, v, None)), X, np.array([3, -1, 3]), np.arange(3))
    refused(lambda x, o: np.take_along_axis(x, o, 1), X, order + 1)
    refused(written(lambda x, o: np.put_along_axis(x, o, 0, 1)), X, order + 1)
