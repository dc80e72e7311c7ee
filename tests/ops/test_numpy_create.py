"""New arrays, grids and windows, as NumPy users call them.

NumPy doesn't dispatch functions without array arguments; compiled code looks them up in the table of functions instead. So
most calls here go through that table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph, observed, same

import hybrid
from hybrid.core.dim import Dim, symbol
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY, OPS
from hybrid.ir.trace import trace, trace_program
from hybrid.ops import grid
from hybrid.ops.create import empty, full, steps_between

A = np.arange(6.0).reshape(2, 3)


def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    return function, args, kwargs


CALLS = [
    call(np.zeros, 3),
    call(np.zeros, (2, 3), int),
    call(np.zeros, [2], dtype="f4", order="F"),
    call(np.zeros, shape=(), device="cpu"),
    call(np.zeros, -1),
    call(np.zeros, (2, -1)),
    call(np.zeros, 2.0),
    call(np.zeros, (1,) * 65),
    call(np.zeros, 2**70),
    call(np.zeros, (2**62, 2**62)),
    call(np.ones, (2, 0), bool),
    call(np.ones, np.int64(2), dtype=np.complex64),
    call(np.full, 3, 7),
    call(np.full, (2, 3), [1.5, 2.5, 3.5]),
    call(np.full, (2, 2), True, dtype="i1"),
    call(np.full, (), 2.5, order="F"),
    call(np.full, shape=2, fill_value=1j),
    call(np.full, 2, np.float32(1.5)),
    call(np.full, 3, [1, 2]),
    call(np.full, 2, 300, np.int8),
    call(np.full, -2, 1.0),
    call(np.eye, 3),
    call(np.eye, 2, 4, 1),
    call(np.eye, N=3, k=-1, dtype=int),
    call(np.eye, 2, k=9),
    call(np.eye, -1),
    call(np.identity, 2),
    call(np.identity, 2, "i4"),
    call(np.identity, -1),
    call(np.tri, 3),
    call(np.tri, 3, 2, -1, int),
    call(np.tri, N=2, M=4, k=1),
    call(np.tri, -1),
    call(np.arange, 5),
    call(np.arange, 2, 9, 3),
    call(np.arange, start=1, stop=3),
    call(np.arange, 5, 0, -2, "f4"),
    call(np.arange, 0.5, 3),
    call(np.arange, 0, 1, 0.1),
    call(np.arange, 3, dtype=np.complex64),
    call(np.arange, 3, 0),
    call(np.arange, np.float32(3)),
    call(np.arange, np.int8(3)),
    call(np.arange, True),
    call(np.arange, 2, dtype=bool),
    call(np.arange, 3, dtype=bool),
    call(np.arange, 3j),
    call(np.arange, 0, 1, 0),
    call(np.arange, np.nan),
    call(np.arange, np.inf),
    call(np.arange, 1e30),
    call(np.linspace, 0, 1),
    call(np.linspace, 0, 1, 5, False),
    call(np.linspace, start=0, stop=10, num=4, dtype=int),
    call(np.linspace, [0, 1], [1, 3], 3, axis=-1),
    call(np.linspace, 0, 1j, 3),
    call(np.linspace, 0, 1, 0),
    call(np.linspace, 0, 1, 1),
    call(np.linspace, 3, 3, 3),
    call(np.linspace, 0, 1, -1),
    call(np.linspace, 0, 1, 2.5),
    call(np.linspace, 0, 1, 5, retstep=True),
    call(np.linspace, 0.1, 1.7, 8, endpoint=False, retstep=True),
    call(np.logspace, 0, 3, 4),
    call(np.logspace, 0, 3, 4, False, 2.0),
    call(np.logspace, 0, [1, 2], num=3, base=[2, 3], axis=-1),
    call(np.logspace, 0, 3, num=4, base=2, dtype=int),
    call(np.geomspace, 1, 1000, 4),
    call(np.geomspace, 1, 256, num=9, dtype=int),
    call(np.geomspace, [1, 2], [8, 16], 3, axis=1),
    call(np.geomspace, -1000, -1, num=4, endpoint=False),
    call(np.geomspace, 1j, 1000j, num=4),
    call(np.geomspace, 0, 1),
    call(np.indices, (2, 3)),
    call(np.indices, (2, 3), float),
    call(np.indices, dimensions=(2, 3), sparse=True),
    call(np.indices, ()),
    call(np.indices, (2, -1)),
    call(np.meshgrid, [1, 2, 3], [4.0, 5.0]),
    call(np.meshgrid, [1, 2], [3], [4, 5, 6], indexing="ij"),
    call(np.meshgrid, [1, 2], [3, 4], sparse=True),
    call(np.meshgrid, [1, 2], [3, 4], sparse=True, copy=False),
    call(np.meshgrid, [1, 2], [3, 4], copy=False),
    call(np.meshgrid, [1, 2]),
    call(np.meshgrid, 1, [[3, 4]]),
    call(np.meshgrid),
    call(np.meshgrid, [1], indexing="no"),
    call(np.ix_, [0, 1], [2, 3, 4]),
    call(np.ix_, [True, False, True], np.array([1])),
    call(np.ix_, [], [1]),
    call(np.ix_, [[1]]),
    call(np.diag_indices, 3),
    call(np.diag_indices, 2, 3),
    call(np.diag_indices, n=2, ndim=1),
    call(np.tril_indices, 3),
    call(np.tril_indices, 3, 1, 4),
    call(np.triu_indices, 4, k=-1),
    call(np.triu_indices, 2, 1, m=5),
    call(np.triu_indices, 0),
    call(np.hamming, 5),
    call(np.hamming, 0),
    call(np.hanning, 4.5),
    call(np.blackman, 1),
    call(np.bartlett, M=6),
    call(np.kaiser, 5, 8.6),
    call(np.kaiser, 4.5, beta=14),
    call(np.fromfunction, lambda i, j: i * 10 + j, (2, 3)),
    call(np.fromfunction, lambda i, j: i == j, (2, 2), dtype=int),
    call(np.fromfunction, lambda i, *, c: i + c, (3,), c=5),
    call(np.unravel_index, 5, (2, 3)),
    call(np.ravel_multi_index, ([0, 1], [1, 2]), (2, 3)),
]


def names(case: tuple[Any, ...]) -> str:
    return case[0].__name__


@pytest.mark.parametrize("case", CALLS, ids=names)
def test_call(case: tuple[Any, ...]) -> None:
    function, args, kwargs = case
    same(observed(lambda: function(*args, **kwargs), []), observed(lambda: NUMPY[function](*args, **kwargs), []))


@pytest.mark.parametrize("case", CALLS, ids=names)
def test_traced_call(case: tuple[Any, ...]) -> None:
    function, args, kwargs = case
    want = observed(lambda: function(*args, **kwargs), [])
    same(want, observed(lambda: trace_program(lambda: NUMPY[function](*args, **kwargs))(), []))


WITH_TENSORS: list[tuple[Any, ...]] = [
    (lambda a: np.zeros_like(a), A),
    (lambda a: np.zeros_like(a, dtype=int, order="F", subok=False), A),
    (lambda a: np.ones_like(a, shape=(2, 2)), A),
    (lambda a: np.ones_like(a, "c8"), A),
    (lambda a: np.full_like(a, 7), A),
    (lambda a: np.full_like(a, [1, 2, 3], int), A),
    (lambda a: np.full_like(a, fill_value=a[0, 1], shape=4), A),
    (lambda a: np.full_like(a, [1, 2]), A),
    (lambda a: np.full_like(a, 300, dtype=np.int8), A),
    (lambda a: np.linspace(a[0], a[1], 4), A),
    (lambda a: np.linspace(a[0], 5, num=3, axis=1, endpoint=False), A),
    (lambda a: np.linspace(a[0, 1], a[1, 2], 3, retstep=True), A),
    (lambda a: np.linspace(a, a[0, :2]), A),
    (lambda a: np.logspace(a[0], 2, 3, base=2), A),
    (lambda a: np.geomspace(a[0] + 1, 9, 3), A),
    (lambda a: np.meshgrid(a[0], a[1, :2]), A),
    (lambda a: np.meshgrid(a[0], a[1, :2], indexing="ij", sparse=True), A),
    (lambda a, i: a[np.ix_(i, [0, 2])], A, np.array([1, 0])),
    (lambda a, m: a[np.ix_([1], m)], A, np.array([True, False, True])),
    (lambda a: np.diag_indices_from(a), np.eye(3)),
    (lambda a: np.diag_indices_from(a), A),
    (lambda a: np.diag_indices_from(a[0]), A),
    (lambda a: np.tril_indices_from(a), A),
    (lambda a: np.triu_indices_from(a, k=1), A),
    (lambda a: np.triu_indices_from(a[0]), A),
    (lambda a: a[np.triu_indices_from(a)], A),
    (lambda i: np.unravel_index(i, (3, 4)), np.array([1, 11, 5])),
    (lambda i: np.unravel_index(i, shape=(3, 4), order="F"), np.array([[1, 11]])),
    (lambda i: np.unravel_index(i, (3, 4)), np.array([12])),
    (lambda i: np.unravel_index(i, (3, 4)), np.array([1.0])),
    (lambda i: np.unravel_index(i, (3, 4), "K"), np.array([1])),
    (lambda i, j: np.ravel_multi_index((i, j), (3, 4)), np.array([1, 2]), np.array([3])),
    (lambda i, j: np.ravel_multi_index((i, j), dims=(3, 4), mode=("clip", "wrap"), order="F"), np.array([5]), np.array([-1])),
    (lambda i, j: np.ravel_multi_index((i, j), (3, 4)), np.array([5]), np.array([1])),
    (lambda i: np.ravel_multi_index((i,), (3, 4)), np.array([1])),
]


@pytest.mark.parametrize("i", range(len(WITH_TENSORS)))
def test_call_on_tensors(i: int) -> None:
    check(*WITH_TENSORS[i])


@pytest.mark.parametrize("i", range(len(WITH_TENSORS)))
def test_traced_call_on_tensors(i: int) -> None:
    check_graph(*WITH_TENSORS[i])


# -- mgrid and ogrid ------------------------------------------------------------------------------------------------
KEYS = [
    np.s_[0:5],
    np.s_[:3, 1:8:3],
    np.s_[0:1:5j],
    np.s_[0:1:5j, 0:2],
    np.s_[-1:1:0.25, 0:3:3j],
    np.s_[0:3, 0:2, 5:3:-1],
    np.s_[0 : np.float32(2), 0 : np.int8(2)],
    (slice(0, 4),),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("name", ["mgrid", "ogrid"])
def test_grid(name: str, key: Any) -> None:
    want, ours = getattr(np, name)[key], getattr(grid, name)
    same(want, ours[key])
    same(want, trace_program(lambda: ours[key])())


# -- sizes ------------------------------------------------------------------------------------------------------------
N = symbol("n")


def test_count_of_steps_to_a_symbol() -> None:
    assert steps_between(0, N, 1) == N
    assert steps_between(1, N + 1, 1) == N
    assert str(steps_between(0, N, 2)) == "floordiv(n + 1, 2)"
    assert str(steps_between(3, N, 1)) == "max(0, n - 3)"
    assert isinstance(steps_between(0, N, 0.3), Dim)


def test_shapes_of_symbols() -> None:
    graph = trace(lambda a: NUMPY[np.ones]((a.shape[0], 2)) + NUMPY[np.arange](a.shape[0])[:, None], "f64[n]")
    assert graph.outputs[0].spec == Spec(np.dtype("f8"), (N, 2))
    program = trace_program(lambda a: (NUMPY[np.tril_indices](a.shape[0]), grid.mgrid[0 : a.shape[0], 0:2]), "f64[n]")
    (rows, _), field = program(np.zeros(4))
    np.testing.assert_array_equal(rows.numpy(), np.tril_indices(4)[0])
    np.testing.assert_array_equal(field.numpy(), np.mgrid[0:4, 0:2])


def test_eye_and_windows_of_symbols() -> None:
    def made(a: Any) -> Any:
        return NUMPY[np.eye](a.shape[0], k=1), NUMPY[np.hanning](a.shape[0]), NUMPY[np.full](a.shape, a[0])

    program = trace_program(made, "f64[n]")
    eye, window, filled = program(np.arange(3.0) + 2)
    np.testing.assert_array_equal(eye.numpy(), np.eye(3, k=1))
    np.testing.assert_array_equal(window.numpy(), np.hanning(3))
    np.testing.assert_array_equal(filled.numpy(), np.full(3, 2.0))


# -- what is ours -----------------------------------------------------------------------------------------------------
def test_empty_is_the_same_every_time() -> None:
    np.full(1000, 7.0)
    assert not empty(1000).numpy().any()


@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "eye", "arange", "zeros_like"])
def test_other_devices_are_refused(name: str) -> None:
    op = OPS[name]
    with pytest.raises(ValueError, match="wanted the device 'cpu', received 'cuda'"):
        op(2, device="cuda")
    with pytest.raises(ValueError, match="wanted the device 'cpu', received 'cuda'"):
        trace(lambda: op(2, device="cuda"))


@pytest.mark.parametrize("dtype", [object, "U3", "datetime64[s]", ">f8", "no such dtype", np.longdouble])
def test_other_dtypes_are_refused(dtype: Any) -> None:
    for make in (OPS["zeros"], OPS["arange"], lambda n, dtype: full(n, 1, dtype=dtype)):
        with pytest.raises(TypeError, match="wanted a dtype"):
            make(2, dtype=dtype)


@pytest.mark.parametrize("value", ["a", None, object(), [[1], [1, 2]]])
def test_only_numbers_fill(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        full(2, value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: OPS["zeros"](2**55),
        lambda: OPS["ones"]((2**40, 2**20)),
        lambda: OPS["eye"](2**40),
        lambda: full((2**62, 4), 1.0),
        lambda: OPS["arange"](2**62),
        lambda: OPS["linspace"](0, 1, 2**55),
        lambda: OPS["indices"]((2**40, 2**10)),
        lambda: OPS["hamming"](2**55),
        lambda: OPS["zeros_like"](hybrid.asarray(1.0), shape=2**55),
    ],
)
def test_sizes_that_cannot_be_allocated(make: Callable[..., Any]) -> None:
    with pytest.raises((MemoryError, ValueError), match=r"Unable to allocate|too big|Maximum allowed"):
        make()


def _written_without_axes(a: Any) -> Any:
    made = [np.zeros_like(a), np.full_like(a, 3.0), np.tile(a, ()), np.roll(a, 1), np.reshape(a, (), copy=True), np.squeeze(a)]
    for x in made:
        x[()] += 5.0
    return made


def test_arrays_without_axes_are_arrays() -> None:
    check(_written_without_axes, np.array(2.5))
    check_graph(_written_without_axes, np.array(2.5))


def test_step_of_a_single_number() -> None:
    assert np.isnan(NUMPY[np.linspace](0, 1, 1, retstep=True)[1])


def test_fill_value_may_be_traced() -> None:
    program = trace_program(lambda a, v: full(a.shape, v) + np.full_like(a, v), "f64[2, n]", "float")
    np.testing.assert_array_equal(program(A, 1.5).numpy(), np.full((2, 3), 3.0))
