"""Floyd–Warshall (graphs): the shortest paths between all pairs of nodes.

Source: R. W. Floyd, Algorithm 97: shortest path, Comm. ACM 5 (1962), https://doi.org/10.1145/367766.368168.
"""

import numpy as np


def floyd_warshall(lengths: np.ndarray) -> np.ndarray:
    """The distances; infinity where there is no edge, or no path."""
    distance = lengths.copy()
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
    return distance


def example() -> tuple[np.ndarray]:
    """A road map: towns at random, roads between some that are near each other."""
    rng = np.random.default_rng(1962)
    towns = rng.random((90, 2))
    lengths = np.hypot(*(towns[:, None] - towns[None]).transpose(2, 0, 1))
    lengths[lengths > 0.2] = np.inf
    return (lengths,)
