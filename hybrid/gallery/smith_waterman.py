"""Smith–Waterman (bioinformatics): the best local alignment of two sequences, and its way back.

Source: T. F. Smith, M. S. Waterman, Identification of common molecular subsequences, J. Molecular Biology 147 (1981),
https://doi.org/10.1016/0022-2836(81)90087-5.
"""

import numpy as np


def smith_waterman(a: np.ndarray, b: np.ndarray, match: int, mismatch: int, gap: int) -> tuple[int, list[tuple[int, int]]]:
    """The score, and the pairs of positions that are aligned."""
    score = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    best, best_i, best_j = 0, 0, 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            pair = score[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch)
            score[i, j] = max(0, pair, score[i - 1, j] + gap, score[i, j - 1] + gap)
            if score[i, j] > best:
                best, best_i, best_j = int(score[i, j]), i, j
    aligned = []
    i, j = best_i, best_j
    while score[i, j] > 0:
        if score[i, j] == score[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch):
            i, j = i - 1, j - 1
            aligned.append((i, j))
        elif score[i, j] == score[i - 1, j] + gap:
            i -= 1
        else:
            j -= 1
    aligned.reverse()
    return best, aligned


def example() -> tuple[np.ndarray, np.ndarray, int, int, int]:
    """Two strands of DNA with a common part that has mutated."""
    rng = np.random.default_rng(1981)
    a, b = rng.integers(0, 4, 360), rng.integers(0, 4, 320)
    common = rng.integers(0, 4, 120)
    a[100:220] = common
    b[50:170] = np.where(rng.random(120) < 0.1, rng.integers(0, 4, 120), common)
    return a, b, 3, -3, -6
