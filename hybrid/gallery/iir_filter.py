"""IIR filter (signal processing): a cascade of biquads in transposed direct form II.

Source: A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal Processing, 3rd edition, Pearson 2010, section 6.3.
"""

import numpy as np


def iir_filter(signal: np.ndarray, sections: np.ndarray) -> np.ndarray:
    """The signal filtered by rows of b0, b1, b2, a0, a1, a2, where a0 = 1."""
    out = signal.copy()
    for b0, b1, b2, _, a1, a2 in sections:
        s1 = s2 = 0.0
        for n, x in enumerate(out):
            y = b0 * x + s1
            s1 = b1 * x - a1 * y + s2
            s2 = b2 * x - a2 * y
            out[n] = y
    return out


def example() -> tuple[np.ndarray, np.ndarray]:
    """A Butterworth low pass of order six, cutoff at a tenth of the sample rate, on noise."""
    angle = 2 * np.pi * 0.1
    sections = []
    for quality in (0.5176, 0.7071, 1.9319):
        alpha = np.sin(angle) / (2 * quality)
        b = (1 - np.cos(angle)) / 2
        sections.append(np.array([b, 2 * b, b, 1 + alpha, -2 * np.cos(angle), 1 - alpha]) / (1 + alpha))
    return np.random.default_rng(6).standard_normal(60_000), np.array(sections)
