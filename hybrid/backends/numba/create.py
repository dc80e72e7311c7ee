"""New arrays of known content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from hybrid.backends.numba.native import extent
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.core.dim import Dim
from hybrid.ir.graph import Const, Node

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
    """One number everywhere."""
    out, value = node.outputs[0], node.operands[-1]
    if not isinstance(value, Const) and value.spec.shape:  # type: ignore[union-attr]
        return False
    if value.spec.shape or (value.spec.weak and out.spec.dtype.kind in "iu" and out.spec.dtype != "int64"):  # type: ignore[union-attr]
        return False
    if value.spec.dtype.kind == "f" and out.spec.dtype.kind in "iu":  # type: ignore[union-attr]
        return False
    text = cast(p.text(value), value.spec.dtype, out.spec.dtype)  # type: ignore[union-attr]
    if not out.spec.shape:
        p.assign(out, text, node.op.name)
        return True
    p.filled(out, node.op.name, text)
    return True


def _arange(p: Program, node: Node) -> bool:
    """Integers in steps; floats as NumPy computes them: from the first two."""
    attrs, out = node.attributes, node.outputs[0]
    start, stop, step = attrs["start"], attrs["stop"], attrs["step"]
    if stop is None:
        start, stop = 0, start
    if not all(isinstance(n, int | Dim) and not isinstance(n, bool) for n in (start, stop, step)) or out.spec.dtype.kind not in "iuf":
        return False
    name = p.empty(out, "arange")
    index = p.new("i")
    with p.block(f"for {index} in range({name}.size):"):
        p.emit(f"{name}[{index}] = {out.spec.dtype.name}({p.dim(start)} + {index} * {p.dim(step)})")
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
    "eye": _eye,
    "dimension": _dimension,
    "extent": _extent,
    "item": _item,
}
