"""Ising model (statistical physics): Metropolis' sweeps over a lattice of spins, random numbers given.

Source: M. E. J. Newman, G. T. Barkema, Monte Carlo Methods in Statistical Physics, Oxford 1999, chapter 3.
"""

import numpy as np


def ising(spins: np.ndarray, beta: float, uniform: np.ndarray) -> np.ndarray:
    """Sweep in place, once for each layer of random numbers; the magnetisation after each sweep."""
    n, m = spins.shape
    magnetisation = np.empty(len(uniform))
    for sweep in range(len(uniform)):
        for i in range(n):
            for j in range(m):
                field = spins[i - 1, j] + spins[(i + 1) % n, j] + spins[i, j - 1] + spins[i, (j + 1) % m]
                cost = 2 * spins[i, j] * field
                if cost <= 0 or uniform[sweep, i, j] < np.exp(-beta * cost):
                    spins[i, j] = -spins[i, j]
        magnetisation[sweep] = spins.mean()
    return magnetisation


def example() -> tuple[np.ndarray, float, np.ndarray]:
    """Just below the critical temperature, from a random start."""
    rng = np.random.default_rng(1944)
    return rng.choice(np.array([-1, 1]), (40, 40)), 0.45, rng.random((60, 40, 40))
