"""Gauss–Seidel iteration with over-relaxation (partial differential equations): Poisson's equation, in place.

Source: D. M. Young, Iterative methods for solving partial difference equations of elliptic type, Trans. AMS 76 (1954),
https://doi.org/10.1090/S0002-9947-1954-0059635-7.
"""

import numpy as np


def gauss_seidel(u: np.ndarray, f: np.ndarray, spacing: float, omega: float, sweeps: int) -> float:
    """Sweeps for Δu = f, in place, edges given; the largest change of the last sweep."""
    largest = 0.0
    for _ in range(sweeps):
        largest = 0.0
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                target = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - spacing**2 * f[i, j])
                change = omega * (target - u[i, j])
                u[i, j] += change
                if abs(change) > largest:
                    largest = abs(change)
    return float(largest)


def example() -> tuple[np.ndarray, np.ndarray, float, float, int]:
    """Two charges in a grounded box."""
    n = 60
    f = np.zeros((n, n))
    f[n // 4, n // 3], f[n // 2, 2 * n // 3] = 1e3, -1e3
    return np.zeros((n, n)), f, 1.0 / (n - 1), 2.0 / (1.0 + np.sin(np.pi / (n - 1))), 60
