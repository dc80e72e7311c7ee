"""Counting into bins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike, unknown
from hybrid.core.dtypes import BOOL, FLOATS, INTEGERS
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.ops._infer import dtype_as_run, may_agree
from hybrid.ops._samples import given, sample

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]

REAL = BOOL + INTEGERS + FLOATS
COUNT = np.dtype(np.intp)
ESTIMATORS = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")

Bins: TypeAlias = "int | str | Any"


# -- one variable ---------------------------------------------------------------------------------------------------
@explained
def histogram(x: Any, /, *, bins: Bins = 10, range: Any = None, density: bool = False, weights: Any = None) -> Any:
    """How many elements fall into each bin.

    Args:
        x: any shape, real; it is flattened.
        bins: the number of bins of equal width, the name of a rule for it (``"auto"``, ``"sturges"``, …), or the edges of the
            bins in increasing order; the last bin includes its right edge.
        range: the outer edges (low, high) of bins of equal width; the smallest and the largest element if not given.
        density: divide the counts, so that the integral over the bins is 1.
        weights: what each element counts, of the shape of ``x``; 1 if not given.

    Returns:
        The counts, int64, or of the dtype of the weights, or float64 for a density; and the edges, one more than the bins.
        Elements outside of the bins, and nan where the bins are given, don't count.

    Raises:
        ValueError: for edges that decrease, no bins, an unknown rule, weights of another shape, and values or a range that are
            not finite.
        TypeError: for weights together with a rule.

    >>> hybrid.histogram(hybrid.asarray([1.0, 2.0, 1.0, 4.0]), bins=3)
    (Tensor([2, 1, 1], dtype=int64), Tensor([1., 2., 3., 4.], dtype=float64))
    """
    number, edges = _number_or_edges(bins)
    counts, places = _histogram(x, edges=edges, range=range, weights=weights, bins=number, density=bool(density))
    return counts, _as_given(places, edges)


@explained
def histogram_bin_edges(x: Any, /, *, bins: Bins = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of the bins that ``hybrid.histogram`` would use.

    Args:
        x: any shape, real; it is flattened.
        bins: the number of bins of equal width, the name of a rule for it, or the edges themselves.
        range: the outer edges (low, high); the smallest and the largest element if not given.
        weights: of the shape of ``x``; not used, and not allowed with a rule.

    Returns:
        The edges, one more than the bins, floating-point.

    Raises:
        ValueError, TypeError: as ``hybrid.histogram``.

    >>> hybrid.histogram_bin_edges(hybrid.asarray([0, 1, 4]), bins=2)
    Tensor([0., 2., 4.], dtype=float64)
    """
    number, edges = _number_or_edges(bins)
    places = _histogram_bin_edges(x, edges=edges, range=range, weights=weights, bins=number)
    return _as_given(places, edges)


def _number_or_edges(bins: Any) -> tuple[Any, Any]:
    """What ``bins=`` says: a number or a rule, which is static, or edges, which are an array."""
    return (bins, None) if isinstance(bins, int | np.integer | str | Dim) else (1, bins)


def _as_given(places: Any, edges: Any) -> Any:
    """The edges of the result: the ones that were given, if they were, and not a copy; without axes they are a number of bins."""
    return places if edges is None or not np.ndim(edges) else asarray(edges)


def _countable(x: Any) -> Any:
    """The argument as an array whose elements can be subtracted."""
    array = np.asarray(x)
    return array.view(np.uint8) if array.dtype == bool else array


def _counts(x: Any, edges: Any, low: Any, high: Any, weights: Any, *, density: bool) -> Any:
    limits = None if low is None else (low, high)
    return np.histogram(_countable(x), 1 if edges is None else edges, limits, density, weights)


def _limits(limits: Any) -> tuple[Spec | None, Spec | None]:
    """The two ends of a range."""
    if limits is None:
        return None, None
    if len(limits) != 2:
        raise ValueError(f"wanted the pair (low, high) for range, received {len(limits)} values")
    return limits[0], limits[1]


