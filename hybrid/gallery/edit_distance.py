"""Edit distance (bioinformatics): the fewest insertions, deletions and substitutions between two sequences.

Source: R. A. Wagner, M. J. Fischer, The string-to-string correction problem, J. ACM 21 (1974), https://doi.org/10.1145/321796.321811.
"""

import numpy as np


def edit_distance(a: np.ndarray, b: np.ndarray) -> int:
    """Levenshtein's distance of two arrays of symbols, with two rows of the table in memory."""
    previous = np.arange(len(b) + 1)
    current = np.empty_like(previous)
    for i in range(len(a)):
        current[0] = i + 1
        for j in range(len(b)):
            substitution = previous[j] + (a[i] != b[j])
            current[j + 1] = min(substitution, previous[j + 1] + 1, current[j] + 1)
        previous, current = current, previous
    return int(previous[-1])


def example() -> tuple[np.ndarray, np.ndarray]:
    """A strand of DNA and a mutated copy of it."""
    rng = np.random.default_rng(1974)
    strand = rng.choice(np.frombuffer(b"ACGT", dtype=np.uint8), 500)
    mutated = np.where(rng.random(500) < 0.1, rng.choice(strand, 500), strand)
    return strand, np.delete(mutated, rng.choice(500, 40, replace=False))
