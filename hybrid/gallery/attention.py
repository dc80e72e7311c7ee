"""Causal self-attention (machine learning), head by head.

Source: A. Vaswani et al., Attention is all you need, NeurIPS 2017, section 3.2.
"""

import numpy as np


def attention(queries: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Softmax(Q Kᵀ / √d) V of each head, looking back only; all shapes are (heads, time, width)."""
    heads, time, width = queries.shape
    future = np.triu(np.ones((time, time), dtype=bool), k=1)
    out = np.empty_like(values)
    for head in range(heads):
        scores = queries[head] @ keys[head].T / np.sqrt(width)
        scores[future] = -np.inf
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        out[head] = weights @ values[head]
    return out


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eight heads over 512 tokens."""
    rng = np.random.default_rng(2017)
    q, k, v = (rng.standard_normal((8, 512, 32)) for _ in range(3))
    return q, k, v
