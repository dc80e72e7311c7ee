"""Queens on a chessboard (combinatorics): how many ways there are that none attacks another, by recursion over bit masks.

Source: D. E. Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.
"""


def queens(size: int) -> int:
    """The number of solutions on a board of size × size."""
    return placements((1 << size) - 1, 0, 0, 0)


def placements(board: int, columns: int, left: int, right: int) -> int:
    """The ways to fill the remaining rows; masks tell the columns and diagonals that are attacked."""
    if columns == board:
        return 1
    count = 0
    free = board & ~(columns | left | right)
    while free:
        place = free & -free
        free ^= place
        count += placements(board, columns | place, ((left | place) << 1) & board, (right | place) >> 1)
    return count


def example() -> tuple[int]:
    """Twelve queens."""
    return (12,)
