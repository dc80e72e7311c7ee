"""Runge–Kutta–Fehlberg (dynamical systems): the van der Pol oscillator with steps as long as the error allows.

Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd edition, Springer 1993, table 5.1 (Fehlberg's
coefficients) and section II.4 (control of the step).
"""

import numpy as np


def runge_kutta_fehlberg(start: np.ndarray, mu: float, end: float, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """The times of the accepted steps, and the states there.

    Raises:
        RuntimeError: if the steps become too short.
    """
    t, y, step = 0.0, start, 0.01
    times, states = [t], [y]
    while t < end:
        step = min(step, end - t)
        if t + step == t:
            raise RuntimeError(f"the step vanishes at time {t}")
        new, error = trial(y, mu, step)
        size = np.abs(error).max() / tolerance
        if size <= 1.0:
            t += step
            y = new
            times.append(t)
            states.append(y)
        step *= min(5.0, max(0.2, 0.9 * max(size, 1e-10) ** -0.2))
    return np.array(times), np.array(states)


def trial(y: np.ndarray, mu: float, h: float) -> tuple[np.ndarray, np.ndarray]:
    """One step of order five, and its difference from that of order four."""
    k1 = van_der_pol(y, mu)
    k2 = van_der_pol(y + h * k1 / 4, mu)
    k3 = van_der_pol(y + h * (3 * k1 + 9 * k2) / 32, mu)
    k4 = van_der_pol(y + h * (1932 * k1 - 7200 * k2 + 7296 * k3) / 2197, mu)
    k5 = van_der_pol(y + h * (439 / 216 * k1 - 8 * k2 + 3680 / 513 * k3 - 845 / 4104 * k4), mu)
    k6 = van_der_pol(y + h * (-8 / 27 * k1 + 2 * k2 - 3544 / 2565 * k3 + 1859 / 4104 * k4 - 11 / 40 * k5), mu)
    error = h * (k1 / 360 - 128 / 4275 * k3 - 2197 / 75240 * k4 + k5 / 50 + 2 / 55 * k6)
    return y + h * (16 / 135 * k1 + 6656 / 12825 * k3 + 28561 / 56430 * k4 - 9 / 50 * k5 + 2 / 55 * k6), error


def van_der_pol(y: np.ndarray, mu: float) -> np.ndarray:
    """The right-hand side of x'' = μ (1 - x²) x' - x."""
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


def example() -> tuple[np.ndarray, float, float, float]:
    """A few rounds of the limit cycle."""
    return np.array([2.0, 0.0]), 5.0, 40.0, 1e-8
