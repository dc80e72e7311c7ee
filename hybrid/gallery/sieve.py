"""Sieve of Eratosthenes (number theory): all primes up to a bound.

Source: D. E. Knuth, The Art of Computer Programming, volume 2, section 4.5.4.
"""

import numpy as np


def sieve(bound: int) -> np.ndarray:
    """The primes up to and including the bound."""
    is_prime = np.ones(bound + 1, dtype=bool)
    is_prime[:2] = False
    candidate = 2
    while candidate * candidate <= bound:
        if is_prime[candidate]:
            for multiple in range(candidate * candidate, bound + 1, candidate):
                is_prime[multiple] = False
        candidate += 1
    return np.flatnonzero(is_prime)


def example() -> tuple[int]:
    """Up to a million."""
    return (1_000_000,)