def _number_of_bins(bins: Any, edges: Spec | None, weights: Spec | None) -> DimLike:
    if edges is not None:
        if edges.ndim > 1:
            raise ValueError("`bins` must be 1d, when an array")
        return edges.shape[0] - 1 if edges.ndim else unknown("bins")
    if isinstance(bins, str):
        if bins not in ESTIMATORS:
            raise ValueError(f"{bins!r} is not a valid estimator for `bins`")
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
        return unknown("bins")
    if isinstance(bins, int) and bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return bins


def _histogram_specs(
    x: Spec, edges: Spec | None = None, range: Any = None, weights: Spec | None = None, *, bins: Any = 10, density: bool = False
) -> tuple[Spec, Spec]:
    if weights is not None and not may_agree(weights.shape, x.shape):
        raise ValueError("weights should have the same shape as a.")
    number = _number_of_bins(bins, edges, weights)
    low, high = _limits(range)
    edges = edges if edges is None or edges.ndim else None  # the number of bins has no part in the dtypes
    weights = weights if weights is None else weights.with_shape(x.shape)
    counts, places = dtype_as_run(_counts, x, edges, low, high, weights, density=density)
    return Spec(counts, (number,)), Spec(places, (number + 1,))


BINS = [
    sample((12,)), sample((3, 4), bins=4), sample((12,), given([-2.0, 0.0, 0.5, 3.0])), sample((12,), None, [given(0), given(2)], bins=3),
    sample((0,), bins=2), sample((), bins=2), sample((2, 3), None, None, given([[1, 2, 3], [4, 5, 6]]), bins=3),
    sample((12,), bins="sturges"), sample((6,), given([0, 1, 2]), None, given([0.5, 1.0, 1.5, 2.0, 2.5, 3.0])),
]  # fmt: skip


@op(
    infer=_histogram_specs, name="histogram", tensors=("edges", "range", "weights"), sequences=("range",), dtypes=REAL,
    no_gradient="piecewise constant",
    samples=[*BINS, sample((12,), bins=5, density=True), sample((12,), given([-2.0, 0.0, 0.5, 3.0]), density=True),
             sample((6,), None, None, given([1j, 2, 3, 4, 5, 6]), bins=2)],
)  # fmt: skip
def _histogram(x, /, *, edges: Any = None, range: Any = None, weights: Any = None, bins: int | str = 10, density: bool = False):
    """The operation of ``hybrid.histogram``: ``edges`` stand beside the number of ``bins``.

    >>> hybrid.histogram(hybrid.asarray([1.0, 2.0, 1.0, 4.0]), bins=[0, 2, 4])
    (Tensor([2, 2], dtype=int64), Tensor([0, 2, 4], dtype=int64))
    """
    return np.histogram(_countable(x), bins if edges is None else edges, range, density, weights)


def _edge_specs(x: Spec, edges: Spec | None = None, range: Any = None, weights: Spec | None = None, *, bins: Any = 10) -> Spec:
    places = _histogram_specs(x, edges, range, weights, bins=bins)[1]
    return places.with_shape([unknown("edges")]) if places.symbols == {"?bins"} else places


@op(
    infer=_edge_specs, name="histogram_bin_edges", tensors=("edges", "range", "weights"), sequences=("range",), dtypes=REAL, samples=BINS,
)  # fmt: skip
def _histogram_bin_edges(x, /, *, edges: Any = None, range: Any = None, weights: Any = None, bins: int | str = 10):
    """The operation of ``hybrid.histogram_bin_edges``: ``edges`` stand beside the number of ``bins``.

    >>> hybrid.histogram_bin_edges(hybrid.asarray([1.0, 2.0]), bins=2, range=(0, 3))
    Tensor([0. , 1.5, 3. ], dtype=float64)
    """
    return np.histogram_bin_edges(_countable(x), bins if edges is None else edges, range, weights)


