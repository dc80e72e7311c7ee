"""NumPy's element-wise functions, called on tensors as on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.dtypes import DTYPES
from hybrid.core.interpreter import interpreting
from hybrid.core.table import NUMPY, OPS
from hybrid.errors import UnsupportedError
from hybrid.ir.trace import trace

UFUNCS = sorted({f for f in vars(np).values() if isinstance(f, np.ufunc) and f is not np.isnat}, key=lambda f: f.__name__)
UNARY = [f for f in UFUNCS if f.nin == 1]
ALIASES = {np.degrees, np.radians}
BINARY = [f for f in UFUNCS if f.nin == 2 and f.signature is None]

F = np.array([[0.25, -1.5, 2.0], [np.inf, np.nan, -0.0]])
G = np.array([[3.0, -0.5, 2.0], [1.0, 2.0, 0.0]])
I8 = np.array([[1, 2, 3], [-4, 0, 7]], "int8")
U8 = np.array([1, 2, 200], "uint8")
B = np.array([True, False, True])
C = np.array([[1 + 2j, -0.5j, 3.0], [0.25, -2 - 1j, 1j]])
ARRAYS = {"float64": F, "float16": G.astype("float16"), "float32": G.astype("float32"), "int8": I8, "uint8": U8, "bool": B, "complex": C}
SCALARS = {"0-d": np.array(1.5), "0-d int": np.array(2), "empty": np.ones((0, 3))}


def name(value: Any) -> str:
    return getattr(value, "__name__", str(value))


def check_both(call: Callable[..., Any], *arrays: Any) -> None:
    check(call, *arrays)
    check_graph(call, *arrays)


# -- all ufuncs -----------------------------------------------------------------------------------------------------
def test_every_ufunc_leads_to_an_operation() -> None:
    assert [f.__name__ for f in UFUNCS if f not in NUMPY] == []


@pytest.mark.parametrize("dtype", [*ARRAYS, *SCALARS])
@pytest.mark.parametrize("ufunc", UNARY, ids=name)
def test_ufunc_of_one(ufunc: np.ufunc, dtype: str) -> None:
    if ufunc in ALIASES and dtype == "complex":
        pytest.skip("the refusal names the ufunc of the same meaning")
    check_both(lambda x: ufunc(x), (ARRAYS | SCALARS)[dtype])


PAIRS = {
    "same": (G, G + 1),
    "broadcast": (G[:, :1], G[0]),
    "promoted": (I8, np.array([1, 2, 3], "uint16")),
    "int and float": (I8, np.array([1.5, 2, 0], "float32")),
    "complex": (C, G),
    "bool": (B, B[::-1]),
    "empty": (np.ones((0, 3)), np.ones(3)),
    "0-d": (np.array(2.0), np.array(3.0)),
    "don't broadcast": (np.ones((2, 3)), np.ones(4)),
}


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("ufunc", BINARY, ids=name)
def test_ufunc_of_two(ufunc: np.ufunc, pair: str) -> None:
    x, y = PAIRS[pair]
    x = np.abs(x) if ufunc is np.power and x.dtype.kind == "i" else x
    check_both(lambda x, y: ufunc(x, y), x, y)


@pytest.mark.parametrize("number", [2, 2.5, True, 1j], ids=str)
@pytest.mark.parametrize("ufunc", BINARY, ids=name)
def test_ufunc_with_a_number(ufunc: np.ufunc, number: complex) -> None:
    for array in (G.astype("float32"), np.array([1, 2, 3], "uint8")):
        check_both(lambda x: ufunc(x, number), array)
        check_both(lambda x: ufunc(number, x), array)


@pytest.mark.parametrize("number", [300, -1, 1e300], ids=str)
@pytest.mark.parametrize("ufunc", [np.add, np.maximum, np.less, np.equal, np.bitwise_and], ids=name)
def test_number_beyond_the_dtype(ufunc: np.ufunc, number: float) -> None:
    check(lambda x: ufunc(x, number), U8)
    check(lambda x: ufunc(x, number), U8.astype("float16"))


@pytest.mark.parametrize("ufunc", [f for f in UNARY if f.nout == 1], ids=name)
def test_keywords_of_ufuncs_of_one(ufunc: np.ufunc) -> None:
    x = I8 if ufunc in (np.invert, np.bitwise_count) else G
    out, mask = np.ones((2, 3), x.dtype), np.array([True, False, True])
    check_both(lambda x, out: ufunc(x, out=out), x, out)
    check_both(lambda x, out: ufunc(x, out), x, out)
    check_both(lambda x, out, mask: ufunc(x, out=out, where=mask), x, out, mask)
    check_both(lambda x: ufunc(x, x), x)
    check_both(lambda x: ufunc(x, dtype="float32"), x)
    check_both(lambda x: ufunc(x, casting="safe", order="F", subok=False), x)


@pytest.mark.parametrize("ufunc", BINARY, ids=name)
def test_keywords_of_ufuncs_of_two(ufunc: np.ufunc) -> None:
    x, y = (I8.astype("int16"), np.array([1, 2, 3], "int16")) if is_for_integers(ufunc) else (G + 1, G[0] + 1)
    y = np.array([1, 2, 3]) if ufunc is np.ldexp else y
    out, mask = (np.ones((2, 3), x.dtype), np.array([[True], [False]]))
    if ufunc.nout == 2:
        check_both(lambda x, y, p, q: ufunc(x, y, out=(p, q)), x, y, out, out)
        check_both(lambda x, y, p: ufunc(x, y, out=(p, None)), x, y, out)
        check_both(lambda x, y, p, q, mask: ufunc(x, y, p, q, where=mask), x, y, out, out, mask)
        return
    check_both(lambda x, y, out: ufunc(x, y, out=out), x, y, out)
    check_both(lambda x, y, out: ufunc(x, y, out=(out,)), x, y, out)
    check_both(lambda x, y, out, mask: ufunc(x, y, out=out, where=mask), x, y, out, mask)
    check_both(lambda x, y: ufunc(x, y, out=x), x, y)
    check_both(lambda x, y: ufunc(x[:, 1:], y[1:], out=x[:, :-1]), x, y)
    check_both(lambda x, y: ufunc(x, y, dtype="float32"), x, y)
    check_both(lambda x, y, out: ufunc(x, y, out=out, casting="unsafe"), x, y, out.astype("int16"))


def is_for_integers(ufunc: np.ufunc) -> bool:
    return all(set(types[:2]) <= set("?bBhHiIlLqQO") for types in ufunc.types if "O" not in types)


KEYWORDS: dict[str, tuple[Any, ...]] = {
    "dtype for Python numbers": (lambda x: np.add(x, 2, dtype="float64"), G.astype("float32")),
    "dtype that isn't there": (lambda x: np.bitwise_and(x, 2, dtype="float64"), I8),
    "dtype by casting a number": (lambda x: np.add(x, 300, dtype="int8"), np.array([1, 2])),
    "signature": (lambda x: np.add(x, x, signature="ff->f"), I8),
    "signature as a tuple": (lambda x: np.add(x, 1, signature=("d", "d", "d")), I8),
    "unsafe": (lambda x: np.add(x, 1.5, dtype="int16", casting="unsafe"), G),
    "casting no": (lambda x: np.add(x, 1.5, casting="no"), I8),
    "casting of out": (lambda x, out: np.add(x, 1.5, out=out), G, I8),
    "casting of out, safe": (lambda x, out: np.add(x, 1.5, out=out, casting="safe"), G, G.astype("float32")),
    "larger out": (lambda x, out: np.add(x, 1, out=out), G[0], G),
    "smaller out": (lambda x, out: np.add(x, 1, out=out), G, G[0]),
    "out with fewer axes": (lambda x, out: np.add(x, 1, out=out), G[:1], G[0]),
    "mask of a larger shape": (lambda x, out, m: np.add(x, 1, out=out, where=m), G[0], G, np.array([[True], [False]])),
    "mask that isn't boolean": (lambda x, out: np.add(x, 1, out=out, where=x), G, G),
    "mask in a list": (lambda x, out: np.add(x, 1, out=out, where=[True, False, True]), G, G),
    "where=True": (lambda x: np.add(x, 1, where=True), G),
    "two outs": (lambda x, out: np.add(x, 1, out, out=out), G, G),
    "unknown keyword": (lambda x: np.add(x, 1, foo=2), G),
    "float32 into float64": (lambda x, out: np.add(x, x, out=out), G.astype("float32"), G),
    "integers into float32": (lambda x, out, m: np.add(x, x, out=out, where=m), np.array([2**53 + 1]), np.ones(1, "f4"), np.array([True])),
}  # fmt: skip


@pytest.mark.parametrize("case", KEYWORDS)
def test_keywords(case: str) -> None:
    call, *arrays = KEYWORDS[case]
    check_both(call, *arrays)


def test_a_mask_without_out_is_refused_in_graphs() -> None:
    with pytest.raises(UnsupportedError, match=r"where= without out= .*undefined"):
        trace(lambda x, m: np.sqrt(x, where=m), "f64[3]", "bool[3]")


# -- methods of ufuncs ----------------------------------------------------------------------------------------------
METHODS: dict[str, Callable[[np.ufunc], Callable[..., Any]]] = {
    "reduce": lambda f: lambda x: f.reduce(x),
    "reduce all": lambda f: lambda x: f.reduce(x, axis=None),
    "reduce two axes": lambda f: lambda x: f.reduce(x, (0, 1), keepdims=True),
    "reduce with dtype": lambda f: lambda x: f.reduce(x, 1, "float32"),
    "reduce, no such axis": lambda f: lambda x: f.reduce(x, axis=2),
    "accumulate": lambda f: lambda x: f.accumulate(x, axis=1),
    "accumulate with dtype": lambda f: lambda x: f.accumulate(x, dtype="float64"),
    "reduceat": lambda f: lambda x: f.reduceat(x, [0, 2, 1], axis=-1),
    "outer": lambda f: lambda x: f.outer(x[0], x),
    "outer with a number": lambda f: lambda x: f.outer(x, 2),
    "at": lambda f: lambda x: f.at(x, (slice(None), [0, 0]), x[:, :1]),
    "at a mask": lambda f: lambda x: f.at(x, x > 1, 2),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ufunc", BINARY, ids=name)
def test_method(ufunc: np.ufunc, method: str) -> None:
    for array in (G + 0.5, np.array([[1, 2, 3], [3, 1, 2]], "int16")):
        check_both(METHODS[method](ufunc), array)


METHOD_CALLS: dict[str, tuple[Any, ...]] = {
    "sum into out": (lambda x, out: np.add.reduce(x, out=out), G.astype("float32"), np.zeros(3)),
    "reduce into out": (lambda x, out: np.hypot.reduce(x, out=out), G.astype("float32"), np.zeros(3)),
    "out of another kind": (lambda x, out: np.hypot.reduce(x, out=out), G, np.zeros(3, "int64")),
    "initial": (lambda x: np.hypot.reduce(x, axis=1, initial=10), G),
    "initial sum": (lambda x: np.add.reduce(x, axis=None, initial=10.5), G),
    "mask": (lambda x, m: np.add.reduce(x, axis=1, where=m), G, np.array([True, False, True])),
    "mask, no identity": (lambda x, m: np.fmax.reduce(x, axis=1, where=m), G, np.array([True, False, True])),
    "mask, initial": (lambda x, m: np.fmax.reduce(x, axis=1, where=m, initial=0), G, np.array([True, False, True])),
    "no elements": (lambda x: np.fmax.reduce(x), np.ones((0, 3))),
    "no elements, identity": (lambda x: np.logaddexp.reduce(x), np.ones((0, 3))),
    "no elements, all": (lambda x: np.logical_and.reduce(x), np.ones((0, 3))),
    "no axes": (lambda x: np.maximum.reduce(x), np.array(3.0)),
    "one axis in a tuple": (lambda x: np.logical_or.reduce(x, (1,)), G),
    "accumulate into out": (lambda x, out: np.multiply.accumulate(x, out=out), G.astype("float32"), np.zeros((2, 3))),
    "accumulate a number": (lambda x: np.add.accumulate(x), np.array(3.0)),
    "accumulate all axes": (lambda x: np.add.accumulate(x, axis=None), G),
    "reduceat out of bounds": (lambda x: np.add.reduceat(x, [0, 7]), G),
    "reduceat at an array": (lambda x, i: np.add.reduceat(x, i, dtype="float32"), G, np.array([1, 0])),
    "reduceat at floats": (lambda x, i: np.add.reduceat(x, i), G, np.array([1.0, 0])),
    "reduceat into out": (lambda x, out: np.maximum.reduceat(x, [0], out=out), G, np.zeros((1, 3))),
    "outer into out": (lambda x, out: np.subtract.outer(x, x, out=out), G[0], np.zeros((3, 3))),
    "outer of pairs": (lambda x: np.divmod.outer(x, x), np.array([3, 4])),
    "outer of one": (lambda x: np.sqrt.outer(x, x), G),
    "at, one element": (lambda x: np.add.at(x, (1, 2), 5), G),
    "at, negative": (lambda x: np.negative.at(x, [0, 0, 1]), G),
    "at, repeated": (lambda x, i, v: np.add.at(x, i, v), np.zeros(4), np.array([1, 1, 3]), np.array([1.0, 2.0, 4.0])),
    "at, two arrays": (lambda x, i, j: np.maximum.at(x, (i, j), 9), G, np.array([0, 0]), np.array([1, 1])),
    "at, out of bounds": (lambda x: np.add.at(x, [0, 9], 1), np.zeros(3)),
    "at, too many values": (lambda x: np.add.at(x, [0, 1], [1, 2, 3]), np.zeros(3)),
    "at, fractions into integers": (lambda x: np.add.at(x, [0, 0], 1.5), np.zeros(3, "int16")),
    "at, too few operands": (lambda x: np.add.at(x, [0]), np.zeros(3)),
    "at, too many operands": (lambda x: np.sqrt.at(x, [0], 1), np.zeros(3)),
    "at, two results": (lambda x: np.divmod.at(x, [0], 1), np.zeros(3)),
    "at, through a view": (lambda x: np.add.at(x[1], [0, 0], 1), G),
}


@pytest.mark.parametrize("case", METHOD_CALLS)
def test_call_of_method(case: str) -> None:
    call, *arrays = METHOD_CALLS[case]
    check_both(call, *arrays)


def test_ufunc_of_somebody_else_has_no_methods_in_graphs() -> None:
    mine = np.frompyfunc(lambda x, y: x, 2, 1)
    with pytest.raises(TypeError, match="NumPy's ufuncs"):
        trace(lambda x: mine.reduce(x), "f64[3]")


# -- other functions ------------------------------------------------------------------------------------------------
SPECIAL_VALUES = np.array([np.nan, np.inf, -np.inf, 1.5, -0.0])
CALLS: dict[str, tuple[Any, ...]] = {
    "fix": (lambda x: np.fix(x), F),
    "fix out": (lambda x, out: np.fix(x, out=out), G, np.zeros((2, 3))),
    "round": (lambda x: np.round(x), F),
    "round decimals": (lambda x: np.round(x, 1), F),
    "round tens": (lambda x: np.round(x, decimals=-1), np.array([15, 25, -37])),
    "round complex": (lambda x: np.round(x, 0), C * 1.3),
    "round bool": (lambda x: np.round(x), B),
    "around": (lambda x, out: np.around(x, 1, out), F, np.zeros((2, 3))),
    "method round": (lambda x: x.round(1), F),
    "sinc": (lambda x: np.sinc(x), F),
    "sinc int": (lambda x: np.sinc(x), I8),
    "i0": (lambda x: np.i0(x), G * 5),
    "i0 complex": (lambda x: np.i0(x), C),
    "unwrap": (lambda x: np.unwrap(x), np.array([0.0, 3.0, 6.5, 0.5, 1.0])),
    "unwrap axis": (lambda x: np.unwrap(x, axis=0), G * 5),
    "unwrap discont": (lambda x: np.unwrap(x, 4.0, period=6.0), G * 5),
    "unwrap integers": (lambda x: np.unwrap(x, period=4), np.array([0, 3, 1, 2])),
    "unwrap 0-d": (lambda x: np.unwrap(x), np.array(1.0)),
    "angle": (lambda z: np.angle(z), C),
    "angle real": (lambda z: np.angle(z, deg=True), F),
    "angle int": (lambda z: np.angle(z, True), I8),
    "real": (lambda z: np.real(z), C),
    "imag": (lambda z: np.imag(z), C),
    "real of real": (lambda z: np.real(z), G),
    "imag of real": (lambda z: np.imag(z), I8),
    "attributes": (lambda z: (z.real, z.imag), C),
    "isreal": (lambda z: np.isreal(z), C),
    "iscomplex": (lambda z: np.iscomplex(z), C),
    "iscomplex real": (lambda z: np.iscomplex(z), G),
    "real_if_close real": (lambda z: np.real_if_close(z, tol=10), G),
    "isposinf": (lambda x: np.isposinf(x), SPECIAL_VALUES),
    "isneginf": (lambda x: np.isneginf(x), SPECIAL_VALUES),
    "isneginf out": (lambda x, out: np.isneginf(x, out=out), SPECIAL_VALUES, np.zeros(5, bool)),
    "isposinf complex": (lambda x: np.isposinf(x), C),
    "nan_to_num": (lambda x: np.nan_to_num(x), SPECIAL_VALUES),
    "nan_to_num numbers": (lambda x: np.nan_to_num(x, nan=1, posinf=2.5, neginf=-3), SPECIAL_VALUES),
    "nan_to_num in place": (lambda x: np.nan_to_num(x, copy=False, posinf=1.0), SPECIAL_VALUES),
    "nan_to_num in a view": (lambda x: np.nan_to_num(x[1:], copy=False), SPECIAL_VALUES),
    "nan_to_num array": (lambda x, y: np.nan_to_num(x, nan=y), SPECIAL_VALUES, np.arange(5.0)),
    "nan_to_num complex": (lambda x: np.nan_to_num(x, nan=7), np.array([complex(np.nan, np.inf), 1j])),
    "nan_to_num int": (lambda x: np.nan_to_num(x), I8),
    "nan_to_num float16": (lambda x: np.nan_to_num(x), SPECIAL_VALUES.astype("float16")),
    "nan_to_num too large": (lambda x, y: np.nan_to_num(x, nan=y), SPECIAL_VALUES, np.ones((2, 5))),
    "isclose": (lambda x, y: np.isclose(x, y), G, G * (1 + 1e-6)),
    "isclose tolerances": (lambda x, y: np.isclose(x, y, 1e-3, atol=0), G, G * (1 + 1e-4)),
    "isclose nan": (lambda x: np.isclose(x, x, equal_nan=True), F),
    "isclose int": (lambda x: np.isclose(x, 2), I8),
    "allclose": (lambda x, y: np.allclose(x, y), G, G * (1 + 1e-6)),
    "allclose nan": (lambda x: np.allclose(x, x), F),
    "allclose shapes": (lambda x, y: np.allclose(x, y), np.ones(3), np.ones(4)),
    "array_equal": (lambda x, y: np.array_equal(x, y), G, G + 0),
    "array_equal nan": (lambda x: np.array_equal(x, x + 0, equal_nan=True), F),
    "array_equal shapes": (lambda x, y: np.array_equal(x, y), np.ones(3), np.ones((1, 3))),
    "array_equiv": (lambda x, y: np.array_equiv(x, y), np.ones(3), np.ones((2, 3))),
    "array_equiv shapes": (lambda x, y: np.array_equiv(x, y), np.ones(3), np.ones(4)),
    "packbits": (lambda x: np.packbits(x), np.arange(12).reshape(2, 6) % 3),
    "packbits axis": (lambda x: np.packbits(x, axis=-1, bitorder="little"), np.arange(12).reshape(2, 6) % 3),
    "packbits floats": (lambda x: np.packbits(x), G),
    "packbits order": (lambda x: np.packbits(x, bitorder="up"), B),
    "unpackbits": (lambda x: np.unpackbits(x), U8),
    "unpackbits axis": (lambda x: np.unpackbits(x.reshape(3, 1), axis=1, count=-2, bitorder="little"), U8),
    "unpackbits count": (lambda x: np.unpackbits(x, count=30), U8),
    "unpackbits too few": (lambda x: np.unpackbits(x, count=-30), U8),
    "unpackbits int8": (lambda x: np.unpackbits(x), I8),
    "clip": (lambda x: np.clip(x, -1, 1.5), F),
    "clip names": (lambda x: np.clip(x, a_min=0, a_max=1), F),
    "clip new names": (lambda x: np.clip(x, min=0, max=1), F),
    "clip one name": (lambda x: np.clip(x, max=1), F),
    "clip nothing": (lambda x: np.clip(x), F),
    "clip None": (lambda x: np.clip(x, None, 1), F),
    "clip None None": (lambda x: np.clip(x, None, None), I8),
    "clip bool": (lambda x: np.clip(x, None, None), B),
    "clip missing": (lambda x: np.clip(x, 1), F),
    "clip missing min": (lambda x: np.clip(x, a_max=1), F),
    "clip both names": (lambda x: np.clip(x, 0, 1, max=2), F),
    "clip arrays": (lambda x, low, high: np.clip(x, low, high), G, np.array([[0.0], [1.0]]), np.array([1, 2, 3])),
    "clip out": (lambda x, out: np.clip(x, 0, 1, out=out), G, np.zeros((2, 3))),
    "clip out in place": (lambda x: np.clip(x, 0, 1, x), G),
    "clip out of another kind": (lambda x, out: np.clip(x, 0, 1, out=out), G, np.zeros((2, 3), "int64")),
    "clip beyond": (lambda x: np.clip(x, -5, 300), U8),
    "clip beyond low": (lambda x: np.clip(x, 300, None), U8),
    "clip promoted": (lambda x: np.clip(x, 0.5, None), I8),
    "clip reversed": (lambda x: np.clip(x, 2, 1), F),
    "method clip": (lambda x: x.clip(0, 1), F),
    "method clip min": (lambda x: x.clip(min=0), F),
    "method conj": (lambda z: (z.conj(), z.conjugate()), C),
}


@pytest.mark.parametrize("case", CALLS)
def test_call(case: str) -> None:
    call, *arrays = CALLS[case]
    check_both(call, *arrays)


# -- views ----------------------------------------------------------------------------------------------------------
def real_set(z: Any) -> Any:
    z.real[0] = 9
    z.real *= 2
    return z


def imag_set(z: Any) -> Any:
    z.imag = np.inf
    return z


def real_of_real_set(x: Any) -> Any:
    part = np.real(x)
    part[0] = 5
    return x, part


def imag_of_real_set(x: Any) -> Any:
    x.imag[0] = 5
    return x


@pytest.mark.parametrize("call", [real_set, imag_set], ids=name)
def test_parts_are_views(call: Callable[..., Any]) -> None:
    for array in (C, C.astype("complex64"), np.array([complex(np.nan, 1), complex(0.0, -0.0)])):
        check_both(call, array)


def test_parts_of_real_arrays() -> None:
    check_both(real_of_real_set, G)
    check_both(imag_of_real_set, G)
    assert np.shares_memory(hybrid.asarray(G).real.numpy(), G)


# -- what NumPy doesn't have ----------------------------------------------------------------------------------------
def test_complex_keeps_each_part() -> None:
    parts = np.array([np.inf, -0.0, np.nan, 1.0])
    made = OPS["complex"](parts, parts[::-1]).numpy()
    np.testing.assert_array_equal(made.real, parts)
    np.testing.assert_array_equal(np.signbit(made.imag), np.signbit(parts[::-1]))
    assert OPS["complex"](np.float32(1), 2).dtype == np.complex64
    with pytest.raises(TypeError, match="real numbers"):
        OPS["complex"](1j, 0.0)


def test_real_if_close_looks_at_values() -> None:
    near, far = np.array([1 + 1e-15j, 2.0]), np.array([1 + 1e-3j, 2.0])
    check(lambda z: np.real_if_close(z), near)
    check(lambda z: np.real_if_close(z), far)
    check(lambda z: np.real_if_close(z, tol=0.1), far)
    from_table = OPS["real"](near)
    np.testing.assert_array_equal(hybrid.ops.complex_numbers.real_if_close(near).numpy(), from_table.numpy())
    with pytest.raises(TypeError, match="aren't known while tracing"):
        trace(lambda z: np.real_if_close(z), "c128[2]")


def test_comparison_of_integers_is_exact() -> None:
    big, minus = hybrid.asarray(np.array([2**64 - 1], "uint64")), hybrid.asarray(np.array([-1]))
    assert not (big == minus).numpy()[0]
    assert (big > minus).numpy()[0]


def test_signed_zeros() -> None:
    zeros = hybrid.asarray(np.array([-0.0, 0.0]))
    assert np.signbit(np.negative(zeros).numpy()).tolist() == [False, True]
    assert np.signbit(np.abs(zeros).numpy()).tolist() == [False, False]
    assert np.signbit(np.sign(zeros).numpy()).tolist() == [False, False]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_python_numbers_don_t_widen(dtype: np.dtype) -> None:
    x = np.ones(2, dtype)
    check_both(lambda x: x * 2, x)
    check_both(lambda x: np.minimum(x, 1.5), x)


def test_results_inside_an_interpreter_are_what_they_are_outside() -> None:
    class Eagerly:
        """Runs kernels at once: calls in NumPy's form reach operations through the table."""

        def bind(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            with interpreting(None):
                return op(*args, **kwargs)

    for call in (lambda t: np.add.outer(t, t), lambda t: np.multiply.reduce(t), lambda t: np.modf(t), lambda t: np.allclose(t, t)):
        want = call(hybrid.asarray(G[1]))
        with interpreting(Eagerly()):
            got = call(hybrid.asarray(G[1]))
        np.testing.assert_equal(np.asarray(got), np.asarray(want))
