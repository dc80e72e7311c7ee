"""Viterbi's algorithm (speech and genes): the most likely hidden states behind what was observed.

Source: L. R. Rabiner, A tutorial on hidden Markov models, Proc. IEEE 77 (1989), section III.B, https://doi.org/10.1109/5.18626.
"""

import numpy as np


def viterbi(start: np.ndarray, transition: np.ndarray, emission: np.ndarray, observed: np.ndarray) -> tuple[np.ndarray, float]:
    """The best path and its logarithmic probability; all probabilities are given as logarithms."""
    steps, states = len(observed), len(start)
    score = start + emission[:, observed[0]]
    back = np.zeros((steps, states), dtype=np.int64)
    for t in range(1, steps):
        new = np.empty(states)
        for j in range(states):
            best, best_score = 0, -np.inf
            for i in range(states):
                candidate = score[i] + transition[i, j]
                if candidate > best_score:
                    best, best_score = i, candidate
            back[t, j] = best
            new[j] = best_score + emission[j, observed[t]]
        score = new
    path = np.zeros(steps, dtype=np.int64)
    path[-1] = np.argmax(score)
    for t in range(steps - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path, float(np.max(score))


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Twelve states that tend to stay, sixteen symbols, a thousand observations."""
    rng = np.random.default_rng(1967)
    transition = rng.dirichlet(np.ones(12), 12) * 0.3 + 0.7 * np.eye(12)
    emission = rng.dirichlet(np.full(16, 0.3), 12) * 0.99 + 0.01 / 16
    return np.full(12, -np.log(12)), np.log(transition), np.log(emission), rng.integers(0, 16, 1000)
