"""k-means (machine learning): Lloyd's algorithm, until no point changes its cluster.

Source: S. Lloyd, Least squares quantization in PCM, IEEE Trans. Information Theory 28 (1982), https://doi.org/10.1109/TIT.1982.1056489.
"""

import numpy as np


def kmeans(points: np.ndarray, centres: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray, int]:
    """The centres, the cluster of each point, and the number of rounds."""
    centres = centres.copy()
    labels = np.full(len(points), -1)
    for rounds in range(1, most + 1):
        changed = 0
        for i, point in enumerate(points):
            nearest = np.argmin(((centres - point) ** 2).sum(axis=1))
            if nearest != labels[i]:
                labels[i] = nearest
                changed += 1
        if changed == 0:
            return centres, labels, rounds
        for k in range(len(centres)):
            members = points[labels == k]
            if len(members) > 0:
                centres[k] = members.mean(axis=0)
    return centres, labels, most


def example() -> tuple[np.ndarray, np.ndarray, int]:
    """Six clouds in three dimensions."""
    rng = np.random.default_rng(1957)
    clouds = rng.uniform(-5, 5, (6, 3))
    points = clouds[rng.integers(0, 6, 3000)] + rng.standard_normal((3000, 3))
    return points, points[:6].copy(), 30
