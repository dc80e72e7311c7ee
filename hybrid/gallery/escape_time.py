"""Escape-time fractal (computer graphics): how soon z² + c leaves the disc of radius 2, pixel by pixel.

The Mandelbrot set. Source: H.-O. Peitgen, P. H. Richter, The Beauty of Fractals, Springer 1986, chapter 4.
"""

import numpy as np


def escape_time(width: int, height: int, limit: int) -> np.ndarray:
    """Iterations until the orbit of 0 escapes, over the rectangle from -2 - 1.25i to 0.5 + 1.25i."""
    counts = np.zeros((height, width), dtype=np.int64)
    for row in range(height):
        y = -1.25 + 2.5 * row / (height - 1)
        for column in range(width):
            x = -2.0 + 2.5 * column / (width - 1)
            counts[row, column] = iterations(complex(x, y), limit)
    return counts


def iterations(c: complex, limit: int) -> int:
    """The first n with |z_n| > 2, or the limit."""
    z = 0j
    for n in range(limit):
        if abs(z) > 2.0:
            return n
        z = z * z + c
    return limit


def example() -> tuple[int, int, int]:
    """A small picture."""
    return 160, 120, 100
