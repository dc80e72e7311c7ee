"""Convex hull (geometry): Andrew's monotone chain, with a stack that grows and shrinks.

Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, Information Processing Letters 9 (1979),
https://doi.org/10.1016/0020-0190(79)90072-3.
"""

import numpy as np


def convex_hull(points: np.ndarray) -> np.ndarray:
    """The corners, counter-clockwise from the leftmost one; distinct points are given, no three corners on a line come out."""
    points = points[np.lexsort((points[:, 1], points[:, 0]))]
    lower = half_hull(points)
    upper = half_hull(points[::-1])
    return points[np.array(lower[:-1] + [len(points) - 1 - i for i in upper[:-1]])]


def half_hull(points: np.ndarray) -> list[int]:
    """Positions of the corners on one side, from the first point to the last."""
    hull: list[int] = []
    for i in range(len(points)):
        while len(hull) >= 2 and turn(points[hull[-2]], points[hull[-1]], points[i]) <= 0:
            hull.pop()
        hull.append(i)
    return hull


def turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Positive where the way a, b, c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def example() -> tuple[np.ndarray]:
    """Points in a disc."""
    rng = np.random.default_rng(1979)
    radius, angle = np.sqrt(rng.random(30_000)), rng.uniform(0, 2 * np.pi, 30_000)
    return (np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1),)
