"""Intrinsics that copy and fill arrays, against NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numba import njit
from numba.core import types

from hybrid.backends.numba.memory import MEMORY, allocator, transposed

copied, copy_into, fill, clear, in_order = (MEMORY[name] for name in ("copied", "copy_into", "fill", "clear", "in_order"))
MATRIX = types.Array(types.float64, 2, "A")


@njit(types.Array(types.float64, 2, "C")(MATRIX))
def copy_of(x):
    return copied(x)


@njit(types.Array(types.float64, 2, "C")(MATRIX))
def ordered(x):
    return in_order(x)


@njit(types.void(MATRIX, MATRIX))
def write(x, y):
    copy_into(x, y)


@njit(types.void(MATRIX, types.float64))
def flood(x, number):
    fill(x, number)


BASE = np.arange(35.0).reshape(5, 7)
VIEWS = [BASE, BASE[1:, 2:], BASE[::2, ::-3], BASE.T, BASE[:, :0], BASE[3:4], np.lib.stride_tricks.as_strided(BASE, (4, 7), (0, 8))]


@pytest.mark.parametrize("view", VIEWS, ids=str(list(range(len(VIEWS)))).split(","))
def test_copies(view: np.ndarray) -> None:
    for function in (copy_of, ordered):
        result = function(view)
        np.testing.assert_array_equal(result, view)
        assert result.flags.c_contiguous
    assert not np.shares_memory(copy_of(view), view)
    assert np.shares_memory(ordered(view), view) == (view.flags.c_contiguous and view.size > 0)


@pytest.mark.parametrize("key", [np.s_[:, :], np.s_[1:4, ::2], np.s_[::-1, 3:], np.s_[2:2, :]])
def test_writes(key: tuple[slice, slice]) -> None:
    wanted, received = BASE.copy(), BASE.copy()
    wanted[key] = (BASE * 2.0 + 1.0)[key]
    write(received[key], (BASE * 2.0 + 1.0)[key])
    np.testing.assert_array_equal(received, wanted)
    wanted[key] = -0.0
    flood(received[key], -0.0)
    np.testing.assert_array_equal(np.signbit(received), np.signbit(wanted))


@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
def test_axes_in_another_order(axes: tuple[int, ...]) -> None:
    permute = transposed(axes)
    x = np.arange(24).reshape(2, 3, 4)
    view = njit(lambda x: permute(x))(x)
    np.testing.assert_array_equal(view, np.transpose(x, axes))
    assert view.strides == np.transpose(x, axes).strides
    assert np.shares_memory(view, x)


def test_new_arrays() -> None:
    make = allocator(types.Array(types.complex64, 2, "C"))

    @njit
    def zeros(n, m):
        x = make((n, m))
        clear(x)
        return x

    for shape in ((3, 4), (0, 5)):
        x = zeros(*shape)
        assert (x.shape, x.dtype, x.flags.c_contiguous) == (shape, np.complex64, True)
        np.testing.assert_array_equal(x, 0)
