"""Programs of bioinformatics, number theory, combinatorics, coding and optimisation against known values and brute force."""

from __future__ import annotations

import zlib
from functools import cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from hybrid.gallery.binary_search import binary_search
from hybrid.gallery.collatz import collatz
from hybrid.gallery.crc32 import crc32
from hybrid.gallery.edit_distance import edit_distance
from hybrid.gallery.knapsack import knapsack
from hybrid.gallery.matrix_chain import matrix_chain
from hybrid.gallery.queens import queens
from hybrid.gallery.sieve import sieve
from hybrid.gallery.smith_waterman import smith_waterman
from hybrid.gallery.viterbi import viterbi


def symbols(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [("kitten", "sitting", 3), ("saturday", "sunday", 3), ("", "abc", 3), ("abc", "", 3), ("flaw", "lawn", 2), ("same", "same", 0)],
)
def test_edit_distance_of_known_words(a: str, b: str, distance: int) -> None:
    assert edit_distance(symbols(a), symbols(b)) == distance


def test_edit_distance_against_its_definition() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, 13), rng.integers(0, 3, 11)

    @cache
    def distance(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        return min(distance(i - 1, j - 1) + int(a[i - 1] != b[j - 1]), distance(i - 1, j) + 1, distance(i, j - 1) + 1)

    assert edit_distance(a, b) == distance(13, 11)


def test_smith_waterman_on_the_textbook_pair() -> None:
    """GTT-AC with GTTGAC scores 13."""
    a, b = symbols("TGTTACGG"), symbols("GGTTGACTA")
    score, aligned = smith_waterman(a, b, 3, -3, -2)
    assert score == 13
    assert bytes(a[[i for i, _ in aligned]]) == bytes(b[[j for _, j in aligned]]) == b"GTTAC"


def test_smith_waterman_against_every_pair_of_parts() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 3, 7), rng.integers(0, 3, 6)

    def best(x: np.ndarray, y: np.ndarray) -> int:
        """The best alignment of the whole of both."""
        if len(x) == 0 or len(y) == 0:
            return -2 * (len(x) + len(y))
        pair = 2 if x[-1] == y[-1] else -1
        return max(best(x[:-1], y[:-1]) + pair, best(x[:-1], y) - 2, best(x, y[:-1]) - 2)

    parts = product(combinations(range(8), 2), combinations(range(7), 2))
    expected = max(best(a[i:j], b[k:m]) for (i, j), (k, m) in parts)
    assert smith_waterman(a, b, 2, -1, -2)[0] == expected


def test_viterbi_against_all_paths() -> None:
    rng = np.random.default_rng(1)
    start, transition, emission = (
        np.log(rng.dirichlet(np.ones(3))),
        np.log(rng.dirichlet(np.ones(3), 3)),
        np.log(rng.dirichlet(np.ones(4), 3)),
    )
    observed = rng.integers(0, 4, 6)

    def score(path: tuple[int, ...]) -> float:
        moves = sum(transition[i, j] for i, j in pairwise(path))
        return start[path[0]] + moves + sum(emission[state, seen] for state, seen in zip(path, observed, strict=True))

    expected = max(product(range(3), repeat=6), key=score)
    path, likelihood = viterbi(start, transition, emission, observed)
    assert tuple(path) == expected
    assert likelihood == pytest.approx(score(expected), rel=1e-12)


@pytest.mark.parametrize(("bound", "count", "last"), [(1, 0, None), (2, 1, 2), (100, 25, 97), (10_000, 1229, 9973)])
def test_sieve_counts_primes(bound: int, count: int, last: int | None) -> None:
    primes = sieve(bound)
    assert len(primes) == count
    assert last is None or primes[-1] == last


@pytest.mark.parametrize(("bound", "start", "steps"), [(10, 9, 19), (100, 97, 118), (1000, 871, 178), (10_000, 6171, 261)])
def test_collatz_records(bound: int, start: int, steps: int) -> None:
    assert collatz(bound) == (start, steps)


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_queens(size: int, count: int) -> None:
    assert queens(size) == count


@pytest.mark.parametrize(
    ("text", "checksum"), [(b"", 0), (b"123456789", 0xCBF43926), (b"The quick brown fox jumps over the lazy dog", 0x414FA339)]
)
def test_crc32_of_known_texts(text: bytes, checksum: int) -> None:
    assert crc32(np.frombuffer(text, dtype=np.uint8)) == checksum == zlib.crc32(text)


def test_binary_search_is_searchsorted() -> None:
    rng = np.random.default_rng(2)
    table = np.sort(rng.integers(0, 50, 40))
    keys = np.arange(-2, 55)
    assert (binary_search(table, keys) == np.searchsorted(table, keys)).all()
    assert (binary_search(table[:0], keys) == 0).all()


def test_knapsack_against_all_choices() -> None:
    rng = np.random.default_rng(4)
    weights, values = rng.integers(1, 12, 9), rng.integers(1, 30, 9)
    choices = [np.array(c, dtype=bool) for c in product([False, True], repeat=9)]
    best, chosen = knapsack(weights, values, 25)
    assert best == max(values[c].sum() for c in choices if weights[c].sum() <= 25)
    assert (weights[chosen].sum() <= 25, values[chosen].sum()) == (True, best)
    assert chosen == sorted(chosen)


def test_matrix_chain_of_the_textbook() -> None:
    cost, split = matrix_chain(np.array([30, 35, 15, 5, 10, 20, 25]))
    assert cost == 15_125
    assert (split[0, 5], split[0, 2], split[3, 5]) == (2, 0, 4)
    assert matrix_chain(np.array([3, 4]))[0] == 0
