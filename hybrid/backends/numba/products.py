"""Products of vectors, matrices and tensors, by the loops that NumPy has for them: BLAS where it is of use, exact for integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.gufuncs import (
    Core,
    call_loop,
    converted,
    different,
    fast_or_kernel,
    flat_of,
    permuted,
    smaller,
    stack_conditions,
)
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.loops import loop_of, reduce_call
from hybrid.backends.numba.native import flat_view, reshaped
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.core.dim import product
from hybrid.ir.graph import Node
from hybrid.ops._infer import axes_of, axis_of
from hybrid.ops.products import _contracted

__all__ = ["PRODUCTS"]


def _core_product(p: Program, node: Node, ufunc: np.ufunc, cores: Sequence[Core], texts: Sequence[str] = ()) -> bool:
    """A generalised ufunc of two operands of the result's dtype."""
    a, b = node.operands
    out = node.outputs[0]
    dtype = out.spec.dtype
    loop = loop_of(ufunc, (dtype,) * 3)
    if loop is None:
        return False
    *ours, result = [[label for label in core if not label.endswith("?")] for core in cores]
    sizes: dict[str, str] = {}
    pairs = []
    for x, core in zip((a, b), ours, strict=True):
        dims = p.dims(x)  # type: ignore[arg-type]
        for label, size in zip(core, dims[len(dims) - len(core) :], strict=True):
            pairs.append((size, sizes.setdefault(label, size)))
    stack = [p.dim(d) for d in out.spec.shape[: out.spec.ndim - len(result)]]
    conditions = different(pairs) + stack_conditions(p, out.spec, stack, [(a, len(ours[0])), (b, len(ours[1]))])
    given = list(texts) or [converted(p, x, dtype) for x in (a, b)]
    name = p.new(node.op.name)

    def fast() -> None:
        if not out.spec.shape:
            p.emit(f"{name} = {call_loop(p, loop, cores, given, [out.spec])}")
            return
        p.emit(f"{name} = {p.allocation(out.spec, [*stack, *(sizes[label] for label in result)])}")
        p.emit(call_loop(p, loop, cores, [*given, name]))

    fast_or_kernel(p, node, conditions, [name], fast)
    p.names[out] = name
    return True


def _matmul(p: Program, node: Node) -> bool:
    """``a @ b``."""
    first, second = (x.spec.ndim == 1 for x in node.operands)  # type: ignore[union-attr]
    n, m = "n?" if first else "n", "m?" if second else "m"
    return _core_product(p, node, np.matmul, [(n, "k"), ("k", m), (n, m)])


def _matvec(p: Program, node: Node) -> bool:
    return _core_product(p, node, np.matvec, [("m", "n"), ("n",), ("m",)])


def _vecmat(p: Program, node: Node) -> bool:
    return _core_product(p, node, np.vecmat, [("n",), ("n", "m"), ("m",)])


def _vecdot(p: Program, node: Node) -> bool:
    """Products of vectors along the last axis."""
    attrs = node.attributes
    if attrs["keepdims"] or any(axis_of(attrs["axis"], x.spec.ndim) != x.spec.ndim - 1 for x in node.operands):  # type: ignore[union-attr]
        return False
    return _core_product(p, node, np.vecdot, [("n",), ("n",), ()])


def _dot(p: Program, node: Node) -> bool:
    """``np.dot``, where it is the same as ``@``; with a number, a product of all elements with it."""
    a, b = (x.spec.ndim for x in node.operands)  # type: ignore[union-attr]
    if not a or not b:
        return _scaled(p, node)
    return (b <= 2 or a == 1) and _matmul(p, node)


