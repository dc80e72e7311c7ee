"""Logistic regression (statistics): Newton's method on the likelihood, until the step is small.

Source: T. Hastie, R. Tibshirani, J. Friedman, The Elements of Statistical Learning, 2nd edition, Springer 2009, section 4.4.1.
"""

import numpy as np


def logistic_regression(x: np.ndarray, y: np.ndarray, penalty: float, most: int) -> tuple[np.ndarray, int]:
    """The coefficients, the intercept first, and the number of steps; the intercept isn't penalised.

    Raises:
        RuntimeError: without convergence.
    """
    x = np.column_stack([np.ones(len(x)), x])
    ridge = penalty * np.eye(x.shape[1])
    ridge[0, 0] = 0.0
    w = np.zeros(x.shape[1])
    for step in range(1, most + 1):
        p = 1 / (1 + np.exp(-(x @ w)))
        gradient = x.T @ (y - p) - ridge @ w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + ridge
        change = np.linalg.solve(hessian, gradient)
        w += change
        if np.abs(change).max() < 1e-9:
            return w, step
    raise RuntimeError(f"no convergence in {most} steps")


def example() -> tuple[np.ndarray, np.ndarray, float, int]:
    """A study of 40,000 people and twelve traits."""
    rng = np.random.default_rng(1958)
    x = rng.standard_normal((40_000, 12))
    chance = 1 / (1 + np.exp(0.5 - x @ rng.standard_normal(12)))
    return x, (rng.random(40_000) < chance).astype(float), 1.0, 25
