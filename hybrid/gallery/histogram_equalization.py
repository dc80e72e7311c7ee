"""Histogram equalisation (image processing): grey levels spread so that each is as frequent as the others.

Source: R. C. Gonzalez, R. E. Woods, Digital Image Processing, 4th edition, Pearson 2018, section 3.3.
"""

import numpy as np


def histogram_equalization(image: np.ndarray) -> np.ndarray:
    """The image (uint8) with equalised levels."""
    histogram = np.zeros(256, dtype=np.int64)
    for row in image:
        for level in row:
            histogram[level] += 1
    cumulative = np.cumsum(histogram)
    lowest = cumulative[cumulative > 0][0]
    spread = image.size - lowest
    if spread == 0:
        return image.copy()
    levels = np.round((cumulative - lowest) * 255.0 / spread)
    return np.clip(levels, 0, 255).astype(np.uint8)[image]


def example() -> tuple[np.ndarray]:
    """A dim picture: waves and noise on few levels."""
    rng = np.random.default_rng(2018)
    y, x = np.mgrid[:480, :640]
    waves = 70 + 18 * np.sin(x / 40.0) * np.cos(y / 55.0) + 4 * rng.standard_normal((480, 640))
    return (np.clip(waves, 0, 255).astype(np.uint8),)
