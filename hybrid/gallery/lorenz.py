"""Lorenz attractor (dynamical systems): the classical Runge–Kutta method of order four.

Source: E. N. Lorenz, Deterministic nonperiodic flow, J. Atmospheric Sciences 20 (1963),
https://doi.org/10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2.
"""

import numpy as np


def lorenz(start: np.ndarray, step: float, steps: int) -> np.ndarray:
    """The trajectory, one row for each point of time, with σ = 10, ρ = 28, β = 8/3."""
    path = np.empty((steps + 1, 3))
    path[0] = start
    state = start
    for i in range(steps):
        k1 = velocity(state)
        k2 = velocity(state + 0.5 * step * k1)
        k3 = velocity(state + 0.5 * step * k2)
        k4 = velocity(state + step * k3)
        state = state + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        path[i + 1] = state
    return path


def velocity(state: np.ndarray, sigma: float = 10.0, rho: float = 28.0, beta: float = 8.0 / 3.0) -> np.ndarray:
    """The right-hand side."""
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def example() -> tuple[np.ndarray, float, int]:
    """Ten units of time: rounding errors grow by e^9 meanwhile, not more."""
    return np.array([1.0, 1.0, 1.0]), 0.0025, 4000
