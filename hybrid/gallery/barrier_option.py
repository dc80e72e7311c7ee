"""Barrier option by Monte Carlo (finance): paths end early where the price falls through the barrier.

A down-and-out call watched at each step. Source: P. Glasserman, Monte Carlo Methods in Financial Engineering, Springer 2004, sections 2.3
and 6.4; random numbers: S. K. Park, K. W. Miller, Random number generators: good ones are hard to find, Comm. ACM 31 (1988),
https://doi.org/10.1145/63039.63042.
"""

import math

MODULUS = 2**31 - 1


def barrier_option(
    spot: float, strike: float, barrier: float, rate: float, volatility: float, years: float, steps: int, paths: int, seed: int
) -> tuple[float, float, int]:
    """The price, its standard error, and the number of paths that ended at the barrier."""
    dt = years / steps
    drift = (rate - 0.5 * volatility**2) * dt
    spread = volatility * math.sqrt(dt)
    discount = math.exp(-rate * years)
    total = total_squares = 0.0
    broken = 0
    state = seed
    for _ in range(paths):
        price = spot
        for _ in range(steps):
            state = 16807 * state % MODULUS
            radius = math.sqrt(-2.0 * math.log(state / MODULUS))
            state = 16807 * state % MODULUS
            price *= math.exp(drift + spread * radius * math.cos(2.0 * math.pi * state / MODULUS))
            if price <= barrier:
                broken += 1
                break
        else:
            payoff = discount * max(price - strike, 0.0)
            total += payoff
            total_squares += payoff**2
    mean = total / paths
    return mean, math.sqrt((total_squares / paths - mean**2) / paths), broken


def example() -> tuple[float, float, float, float, float, float, int, int, int]:
    """Half a year, watched daily."""
    return 100.0, 100.0, 90.0, 0.05, 0.3, 0.5, 126, 3000, 20_240_229
