"""Tensors given to SciPy, matplotlib and pandas, which know nothing of them."""

from __future__ import annotations

import operator
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
import scipy

import hybrid

matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

X = np.array([0.5, 3.0, 1.0, 2.5, 4.0, 2.0])
T = np.arange(6.0)
S = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
IMAGE = np.random.default_rng(0).random((8, 9))
POINTS = np.random.default_rng(1).random((10, 2))

SCIPY_CALLS = [
    lambda x, t, s, image, points: scipy.linalg.solve(s, x[:3]),
    lambda x, t, s, image, points: scipy.linalg.lu_solve(scipy.linalg.lu_factor(s), x[:3]),
    lambda x, t, s, image, points: scipy.linalg.expm(s),
    lambda x, t, s, image, points: scipy.linalg.eigh(s)[0],
    lambda x, t, s, image, points: scipy.sparse.csr_matrix(s).toarray(),
    lambda x, t, s, image, points: scipy.sparse.csr_array(s) @ x[:3],
    lambda x, t, s, image, points: scipy.sparse.coo_array((x[:3], ([0, 1, 2], [0, 1, 2]))).toarray(),
    lambda x, t, s, image, points: scipy.sparse.linalg.cg(scipy.sparse.csr_array(s), x[:3])[0],
    lambda x, t, s, image, points: scipy.interpolate.CubicSpline(t, x)(t + 0.5),
    lambda x, t, s, image, points: scipy.interpolate.interp1d(t, x)(t[:3] + 0.5),
    lambda x, t, s, image, points: scipy.interpolate.griddata(points, points[:, 0], points[:2], method="nearest"),
    lambda x, t, s, image, points: scipy.signal.convolve(x, t),
    lambda x, t, s, image, points: scipy.signal.lfilter([1.0, 0.5], [1.0], x),
    lambda x, t, s, image, points: scipy.signal.find_peaks(x)[0],
    lambda x, t, s, image, points: scipy.signal.welch(x, nperseg=4)[1],
    lambda x, t, s, image, points: scipy.stats.norm.pdf(x),
    lambda x, t, s, image, points: scipy.stats.pearsonr(x, t).statistic,
    lambda x, t, s, image, points: scipy.stats.ttest_ind(x, t).pvalue,
    lambda x, t, s, image, points: scipy.stats.zscore(x),
    lambda x, t, s, image, points: scipy.stats.gaussian_kde(x)(t),
    lambda x, t, s, image, points: scipy.ndimage.gaussian_filter(image, 1.0),
    lambda x, t, s, image, points: scipy.ndimage.label(image > 0.5)[0],
    lambda x, t, s, image, points: scipy.ndimage.zoom(image, 2),
    lambda x, t, s, image, points: scipy.spatial.distance.cdist(points, points),
    lambda x, t, s, image, points: scipy.spatial.KDTree(points).query(points[:3], k=2),
    lambda x, t, s, image, points: scipy.spatial.ConvexHull(points).vertices,
    lambda x, t, s, image, points: scipy.cluster.hierarchy.linkage(points),
    lambda x, t, s, image, points: scipy.integrate.trapezoid(x, t),
    lambda x, t, s, image, points: scipy.integrate.cumulative_simpson(x, x=t),
    lambda x, t, s, image, points: scipy.fft.fft(x),
    lambda x, t, s, image, points: scipy.fft.dct(x),
    lambda x, t, s, image, points: scipy.special.logsumexp(x),
    lambda x, t, s, image, points: scipy.special.softmax(x),
    lambda x, t, s, image, points: scipy.special.gammaln(x),
    lambda x, t, s, image, points: scipy.optimize.nnls(s, x[:3])[0],
    lambda x, t, s, image, points: scipy.optimize.linear_sum_assignment(s),
]


@pytest.mark.parametrize("make", [hybrid.asarray, hybrid.Variable])
@pytest.mark.parametrize("call", SCIPY_CALLS)
def test_scipy(call: Any, make: Any) -> None:
    arrays = (X, T, S, IMAGE, POINTS)
    want, got = call(*arrays), call(*(make(a) for a in arrays))
    for w, g in zip(want, got, strict=True) if isinstance(want, tuple) else [(want, got)]:
        np.testing.assert_array_equal(np.asarray(g), w)


def test_optimise_a_function_of_tensors() -> None:
    target = hybrid.asarray([1.0, -2.0, 0.5])

    def loss(x: Any) -> Any:
        return ((hybrid.asarray(x) - target) ** 2).sum()

    def slope(x: Any) -> Any:
        return 2 * (hybrid.asarray(x) - target)

    for found in (
        scipy.optimize.minimize(loss, hybrid.asarray([0.0, 0.0, 0.0]), jac=slope, method="BFGS").x,
        scipy.optimize.minimize(loss, hybrid.asarray([0.0, 0.0, 0.0]), method="L-BFGS-B").x,
        scipy.optimize.minimize(loss, hybrid.asarray([0.0, 0.0, 0.0]), method="Nelder-Mead", options={"xatol": 1e-8}).x,
        scipy.optimize.least_squares(lambda x: hybrid.asarray(x) - target, hybrid.asarray([0.0, 0.0, 0.0])).x,
        scipy.optimize.root(slope, hybrid.asarray([0.0, 0.0, 0.0])).x,
    ):
        np.testing.assert_allclose(found, target, atol=1e-4)
    assert scipy.optimize.brentq(lambda x: hybrid.asarray(x) - 0.25, 0, 1) == pytest.approx(0.25)
    assert scipy.optimize.curve_fit(lambda x, a: a * x, hybrid.asarray(T), hybrid.asarray(2 * T))[0][0] == pytest.approx(2)


