"""numpy.linalg called on tensors as on arrays, what SciPy adds to it, and the identities that define the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from ops.calls import check, check_graph

import hybrid
import hybrid.linalg as linalg
from hybrid.core.dtypes import DTYPES
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY
from hybrid.ir.trace import trace, trace_program

RNG = np.random.default_rng(1)
SQUARE = RNG.normal(size=(3, 3)) + 3 * np.eye(3)
STACK = RNG.normal(size=(2, 4, 3, 3)) + 3 * np.eye(3)
TALL, WIDE = RNG.normal(size=(4, 2)), RNG.normal(size=(2, 4))
COMPLEX = SQUARE + 1j * RNG.normal(size=(3, 3))
POSITIVE = SQUARE @ SQUARE.T
HERMITIAN = COMPLEX @ COMPLEX.conj().T
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
V = RNG.normal(size=3)
EMPTY, NONE = np.zeros((0, 0)), np.zeros((0, 3, 3))
BAD = np.array([[np.nan, 1.0], [1.0, 1.0]])
INFINITY = float("inf")

MATRICES = {
    "square": SQUARE, "stack": STACK, "tall": TALL, "wide": WIDE, "complex": COMPLEX, "float32": SQUARE.astype("float32"),
    "complex64": COMPLEX.astype("complex64"), "int": np.array([[2, 1], [1, 3]]), "int8": np.array([[2, 1], [1, 3]], "int8"),
    "bool": np.eye(2, dtype=bool), "float16": SQUARE.astype("float16"), "1x1": np.array([[4.0]]), "empty": EMPTY, "no matrices": NONE,
    "no rows": np.zeros((0, 3)), "vector": V, "0-d": np.float64(2), "singular": SINGULAR, "nan": BAD,
    "Fortran order": np.asfortranarray(SQUARE),
}  # fmt: skip

OF_ONE: dict[str, Callable[..., Any]] = {
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "slogdet": np.linalg.slogdet,
    "pinv": np.linalg.pinv,
    "pinv rcond": lambda a: np.linalg.pinv(a, 0.3),
    "pinv rtol": lambda a: np.linalg.pinv(a, rtol=0.3),
    "pinv hermitian": lambda a: np.linalg.pinv(a, hermitian=True),
    "pinv twice": lambda a: np.linalg.pinv(a, 0.1, rtol=0.1),
    "matrix_power": lambda a: np.linalg.matrix_power(a, 5),
    "matrix_power 0": lambda a: np.linalg.matrix_power(a, 0),
    "matrix_power -2": lambda a: np.linalg.matrix_power(a, n=-2),
    "qr": np.linalg.qr,
    "qr complete": lambda a: np.linalg.qr(a, "complete"),
    "qr r": lambda a: np.linalg.qr(a, mode="r"),
    "qr raw": lambda a: np.linalg.qr(a, mode="raw"),
    "svd": np.linalg.svd,
    "svd reduced": lambda a: np.linalg.svd(a, full_matrices=False),
    "svd values": lambda a: np.linalg.svd(a, compute_uv=False),
    "svd hermitian": lambda a: np.linalg.svd(a, False, True, True),
    "svd values hermitian": lambda a: np.linalg.svd(a, compute_uv=False, hermitian=True),
    "svdvals": np.linalg.svdvals,
    "eigh": np.linalg.eigh,
    "eigh upper": lambda a: np.linalg.eigh(a, UPLO="U"),
    "eigh u": lambda a: np.linalg.eigh(a, "u"),
    "eigh X": lambda a: np.linalg.eigh(a, "X"),
    "eigvalsh": np.linalg.eigvalsh,
    "eigvalsh upper": lambda a: np.linalg.eigvalsh(a, "U"),
    "cond": np.linalg.cond,
    "cond -2": lambda a: np.linalg.cond(a, -2),
    "cond fro": lambda a: np.linalg.cond(a, p="fro"),
    "cond inf": lambda a: np.linalg.cond(a, INFINITY),
    "matrix_rank": np.linalg.matrix_rank,
    "matrix_rank tol": lambda a: np.linalg.matrix_rank(a, 0.9),
    "matrix_rank rtol": lambda a: np.linalg.matrix_rank(a, rtol=0.5),
    "matrix_rank hermitian": lambda a: np.linalg.matrix_rank(a, hermitian=True),
    "matrix_rank twice": lambda a: np.linalg.matrix_rank(a, 0.1, rtol=0.1),
    "norm": np.linalg.norm,
    "norm keepdims": lambda a: np.linalg.norm(a, keepdims=True),
    "matrix_norm": np.linalg.matrix_norm,
    "vector_norm": np.linalg.vector_norm,
    "vector_norm axes": lambda a: np.linalg.vector_norm(a, axis=(-1, 0), keepdims=True, ord=3),
    "vector_norm axis": lambda a: np.linalg.vector_norm(a, axis=-1, ord=-INFINITY),
    "trace": np.linalg.trace,
    "diagonal": np.linalg.diagonal,
    "matrix_transpose": np.linalg.matrix_transpose,
}
NORMS = [None, "fro", "nuc", "f", 0, 1, -1, 2, -2, 3, 0.5, INFINITY, -INFINITY, "no"]
AXES = [None, 0, -1, (0,), (0, 1), (-1, 0), (0, 0), 5, "x"]

OF_TWO: dict[str, tuple[Any, ...]] = {
    "solve": (np.linalg.solve, SQUARE, V),
    "solve with a matrix": (np.linalg.solve, SQUARE, TALL[:3]),
    "solve of stacks": (np.linalg.solve, STACK, np.ones((4, 3, 2))),
    "solve of a stack with a vector": (np.linalg.solve, STACK, V),
    "solve of int": (np.linalg.solve, np.array([[2, 1], [1, 3]]), np.array([1, 2])),
    "solve mixes dtypes": (np.linalg.solve, SQUARE.astype("float32"), V * 1j),
    "solve of float32": (np.linalg.solve, SQUARE.astype("float32"), V.astype("float32")),
    "solve of float16": (np.linalg.solve, SQUARE.astype("float16"), V),
    "solve without unknowns": (np.linalg.solve, EMPTY, np.zeros(0)),
    "solve without right-hand sides": (np.linalg.solve, SQUARE, np.zeros((3, 0))),
    "solve of sizes that don't fit": (np.linalg.solve, SQUARE, np.ones(4)),
    "solve of a tall matrix": (np.linalg.solve, TALL, np.ones(4)),
    "solve with a number": (lambda a: np.linalg.solve(a, 2.0), SQUARE),
    "lstsq": (np.linalg.lstsq, TALL, np.ones(4)),
    "lstsq with a matrix": (np.linalg.lstsq, TALL, np.ones((4, 3))),
    "lstsq of a wide matrix": (np.linalg.lstsq, WIDE, np.ones(2)),
    "lstsq of a singular matrix": (np.linalg.lstsq, SINGULAR, np.ones(2)),
    "lstsq rcond": (lambda a, b: np.linalg.lstsq(a, b, rcond=0.5), TALL, np.ones(4)),
    "lstsq of float32": (np.linalg.lstsq, TALL.astype("float32"), np.ones(4, "float32")),
    "lstsq of int": (np.linalg.lstsq, np.array([[1], [2]]), np.array([1, 2])),
    "lstsq without rows": (np.linalg.lstsq, np.zeros((0, 2)), np.zeros(0)),
    "lstsq without right-hand sides": (np.linalg.lstsq, TALL, np.zeros((4, 0))),
    "lstsq of sizes that don't fit": (np.linalg.lstsq, TALL, V),
    "lstsq of a stack": (np.linalg.lstsq, STACK, V),
    "matrix_power with a fraction": (lambda a: np.linalg.matrix_power(a, 1.5), SQUARE),
    "tensorsolve": (np.linalg.tensorsolve, RNG.normal(size=(2, 3, 6)), np.ones((2, 3))),
    "tensorsolve axes": (lambda a, b: np.linalg.tensorsolve(a, b, axes=(0, 2)), RNG.normal(size=(2, 6, 3)), np.ones(6)),
    "tensorsolve of sizes that don't fit": (np.linalg.tensorsolve, np.ones((2, 3, 5)), np.ones((2, 3))),
    "tensorinv": (lambda a: np.linalg.tensorinv(a), RNG.normal(size=(2, 3, 6))),
    "tensorinv ind": (lambda a: np.linalg.tensorinv(a, ind=1), RNG.normal(size=(6, 2, 3))),
    "tensorinv ind 0": (lambda a: np.linalg.tensorinv(a, 0), np.ones((6, 2, 3))),
    "cholesky": (np.linalg.cholesky, POSITIVE),
    "cholesky upper": (lambda a: np.linalg.cholesky(a, upper=True), HERMITIAN),
    "cholesky of a stack": (np.linalg.cholesky, np.stack([POSITIVE, 2 * POSITIVE])),
    "cholesky of float32": (np.linalg.cholesky, POSITIVE.astype("float32")),
    "cholesky of int": (np.linalg.cholesky, np.array([[2, 1], [1, 3]])),
    "cholesky of float16": (np.linalg.cholesky, POSITIVE.astype("float16")),
    "cholesky of a tall matrix": (np.linalg.cholesky, TALL),
    "pinv rtol for each": (lambda a, t: np.linalg.pinv(a, rtol=t), STACK, np.full((2, 4), 0.5)),
    "pinv rtol of another shape": (lambda a, t: np.linalg.pinv(a, rtol=t), STACK, np.full((3, 4), 0.5)),
    "matrix_rank tol for each": (lambda a, t: np.linalg.matrix_rank(a, t), STACK, np.full((2, 4), 1.5)),
    "eig of complex": (np.linalg.eig, COMPLEX),
    "eigvals of complex": (np.linalg.eigvals, COMPLEX),
    "eig of a complex stack": (np.linalg.eig, STACK.astype("complex64")),
}


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("form", OF_ONE)
def test_functions_of_a_matrix(form: str, matrix: str) -> None:
    check(OF_ONE[form], MATRICES[matrix])
    if matrix not in ("singular", "nan"):  # whose refusal depends on the values
        check_graph(OF_ONE[form], MATRICES[matrix])


@pytest.mark.parametrize("case", OF_TWO)
def test_functions_with_more_arguments(case: str) -> None:
    call, *arrays = OF_TWO[case]
    check(call, *arrays)
    check_graph(call, *arrays)


@pytest.mark.parametrize("ord", NORMS, ids=str)
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_norms(axis: Any, ord: Any) -> None:
    for array in (V, TALL, COMPLEX, STACK, np.zeros((0, 2)), np.array([[1, -2], [3, 0]], "int8")):
        for keepdims in (False, True):

            def call(a: Any, keepdims: bool = keepdims) -> Any:
                return np.linalg.norm(a, ord, axis, keepdims)

            check(call, array)
            check_graph(call, array)


@pytest.mark.parametrize("matrix", ["square", "stack", "float32", "int", "1x1", "empty", "no matrices", "singular"])
def test_eigenvalues_of_real_matrices(matrix: str) -> None:
    """NumPy's dtype depends on the values: eagerly here too, and graphs refuse; hybrid's own functions are always complex."""
    array = MATRICES[matrix]
    check(np.linalg.eig, array)
    check(np.linalg.eigvals, array)
    for function in (np.linalg.eig, np.linalg.eigvals):
        with pytest.raises(TypeError, match="depending on its values"):
            trace(function, Spec(array.dtype, array.shape))
    values, vectors = linalg.eig(hybrid.asarray(array))
    assert values.dtype == vectors.dtype == np.result_type(np.linalg.eig(array)[0].dtype, "complex64")
    np.testing.assert_array_equal(values.numpy(), np.linalg.eig(array)[0])
    np.testing.assert_array_equal(linalg.eigvals(hybrid.asarray(array)).numpy(), np.linalg.eigvals(array))


def test_refusals_have_numpys_class_and_message() -> None:
    for call, matrix in [
        (np.linalg.inv, SINGULAR), (np.linalg.inv, TALL), (np.linalg.cholesky, -POSITIVE), (np.linalg.svd, BAD), (np.linalg.eig, BAD),
        (np.linalg.cond, EMPTY), (np.linalg.det, V), (np.linalg.inv, SQUARE.astype("float16")), (np.linalg.eigh, BAD),
    ]:  # fmt: skip
        check(call, matrix)
    with pytest.raises(np.linalg.LinAlgError, match=r"(?s)Singular matrix.*hybrid.linalg.inv, received \(x: float64\[2, 2\]\)"):
        linalg.inv(hybrid.asarray(SINGULAR))
    assert linalg.LinAlgError is np.linalg.LinAlgError


def test_a_graph_refuses_values_as_numpy_does() -> None:
    program = trace_program(np.linalg.inv, "f64[n, n]")
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        program(hybrid.asarray(SINGULAR))


@pytest.mark.parametrize("name", ["matmul", "tensordot", "vecdot", "matrix_transpose"])
def test_names_of_both_places_are_one_object(name: str) -> None:
    module = {"matrix_transpose": hybrid.ops.axes}.get(name, hybrid.ops.products)
    assert getattr(linalg, name) is getattr(module, name)


def test_every_function_of_numpy_linalg_is_mapped() -> None:
    functions = {getattr(np.linalg, name) for name in np.linalg.__all__} - {np.linalg.LinAlgError}
    assert not [function.__name__ for function in functions if function not in NUMPY]
    assert not [name for name in np.linalg.__all__ if name not in linalg.__all__]


# -- hybrid's own forms ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 3), (0, 2), (3, 0)], ids=str)
def test_reconstruction(shape: tuple[int, ...], dtype: str) -> None:
    array = (
        (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype) if dtype[0] == "c" else RNG.normal(size=shape).astype(dtype)
    )
    x, close = hybrid.asarray(array), _closeness(dtype)
    u, s, vh = linalg.svd(x, full_matrices=False)
    close((u * s[..., None, :]) @ vh, array)
    q, r = linalg.qr(x, mode="complete")
    close(q @ r, array)
    close(q.mT.conj() @ q, np.broadcast_to(np.eye(shape[-2]), q.shape))
    p, lower, upper = linalg.lu(x)
    close(p.astype(dtype) @ lower @ upper, array)
    indices, lower, upper = linalg.lu(x, p_indices=True)
    if x.ndim == 2:
        close((lower @ upper).numpy()[indices.numpy()], array)
    close(x @ linalg.pinv(x) @ x, array)


def _closeness(dtype: str) -> Callable[[Any, Any], None]:
    tolerance = 100 * np.finfo(dtype).eps
    return lambda got, want: np.testing.assert_allclose(np.asarray(got), want, rtol=tolerance, atol=tolerance)


def test_hermitian_reconstruction() -> None:
    close, x = _closeness("float64"), hybrid.asarray(HERMITIAN)
    values, vectors = linalg.eigh(x)
    close((vectors * values) @ vectors.mT.conj(), HERMITIAN)
    close(linalg.eigvalsh(x), values.numpy())
    factor = linalg.cholesky(x, upper=True)
    close(factor.mT.conj() @ factor, HERMITIAN)
    u, s, vh = linalg.svd(x, hermitian=True)
    close((u * s) @ vh, HERMITIAN)
    close(linalg.svdvals(x, hermitian=True), s.numpy())


def test_standard_default_of_pinv_differs_from_numpys() -> None:
    """The standard cuts at the precision times the size; numpy.linalg.pinv at 1e-15."""
    array = np.diag([1.0, 4e-16])
    assert np.linalg.matrix_rank(array) == 1
    assert linalg.pinv(hybrid.asarray(array)).tolist() == [[1, 0], [0, 0]]
    check(np.linalg.pinv, np.diag([1.0, 2e-15]))
    check_graph(np.linalg.pinv, np.diag([1.0, 2e-15]))
    check_graph(lambda a: np.linalg.pinv(a, rtol=None), array)


SCIPY: dict[str, tuple[Any, ...]] = {
    "lu": (linalg.lu, scipy.linalg.lu, SQUARE),
    "lu of a stack": (linalg.lu, scipy.linalg.lu, STACK),
    "lu permuted": (lambda a: linalg.lu(a, permute_l=True), lambda a: scipy.linalg.lu(a, permute_l=True), TALL),
    "lu indices": (lambda a: linalg.lu(a, p_indices=True), lambda a: scipy.linalg.lu(a, p_indices=True), WIDE),
    "lu_factor": (linalg.lu_factor, scipy.linalg.lu_factor, SQUARE),
    "lu_factor of a stack": (linalg.lu_factor, lambda a: tuple(scipy.linalg.lu_factor(a)), STACK),
    "expm": (linalg.expm, scipy.linalg.expm, SQUARE),
    "expm of a stack": (linalg.expm, scipy.linalg.expm, STACK),
    "expm of a triangle": (linalg.expm, scipy.linalg.expm, np.triu(SQUARE)),
    "expm of float32": (linalg.expm, scipy.linalg.expm, SQUARE.astype("float32")),
    "expm of int": (linalg.expm, scipy.linalg.expm, np.array([[0, 1], [2, 3]])),
    "solve_triangular": (linalg.solve_triangular, scipy.linalg.solve_triangular, SQUARE, V),
    "solve_triangular of stacks": (linalg.solve_triangular, scipy.linalg.solve_triangular, STACK, np.ones((4, 3, 2))),
    "block_diag": (linalg.block_diag, scipy.linalg.block_diag, SQUARE, TALL.astype("float32"), V),
    "toeplitz": (linalg.toeplitz, scipy.linalg.toeplitz, V, np.arange(4)),
    "toeplitz of complex": (linalg.toeplitz, scipy.linalg.toeplitz, COMPLEX[0]),
    "sqrtm of complex": (linalg.sqrtm, scipy.linalg.sqrtm, COMPLEX),
    "logm of complex": (linalg.logm, scipy.linalg.logm, COMPLEX),
}


@pytest.mark.parametrize("case", SCIPY)
def test_scipy(case: str) -> None:
    call, of_scipy, *arrays = SCIPY[case]
    got, want = call(*map(hybrid.asarray, arrays)), of_scipy(*arrays)
    assert isinstance(got, tuple) == isinstance(want, tuple)
    for g, w in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, want)), strict=True):
        assert (g.dtype, g.shape) == (w.dtype, w.shape)
        np.testing.assert_array_equal(g.numpy(), w)


@pytest.mark.parametrize("name", ["lu", "lu_factor", "lu_solve", "cho_solve", "solve_triangular", "expm", "block_diag", "toeplitz"])
def test_functions_of_scipy_are_mapped(name: str) -> None:
    assert getattr(scipy.linalg, name) in NUMPY


def test_scipys_call_forms_in_graphs() -> None:
    def call(name: str, *args: Any, **kwargs: Any) -> Any:
        return NUMPY[getattr(scipy.linalg, name)](*args, **kwargs)

    solved = trace_program(lambda a, b: call("lu_solve", call("lu_factor", a), b, 1), "f64[n, n]", "f64[n]")
    np.testing.assert_array_equal(solved(SQUARE, V).numpy(), scipy.linalg.lu_solve(scipy.linalg.lu_factor(SQUARE), V, 1))
    solved = trace_program(lambda a, b: call("cho_solve", (a, True), b), "f64[n, n]", "f64[n]")
    np.testing.assert_array_equal(solved(np.tril(SQUARE), V).numpy(), scipy.linalg.cho_solve((np.tril(SQUARE), True), V))
    solved = trace_program(lambda a, b: call("solve_triangular", a, b, "T", lower=True), "f64[n, n]", "f64[n]")
    np.testing.assert_array_equal(solved(SQUARE, V).numpy(), scipy.linalg.solve_triangular(SQUARE, V, "T", lower=True))


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_solve_triangular_solves(trans: Any, lower: bool, unit: bool) -> None:
    triangle = np.tril(COMPLEX) if lower else np.triu(COMPLEX)
    if unit:
        np.fill_diagonal(triangle, 1)
    a = {"N": triangle, "T": triangle.T, "C": triangle.conj().T}["NTC"[trans] if isinstance(trans, int) else trans]
    x = linalg.solve_triangular(hybrid.asarray(COMPLEX), hybrid.asarray(V), lower=lower, trans=trans, unit_diagonal=unit)
    np.testing.assert_allclose(a @ x.numpy(), V)


def test_solving_with_factors() -> None:
    a, b = hybrid.asarray(STACK), hybrid.asarray(np.ones((4, 3, 2)))
    want = np.linalg.solve(STACK, np.ones((4, 3, 2)))
    np.testing.assert_allclose(linalg.lu_solve(linalg.lu_factor(a), b).numpy(), want)
    want = np.linalg.solve(STACK.swapaxes(-1, -2), np.ones((4, 3, 2)))
    np.testing.assert_allclose(linalg.lu_solve(linalg.lu_factor(a), b, trans=1).numpy(), want)
    c = linalg.cholesky(hybrid.asarray(HERMITIAN))
    np.testing.assert_allclose(linalg.cho_solve(c, V).numpy(), np.linalg.solve(HERMITIAN, V))
    np.testing.assert_allclose(linalg.cho_solve(c.mT.conj(), V, lower=False).numpy(), np.linalg.solve(HERMITIAN, V))


def test_results_without_elements_have_their_dtype_and_shape() -> None:
    none, one = hybrid.asarray(np.zeros((0, 2, 2), "float32")), hybrid.asarray(np.ones((2, 1), "float32"))
    p, lower, upper = linalg.lu(hybrid.asarray(np.zeros((3, 0))))
    assert (p.tolist(), lower.shape, upper.shape) == (np.eye(3).tolist(), (3, 0), (0, 0))
    assert [(x.shape, x.dtype.name) for x in linalg.lu_factor(none)] == [((0, 2, 2), "float32"), ((0, 2), "int32")]
    for solved in (linalg.cho_solve(none, one), linalg.solve_triangular(none, one), linalg.lu_solve(linalg.lu_factor(none), one)):
        assert (solved.shape, solved.dtype.name) == ((0, 2, 1), "float32")
    assert linalg.toeplitz(hybrid.asarray(np.zeros((0, 3)))).shape == (0, 3, 3)
    assert linalg.expm(none).shape == linalg.logm(none).shape == linalg.sqrtm(none).shape == (0, 2, 2)
    assert linalg.block_diag().shape == (1, 0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes_of_matrix_functions_do_not_depend_on_size(dtype: np.dtype) -> None:
    """SciPy's expm of a 1x1 int8 matrix is float16, its logm of 2x2 real matrices sometimes real."""
    for function in (linalg.expm, linalg.logm, linalg.sqrtm):
        found = {function(hybrid.asarray(np.eye(n, dtype=dtype))).dtype for n in (0, 1, 2, 3)}
        assert len(found) == 1


