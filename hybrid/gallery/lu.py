"""LU factorisation (linear algebra): Doolittle's loops with partial pivoting.

Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition, Johns Hopkins 2013, algorithm 3.4.1.
"""

import numpy as np


def lu(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both triangles in one matrix, and the row that each was exchanged with.

    Raises:
        ValueError: for a singular matrix.
    """
    a = matrix.copy()
    n = len(a)
    pivots = np.arange(n)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if a[pivot, k] == 0:
            raise ValueError(f"singular in column {k}")
        pivots[k] = pivot
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a, pivots


def example() -> tuple[np.ndarray]:
    """A random matrix."""
    return (np.random.default_rng(1948).standard_normal((90, 90)),)