def _scaled(p: Program, node: Node) -> bool:
    """The product of a number and an array or number."""
    out = node.outputs[0]
    loop = loop_of(np.multiply, (out.spec.dtype,) * 3)
    if loop is None or out.spec.dtype.kind == "b":
        return False
    texts = [converted(p, x, out.spec.dtype) for x in node.operands]
    if not out.spec.shape:
        p.assign(out, f"{out.spec.dtype.name}({texts[0]} * {texts[1]})", node.op.name)
        return True
    array = next(x for x in node.operands if x.spec.shape)  # type: ignore[union-attr]
    name = p.assign(out, p.allocation(out.spec, p.dims(array)), node.op.name)  # type: ignore[arg-type]
    p.emit(call_loop(p, loop, [(), (), ()], [*texts, name]))
    return True


def _inner(p: Program, node: Node) -> bool:
    """Products along the last axes of both."""
    a, b = node.operands
    ndims = a.spec.ndim, b.spec.ndim  # type: ignore[union-attr]
    if 0 in ndims:
        return _scaled(p, node)
    if ndims[1] == 1:
        return _matmul(p, node)
    return False


def _vdot(p: Program, node: Node) -> bool:
    """The product of all elements, the first ones conjugated."""
    a, b = node.operands
    out = node.outputs[0]
    loop = loop_of(np.vecdot, (out.spec.dtype,) * 3)
    if loop is None or any(not x.spec.shape or x.spec.dtype != out.spec.dtype for x in (a, b)):  # type: ignore[union-attr]
        return False
    names = []
    for x in (a, b):
        names.append(p.new("flat"))
        p.emit(f"{names[-1]} = {flat_of(p, x)}")
    result = p.new("vdot")
    call = call_loop(p, loop, [("n",), ("n",), ()], names, [out.spec])
    conditions = different([(p.dim(product(a.spec.shape)), p.dim(product(b.spec.shape)))])  # type: ignore[union-attr]
    fast_or_kernel(p, node, conditions, [result], lambda: p.emit(f"{result} = {call}"))
    p.names[out] = result
    return True


def _tensordot(p: Program, node: Node) -> bool:
    """Axes that are kept and axes that are summed are brought together; then it is a product of matrices."""
    a, b = node.operands
    out = node.outputs[0]
    loop = loop_of(np.matmul, (out.spec.dtype,) * 3)
    ndims = a.spec.ndim, b.spec.ndim  # type: ignore[union-attr]
    first, second = _contracted(node.attributes["axes"], *ndims)
    if loop is None or 0 in ndims or not first or not out.spec.shape:
        return False
    free = [[k for k in range(n) if k not in axes] for n, axes in zip(ndims, (first, second), strict=True)]
    sides = [(a, free[0], list(first), True), (b, free[1], list(second), False)]
    dims = [p.dims(a), p.dims(b)]  # type: ignore[arg-type]
    conditions = different([(dims[0][i], dims[1][j]) for i, j in zip(first, second, strict=True)])
    target = p.new("tensordot")

    def fast() -> None:
        texts = [_matrix(p, x, out.spec.dtype, kept, summed, is_first) for x, kept, summed, is_first in sides]
        kept = [dims[side][k] for side in (0, 1) for k in free[side]]
        p.emit(f"{target} = {p.allocation(out.spec, kept)}")
        counts = [" * ".join(dims[side][k] for k in free[side]) or "1" for side in (0, 1)]
        p.use("reshaped", reshaped)
        p.emit(call_loop(p, loop, [("n", "k"), ("k", "m"), ("n", "m")], [*texts, f"reshaped({target}, ({', '.join(counts)}))"]))

    fast_or_kernel(p, node, conditions, [target], fast)
    p.names[out] = target
    return True


def _matrix(p: Program, x: Any, dtype: np.dtype, kept: list[int], summed: list[int], is_first: bool) -> str:
    """The text of an operand as a matrix: the kept axes and the summed ones, for the second operand the other way round."""
    order = kept + summed if is_first else summed + kept
    text, dims = converted(p, x, dtype), p.dims(x)
    is_plain = order == list(range(len(order))) and (x not in p.views or text != p.text(x))
    if not is_plain:
        text = f"in_order({permuted(p, text, order)})"
    rows, columns = (" * ".join(dims[k] for k in axes) or "1" for axes in ((kept, summed) if is_first else (summed, kept)))
    p.use("reshaped", reshaped)
    name = p.new("matrix")
    p.emit(f"{name} = reshaped({text}, ({rows}, {columns}))")
    return name


