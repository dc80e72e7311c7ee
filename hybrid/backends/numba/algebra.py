"""Linear algebra by the loops of ``numpy.linalg``, which call LAPACK.

They fill results with NaN where LAPACK reports a failure. Where a result begins with NaN, and where there is nothing to compute, the
kernel is called: it raises what there is to raise, or gives the same NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hybrid.backends.numba.gufuncs import Core, call_loop, different, smaller, stack_conditions
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.loops import Loop, loop_of
from hybrid.backends.numba.native import HALF, flat_view
from hybrid.backends.numba.program import Program, literal
from hybrid.ir.graph import Node

__all__ = ["ALGEBRA"]

SQUARE: Final[Core] = ("m", "m")
Begin = tuple[int, Sequence[str]] | None


def _loop(name: str, dtypes: Sequence[np.dtype]) -> Loop | None:
    """A loop of ``numpy.linalg``."""
    ufunc = getattr(getattr(np.linalg, "_umath_linalg", None), name, None)
    return loop_of(ufunc, tuple(dtypes)) if isinstance(ufunc, np.ufunc) else None


def _dtypes(node: Node) -> list[np.dtype]:
    return [x.spec.dtype for x in (*node.operands, *node.outputs)]  # type: ignore[union-attr]


def _is_uniform(node: Node) -> bool:
    """Whether all operands and the first or last result have one dtype that LAPACK knows."""
    dtypes = {x.spec.dtype for x in node.operands}  # type: ignore[union-attr]
    return len(dtypes) == 1 and next(iter(dtypes)).kind in "fc" and HALF not in dtypes


def _empty_conditions(dims: Sequence[str]) -> list[str]:
    return [f"{dim} == 0" for dim in dict.fromkeys(dims) if not dim.isdigit() or dim == "0"]


def _attempt(
    p: Program, node: Node, conditions: Sequence[str], names: Sequence[str], fast: Callable[[], None], begins: Begin = None
) -> None:
    """Write the fast way; the kernel under conditions, and where a result begins with NaN.

    ``begins`` tells that result by its number, and the sizes of its core.
    """
    failed = p.new("failed")
    p.emit(f"{failed} = {' or '.join(conditions) or 'False'}")
    with p.block(f"if not {failed}:"):
        fast()
        if begins is not None:
            _check(p, names[begins[0]], node.outputs[begins[0]].spec.ndim, begins[1], failed)
    with p.block(f"if {failed}:"):
        p.kernel_value(node, names)
    for value, name in zip(node.outputs, names, strict=True):
        p.names[value] = name


def _check(p: Program, name: str, ndim: int, core: Sequence[str], failed: str) -> None:
    """Take note of a core that begins with NaN."""
    if ndim == len(core):
        first = f"{name}[{', '.join(['0'] * ndim)}]"
        p.emit(f"{failed} = {first} != {first}")
        return
    p.use("flat_view", flat_view)
    flat, step = p.new("flat"), " * ".join(core)
    p.emit(f"{flat} = {name if ndim == 1 else f'flat_view({name})'}")
    with nest(p, [f"{flat}.size // ({step})"]) as (i,):
        item = f"{flat}[{i} * ({step})]"
        p.emit(f"{failed} |= {item} != {item}")


def _outputs(p: Program, node: Node, cores: Sequence[Sequence[str]]) -> list[str]:
    """Names of new arrays for the results, whose last sizes are given."""
    names = []
    for value, core in zip(node.outputs, cores, strict=True):
        stack = [p.dim(d) for d in value.spec.shape[: value.spec.ndim - len(core)]]
        names.append(p.new(node.op.name))
        p.emit(f"{names[-1]} = {p.allocation(value.spec, [*stack, *core])}")
    return names


# -- square matrices ------------------------------------------------------------------------------------------------
def _square(p: Program, node: Node, name: str) -> bool:
    """A matrix of the same sizes."""
    x = node.operands[0]
    loop = _loop(name, _dtypes(node)) if _is_uniform(node) else None
    if loop is None:
        return False
    dims = p.dims(x)  # type: ignore[arg-type]
    conditions = [*different([(dims[-2], dims[-1])]), *_empty_conditions(dims)]
    names = _outputs(p, node, [dims[-2:]])

    call = call_loop(p, loop, [SQUARE, SQUARE], [p.text(x), *names])
    _attempt(p, node, conditions, names, lambda: p.emit(call), (0, dims[-2:]))
    return True


def _inv(p: Program, node: Node) -> bool:
    return _square(p, node, "inv")


def _cholesky(p: Program, node: Node) -> bool:
    return _square(p, node, "cholesky_up" if node.attributes["upper"] else "cholesky_lo")


def _solve(p: Program, node: Node) -> bool:
    """The solution of linear equations."""
    a, b = node.operands
    is_vector = b.spec.ndim == 1  # type: ignore[union-attr]
    loop = _loop("solve1" if is_vector else "solve", _dtypes(node)) if _is_uniform(node) else None
    if loop is None:
        return False
    rows, right = p.dims(a), p.dims(b)  # type: ignore[arg-type]
    core: Core = ("m",) if is_vector else ("m", "n")
    own = right[len(right) - len(core) :]
    out = node.outputs[0]
    stack = [p.dim(d) for d in out.spec.shape[: out.spec.ndim - len(core)]]
    conditions = [
        *different([(rows[-2], rows[-1]), (rows[-1], own[0])]),
        *stack_conditions(p, out.spec, stack, [(a, 2), (b, len(core))]),
        *_empty_conditions([*rows, *right]),
    ]
    names = _outputs(p, node, [own])

    call = call_loop(p, loop, [SQUARE, core, core], [p.text(a), p.text(b), *names])
    _attempt(p, node, conditions, names, lambda: p.emit(call), (0, own))
    return True


def _det(p: Program, node: Node) -> bool:
    """Determinants, which never fail: of each matrix one number, or a sign and a logarithm."""
    x = node.operands[0]
    loop = _loop(node.op.name.rpartition(".")[2], _dtypes(node)) if _is_uniform(node) else None
    if loop is None:
        return False
    dims = p.dims(x)  # type: ignore[arg-type]
    cores: list[Core] = [SQUARE, *[()] * len(node.outputs)]
    conditions = different([(dims[-2], dims[-1])])
    if node.outputs[0].spec.shape:
        names = _outputs(p, node, [()] * len(node.outputs))
        call = call_loop(p, loop, cores, [p.text(x), *names])
    else:
        names = [p.new(node.op.name) for _ in node.outputs]
        for name, value in zip(names, node.outputs, strict=True):
            p.emit(f"{name} = {literal(0, value.spec.dtype)}")
        specs = [value.spec for value in node.outputs]
        call = f"{', '.join(names)} = {call_loop(p, loop, cores, [p.text(x)], specs)}"
    _attempt(p, node, conditions, names, lambda: p.emit(call))
    return True


def _eigen(p: Program, node: Node) -> bool:
    """Eigenvalues of Hermitian matrices, with or without the vectors."""
    x, triangle = node.operands[0], node.attributes["UPLO"]
    has_vectors = len(node.outputs) == 2
    known = {"L": "lo", "l": "lo", "U": "up", "u": "up"}
    name = f"{'eigh' if has_vectors else 'eigvalsh'}_{known.get(triangle)}"
    loop = _loop(name, _dtypes(node)) if _is_uniform(node) else None
    if loop is None:
        return False
    dims = p.dims(x)  # type: ignore[arg-type]
    conditions = [*different([(dims[-2], dims[-1])]), *_empty_conditions(dims)]
    cores: list[Core] = [("m",), SQUARE][: len(node.outputs)]
    names = _outputs(p, node, [dims[-1:], dims[-2:]][: len(node.outputs)])

    call = call_loop(p, loop, [SQUARE, *cores], [p.text(x), *names])
    _attempt(p, node, conditions, names, lambda: p.emit(call), (0, dims[-1:]))
    return True


# -- other matrices -------------------------------------------------------------------------------------------------
def _svd(p: Program, node: Node) -> bool:
    """Singular values, with or without the vectors."""
    x, attrs = node.operands[0], node.attributes
    has_vectors, is_full = len(node.outputs) == 3, attrs.get("full_matrices", False)
    name = ("svd_f" if is_full else "svd_s") if has_vectors else "svd"
    loop = _loop(name, _dtypes(node)) if _is_uniform(node) and not attrs["hermitian"] else None
    if loop is None:
        return False
    *stack, m, n = p.dims(x)  # type: ignore[arg-type]
    k = smaller(m, n)
    values: Core = ("p",)
    if not has_vectors:
        cores, sizes = [values], [[k]]
    elif is_full:
        cores, sizes = [("m", "m"), values, ("n", "n")], [[m, m], [k], [n, n]]
    else:
        cores, sizes = [("m", "p"), values, ("p", "n")], [[m, k], [k], [k, n]]
    names = _outputs(p, node, sizes)

    call = call_loop(p, loop, [("m", "n"), *cores], [p.text(x), *names])
    _attempt(p, node, _empty_conditions([*stack, m, n]), names, lambda: p.emit(call), (1 if has_vectors else 0, [k]))
    return True


def _qr(p: Program, node: Node) -> bool:
    """Q and R: LAPACK's packed form, and from it the one and the other."""
    x, mode = node.operands[0], node.attributes["mode"]
    dtype = x.spec.dtype  # type: ignore[union-attr]
    raw = _loop("qr_r_raw", (dtype, dtype)) if _is_uniform(node) else None
    form = _loop("qr_complete" if mode == "complete" else "qr_reduced", (dtype,) * 3) if raw else None
    if raw is None or form is None or x.spec.ndim != 2:  # type: ignore[union-attr]
        return False
    m, n = p.dims(x)  # type: ignore[arg-type]
    k = smaller(m, n)
    inner = m if mode == "complete" else k
    names = _outputs(p, node, [[inner, n]] if mode == "r" else [[m, inner], [inner, n]])

    def fast() -> None:
        packed, factors = p.new("packed"), p.new("factors")
        p.emit(f"{packed} = copied({p.text(x)})")
        p.emit(f"{factors} = {p.allocation(type(x.spec)(dtype, (1,)), [k])}")  # type: ignore[union-attr]
        p.emit(call_loop(p, raw, [("m", "n"), ("p",)], [packed, factors]))
        with nest(p, [inner, n]) as (i, j):
            p.emit(f"{names[-1]}[{i}, {j}] = {packed}[{i}, {j}] if {i} <= {j} else {literal(0, dtype)}")
        if mode != "r":
            core = ("m", "m" if mode == "complete" else "k")
            p.emit(call_loop(p, form, [("m", "n"), ("k",), core], [packed, factors, names[0]]))

    _attempt(p, node, _empty_conditions([m, n]), names, fast)
    return True


ALGEBRA: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "linalg.inv": _inv,
    "linalg.cholesky": _cholesky,
    "linalg.solve": _solve,
    "linalg.det": _det,
    "linalg.slogdet": _det,
    "linalg.eigh": _eigen,
    "linalg.eigvalsh": _eigen,
    "linalg.svd": _svd,
    "linalg.svdvals": _svd,
    "linalg.qr": _qr,
}
"""Operations that LAPACK does."""