def test_matrix_functions_are_inverse() -> None:
    x, close = hybrid.asarray(POSITIVE), _closeness("float64")
    close(linalg.expm(linalg.logm(x)), POSITIVE)
    root = linalg.sqrtm(x)
    close(root @ root, POSITIVE)
    assert linalg.sqrtm(hybrid.asarray([[-4.0]])).tolist() == [[2j]]
    np.testing.assert_allclose(linalg.logm(hybrid.asarray(POSITIVE.astype("float32"))).numpy(), scipy.linalg.logm(POSITIVE), rtol=1e-5)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: linalg.lu_solve((SQUARE, np.array([0, 1, 3], "int32")), V), "pivots from 0 to 2"),
        (lambda: linalg.lu_solve((SQUARE, np.array([0, -1, 2], "int32")), V), "pivots from 0 to 2"),
        (lambda: linalg.lu_solve((SQUARE, np.array([0, 1], "int32")), V), "mismatch in its core dimension"),
        (lambda: linalg.lu_solve((SQUARE, np.array([0.0, 1.0, 2.0])), V), "pivots that are integers"),
        (lambda: linalg.solve_triangular(SQUARE, V, trans="X"), "wanted a trans among"),
        (lambda: linalg.solve_triangular(SQUARE, V, trans=7), "wanted a trans among"),
        (lambda: linalg.solve_triangular(SQUARE, 2.0), "one axis or more"),
        (lambda: linalg.solve_triangular(np.zeros((2, 2)), np.ones(2)), "singular matrix"),
        (lambda: linalg.solve_triangular(BAD, np.ones(2)), "must not contain infs or NaNs"),
        (lambda: linalg.cho_solve(SQUARE, np.ones(4)), "incompatible"),
        (lambda: linalg.lu(V), "at least two-dimensional"),
        (lambda: linalg.lu_factor(V), "two axes or more"),
        (lambda: linalg.expm(V), "at least two-dimensional"),
        (lambda: linalg.expm(TALL), "must be square"),
        (lambda: linalg.qr(SQUARE, mode="raw"), "wanted a mode among"),
        (lambda: linalg.cross(np.ones(2), np.ones(2)), "3-dimensional vectors"),
        (lambda: linalg.outer(SQUARE, V), "must be one-dimensional"),
    ],
)
def test_bad_arguments(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_arguments_stay_unchanged() -> None:
    for function in (linalg.lu, linalg.lu_factor, linalg.inv, linalg.expm, linalg.svd, linalg.qr, linalg.eigh, linalg.cholesky):
        for order in "CF":
            array = np.array(POSITIVE, order=order)
            function(hybrid.asarray(array))
            np.testing.assert_array_equal(array, POSITIVE)


@pytest.mark.parametrize(
    "call, specs, want",
    [
        (np.linalg.solve, ["f32[b, n, n]", "f32[n]"], ["f32[b, n]"]),
        (np.linalg.solve, ["f32[n, n]", "f32[b, n, k]"], ["f32[b, n, k]"]),
        (np.linalg.svd, ["f64[b, n, m]"], ["f64[b, n, n]", "f64[b, min(m, n)]", "f64[b, m, m]"]),
        (np.linalg.qr, ["c64[n, 3]"], ["c64[n, min(3, n)]", "c64[min(3, n), 3]"]),
        (np.linalg.slogdet, ["c64[b, n, n]"], ["c64[b]", "f32[b]"]),
        (np.linalg.pinv, ["f64[b, n, m]"], ["f64[b, m, n]"]),
        (linalg.block_diag, ["f64[n, m]", "f32[k]"], ["f64[n + 1, k + m]"]),
        (linalg.lu, ["f32[n, 2]"], ["f32[n, n]", "f32[n, min(2, n)]", "f32[min(2, n), 2]"]),
        (linalg.toeplitz, ["f64[n]", "f64[m]"], ["f64[n, m]"]),
        (lambda a: np.linalg.norm(a, axis=1), ["f32[n, m]"], ["f32[n]"]),
    ],
)
def test_symbolic_sizes(call: Callable[..., Any], specs: list[str], want: list[str]) -> None:
    assert [value.spec for value in trace(call, *specs).outputs] == [Spec.parse(text) for text in want]


def test_how_many_residuals_there_are_depends_on_values() -> None:
    solution, residuals, rank, values = (value.spec for value in trace(np.linalg.lstsq, "f64[n, 3]", "f64[n]").outputs)
    assert [str(spec) for spec in (solution, rank, values)] == ["float64[3]", "int32[]", "float64[min(3, n)]"]
    assert residuals.ndim == 1 and not residuals.symbols <= {"n"}
    assert trace(np.linalg.lstsq, "f64[2, 3]", "f64[2]").outputs[1].spec.shape == (0,)
