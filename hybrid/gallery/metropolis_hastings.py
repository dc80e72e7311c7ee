"""Metropolis–Hastings (statistics): samples of a mean and a spread given data, random numbers given.

Source: A. Gelman et al., Bayesian Data Analysis, 3rd edition, CRC Press 2013, section 11.2.
"""

import numpy as np


def metropolis_hastings(
    data: np.ndarray, start: np.ndarray, scale: float, steps: np.ndarray, uniform: np.ndarray
) -> tuple[np.ndarray, float]:
    """The chain of (mean, logarithm of the spread) under a flat prior, and the rate of acceptance."""
    chain = np.empty((len(steps), 2))
    here = start
    density = log_density(data, here)
    accepted = 0
    for i in range(len(steps)):
        there = here + scale * steps[i]
        proposed = log_density(data, there)
        if np.log(uniform[i]) < proposed - density:
            here, density = there, proposed
            accepted += 1
        chain[i] = here
    return chain, accepted / len(steps)


def log_density(data: np.ndarray, parameters: np.ndarray) -> float:
    """The logarithm of the normal likelihood, up to a constant."""
    mean, log_spread = parameters
    return -len(data) * log_spread - 0.5 * np.sum(((data - mean) * np.exp(-log_spread)) ** 2)


def example() -> tuple[np.ndarray, np.ndarray, float, np.ndarray, np.ndarray]:
    """A hundred measurements, 10,000 samples."""
    rng = np.random.default_rng(1953)
    return rng.normal(3.0, 2.0, 100), np.array([0.0, 0.0]), 0.2, rng.standard_normal((10_000, 2)), 1.0 - rng.random(10_000)
