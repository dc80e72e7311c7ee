"""Conway's game of life (cellular automata): cells on a torus, neighbours counted one by one.

Source: M. Gardner, The fantastic combinations of John Conway's new solitaire game "life", Scientific American 223 (1970).
"""

import numpy as np


def game_of_life(board: np.ndarray, generations: int) -> int:
    """Play in place; the number of living cells at the end."""
    rows, columns = board.shape
    for _ in range(generations):
        before = board.copy()
        for i in range(rows):
            for j in range(columns):
                neighbours = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            neighbours += before[(i + di) % rows, (j + dj) % columns]
                alive = neighbours == 3 or (neighbours == 2 and before[i, j] == 1)
                board[i, j] = 1 if alive else 0
    return int(board.sum())


def example() -> tuple[np.ndarray, int]:
    """A soup of density 0.3."""
    rng = np.random.default_rng(1970)
    return (rng.random((48, 64)) < 0.3).astype(np.int64), 20
