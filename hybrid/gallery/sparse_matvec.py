"""Sparse matrix times vector (linear algebra): rows compressed (CSR), entry by entry.

Source: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, SIAM 2003, section 3.4.
"""

import numpy as np


def sparse_matvec(data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A x."""
    y = np.zeros(len(indptr) - 1)
    for row in range(len(y)):
        total = 0.0
        for k in range(indptr[row], indptr[row + 1]):
            total += data[k] * x[indices[k]]
        y[row] = total
    return y


def example() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A random matrix of 40,000 rows with ten entries each, on average."""
    rng = np.random.default_rng(2003)
    n = 40_000
    counts = rng.poisson(10, n)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return rng.standard_normal(indptr[-1]), rng.integers(0, n, indptr[-1]), indptr, rng.standard_normal(n)
