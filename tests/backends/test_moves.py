"""Elements moved, repeated, cut and joined in native code."""

from __future__ import annotations

import numpy as np
import pytest
from backends.native import agrees, refused

X = np.arange(24.0).reshape(2, 3, 4)


def test_shifts() -> None:
    agrees(
        lambda x, s, e: [
            np.roll(x, 5),
            np.roll(x, s, (0, 2)),
            np.roll(x[:, :, ::-1], -7, 1),
            np.roll(x, (1, s), (1, 1)),
            np.roll(e, 1, 1),
            np.roll(x, 2, (1, 2)),
        ],
        X,
        -3,
        np.zeros((2, 0)),
    )


def test_tiles() -> None:
    agrees(lambda x, n: [np.tile(x, 2), np.tile(x[0], (2, 1, 3)), np.tile(n, 3), np.tile(x.T, (0, 2)), np.tile(x, ())], X[:, :2, :2], 1.5)


def test_repeats() -> None:
    agrees(
        lambda x, n: [
            np.repeat(x, 3),
            np.repeat(x, 2, 1),
            np.repeat(x, (0, 2), axis=0),
            np.repeat(x, n, axis=2),
            np.repeat(x.T, n[:1], axis=0),
        ],
        X[:, :2],
        np.array([0, 2, 1, 3]),
    )
    refused(lambda x, n: np.repeat(x, n, axis=0), X, np.array([1, -1]))
    refused(lambda x, n: np.repeat(x, n, axis=0), X, np.array([1, 1, 2]))


def test_pieces() -> None:
    agrees(lambda x: [*np.split(x, 2, 2), *np.split(x[0], [1, -1, 9]), *np.array_split(x, 3, -1), *np.split(x.T, [3, 1])], X)
    agrees(lambda x: [*np.vsplit(x, 2), *np.array_split(x, 4, 1)], X, is_symbolic=False)
    refused(lambda x: np.split(x, 3, 2), X)


def test_pieces_that_are_written_do_not_change_the_whole() -> None:
    def function(x: np.ndarray) -> list[np.ndarray]:
        y = x + 1
        a, b = np.split(y, 2, axis=1)
        c = a * 1
        c[0] = b[1]
        return [a, b, c, y]

    agrees(function, np.arange(8.0).reshape(2, 4))


def test_diagonals_and_triangles() -> None:
    agrees(
        lambda x: [
            np.diagonal(x),
            np.diagonal(x, 1, 1, 2),
            np.diagonal(x, -1, 2, 0),
            np.diagonal(x, 9, 0, 2),
            np.diag(x[0], -1),
            np.diag(x[0, 0], 2),
            np.diagflat(x[:, :2, 0], -1),
            np.tril(x, 1),
            np.triu(x[0].T, -1),
            np.triu(x[0, 0]),
        ],
        X,
    )


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
def test_margins_made_of_the_array(mode: str) -> None:
    agrees(
        lambda x, y: [np.pad(x, 2, mode=mode), np.pad(x, ((0, 0), (7, 1), (0, 9)), mode=mode), np.pad(y, 5, mode=mode)], X, np.array([3, 4])
    )
    refused(lambda x: np.pad(x, 1, mode=mode), X[:0])


def test_margins_of_a_constant() -> None:
    agrees(lambda x, n: [np.pad(x, 1), np.pad(x[:, ::2], ((0, 2), (1, 0), (3, 3)), constant_values=n), np.pad(x[0, 0] > 1, 2)], X, -7)


def test_joined() -> None:
    agrees(
        lambda x, y, n, e: [
            np.concatenate([x, y]),
            np.concatenate([x[0], y[1].T[:2].T], 1),
            np.stack([x, y, x], -1),
            np.concatenate([x, n[None], e], None),
            np.stack([n, n]),
            np.concatenate([e, e]),
            np.vstack([x[0], y[0]]),
            np.column_stack([x[0, 0], y[0, 0]]),
        ],
        X,
        X.astype(np.float32) + 1,
        np.float32(2),
        np.zeros((0, 3)),
    )
    refused(lambda x, y: np.concatenate([x, y], 1), X, X[:, :, 1:])
    refused(lambda x, y: np.stack([x, y]), X, X[:, :, 1:])


def test_other_shapes() -> None:
    agrees(
        lambda x, n, one: [
            x.reshape(3, 4, -1),
            x.T.reshape(-1, 4),
            n.reshape(1, 1),
            one.reshape(()),
            np.squeeze(one),
            np.expand_dims(n, (0, 1)),
            x.T.ravel(),
            np.broadcast_to(n, (2, 3)),
            np.broadcast_to(x[0, 0], (2, 4)),
            np.moveaxis(x, 0, 2),
            np.rot90(x[0]),
            one.T,
            n.T,
            np.flip(x, (0, 2)),
            np.atleast_3d(n),
        ],
        X,
        np.float64(-0.0),
        np.ones((1, 1)),
        is_symbolic=False,
    )


def test_half_precision_is_moved_as_it_is() -> None:
    agrees(
        lambda x, i: [x.T, x.reshape(6), np.roll(x, 1, 1), x[i], x[:, 1:], np.concatenate([x, x]), np.pad(x, 1), np.take(x, i, 1)],
        np.array([[1, 2.5, np.nan], [np.inf, -0.0, 6e-8]], np.float16),
        np.array([1, 0]),
    )