@_histogram.from_numpy(np.histogram)
def _(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    return histogram(a, bins=bins, range=range, density=bool(density), weights=weights)


stands_for(np.histogram_bin_edges)(histogram_bin_edges)


# -- several variables ----------------------------------------------------------------------------------------------
@explained
def histogramdd(sample: Any, /, *, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None) -> Any:
    """How many points fall into each cell of a grid.

    Args:
        sample: an array with a point in each row, or a sequence of coordinates: an array for each axis of the grid.
        bins: the number of bins along every axis, or a sequence with a number or the edges for each.
        range: for each axis the outer edges (low, high) or ``None``.
        density: divide the counts, so that the integral over the grid is 1.
        weights: what each point counts, on one axis; 1 if not given.

    Returns:
        The counts, float64, with an axis for each coordinate; and the list of the edges along each.

    Raises:
        ValueError: for edges that decrease, no bins, and sequences that don't have one entry for each axis.

    >>> counts, edges = hybrid.histogramdd(hybrid.asarray([[0.0, 0.0], [1.0, 2.0], [1.0, 1.5]]), bins=2)
    >>> counts
    Tensor([[1., 0.],
            [0., 2.]], dtype=float64)
    """
    points, count = _points(sample)
    numbers, edges = _grid(bins, count)
    limits, bounded = _flat_range(range, count)
    results = _histogramdd(points, edges, limits, weights=weights, bins=numbers, bounded=bounded, density=bool(density))
    given = iter(edges)
    return results[0], [_as_given(places, None if n is not None else next(given)) for places, n in zip(results[1:], numbers, strict=True)]


@explained
def histogram2d(x: Any, y: Any, /, *, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None) -> Any:
    """How many points of a plane fall into each cell of a grid.

    Args:
        x: the first coordinates, on one axis.
        y: the second coordinates, as many.
        bins: the number of bins or the edges along both axes, or a pair with a number or the edges for each.
        range: ``((low, high), (low, high))``, the outer edges along each axis.
        density: divide the counts, so that the integral over the grid is 1.
        weights: what each point counts, on one axis; 1 if not given.

    Returns:
        The counts, float64, ``x`` along the first axis; the edges along ``x``; the edges along ``y``.

    Raises:
        ValueError: for lengths that differ, edges that decrease, and no bins.

    >>> hybrid.histogram2d(hybrid.asarray([0.0, 1.0, 1.0]), hybrid.asarray([0.0, 2.0, 1.5]), bins=2)[0]
    Tensor([[1., 0.],
            [0., 2.]], dtype=float64)
    """
    if not may_agree((_length(x),), (_length(y),)):
        raise ValueError("x and y must have the same length.")
    is_edges = not isinstance(bins, int | np.integer | Dim) and _length(bins) not in (1, 2)
    counts, edges = histogramdd([x, y], bins=[bins, bins] if is_edges else bins, range=range, density=density, weights=weights)
    return counts, edges[0], edges[1]


def _length(x: Any) -> DimLike:
    return x.shape[0] if hasattr(x, "shape") else len(x)


def _points(sample: Any) -> tuple[Any, int]:
    """An array with a point in each row, and how many coordinates each has."""
    points = asarray(sample)
    if len(points.shape) == 1:
        return points[:, None], 1
    if len(points.shape) != 2:
        raise ValueError(f"wanted points as an array with 2 axes, or a sequence of coordinates, received {sample!r:.80}")
    points = points.T if isinstance(sample, list | tuple) else points
    return points, int(points.shape[1])


def _grid(bins: Any, count: int) -> tuple[tuple[Any, ...], list[Any]]:
    """For each axis the number of bins, or ``None`` where there are edges; and those edges."""
    if isinstance(bins, int | np.integer | Dim):
        return (bins,) * count, []
    if len(bins) != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    is_number = [isinstance(n, int | np.integer | Dim) for n in bins]
    numbers = tuple(n if number else None for n, number in zip(bins, is_number, strict=True))
    return numbers, [edges for edges, number in zip(bins, is_number, strict=True) if not number]


def _flat_range(range: Any, count: int) -> tuple[list[Any], tuple[bool, ...]]:
    """The outer edges that are given, one after another; and for each axis whether they are."""
    if range is None:
        return [], (False,) * count
    if len(range) != count:
        raise ValueError("range argument must have one entry per dimension")
    return [end for pair in range if pair is not None for end in pair], tuple(pair is not None for pair in range)


def _by_axis(edges: Sequence[Any], limits: Sequence[Any], bins: Sequence[Any], bounded: Sequence[bool]) -> Iterator[tuple[Any, Any]]:
    """For each axis the number of bins or the edges, and the range, as NumPy takes them."""
    arrays, ends = iter(edges), iter(limits)
    for number, has_range in zip(bins, bounded, strict=True):
        yield next(arrays) if number is None else number, (next(ends), next(ends)) if has_range else None


def _grid_specs(points: Any, edges: Any, limits: Any, weights: Any = None, *, bins: Any, bounded: Any, density: bool = False) -> Any:
    if weights is not None and not (np.can_cast(weights.dtype, np.float64, "safe") and weights.ndim == 1):
        raise TypeError(f"Cannot cast array data from {weights.dtype!r} to dtype('float64') according to the rule 'safe'")
    along = [_edge_spec(points, i, *axis) for i, axis in enumerate(_by_axis(edges, limits, bins, bounded))]
    return Spec(np.dtype("float64"), tuple(e.shape[0] - 1 for e in along)), *along


def _edge_spec(points: Spec, i: int, number: Any, limits: Any) -> Spec:
    """The edges along one axis, of which the edges themselves or their number is given."""
    if isinstance(number, int) and number < 1:
        raise ValueError(f"`bins[{i}]` must be positive, when an integer")
    if limits is None and points.shape[0] == 0:
        limits = (NUMBER, NUMBER)  # NumPy takes 0 and 1
    is_array = isinstance(number, Spec)
    size = number.shape[0] if is_array and number.ndim else (unknown(f"bins{i}") if is_array else number) + 1
    dtype = dtype_as_run(_edges, points.with_shape((1, 1)), number if is_array and number.ndim else None, *(limits or (None, None)))
    return Spec(dtype, (size,))


def _edges(points: Any, edges: Any, low: Any, high: Any) -> Any:
    return np.histogramdd(points, [1 if edges is None else edges], None if low is None else [(low, high)])[1][0]


NUMBER = Spec(np.dtype("int64"), (), weak=True)
PLANE = given([[0.0, 1.0, 0.5], [2.0, -1.0, 0.5], [1.0, 1.0, 0.0], [0.5, 0.25, 2.0]])


UNBOUNDED = {"bounded": (False, False)}


@op(
    infer=_grid_specs, name="histogramdd", tensors=("weights",), sequences=("edges", "limits"), dtypes=REAL,
    no_gradient="piecewise constant",
    samples=[
        sample((5, 2), [], [], bins=(2, 3), **UNBOUNDED), sample((4, 2), [given([-3.0, 0.0, 3.0])], [], bins=(2, None), **UNBOUNDED),
        sample((6, 1), [], [given(-1), given(2)], bins=(4,), bounded=(True,)), sample((0, 1), [], [], bins=(2,), bounded=(False,)),
        sample(PLANE, [given([0, 1, 2])], [given(0.0), given(1.5)], given([1.0, 2.0, 0.5, 1.0]), density=True,
               bins=(3, None, 2), bounded=(False, False, True)),
    ],
)  # fmt: skip
def _histogramdd(points, edges, limits, /, *, weights: Any = None, bins: Any, bounded: Any, density: bool = False):
    """The operation of ``hybrid.histogramdd``: ``edges`` of the axes without a number of ``bins``, ``limits`` of those ``bounded``.

    >>> hybrid.histogramdd([hybrid.asarray([0.0, 1.0, 1.0])], bins=[2], range=[(0, 2)])
    (Tensor([1., 2.], dtype=float64), [Tensor([0., 1., 2.], dtype=float64)])
    """
    by_axis = list(_by_axis(edges, limits, bins, bounded))
    counts, edges = np.histogramdd(points, [b for b, _ in by_axis], [r for _, r in by_axis], density, weights)
    return counts, *edges


@_histogramdd.from_numpy(np.histogramdd)
def _(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    return histogramdd(sample, bins=bins, range=range, density=bool(density), weights=weights)


@_histogramdd.from_numpy(np.histogram2d)
def _(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    return histogram2d(x, y, bins=bins, range=range, density=bool(density), weights=weights)


# -- whole numbers and positions ------------------------------------------------------------------------------------
def _bincount_spec(x: Spec, weights: Spec | None = None, minlength: Spec | None = None) -> Spec:
    if x.ndim != 1:
        raise ValueError("object too deep for desired array" if x.ndim else "object of too small depth for desired array")
    if weights is not None and not may_agree(weights.shape, x.shape):
        raise ValueError("The weights and list don't have the same length.")
    return Spec(dtype_as_run(np.bincount, x, weights), (unknown("bins"),))


@op(
    infer=_bincount_spec, numpy=[np.bincount], tensors=("weights", "minlength"), dtypes=REAL,
    samples=[
        sample((6,), low=0, high=5), sample((0,)), sample((3,), None, given(7), low=0), sample(given([1, 3, 1, 0]), (4,)),
        sample((2, 2), low=0), sample(()),
    ],
)  # fmt: skip
def bincount(x, /, *, weights: Any = None, minlength: Any = None):
    """How often each of the numbers 0, 1, 2, … occurs.

    Args:
        x: whole numbers ≥ 0 on one axis, of a dtype that int64 can hold.
        weights: what each element counts; 1 if not given.
        minlength: the result has at least this size.

    Returns:
        On one axis, of a size above the largest element that only the values tell: int64 counts, or float64 sums of weights.

    Raises:
        ValueError: for negative numbers, and for weights of another size.
        TypeError: for floating-point numbers and uint64, and for complex weights.

    >>> hybrid.bincount(hybrid.asarray([0, 1, 1, 3])), hybrid.bincount(hybrid.asarray([1, 1]), weights=[0.5, 2.0])
    (Tensor([1, 2, 0, 1], dtype=int64), Tensor([0. , 2.5], dtype=float64))
    """
    return np.bincount(x, weights, 0 if minlength is None else minlength)


def _digitized(x: Spec, bins: Spec, *, right: bool = False) -> Spec:
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bins.dtype.kind == "c":
        raise TypeError(f"Cannot cast array data from {bins.dtype!r} to dtype('float64') according to the rule 'safe'")
    if bins.ndim != 1:
        raise ValueError("object too deep for desired array" if bins.ndim else "object of too small depth for desired array")
    return Spec(COUNT, x.shape)


EDGES = given([-2.0, 0.0, 0.5, 3.0])


@op(
    infer=_digitized, numpy=[np.digitize], dtypes=REAL, no_gradient="integer result",
    samples=[
        sample((3, 4), EDGES), sample((), EDGES), sample((0, 2), EDGES), sample((5,), given([3.0, 1.0, -1.0]), right=True),
        sample((5,), given([])), sample(given(1.5), given([0, 1, 2])), sample((3,), (2, 2)),
    ],
)  # fmt: skip
def digitize(x, bins, /, *, right: bool = False):
    """The number of the bin into which each element falls.

    Args:
        x: any shape, real.
        bins: the edges of the bins on one axis, increasing or decreasing.
        right: bins include their right edge, not their left one.

    Returns:
        For each element the position i with ``bins[i-1] <= x < bins[i]`` (increasing, not ``right``), 0 below the first edge and
        the number of edges beyond the last; int64.

    Raises:
        ValueError: for edges that go up and down, and for other than one axis.
        TypeError: for complex numbers.

    >>> hybrid.digitize(hybrid.asarray([0.2, 6.4, 3.0]), hybrid.asarray([0.0, 1.0, 3.0, 5.0]))
    Tensor([1, 4, 3], dtype=int64)
    """
    return np.digitize(x, bins, right)
