"""What other code may do with a tensor: take its memory, copy it, store it, walk over it, print it."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from ops.calls import check

import hybrid
from hybrid.core.dtypes import DTYPES
from hybrid.core.shortcuts import BINARY, COMPARISONS, UNARY
from hybrid.core.table import OPS

MAKERS = [hybrid.asarray, hybrid.Variable]


def tensor(*values: Any, dtype: Any = None) -> Any:
    return hybrid.constant(list(values), dtype=dtype)


def same_error(call: Any, x: Any, y: Any) -> None:
    """The call fails on both, with one class and one message."""
    with pytest.raises(Exception) as want:
        call(x)
    with pytest.raises(type(want.value)) as got:
        call(y)
    assert str(got.value).startswith(str(want.value))


# -- arrays ---------------------------------------------------------------------------------------------------------
def test_array_shares_memory() -> None:
    x = np.arange(3.0)
    t = hybrid.asarray(x)
    assert t.numpy() is x
    for array in (np.asarray(t), np.asarray(t, copy=False), np.asarray(t, dtype="f8"), t.__array__(), t.__array__(copy=False)):
        assert np.shares_memory(array, x) and array.dtype == x.dtype and array.flags.writeable
    assert not np.shares_memory(np.array(t), x) and not np.shares_memory(np.asarray(t, copy=True), x)


def test_array_converts() -> None:
    t = tensor(1.0, 2.0)
    assert np.asarray(t, dtype="f4").dtype == np.float32
    assert t.__array__(np.dtype("i8")).dtype == np.int64
    assert np.array(t, order="F", ndmin=2).shape == (1, 2)
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        np.asarray(t, dtype="f4", copy=False)
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        t.__array__("f4", copy=False)


def test_arrays_of_tensors() -> None:
    x = tensor(1.0, 2.0)
    assert np.array([x, x]).tolist() == [[1, 2], [1, 2]]
    assert np.array([x[0], x[1], 3]).tolist() == [1, 2, 3]
    assert np.array([x[0], x[1]], dtype="f4").dtype == np.float32


def test_reads_of_variables_are_read_only() -> None:
    v = hybrid.Variable([1.0, 2.0])
    for array in (np.asarray(v), v.numpy(), v.value.numpy(), v[:].numpy()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5
    assert np.array(v).flags.writeable


def test_namespace() -> None:
    x = tensor(1.0)
    for version in (None, "2022.12", "2023.12", "2024.12"):
        assert x.__array_namespace__(api_version=version) is hybrid
    with pytest.raises(ValueError, match=r"wanted an array API version among .*, received '1999\.01'"):
        x.__array_namespace__(api_version="1999.01")


def test_device() -> None:
    x = tensor(1.0)
    assert x.device == "cpu" and x.to_device("cpu") is x
    with pytest.raises(ValueError, match="wanted the device 'cpu' and no stream, received device='gpu'"):
        x.to_device("gpu")


# -- DLPack ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dlpack_both_ways(dtype: np.dtype) -> None:
    x = hybrid.asarray(np.arange(6).reshape(2, 3).astype(dtype))
    taken = np.from_dlpack(x)
    np.testing.assert_array_equal(taken, x.numpy())
    assert np.shares_memory(taken, x.numpy())
    back = hybrid.from_dlpack(x.numpy().T)
    assert isinstance(back, hybrid.Tensor) and back.dtype == dtype and np.shares_memory(back.numpy(), x.numpy())
    np.testing.assert_array_equal(hybrid.from_dlpack(x), x)


def test_dlpack_keywords() -> None:
    x = tensor(1.0, 2.0)
    assert x.__dlpack_device__() == (1, 0)
    assert x.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=None) is not None
    assert not np.shares_memory(np.from_dlpack(x, copy=True), x.numpy())
    assert np.shares_memory(hybrid.from_dlpack(x, device="cpu", copy=False).numpy(), x.numpy())
    with pytest.raises((RuntimeError, ValueError), match="stream=None"):
        x.__dlpack__(stream=1)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="wanted the device 'cpu', received 'gpu'"):
        hybrid.from_dlpack(x, device="gpu")
    with pytest.raises(AttributeError, match=r"(?s)__dlpack__.*received \(x: \[1, 2\]\)"):
        hybrid.from_dlpack([1, 2])


def test_dlpack_of_what_cannot_be_written() -> None:
    v = hybrid.Variable([1.0, 2.0])
    taken = np.from_dlpack(v)
    assert not taken.flags.writeable and taken.tolist() == [1, 2]
    assert not hybrid.from_dlpack(v).flags.writeable
    with pytest.raises(BufferError, match="readonly"):
        v.__dlpack__()
    assert np.from_dlpack(tensor(1.5)[0]).item() == 1.5


# -- memory ---------------------------------------------------------------------------------------------------------
def test_buffer() -> None:
    t = tensor(1.0, 2.0)
    t.data[0] = 5.0
    assert t.tolist() == [5, 2]
    assert t.data.format == "d" and t.data.shape == (2,) and not t.data.readonly
    assert hybrid.Variable([1.0]).data.readonly and t[0].data.readonly


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes take part in the buffer protocol from Python 3.12 on")
def test_memoryview() -> None:
    t = tensor(1.0, 2.0)
    memoryview(t)[1] = 7.0
    assert t.tolist() == [1, 7] and bytes(t) == t.tobytes()
    assert memoryview(hybrid.Variable([1.0])).readonly


def test_memory_facts() -> None:
    x = np.zeros((2, 3), "f4")
    t = hybrid.asarray(x)
    for name in ("shape", "dtype", "ndim", "size", "strides", "itemsize", "nbytes"):
        assert getattr(t, name) == getattr(x, name)
    assert t.T.strides == x.T.strides and t.flags.c_contiguous and not t.T.flags.c_contiguous
    assert t.tobytes() == x.tobytes() and t.T.tobytes("F") == x.T.tobytes("F")
    t.setflags(write=False)
    with pytest.raises(ValueError, match=r"(?s)read-only.*in item assignment, received \(float32\[2, 3\], 0, 1\)"):
        t[0] = 1
    t.flags.writeable = True
    t[0] = 1
    assert x[0, 0] == 1
    assert not hasattr(hybrid.Tensor, "__array_interface__")


def test_views_of_other_dtypes() -> None:
    t = tensor(1.0, 2.0)
    bits = t.view("i8")
    bits[0] = 0
    assert bits.dtype == np.int64 and t.tolist() == [0, 2] and t.view().tolist() == [0, 2]
    with pytest.raises(TypeError, match="wanted a dtype"):
        t.view("O")


def test_flat() -> None:
    t = hybrid.asarray(np.arange(6).reshape(2, 3))
    assert [int(v) for v in t.flat] == [0, 1, 2, 3, 4, 5]
    t.flat[1] = 9
    assert t[0, 1].item() == 9
    t.flat = [7, 8]
    assert t.tolist() == [[7, 8, 7], [8, 7, 8]]
    v = hybrid.Variable([1, 2])
    v.flat = 3
    assert v.tolist() == [3, 3]


# -- copies ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    for value in (tensor(1.0, 2.0), tensor(1)[0], hybrid.asarray(3 + 2j), hybrid.asarray(np.zeros((2, 0), "f2")), tensor(1.0, 2.0)[::-1]):
        back = pickle.loads(pickle.dumps(value, protocol))
        assert type(back) is hybrid.Tensor and repr(back) == repr(value)
    v = pickle.loads(pickle.dumps(hybrid.Variable([1.0], trainable=False, name="w"), protocol))
    assert (v.name, v.trainable, v.tolist()) == ("w", False, [1.0])
    v.assign([2.0])


def test_pickle_out_of_band() -> None:
    buffers: list[Any] = []
    data = pickle.dumps(hybrid.asarray(np.zeros(1000)), 5, buffer_callback=buffers.append)
    assert len(data) < 500 and len(buffers) == 1
    assert pickle.loads(data, buffers=buffers).shape == (1000,)


def test_snapshots_are_pickled_as_tensors() -> None:
    back = pickle.loads(pickle.dumps(hybrid.Variable([1.0]).value))
    back[0] = 2.0
    assert type(back) is hybrid.Tensor and back.tolist() == [2]


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("make", MAKERS)
def test_copies_are_independent(copier: Any, make: Any) -> None:
    x = make([1.0, 2.0])
    y = copier(x)
    y[0] = 9
    assert type(y) is type(x) and x.tolist() == [1, 2] and y.tolist() == [9, 2]
    pair = copier([x, x])
    assert pair[0] is pair[1]


def test_methods_that_copy() -> None:
    t = tensor(1.0, 2.0)
    for made in (t.copy(), t.astype("f8"), t.flatten(), hybrid.constant(t), hybrid.asarray(t, copy=True)):
        assert not np.shares_memory(made, t)
    for made in (t[:], t.reshape(1, 2), t.ravel(), t.T, t.view(), hybrid.asarray(t), hybrid.asarray(t.numpy())):
        assert np.shares_memory(made, t)


# -- containers -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("make", MAKERS)
def test_sequence(make: Any) -> None:
    t = make([[1.0, 2.0], [3.0, 4.0]])
    assert len(t) == 2 and [row.tolist() for row in t] == [[1, 2], [3, 4]]
    assert [row.tolist() for row in reversed(t)] == [[3, 4], [1, 2]]
    assert all(isinstance(row, hybrid.Tensor) for row in t)
    _, b = t
    assert b.tolist() == [3, 4]
    assert 3 in t and 7 not in t and np.float64(2) in t and None not in t and "a" not in t
    assert dict(zip("ab", t, strict=True))["a"].tolist() == [1, 2]


def test_rows_of_a_tensor_are_views() -> None:
    t = hybrid.asarray(np.zeros((2, 2)))
    for row in t:
        row += 1
    assert t.tolist() == [[1, 1], [1, 1]]


def test_scalars_are_no_sequences() -> None:
    scalar, zero_d = tensor(1.0)[0], hybrid.asarray(1.0)
    for x in (scalar, zero_d):
        with pytest.raises(TypeError, match="iteration over a 0-d"):
            iter(x)
        with pytest.raises(TypeError, match="len"):
            len(x)
        with pytest.raises(IndexError, match=r"too many indices|invalid index to scalar"):
            x[0]
        assert x[()].item() == 1


def test_identity() -> None:
    t, u = tensor(1.0), tensor(1.0)
    assert hash(t) == hash(t) and len({t, u}) == 2 and {t: 1}[t] == 1
    assert weakref.ref(t)() is t
    assert t in [t, u]


def test_items_are_scalars_as_in_numpy() -> None:
    t = tensor(1.0, 2.0)
    y = t[0]
    t[0] = 5
    assert y.item() == 1
    s = t.sum()
    before = s
    s += 1
    assert (before.item(), s.item()) == (7, 8)


# -- Python's numbers -----------------------------------------------------------------------------------------------
def test_numbers() -> None:
    f, i, b, c = tensor(2.5)[0], tensor(3)[0], tensor(True)[0], tensor(1j)[0]
    assert float(f) == 2.5 and int(f) == 2 and complex(c) == 1j and bool(b) and int(i) == 3
    assert float(hybrid.asarray(2.5)) == 2.5 and bool(tensor(0.0)) is False and not tensor(0)[0]
    assert list(range(i)) == [0, 1, 2] and "abcd"[i] == "d" and [7, 8, 9, 10][hybrid.asarray(1)] == 8
    assert round(f) == 2 and round(tensor(1.26)[0], 1).item() == 1.3
    assert math.sqrt(f) == 2.5**0.5 and math.floor(f) == 2
    assert divmod(i, 2)[1].item() == 1 and f.item() == 2.5 and isinstance(i.item(), int)
    assert tensor(1.0, 2.0).item(1) == 2 and tensor(1.0, 2.0).item(tensor(1)[0]) == 2


@pytest.mark.parametrize(
    ("call", "array"),
    [
        (bool, np.zeros(2)),
        (bool, np.zeros(0)),
        (int, np.zeros(2)),
        (float, np.zeros(2)),
        (float, np.zeros((1, 1))),
        (complex, np.zeros(2)),
        (range, np.zeros(2, int)),
        (range, np.float64(1.0)),
        (range, np.array(1.0)),
        ([1, 2].__getitem__, np.array([0])),
        (lambda x: x.item(), np.zeros(2)),
        (lambda x: x.item(5), np.zeros(2)),
        (float, np.complex128(1j)),
        (round, np.zeros(2)),
        (lambda x: format(x, ".2f"), np.zeros(2)),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_numbers_refused_as_by_numpy(call: Any, array: Any) -> None:
    if isinstance(outcome(call, array), Exception):
        same_error(call, array, hybrid.Tensor(array))
    else:
        assert outcome(call, hybrid.Tensor(array)) == outcome(call, array)


def outcome(call: Any, x: Any) -> Any:
    try:
        return call(x)
    except Exception as error:
        return error


# -- text -----------------------------------------------------------------------------------------------------------
def test_repr() -> None:
    assert repr(tensor(1.0, 2.0)) == "Tensor([1., 2.], dtype=float64)"
    assert repr(tensor(1.5)[0]) == "Tensor(1.5, dtype=float64)"
    assert repr(hybrid.asarray(True)) == "Tensor(True, dtype=bool)"
    assert repr(hybrid.asarray(np.zeros((0, 3), "f4"))) == "Tensor([], shape=(0, 3), dtype=float32)"
    assert repr(hybrid.asarray(np.arange(10_000))) == "Tensor([   0,    1,    2, ..., 9997, 9998, 9999], shape=(10000,), dtype=int64)"
    assert repr(hybrid.asarray([[1, 2], [3, 4]])) == "Tensor([[1, 2],\n        [3, 4]], dtype=int64)"
    with np.printoptions(precision=2):
        assert repr(tensor(1 / 3)) == "Tensor([0.33], dtype=float64)"


def test_str_and_format() -> None:
    t = tensor(1.0, 2.0)
    assert str(t) == "[1. 2.]" and f"{t}" == "[1. 2.]"
    assert f"{t[1]:.3f}" == "2.000" and format(hybrid.asarray(2), "05d") == "00002" and f"{t[1]}" == "2.0"
    assert f"{hybrid.asarray(1.5)!s:>5}" == "  1.5"


# -- what ndarray has -----------------------------------------------------------------------------------------------
LEFT_OUT = {
    "__array_finalize__", "__array_interface__", "__array_struct__", "__array_wrap__", "__class_getitem__", "__delitem__",
    "__setstate__", "base", "byteswap", "ctypes", "dump", "dumps", "getfield", "resize", "setfield", "tofile",
}  # fmt: skip
"""Hooks of NumPy's own subclasses, and methods that belong to memory: ``t.numpy()`` has them."""


