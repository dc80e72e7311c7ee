"""Shapes, axes, diagonals and triangles, as NumPy users call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.core.tensor import wrap
from hybrid.errors import StagingError, UnsupportedError
from hybrid.ir.trace import trace_program
from hybrid.ops import axes, shape, split
from hybrid.ops.shape import new_shape

ROW = np.arange(6.0)
MATRIX = np.arange(12.0).reshape(3, 4)
SQUARE = np.arange(9, dtype="i4").reshape(3, 3)
CUBE = np.arange(24).reshape(2, 3, 4)
ONES = np.arange(3).reshape(1, 3, 1)
POINT = np.array(2.5)
EMPTY = np.zeros((0, 3))

CALLS: list[tuple[Callable[..., Any], Any]] = [
    (lambda a: np.reshape(a, (2, 6)), MATRIX),
    (lambda a: np.reshape(a, -1, order="F"), MATRIX),
    (lambda a: np.reshape(a, (4, -1), "C"), MATRIX),
    (lambda a: np.reshape(a, (2, 6), copy=True), MATRIX),
    (lambda a: np.reshape(a, (3, -1)), EMPTY),
    (lambda a: a.reshape(2, -1), MATRIX),
    (lambda a: a.reshape((3, 4, 1)), MATRIX),
    (lambda a: a.reshape(()), np.array([[3]])),
    (lambda a: np.reshape(a, (5, 2)), MATRIX),
    (lambda a: np.reshape(a, (-1, 5)), MATRIX),
    (lambda a: np.reshape(a, (5, -1)), MATRIX),
    (lambda a: np.reshape(a, (-1, -1)), MATRIX),
    (lambda a: np.reshape(a, (-1, 0)), EMPTY),
    (lambda a: np.reshape(a, (2, 6), order="K"), MATRIX),
    (lambda a: np.reshape(a, (2, 6), order="Q"), MATRIX),
    (lambda a: np.reshape(a, (2.0, 6)), MATRIX),
    (lambda a: np.ravel(a), MATRIX),
    (lambda a: np.ravel(a, order="F"), MATRIX),
    (lambda a: np.ravel(a, "K"), ROW),
    (lambda a: a.ravel(), POINT),
    (lambda a: a.flatten("F"), MATRIX),
    (lambda a: np.ravel(a, order="Q"), MATRIX),
    (lambda a: np.resize(a, (2, 7)), ROW),
    (lambda a: np.resize(a, 4), ROW),
    (lambda a: np.resize(a, (2, 2)), EMPTY),
    (lambda a: np.resize(a, (-1,)), ROW),
    (lambda a: np.transpose(a), CUBE),
    (lambda a: np.transpose(a, (1, 2, 0)), CUBE),
    (lambda a: np.transpose(a, axes=[-1, 0, 1]), CUBE),
    (lambda a: a.transpose(2, 0, 1), CUBE),
    (lambda a: a.transpose(), MATRIX),
    (lambda a: a.T, CUBE),
    (lambda a: a.mT, CUBE),
    (lambda a: a.mT, ROW),
    (lambda a: np.permute_dims(a, (1, 0)), MATRIX),
    (lambda a: np.transpose(a, (0,)), MATRIX),
    (lambda a: np.transpose(a, (0, 0)), MATRIX),
    (lambda a: np.transpose(a, (0, 2)), MATRIX),
    (lambda a: np.matrix_transpose(a), CUBE),
    (lambda a: np.matrix_transpose(a), ROW),
    (lambda a: np.swapaxes(a, 0, -1), CUBE),
    (lambda a: a.swapaxes(1, 2), CUBE),
    (lambda a: np.swapaxes(a, 0, 3), CUBE),
    (lambda a: np.moveaxis(a, 0, -1), CUBE),
    (lambda a: np.moveaxis(a, [0, 1], [-1, -2]), CUBE),
    (lambda a: np.moveaxis(a, source=(2, 0), destination=(0, 1)), CUBE),
    (lambda a: np.moveaxis(a, 0, 3), CUBE),
    (lambda a: np.moveaxis(a, (0, 1), 0), CUBE),
    (lambda a: np.moveaxis(a, (0, 0), (0, 1)), CUBE),
    (lambda a: np.rollaxis(a, 2), CUBE),
    (lambda a: np.rollaxis(a, 1, 3), CUBE),
    (lambda a: np.rollaxis(a, 0, start=-1), CUBE),
    (lambda a: np.rollaxis(a, 1, 1), CUBE),
    (lambda a: np.rollaxis(a, 3), CUBE),
    (lambda a: np.rollaxis(a, 0, 4), CUBE),
    (lambda a: np.expand_dims(a, 0), MATRIX),
    (lambda a: np.expand_dims(a, axis=(0, -1)), MATRIX),
    (lambda a: np.expand_dims(a, (0, 0)), MATRIX),
    (lambda a: np.expand_dims(a, 4), MATRIX),
    (lambda a: np.squeeze(a), ONES),
    (lambda a: np.squeeze(a, axis=0), ONES),
    (lambda a: a.squeeze((0, -1)), ONES),
    (lambda a: np.squeeze(a, 1), ONES),
    (lambda a: np.squeeze(a, 5), ONES),
    (lambda a: np.atleast_1d(a), POINT),
    (lambda a: np.atleast_2d(a), ROW),
    (lambda a: np.atleast_3d(a), POINT),
    (lambda a: np.atleast_3d(a), ROW),
    (lambda a: np.atleast_3d(a), MATRIX),
    (lambda a: np.atleast_2d(a, a[0], 3), ROW),
    (lambda a: np.broadcast_to(a, (2, 6)), ROW),
    (lambda a: np.broadcast_to(a, shape=(4, 3, 2)), np.arange(3).reshape(3, 1)),
    (lambda a: np.broadcast_to(a, 3), POINT),
    (lambda a: np.broadcast_to(a, (6,), subok=True), ROW),
    (lambda a: np.broadcast_to(a, (4,)), ROW),
    (lambda a: np.broadcast_to(a, ()), ROW),
    (lambda a: np.broadcast_to(a, (-1, 6)), ROW),
    (lambda a: np.broadcast_to(a, (3,)), MATRIX),
    (lambda a: np.broadcast_arrays(a, a[0], 3), MATRIX),
    (lambda a: np.flip(a), CUBE),
    (lambda a: np.flip(a, 1), CUBE),
    (lambda a: np.flip(a, axis=(0, -1)), CUBE),
    (lambda a: np.flip(a), POINT),
    (lambda a: np.flip(a, (0, 0)), CUBE),
    (lambda a: np.flip(a, 3), CUBE),
    (lambda a: np.fliplr(a), MATRIX),
    (lambda a: np.fliplr(a), ROW),
    (lambda a: np.flipud(a), ROW),
    (lambda a: np.flipud(a), POINT),
    (lambda a: np.rot90(a), MATRIX),
    (lambda a: np.rot90(a, 2), MATRIX),
    (lambda a: np.rot90(a, k=-1), MATRIX),
    (lambda a: np.rot90(a, 0), MATRIX),
    (lambda a: np.rot90(a, 1, (1, 2)), CUBE),
    (lambda a: np.rot90(a, axes=(-1, 0)), CUBE),
    (lambda a: np.rot90(a), ROW),
    (lambda a: np.rot90(a, axes=(0, -2)), MATRIX),
    (lambda a: np.rot90(a, axes=(0, 3)), MATRIX),
    (lambda a: np.rot90(a, axes=(0, 1, 2)), CUBE),
    (lambda a: np.unstack(a), MATRIX),
    (lambda a: np.unstack(a, axis=-1), MATRIX),
    (lambda a: np.unstack(a), POINT),
    (lambda a: np.diagonal(a), MATRIX),
    (lambda a: np.diagonal(a, 1), MATRIX),
    (lambda a: np.diagonal(a, offset=-1, axis1=-1, axis2=0), CUBE),
    (lambda a: a.diagonal(9), MATRIX),
    (lambda a: np.diagonal(a), ROW),
    (lambda a: np.diagonal(a, axis1=1, axis2=1), MATRIX),
    (lambda a: np.diagonal(a, axis1=0, axis2=2), MATRIX),
    (lambda a: np.diag(a), MATRIX),
    (lambda a: np.diag(a, k=-1), MATRIX),
    (lambda a: np.diag(a, 2), ROW),
    (lambda a: np.diag(a), CUBE),
    (lambda a: np.diagflat(a, -1), MATRIX),
    (lambda a: np.diagflat(a), POINT),
    (lambda a: np.tril(a), MATRIX),
    (lambda a: np.tril(a, k=-1), CUBE),
    (lambda a: np.triu(a, 1), CUBE),
    (lambda a: np.triu(a), ROW),
    (lambda a: np.triu(a), POINT),
    (lambda a: np.tril(a), np.array([[np.nan, np.inf], [1.0, -0.0]])),
]


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_call(i: int) -> None:
    check(*CALLS[i])


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_traced_call(i: int) -> None:
    check_graph(*CALLS[i])


# -- views ----------------------------------------------------------------------------------------------------------
VIEWS: list[tuple[Any, dict[str, Any], Any]] = [
    (shape.reshape, {"shape": (2, 6), "order": "C", "copy": None}, MATRIX),
    (shape.ravel, {"order": "C"}, MATRIX),
    (axes.permute_dims, {"axes": (1, 2, 0)}, CUBE),
    (axes.permute_dims, {"axes": None}, CUBE),
    (axes.permute_dims, {"axes": (-1, 0, 1)}, CUBE),
    (axes.matrix_transpose, {}, CUBE),
    (shape.expand_dims, {"axis": (0, -1)}, MATRIX),
    (shape.squeeze, {"axis": None}, ONES),
    (shape.squeeze, {"axis": (0,)}, ONES),
    (axes.flip, {"axis": None}, CUBE),
    (axes.flip, {"axis": (0, 2)}, CUBE),
]


@pytest.mark.parametrize("case", VIEWS, ids=lambda case: case[0].name)
def test_writing_into_a_view_is_writing_back(case: tuple[Any, dict[str, Any], Any]) -> None:
    op, attrs, array = case
    want = array.copy()
    view = op.kernel(want, **attrs)
    new = (np.arange(view.size).reshape(view.shape) + 100).astype(view.dtype)
    assert view.size == 0 or np.shares_memory(view, want)
    view[...] = new
    np.testing.assert_array_equal(op.write_back(wrap(array.copy()), wrap(new), **attrs).numpy(), want)


@pytest.mark.parametrize("sections", [3, (1, 4), (0, 9), (-2,)])
@pytest.mark.parametrize("op", [split.split, split.array_split], ids=lambda op: op.name)
def test_writing_into_pieces_is_writing_back(op: Any, sections: Any) -> None:
    want = np.arange(12).reshape(2, 6)
    pieces = op.kernel(want, sections, axis=1)
    new = [piece + 100 * (i + 1) for i, piece in enumerate(pieces)]
    for piece, value in zip(pieces, new, strict=True):
        piece[...] = value
    got = op.write_back(wrap(np.arange(12).reshape(2, 6)), [wrap(n) for n in new], indices_or_sections=sections, axis=1)
    np.testing.assert_array_equal(got.numpy(), want)


def test_overlapping_pieces_are_not_written_back() -> None:
    pieces = [wrap(piece) for piece in np.split(np.arange(5), [3, 1])]
    with pytest.raises(UnsupportedError, match="overlap"):
        split.split.write_back(wrap(np.arange(5)), pieces, indices_or_sections=(3, 1), axis=0)


def _through_transpose(a: Any) -> Any:
    np.transpose(a)[0] = 7.0


def _through_reshape(a: Any) -> Any:
    a.reshape(2, 6)[1, 1:3] += 1.0


def _through_ravel(a: Any) -> Any:
    a.ravel()[::2] = 0.0
    return a + 1


def _through_flip_and_moveaxis(a: Any) -> Any:
    np.flip(np.moveaxis(a, 0, 1), 0)[0] = -1.0


def _through_rotation(a: Any) -> Any:
    np.rot90(a)[0] = -1.0
    np.rot90(a, 0)[0] = 5.0


def _through_new_axis(a: Any) -> Any:
    np.expand_dims(a, 0)[0, 1] = 5.0
    np.squeeze(np.atleast_3d(a))[0] = 3.0


def _through_a_piece(a: Any) -> Any:
    np.hsplit(a, 2)[1][...] = 4.0
    np.unstack(a)[0][1] = 9.0
    np.array_split(a, [1], axis=0)[0] += 1.0


def _a_copy_is_no_view(a: Any) -> Any:
    a.T.ravel()[0] = 9.0
    a.T.reshape(-1)[1] = 9.0
    a.reshape(-1, copy=True)[2] = 9.0
    np.flip(a).copy()[0] = 9.0
    np.resize(a, (3, 4))[0] = 9.0
    np.diag(a.ravel())[0] = 9.0
    np.tril(a)[0] = 9.0


def _copy_of_a_strided_view(a: Any) -> Any:
    b = a[:, ::2]
    b.ravel()[0] = 9.0
    b.reshape(3, 2, 1)[0] = 8.0


def _read_only_views(a: Any) -> Any:
    np.diagonal(a)[0] = 1.0


def _read_only_repeats(a: Any) -> Any:
    np.broadcast_to(a, (2, 3, 4))[0] = 1.0


def _view_sees_later_writes(a: Any) -> Any:
    b = np.broadcast_to(a, (2, 3, 4))
    d = np.diagonal(a)
    a[0] = 7.0
    return b + 0, d + 0


WRITES = [
    _through_transpose,
    _through_reshape,
    _through_ravel,
    _through_flip_and_moveaxis,
    _through_rotation,
    _through_new_axis,
    _through_a_piece,
    _a_copy_is_no_view,
    _read_only_views,
    _read_only_repeats,
    _view_sees_later_writes,
]


@pytest.mark.parametrize("call", WRITES, ids=lambda call: call.__name__)
def test_writes_reach_what_views_look_into(call: Callable[..., Any]) -> None:
    check(call, MATRIX)
    check_graph(call, MATRIX)


def test_whether_a_strided_view_is_copied_can_depend_on_its_size() -> None:
    check(_copy_of_a_strided_view, MATRIX)
    want, got = MATRIX.copy(), MATRIX.copy()
    _copy_of_a_strided_view(want)
    trace_program(_copy_of_a_strided_view, "f64[3, 4]")(got)
    np.testing.assert_array_equal(got, want)
    with pytest.raises(StagingError, match="may be a view or a copy"):
        trace_program(_copy_of_a_strided_view, "f64[n, m]")


def test_shapes_that_do_not_broadcast() -> None:
    check(lambda a, b: np.broadcast_arrays(a, b), MATRIX, MATRIX[:, :2])
    with pytest.raises(ValueError, match="shape mismatch"):
        trace_program(lambda a, b: np.broadcast_arrays(a, b), "f64[3, 4]", "f64[3, 2]")


# -- sizes that aren't known ------------------------------------------------------------------------------------------
N, M = symbol("n"), symbol("m")


@pytest.mark.parametrize(
    ("old", "asked", "want"),
    [
        ((N, M), (N * M,), (N * M,)),
        ((N, M), (-1, M), (N, M)),
        ((N, M), (M, -1), (M, N)),
        ((N, 6), (-1, 2), (N * 3, 2)),
        ((N * 2 + 2, 3), (2, -1), (2, (N + 1) * 3)),
        ((N,), (N, 1, -1), (N, 1, 1)),
        ((N, 4), (2, 2, N), (2, 2, N)),
        ((N,), (3, -1), (3, N // 3)),
    ],
    ids=str,
)
def test_reshape_of_symbols(old: Any, asked: Any, want: Any) -> None:
    assert new_shape(old, asked) == want


@pytest.mark.parametrize("op", ["reshape", "permute_dims", "squeeze", "expand_dims", "flip", "broadcast_to", "diagonal", "ravel"])
def test_strides_of_views_are_numpys(op: str) -> None:
    operation = OPS[op]
    for case in operation.samples:
        (array,) = case.tensors(np.dtype("f8"))
        attrs = operation.attributes | case.attrs
        if not isinstance(array, np.ndarray) or operation.kernel(array, **attrs).size == 0:
            continue
        for source in (array, array[..., ::2] if array.ndim else array, array.T):
            if source.shape != array.shape:
                continue
            strides = tuple(s // 8 for s in source.strides)
            told = operation.view(strides, Spec(source.dtype, source.shape), **attrs)
            result = operation.kernel(source, **attrs)
            shares = np.shares_memory(result, source)
            assert told is not True and (told is None or shares == (told is not False)), (case, told)
            if told:
                assert [t * 8 for t, n in zip(told, result.shape, strict=True) if n != 1] == [
                    s for s, n in zip(result.strides, result.shape, strict=True) if n != 1
                ]


def test_order_that_depends_on_memory_is_refused_in_graphs_only() -> None:
    assert hybrid.asarray(MATRIX.T).ravel("K").tolist() == list(range(12))
    with pytest.raises(UnsupportedError, match="layout of memory isn't known"):
        trace_program(lambda a: a.ravel("K"), "f64[3, 4]")
