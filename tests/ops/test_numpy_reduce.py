"""NumPy's reductions and running sums, called on tensors as on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.interpreter import interpreting
from hybrid.core.spec import spec_of
from hybrid.ir.trace import trace

A = np.arange(24.0).reshape(2, 3, 4) % 7 - 3
I = (np.arange(12).reshape(3, 4) % 5 - 2).astype("int8")  # noqa: E741
B = np.array([[True, False, True], [True, True, True]])
C = np.array([1 + 2j, -3j, 0.5])
NAN = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, np.nan]])
MASK = np.array([[True], [False], [True]])

OVER_AXES: dict[str, Callable[..., Any]] = {
    "all": lambda f: lambda a: f(a),
    "axis": lambda f: lambda a: f(a, 0),
    "axis by name": lambda f: lambda a: f(a, axis=-1),
    "keepdims": lambda f: lambda a: f(a, axis=1, keepdims=True),
    "no such axis": lambda f: lambda a: f(a, axis=5),
}
SEVERAL_AXES: dict[str, Callable[..., Any]] = {
    "two axes": lambda f: lambda a: f(a, axis=(0, 2)),
    "no axes": lambda f: lambda a: f(a, axis=()),
    "axis twice": lambda f: lambda a: f(a, axis=(0, 0)),
    "two axes kept": lambda f: lambda a: f(a, axis=(-1, 0), keepdims=True),
}
ONE_AXIS = [np.argmax, np.argmin, np.nanargmax, np.nanargmin]
REDUCTIONS = [
    np.sum, np.prod, np.mean, np.var, np.std, np.max, np.min, np.amax, np.amin, np.all, np.any, np.count_nonzero, np.ptp, np.median,
    np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.nanmedian,
]  # fmt: skip


def name(value: Any) -> str:
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize("form", OVER_AXES)
@pytest.mark.parametrize("function", [*REDUCTIONS, *ONE_AXIS], ids=name)
def test_over_axes(function: Callable[..., Any], form: str) -> None:
    for array in (A, A.astype("float32"), A > 0, NAN[:, :, None]):
        check(OVER_AXES[form](function), array)
        check_graph(OVER_AXES[form](function), array)


@pytest.mark.parametrize("form", SEVERAL_AXES)
@pytest.mark.parametrize("function", REDUCTIONS, ids=name)
def test_over_several_axes(function: Callable[..., Any], form: str) -> None:
    if "median" in name(function) and form == "axis twice":
        pytest.skip("NumPy words this one differently")
    check(SEVERAL_AXES[form](function), A)
    check_graph(SEVERAL_AXES[form](function), A)


@pytest.mark.parametrize("function", [*REDUCTIONS, *ONE_AXIS], ids=name)
@pytest.mark.parametrize("array", [np.array(3.0), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((0,)), I, C, NAN], ids=str)
def test_unusual_arrays(function: Callable[..., Any], array: np.ndarray) -> None:
    for call in (lambda a: function(a), lambda a: function(a, axis=0), lambda a: function(a, axis=-1)):
        check(call, array)
        check_graph(call, array)


CALLS: dict[str, tuple[Any, ...]] = {
    "sum dtype": (lambda a: np.sum(a, dtype="f4"), I),
    "sum positional": (lambda a: np.sum(a, 0, np.float32, None, True), I),
    "sum initial": (lambda a: np.sum(a, axis=1, initial=10), I),
    "sum initial array": (lambda a, b: np.sum(a, axis=1, initial=b[0]), A, C.real),
    "sum where": (lambda a, m: np.sum(a, axis=0, where=m), I, MASK),
    "sum where true": (lambda a: np.sum(a, where=True), I),
    "sum where of integers": (lambda a: np.sum(a, where=a), I),
    "sum out": (lambda a, o: np.sum(a, axis=0, out=o), I, np.zeros(4)),
    "sum out wider": (lambda a, o: np.sum(a, axis=0, out=o), np.full((50, 2), 0.1, "f4"), np.zeros(2)),
    "sum out narrower": (lambda a, o: np.sum(a, axis=0, out=o), np.full((50, 2), 0.1), np.zeros(2, "f4")),
    "sum out wrong": (lambda a, o: np.sum(a, axis=0, out=o), A[0], np.zeros(4, "i4")),
    "sum method": (lambda a: a.sum(axis=0, initial=2, keepdims=True), I),
    "prod initial where": (lambda a, m: np.prod(a, axis=0, initial=3, where=m), I, MASK),
    "prod out": (lambda a, o: np.prod(a, axis=0, out=o), I, np.zeros(4, "i8")),
    "mean dtype": (lambda a: np.mean(a, dtype="f4"), I),
    "mean where": (lambda a, m: np.mean(a, axis=0, where=m), I, MASK),
    "mean out": (lambda a, o: np.mean(a, axis=1, out=o), I, np.zeros(3)),
    "mean out narrower": (lambda a, o: np.mean(a, axis=0, out=o), np.full((50, 2), 0.1), np.zeros(2, "f4")),
    "mean integers out": (lambda a, o: np.mean(a, axis=1, out=o), I, np.zeros(3, "i8")),
    "var ddof": (lambda a: np.var(a, axis=0, ddof=1), A),
    "var positional": (lambda a: np.var(a, 0, None, None, 1, True), A),
    "var correction": (lambda a: np.var(a, axis=0, correction=1), A),
    "var both": (lambda a: np.var(a, axis=0, correction=1, ddof=1), A),
    "var where": (lambda a, m: np.var(a, axis=0, where=m), I, MASK),
    "var mean": (lambda a: np.var(a, axis=0, mean=np.mean(a, axis=0, keepdims=True)), A),
    "var complex": (lambda a: np.var(a), C),
    "var dtype": (lambda a: np.var(a, dtype="f4"), I),
    "var out": (lambda a, o: np.var(a, axis=1, out=o), I, np.zeros(3)),
    "std ddof": (lambda a: np.std(a, axis=0, ddof=1, keepdims=True), A),
    "std out": (lambda a, o: np.std(a, axis=0, out=o, ddof=1), A[0], np.zeros(4)),
    "std method": (lambda a: a.std(axis=1, ddof=1), A),
    "max initial": (lambda a: np.max(a, axis=1, initial=1), I),
    "max initial where": (lambda a, m: np.max(a, axis=0, initial=-9, where=m), I, MASK),
    "max where alone": (lambda a, m: np.max(a, axis=0, where=m), I, MASK),
    "max out": (lambda a, o: np.max(a, axis=1, out=o), I, np.zeros(3, "i8")),
    "max empty initial": (lambda a: np.max(a, initial=3.5), np.zeros((0, 2))),
    "amin positional": (lambda a: np.amin(a, 1, None, True), I),
    "min out returned": (lambda a, o: np.min(a, 1, o), I, np.zeros(3, "i1")),
    "max out narrower": (lambda a, o: np.max(a, axis=1, out=o), A[0] + 0.5, np.zeros(3, "i4")),
    "ptp out wider": (lambda a, o: np.ptp(a, axis=1, out=o), np.array([[-100, 100]], "i1"), np.zeros(1, "i4")),
    "sum booleans out": (lambda a, o: np.sum(a, axis=0, out=o), B, np.zeros(3, bool)),
    "sum integers out": (lambda a, o: np.sum(a, axis=0, out=o), np.full((300, 1), 100, "i1"), np.zeros(1, "i1")),
    "max method": (lambda a: a.max(1), I),
    "all where": (lambda a, m: np.all(a, axis=0, where=m), I, MASK),
    "all out": (lambda a, o: np.all(a, axis=0, out=o), I, np.zeros(4, bool)),
    "any out float": (lambda a, o: np.any(a, axis=0, out=o), I, np.zeros(4)),
    "any where": (lambda a, m: np.any(a, axis=0, where=m), I, MASK),
    "argmax keepdims": (lambda a: np.argmax(a, keepdims=True), I),
    "argmax out": (lambda a, o: np.argmax(a, axis=0, out=o), I, np.zeros(4, "i8")),
    "argmax axes": (lambda a: np.argmax(a, axis=(0, 1)), I),
    "argmin out small": (lambda a, o: np.argmin(a, axis=0, out=o), I, np.zeros(4, "i4")),
    "argmax nan": (lambda a: np.argmax(a, axis=0), NAN),
    "count_nonzero": (lambda a: np.count_nonzero(a, (0, 1), keepdims=True), A),
    "ptp out": (lambda a, o: np.ptp(a, 0, o), I, np.zeros(4, "i1")),
    "ptp keepdims": (lambda a: np.ptp(a, axis=0, keepdims=True), I),
    "nansum dtype": (lambda a: np.nansum(a, 0, "f4"), NAN),
    "nansum initial where": (lambda a, m: np.nansum(a, axis=1, initial=5, where=m), NAN, MASK[:2]),
    "nansum out": (lambda a, o: np.nansum(a, axis=0, out=o), NAN, np.zeros(3)),
    "nanprod": (lambda a, m: np.nanprod(a, axis=1, initial=5, where=m, keepdims=True), NAN, MASK[:2]),
    "nanmean": (lambda a, m: np.nanmean(a, axis=1, dtype="f4", where=m), NAN, MASK[:2]),
    "nanmean out": (lambda a, o: np.nanmean(a, axis=1, out=o), NAN, np.zeros(2)),
    "nanvar ddof": (lambda a: np.nanvar(a, axis=1, ddof=1), NAN),
    "nanvar out": (lambda a, o: np.nanvar(a, axis=1, out=o), NAN, np.zeros(2)),
    "nanvar correction": (lambda a: np.nanvar(a, axis=0, correction=0.5, keepdims=True), NAN),
    "nanvar where mean": (lambda a, m: np.nanvar(a, axis=1, where=m, mean=np.nanmean(a, 1, keepdims=True)), NAN, MASK[:2]),
    "nanstd": (lambda a: np.nanstd(a, 0, "f8", None, 1), NAN),
    "nanmax initial": (lambda a: np.nanmax(a, axis=1, initial=3.5), NAN),
    "nanmax where": (lambda a, m: np.nanmax(a, axis=1, initial=-1.0, where=m), NAN, MASK[:2]),
    "nanmax out": (lambda a, o: np.nanmax(a, axis=1, out=o), NAN, np.zeros(2)),
    "nanmin": (lambda a: np.nanmin(a, 1, keepdims=True), NAN),
    "nanargmax keepdims": (lambda a: np.nanargmax(a, axis=1, keepdims=True), NAN),
    "nanargmin all nan": (lambda a: np.nanargmin(a * np.nan, axis=1), NAN),
    "nanmedian": (lambda a: np.nanmedian(a, 1, keepdims=True), NAN),
    "nanmedian out": (lambda a, o: np.nanmedian(a, 1, out=o), NAN, np.zeros(2)),
    "nanmedian overwrite": (lambda a: np.nanmedian(a + 0, overwrite_input=True), NAN),
    "nanpercentile": (lambda a: np.nanpercentile(a, [25, 50], axis=0), NAN),
    "nanpercentile number": (lambda a: np.nanpercentile(a, 25), NAN.astype("f4")),
    "nanpercentile axes": (lambda a, q: np.nanpercentile(a, q, axis=(0, 1), keepdims=True, method="lower"), NAN, [10.0, 90.0]),
    "nanquantile": (lambda a: np.nanquantile(a, 0.3, 1), NAN),
    "nanquantile weights": (lambda a, w: np.nanquantile(a, 0.3, 1, weights=w, method="inverted_cdf"), NAN, np.ones((2, 3))),
    "nanquantile out": (lambda a, o: np.nanquantile(a, [0.3], 1, o), NAN, np.zeros((1, 2))),
    "nancumsum": (lambda a: np.nancumsum(a), NAN),
    "nancumsum axis": (lambda a: np.nancumsum(a, 0, "f4"), NAN),
    "nancumprod": (lambda a: np.nancumprod(a, axis=1), NAN),
    "nancumprod out": (lambda a, o: np.nancumprod(a, axis=1, out=o), NAN, np.zeros((2, 3))),
    "cumsum": (lambda a: np.cumsum(a), I),
    "cumsum of a scalar": (lambda a: np.cumsum(a, axis=0), np.array(2.0)),
    "cumsum axis": (lambda a: np.cumsum(a, 0), I),
    "cumsum dtype": (lambda a: np.cumsum(a, axis=-1, dtype="f4"), I),
    "cumsum booleans": (lambda a: np.cumsum(a, axis=1), B),
    "cumsum out": (lambda a, o: np.cumsum(a, axis=1, out=o), I, np.zeros((3, 4))),
    "cumsum out narrower": (lambda a, o: np.cumsum(a, axis=0, out=o), np.full((50, 2), 0.1), np.zeros((50, 2), "f4")),
    "cumsum in place": (lambda a: np.cumsum(a, axis=0, out=a), A),
    "cumsum method": (lambda a: a.cumsum(1), I),
    "cumsum no axis": (lambda a: np.cumsum(a, axis=3), I),
    "cumprod": (lambda a: np.cumprod(a, axis=0), A),
    "cumprod flat": (lambda a: a.cumprod(dtype="i4"), I),
    "cumulative_sum": (lambda a: np.cumulative_sum(a, axis=1, include_initial=True), I),
    "cumulative_sum one axis": (lambda a: np.cumulative_sum(a), C),
    "cumulative_sum axis wanted": (lambda a: np.cumulative_sum(a), I),
    "cumulative_sum dtype": (lambda a: np.cumulative_sum(a, axis=0, dtype="c8"), I),
    "cumulative_prod": (lambda a: np.cumulative_prod(a, axis=-1, include_initial=True), B),
    "cumulative_prod out": (lambda a, o: np.cumulative_prod(a, axis=-1, out=o), A[0], np.zeros((3, 4))),
}


@pytest.mark.parametrize("case", CALLS)
def test_call(case: str) -> None:
    call, *arrays = CALLS[case]
    check(call, *arrays)
    check_graph(call, *arrays)


REFUSED: dict[str, tuple[Any, ...]] = {
    "mask with too many axes": (lambda a, m: np.sum(a[0], where=m), ValueError, I, MASK),
    "mask larger than the array": (lambda a, m: np.sum(a[:1], where=m), ValueError, I, MASK),
    "out of another shape": (lambda a, o: np.sum(a, axis=0, out=o), ValueError, A[0], np.zeros(3)),
    "axis twice": (lambda a: np.median(a, axis=(0, 0)), ValueError, I),
    "mean of another shape": (lambda a, m: np.var(a, mean=m), ValueError, A, np.zeros((3, 3, 3, 3))),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_as_numpy_does(case: str) -> None:
    call, error, *arrays = REFUSED[case]
    with pytest.raises(error):
        call(*arrays)
    with pytest.raises(error):
        call(*map(hybrid.asarray, arrays))
    with pytest.raises(error):
        trace(call, *map(spec_of, arrays))


def test_sequences_of_tensors() -> None:
    a, b = hybrid.asarray(A[0]), hybrid.asarray(A[1])
    assert np.array_equal(hybrid.ops.reduce.max([a, b], axis=0), np.max(A, axis=0))


def test_array_api_forms_equal_numpy() -> None:
    x = hybrid.asarray(A)
    with interpreting(None):
        assert np.array_equal(hybrid.ops.reduce.var(x, axis=0, correction=1), np.var(A, axis=0, ddof=1))
        assert np.array_equal(hybrid.ops.scan.cumulative_sum(x, axis=1, include_initial=True)[:, 0], np.zeros((2, 4)))


def test_objects_cannot_come_out() -> None:
    with pytest.raises(TypeError, match="wanted a dtype that is a boolean or a number"):
        hybrid.ops.reduce.sum(hybrid.asarray(A), dtype=object)


def test_attributes_are_keyword_only() -> None:
    with pytest.raises(TypeError, match="positional argument"):
        hybrid.ops.reduce.sum(hybrid.asarray(A), 0)
    with pytest.raises(TypeError, match="positional argument"):
        trace(lambda a: hybrid.ops.reduce.sum(a, 0, 1), "f64[n]")