def test_methods_of_arrays() -> None:
    missing = set(dir(np.ndarray)) - set(dir(hybrid.Tensor))
    assert {name for name in missing if name.startswith("__") or not name.startswith("_")} == LEFT_OUT


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.sum(),
        lambda x: x.sum(0),
        lambda x: x.sum(axis=(0, 1), keepdims=True, initial=1.0),
        lambda x: x.prod(1),
        lambda x: (x.mean(), x.std(ddof=1), x.var(0), x.max(1), x.min(), x.all(), x.any(0)),
        lambda x: (x.argmax(), x.argmin(1), x.argsort(0), x.argpartition(1)),
        lambda x: (x.cumsum(), x.cumprod(1), x.trace(), x.round(1), x.clip(1, 2), x.conj(), x.conjugate()),
        lambda x: (x.dot(x.T), x.reshape(-1), x.reshape((3, 2)), x.reshape(3, 2, order="F"), x.transpose(), x.transpose(1, 0)),
        lambda x: (x.swapaxes(0, 1), x[None].squeeze(), x.ravel("F"), x.flatten("F"), x.diagonal(), x.repeat(2), x.repeat(2, axis=1)),
        lambda x: (x.take([0, 1]), x.take(1, axis=1), x.compress([True, False], axis=0), x.nonzero(), x[0].searchsorted(1.5)),
        lambda x: (x.astype(int), x.astype("f4", copy=False), x.astype(bool, casting="unsafe"), x.copy("F"), x.view("i8")),
        lambda x: x.astype(int, casting="safe"),
        lambda x: (x > 1).choose([x, x * 2]),
        lambda x: (x.T, x.mT, x.real, x.imag, x.tolist(), x.item(3), x.tobytes()),
        lambda x: x.sum(out=x[0, :1].reshape(())),
        lambda x: x.sum(1, None, x[:, 0]),
        lambda x: x.sort(0),
        lambda x: x.sort(axis=1, kind="stable"),
        lambda x: x.partition(1),
        lambda x: x.fill(3),
        lambda x: x.put([0, 1], [7.0, 8.0]),
        lambda x: x.sum(x),
        lambda x: x.sum(5),
        lambda x: x.reshape(5),
        lambda x: x.take(100),
    ],
)
def test_methods(call: Any) -> None:
    check(call, np.array([[1.0, 2.5, 0.5], [3.0, -1.0, 2.0]]))


def test_parts_of_complex_numbers() -> None:
    t = tensor(1 + 2j, 3 - 1j)
    t.real = [5.0, 6.0]
    t.imag[0] = 0
    assert t.tolist() == [5, 6 - 1j]
    with pytest.raises(TypeError, match="wanted a complex array"):
        tensor(1.0).imag = 2


def test_a_tensor_holds_numbers_only() -> None:
    for array in (np.array(["a"]), np.array([None]), np.array([1], "M8[s]"), np.zeros(1, np.longdouble), np.zeros(1, ">f8"), [1.0]):
        with pytest.raises(TypeError, match="wanted a NumPy array of numbers"):
            hybrid.Tensor(array)


def test_every_operator_has_an_operation() -> None:
    assert {op for _, op in [*BINARY.values(), *COMPARISONS.values(), *UNARY.values()]} <= set(OPS)