def _outer(p: Program, node: Node) -> bool:
    """All products of elements of two arrays."""
    a, b = node.operands
    out = node.outputs[0]
    if any(not x.spec.shape for x in (a, b)) or out.spec.dtype.kind == "b":  # type: ignore[union-attr]
        return False
    flat = []
    for x in (a, b):
        flat.append(p.new("flat"))
        p.emit(f"{flat[-1]} = {flat_of(p, x)}")
    counts = [f"{name}.size" for name in flat]
    target = p.assign(out, p.allocation(out.spec, counts), "outer")
    with nest(p, counts) as (i, j):
        x, y = (cast(f"{name}[{k}]", v.spec.dtype, out.spec.dtype) for name, v, k in zip(flat, (a, b), (i, j), strict=True))  # type: ignore[union-attr]
        p.emit(f"{target}[{i}, {j}] = {out.spec.dtype.name}({x} * {y})")
    return True


def _kron(p: Program, node: Node) -> bool:
    """Each element of the first array times the whole second one."""
    a, b = node.operands
    out = node.outputs[0]
    ndim = out.spec.ndim
    if not ndim or out.spec.dtype.kind == "b" or any(x.spec.ndim != ndim for x in (a, b)):  # type: ignore[union-attr]
        return False
    dims = [p.dims(a), p.dims(b)]  # type: ignore[arg-type]
    target = p.assign(out, p.allocation(out.spec, [f"{m} * {n}" for m, n in zip(*dims, strict=True)]), "kron")
    with nest(p, [*dims[0], *dims[1]]) as index:
        rows, columns = index[:ndim], index[ndim:]
        x, y = (cast(f"{p.text(v)}[{', '.join(i)}]", v.spec.dtype, out.spec.dtype) for v, i in ((a, rows), (b, columns)))  # type: ignore[union-attr,arg-type]
        place = ", ".join(f"{i} * {n} + {j}" for i, j, n in zip(rows, columns, dims[1], strict=True))
        p.emit(f"{target}[{place}] = {out.spec.dtype.name}({x} * {y})")
    return True


def _cross(p: Program, node: Node) -> bool:
    """The cross product of vectors of three along the last axis."""
    a, b = node.operands
    out, attrs = node.outputs[0], node.attributes
    last = -1 if attrs["axis"] is None else attrs["axis"]
    axes = [attrs[name] if attrs["axis"] is None else last for name in ("axisa", "axisb", "axisc")]
    ndim, dtype = out.spec.ndim, out.spec.dtype
    if any(x.spec.shape != out.spec.shape or x.spec.shape[-1] != 3 for x in (a, b)):  # type: ignore[union-attr]
        return False
    if any(axis not in (-1, ndim - 1) for axis in axes) or dtype.kind not in "iuf":
        return False
    target = p.assign(out, p.allocation(out.spec, p.dims(a)), "cross")  # type: ignore[arg-type]
    with nest(p, p.dims(a)[:-1]) as index:  # type: ignore[arg-type]
        item = lambda x, k: cast(f"{p.text(x)}[{', '.join([*index, str(k)])}]", x.spec.dtype, dtype)  # noqa: E731
        for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            left, right = (f"{dtype.name}({item(a, m)} * {item(b, n)})" for m, n in ((i, j), (j, i)))
            p.emit(f"{target}[{', '.join([*index, str(k)])}] = {dtype.name}({left} - {right})")
    return True


