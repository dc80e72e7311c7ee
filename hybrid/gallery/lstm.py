"""LSTM cell over a sequence (machine learning), in single precision.

Source: S. Hochreiter, J. Schmidhuber, Long short-term memory, Neural Computation 9 (1997), https://doi.org/10.1162/neco.1997.9.8.1735;
forget gate: F. A. Gers et al., Neural Computation 12 (2000), https://doi.org/10.1162/089976600300015015.
"""

import numpy as np


def lstm(sequence: np.ndarray, weights: np.ndarray, recurrent: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The hidden states at all times, and the last cell state.

    Shapes: sequence (time, batch, features), weights (features, 4 · units), recurrent (units, 4 · units), bias (4 · units);
    gates in the order input, forget, cell, output.
    """
    steps, batch, _ = sequence.shape
    units = recurrent.shape[0]
    hidden = np.zeros((batch, units), dtype=sequence.dtype)
    cell = np.zeros((batch, units), dtype=sequence.dtype)
    states = np.empty((steps, batch, units), dtype=sequence.dtype)
    for t in range(steps):
        gates = sequence[t] @ weights + hidden @ recurrent + bias
        admit, forget, content, output = np.split(gates, 4, axis=1)
        cell = sigmoid(forget) * cell + sigmoid(admit) * np.tanh(content)
        hidden = sigmoid(output) * np.tanh(cell)
        states[t] = hidden
    return states, cell


def sigmoid(x: np.ndarray) -> np.ndarray:
    """The logistic function."""
    return 1 / (1 + np.exp(-x))


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A batch of eight sequences, 32 units."""
    rng = np.random.default_rng(1997)
    weights, recurrent = rng.standard_normal((16, 128)) / 4, rng.standard_normal((32, 128)) / 6
    bias = np.repeat([0.0, 1.0, 0.0, 0.0], 32)
    sequence = rng.standard_normal((1000, 8, 16))
    return sequence.astype("f4"), weights.astype("f4"), recurrent.astype("f4"), bias.astype("f4")