def test_integrate_a_function_of_tensors() -> None:
    def decay(t: Any, y: Any) -> Any:
        return -hybrid.asarray(y)

    for method in ("RK45", "BDF"):
        solution = scipy.integrate.solve_ivp(decay, (0, 1), hybrid.asarray([1.0, 2.0]), method=method, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(solution.y[:, -1], np.array([1.0, 2.0]) * np.exp(-1), rtol=1e-6)
    np.testing.assert_allclose(
        scipy.integrate.odeint(lambda y, t: decay(t, y), hybrid.asarray([1.0]), hybrid.asarray(T))[-1], np.exp(-5), rtol=1e-6
    )
    assert scipy.integrate.quad(lambda x: hybrid.asarray(x) ** 2, 0, 1)[0] == pytest.approx(1 / 3)


def test_linear_operators_of_tensors() -> None:
    matrix = hybrid.asarray(S)
    product = scipy.sparse.linalg.LinearOperator((3, 3), matvec=lambda v: matrix @ v)
    np.testing.assert_allclose(scipy.sparse.linalg.cg(product, hybrid.asarray(X[:3]), rtol=1e-12)[0], np.linalg.solve(S, X[:3]))


# -- matplotlib -----------------------------------------------------------------------------------------------------
def test_matplotlib() -> None:
    x, t, image = hybrid.asarray(X), hybrid.asarray(T), hybrid.asarray(IMAGE)
    figure, axes = plt.subplots(2, 5)
    (line,) = axes.flat[0].plot(t, x)
    np.testing.assert_array_equal(line.get_ydata(), X)
    np.testing.assert_array_equal(axes.flat[1].imshow(image).get_array(), IMAGE)
    counts, _, _ = axes.flat[2].hist(x, bins=3)
    np.testing.assert_array_equal(counts, np.histogram(X, 3)[0])
    axes.flat[3].scatter(t, x, c=x, s=x * 10)
    axes.flat[4].bar(t, x)
    axes.flat[5].errorbar(t, x, yerr=x / 10)
    axes.flat[6].contourf(image)
    axes.flat[7].pcolormesh(image)
    axes.flat[8].fill_between(t, x, x + 1)
    axes.flat[9].boxplot([x, t])
    axes.flat[0].set_xlim(t[0], t[-1])
    axes.flat[0].axhline(x.mean())
    axes.flat[0].plot(hybrid.Variable(X))
    figure.canvas.draw()
    plt.close(figure)


# -- pandas ---------------------------------------------------------------------------------------------------------
def test_pandas_is_made_of_tensors() -> None:
    x, m = hybrid.asarray(X), hybrid.asarray(S)
    pd.testing.assert_series_equal(pd.Series(x), pd.Series(X))
    pd.testing.assert_frame_equal(pd.DataFrame(m, columns=list("abc")), pd.DataFrame(S, columns=list("abc")))
    pd.testing.assert_frame_equal(pd.DataFrame({"x": x, "t": hybrid.asarray(T)}), pd.DataFrame({"x": X, "t": T}))
    pd.testing.assert_index_equal(pd.Index(x), pd.Index(X))
    frame = pd.DataFrame({"t": T})
    frame["x"] = x
    frame.loc[0, "x"] = x[1]
    frame.loc[frame["t"] > 3, "x"] = hybrid.asarray([7.0, 8.0])
    assert frame["x"].tolist() == [3.0, 3.0, 1.0, 2.5, 7.0, 8.0]


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "lt", "eq"])
def test_arithmetic_with_series(name: str) -> None:
    call = getattr(operator, name)
    series, x = pd.Series(T + 1, index=list("abcdef")), hybrid.asarray(X)
    pd.testing.assert_series_equal(call(series, x), call(series, X))
    pd.testing.assert_series_equal(call(x, series), call(X, series))
    pd.testing.assert_series_equal(call(series, x[0]), call(series, X[0]))
    pd.testing.assert_series_equal(call(x[0], series), call(X[0], series))
    frame = pd.DataFrame(S)
    pd.testing.assert_frame_equal(call(hybrid.asarray(S), frame), call(S, frame))


def test_numpy_functions_of_both() -> None:
    series, x = pd.Series(T), hybrid.asarray(X)
    for got in (np.add(x, series), np.add(series, x)):
        pd.testing.assert_series_equal(got, pd.Series(X + T))
    assert np.concatenate([x, series]).tolist() == [*X, *T]
    assert hybrid.asarray(series).tolist() == T.tolist()
    x[:] = series
    assert x.tolist() == T.tolist() and x[pd.Series(T > 3)].tolist() == [4, 5]
