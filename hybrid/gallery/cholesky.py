"""Cholesky factorisation (linear algebra): the lower triangle L with L Lᵀ = A, by loops.

Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition, Johns Hopkins 2013, section 4.2.
"""

import math

import numpy as np


def cholesky(a: np.ndarray) -> np.ndarray:
    """The factor of a symmetric positive definite matrix.

    Raises:
        ValueError: for a matrix that isn't positive definite.
    """
    n = a.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            if i == j:
                if total <= 0:
                    raise ValueError(f"not positive definite: pivot {i} is not positive")
                lower[i, i] = math.sqrt(total)
            else:
                lower[i, j] = total / lower[j, j]
    return lower


def example() -> tuple[np.ndarray]:
    """The covariance of a stationary process."""
    t = np.arange(110)
    return (np.exp(-np.abs(t[:, None] - t[None, :]) / 20.0) + 0.1 * np.eye(110),)
