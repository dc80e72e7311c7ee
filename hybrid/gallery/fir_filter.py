"""FIR filter (signal processing): a signal convolved with a few taps, sample by sample.

Source: A. V. Oppenheim, R. W. Schafer, Discrete-Time Signal Processing, 3rd edition, Pearson 2010, section 6.5.
"""

import numpy as np


def fir_filter(signal: np.ndarray, taps: np.ndarray) -> np.ndarray:
    """The filtered signal, with silence before it began."""
    out = np.zeros_like(signal)
    for n in range(len(signal)):
        total = 0.0
        for k in range(min(len(taps), n + 1)):
            total += taps[k] * signal[n - k]
        out[n] = total
    return out


def example() -> tuple[np.ndarray, np.ndarray]:
    """A noisy tone and a low-pass filter: a windowed sinc with cutoff at a tenth of the sample rate."""
    rng = np.random.default_rng(2010)
    t = np.arange(12_000) / 8000.0
    n = np.arange(63) - 31
    return np.sin(2 * np.pi * 440 * t) + 0.3 * rng.standard_normal(12_000), 0.2 * np.sinc(0.2 * n) * np.hamming(63)
