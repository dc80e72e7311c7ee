"""NumPy's statistics and histograms, called on tensors as on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.spec import spec_of
from hybrid.ir.trace import trace

RNG = np.random.default_rng(3)
A = RNG.normal(size=(3, 4))
F = A.astype("float32")
I = RNG.integers(0, 9, (3, 4)).astype("int16")  # noqa: E741
NAN = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, 6.0]])
Q = np.array([0.1, 0.5, 0.9])
W = np.array([0.5, 1.0, 2.0, 0.25])
X, Y = RNG.normal(size=20), RNG.normal(size=20)
METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
    "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
]  # fmt: skip

CALLS: dict[str, tuple[Any, ...]] = {
    "median": (lambda a: np.median(a), A),
    "median axis": (lambda a: np.median(a, 1), F),
    "median axes kept": (lambda a: np.median(a, axis=(0, 1), keepdims=True), I),
    "median out": (lambda a, o: np.median(a, axis=0, out=o), A, np.zeros(4)),
    "median overwrite": (lambda a: np.median(a + 0, axis=0, overwrite_input=True), A),
    "median nan": (lambda a: np.median(a, axis=0), NAN),
    "percentile": (lambda a: np.percentile(a, 30), A),
    "percentile list": (lambda a: np.percentile(a, [25, 50], axis=0), A),
    "percentile float32": (lambda a: np.percentile(a, 30.0), F),
    "percentile float32 list": (lambda a: np.percentile(a, [30]), F),
    "percentile array": (lambda a, q: np.percentile(a, q, axis=1, keepdims=True), I, Q),
    "percentile positional": (lambda a, q: np.percentile(a, q, 0, None, False, "lower", True), I, Q),
    "percentile axes": (lambda a: np.percentile(a, 50, axis=(0, 1)), A),
    "percentile axes as a list": (lambda a: np.percentile(a, 50, axis=[0]), A),
    "percentile out": (lambda a, o: np.percentile(a, 50, axis=0, out=o), A, np.zeros(4)),
    "percentile out narrower": (lambda a, o: np.percentile(a, 50, axis=0, out=o), A, np.zeros(4, "f4")),
    "percentile outside": (lambda a: np.percentile(a, 101), A),
    "percentile q with three axes": (lambda a, q: np.percentile(a, q), A, np.zeros((1, 1, 1))),
    "percentile unknown method": (lambda a: np.percentile(a, 5, method="best"), A),
    "percentile complex": (lambda a: np.percentile(a, 5), np.array([1j, 2])),
    "percentile of nothing": (lambda a: np.percentile(a, 5), np.zeros(0)),
    "percentile weights": (lambda a, w: np.percentile(a, [20, 60], axis=1, weights=w, method="inverted_cdf"), A, W),
    "percentile weights of another method": (lambda a, w: np.percentile(a, 20, axis=1, weights=w), A, W),
    "percentile weights without axis": (lambda a, w: np.percentile(a, 20, weights=w, method="inverted_cdf"), A, W),
    "percentile weights of another shape": (lambda a, w: np.percentile(a, 20, axis=0, weights=w, method="inverted_cdf"), A, W),
    "quantile": (lambda a: np.quantile(a, 0.3, axis=-1), A),
    "quantile integer q": (lambda a: np.quantile(a, 1), I),
    "quantile array": (lambda a, q: np.quantile(a, q), F, Q),
    "quantile float32 q": (lambda a, q: np.quantile(a, q), F, Q.astype("f4")),
    "quantile nan": (lambda a: np.quantile(a, 0.3, axis=0), NAN),
    "quantile tensor q": (lambda a, q: np.quantile(a, q[1]), F, Q),
    "average": (lambda a: np.average(a), I),
    "average weights": (lambda a, w: np.average(a, axis=1, weights=w), A, W),
    "average positional": (lambda a, w: np.average(a, 1, w, True, keepdims=True), F, W),
    "average weights as a list": (lambda a: np.average(a, axis=1, weights=[1, 2, 3, 4]), F),
    "average returned": (lambda a: np.average(a, axis=0, returned=True), I),
    "average zero weights": (lambda a: np.average(a, axis=1, weights=[0, 0, 0, 0]), A),
    "average weights without axis": (lambda a, w: np.average(a, weights=w), A, W),
    "average weights of another shape": (lambda a, w: np.average(a, axis=0, weights=w), A, W),
    "average of nothing": (lambda a: np.average(a, axis=0), np.zeros((2, 0))),
    "cov": (lambda a: np.cov(a), A),
    "cov two": (lambda x, y: np.cov(x, y), X, Y),
    "cov columns": (lambda a: np.cov(a, rowvar=False), A),
    "cov positional": (lambda a, b: np.cov(a, b, False, True), A, A),
    "cov ddof": (lambda a: np.cov(a, ddof=0, dtype="f4"), A),
    "cov half a ddof": (lambda a: np.cov(a, ddof=0.5), A),
    "cov weights": (lambda a, w: np.cov(a, aweights=w, fweights=[1, 2, 3, 1]), A, W),
    "cov weights float32": (lambda a, w: np.cov(a, aweights=w, dtype="f4"), F, W),
    "cov negative weights": (lambda a, w: np.cov(a, aweights=-w), A, W),
    "cov weights of another size": (lambda a: np.cov(a, aweights=[1, 2]), A),
    "cov weights with two axes": (lambda a: np.cov(a, aweights=a), A),
    "cov broken fweights": (lambda a, w: np.cov(a, fweights=w), A, W),
    "cov one variable": (lambda x: np.cov(x), X),
    "cov three axes": (lambda a: np.cov(a[None]), A),
    "cov complex": (lambda a: np.cov(a * 1j), F),
    "corrcoef": (lambda a: np.corrcoef(a), A),
    "corrcoef two": (lambda x, y: np.corrcoef(x, y), X, Y),
    "corrcoef columns": (lambda a: np.corrcoef(a, rowvar=False, dtype="f4"), F),
    "corrcoef one": (lambda x: np.corrcoef(x), X),
    "histogram": (lambda a: np.histogram(a), X),
    "histogram bins": (lambda a: np.histogram(a, 5), F),
    "histogram integers": (lambda a: np.histogram(a, bins=4), I),
    "histogram range": (lambda a: np.histogram(a, bins=4, range=(0, 1)), F),
    "histogram range of tensors": (lambda a: np.histogram(a, bins=4, range=(a.min(), a.max())), F),
    "histogram edges": (lambda a: np.histogram(a, bins=[-1, 0, 1]), X),
    "histogram edges of a tensor": (lambda a, b: np.histogram(a, b), X, Q),
    "histogram number of a tensor": (lambda a, b: np.histogram(a, b[0]), X, np.array([4])),
    "histogram size as bins": (lambda a: np.histogram(a, a.shape[0]), X),
    "histogram density": (lambda a: np.histogram(a, bins=4, density=True), X),
    "histogram weights": (lambda a, w: np.histogram(a, bins=4, weights=w), X, Y),
    "histogram integer weights": (lambda a: np.histogram(a, bins=4, weights=a), I),
    "histogram complex weights": (lambda a, w: np.histogram(a, bins=4, weights=w * 1j, density=True), X, Y),
    "histogram positional": (lambda a, w: np.histogram(a, 3, (-1, 1), True, w), X, Y),
    "histogram rule": (lambda a: np.histogram(a, bins="auto"), X),
    "histogram rule, range": (lambda a: np.histogram(a, bins="fd", range=(-1, 1)), X),
    "histogram rule, weights": (lambda a: np.histogram(a, bins="fd", weights=a), X),
    "histogram unknown rule": (lambda a: np.histogram(a, bins="best"), X),
    "histogram no bins": (lambda a: np.histogram(a, bins=0), X),
    "histogram decreasing": (lambda a: np.histogram(a, bins=[1, 0]), X),
    "histogram table as edges": (lambda a: np.histogram(a, bins=[[1, 0]]), X),
    "histogram other weights": (lambda a, w: np.histogram(a, weights=w), X, W),
    "histogram nan": (lambda a: np.histogram(a), NAN),
    "histogram of nothing": (lambda a: np.histogram(a, bins=2), np.zeros(0, "f4")),
    "histogram of booleans": (lambda a: np.histogram(a, bins=2), X > 0),
    "histogram of one value": (lambda a: np.histogram(a, bins=2), np.array([3, 3])),
    "histogram of small integers": (lambda a: np.histogram(a, bins=3), np.array([-128, 127, 5], "i1")),
    "histogram_bin_edges": (lambda a: np.histogram_bin_edges(a, 4), X),
    "histogram_bin_edges rule": (lambda a: np.histogram_bin_edges(a, "sturges", (-1, 1)), X),
    "histogram_bin_edges edges": (lambda a: np.histogram_bin_edges(a, bins=[1, 2]), X),
    "histogram2d": (lambda x, y: np.histogram2d(x, y), X, Y),
    "histogram2d bins": (lambda x, y: np.histogram2d(x, y, bins=[3, 4], range=[[-1, 1], [0, 2]]), X, Y),
    "histogram2d edges": (lambda x, y: np.histogram2d(x, y, [-1, 0, 1], density=True), X, Y),
    "histogram2d both": (lambda x, y: np.histogram2d(x, y, bins=[3, np.array([0.0, 1.0])], weights=y), X, Y),
    "histogram2d ranges of tensors": (lambda x, y: np.histogram2d(x, y, 3, [[x.min(), x.max()], [y.min(), 2]]), X, Y),
    "histogram2d one bin": (lambda x, y: np.histogram2d(x, y, bins=[3]), X, Y),
    "histogramdd": (lambda p: np.histogramdd(p, bins=2), A),
    "histogramdd float32": (lambda p: np.histogramdd(p, bins=(2, 3, 2, 1), density=True), F),
    "histogramdd ranges": (lambda p: np.histogramdd(p, (2, [0, 1], 2, 1), [None, None, (0, 1), None]), A),
    "histogramdd one": (lambda p: np.histogramdd(p, 4), X),
    "histogramdd bins": (lambda p: np.histogramdd(p, bins=(2, 2)), A),
    "histogramdd range": (lambda p: np.histogramdd(p, range=[(0, 1)]), A),
    "bincount": (lambda a: np.bincount(a), I.ravel()),
    "bincount weights": (lambda a, w: np.bincount(a, weights=w), np.array([0, 3, 1, 1]), W),
    "bincount minlength": (lambda a: np.bincount(a, None, 20), I.ravel()),
    "bincount of nothing": (lambda a: np.bincount(a, minlength=2), np.zeros(0, int)),
    "bincount negative": (lambda a: np.bincount(a), np.array([1, -1])),
    "bincount floats": (lambda a: np.bincount(a), X),
    "bincount table": (lambda a: np.bincount(a), I),
    "bincount weights of another size": (lambda a, w: np.bincount(a, w), I.ravel(), W),
    "digitize": (lambda a, b: np.digitize(a, b), X, Q),
    "digitize right": (lambda a: np.digitize(a, [3, 1, 0], right=True), I),
    "digitize number": (lambda b: np.digitize(0.3, b), Q),
    "digitize up and down": (lambda a: np.digitize(a, [0, 2, 1]), X),
    "digitize complex": (lambda a, b: np.digitize(a * 1j, b), X, Q),
}


@pytest.mark.parametrize("case", CALLS)
def test_call(case: str) -> None:
    call, *arrays = CALLS[case]
    check(call, *arrays)
    check_graph(call, *arrays)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("array", [A, F, I], ids=str)
def test_every_method_of_quantiles(array: np.ndarray, method: str) -> None:
    for call in (lambda a: np.quantile(a, [0.2, 0.7], axis=1, method=method), lambda a: np.percentile(a, 33, method=method)):
        check(call, array)
        check_graph(call, array)


def test_coordinates_as_a_sequence() -> None:
    want, edges = np.histogramdd([X, Y], bins=(2, 3))
    got, got_edges = hybrid.ops.histogram.histogramdd([hybrid.asarray(X), hybrid.asarray(Y)], bins=(2, 3))
    assert np.array_equal(got, want)
    assert all(np.array_equal(g, e) for g, e in zip(got_edges, edges, strict=True))


def test_number_of_bins_is_a_size() -> None:
    graph = trace(lambda a: np.histogram(a, 7), "f4[n]")
    assert [str(v.spec) for v in graph.outputs] == ["int64[7]", "float32[8]"]


def test_length_that_only_values_tell() -> None:
    graph = trace(lambda a: np.bincount(a), "i8[n]")
    assert str(graph.outputs[0].spec) == "int64[u0]"


def test_lengths_must_agree() -> None:
    check(lambda x, y: np.histogram2d(x, y), X, W)
    with pytest.raises(ValueError, match="x and y must have the same length"):
        trace(lambda x, y: np.histogram2d(x, y), spec_of(X), spec_of(W))


def test_points_with_too_many_axes() -> None:
    with pytest.raises(ValueError, match="wanted points as an array with 2 axes"):
        hybrid.ops.histogram.histogramdd(hybrid.asarray(np.zeros((2, 2, 2))))
    with pytest.raises(ValueError):
        trace(lambda a: np.histogramdd(a), spec_of(np.zeros((2, 2, 2))))
