"""Multilayer perceptron (machine learning): probabilities of classes for batches of a data set.

Source: I. Goodfellow, Y. Bengio, A. Courville, Deep Learning, MIT Press 2016, chapter 6.
"""

from itertools import pairwise

import numpy as np


def mlp(inputs: np.ndarray, layers: list[tuple[np.ndarray, np.ndarray]], batch: int) -> np.ndarray:
    """Forward through dense layers with rectifiers between them and a softmax at the end."""
    out = np.empty((len(inputs), len(layers[-1][1])), dtype=inputs.dtype)
    for first in range(0, len(inputs), batch):
        x = inputs[first : first + batch]
        for weights, bias in layers[:-1]:
            x = np.maximum(x @ weights + bias, 0)
        weights, bias = layers[-1]
        logits = x @ weights + bias
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        out[first : first + batch] = powers / powers.sum(axis=1, keepdims=True)
    return out


def example() -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]], int]:
    """Small pictures in batches of eight."""
    rng = np.random.default_rng(1986)
    sizes = (64, 32, 32, 10)
    layers = []
    for inputs, outputs in pairwise(sizes):
        weights = rng.standard_normal((inputs, outputs)) * np.sqrt(2 / inputs)
        layers.append((weights.astype("f4"), 0.1 * rng.standard_normal(outputs).astype("f4")))
    return rng.random((16_000, 64), dtype="f4"), layers, 8
