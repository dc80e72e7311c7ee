"""Julia set (computer graphics): z² + c on a whole complex array, with a mask of the points that are still inside.

Source: H.-O. Peitgen, P. H. Richter, The Beauty of Fractals, Springer 1986, chapter 2.
"""

import numpy as np


def julia_set(points: np.ndarray, c: complex, limit: int) -> np.ndarray:
    """For each point, the number of iterates that stay in the disc of radius 2."""
    z = points.copy()
    counts = np.zeros(points.shape, dtype=np.int64)
    inside = np.abs(z) <= 2.0
    for _ in range(limit):
        z[inside] = z[inside] ** 2 + c
        inside &= np.abs(z) <= 2.0
        counts[inside] += 1
        if not inside.any():
            break
    return counts


def example() -> tuple[np.ndarray, complex, int]:
    """Douady's rabbit."""
    x, y = np.linspace(-1.5, 1.5, 300), np.linspace(-1.2, 1.2, 240)
    return x[None, :] + 1j * y[:, None], -0.123 + 0.745j, 80
