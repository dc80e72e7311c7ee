"""Programs of graphs, geometry and linear algebra against NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse import random_array
from scipy.sparse.csgraph import floyd_warshall as floyd_warshall_of_scipy
from scipy.spatial import ConvexHull

from hybrid.gallery.cholesky import cholesky
from hybrid.gallery.convex_hull import convex_hull
from hybrid.gallery.floyd_warshall import floyd_warshall
from hybrid.gallery.lu import lu
from hybrid.gallery.pagerank import pagerank
from hybrid.gallery.sparse_matvec import sparse_matvec


def test_lu_is_that_of_lapack() -> None:
    matrix = np.random.default_rng(0).standard_normal((12, 12))
    before = matrix.copy()
    ours, pivots = lu(matrix)
    theirs, their_pivots = scipy.linalg.lu_factor(matrix)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)
    assert (pivots == their_pivots).all()
    assert (matrix == before).all()


def test_lu_refuses_a_singular_matrix() -> None:
    with pytest.raises(ValueError, match="singular in column 1"):
        lu(np.ones((3, 3)))


def test_cholesky_is_that_of_lapack() -> None:
    root = np.random.default_rng(1).standard_normal((10, 10))
    a = root @ root.T + np.eye(10)
    np.testing.assert_allclose(cholesky(a), np.linalg.cholesky(a), rtol=1e-10, atol=1e-14)


def test_cholesky_refuses_an_indefinite_matrix() -> None:
    with pytest.raises(ValueError, match="pivot 1 is not positive"):
        cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_floyd_warshall_is_that_of_scipy() -> None:
    rng = np.random.default_rng(2)
    lengths = np.where(rng.random((15, 15)) < 0.2, rng.uniform(1, 5, (15, 15)), np.inf)
    np.fill_diagonal(lengths, 0)
    np.testing.assert_allclose(floyd_warshall(lengths), floyd_warshall_of_scipy(lengths))


def test_pagerank_is_the_leading_eigenvector() -> None:
    rng = np.random.default_rng(3)
    sources, targets = rng.integers(0, 9, 40), rng.integers(0, 10, 40)
    google = np.zeros((10, 10))
    np.add.at(google, (targets, sources), 1.0)
    links = google.sum(axis=0)
    google = np.where(links > 0, google / np.where(links > 0, links, 1), 0.1) * 0.85 + 0.015
    values, vectors = np.linalg.eig(google)
    leading = np.real(vectors[:, np.argmax(np.real(values))])
    rank, rounds = pagerank(sources, targets, 10, 0.85, 1e-13)
    np.testing.assert_allclose(rank, leading / leading.sum(), rtol=1e-10)
    assert 10 < rounds < 300


def test_sparse_matvec_is_that_of_scipy() -> None:
    matrix = random_array((30, 20), density=0.1, format="csr", rng=4)
    x = np.random.default_rng(4).standard_normal(20)
    assert (np.diff(matrix.indptr) == 0).any()
    np.testing.assert_allclose(sparse_matvec(matrix.data, matrix.indices, matrix.indptr, x), matrix @ x, rtol=1e-12)


def test_convex_hull_is_that_of_qhull() -> None:
    points = np.random.default_rng(5).standard_normal((200, 2))
    corners = convex_hull(points)
    theirs = points[ConvexHull(points).vertices]
    first = np.argmin(theirs[:, 0])
    np.testing.assert_array_equal(corners, np.roll(theirs, -first, axis=0))


def test_convex_hull_drops_points_on_edges() -> None:
    x, y = np.meshgrid(np.arange(4.0), np.arange(3.0))
    corners = convex_hull(np.column_stack([x.ravel(), y.ravel()]))
    assert corners.tolist() == [[0, 0], [3, 0], [3, 2], [0, 2]]
