"""N-body problem (astronomy): planets that attract each other, moved by the leapfrog method.

Source: J. Binney, S. Tremaine, Galactic Dynamics, 2nd edition, Princeton 2008, section 3.4; units: astronomical unit, year, solar mass.
"""

import numpy as np

G = 4 * np.pi**2


def nbody(positions: np.ndarray, velocities: np.ndarray, masses: np.ndarray, step: float, steps: int) -> float:
    """Move the bodies in place; the total energy at the end."""
    acceleration = accelerations(positions, masses)
    for _ in range(steps):
        velocities += 0.5 * step * acceleration
        positions += step * velocities
        acceleration = accelerations(positions, masses)
        velocities += 0.5 * step * acceleration
    return energy(positions, velocities, masses)


def accelerations(positions: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """Newton's law of gravitation, pair by pair."""
    result = np.zeros_like(positions)
    for i in range(len(masses)):
        for j in range(i + 1, len(masses)):
            apart = positions[j] - positions[i]
            pull = G * apart / np.sqrt(np.sum(apart**2)) ** 3
            result[i] += masses[j] * pull
            result[j] -= masses[i] * pull
    return result


def energy(positions: np.ndarray, velocities: np.ndarray, masses: np.ndarray) -> float:
    """Kinetic and potential energy."""
    total = 0.0
    for i in range(len(masses)):
        total += 0.5 * masses[i] * np.dot(velocities[i], velocities[i])
        for j in range(i + 1, len(masses)):
            total -= G * masses[i] * masses[j] / np.linalg.norm(positions[j] - positions[i])
    return float(total)


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray, float, int]:
    """The Sun and eight planets on inclined circles, for two years."""
    rng = np.random.default_rng(1687)
    radius = np.array([0.387, 0.723, 1.0, 1.524, 5.203, 9.537, 19.19, 30.07])
    masses = np.array([1.0, 1.66e-7, 2.45e-6, 3.0e-6, 3.23e-7, 9.54e-4, 2.86e-4, 4.37e-5, 5.15e-5])
    angle, tilt = rng.uniform(0, 2 * np.pi, 8), rng.normal(0, 0.03, 8)
    speed = 2 * np.pi / np.sqrt(radius)
    positions, velocities = np.zeros((9, 3)), np.zeros((9, 3))
    positions[1:] = radius[:, None] * np.stack([np.cos(angle), np.sin(angle) * np.cos(tilt), np.sin(angle) * np.sin(tilt)], axis=1)
    velocities[1:] = speed[:, None] * np.stack([-np.sin(angle), np.cos(angle) * np.cos(tilt), np.cos(angle) * np.sin(tilt)], axis=1)
    return positions, velocities, masses, 0.005, 400
