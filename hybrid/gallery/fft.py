"""Fast Fourier transform (signal processing): Cooley and Tukey's, of radix two, in place.

Source: J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier series, Math. Comp. 19 (1965),
https://doi.org/10.1090/S0025-5718-1965-0178586-1.
"""

import numpy as np


def fft(x: np.ndarray) -> None:
    """Transform a complex array in place.

    Raises:
        ValueError: if its length is no power of two.
    """
    n = len(x)
    if n == 0 or n & (n - 1) != 0:
        raise ValueError(f"the length is {n}, no power of two")
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    length = 2
    while length <= n:
        half = length // 2
        turns = np.exp(-2j * np.pi * np.arange(half) / length)
        for first in range(0, n, length):
            for k in range(first, first + half):
                even, odd = x[k], x[k + half] * turns[k - first]
                x[k], x[k + half] = even + odd, even - odd
        length *= 2


def example() -> tuple[np.ndarray]:
    """Three tones in noise."""
    rng = np.random.default_rng(1965)
    t = np.arange(2**14)
    tones = sum(np.exp(2j * np.pi * f * t) for f in (0.01, 0.05, 0.2))
    return (tones + rng.standard_normal(2**14) + 1j * rng.standard_normal(2**14),)
