"""Programs of finance, signals, images, control, learning and statistics against SciPy, closed forms and NumPy one-liners."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
from scipy import ndimage
from scipy.cluster.vq import kmeans2
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, softmax
from scipy.stats import norm

from hybrid.gallery import iir_filter as iir_module
from hybrid.gallery.attention import attention
from hybrid.gallery.barrier_option import barrier_option
from hybrid.gallery.bilateral_filter import bilateral_filter
from hybrid.gallery.black_scholes import black_scholes
from hybrid.gallery.connected_components import connected_components
from hybrid.gallery.fft import fft
from hybrid.gallery.fir_filter import fir_filter
from hybrid.gallery.histogram_equalization import histogram_equalization
from hybrid.gallery.iir_filter import iir_filter
from hybrid.gallery.kalman import kalman
from hybrid.gallery.kmeans import kmeans
from hybrid.gallery.logistic_regression import logistic_regression
from hybrid.gallery.lstm import lstm
from hybrid.gallery.metropolis_hastings import metropolis_hastings
from hybrid.gallery.mlp import mlp


# -- finance --------------------------------------------------------------------------------------------------------
def test_black_scholes_against_the_normal_distribution() -> None:
    rng = np.random.default_rng(0)
    spot, strike, years, volatility = rng.uniform(50, 150, 20), rng.uniform(50, 150, 20), rng.uniform(0.1, 2, 20), rng.uniform(0.1, 0.5, 20)
    d1 = (np.log(spot / strike) + (0.02 + volatility**2 / 2) * years) / (volatility * np.sqrt(years))
    d2 = d1 - volatility * np.sqrt(years)
    calls = spot * norm.cdf(d1) - strike * np.exp(-0.02 * years) * norm.cdf(d2)
    prices = [black_scholes(spot, strike, years, 0.02, volatility, np.full(20, kind)) for kind in (True, False)]
    np.testing.assert_allclose(prices[0], calls, rtol=1e-10)
    np.testing.assert_allclose(prices[0] - prices[1], spot - strike * np.exp(-0.02 * years), rtol=1e-10)


def test_options_at_expiry_pay_the_difference() -> None:
    spot, strike = np.array([90.0, 110.0, 90.0, 110.0]), np.full(4, 100.0)
    prices = black_scholes(spot, strike, np.zeros(4), 0.02, np.full(4, 0.2), np.array([True, True, False, False]))
    assert prices.tolist() == [0, 10, 10, 0]


def test_barrier_far_away_leaves_the_price_of_black_and_scholes() -> None:
    price, error, broken = barrier_option(100.0, 95.0, 1e-9, 0.03, 0.25, 1.0, 2, 4000, 12345)
    expected = black_scholes(np.array([100.0]), np.array([95.0]), np.array([1.0]), 0.03, np.array([0.25]), np.array([True]))[0]
    assert broken == 0
    assert price == pytest.approx(expected, abs=4 * error)


def test_barrier_watched_at_steps_is_lower_by_a_correction() -> None:
    """Broadie, Glasserman and Kou (1997): as if watched all the time at the barrier times exp(-0.5826 σ √Δt)."""
    spot, strike, barrier, rate, sigma, years, steps = 100.0, 100.0, 90.0, 0.05, 0.3, 0.5, 50
    price, error, broken = barrier_option(spot, strike, barrier, rate, sigma, years, steps, 1500, 777)
    shifted = barrier * np.exp(-0.5826 * sigma * np.sqrt(years / steps))
    power = 2 * (rate + sigma**2 / 2) / sigma**2

    def call(s: float) -> float:
        return black_scholes(np.array([s]), np.array([strike]), np.array([years]), rate, np.array([sigma]), np.array([True]))[0]

    expected = call(spot) - (shifted / spot) ** (power - 2) * call(shifted**2 / spot)
    assert price == pytest.approx(expected, abs=4 * error)
    assert 0 < broken < 1500


# -- signals --------------------------------------------------------------------------------------------------------
def test_fir_filter_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    signal, taps = rng.standard_normal(60), rng.standard_normal(7)
    np.testing.assert_allclose(fir_filter(signal, taps), scipy.signal.lfilter(taps, 1.0, signal), rtol=1e-10, atol=1e-13)
    assert len(fir_filter(signal[:3], taps)) == 3


def test_iir_filter_is_that_of_scipy() -> None:
    signal = np.random.default_rng(2).standard_normal(100)
    sections = scipy.signal.butter(5, 0.2, output="sos")
    np.testing.assert_allclose(iir_filter(signal, sections), scipy.signal.sosfilt(sections, signal), rtol=1e-9, atol=1e-13)


def test_iir_example_is_a_butterworth_filter() -> None:
    _, sections = iir_module.example()
    np.testing.assert_allclose(
        scipy.signal.freqz_sos(sections, 64)[1], scipy.signal.freqz_sos(scipy.signal.butter(6, 0.2, output="sos"), 64)[1], atol=1e-4
    )


@pytest.mark.parametrize("n", [1, 2, 8, 64])
def test_fft_is_that_of_numpy(n: int) -> None:
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    expected = np.fft.fft(x)
    assert fft(x) is None
    np.testing.assert_allclose(x, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("n", [0, 3, 12])
def test_fft_refuses_other_lengths(n: int) -> None:
    with pytest.raises(ValueError, match=f"the length is {n}, no power of two"):
        fft(np.zeros(n, dtype=complex))


def test_kalman_settles_where_the_riccati_equation_says() -> None:
    step, jerk, noise = 0.1, 1.0, 0.5
    _, p = kalman(np.zeros((400, 2)), step, jerk, noise)
    f, h = np.eye(4), np.eye(2, 4)
    f[:2, 2:] = step * np.eye(2)
    g = np.vstack([np.eye(2) * step**2 / 2, np.eye(2) * step])
    predicted = scipy.linalg.solve_discrete_are(f.T, h.T, jerk**2 * g @ g.T, noise**2 * np.eye(2))
    innovation = h @ predicted @ h.T + noise**2 * np.eye(2)
    np.testing.assert_allclose(p, predicted - predicted @ h.T @ np.linalg.inv(innovation) @ h @ predicted, rtol=1e-6, atol=1e-12)


def test_kalman_flies_on_without_measurements() -> None:
    measured = np.column_stack([np.arange(60.0), 2 * np.arange(60.0)])
    measured[50:] = np.nan
    track, _ = kalman(measured, 1.0, 0.01, 0.1)
    np.testing.assert_allclose(track[-1], [59, 118, 1, 2], rtol=1e-2)


# -- images ---------------------------------------------------------------------------------------------------------
def test_histogram_equalization_in_one_line() -> None:
    image = np.random.default_rng(3).normal(90, 12, (20, 30)).clip(0, 255).astype(np.uint8)
    rank = np.searchsorted(np.sort(image, axis=None), image, side="right")
    lowest = (image == image.min()).sum()
    expected = np.round((rank - lowest) * 255.0 / (image.size - lowest)).astype(np.uint8)
    out = histogram_equalization(image)
    assert (out == expected).all()
    assert (out.min(), out.max()) == (0, 255)


def test_histogram_equalization_of_one_level() -> None:
    image = np.full((4, 5), 7, dtype=np.uint8)
    assert (histogram_equalization(image) == 7).all()


def test_bilateral_filter_without_levels_is_gaussian() -> None:
    image = np.random.default_rng(4).random((12, 14))
    axis = np.arange(-2, 3)
    kernel = np.exp(-(axis[:, None] ** 2 + axis[None, :] ** 2) / (2 * 1.5**2))
    expected = ndimage.convolve(image, kernel, mode="constant") / ndimage.convolve(np.ones_like(image), kernel, mode="constant")
    np.testing.assert_allclose(bilateral_filter(image, 2, 1.5, 1e9), expected, rtol=1e-10)


def test_bilateral_filter_keeps_a_step() -> None:
    image = np.where(np.arange(12)[None, :] < 6, 0.0, 1.0) * np.ones((6, 1))
    np.testing.assert_allclose(bilateral_filter(image, 2, 1.5, 0.05), image, atol=1e-12)


@pytest.mark.parametrize("density", [0.0, 0.3, 0.58, 1.0])
def test_connected_components_are_those_of_scipy(density: float) -> None:
    picture = np.random.default_rng(5).random((25, 31)) < density
    labels, count = connected_components(picture)
    theirs, their_count = ndimage.label(picture)
    assert count == their_count
    assert (labels == theirs).all()


# -- learning and statistics ----------------------------------------------------------------------------------------
def test_kmeans_is_that_of_scipy() -> None:
    rng = np.random.default_rng(6)
    points = rng.integers(0, 4, (80, 1)) * 5.0 + rng.standard_normal((80, 2))
    centres, labels, rounds = kmeans(points, points[:4], 50)
    theirs, their_labels = kmeans2(points, points[:4], iter=50, minit="matrix")
    np.testing.assert_allclose(centres, theirs)
    assert (labels == their_labels).all()
    assert 2 <= rounds < 50


def test_mlp_against_scipy() -> None:
    rng = np.random.default_rng(7)
    layers = [(rng.standard_normal((5, 7)), rng.standard_normal(7)), (rng.standard_normal((7, 3)), rng.standard_normal(3))]
    x = rng.standard_normal((10, 5))
    hidden = (x @ layers[0][0] + layers[0][1]).clip(min=0)
    expected = np.exp(log_softmax(hidden @ layers[1][0] + layers[1][1], axis=1))
    np.testing.assert_allclose(mlp(x, layers, 4), expected, rtol=1e-12)


def test_lstm_against_scalar_formulas() -> None:
    rng = np.random.default_rng(8)
    sequence = rng.standard_normal((4, 2, 3))
    weights, recurrent, bias = rng.standard_normal((3, 8)), rng.standard_normal((2, 8)), rng.standard_normal(8)
    states, cells = lstm(sequence, weights, recurrent, bias)
    for b in range(2):
        h, c = [0.0, 0.0], [0.0, 0.0]
        for t in range(4):
            z = [sequence[t, b] @ weights[:, k] + h[0] * recurrent[0, k] + h[1] * recurrent[1, k] + bias[k] for k in range(8)]
            c = [expit(z[2 + u]) * c[u] + expit(z[u]) * np.tanh(z[4 + u]) for u in range(2)]
            h = [expit(z[6 + u]) * np.tanh(c[u]) for u in range(2)]
            np.testing.assert_allclose(states[t, b], h, rtol=1e-12)
        np.testing.assert_allclose(cells[b], c, rtol=1e-12)


def test_attention_against_scipy() -> None:
    rng = np.random.default_rng(9)
    q, k, v = rng.standard_normal((3, 2, 6, 4))
    scores = np.einsum("hid,hjd->hij", q, k) / 2 + np.where(np.tri(6, dtype=bool), 0.0, -np.inf)
    np.testing.assert_allclose(attention(q, k, v), np.einsum("hij,hjd->hid", softmax(scores, axis=-1), v), rtol=1e-10)


def test_logistic_regression_finds_the_best_penalised_likelihood() -> None:
    rng = np.random.default_rng(10)
    x = rng.standard_normal((200, 3))
    y = (rng.random(200) < expit(x @ [1.0, -2.0, 0.5] + 0.3)).astype(float)
    w, steps = logistic_regression(x, y, 0.7, 30)

    def loss(w: np.ndarray) -> float:
        z = w[0] + x @ w[1:]
        return np.logaddexp(0, z).sum() - y @ z + 0.35 * w[1:] @ w[1:]

    np.testing.assert_allclose(w, minimize(loss, np.zeros(4), tol=1e-10).x, atol=1e-4)
    assert steps < 12


def test_logistic_regression_says_when_it_does_not_converge() -> None:
    with pytest.raises(RuntimeError, match="no convergence in 1 steps"):
        logistic_regression(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 0.0]), 0.1, 1)


def test_metropolis_hastings_samples_the_posterior() -> None:
    """With a flat prior, the mean has Student's distribution around the mean of the data."""
    rng = np.random.default_rng(11)
    data = rng.normal(3.0, 2.0, 50)
    chain, rate = metropolis_hastings(data, np.array([3.0, 0.7]), 0.3, rng.standard_normal((6000, 2)), 1 - rng.random(6000))
    assert 0.2 < rate < 0.8
    assert chain[500:, 0].mean() == pytest.approx(data.mean(), abs=0.08)
    assert chain[500:, 0].std() == pytest.approx(data.std() / np.sqrt(48), rel=0.2)
    assert np.exp(chain[500:, 1]).mean() == pytest.approx(data.std(), rel=0.08)
