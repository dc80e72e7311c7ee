"""Jacobi iteration (partial differential equations): the temperature of a plate whose edge is held fixed.

Source: W. H. Press et al., Numerical Recipes, 3rd edition, Cambridge 2007, section 20.5.
"""

import numpy as np


def jacobi(u: np.ndarray, tolerance: float, most: int) -> int:
    """Solve Laplace's equation in place, edges given; the number of sweeps."""
    rows, columns = u.shape
    new = u.copy()
    for sweep in range(1, most + 1):
        change = 0.0
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                new[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
                change = max(change, abs(new[i, j] - u[i, j]))
        u[:] = new
        if change < tolerance:
            return sweep
    return most


def example() -> tuple[np.ndarray, float, int]:
    """A cold plate with one hot edge."""
    u = np.zeros((40, 40))
    u[0] = 100.0
    return u, 0.05, 200
