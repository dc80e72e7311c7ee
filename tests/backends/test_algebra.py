"""Products and linear algebra in native code: what NumPy gives, and its errors."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from hybrid.backends import compile
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace

RANDOM = np.random.default_rng(7)
A, B, V = RANDOM.normal(size=(5, 5)), RANDOM.normal(size=(5, 3)), RANDOM.normal(size=5)
S, X = A @ A.T + np.eye(5), RANDOM.normal(size=(2, 5, 5))
N, Z = RANDOM.integers(0, 9, (5, 5)), A + 1j * S

PRODUCTS: list[tuple[Callable[..., Any], Sequence[Any]]] = [
    (lambda a, b: a.T @ b, (A, B)),
    (lambda a, b: (b.T @ a) @ a[::-1].T, (A, B)),
    (lambda a: (a + 1.0) @ (2.0 * a) - a.T @ -a, (A,)),
    (lambda a: a @ a, (N,)),
    (lambda a: a @ a, (N.astype("uint8") * 99,)),
    (lambda a, b: a @ b, (N, A)),
    (lambda a, b: a @ b, (N > 3, N > 4)),
    (lambda a, b: a @ b, (X, B)),
    (lambda a: a[:, None] @ a[:1], (X,)),
    (lambda a, v: (v @ a, a @ v, v @ v, np.matvec(a, v), np.vecmat(v, a)), (A, V)),
    (lambda a: np.trace(a), (A,)),
    (lambda a: np.trace(a, offset=-2), (N,)),
    (lambda a: np.trace(a, offset=7), (Z,)),
    (lambda a: (np.linalg.norm(a), np.linalg.norm(a, axis=0), np.linalg.norm(a, axis=1, keepdims=True)), (A,)),
    (lambda a, b: np.tensordot(a, b, axes=([2, 0], [1, 0])), (X, X)),
    (lambda a, b: np.kron(a, b), (A, N)),
    (lambda a, b: (np.einsum("ij,jk->ki", a, b), np.einsum("ij,kj", a, a), np.einsum("i,j->ji", a[0], b[0])), (A, B)),
    (lambda a, b: (np.einsum("bij,bkj->bik", a, a), np.einsum("bij,ij->b", a, b)), (X, A)),
    (lambda a, z: (np.einsum("ij,ij->i", a, a), np.einsum("ij,ji", a, z), np.einsum("...i,...i->...", z, a)), (N, Z)),
    (lambda a, b: (np.vdot(a, b), np.vecdot(a, b)), (Z, Z.T.copy())),
    (lambda a, b: (np.inner(a, b), np.outer(a, b)), (A, V)),
    (lambda a: np.dot(a, 2.5), (A,)),
    (lambda a: np.cross(a, a[::-1]), (RANDOM.normal(size=(4, 3)),)),
    (lambda a: (a @ a.T, a.T @ a), (np.zeros((0, 3)),)),
]

FACTORS: list[tuple[Callable[..., Any], Sequence[Any]]] = [
    (lambda a, b: np.linalg.solve(a, b), (A, V)),
    (lambda a, b: np.linalg.solve(a, b), (X, B)),
    (lambda a, b: np.linalg.solve(a.T, b), (A, B)),
    (lambda a: (np.linalg.inv(a), *np.linalg.slogdet(a)), (Z,)),
    (lambda a: (np.linalg.det(a), np.linalg.inv(a)), (X,)),
    (lambda a: (np.linalg.cholesky(a), np.linalg.cholesky(a, upper=True)), (S,)),
    (lambda a: (*np.linalg.eigh(a, "U"), np.linalg.eigvalsh(a)), (S,)),
    (lambda a: np.linalg.svd(a, full_matrices=False), (B,)),
    (lambda a: (*np.linalg.svd(a), *np.linalg.qr(a, "complete")), (B,)),
    (lambda a: (np.linalg.svd(a, compute_uv=False), np.linalg.eigvalsh(a)), (X,)),
    (lambda a: (*np.linalg.qr(a.T), np.linalg.qr(a, "r")), (B,)),
    (lambda a: (np.linalg.inv(a), np.linalg.det(a)), (np.full((2, 2), np.nan),)),
    (lambda a: (np.linalg.inv(a), np.linalg.det(a)), (np.zeros((0, 0)),)),
]


def symbolic(x: Any) -> Spec:
    return Spec(x.dtype, tuple(symbol(f"n{d}") if d > 3 else d for d in x.shape))


def leaves(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("is_symbolic", [False, True])
@pytest.mark.parametrize("table", [PRODUCTS, FACTORS], ids=["products", "factors"])
def test_results_are_those_of_numpy(table: list[Any], is_symbolic: bool) -> None:
    cases = [case for case in table if not is_symbolic or all(np.size(x) for x in case[1])]
    arrays = [x for _, given in cases for x in given]

    def program(*values: Any) -> list[Any]:
        remaining = iter(values)
        return [y for f, given in cases for y in leaves(f(*[next(remaining) for _ in given]))]

    executable = compile(trace(program, *map(symbolic if is_symbolic else spec_of, arrays)), back_end="numba")
    assert not executable.fallbacks
    with np.errstate(all="ignore"):
        wants = [y for f, given in cases for y in leaves(f(*given))]
    for got, want in zip(executable(*arrays), wants, strict=True):
        assert (np.asarray(got).dtype, np.shape(got)) == (want.dtype, np.shape(want))
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)


def raised(function: Callable[..., Any], *arguments: Any) -> tuple[type, str]:
    with pytest.raises(Exception) as info:
        function(*arguments)
    return info.type, str(info.value)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (np.linalg.inv, [np.ones((3, 3))]),
        (np.linalg.solve, [np.zeros((2, 2)), np.ones(2)]),
        (np.linalg.solve, [np.zeros((2, 2)), np.ones((2, 0))]),
        (np.linalg.cholesky, [np.array([[1.0, 2.0], [2.0, 1.0]])]),
        (np.linalg.eigvalsh, [np.full((3, 3), np.nan)]),
        (np.linalg.inv, [np.ones((2, 3))]),
        (np.matmul, [np.ones((2, 3)), np.ones((2, 3))]),
        (np.dot, [np.ones(3), np.ones(4)]),
    ],
)
def test_errors_are_those_of_numpy(function: Callable[..., Any], arguments: list[Any]) -> None:
    names = iter("abcdefgh")
    specs = [Spec(x.dtype, tuple(symbol(next(names)) if d else 0 for d in x.shape)) for x in arguments]
    executable = compile(trace(lambda *xs: function(*xs), *specs), back_end="numba")
    assert raised(executable, *arguments) == raised(function, *arguments)


SECOND = """
import numpy as np, sys
from hybrid.backends import compile
from hybrid.core.spec import spec_of
from hybrid.ir.trace import trace
import hybrid.backends.numba.compile as module
if sys.argv[1] == "again":
    def njit(*_, **__):
        raise SystemExit("compiled again")
    module.njit = njit
a = np.array([[4.0, 1.0], [2.0, 3.0]])
print(repr(compile(trace(lambda x: (np.linalg.inv(x) @ x, np.linalg.det(x)), spec_of(a)))(a)))
"""


def test_another_process_needs_no_compiler(tmp_path: Any) -> None:
    environment = os.environ | {"HYBRID_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [run(environment, word) for word in ("first", "again")]
    assert runs[0].stdout == runs[1].stdout != "", runs[1].stderr


def run(environment: dict[str, str], word: str) -> Any:
    return subprocess.run([sys.executable, "-c", SECOND, word], env=environment, capture_output=True, text=True)