def _trace(p: Program, node: Node) -> bool:
    """The sum of a diagonal of a matrix."""
    x, out, attrs = node.operands[0], node.outputs[0], node.attributes
    dtype, offset = out.spec.dtype, attrs["offset"]
    axes = axes_of((attrs["axis1"], attrs["axis2"]), x.spec.ndim)  # type: ignore[union-attr]
    loop = loop_of(np.add, (dtype,) * 3)
    if x.spec.ndim != 2 or axes != (0, 1) or not isinstance(offset, int) or dtype != x.spec.dtype or loop is None:  # type: ignore[union-attr]
        return False
    rows, columns = p.dims(x)  # type: ignore[arg-type]
    text, down, right = p.text(x), max(-offset, 0), max(offset, 0)  # type: ignore[arg-type]
    first = f"{down} * {text}.strides[0] + {right} * {text}.strides[1]" if offset else "0"
    count = smaller(rows, columns)
    if offset:
        down_to, right_to, name = f"{rows} - {down}" if down else rows, f"{columns} - {right}" if right else columns, p.new("count")
        p.emit(f"{name} = {smaller(down_to, right_to)}")
        count = f"({name} if {name} > 0 else 0)"
    total = p.use(f"reduce_{loop.name}", reduce_call(loop))
    p.assign(out, f"{total}({literal(0, dtype)}, {text}, {first}, {count}, {text}.strides[0] + {text}.strides[1])", "trace")
    return True


def _norm(p: Program, node: Node) -> bool:
    """The Euclidean norm: the square root of the products of vectors with themselves."""
    x, out, attrs = node.operands[0], node.outputs[0], node.attributes
    dtype, ndim, axis = out.spec.dtype, x.spec.ndim, attrs.get("axis")  # type: ignore[union-attr]
    loop = loop_of(np.vecdot, (dtype,) * 3)
    if loop is None or x.spec.dtype != dtype or dtype.kind != "f" or not ndim or not _is_euclidean(node.op.name, attrs, ndim):  # type: ignore[union-attr]
        return False
    if axis is None or ndim == 1:
        if out.spec.shape:
            return False
        flat = p.new("flat")
        p.emit(f"{flat} = {flat_of(p, x)}")
        p.assign(out, f"math.sqrt({call_loop(p, loop, [('n',), ('n',), ()], [flat, flat], [out.spec])})", "norm")
        return True
    axis = axis_of(axis, ndim)
    kept = [k for k in range(ndim) if k != axis]
    text = permuted(p, p.text(x), [*kept, axis])  # type: ignore[arg-type]
    dims = [p.dims(x)[k] for k in kept]  # type: ignore[arg-type]
    own = [*dims[:axis], "1", *dims[axis:]] if attrs["keepdims"] else dims
    target = p.assign(out, p.allocation(out.spec, own), "norm")
    p.use("reshaped", reshaped)
    into = f"reshaped({target}, ({', '.join(dims)},))" if attrs["keepdims"] else target
    p.emit(call_loop(p, loop, [("n",), ("n",), ()], [text, text, into]))
    p.use("flat_view", flat_view)
    flat = p.new("flat")
    p.emit(f"{flat} = flat_view({target})")
    with nest(p, [f"{flat}.size"]) as (i,):
        p.emit(f"{flat}[{i}] = math.sqrt({flat}[{i}])")
    return True


def _is_euclidean(name: str, attrs: Any, ndim: int) -> bool:
    """Whether a norm is that of vectors, or of matrices taken for vectors."""
    order, axis = attrs["ord"], attrs.get("axis")
    if name == "linalg.vector_norm":
        return order == 2 and (axis is None or isinstance(axis, int))
    if name == "linalg.matrix_norm":
        return order == "fro" and ndim == 2
    if isinstance(axis, int):
        return order is None or order == 2
    return axis is None and (order is None or (order == "fro" and ndim == 2) or (order == 2 and ndim == 1))


PRODUCTS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "matmul": _matmul,
    "matvec": _matvec,
    "vecmat": _vecmat,
    "vecdot": _vecdot,
    "dot": _dot,
    "inner": _inner,
    "vdot": _vdot,
    "tensordot": _tensordot,
    "outer": _outer,
    "kron": _kron,
    "cross": _cross,
    "trace": _trace,
    "linalg.norm": _norm,
    "linalg.vector_norm": _norm,
    "linalg.matrix_norm": _norm,
}
"""Products, and what is made of them."""
