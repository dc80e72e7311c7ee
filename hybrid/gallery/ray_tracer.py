"""Ray tracer (computer graphics): shaded spheres with shadows, one ray for each pixel.

Source: P. Shirley, S. Marschner, Fundamentals of Computer Graphics, 5th edition, CRC Press 2021, chapter 4.
"""

from __future__ import annotations

import numpy as np


def ray_tracer(centres: np.ndarray, radii: np.ndarray, colours: np.ndarray, light: np.ndarray, size: int) -> np.ndarray:
    """The picture (size, size, 3), seen from the origin along -z with a right angle of view."""
    picture = np.zeros((size, size, 3))
    eye = np.zeros(3)
    for row in range(size):
        for column in range(size):
            pixel = np.array([2 * (column + 0.5) / size - 1, 1 - 2 * (row + 0.5) / size, -1.0])
            ray = pixel / np.linalg.norm(pixel)
            hit = nearest(eye, ray, centres, radii)
            if hit is None:
                continue
            sphere, distance = hit
            point = distance * ray
            normal = (point - centres[sphere]) / radii[sphere]
            towards = (light - point) / np.linalg.norm(light - point)
            brightness = 0.1
            if nearest(point + 1e-6 * normal, towards, centres, radii) is None:
                brightness += 0.9 * max(normal @ towards, 0.0)
            picture[row, column] = brightness * colours[sphere]
    return picture


def nearest(origin: np.ndarray, ray: np.ndarray, centres: np.ndarray, radii: np.ndarray) -> tuple[int, float] | None:
    """The first sphere that a ray meets, and how far away."""
    found, closest = -1, np.inf
    for k in range(len(radii)):
        towards = centres[k] - origin
        along = towards @ ray
        discriminant = along**2 - towards @ towards + radii[k] ** 2
        if discriminant < 0:
            continue
        distance = along - np.sqrt(discriminant)
        if 0 < distance < closest:
            found, closest = k, distance
    if found < 0:
        return None
    return found, closest


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """Six balls before a large one."""
    rng = np.random.default_rng(1968)
    centres = np.vstack([[0.0, -101.0, -6.0], np.column_stack([np.linspace(-3, 3, 6), rng.uniform(-0.7, 1.0, 6), rng.uniform(-7, -4, 6)])])
    radii = np.array([100.0, *rng.uniform(0.4, 0.8, 6)])
    return centres, radii, rng.uniform(0.3, 1.0, (7, 3)), np.array([5.0, 8.0, 2.0]), 72
