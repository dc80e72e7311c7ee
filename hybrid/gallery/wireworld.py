"""Wireworld (cellular automata): electrons that run along wires, on whole arrays.

Cells are 0 empty, 1 head of an electron, 2 tail, 3 conductor. Source: A. K. Dewdney, Computer Recreations, Scientific American 262 (1990).
"""

import numpy as np


def wireworld(world: np.ndarray, generations: int) -> tuple[np.ndarray, np.ndarray]:
    """The world after some generations, and the number of heads in each."""
    heads = np.zeros(generations, dtype=np.int64)
    for generation in range(generations):
        is_head = (world == 1).astype(np.int8)
        near = np.zeros_like(is_head)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                near += np.roll(is_head, (di, dj), axis=(0, 1))
        excited = (near == 1) | (near == 2)
        world = np.where(world == 1, 2, np.where(world == 2, 3, np.where((world == 3) & excited, 1, world)))
        heads[generation] = np.count_nonzero(world == 1)
    return world, heads


def example() -> tuple[np.ndarray, int]:
    """Thirty loops of wire, each with an electron on its way."""
    rng = np.random.default_rng(1990)
    world = np.zeros((120, 160), dtype=np.int8)
    for k in range(30):
        top, left = 20 * (k // 6) + 2, 26 * (k % 6) + 2
        height, width = rng.integers(6, 16), rng.integers(6, 22)
        ring = world[top : top + height, left : left + width]
        ring[[0, -1], 1:-1] = 3
        ring[1:-1, [0, -1]] = 3
        ring[0, 2:4] = (2, 1)
    return world, 200
