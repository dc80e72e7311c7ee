"""Heat equation (physics): diffusion on a square with cold edges, explicit steps on slices.

Source: K. W. Morton, D. F. Mayers, Numerical Solution of Partial Differential Equations, 2nd edition, Cambridge 2005, section 3.1.
"""

import numpy as np


def heat(u: np.ndarray, ratio: float, steps: int) -> np.ndarray:
    """The temperature after some steps; ratio = diffusivity · step / spacing².

    Raises:
        ValueError: if the steps are unstable.
    """
    if not 0 < ratio <= 0.25:
        raise ValueError(f"unstable: the ratio is {ratio}, beyond 1/4")
    u = u.copy()
    for _ in range(steps):
        laplacian = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += ratio * laplacian
    return u


def example() -> tuple[np.ndarray, float, int]:
    """Hot spots on a plate."""
    rng = np.random.default_rng(1822)
    u = np.zeros((200, 200))
    for row, column in rng.integers(20, 170, (12, 2)):
        u[row : row + 10, column : column + 10] = 100.0
    return u, 0.2, 1000
