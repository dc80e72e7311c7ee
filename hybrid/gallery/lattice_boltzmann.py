"""Lattice Boltzmann method (fluid dynamics): nine velocities on a periodic square, single relaxation time.

Source: T. Krüger et al., The Lattice Boltzmann Method, Springer 2017, chapter 3, https://doi.org/10.1007/978-3-319-44649-3.
"""

import numpy as np

CX = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
CY = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


def lattice_boltzmann(ux: np.ndarray, uy: np.ndarray, tau: float, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Density and velocities after some steps, from density 1 and the given velocities; viscosity (τ - 1/2) / 3."""
    rho = np.ones_like(ux)
    f = equilibrium(rho, ux, uy)
    for _ in range(steps):
        for k in range(9):
            f[k] = np.roll(f[k], (CX[k], CY[k]), axis=(0, 1))
        rho = f.sum(axis=0)
        ux = np.tensordot(CX, f, axes=1) / rho
        uy = np.tensordot(CY, f, axes=1) / rho
        f += (equilibrium(rho, ux, uy) - f) / tau
    return rho, ux, uy


def equilibrium(rho: np.ndarray, ux: np.ndarray, uy: np.ndarray) -> np.ndarray:
    """The distribution that collisions lead to."""
    along = CX[:, None, None] * ux + CY[:, None, None] * uy
    return WEIGHTS[:, None, None] * rho * (1 + 3 * along + 4.5 * along**2 - 1.5 * (ux**2 + uy**2))


def example() -> tuple[np.ndarray, np.ndarray, float, int]:
    """Taylor and Green's vortices."""
    x = np.arange(64) * 2 * np.pi / 64
    ux = 0.05 * np.cos(x)[:, None] * np.sin(x)[None, :]
    uy = -0.05 * np.sin(x)[:, None] * np.cos(x)[None, :]
    return ux, uy, 0.8, 150
