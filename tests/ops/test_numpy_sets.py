"""Set functions, called as NumPy users do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.spec import Spec
from hybrid.ops.sets import unique, unique_all, unique_counts, unique_inverse, unique_values

M = np.array([[3, 1, 3], [1, 1, 0]])
X = np.array([2.0, np.nan, 0.0, -0.0, np.nan, 2.0])
ROWS = np.array([[1, 2], [0, 5], [1, 2]])
A, B = np.array([5, 1, 3, 1]), np.array([3, 4, 5])

CALLS = [
    (lambda a: np.unique(a), M),
    (lambda a: np.unique(a), X),
    (lambda a: np.unique(a, equal_nan=False), X),
    (lambda a: np.unique(a, True, True, True), M),
    (lambda a: np.unique(a, return_index=True), X),
    (lambda a: np.unique(a, return_inverse=True), M),
    (lambda a: np.unique(a, return_counts=True, equal_nan=False), X),
    (lambda a: np.unique(a, axis=0), ROWS),
    (lambda a: np.unique(a, axis=0, return_index=True, return_inverse=True, return_counts=True), ROWS),
    (lambda a: np.unique(a, axis=-1, return_inverse=True), M),
    (lambda a: np.unique(a, sorted=False), M),
    (lambda a: np.unique(a), np.array(3)),
    (lambda a: np.unique(a, return_inverse=True), np.array(3)),
    (lambda a: np.unique(a), np.zeros((0, 3))),
    (lambda a: np.unique(a, axis=0), np.zeros((0, 3))),
    (lambda a: np.unique(a, axis=1, return_inverse=True), np.zeros((0, 3))),
    (lambda a: np.unique(a, axis=2), M),
    (lambda a: np.unique(a), M + 1j),
    (lambda a: np.unique(a), M > 1),
    (lambda a: np.unique_all(a), M),
    (lambda a: np.unique_all(a), X),
    (lambda a: np.unique_counts(a), X),
    (lambda a: np.unique_inverse(a), M),
    (lambda a: np.unique_values(a), M),
    (lambda a, b: np.union1d(a, b), A, B),
    (lambda a: np.union1d(a, [9.5, 1]), A),
    (lambda a, b: np.union1d(a, b), M, X),
    (lambda a, b: np.intersect1d(a, b), A, B),
    (lambda a, b: np.intersect1d(a, b, return_indices=True), A, B),
    (lambda a, b: np.intersect1d(a, b, assume_unique=True), A[:3], B),
    (lambda a, b: np.intersect1d(a, b, True, True), A[:3], B),
    (lambda a: np.intersect1d(a, [1.5]), M),
    (lambda a, b: np.setdiff1d(a, b), A, B),
    (lambda a, b: np.setdiff1d(a, b, assume_unique=True), A, B),
    (lambda a: np.setdiff1d(a, [np.nan]), X),
    (lambda a, b: np.setxor1d(a, b), A, B),
    (lambda a, b: np.setxor1d(a, b, assume_unique=True), A[:3], B),
    (lambda a: np.setxor1d(a, a), M),
    (lambda a, b: np.isin(a, b), M, B),
    (lambda a: np.isin(a, [1, 3], invert=True), M),
    (lambda a: np.isin(a, 3), M),
    (lambda a: np.isin(a, a), X),
    (lambda a, b: np.isin(a, b, kind="table"), M, B),
    (lambda a, b: np.isin(a, b, kind="sort"), M, B),
    (lambda a, b: np.isin(a, b, assume_unique=True), A[:3], B),
    (lambda a: np.isin(a, [1.0], kind="table"), X),
    (lambda a: np.isin(a, [1], kind="magic"), M),
    (lambda a: np.isin(a, [1, 3]), np.array(3)),
]


@pytest.mark.parametrize("case", CALLS)
def test_calls(case: tuple[Any, ...]) -> None:
    call, *arrays = case
    check(call, *arrays)
    check_graph(call, *arrays)


def test_named_results_of_the_array_api() -> None:
    everything = unique_all(hybrid.asarray(M))
    assert everything._fields == ("values", "indices", "inverse_indices", "counts")
    assert unique_counts(hybrid.asarray(M))._fields == ("values", "counts")
    values, inverse = unique_inverse(hybrid.asarray(M))
    np.testing.assert_array_equal(values.numpy()[inverse.numpy()], M)
    np.testing.assert_array_equal(everything.values.numpy(), M.ravel()[everything.indices.numpy()])


def test_every_nan_is_distinct_in_the_array_api_but_not_in_numpy() -> None:
    x = hybrid.asarray(X)
    assert [f(x).values.size for f in (unique_all, unique_counts, unique_inverse)] == [4, 4, 4]
    assert unique_values(x).size == 4 and unique(x).size == 3
    assert unique_counts(x).counts.tolist() == [2, 2, 1, 1]


def test_zeros_of_both_signs_are_one() -> None:
    assert unique_values(hybrid.asarray([0.0, -0.0])).size == 1


def test_sizes_have_one_name() -> None:
    values, indices, inverse, counts = unique_all.infer(Spec.parse("f64[n, 3]"))
    assert values.shape == indices.shape == counts.shape != inverse.shape
    assert str(inverse) == "int64[n, 3]"
