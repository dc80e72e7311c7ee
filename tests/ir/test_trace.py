"""Tracing straight-line code: graphs as text, writes and views with NumPy's meaning, clear refusals."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import hybrid
from hybrid.ir.trace import trace, trace_program


def test_equal_operations_become_one() -> None:
    graph = trace(lambda x, y: (x + y) + (x + y), "f64[3]", "f64[3]")
    assert str(graph) == (
        "graph(%0: float64[3], %1: float64[3]):\n"
        "  %2: float64[3] = add(%0, %1)\n"
        "  %3: float64[3] = add(%2, %2)\n"
        "  return %3"
    )  # fmt: skip


def test_what_nothing_needs_is_left_out() -> None:
    def f(x):
        x + 1.0
        return x * 2.0

    assert "add" not in str(trace(f, "f64[3]"))


def test_python_numbers_stay_weak() -> None:
    graph = trace(lambda x, k: x * k + 1, "f32[n]", "float")
    assert str(graph) == (
        "graph(%0: float32[n], %1: float):\n"
        "  %2: float32[n] = multiply(%0, %1)\n"
        "  %3: float32[n] = add(%2, 1)\n"
        "  return %3"
    )  # fmt: skip


def test_sizes_are_symbols() -> None:
    seen = []

    def f(x):
        seen.append((x.shape, x.size, x.ndim))
        return np.concatenate([x, x])

    graph = trace(f, "f64[n, 3]")
    assert str(graph.outputs[0].spec) == "float64[2*n, 3]"
    assert [str(s) for s in seen[0][0]] == ["n", "3"] and str(seen[0][1]) == "3*n" and seen[0][2] == 2


def test_shape_arithmetic_reaches_attributes() -> None:
    graph = trace(lambda x: np.zeros_like(x).reshape((x.shape[0] * 2, 2)), "f64[n, 4]")
    assert str(graph.outputs[0].spec) == "float64[2*n, 2]"


PROGRAMS = []


def program(f):
    PROGRAMS.append(f)
    return f


@program
def slice_assignment(a):
    a[1:-1] = a[2:] - a[:-2]
    a[0] = 9
    return a.sum()


@program
def view_sees_later_writes_and_writes_through(a):
    b = a[0:2]
    a[0] = 5
    b[1] += 1
    c = b[::-1]
    c[0] = 100
    return b, c, a


@program
def two_views_of_one_array(a):
    first, second = a[:4], a[2:]
    first[:] = 1
    second += 10
    first *= 2
    return first, second


@program
def augmented_assignment_is_in_place(a):
    y = a
    y += 1
    y = y * 2
    return a, y


@program
def scalars_are_replaced(a):
    s = a[0]
    t = s
    s += 1
    a[0] = 50
    return s, t


@program
def write_through_reshape_and_transpose(a):
    m = a.reshape(2, 3)
    t = m.T
    t[0, 1] = -1
    f = m.reshape(-1)
    f[-1] = -2
    return m, t, f


@program
def write_through_diagonal_like_views(a):
    m = a.reshape(2, 3)
    v = np.swapaxes(m, 0, 1)[1:]
    v[:, 0] *= 3
    e = np.expand_dims(a, 0)
    e[0, 2] = 77
    s = np.squeeze(e)
    s[3] = 78
    return v, e, s


@program
def mask_assignment(a):
    a[a > 2] = 0
    a[0] += 5
    return a


@program
def fancy_assignment_and_copy(a):
    picked = a[[0, 2]]
    picked += 100
    a[[1, 3]] = picked
    return picked


@program
def out_arguments_and_ufunc_methods(a):
    np.multiply(a, 3, out=a)
    np.add.at(a, [0, 0, 1], 1)
    b = a.copy()
    np.exp(a * 0, out=b[::2] if b.shape[0] == 0 else b)
    return np.add.reduce(a), np.maximum.accumulate(a), b


@program
def methods_in_place(a):
    a.sort()
    a[1:3].fill(-4)
    a.put([0, -1], [8, 9])
    np.copyto(a[2:4], 3)
    return a.max()


@program
def containers_come_back(a):
    return {"s": a.sum(), "parts": [a[:2], (a[2:], None, "text")], "n": a.ndim}


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("spec", ["f64[6]", "f64[n]"])
def test_traced_program_does_what_numpy_does(f, spec) -> None:
    if spec == "f64[n]" and f in (write_through_reshape_and_transpose, write_through_diagonal_like_views, containers_come_back):
        spec = "f64[6]"  # shapes of theirs need the number
    plain, eager, traced = (np.arange(6.0) for _ in range(3))
    want = f(plain)
    tensor = f(hybrid.asarray(eager))
    got = trace_program(f, spec)(hybrid.asarray(traced))
    same(want, tensor)
    same(want, got)
    np.testing.assert_array_equal(eager, plain)
    np.testing.assert_array_equal(traced, plain)


def same(want, got) -> None:
    if isinstance(want, dict):
        assert list(want) == list(got)
        want, got = list(want.values()), list(got.values())
    if isinstance(want, list | tuple):
        assert type(want) is type(got) and len(want) == len(got)
        for w, g in zip(want, got, strict=True):
            same(w, g)
    elif isinstance(want, np.ndarray | np.generic):
        assert isinstance(got, hybrid.Tensor) and got.dtype == want.dtype
        np.testing.assert_array_equal(got.numpy(), want)
    else:
        assert type(want) is type(got) and want == got


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: 1 if x.sum() > 0 else 2, "can't decide a Python branch"),
        (lambda x: int(x[0]), "can't become a Python integer"),
        (lambda x: [1, 2][x[0]], "can't be a Python index"),
        (lambda x: np.asarray(x).tolist(), "can't become a NumPy array"),
        (lambda x: 1 if x.shape[0] else 2, "the size n isn't known"),
        (lambda x: x + np.ones((2, 3)) @ x, "matmul"),
    ],
)
def test_what_needs_a_value_is_refused(f, message) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError), match=message):
        trace(f, "i64[n]" if "n isn't" in message else "i64[5]")


def test_refusals_carry_numpys_class_and_message() -> None:
    with pytest.raises(ValueError, match="operands could not be broadcast together with shapes \\(3,\\) \\(4,\\)"):
        trace(lambda x, y: x + y, "f64[3]", "f64[4]")
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
        trace(lambda x: x[7], "f64[3]")
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds for array of dimension 1"):
        trace(lambda x: x.sum(axis=2), "f64[3]")


def test_view_or_copy_that_cannot_be_told_is_refused_when_it_matters() -> None:
    def reads(x):
        return x[:, 1:].reshape(-1) * 2.0

    def writes(x):
        flat = x[:, 1:].reshape(-1)
        flat[0] = 1.0
        return x

    a = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(trace_program(reads, "f64[3, 4]")(a), reads(a))
    np.testing.assert_array_equal(trace_program(writes, "f64[3, 4]")(a.copy()), writes(a.copy()))  # NumPy copies here


def test_a_tensor_from_outside_is_a_constant_and_can_not_be_written() -> None:
    outside = hybrid.asarray([1.0, 2.0])
    graph = trace(lambda x: x + outside, "f64[2]")
    assert "float64[2](1.0, 2.0)" in str(graph)

    def writes(x):
        outside[0] = x[0]

    with pytest.raises(TypeError, match="from outside"):
        trace(writes, "f64[2]")


def test_a_traced_value_outside_of_its_function_is_refused() -> None:
    kept = []
    trace(lambda x: kept.append(x) or x, "f64[2]")
    with pytest.raises(TypeError, match="outside of the function"):
        trace(lambda x: x + kept[0], "f64[2]")


def test_nodes_know_the_users_line() -> None:
    graph = trace(lambda x: x + 1.0, "f64[2]")
    location = graph.nodes[0].location
    assert location.file == __file__ and "trace(lambda x: x + 1.0" in linecache.getline(__file__, location.line)
