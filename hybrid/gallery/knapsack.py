"""Knapsack problem (optimisation): the most valuable choice of things within a weight, by dynamic programming.

Source: T. H. Cormen et al., Introduction to Algorithms, 4th edition, MIT Press 2022, section 15.2 and problem 14-2.
"""

import numpy as np


def knapsack(weights: np.ndarray, values: np.ndarray, capacity: int) -> tuple[int, list[int]]:
    """The best total value, and the things to take."""
    best = np.zeros((len(weights) + 1, capacity + 1), dtype=np.int64)
    for i in range(len(weights)):
        for room in range(capacity + 1):
            best[i + 1, room] = best[i, room]
            if weights[i] <= room:
                taken = best[i, room - weights[i]] + values[i]
                if taken > best[i + 1, room]:
                    best[i + 1, room] = taken
    chosen = []
    room = capacity
    for i in range(len(weights) - 1, -1, -1):
        if best[i + 1, room] != best[i, room]:
            chosen.append(i)
            room -= int(weights[i])
    return int(best[-1, capacity]), chosen[::-1]


def example() -> tuple[np.ndarray, np.ndarray, int]:
    """A hundred things."""
    rng = np.random.default_rng(1957)
    return rng.integers(5, 60, 100), rng.integers(10, 200, 100), 1500
