"""Joining, splitting, repeating, padding, inserting and deleting, as NumPy users call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.dim import Dim, symbol
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY, OPS
from hybrid.ir.trace import trace, trace_program

ROW = np.arange(6.0)
OTHER = np.arange(10, 13, dtype="i2")
MATRIX = np.arange(12).reshape(3, 4)
CUBE = np.arange(24).reshape(2, 3, 4)
POINT = np.array(2.5)
EMPTY = np.zeros((0, 4))
MASK = np.array([True, False, True, False, False, True])

CALLS: list[tuple[Any, ...]] = [
    (lambda a, b: np.concatenate([a, b]), ROW, OTHER),
    (lambda a, b: np.concatenate((a, b, a), 0), ROW, OTHER),
    (lambda a: np.concatenate([a, a], axis=-1), MATRIX),
    (lambda a, b: np.concatenate([a, b], axis=None), MATRIX, POINT),
    (lambda a: np.concatenate([a, 1, 2.5], axis=None), OTHER),
    (lambda a, b: np.concat([a, b], dtype="f4"), ROW, OTHER),
    (lambda a, b: np.concatenate([a, b], dtype="i4"), ROW, OTHER),
    (lambda a, b: np.concatenate([a, b], dtype="i4", casting="unsafe"), ROW, OTHER),
    (lambda a, b, c: np.concatenate([a, b], out=c), ROW, OTHER, np.zeros(9)),
    (lambda a, b: np.concatenate([a, b]), MATRIX, EMPTY),
    (lambda a, b: np.concatenate([a, b]), MATRIX, ROW),
    (lambda a, b: np.concatenate([a, b], axis=1), MATRIX, EMPTY),
    (lambda a: np.concatenate([a, a]), POINT),
    (lambda a: np.concatenate([a, a], axis=1), ROW),
    (lambda a: np.stack([a, a + 1]), MATRIX),
    (lambda a: np.stack([a, a], axis=-1), MATRIX),
    (lambda a, b: np.stack((a, b), 1, dtype="f8"), OTHER, np.ones(3, bool)),
    (lambda a, b: np.stack([a, b], out=b), POINT, np.zeros(2)),
    (lambda a, c: np.stack([a, a], out=c), POINT, np.zeros(2)),
    (lambda a: np.stack([a, 1.0]), np.array(2, "f4")),
    (lambda a: np.stack(a), MATRIX),
    (lambda a, b: np.stack([a, b]), ROW, OTHER),
    (lambda a: np.stack([a], axis=3), MATRIX),
    (lambda a, b: np.hstack([a, b]), ROW, OTHER),
    (lambda a: np.hstack((a, a[:, :1])), MATRIX),
    (lambda a: np.hstack([a, 1, a]), POINT),
    (lambda a: np.hstack([a, a], dtype="f4", casting="unsafe"), MATRIX),
    (lambda a: np.hstack(a), CUBE),
    (lambda a: np.vstack([a, a]), ROW),
    (lambda a: np.vstack((a, a[0])), MATRIX),
    (lambda a: np.vstack([a, a[:2]]), ROW),
    (lambda a: np.dstack([a, a]), ROW),
    (lambda a: np.dstack((a, a)), MATRIX),
    (lambda a: np.dstack([a, a]), CUBE),
    (lambda a, b: np.column_stack([a, b]), ROW, np.arange(12).reshape(6, 2)),
    (lambda a: np.column_stack((a, a)), ROW),
    (lambda a: np.block([[a, a], [a, a]]), MATRIX),
    (lambda a: np.block([a, 1, a]), ROW),
    (lambda a: np.block([[a[:2], a[:2]], [np.zeros((1, 8))]]), MATRIX),
    (lambda a: np.block(a), MATRIX),
    (lambda a: np.block([[a], [1]]), POINT),
    (lambda a: np.block([[a], a]), MATRIX),
    (lambda a: np.block([[a, a], []]), MATRIX),
    (lambda a: np.block([(a, a)]), MATRIX),
    (lambda a: np.block([[a], [a[:, :2]]]), MATRIX),
    (lambda a: np.split(a, 3), ROW),
    (lambda a: np.split(a, 2, axis=-1), MATRIX),
    (lambda a: np.split(a, [1, 3]), ROW),
    (lambda a: np.split(a, (2, 9, -1), 0), ROW),
    (lambda a: np.split(a, np.array([2, 4])), ROW),
    (lambda a: np.split(a, 4), ROW),
    (lambda a: np.split(a, 0), ROW),
    (lambda a: np.split(a, 2, axis=1), ROW),
    (lambda a: np.array_split(a, 4), ROW),
    (lambda a: np.array_split(a, 3, axis=1), MATRIX),
    (lambda a: np.array_split(a, [5]), ROW),
    (lambda a: np.array_split(a, 0), ROW),
    (lambda a: np.hsplit(a, 2), MATRIX),
    (lambda a: np.hsplit(a, [1]), ROW),
    (lambda a: np.hsplit(a, 1), POINT),
    (lambda a: np.vsplit(a, [1]), MATRIX),
    (lambda a: np.vsplit(a, 2), ROW),
    (lambda a: np.dsplit(a, 2), CUBE),
    (lambda a: np.dsplit(a, 2), MATRIX),
    (lambda a: np.tile(a, 2), ROW),
    (lambda a: np.tile(a, (2, 1)), ROW),
    (lambda a: np.tile(a, reps=[2, 1, 2]), MATRIX),
    (lambda a: np.tile(a, np.array([2, 2])), MATRIX),
    (lambda a: np.tile(a, ()), POINT),
    (lambda a: np.tile(a, (2, 0)), MATRIX),
    (lambda a: np.tile(a, -1), ROW),
    (lambda a: np.repeat(a, 2), MATRIX),
    (lambda a: np.repeat(a, 3, axis=-1), MATRIX),
    (lambda a: np.repeat(a, [0, 2, 1], 0), MATRIX),
    (lambda a: np.repeat(a, np.array([1, 0, 2]), axis=0), MATRIX),
    (lambda a, n: np.repeat(a, n, axis=0), MATRIX, np.array([1, 0, 2])),
    (lambda a, n: np.repeat(a, n), ROW, np.array(2)),
    (lambda a, n: np.repeat(a, n), ROW, MASK),
    (lambda a: a.repeat(2, axis=0), MATRIX),
    (lambda a: np.repeat(a, 2), POINT),
    (lambda a: np.repeat(a, -1), ROW),
    (lambda a: np.repeat(a, [1, 2]), ROW),
    (lambda a: np.repeat(a, [1.5] * 6), ROW),
    (lambda a: np.repeat(a, [-1] * 6), ROW),
    (lambda a: np.repeat(a, 2, axis=1), ROW),
    (lambda a, n: np.repeat(a, n), ROW, np.array(2.5)),
    (lambda a, n: np.repeat(a, n), ROW, np.array([1, 2])),
    (lambda a: np.roll(a, 2), MATRIX),
    (lambda a: np.roll(a, -1, axis=0), MATRIX),
    (lambda a: np.roll(a, (1, 2), (0, 1)), MATRIX),
    (lambda a: np.roll(a, shift=1, axis=(0, 1)), MATRIX),
    (lambda a: np.roll(a, (1, 2)), MATRIX),
    (lambda a, n: np.roll(a, n, axis=1), MATRIX, np.array(7)),
    (lambda a: np.roll(a, 1), POINT),
    (lambda a: np.roll(a, 1, axis=0), EMPTY),
    (lambda a: np.roll(a, 1, axis=2), MATRIX),
    (lambda a: np.roll(a, [[1]], axis=0), MATRIX),
    (lambda a: np.roll(a, [1, 2, 3], axis=(0, 1)), MATRIX),
    (lambda a: np.pad(a, 1), MATRIX),
    (lambda a: np.pad(a, (1, 2), "constant", constant_values=7), MATRIX),
    (lambda a: np.pad(a, ((1, 0), (0, 2)), constant_values=((1, 2), (3, 4))), MATRIX),
    (lambda a, v: np.pad(a, 1, constant_values=v), ROW, POINT),
    (lambda a: np.pad(a, {1: (1, 2)}), MATRIX),
    (lambda a: np.pad(a, {-1: 2}, mode="edge"), MATRIX),
    (lambda a: np.pad(a, 2, "edge"), MATRIX),
    (lambda a: np.pad(a, 2, "linear_ramp", end_values=(5, -4)), ROW),
    (lambda a: np.pad(a, 2, "linear_ramp"), MATRIX),
    (lambda a: np.pad(a, 3, "reflect"), MATRIX),
    (lambda a: np.pad(a, 8, "reflect", reflect_type="odd"), ROW),
    (lambda a: np.pad(a, 5, "symmetric"), MATRIX),
    (lambda a: np.pad(a, (2, 7), "wrap"), MATRIX),
    (lambda a: np.pad(a, 1, "maximum"), MATRIX),
    (lambda a: np.pad(a, 1, "minimum", stat_length=2), MATRIX),
    (lambda a: np.pad(a, 1, "mean", stat_length=(2, 3)), MATRIX),
    (lambda a: np.pad(a, 1, "median"), ROW),
    (lambda a: np.pad(a, 1), POINT),
    (lambda a: np.pad(a, ((0, 0), (1, 1)), "edge"), EMPTY),
    (lambda a: np.pad(a, 1, "edge"), EMPTY),
    (lambda a: np.pad(a, -1), ROW),
    (lambda a: np.pad(a, 1.5), ROW),
    (lambda a: np.pad(a, (1, 2, 3)), ROW),
    (lambda a: np.pad(a, 1, "no such mode"), ROW),
    (lambda a: np.pad(a, 1, "edge", constant_values=3), ROW),
    (lambda a, b: np.append(a, b), MATRIX, ROW),
    (lambda a: np.append(a, 3), ROW),
    (lambda a: np.append(a, [[1, 2, 3, 4]], axis=0), MATRIX),
    (lambda a: np.append(a, values=a, axis=-1), MATRIX),
    (lambda a, b: np.append(a, b, axis=0), MATRIX, ROW),
    (lambda a: np.insert(a, 1, 9), ROW),
    (lambda a: np.insert(a, [0, 2], [8, 9]), ROW),
    (lambda a: np.insert(a, -1, 9, axis=1), MATRIX),
    (lambda a: np.insert(a, 1, [7, 8, 9], axis=1), MATRIX),
    (lambda a: np.insert(a, [1], [[7], [8], [9]], axis=1), MATRIX),
    (lambda a: np.insert(a, slice(0, 2), 5), ROW),
    (lambda a, b: np.insert(a, 2, b, axis=0), MATRIX, np.arange(4)),
    (lambda a, n: np.insert(a, n, 9.5), ROW, np.array(3)),
    (lambda a, n: np.insert(a, n, 9), ROW, np.array([3, 1])),
    (lambda a: np.insert(a, [], []), ROW),
    (lambda a: np.insert(a, 1, 9), MATRIX),
    (lambda a: np.insert(a, 9, 1), ROW),
    (lambda a: np.insert(a, 1, 9, axis=2), MATRIX),
    (lambda a: np.delete(a, 1), ROW),
    (lambda a: np.delete(a, -1, axis=0), MATRIX),
    (lambda a: np.delete(a, [0, 2, 0], axis=1), MATRIX),
    (lambda a: np.delete(a, slice(None, None, 2)), ROW),
    (lambda a: np.delete(a, slice(4, 1, -1), 0), ROW),
    (lambda a: np.delete(a, MASK), ROW),
    (lambda a, n: np.delete(a, n), ROW, np.array(2)),
    (lambda a, n: np.delete(a, n), ROW, np.array([2, 3])),
    (lambda a, n: np.delete(a, n), ROW, MASK),
    (lambda a: np.delete(a, []), ROW),
    (lambda a: np.delete(a, 3), MATRIX),
    (lambda a: np.delete(a, 9), ROW),
    (lambda a: np.delete(a, [0, -9]), ROW),
    (lambda a: np.delete(a, [True, False]), ROW),
    (lambda a: np.delete(a, [0.5, 1.5]), ROW),
    (lambda a: np.trim_zeros(a), np.array([0, 0, 1, 0, 2, 0])),
    (lambda a: np.trim_zeros(a, "b"), np.array([0.0, 1.0, 0.0, -0.0])),
    (lambda a: np.trim_zeros(a, trim="F"), np.array([0, 1, 0])),
    (lambda a: np.trim_zeros(a), np.zeros(3)),
    (lambda a: np.trim_zeros(a), np.array([[0, 0, 0], [0, 1, 0]])),
    (lambda a: np.trim_zeros(a, axis=1), np.array([[0, 0, 0], [0, 1, 0]])),
    (lambda a: np.trim_zeros(a, "x"), ROW),
]


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_call(i: int) -> None:
    check(*CALLS[i])


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_traced_call(i: int) -> None:
    check_graph(*CALLS[i])


# -- sizes ------------------------------------------------------------------------------------------------------------
N, M = symbol("n"), symbol("m")
F8, I8 = np.dtype("f8"), np.dtype("i8")


def shape_of(name: str, *specs: Any, **attrs: Any) -> Any:
    op = OPS[name]
    result = op.infer(*specs, **{k: v for k, v in (op.attributes | attrs).items()})
    return result.shape if isinstance(result, Spec) else [spec.shape for spec in result]


def test_sizes_of_joined_arrays_add_up() -> None:
    assert shape_of("concat", [Spec(F8, (N, 3)), Spec(F8, (M, 3)), Spec(F8, (2, 3))]) == (N + M + 2, 3)
    assert shape_of("concat", [Spec(F8, (2, N)), Spec(F8, (2, 5))]) == (4, 5)
    assert shape_of("concat", [Spec(F8, (2, N)), Spec(F8, ())], axis=None) == (N * 2 + 1,)
    assert shape_of("stack", [Spec(F8, (N,)), Spec(F8, (N,))], axis=1) == (N, 2)


def test_sizes_of_pieces() -> None:
    assert shape_of("split", Spec(F8, (N * 3, 2)), indices_or_sections=3) == [(N, 2)] * 3
    assert shape_of("array_split", Spec(F8, (N,)), indices_or_sections=2) == [((N + 1) // 2,), (N // 2,)]
    first, second = shape_of("split", Spec(F8, (N + 5,)), indices_or_sections=(5,))
    assert first == (5,) and second == (N,)


def test_sizes_of_repeated_and_padded_arrays() -> None:
    assert shape_of("tile", Spec(F8, (N, 3)), repetitions=(2, M)) == (N * 2, M * 3)
    assert shape_of("repeat", Spec(F8, (N, 3)), repeats=2, axis=0) == (N * 2, 3)
    assert shape_of("repeat", Spec(F8, (N, 3)), repeats=2) == (N * 6,)
    assert shape_of("repeat", Spec(F8, (N,)), repeats=(1, 2, 3)) == (6,)
    assert shape_of("pad", Spec(F8, (N, 3)), None, None, pad_width=((1, M), (2, 2))) == (N + M + 1, 7)


def test_sizes_after_insert_and_delete() -> None:
    assert shape_of("insert", Spec(F8, (N,)), Spec(I8, ()), Spec(F8, ())) == (N + 1,)
    assert shape_of("insert", Spec(F8, (N, 3)), Spec(I8, (M,)), Spec(F8, ()), axis=0) == (N + M, 3)
    assert shape_of("delete", Spec(F8, (N,)), obj=(0, 2, 0)) == (N - 2,)
    assert shape_of("delete", Spec(F8, (N,)), obj=5) == (N - 1,)
    assert shape_of("delete_at", Spec(F8, (N,)), Spec(I8, ())) == (N - 1,)
    assert isinstance(shape_of("delete_at", Spec(F8, (6,)), Spec(I8, (2,)))[0], Dim)


def test_slices_of_an_array_are_joined() -> None:
    check(lambda a: np.concatenate(a), CUBE)
    assert trace_program(lambda a: np.concatenate(a), "i64[2, 3, 4]")(CUBE).tolist() == CUBE.reshape(6, 4).tolist()
    assert trace_program(lambda a: np.stack(a, axis=1), "i64[2, 3, 4]")(CUBE).tolist() == np.stack(CUBE, axis=1).tolist()  # type: ignore[arg-type]


# -- in graphs --------------------------------------------------------------------------------------------------------
def test_joining_makes_one_operation() -> None:
    graph = trace(lambda a, b: np.hstack([a, b, a]), "f64[n]", "f64[m]")
    assert str(graph).splitlines()[1] == "  %2: float64[m + 2*n] = concat([%0, %1, %0])"


def test_leaving_one_out_in_a_loop_keeps_the_size() -> None:
    program = trace_program(lambda a, i: np.delete(a, i).sum(), "f64[6]", "int")
    assert program(ROW, 2) == np.delete(ROW, 2).sum()


def test_padding_by_a_number_that_only_running_tells() -> None:
    program = trace_program(lambda a: np.pad(a, 1, constant_values=a.max()), "f64[n]")
    np.testing.assert_array_equal(program(ROW).numpy(), np.pad(ROW, 1, constant_values=5.0))


def test_deterministic_margins_for_empty_mode() -> None:
    np.testing.assert_array_equal(hybrid.ops.pad.pad(ROW, 1, mode="empty").numpy(), np.pad(ROW, 1))


def test_a_function_as_mode_is_refused_in_graphs() -> None:
    def fill(vector: Any, *_: Any) -> None:
        vector[:1] = vector[-1:] = 9

    np.testing.assert_array_equal(np.pad(hybrid.asarray(ROW), 1, fill).numpy(), np.pad(ROW, 1, fill))
    with pytest.raises(ValueError, match="is not supported"):
        trace_program(lambda a: np.pad(a, 1, fill), "f64[3]")


@pytest.mark.parametrize(
    "call",
    [
        lambda a: OPS["tile"](a, 2**60),
        lambda a: OPS["repeat"](a, repeats=2**60),
        lambda a: OPS["pad"](a, 2**60),
        lambda a: OPS["resize"](a, (2**61, 2**61)),
    ],
)
def test_sizes_that_cannot_be_allocated(call: Callable[..., Any]) -> None:
    with pytest.raises((MemoryError, ValueError), match=r"[Uu]nable to allocate|too (big|large)|maximum|dimension"):
        call(hybrid.asarray(ROW))


def test_nothing_but_numbers_is_joined() -> None:
    with pytest.raises(TypeError):
        OPS["concat"]([hybrid.asarray(ROW), np.array(["a"])])
    with pytest.raises(TypeError):
        OPS["stack"]([np.array(object())])
    with pytest.raises(TypeError, match="wanted numbers or an array of them, received None"):
        OPS["concat"]([None, ROW])


def test_table_has_every_function_of_this_family() -> None:
    names = "concatenate concat stack hstack vstack dstack column_stack block split array_split hsplit vsplit dsplit tile repeat roll pad"
    for name in [*names.split(), "append", "insert", "delete", "trim_zeros"]:
        assert getattr(np, name) in NUMPY, name
