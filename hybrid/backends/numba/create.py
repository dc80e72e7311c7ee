"""New arrays of known content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from hybrid.backends.numba.gather import check_broadcast, value_index
from hybrid.backends.numba.indexing import check_number, is_storable, nest
from hybrid.backends.numba.native import HALF, extent
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.core.dim import Dim
from hybrid.ir.graph import Node

__all__ = ["CREATIONS"]


def _filled_with(number: int | None) -> Callable[[Program, Node], bool]:
    """Zeros, ones, or whatever the memory holds."""

    def lower(p: Program, node: Node) -> bool:
        out = node.outputs[0]
        if not out.spec.shape:
            p.names[out] = literal(number or 0, out.spec.dtype)
            return True
        if number is None:
            p.empty(out, node.op.name)
        else:
            p.filled(out, node.op.name, literal(number, out.spec.dtype) if number else None)
        return True

    return lower


def _full(p: Program, node: Node) -> bool:
    """One number everywhere, or an array spread."""
    out, value = node.outputs[0], node.operands[-1]
    spec, dtype = value.spec, out.spec.dtype  # type: ignore[union-attr]
    if not is_storable(value, dtype) or (spec.dtype.kind in "fc" and dtype.kind in "iu" and spec.weak):
        return False
    check_number(p, node, value, dtype)
    if not out.spec.shape:
        p.assign(out, p.cast(value, dtype), node.op.name)
        return True
    result = [p.dim(d) for d in out.spec.shape]
    if not spec.shape:
        p.filled(out, node.op.name, p.cast(value, dtype))
        return True
    check_broadcast(p, node, value, result)
    target = p.empty(out, node.op.name)
    with nest(p, result) as index:
        p.emit(f"{target}[{', '.join(index)}] = {cast(value_index(p, value, index, result), spec.dtype, dtype)}")
    return True


def _arange(p: Program, node: Node) -> bool:
    """Numbers in steps; floats as NumPy computes them: from the first two."""
    attrs, out = node.attributes, node.outputs[0]
    start, stop, step = attrs["start"], attrs["stop"], attrs["step"]
    if stop is None:
        start, stop = 0, start
    dtype = out.spec.dtype
    if isinstance(start, complex) or isinstance(step, complex) or dtype.kind not in "iuf" or dtype == HALF:
        return False
    name, index = p.empty(out, "arange"), p.new("i")
    if all(isinstance(n, int | Dim) and not isinstance(n, bool) for n in (start, stop, step)):
        with p.block(f"for {index} in range({name}.size):"):
            p.emit(f"{name}[{index}] = {dtype.name}({p.dim(start)} + {index} * {p.dim(step)})")
        return True
    if dtype.kind != "f" or any(isinstance(n, Dim) for n in (start, step)):
        return False
    first = np.asarray(start).astype(dtype)
    delta = (np.asarray(start + step).astype(dtype) - first).astype(dtype)
    with p.block(f"for {index} in range({name}.size):"):
        p.emit(f"{name}[{index}] = {literal(first, dtype)} + {dtype.name}({index}) * {literal(delta, dtype)}")
    return True


def _linspace(p: Program, node: Node) -> bool:
    """Numbers at equal distances between two."""
    start, stop = node.operands
    out, attrs = node.outputs[0], node.attributes
    dtype = out.spec.dtype
    kinds = {x.spec.dtype.kind for x in (start, stop)}  # type: ignore[union-attr]
    if start.spec.shape or stop.spec.shape or not kinds <= set("biuf") or dtype not in (np.float64, np.int64):  # type: ignore[union-attr]
        return False
    if any(x.spec.dtype.kind == "f" and x.spec.dtype != np.float64 for x in (start, stop)):  # type: ignore[union-attr]
        return False
    if any(isinstance(attrs[name], Dim) for name in ("endpoint", "axis")):
        return False
    a, b = (p.cast(x, np.dtype("float64")) for x in (start, stop))
    target, count, i = p.empty(out, "linspace"), p.dim(attrs["num"]), p.new("i")
    gaps, width, step = p.new("gaps"), p.new("width"), p.new("step")
    p.emit(f"{gaps} = {count}{' - 1' if attrs['endpoint'] else ''}")
    p.emit(f"{width} = {b} - {a}")
    p.emit(f"{step} = {width} / {gaps} if {gaps} > 0 else nan")
    value = f"({i} * {step} if {step} != 0 else {i} / {gaps} * {width}) + {a}"
    write = (lambda text: f"int64(np.floor({text}))") if dtype.kind == "i" else (lambda text: text)
    with p.block(f"for {i} in range({count}):"):
        p.emit(f"{target}[{i}] = {write(f'({value}) if {gaps} > 0 else {i} * {width} + {a}')}")
    if attrs["endpoint"]:
        with p.block(f"if {count} > 1:"):
            p.emit(f"{target}[{count} - 1] = {write(b)}")
    return True


def _eye(p: Program, node: Node) -> bool:
    """Ones on a diagonal."""
    out, k = node.outputs[0], node.attributes["k"]
    name = p.filled(out, "eye")
    index = p.new("i")
    rows, columns = p.dims(out)
    with p.block(f"for {index} in range({rows}):"), p.block(f"if 0 <= {index} + {p.dim(k)} < {columns}:"):
        p.emit(f"{name}[{index}, {index} + {p.dim(k)}] = 1")
    return True


def _dimension(p: Program, node: Node) -> bool:
    """A size as a number."""
    x, out = node.operands[0], node.outputs[0]
    text = p.dims(x)[node.attributes["axis"]]  # type: ignore[arg-type]
    if text.isdigit():
        p.names[out] = text
        return True
    name = p.assign(out, text, "size")
    p.ranges[name] = (0, MOST_ELEMENTS)
    p.below[name] = {text: 0}
    return True


def _extent(p: Program, node: Node) -> bool:
    """A number as a size."""
    text = p.cast(node.operands[0], np.dtype("int64"))
    if p.ranges.get(text, (-1, 0))[0] < 0:
        p.guard(f"{text} < 0", node)
    p.use("extent", extent)
    p.assign(node.outputs[0], f"extent({text})", "extent")
    p.sizes[str(node.outputs[0].spec.shape[0])] = text
    return True


def _item(p: Program, node: Node) -> bool:
    """The only element as a Python number."""
    x, out = node.operands[0], node.outputs[0]
    if x.spec.dtype == np.uint64:  # type: ignore[union-attr]
        return False
    text = f"{p.text(x)}[{', '.join(['0'] * x.spec.ndim)}]" if x.spec.shape else p.text(x)  # type: ignore[union-attr]
    p.assign(out, cast(text, x.spec.dtype, out.spec.dtype), "item")  # type: ignore[union-attr]
    return True


MOST_ELEMENTS: Final = 2**48
"""More elements than an array can have."""


def _tri(p: Program, node: Node) -> bool:
    """Ones on and below a diagonal."""
    out, k = node.outputs[0], node.attributes["k"]
    target = p.empty(out, "tri")
    dtype = out.spec.dtype
    if dtype == HALF:
        return False
    with nest(p, p.dims(out)) as (i, j):
        p.emit(f"{target}[{i}, {j}] = {cast(f'({j} <= {i} + {p.dim(k)})', np.dtype('bool'), dtype)}")
    return True


def _indices(p: Program, node: Node) -> bool:
    """The positions of a grid, an array for each axis; each alone if they are to be sparse."""
    if any(out.spec.dtype.kind not in "iuf" or out.spec.dtype == HALF for out in node.outputs):
        return False
    if node.attributes["sparse"]:
        for k, out in enumerate(node.outputs):
            target, i = p.empty(out, "indices"), p.new("i")
            place = ", ".join(i if a == k else "0" for a in range(out.spec.ndim))
            with p.block(f"for {i} in range({p.dims(out)[k]}):"):
                p.emit(f"{target}[{place}] = {cast(i, np.dtype('int64'), out.spec.dtype)}")
        return True
    out = node.outputs[0]
    target = p.empty(out, "indices")
    with nest(p, p.dims(out)[1:]) as index:
        for k, i in enumerate(index):
            p.emit(f"{target}[{', '.join([str(k), *index])}] = {cast(i, np.dtype('int64'), out.spec.dtype)}")
    return True


CREATIONS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "zeros": _filled_with(0),
    "ones": _filled_with(1),
    "empty": _filled_with(None),
    "zeros_like": _filled_with(0),
    "ones_like": _filled_with(1),
    "empty_like": _filled_with(None),
    "full": _full,
    "full_like": _full,
    "arange": _arange,
    "linspace": _linspace,
    "tri": _tri,
    "indices": _indices,
    "eye": _eye,
    "dimension": _dimension,
    "extent": _extent,
    "item": _item,
}
