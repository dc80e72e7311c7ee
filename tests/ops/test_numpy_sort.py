"""Sorting and searching, called as NumPy users do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ops.calls import check, check_graph

import hybrid
from hybrid.core.dtypes import DTYPES
from hybrid.ops.sort import argsort, sort

X = np.array([[3.0, -1.0, 2.0, 2.0], [0.0, np.nan, -0.0, 1.0], [np.inf, 5.0, np.nan, -np.inf]])
M = np.array([[3, 1, 2, 1], [0, 7, 7, 5]])
V = np.array([4, 1, 3, 1])
C = np.array([1 + 2j, 1 - 1j, 0, 1 + 1j, complex(np.nan, 0)])

CALLS = [
    (lambda a: np.sort(a), X),
    (lambda a: np.sort(a, 0), X),
    (lambda a: np.sort(a, axis=None), X),
    (lambda a: np.sort(a, kind="stable"), X),
    (lambda a: np.sort(a, axis=1, kind="heapsort"), M),
    (lambda a: np.sort(a, stable=True), M),
    (lambda a: np.sort(a), C),
    (lambda a: np.sort(a), M > 2),
    (lambda a: np.sort(a), np.zeros((0, 3))),
    (lambda a: np.sort(a), np.array(3)),
    (lambda a: np.sort(a, axis=2), M),
    (lambda a: np.sort(a, kind="bogo"), M),
    (lambda a: np.sort(a, kind="stable", stable=True), M),
    (lambda a: np.sort(a, order="x"), M),
    (lambda a: np.argsort(a), X),
    (lambda a: np.argsort(a, axis=0, kind="stable"), M),
    (lambda a: np.argsort(a, None, stable=True), M),
    (lambda a: np.argsort(a, kind="heapsort"), M),
    (lambda a: np.argsort(a), np.array(3)),
    (lambda a: a.argsort(), V),
    (lambda a: a.argsort(0, kind="mergesort"), M),
    (lambda a: np.partition(a, 1), V),
    (lambda a: np.partition(a, [0, -1], axis=1), M),
    (lambda a: np.partition(a, 5, axis=None), M),
    (lambda a: np.partition(a, (1, 2), axis=0), X),
    (lambda a: np.partition(a, 4), M),
    (lambda a: np.partition(a, 1.0), M),
    (lambda a: np.partition(a, True), M),
    (lambda a: np.partition(a, 0), np.array(3)),
    (lambda a: np.partition(a, 0, kind="bogo"), M),
    (lambda a: np.argpartition(a, 2), V),
    (lambda a: np.argpartition(a, -1, axis=0), M),
    (lambda a: np.argpartition(a, 0), np.array(3)),
    (lambda a: a.argpartition(1), M),
    (lambda a: a.argpartition(1, axis=None), M),
    (lambda a, b: np.lexsort((a, b)), V, V % 2),
    (lambda a: np.lexsort(a), M),
    (lambda a: np.lexsort((a, -a), axis=0), M),
    (lambda a: np.lexsort((a > 1, a)), V),
    (lambda a: np.lexsort(()), V),
    (lambda a, b: np.lexsort((a, b)), V, M),
    (lambda a: np.lexsort((a,), axis=1), V),
    (lambda a: np.searchsorted(a, 2.5), np.sort(V)),
    (lambda a: np.searchsorted(a, [1, 3], side="right"), np.sort(V)),
    (lambda a, v: np.searchsorted(a, v, "right"), np.sort(V), M),
    (lambda a: np.searchsorted(a, a, sorter=np.argsort(a)), V),
    (lambda a, s: a.searchsorted(2, side="left", sorter=s), V, np.argsort(V)),
    (lambda a: np.searchsorted(a, [np.nan, np.inf, -np.inf]), np.array([1.0, 2.0, np.nan])),
    (lambda a: np.searchsorted(a, 1), M),
    (lambda a: np.searchsorted(a, 1), np.array(3)),
    (lambda a: np.searchsorted(a, 1, side="middle"), V),
    (lambda a: np.searchsorted(a, 1, sorter=[0, 1]), V),
    (lambda a: np.searchsorted(a, 1, sorter=np.ones(4)), V),
    (lambda a: np.sort_complex(a), V),
    (lambda a: np.sort_complex(a), X),
    (lambda a: np.sort_complex(a), C),
    (lambda a: np.sort_complex(a), M.astype("int8")),
    (lambda a: np.sort_complex(a), np.array(3)),
]


@pytest.mark.parametrize("case", CALLS)
def test_calls(case: tuple[Any, ...]) -> None:
    call, *arrays = case
    check(call, *arrays)
    check_graph(call, *arrays)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_in_both_orders(dtype: np.dtype) -> None:
    x = np.array([[3, 1, 2, 1], [0, 7, 7, 5]]).astype(dtype)
    for axis in (0, 1, -1):
        up = sort(hybrid.asarray(x), axis=axis).numpy()
        np.testing.assert_array_equal(up, np.sort(x, axis=axis))
        np.testing.assert_array_equal(sort(hybrid.asarray(x), axis=axis, descending=True).numpy(), np.flip(up, axis))


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 3))
def test_descending_keeps_the_order_of_equals(numbers: list[int], rows: int) -> None:
    x = np.array([numbers] * rows, dtype="int64")
    wanted = sorted(range(len(numbers)), key=lambda i: -numbers[i])  # Python's sort is stable
    got = argsort(hybrid.asarray(x), descending=True)
    np.testing.assert_array_equal(got.numpy(), [wanted] * rows)
    np.testing.assert_array_equal(argsort(hybrid.asarray(x.T), axis=0, descending=True).numpy(), np.array([wanted] * rows).T)


def test_descending_over_all_elements_and_without_axes() -> None:
    x = hybrid.asarray(M)
    assert argsort(x, axis=None, descending=True).tolist() == [5, 6, 7, 0, 2, 1, 3, 4]
    assert sort(x, axis=None, descending=True).tolist() == [7, 7, 5, 3, 2, 1, 1, 0]
    assert argsort(hybrid.asarray(3), descending=True).tolist() == [0]


def test_equal_zeros_keep_their_order_and_nan_goes_to_the_end() -> None:
    x = hybrid.asarray([0.0, np.nan, -0.0, -1.0, 0.0])
    assert np.signbit(sort(x).numpy()).tolist()[1:4] == [False, True, False]
    assert argsort(x).tolist() == [3, 0, 2, 4, 1]
    assert argsort(x, descending=True).tolist() == [1, 0, 2, 4, 3]


def test_sorting_leaves_its_argument_alone() -> None:
    x = hybrid.asarray([3, 1, 2])
    sort(x, descending=True)[0] = 9
    np.sort(x)
    assert x.tolist() == [3, 1, 2]


def test_results_lie_in_order_in_memory() -> None:
    x = hybrid.asarray(np.ones((3, 4)))
    for axis in (0, 1, None):
        assert sort(x, axis=axis, descending=True).numpy().flags.c_contiguous
        assert argsort(x, axis=axis, descending=True).numpy().flags.c_contiguous
