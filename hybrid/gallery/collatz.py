"""Collatz sequences (number theory): which start below a bound takes the most steps to 1.

Source: J. C. Lagarias, The 3x + 1 problem and its generalizations, Amer. Math. Monthly 92 (1985), https://doi.org/10.2307/2322189.
"""

import numpy as np


def collatz(bound: int) -> tuple[int, int]:
    """The start with the most steps, and their number."""
    known = np.zeros(bound, dtype=np.int64)
    best, most = 1, 0
    for start in range(2, bound):
        n, steps = start, 0
        while n >= start:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        known[start] = steps + known[n]
        if known[start] > most:
            best, most = start, int(known[start])
    return best, most


def example() -> tuple[int]:
    """Starts below 200,000."""
    return (200_000,)
