"""Matrix-chain order (optimisation): where to put the parentheses in a product of matrices.

Source: T. H. Cormen et al., Introduction to Algorithms, 4th edition, MIT Press 2022, section 14.2.
"""

import numpy as np


def matrix_chain(sizes: np.ndarray) -> tuple[int, np.ndarray]:
    """The fewest multiplications of numbers, and where to split; matrix i is sizes[i] by sizes[i + 1]."""
    n = len(sizes) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    split = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = np.iinfo(np.int64).max
            for k in range(i, j):
                candidate = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if candidate < cost[i, j]:
                    cost[i, j], split[i, j] = candidate, k
    return int(cost[0, n - 1]), split


def example() -> tuple[np.ndarray]:
    """A hundred matrices."""
    return (np.random.default_rng(1973).integers(5, 100, 101),)
