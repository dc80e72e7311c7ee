"""NumPy's products of vectors, matrices and tensors, and einsum, called on tensors as on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.calls import check, check_graph

import hybrid
from hybrid.core.dim import Undecided
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace

RNG = np.random.default_rng(0)
V, W = RNG.normal(size=3), RNG.normal(size=4)
M, N = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4))
S, T = RNG.normal(size=(5, 1, 2, 3)), RNG.normal(size=(4, 3, 2))
Q = RNG.normal(size=(3, 3))
C = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))
SMALL = np.array([[100, 100], [7, -3]], "int8")
E = np.zeros((2, 0))

CALLS: dict[str, tuple[Callable[..., Any], ...]] = {
    "matmul of matrices": (np.matmul, M, N),
    "matmul of vectors": (np.matmul, V, V),
    "matmul of matrix and vector": (np.matmul, M, V),
    "matmul of vector and stack": (np.matmul, V, T),
    "matmul of stacks": (np.matmul, S, T),
    "matmul without elements": (np.matmul, E, E.T),
    "matmul of int8 wraps": (np.matmul, SMALL, SMALL),
    "matmul of bool": (np.matmul, M > 0, N > 0),
    "matmul mixes dtypes": (np.matmul, M.astype("float32"), N),
    "matmul of sizes that don't fit": (np.matmul, M, M),
    "matmul of 0-d": (np.matmul, M, np.float64(2)),
    "matmul of stacks that don't broadcast": (np.matmul, T, np.ones((3, 2, 1))),
    "operator": (lambda a, b: a @ b, M, N),
    "operator with a list": (lambda a: a @ [1.0, 2.0, 3.0], M),
    "operator in place": (lambda a, b: a.__imatmul__(b), Q, Q),
    "linalg.matmul": (np.linalg.matmul, M, N),
    "matmul out": (lambda a, b, o: np.matmul(a, b, out=o), M, N, np.zeros((2, 4))),
    "matvec": (np.matvec, T, np.ones(2)),
    "matvec broadcasts": (np.matvec, M, np.ones((4, 3))),
    "matvec of sizes that don't fit": (np.matvec, M, W),
    "vecmat": (np.vecmat, np.ones(2), M),
    "vecmat conjugates": (np.vecmat, C[0], C),
    "vecdot": (np.vecdot, Q, Q),
    "vecdot conjugates": (np.vecdot, C, C),
    "vecdot along an axis": (lambda a, b: np.vecdot(a, b, axis=0), N, V[:, None]),
    "vecdot keepdims": (lambda a, b: np.vecdot(a, b, axis=0, keepdims=True), np.ones((3, 2, 4)), N[:, None]),
    "vecdot keepdims of other ranks": (lambda a, b: np.vecdot(a, b, axis=-1, keepdims=True), np.ones((2, 5, 4)), W),
    "vecdot without the axis": (lambda a, b: np.vecdot(a, b, axis=1), N, V),
    "linalg.vecdot": (lambda a, b: np.linalg.vecdot(a, b, axis=-2), N, N),
    "dot of vectors": (np.dot, V, V),
    "dot of matrices": (np.dot, M, N),
    "dot of stacks": (np.dot, T.swapaxes(1, 2), T),
    "dot with a number": (lambda a: np.dot(a, 2), M),
    "dot with 0-d": (np.dot, np.float32(2), M),
    "dot, the method": (lambda a, b: a.dot(b), M, N),
    "dot out": (lambda a, b, o: np.dot(a, b, out=o), M, N, np.zeros((2, 4))),
    "dot of sizes that don't fit": (np.dot, M, W),
    "vdot": (np.vdot, C, C),
    "vdot of other shapes": (np.vdot, M, np.arange(6.0)),
    "vdot of other sizes": (np.vdot, V, W),
    "inner of vectors": (np.inner, V, V),
    "inner of matrices": (np.inner, M, Q),
    "inner with 0-d": (np.inner, M, np.float64(3)),
    "inner of sizes that don't fit": (np.inner, V, W),
    "outer": (np.outer, V, W),
    "outer flattens": (np.outer, M, V),
    "outer of int8 wraps": (np.outer, SMALL, SMALL),
    "outer out": (lambda a, b, o: np.outer(a, b, out=o), V, W, np.zeros((3, 4))),
    "linalg.outer": (np.linalg.outer, V, W),
    "linalg.outer of matrices": (np.linalg.outer, M, V),
    "tensordot": (np.tensordot, np.ones((2, 3, 4)), np.ones((3, 4, 5))),
    "tensordot of one axis": (lambda a, b: np.tensordot(a, b, 1), M, N),
    "tensordot of no axis": (lambda a, b: np.tensordot(a, b, axes=0), V, W),
    "tensordot of named axes": (lambda a, b: np.tensordot(a, b, axes=([1, 0], [0, 1])), M, M.T),
    "tensordot of one named axis": (lambda a, b: np.tensordot(a, b, axes=(1, -2)), M, N),
    "tensordot with an axis twice": (lambda a, b: np.tensordot(a, b, axes=([1, 1], [0, 0])), M, N),
    "tensordot of sizes that don't fit": (lambda a, b: np.tensordot(a, b, axes=1), M, M),
    "linalg.tensordot": (lambda a, b: np.linalg.tensordot(a, b, axes=1), M, N),
    "kron": (np.kron, M, N),
    "kron of other ranks": (np.kron, T, V),
    "kron with a number": (lambda a: np.kron(a, 2), M),
    "kron without elements": (np.kron, E, M),
    "cross": (np.cross, V, Q),
    "cross along other axes": (lambda a, b: np.cross(a, b, axisa=0, axisb=1, axisc=0), N, np.ones((4, 3))),
    "cross along an axis": (lambda a, b: np.cross(a, b, axis=0), N, N + 1),
    "cross of two components": (np.cross, np.array([1.0, 2.0]), np.array([3.0, 4.0])),
    "cross of two and three components": (np.cross, np.array([1.0, 2.0]), V),
    "cross of four components": (np.cross, W, W),
    "cross of bool": (np.cross, V > 0, V > 0),
    "cross of unsigned": (np.cross, np.array([1, 2, 3], "uint8"), np.array([3, 2, 1], "uint8")),
    "linalg.cross": (np.linalg.cross, Q, V),
    "linalg.cross along an axis": (lambda a, b: np.linalg.cross(a, b, axis=0), N, N + 1),
    "linalg.cross of two components": (np.linalg.cross, np.ones(2), np.ones(2)),
    "trace": (np.trace, Q),
    "trace off the diagonal": (lambda a: np.trace(a, 1), N),
    "trace of other axes": (lambda a: np.trace(a, offset=-1, axis1=2, axis2=0), T),
    "trace of int8": (np.trace, SMALL),
    "trace with dtype": (lambda a: np.trace(a, dtype="int8"), SMALL),
    "trace, the method": (lambda a: a.trace(axis1=-2, axis2=-1), S),
    "trace of a vector": (np.trace, V),
    "trace of the same axis": (lambda a: np.trace(a, axis1=0, axis2=0), Q),
    "trace out": (lambda a, o: np.trace(a, out=o), T, np.zeros(2)),
    "linalg.trace": (lambda a: np.linalg.trace(a, offset=1), T),
    "linalg.trace with dtype": (lambda a: np.linalg.trace(a, dtype="complex64"), T),
    "linalg.diagonal": (lambda a: np.linalg.diagonal(a, offset=-1), T),
    "linalg.matrix_transpose": (np.linalg.matrix_transpose, T),
    "linalg.multi_dot of two": (lambda a, b: np.linalg.multi_dot([a, b]), M, N),
    "linalg.multi_dot of three": (lambda a, b: np.linalg.multi_dot([a, b, b.T]), M, N),
    "linalg.multi_dot of vectors": (lambda a, b, c: np.linalg.multi_dot((a, b, b.T, c)), V, N, V),
    "linalg.multi_dot of one": (lambda a: np.linalg.multi_dot([a]), M),
    "linalg.multi_dot of sizes that don't fit": (lambda a, b: np.linalg.multi_dot([a, b, b]), M, N),
    "linalg.multi_dot out": (lambda a, b, o: np.linalg.multi_dot([a, b, b.T], out=o), M, N, np.zeros((2, 3))),
}

EINSUMS: dict[str, tuple[Any, ...]] = {
    "product": ("ij,jk->ik", M, N),
    "product with spaces": ("ij, jk -> ik", M, N),
    "implicit output": ("ij,jk", M, N),
    "implicit output is sorted": ("ba,ac", M, N),
    "capitals sort first": ("aB,Bc", M, N),
    "sum": ("ij->", M),
    "sum of an axis": ("ij->j", M),
    "trace": ("ii", Q),
    "diagonal": ("ii->i", Q),
    "transpose": ("ij->ji", M),
    "transpose, implicit": ("ba", M),
    "nothing": ("->", np.float64(3)),
    "outer": ("i,j", V, W),
    "ellipsis": ("...ij,...jk->...ik", S, T),
    "ellipsis, implicit": ("i...,i...", N, N),
    "ellipsis in front of the result": ("ij...->...ij", T),
    "ellipsis summed": ("...->", M),
    "ellipsis that stands for nothing": ("...i,...i->...", V, V),
    "size 1 broadcasts": ("ij,jk->ik", M[:, :1], N),
    "four operands": ("ij,jk,lk,l->i", M, N, N, V),
    "bilinear": ("i,ij,j", V, Q, V),
    "complex": ("ij,ij->j", C, C),
    "int8 wraps": ("ij,jk->ik", SMALL, SMALL),
    "bool": ("ij,jk->ik", M > 0, N > 0),
    "mixed dtypes": ("ij,j->i", M.astype("float32"), np.arange(3)),
    "with a number": ("i,->i", V, 2.5),
    "without elements": ("ij,ij->i", E, E),
    "too many labels": ("ijk->i", M),
    "too few labels": ("i->i", M),
    "another label": ("ij->k", M),
    "a label twice": ("ij->ii", Q),
    "no letter": ("i?->i", M),
    "half an arrow": ("ij-i", M),
    "two dots": ("..ij", M),
    "another number of operands": ("ij,jk->ik", M),
}

SUBLISTS: dict[str, Callable[..., Any]] = {
    "product": lambda a, b: np.einsum(a, [0, 1], b, [1, 2], [0, 2]),
    "implicit output": lambda a, b: np.einsum(a, [2, 1], b, [1, 0]),
    "labels beyond 26": lambda a, b: np.einsum(a, [30, 3], b, [3, 29]),
    "ellipsis": lambda a, b: np.einsum(a, [..., 0], b, [0, ...], [...]),
    "one operand": lambda a, b: np.einsum(a, [0, 1], [1, 0]),
    "no such label": lambda a, b: np.einsum(a, [0, 52], b, [52, 1]),
    "a letter": lambda a, b: np.einsum(a, ["i", 1], b, [1, 2]),
}


@pytest.mark.parametrize("case", CALLS)
def test_products(case: str) -> None:
    call, *arrays = CALLS[case]
    check(call, *arrays)
    check_graph(call, *arrays)


@pytest.mark.parametrize("optimize", [False, True, "greedy", "optimal", ("greedy", 100)], ids=str)
@pytest.mark.parametrize("case", EINSUMS)
def test_einsum(case: str, optimize: Any) -> None:
    subscripts, *arrays = EINSUMS[case]

    def call(*operands: Any) -> Any:
        return np.einsum(subscripts, *operands, optimize=optimize)

    check(call, *arrays)
    check_graph(call, *arrays)


@pytest.mark.parametrize("subscripts, count", [("ij,jk", 2), ("ii->i", 1), ("ii", 1), ("iij->j", 1)])
def test_einsum_of_sizes_that_differ(subscripts: str, count: int) -> None:
    def call(*operands: Any) -> Any:
        return np.einsum(subscripts, *operands)

    arrays = [np.ones((2, 3, 4)[: len(subscripts.split("->")[0].split(",")[0])])] * count
    check(call, *arrays)
    check_graph(call, *arrays)
    with pytest.raises(ValueError, match=r"don't match|could not be broadcast"):
        trace(lambda *operands: np.einsum(subscripts, *operands, optimize=True), *map(spec_of, arrays))


@pytest.mark.parametrize("case", SUBLISTS)
def test_einsum_of_sublists(case: str) -> None:
    check(SUBLISTS[case], M, N)
    check_graph(SUBLISTS[case], M, N)


@pytest.mark.parametrize("public", [True, False], ids=["hybrid", "numpy"])
def test_einsum_options(public: bool) -> None:
    einsum = hybrid.einsum if public else np.einsum
    path = np.einsum_path("ij,jk,kl->il", M, N, N.T)[0]
    for options in ({"optimize": path}, {"dtype": "float32", "casting": "unsafe"}, {"dtype": "complex128"}, {"dtype": "float32"}):

        def call(a: Any, b: Any, options: dict[str, Any] = options) -> Any:
            function = einsum if isinstance(a, hybrid.Tensor) else np.einsum
            return function("ij,jk,kl->il", a, b, b.T, **options)

        check(call, M, N)
        check_graph(lambda a, b, options=options: np.einsum("ij,jk,kl->il", a, b, b.T, **options), M, N)


def test_einsum_out() -> None:
    def call(a: Any, b: Any, out: Any) -> Any:
        return np.einsum("ij,jk->ik", a, b, out=out)

    check(call, M, N, np.zeros((2, 4)))
    check_graph(call, M, N, np.zeros((2, 4)))


@pytest.mark.parametrize(
    "subscripts, shape",
    [("ij->ji", (2, 3)), ("ii->i", (3, 3)), ("...jj->j...", (2, 3, 3)), ("iji->ji", (2, 3, 2)), ("kij->ijk", (2, 3, 4))],
)
def test_einsum_of_one_operand_is_a_view(subscripts: str, shape: tuple[int, ...]) -> None:
    def write(a: Any) -> None:
        view = np.einsum(subscripts, a)
        view[0] = 7
        view *= 2

    check(write, np.arange(float(np.prod(shape))).reshape(shape))
    check_graph(write, np.arange(float(np.prod(shape))).reshape(shape))
    x = hybrid.asarray(np.zeros(shape))
    assert np.shares_memory(hybrid.einsum(subscripts, x).numpy(), x.numpy())


def test_einsum_path() -> None:
    def call(a: Any, b: Any) -> Any:
        return np.einsum_path("ij,jk,kl->il", a, b, b.T, optimize="optimal")

    check(call, M, N)
    path, text = hybrid.einsum_path("ij,jk,kl->il", hybrid.asarray(M), N, N.T)
    assert (path, text) == np.einsum_path("ij,jk,kl->il", M, N, N.T)
    assert hybrid.einsum_path(M, [0, 1], N, [1, 2])[0] == ["einsum_path", (0, 1)]


def test_einsum_wants_an_operand() -> None:
    with pytest.raises(ValueError, match="at least one operand"):
        hybrid.einsum("ij->i")


def test_products_of_lists_and_numbers() -> None:
    assert hybrid.matmul([[1, 2]], [[3], [4]]).tolist() == [[11]]
    assert hybrid.einsum("ij->ji", [[1, 2], [3, 4]]).tolist() == [[1, 3], [2, 4]]
    assert hybrid.linalg.outer([1, 2], [3.5]).tolist() == [[3.5], [7.0]]
    assert hybrid.linalg.cross([1, 0, 0], [0, 1, 0]).tolist() == [0, 0, 1]


def test_nan_and_infinities_go_through() -> None:
    array = np.array([[np.nan, np.inf], [0.0, -np.inf]])
    for call in (np.matmul, np.dot, np.kron, np.outer, lambda a, b: np.einsum("ij,jk->ik", a, b)):
        check(call, array, np.zeros((2, 2)))


@pytest.mark.parametrize(
    "call, specs, want",
    [
        (np.matmul, ["f32[b, 2, n]", "f64[n, k]"], "f64[b, 2, k]"),
        (np.matmul, ["f32[n]", "f32[n]"], "f32[]"),
        (np.matmul, ["f32[n, 3]", "f32[3]"], "f32[n]"),
        (np.outer, ["f64[n, 2]", "f64[m]"], "f64[2*n, m]"),
        (np.kron, ["f64[n, m]", "f64[2]"], "f64[n, 2*m]"),
        (np.tensordot, ["f64[a, n, m]", "f64[n, m, c]"], "f64[a, c]"),
        (lambda a, b: np.einsum("...ij,...jk->...ik", a, b), ["f64[b, n, m]", "f64[1, m, 3]"], "f64[b, n, 3]"),
        (lambda a: np.einsum("...ii->...i", a), ["i8[b, n, n]"], "i8[b, n]"),
        (lambda a: np.linalg.trace(a), ["i8[b, n, m]"], "i64[b]"),
        (lambda a, b: np.cross(a, b), ["f64[n, 3]", "f64[3]"], "f64[n, 3]"),
        (lambda a, b: np.linalg.multi_dot([a, b, a]), ["f64[n, m]", "f64[m, n]"], "f64[n, m]"),
    ],
)
def test_symbolic_sizes(call: Callable[..., Any], specs: list[str], want: str) -> None:
    assert trace(call, *specs).outputs[0].spec == Spec.parse(want)


def test_cross_needs_the_size_of_its_vectors() -> None:
    with pytest.raises(Undecided, match="vectors of 2 or 3"):
        trace(np.cross, "f64[n]", "f64[n]")


def test_messages_tell_what_was_received() -> None:
    with pytest.raises(ValueError, match=r"hybrid.matmul, received \(x1: float64\[2, 3\], x2: float64\[2, 3\]\)"):
        hybrid.matmul(hybrid.asarray(M), hybrid.asarray(M))
