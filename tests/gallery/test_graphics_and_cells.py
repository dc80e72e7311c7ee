"""Programs of computer graphics and cellular automata against closed forms, SciPy and known patterns."""

from __future__ import annotations

import numpy as np
from scipy.signal import convolve2d

from hybrid.gallery.escape_time import escape_time, iterations
from hybrid.gallery.game_of_life import game_of_life
from hybrid.gallery.julia_set import julia_set
from hybrid.gallery.ray_tracer import nearest, ray_tracer
from hybrid.gallery.wireworld import wireworld


def test_escape_time_knows_the_cardioid_and_the_disc() -> None:
    counts = escape_time(33, 25, 40)
    c = np.linspace(-2.0, 0.5, 33)[None, :] + 1j * np.linspace(-1.25, 1.25, 25)[:, None]
    in_cardioid = np.abs(1 - np.sqrt(1 - 4 * c)) < 0.999
    in_disc = np.abs(c + 1) < 0.249
    assert (in_cardioid | in_disc).sum() > 100
    assert (counts[in_cardioid | in_disc] == 40).all()
    assert (counts[np.abs(c) > 2] == 1).all()
    assert (counts == counts[::-1]).all()


def test_escape_time_of_a_real_orbit() -> None:
    """0, 1, 2, 5: the third iterate is the first beyond 2."""
    assert iterations(1 + 0j, 10) == 3
    assert iterations(-2 + 0j, 10) == 10


def test_julia_set_of_the_square() -> None:
    """Without c, the n-th iterate has the modulus |z| to the power of 2 ** n."""
    moduli = np.array([0.0, 0.5, 1.0, 1.2, 1.5, 1.9, 3.0])
    points = moduli * np.exp(1j * np.arange(7))
    expected = [20, 20, 20, *np.floor(np.log2(np.log(2) / np.log(moduli[3:6]))), 0]
    moduli_of_one = np.array([True, True, False, True, True, True, True])  # there, rounding decides
    assert (julia_set(points, 0j, 20) == expected)[moduli_of_one].all()


def test_julia_set_leaves_its_points_alone() -> None:
    points = np.full((2, 3), 0.3 + 0.4j)
    julia_set(points, 1j, 5)
    assert (points == 0.3 + 0.4j).all()


def test_life_against_convolution() -> None:
    board = (np.random.default_rng(0).random((11, 14)) < 0.4).astype(np.int64)
    expected = board.copy()
    for _ in range(6):
        neighbours = convolve2d(expected, [[1, 1, 1], [1, 0, 1], [1, 1, 1]], mode="same", boundary="wrap")
        expected = ((neighbours == 3) | ((neighbours == 2) & (expected == 1))).astype(np.int64)
    assert game_of_life(board, 6) == expected.sum()
    assert (board == expected).all()


def test_a_glider_glides() -> None:
    board = np.zeros((9, 9), dtype=np.int64)
    board[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    expected = np.roll(board, (1, 1), axis=(0, 1))
    assert game_of_life(board, 4) == 5
    assert (board == expected).all()


def test_an_electron_runs_round_its_wire() -> None:
    """A ring of 12 cells, corners cut, brings the electron back after 12 generations."""
    world = np.zeros((7, 8), dtype=np.int8)
    world[1, 2:6] = world[5, 2:6] = 3
    world[2:5, 1] = world[2:5, 6] = 3
    world[1, 3], world[1, 2] = 1, 2
    wire = np.count_nonzero(world)
    later, heads = wireworld(world, wire)
    assert (later == world).all()
    assert (heads == 1).all()
    half, _ = wireworld(world, wire // 2)
    assert (half != world).any()


def test_electrons_meet_and_vanish() -> None:
    world = np.full((1, 9), 3, dtype=np.int8)
    world = np.vstack([np.zeros_like(world), world, np.zeros_like(world)])
    world[1, :2] = world[1, :-3:-1] = (2, 1)
    world = np.pad(world, ((0, 0), (1, 1)))
    later, heads = wireworld(world, 6)
    assert heads[0] == 2
    assert heads[-1] == 0
    assert set(np.unique(later)) == {0, 3}


def test_ray_meets_the_front_of_the_nearest_sphere() -> None:
    centres = np.array([[0.0, 0.0, -10.0], [0.0, 0.0, -5.0], [9.0, 0.0, -5.0]])
    radii = np.array([2.0, 1.0, 1.0])
    assert nearest(np.zeros(3), np.array([0.0, 0.0, -1.0]), centres, radii) == (1, 4.0)
    assert nearest(np.zeros(3), np.array([0.0, 1.0, 0.0]), centres, radii) is None


def test_sphere_lit_from_the_eye() -> None:
    """Seen from the light, brightness is the cosine between the normal and the ray; the outline is where the sine is 1 / 3."""
    size = 40
    picture = ray_tracer(np.array([[0.0, 0.0, -3.0]]), np.ones(1), np.ones((1, 3)), np.zeros(3), size)
    x = 2 * (np.arange(size) + 0.5) / size - 1
    tangent = np.hypot(x[None, :], x[:, None])
    sine = tangent / np.hypot(tangent, 1)
    inside = 3 * sine < 1
    cosine = np.sqrt(1 - (3 * sine[inside]) ** 2)
    np.testing.assert_allclose(picture[inside], np.repeat(0.1 + 0.9 * cosine[:, None], 3, axis=1), rtol=1e-9)
    assert not picture[~inside].any()


def test_a_ball_casts_a_shadow() -> None:
    centres = np.array([[0.0, 0.0, -6.0], [0.0, 2.5, -4.0]])
    alone = ray_tracer(centres[:1], np.ones(1), np.ones((1, 3)), np.array([0.0, 9.0, 0.0]), 24)
    both = ray_tracer(centres, np.array([1.0, 0.5]), np.ones((2, 3)), np.array([0.0, 9.0, 0.0]), 24)
    np.testing.assert_allclose(both[both == 0.1], 0.1)
    assert ((both == 0.1) & (alone > 0.5)).any()
