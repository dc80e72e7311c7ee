"""NumPy's polynomials, convolutions, differences, gradients and interpolation, called on tensors as on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.spec import spec_of
from hybrid.ir.trace import trace

RNG = np.random.default_rng(5)
A = RNG.normal(size=(3, 4))
X = np.array([0.0, 1.0, 2.5, 3.0, 5.0])
Y = np.array([1.0, 0.5, 3.0, -1.0, 2.0])
P = np.array([1.0, -3.0, 2.0])
I = np.array([3, 1, 4, 1, 5], "int16")  # noqa: E741
B = np.array([True, False, False, True])
F = X.astype("float32")
C = np.array([1 + 1j, 2, -1j])

CALLS: dict[str, tuple[Any, ...]] = {
    "convolve": (lambda a, v: np.convolve(a, v), X, P),
    "convolve list": (lambda a: np.convolve(a, [1, 0, -1], "same"), F),
    "convolve swapped": (lambda a, v: np.convolve(v, a, mode="valid"), X, P),
    "convolve complex": (lambda a, v: np.convolve(a, v), X, C),
    "convolve number": (lambda a: np.convolve(a, 2), I),
    "convolve nothing": (lambda a, v: np.convolve(a, v), X, np.zeros(0)),
    "convolve tables": (lambda a, v: np.convolve(a, v), A, P),
    "convolve unknown mode": (lambda a, v: np.convolve(a, v, "wide"), X, P),
    "correlate": (lambda a, v: np.correlate(a, v), X, P),
    "correlate full": (lambda a, v: np.correlate(a, v, "full"), C, X),
    "correlate same": (lambda a, v: np.correlate(a, v, mode="same"), I, P),
    "correlate number": (lambda a, v: np.correlate(a, v[0]), X, P),
    "correlate nothing": (lambda a, v: np.correlate(a, v), X, np.zeros(0)),
    "polyval": (lambda p, x: np.polyval(p, x), P, A),
    "polyval list": (lambda x: np.polyval([1, 2, 3], x), F),
    "polyval number": (lambda p: np.polyval(p, 2), I),
    "polyval no coefficients": (lambda p, x: np.polyval(p, x), np.zeros(0), I),
    "polyval columns": (lambda p: np.polyval(p, p[0]), A),
    "polyder": (lambda p: np.polyder(p), P),
    "polyder twice": (lambda p: np.polyder(p, 2), I),
    "polyder many times": (lambda p: np.polyder(p, m=7), F),
    "polyder no times": (lambda p: np.polyder(p, 0), F),
    "polyder back": (lambda p: np.polyder(p, -1), P),
    "polyint": (lambda p: np.polyint(p), I),
    "polyint constants": (lambda p: np.polyint(p, 2, [3, 4]), F),
    "polyint one constant": (lambda p, x: np.polyint(p, m=2, k=x[1]), P, X),
    "polyint few constants": (lambda p: np.polyint(p, 3, [3, 4]), F),
    "polyint back": (lambda p: np.polyint(p, -1), P),
    "polyadd": (lambda p, q: np.polyadd(p, q), P, I),
    "polyadd number": (lambda p: np.polyadd(p, 1), F),
    "polyadd list": (lambda p: np.polyadd([1, 2, 3, 4], p), P),
    "polysub": (lambda p, q: np.polysub(p, q), P, I),
    "polysub booleans": (lambda p: np.polysub(p, p), B),
    "polymul": (lambda p, q: np.polymul(p, q), P, I),
    "polymul leading zeros": (lambda p: np.polymul(p, [0, 0, 1, 2]), P),
    "polymul table": (lambda p, a: np.polymul(p, a), P, A),
    "vander": (lambda x: np.vander(x), X),
    "vander powers": (lambda x: np.vander(x, 3, True), I),
    "vander no powers": (lambda x: np.vander(x, N=0), F),
    "vander table": (lambda x: np.vander(x), A),
    "polyfit": (lambda x, y: np.polyfit(x, y, 2), X, Y),
    "polyfit sets": (lambda x, y: np.polyfit(x, y, deg=1), np.arange(3), A),
    "polyfit float32": (lambda x, y: np.polyfit(x, y, 1), F, Y.astype("f4")),
    "polyfit weights": (lambda x, y, w: np.polyfit(x, y, 1, w=w), X, Y, X + 1),
    "polyfit cov": (lambda x, y: np.polyfit(x, y, 1, cov=True), X, Y),
    "polyfit cov unscaled": (lambda x, y, w: np.polyfit(x, y, 1, w=w, cov="unscaled"), X, Y, X + 1),
    "polyfit cov of too few points": (lambda x, y: np.polyfit(x[:2], y[:2], 1, cov=True), X, Y),
    "polyfit lengths": (lambda x, y: np.polyfit(x, y, 1), X, P),
    "polyfit table": (lambda x: np.polyfit(x, x, 1), A),
    "polyfit degree": (lambda x, y: np.polyfit(x, y, -1), X, Y),
    "polyfit float16": (lambda x, y: np.polyfit(x, y, 1), X.astype("f2"), Y.astype("f2")),
    "diff": (lambda a: np.diff(a), X),
    "diff twice": (lambda a: np.diff(a, 2, 0), A),
    "diff no times": (lambda a: np.diff(a, n=0), A),
    "diff back": (lambda a: np.diff(a, n=-1), A),
    "diff too often": (lambda a: np.diff(a, n=9), A),
    "diff booleans": (lambda a: np.diff(a), B),
    "diff prepend": (lambda a: np.diff(a, prepend=0), F),
    "diff append": (lambda a, b: np.diff(a, axis=0, append=b[None]), A, A[0]),
    "diff prepend first": (lambda a: np.diff(a, prepend=a[0]), I),
    "diff append of other sizes": (lambda a, b: np.diff(a, axis=1, append=b[None]), A, A[0]),
    "diff number": (lambda a: np.diff(a), np.array(3.0)),
    "diff axis": (lambda a: np.diff(a, axis=2), A),
    "diff small integers": (lambda a: np.diff(a), np.array([1, 255, 0], "u1")),
    "ediff1d": (lambda a: np.ediff1d(a), A),
    "ediff1d ends": (lambda a: np.ediff1d(a, [9, 8], a[0]), I),
    "ediff1d wrong end": (lambda a: np.ediff1d(a, to_end=1.5), I),
    "ediff1d booleans": (lambda a: np.ediff1d(a), B),
    "ediff1d nothing": (lambda a: np.ediff1d(a, to_begin=1), np.zeros(0)),
    "gradient": (lambda a: np.gradient(a), X),
    "gradient several": (lambda a: np.gradient(a), A),
    "gradient spacing": (lambda a: np.gradient(a, 0.5), A),
    "gradient coordinates": (lambda y, x: np.gradient(y, x), Y, X),
    "gradient coordinates as a list": (lambda y: np.gradient(y, [0, 1, 2, 3, 5]), F),
    "gradient spacings": (lambda a, x: np.gradient(a, 2, x), A, X[:4]),
    "gradient axis": (lambda a: np.gradient(a, axis=0), A),
    "gradient axis in a tuple": (lambda a: np.gradient(a, axis=(0,)), A),
    "gradient axes": (lambda a: np.gradient(a, 1.0, 2.0, axis=(1, 0)), A),
    "gradient edge_order": (lambda a, x: np.gradient(a, x, axis=-1, edge_order=2), A, X[:4]),
    "gradient spacing of a tensor": (lambda y, x: np.gradient(y, x[1] - x[0]), Y, X),
    "gradient integers": (lambda a: np.gradient(a), I),
    "gradient complex": (lambda a: np.gradient(a), C),
    "gradient booleans": (lambda a: np.gradient(a), B),
    "gradient too small": (lambda a: np.gradient(a, edge_order=2), P[:2]),
    "gradient too accurate": (lambda a: np.gradient(a, edge_order=3), X),
    "gradient too many": (lambda a: np.gradient(a, 1, 2), X),
    "gradient other coordinates": (lambda a, x: np.gradient(a, x), Y, P),
    "gradient number": (lambda a: np.gradient(a), np.array(1.0)),
    "trapezoid": (lambda y: np.trapezoid(y), Y),
    "trapezoid x": (lambda y, x: np.trapezoid(y, x), Y, X),
    "trapezoid dx": (lambda y: np.trapezoid(y, dx=0.5), F),
    "trapezoid dx of a tensor": (lambda y, x: np.trapezoid(y, None, x[1]), F, X),
    "trapezoid axis": (lambda y, x: np.trapezoid(y, x, axis=0), A, P),
    "trapezoid x like y": (lambda y: np.trapezoid(y, y * 2, axis=1), A),
    "trapezoid positional": (lambda y, x: np.trapezoid(y, x, 1.0, 0), A, P),
    "trapezoid integers": (lambda y: np.trapezoid(y), I),
    "trapezoid booleans": (lambda y: np.trapezoid(y), B),
    "trapezoid other x": (lambda y, x: np.trapezoid(y, x), Y, P),
    "interp": (lambda x, xp, fp: np.interp(x, xp, fp), A, X, Y),
    "interp number": (lambda xp, fp: np.interp(1.7, xp, fp), X, Y),
    "interp lists": (lambda x: np.interp(x, [0, 1], [2, 3]), F),
    "interp outside": (lambda x, xp, fp: np.interp(x, xp, fp, -1, right=np.nan), A * 9, X, Y),
    "interp outside of a tensor": (lambda x, xp, fp: np.interp(x, xp, fp, left=fp[2]), A * 9, X, Y),
    "interp period": (lambda x, xp, fp: np.interp(x, xp, fp, period=6), A * 9, X, Y),
    "interp period of 0": (lambda x, xp, fp: np.interp(x, xp, fp, period=0), A * 9, X, Y),
    "interp complex": (lambda x, xp, fp: np.interp(x, xp, fp * 1j), A, X, Y),
    "interp complex coordinates": (lambda x, xp, fp: np.interp(x * 1j, xp, fp), A, X, Y),
    "interp lengths": (lambda x, xp, fp: np.interp(x, xp, fp), A, X, P),
    "interp nothing": (lambda x, xp: np.interp(x, xp, xp), A, np.zeros(0)),
}


@pytest.mark.parametrize("case", CALLS)
def test_call(case: str) -> None:
    call, *arrays = CALLS[case]
    check(call, *arrays)
    check_graph(call, *arrays)


def test_polyfit_full_gives_tensors_of_numbers() -> None:
    x, y = hybrid.asarray(X), hybrid.asarray(Y)
    got = hybrid.ops.polynomial.polyfit(x, y, deg=1, full=True, rcond=0.5)
    want = np.polyfit(X, Y, 1, full=True, rcond=0.5)
    assert all(isinstance(g, hybrid.Tensor) and np.array_equal(g, w) for g, w in zip(got, want, strict=True))
    check_graph(lambda x, y: np.polyfit(x, y, 1, full=True), X, Y)


def test_roots_are_complex_whatever_the_values() -> None:
    assert str(hybrid.ops.polynomial.roots(hybrid.asarray(P)).dtype) == "complex128"
    assert str(hybrid.ops.polynomial.roots(hybrid.asarray(P.astype("f4"))).dtype) == "complex64"
    np.testing.assert_allclose(sorted(hybrid.ops.polynomial.roots(hybrid.asarray(P)).numpy().real), [1, 2])
    check(lambda p: np.roots(p), P)
    check(lambda p: np.roots(p), np.array([1.0, 0.0, 1.0]))


def test_roots_of_numpy_cannot_be_traced() -> None:
    with pytest.raises(TypeError, match="no operation that could be traced"):
        trace(lambda p: np.roots(p), "f8[3]")


def test_polynomials_have_one_axis() -> None:
    for function in (np.polyder, np.polyint):
        with pytest.raises(ValueError, match="1d only"):
            trace(lambda p, f=function: f(p), spec_of(A))


def test_no_result_is_an_argument() -> None:
    x = hybrid.asarray(X)
    ops = hybrid.ops
    for result in (ops.differences.diff(x, n=0), ops.polynomial.polyder(x, m=0), ops.polynomial.polyint(x, m=0)):
        assert not np.shares_memory(result.numpy(), X)


def test_sizes_stay_symbols() -> None:
    graph = trace(lambda a, v: np.convolve(np.diff(a), v), "f8[n]", "f8[m]")
    assert str(graph.outputs[0].spec) == "float64[m + max(0, n - 1) - 1]"
