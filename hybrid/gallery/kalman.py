"""Kalman filter (control): the track of an aircraft, from positions that radar measures badly.

Source: R. E. Kalman, A new approach to linear filtering and prediction problems, J. Basic Engineering 82 (1960),
https://doi.org/10.1115/1.3662552.
"""

import numpy as np


def kalman(measured: np.ndarray, step: float, jerk: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """The estimates of (x, y, speed in x, speed in y) after each measurement, and the last covariance.

    A measurement that is nan has been missed.
    """
    f, h = np.eye(4), np.eye(2, 4)
    f[0, 2] = f[1, 3] = step
    g = np.vstack([np.eye(2) * step**2 / 2, np.eye(2) * step])
    q, r = jerk**2 * g @ g.T, noise**2 * np.eye(2)
    x, p = np.zeros(4), 100.0 * np.eye(4)
    track = np.empty((len(measured), 4))
    for k, z in enumerate(measured):
        x = f @ x
        p = f @ p @ f.T + q
        if not np.isnan(z).any():
            s = h @ p @ h.T + r
            gain = np.linalg.solve(s, h @ p).T
            x = x + gain @ (z - h @ x)
            p = (np.eye(4) - gain @ h) @ p
        track[k] = x
    return track, p


def example() -> tuple[np.ndarray, float, float, float]:
    """A curved flight, a few measurements missing."""
    rng = np.random.default_rng(1960)
    t = np.arange(3000) * 0.1
    flight = np.stack([50 * np.cos(t / 30), 50 * np.sin(t / 20)], axis=1)
    measured = flight + rng.standard_normal((3000, 2))
    measured[rng.random(3000) < 0.05] = np.nan
    return measured, 0.1, 1.0, 1.0
