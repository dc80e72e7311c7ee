"""Black–Scholes formula (finance): prices of European options, one by one.

Source: F. Black, M. Scholes, The pricing of options and corporate liabilities, J. Political Economy 81 (1973), https://doi.org/10.1086/260062.
"""

import math

import numpy as np


def black_scholes(
    spot: np.ndarray, strike: np.ndarray, years: np.ndarray, rate: float, volatility: np.ndarray, is_call: np.ndarray
) -> np.ndarray:
    """The price of each option; at expiry, what it pays."""
    prices = np.empty(len(spot))
    for i in range(len(spot)):
        if years[i] <= 0:
            prices[i] = max(spot[i] - strike[i], 0.0) if is_call[i] else max(strike[i] - spot[i], 0.0)
            continue
        spread = volatility[i] * math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility[i] ** 2) * years[i]) / spread
        d2 = d1 - spread
        discounted = strike[i] * math.exp(-rate * years[i])
        if is_call[i]:
            prices[i] = spot[i] * normal(d1) - discounted * normal(d2)
        else:
            prices[i] = discounted * normal(-d2) - spot[i] * normal(-d1)
    return prices


def normal(x: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray, float, np.ndarray, np.ndarray]:
    """A book of 50,000 options, some of which expire today."""
    rng = np.random.default_rng(1973)
    n = 50_000
    years = np.where(rng.random(n) < 0.05, 0.0, rng.uniform(0.05, 3.0, n))
    return rng.uniform(50, 150, n), rng.uniform(50, 150, n), years, 0.03, rng.uniform(0.1, 0.6, n), rng.random(n) < 0.5
