"""PageRank (graphs): the stationary distribution of a reader who follows links and sometimes starts anew.

Source: S. Brin, L. Page, The anatomy of a large-scale hypertextual web search engine, Computer Networks 30 (1998),
https://doi.org/10.1016/S0169-7552(98)00110-X.
"""

import numpy as np


def pagerank(sources: np.ndarray, targets: np.ndarray, pages: int, damping: float, tolerance: float) -> tuple[np.ndarray, int]:
    """The rank of each page, and the number of rounds; a page without links counts as linked to all."""
    links = np.zeros(pages, dtype=np.int64)
    for source in sources:
        links[source] += 1
    rank = np.full(pages, 1.0 / pages)
    rounds = 0
    while True:
        rounds += 1
        lost = rank[links == 0].sum()
        new = np.full(pages, (1.0 - damping + damping * lost) / pages)
        for source, target in zip(sources, targets, strict=True):
            new[target] += damping * rank[source] / links[source]
        change = np.abs(new - rank).sum()
        rank = new
        if change < tolerance:
            return rank, rounds


def example() -> tuple[np.ndarray, np.ndarray, int, float, float]:
    """A thousand pages, some of them popular."""
    rng = np.random.default_rng(1998)
    popular = rng.zipf(1.6, 12_000) % 1000
    return rng.integers(0, 950, 12_000), popular, 1000, 0.85, 1e-8
