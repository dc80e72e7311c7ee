"""Newton fractal (numerical analysis): which root of z³ = 1 Newton's method finds from each pixel, and how soon.

Source: J. H. Hubbard, D. Schleicher, S. Sutherland, How to find all roots of complex polynomials by Newton's method,
Inventiones mathematicae 146 (2001), https://doi.org/10.1007/s002220100149.
"""

import numpy as np


def newton_fractal(size: int, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """The index of the root (-1 for none) and the number of steps, over the square from -2 - 2i to 2 + 2i."""
    roots = np.exp(2j * np.pi * np.arange(3) / 3)
    root = np.full((size, size), -1, dtype=np.int8)
    steps = np.zeros((size, size), dtype=np.int16)
    axis = np.linspace(-2.0, 2.0, size)
    for row in range(size):
        for column in range(size):
            z = complex(axis[column], axis[row])
            n = 0
            while n < limit and abs(z**3 - 1) > 1e-9:
                if z == 0:
                    break
                z -= (z**3 - 1) / (3 * z**2)
                n += 1
            else:
                root[row, column] = np.argmin(np.abs(roots - z))
            steps[row, column] = n
    return root, steps


def example() -> tuple[int, int]:
    """A square of 120 by 120 pixels."""
    return 120, 40
