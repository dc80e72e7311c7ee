"""Variables: values that change under one identity."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import hybrid


def weights() -> Any:
    return hybrid.Variable([1.0, 2.0, 3.0], name="w")


def test_facts() -> None:
    v = hybrid.Variable(np.zeros((2, 3), "f4"), name="kernel", trainable=False)
    assert (v.name, v.trainable, v.shape, v.dtype, v.ndim, v.size) == ("kernel", False, (2, 3), np.float32, 2, 6)
    assert hybrid.Variable(1.0).name == "Variable" and hybrid.Variable(1.0).trainable
    v.trainable = True
    assert v.trainable
    with pytest.raises(AttributeError):
        v.name = "other"
    with pytest.raises(AttributeError):
        v.shape = (3, 2)


def test_initial_values() -> None:
    x = np.zeros(2)
    v = hybrid.Variable(x)
    x[0] = 5
    assert v.tolist() == [0, 0]
    assert hybrid.Variable(lambda: [1, 2], dtype="f4").dtype == np.float32
    assert hybrid.Variable(hybrid.asarray([1.0])).tolist() == [1] and hybrid.Variable(weights()).tolist() == [1, 2, 3]
    assert hybrid.Variable(np.float32(2)).shape == ()
    for bad in (None, "a", [None], [[1], [2, 3]], object()):
        with pytest.raises((TypeError, ValueError), match="received"):
            hybrid.Variable(bad)


def test_assign() -> None:
    v = weights()
    assert v.assign([4.0, 5.0, 6.0]) is v and v.assign_add([1.0, 1.0, 1.0]) is v and v.assign_sub(2) is v
    assert v.tolist() == [3, 4, 5]
    assert v.assign(np.float32([1, 2, 3])).dtype == np.float64
    assert v.assign(v).assign(v.value).assign(hybrid.asarray([7, 8, 9])).tolist() == [7, 8, 9]
    assert hybrid.Variable([1, 2], dtype="u1").assign([3, 255]).tolist() == [3, 255]
    assert hybrid.Variable([1.0], dtype="f2").assign([2.0]).dtype == np.float16
    assert hybrid.Variable(1.0).assign(3).item() == 3


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        ([1.0, 2.0], ValueError, "wanted a value of shape (3,) for the variable 'w', received shape (2,)"),
        (1.0, ValueError, "wanted a value of shape (3,) for the variable 'w', received shape ()"),
        ([1j, 1j, 1j], TypeError, "wanted a value that casts to float64 for the variable 'w', received complex128"),
        (None, TypeError, "received None\n  in hybrid.asarray\n  for the variable 'w'"),
        ([1, 2, "a"], TypeError, "received 'a' at [2]\n  in hybrid.asarray\n  for the variable 'w'"),
        ([[1], [2, 3]], ValueError, "for the variable 'w'"),
        ([2**70] * 3, OverflowError, "for the variable 'w'"),
    ],
)
def test_assignments_refused(value: Any, kind: type[Exception], message: str) -> None:
    v = weights()
    with pytest.raises(kind, match=re.escape(message)):
        v.assign(value)
    assert v.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda v: v.assign_add([1.0, 2.0]), ValueError),
        (lambda v: v.assign_sub([[1.0, 2.0, 3.0]] * 2), ValueError),
        (lambda v: v.assign_add(1j), TypeError),
        (lambda v: v.__iadd__([1.0, 2.0]), ValueError),
        (lambda v: v.__iadd__(1j), TypeError),
        (lambda v: v.__iand__(1), TypeError),
        (lambda v: v.__setitem__(7, 1.0), IndexError),
        (lambda v: v.__setitem__(slice(2), [1.0, 2.0, 3.0]), ValueError),
        (lambda v: np.add(v, 1j, out=v), TypeError),
        (lambda v: v[7], IndexError),
        (lambda v: v * [1.0, 2.0], ValueError),
    ],
)
def test_errors_name_the_variable(change: Any, kind: type[Exception]) -> None:
    v = weights()
    with pytest.raises(kind, match=r"'w'"):
        change(v)
    assert v.tolist() == [1, 2, 3]


def test_integers_are_checked() -> None:
    v = hybrid.Variable([1, 2], dtype="u1", name="n")
    for change in (lambda: v.assign([1, 256]), lambda: v.assign([-1, 0])):
        with pytest.raises(OverflowError, match="'n'"):
            change()
    with pytest.raises(TypeError, match="'n'"):
        v.assign([1.5, 2.0])


def test_reads_are_stable() -> None:
    v = weights()
    reads = [v.value, v[:], v[1:], v.numpy(), np.asarray(v), v.reshape(3, 1), v.T, next(iter(v)), v[0], hybrid.asarray(v)]
    before = [np.array(r) for r in reads]
    v.assign([9.0, 9.0, 9.0])
    v[0] = 5
    v += 1
    np.add(v, 1, out=v)
    for read, old in zip(reads, before, strict=True):
        np.testing.assert_array_equal(read, old)


def test_reads_share_memory_read_only() -> None:
    v = hybrid.Variable(np.zeros((100, 100)))
    assert np.shares_memory(v.value, v.numpy()) and np.shares_memory(v[10:], v.numpy())
    for read in (v.value, v[1:], v.T, v.reshape(-1)):
        with pytest.raises(ValueError, match="read-only"):
            read[0] = 1
    assert v[[0, 1]].flags.writeable and (v * 2).flags.writeable


def test_item_assignment() -> None:
    v = hybrid.Variable(np.zeros((2, 3)))
    v[0, 1] = 5
    v[1] = [1, 2, 3]
    v[:, 2] = hybrid.asarray([7.0, 8.0])
    v[v == 1] = -1
    v[...] = v * 2
    assert v.tolist() == [[0, 10, 14], [-2, 4, 16]]


def test_augmented_item_assignment() -> None:
    v = hybrid.Variable(np.zeros((2, 3)))
    v[0] += 1
    v[:, 1] *= 3
    v[1, 2] -= 4
    v[[0, 1], [0, 0]] += 10
    v[v > 9] /= 10
    assert v.tolist() == [[1.1, 3, 1], [1, 0, -4]]
    n = hybrid.Variable([1, 2])
    with pytest.raises(TypeError, match="Cannot cast"):
        n[:] += 0.5
    assert n.tolist() == [1, 2]


def test_a_read_is_replaced_by_augmented_assignment() -> None:
    v = weights()
    w = v.value
    w += 1
    assert type(w) is hybrid.Tensor and w.tolist() == [2, 3, 4] and v.tolist() == [1, 2, 3]
    w[0] = 0


@pytest.mark.parametrize("operator", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
def test_in_place_operators_keep_the_variable(operator: str) -> None:
    v, x = weights(), np.array([1.0, 2.0, 3.0])
    got = getattr(v, f"__i{operator}__")(2)
    x = getattr(x, f"__i{operator}__")(2)
    assert got is v
    np.testing.assert_array_equal(v, x)
    scalar = hybrid.Variable(2.0)
    alias = scalar
    scalar += 1
    assert alias is scalar and scalar.item() == 3


def test_results_are_tensors() -> None:
    v = weights()
    for got in (v + 1, 1 - v, v @ v, -v, v.sum(), v.T, np.sin(v), v == 2, np.stack([v, v]), v + v, v + np.ones(3), np.ones(3) + v):
        assert type(got) is hybrid.Tensor or isinstance(got, hybrid.Tensor)
        assert not isinstance(got, hybrid.Variable)


def test_methods_in_place() -> None:
    v = hybrid.Variable([3.0, 1.0, 2.0])
    before = v.value
    v.sort()
    v.fill(v.max())
    v.put([0], [7.0])
    assert v.tolist() == [7, 3, 3] and before.tolist() == [3, 1, 2]


def test_repr() -> None:
    assert repr(weights()) == "Variable([1., 2., 3.], dtype=float64, name='w')"
    assert repr(hybrid.Variable(1, trainable=False)) == "Variable(1, dtype=int64, name='Variable', trainable=False)"


def test_variables_are_keys() -> None:
    v, w = weights(), weights()
    slots = {v: 1, w: 2}
    v.assign_add(1)
    assert slots[v] == 1 and slots[w] == 2
