"""Bilateral filter (image processing): smoothing that keeps edges.

Source: C. Tomasi, R. Manduchi, Bilateral filtering for gray and color images, ICCV 1998, https://doi.org/10.1109/ICCV.1998.710815.
"""

import math

import numpy as np


def bilateral_filter(image: np.ndarray, radius: int, sigma_space: float, sigma_level: float) -> np.ndarray:
    """The filtered image; windows are cut off at its edges."""
    rows, columns = image.shape
    out = np.empty_like(image)
    for i in range(rows):
        for j in range(columns):
            total = weights = 0.0
            for y in range(max(i - radius, 0), min(i + radius + 1, rows)):
                for x in range(max(j - radius, 0), min(j + radius + 1, columns)):
                    apart = ((y - i) ** 2 + (x - j) ** 2) / (2.0 * sigma_space**2)
                    unlike = (image[y, x] - image[i, j]) ** 2 / (2.0 * sigma_level**2)
                    weight = math.exp(-apart - unlike)
                    total += weight * image[y, x]
                    weights += weight
            out[i, j] = total / weights
    return out


def example() -> tuple[np.ndarray, int, float, float]:
    """A noisy step."""
    rng = np.random.default_rng(1998)
    image = np.where(np.arange(96)[None, :] < 48, 0.2, 0.8) + 0.05 * rng.standard_normal((64, 96))
    return image, 3, 2.0, 0.15
