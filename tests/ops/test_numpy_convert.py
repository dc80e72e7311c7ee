"""dtypes, copies, conversions and questions about them, as NumPy users call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph, observed, same

import hybrid
from hybrid.core.dim import symbol
from hybrid.core.dtypes import DTYPES, as_dtype
from hybrid.core.info import NamespaceInfo
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import NUMPY
from hybrid.core.tensor import wrap
from hybrid.ir.trace import trace, trace_program
from hybrid.ops import convert

A = np.arange(6.0).reshape(2, 3) - 2.5
I4 = np.arange(8, dtype="i4").reshape(2, 4)
POINT = np.array(2.5)

CALLS: list[tuple[Any, ...]] = [
    (lambda a: a.astype("i4"), A),
    (lambda a: a.astype(bool), A),
    (lambda a: a.astype(np.complex64), A),
    (lambda a: a.astype(float, copy=False), A),
    (lambda a: a.astype("f4", order="F", casting="same_kind"), A),
    (lambda a: a.astype(int, casting="safe"), A),
    (lambda a: np.astype(a, np.float32), A),
    (lambda a: np.astype(a, np.float64, copy=False), A),
    (lambda a: np.copy(a), A),
    (lambda a: np.copy(a, order="F"), A),
    (lambda a: np.copy(a, subok=True), A),
    (lambda a: a.copy(), A),
    (lambda a: a.view("u8"), A),
    (lambda a: a.view(np.int16), I4),
    (lambda a: a.view("i8"), I4),
    (lambda a: a.view(np.float32), I4),
    (lambda a: a.view("i8"), I4[:, :3].copy()),
    (lambda a: a.view("i8"), np.array(1, "i4")),
    (lambda a: a.view("f4"), np.array(1, "i4")),
]

QUESTIONS: list[tuple[Any, ...]] = [
    (lambda a: np.shape(a), A),
    (lambda a: np.ndim(a), POINT),
    (lambda a: np.size(a), A),
    (lambda a: np.size(a, 1), A),
    (lambda a: np.size(a, axis=(0, 1)), A),
    (lambda a: np.size(a, 5), A),
    (lambda a: np.iscomplexobj(a), A),
    (lambda a: np.isrealobj(a), A * 1j),
    (lambda a, b: np.result_type(a, b), A, I4),
    (lambda a: np.result_type(a, np.int8, 1j), I4),
    (lambda a: np.can_cast(a, "f4"), I4),
    (lambda a: np.can_cast(a, "f4", casting="same_kind"), A),
    (lambda a: np.min_scalar_type(a), I4),
]


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_call(i: int) -> None:
    check(*CALLS[i])


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_traced_call(i: int) -> None:
    check_graph(*CALLS[i])


@pytest.mark.parametrize("i", range(len(QUESTIONS)))
def test_question(i: int) -> None:
    call, *arrays = QUESTIONS[i]
    check(call, *arrays)
    same(observed(call, arrays), observed(lambda: trace_program(call, *map(spec_of, arrays))(*arrays), []))


def test_questions_about_symbols() -> None:
    asked: list[Any] = []
    trace(lambda a: asked.extend([np.shape(a), np.size(a), np.size(a, 1), np.ndim(a)]), "f64[n, 3]")
    n = symbol("n")
    assert asked == [(n, 3), n * 3, 3, 2]


# -- np.array and its kin, which NumPy doesn't dispatch -----------------------------------------------------------------
ARRAYS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (np.array, (A,), {}),
    (np.array, (A, "f4"), {}),
    (np.array, (A,), {"ndmin": 3}),
    (np.array, (A,), {"dtype": int, "copy": None, "order": "F"}),
    (np.array, (A,), {"copy": False, "dtype": "f4"}),
    (np.asarray, (A,), {}),
    (np.asarray, (A, int), {}),
    (np.asarray, (A,), {"order": "F"}),
    (np.asanyarray, (A,), {"dtype": "c8"}),
    (np.ascontiguousarray, (A,), {}),
    (np.ascontiguousarray, (POINT,), {}),
    (np.asfortranarray, (A,), {"dtype": "f4"}),
    (np.require, (A,), {}),
    (np.require, (A, "f4", ["F", "O"]), {}),
    (np.require, (A,), {"requirements": "CW"}),
    (np.require, (A,), {"requirements": ["C", "F"]}),
]


@pytest.mark.parametrize("case", ARRAYS, ids=lambda case: case[0].__name__)
def test_making_arrays_of_stand_ins(case: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> None:
    function, (first, *rest), kwargs = case
    want = observed(lambda a: function(a, *rest, **kwargs), [first])
    call = lambda a: NUMPY[function](a, *rest, **kwargs)  # noqa: E731
    same(want, observed(call, [wrap(first)]))
    same(want, observed(lambda a: trace_program(call, f"f64{list(first.shape)}")(a), [wrap(first)]))


def test_arrays_of_nested_lists_of_stand_ins() -> None:
    def call(a: Any, n: Any) -> Any:
        return NUMPY[np.array]([[a[0, 0], 1, n], a[1]]), NUMPY[np.array]([n, n], dtype="f4"), NUMPY[np.asarray](n) * np.float32(2)

    table, numbers, product = trace_program(call, "f32[2, 3]", "float")(A.astype("f4"), 1.5)
    same(np.array([[A[0, 0], 1, 1.5], A[1]]), table)
    same(np.array([1.5, 1.5], "f4"), numbers)
    same(np.asarray(1.5) * np.float32(2), product)


def test_ragged_lists_of_stand_ins_are_refused() -> None:
    with pytest.raises(ValueError, match="same shape"):
        trace(lambda a: NUMPY[np.array]([a, a[0]]), "f64[2, 3]")


# -- views, copies and aliases ------------------------------------------------------------------------------------------
def _same_array(a: Any) -> Any:
    a.astype(a.dtype, copy=False)[0] = 9.0


def _new_array(a: Any) -> Any:
    a.astype(a.dtype)[0] = 9.0
    a.astype("f4", copy=False)[0] = 9.0
    a.copy()[0] = 9.0
    np.copy(a)[0] = 9.0


def _bits(a: Any) -> Any:
    a.view("u8")[0] = 4607182418800017408  # the bits of 1.0


@pytest.mark.parametrize("call", [_same_array, _new_array, _bits], ids=lambda call: call.__name__)
def test_writes_reach_what_shares_memory(call: Callable[..., Any]) -> None:
    check(call, A)
    check_graph(call, A)


def test_array_that_is_contiguous_already_is_itself() -> None:
    def call(a: Any) -> None:
        NUMPY[np.ascontiguousarray](a)[0] = 9.0
        NUMPY[np.ascontiguousarray](NUMPY[np.transpose](a))[0] = 7.0
        NUMPY[np.asfortranarray](NUMPY[np.transpose](a))[0, 0] = 8.0

    want, got = A.copy(), A.copy()
    np.ascontiguousarray(want)[0] = 9.0
    np.asfortranarray(want.T)[0, 0] = 8.0
    trace_program(call, "f64[2, 3]")(got)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("op", [convert.astype, convert.view_as, convert.ascontiguousarray, convert.asfortranarray], ids=lambda op: op.name)
def test_writing_into_a_view_is_writing_back(op: Any) -> None:
    attrs = {convert.astype: {"dtype": "f8", "copy": False, "device": None}, convert.view_as: {"dtype": "u2"}}.get(op, {})
    base = np.asfortranarray(A) if op is convert.asfortranarray else A.copy()
    before = wrap(base.copy())
    view = op.kernel(base, **attrs)
    assert np.shares_memory(view, base)
    view[...] = new = np.arange(view.size).reshape(view.shape).astype(view.dtype)
    np.testing.assert_array_equal(op.write_back(before, wrap(new), **attrs).numpy(), base)


# -- dtypes -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_promotion_is_numpys(dtype: np.dtype) -> None:
    for other in [*DTYPES, True, 1, 1.0, 1j]:
        want = np.result_type(dtype, other)
        assert convert.result_type(dtype, other) == want
        assert convert.result_type(wrap(np.zeros(2, dtype)), other) == want
        if isinstance(other, np.dtype):
            assert convert.promote_types(dtype, other) == np.promote_types(dtype, other)
            assert convert.can_cast(dtype, other) == np.can_cast(dtype, other)
            assert convert.can_cast(wrap(np.zeros(2, dtype)), other, "same_kind") == np.can_cast(dtype, other, "same_kind")


def test_traced_python_numbers_give_way() -> None:
    found: list[Any] = []
    trace(lambda a, n: found.append(convert.result_type(a, n)), "f32[3]", "float")
    assert found == [np.dtype("f4")]


@pytest.mark.parametrize(
    "ask",
    [
        lambda d: convert.result_type(d),
        lambda d: convert.result_type("f8", d),
        lambda d: convert.can_cast(d, "f8"),
        lambda d: convert.can_cast("f8", d),
        lambda d: convert.promote_types("f8", d),
        lambda d: convert.isdtype(d, "bool"),
        lambda d: convert.finfo(d),
        lambda d: convert.iinfo(d),
        lambda d: convert.astype(A, d),
        lambda d: convert.view_as(A, d),
    ],
)
@pytest.mark.parametrize("dtype", ["U3", "no such dtype", object, np.dtype(">f8"), None, np.array(["a"])], ids=repr)
def test_unsupported_dtypes_are_refused(ask: Callable[[Any], Any], dtype: Any) -> None:
    with pytest.raises(TypeError):
        ask(dtype)


def test_names_of_dtypes_mean_what_they_mean_in_numpy() -> None:
    for name in ("i1", "i8", "u8", "f2", "f8", "c8", "c16", "int8", "uint64", "float", "bool", "?", "d", "=f4"):
        assert as_dtype(name) == np.dtype(name)
    assert Spec.parse("i8[]").dtype == np.int8
    for name in ("f32", "f16", "i64", "c64", ">f8", "O", "S1"):
        with pytest.raises(TypeError, match="wanted a dtype"):
            as_dtype(name)


def test_questions_about_dtypes() -> None:
    assert convert.isdtype(np.float32, ("integral", "real floating"))
    assert not convert.isdtype("int8", "unsigned integer")
    with pytest.raises(ValueError, match="not a known kind"):
        convert.isdtype("int8", "whole")
    with pytest.raises(TypeError, match="Python ints"):
        NUMPY[np.can_cast](1, "i4")
    with pytest.raises(ValueError, match="at least one array or dtype"):
        convert.result_type()
    assert [str(convert.min_scalar_type(v)) for v in (3, -200, 1e10, 1j, np.arange(3.0))] == [
        "uint8",
        "int16",
        "float32",
        "complex64",
        "float64",
    ]
    with pytest.raises(TypeError):
        convert.min_scalar_type(2**70)


def test_limits_of_dtypes() -> None:
    for dtype in ("f2", "f4", "f8", "c8", "c16"):
        ours, want = convert.finfo(dtype), np.finfo(dtype)
        for name in ("bits", "eps", "max", "min", "smallest_normal", "dtype"):
            assert getattr(ours, name) == getattr(want, name)
        assert type(ours.eps) is float
    for dtype in ("i1", "u8", "i8"):
        ours, want = convert.iinfo(wrap(np.zeros(2, dtype))), np.iinfo(dtype)
        assert (ours.bits, ours.max, ours.min, ours.dtype) == (want.bits, want.max, want.min, want.dtype)
    with pytest.raises(ValueError, match="not inexact"):
        convert.finfo("i4")
    with pytest.raises(ValueError, match="Invalid integer"):
        convert.iinfo("f4")
    epsilon: list[Any] = []
    trace(lambda a: epsilon.append(NUMPY[np.finfo](a).eps), "f32[2]")
    assert epsilon == [np.finfo(np.float32).eps]


def test_common_shapes() -> None:
    n = symbol("n")
    assert convert.broadcast_shapes((3, 1), 4, ()) == (3, 4)
    assert convert.broadcast_shapes((n, 1), (4,)) == (n, 4)
    for wrong in [((3,), (2,)), (-1,), ((n, 3), (2,))]:
        with pytest.raises(ValueError, match=r"broadcast|negative"):
            convert.broadcast_shapes(*wrong)


def test_casts_that_lose_the_imaginary_part_warn() -> None:
    with pytest.warns(np.exceptions.ComplexWarning):
        convert.astype(wrap(A * 1j), "f8")


# -- the namespace --------------------------------------------------------------------------------------------------------
def test_inspection() -> None:
    info = NamespaceInfo()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert hybrid.asarray(1.0).dtype == info.default_dtypes()["real floating"]
    assert hybrid.asarray(1).dtype == info.default_dtypes(device="cpu")["integral"]
    assert np.zeros(2).nonzero()[0].dtype == info.default_dtypes()["indexing"]
    assert len(info.dtypes()) == 13 and info.dtypes(kind="bool") == {"bool": np.dtype(bool)}
    assert set(info.dtypes(kind=("signed integer", "unsigned integer"))) == set(info.dtypes(kind="integral"))
    for ask in (lambda: info.dtypes(kind="whole"), lambda: info.dtypes(device="cuda"), lambda: info.default_dtypes(device="cuda")):
        with pytest.raises(ValueError, match=r"wanted .*, received"):
            ask()
