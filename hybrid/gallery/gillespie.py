"""Gillespie's algorithm (epidemiology): an epidemic, event by event, random numbers given.

Susceptible, infected, recovered: S + I → 2 I and I → R. Source: D. T. Gillespie, Exact stochastic simulation of coupled chemical reactions,
J. Physical Chemistry 81 (1977), https://doi.org/10.1021/j100540a008.
"""

import math

import numpy as np


def gillespie(susceptible: int, infected: int, contact: float, recovery: float, uniform: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Times of the events, the number infected after each, and how many were never infected.

    Raises:
        ValueError: if the random numbers don't last until the epidemic is over.
    """
    population = susceptible + infected
    t = 0.0
    times, cases = [0.0], [infected]
    for wait, choice in uniform:
        infections = contact * susceptible * infected / population
        total = infections + recovery * infected
        t -= math.log(1.0 - wait) / total
        if choice * total < infections:
            susceptible -= 1
            infected += 1
        else:
            infected -= 1
        times.append(t)
        cases.append(infected)
        if infected == 0:
            break
    else:
        raise ValueError(f"{len(uniform)} pairs of random numbers are too few")
    return np.array(times), np.array(cases), susceptible


def example() -> tuple[int, int, float, float, np.ndarray]:
    """A town of 50,000."""
    rng = np.random.default_rng(1977)
    return 49_900, 100, 0.5, 0.2, rng.random((100_000, 2))
