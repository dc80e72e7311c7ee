"""Binary search (searching): where many keys belong in a sorted table.

Source: D. E. Knuth, The Art of Computer Programming, volume 3, section 6.2.1.
"""

import numpy as np


def binary_search(table: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """For each key, the number of entries below it."""
    found = np.empty(len(keys), dtype=np.int64)
    for i, key in enumerate(keys):
        low, high = 0, len(table)
        while low < high:
            middle = (low + high) // 2
            if table[middle] < key:
                low = middle + 1
            else:
                high = middle
        found[i] = low
    return found


def example() -> tuple[np.ndarray, np.ndarray]:
    """A table of 100,000 numbers and 50,000 keys."""
    rng = np.random.default_rng(3)
    return np.sort(rng.random(100_000)), rng.random(50_000)
