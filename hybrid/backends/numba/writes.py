"""Writing into arrays other than by an index: by position, where a mask holds, along a diagonal, and by a ufunc."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.along import within
from hybrid.backends.numba.expressions import template_of
from hybrid.backends.numba.gather import check_broadcast, value_index, write_selection
from hybrid.backends.numba.indexing import check_number, is_storable, nest, target_of
from hybrid.backends.numba.masks import flattened
from hybrid.backends.numba.native import HALF, flat_view
from hybrid.backends.numba.program import Program, cast
from hybrid.ir.graph import Node

__all__ = ["WRITES"]

BOOL: Final = np.dtype("bool")


def _is_writable(node: Node, value: Any) -> bool:
    """Whether the operand has axes, and native code casts the value as NumPy does."""
    return bool(node.operands[0].spec.shape) and is_storable(value, node.operands[0].spec.dtype)  # type: ignore[union-attr]


def _cycled(p: Program, value: Any, dtype: np.dtype) -> tuple[Callable[[str], str], str]:
    """What gives the text of the value for a count, beginning anew after the last, and the text of how many there are."""
    if not value.spec.shape:
        return lambda n: p.cast(value, dtype), "1"
    flat = flattened(p, value)
    return lambda n: cast(f"{flat}[{n} % {flat}.size]", value.spec.dtype, dtype), f"{flat}.size"


def _size(p: Program, x: Any) -> str:
    return f"{p.text(x)}.size" if x.spec.shape else "1"


def _copyto(p: Program, node: Node) -> bool:
    """Values everywhere, or where a mask holds."""
    x, value, where = node.operands
    if not _is_writable(node, value):
        return False
    dims, dtype = p.dims(x), x.spec.dtype  # type: ignore[union-attr, arg-type]
    check_number(p, node, value, dtype)
    check_broadcast(p, node, value, dims)
    if where is not None:
        check_broadcast(p, node, where, dims)
    target = target_of(p, node)
    with nest(p, dims) as index:
        line = f"{target}[{', '.join(index)}] = {cast(value_index(p, value, index, dims), value.spec.dtype, dtype)}"  # type: ignore[union-attr]
        if where is None:
            p.emit(line)
        else:
            with p.block(f"if {value_index(p, where, index, dims)}:"):
                p.emit(line)
    p.names[node.outputs[0]] = target
    return True


def _masked(is_counted: bool) -> Callable[[Program, Node], bool]:
    """Values in a row where a mask holds: the value for each place is the one of its number among all, or among those that count."""

    def lower(p: Program, node: Node) -> bool:
        x, mask, value = node.operands
        dtype = x.spec.dtype  # type: ignore[union-attr]
        if not _is_writable(node, value) or not mask.spec.shape or mask.spec.dtype == HALF:  # type: ignore[union-attr]
            return False
        check_number(p, node, value, dtype)
        chosen, at, n = flattened(p, mask), p.new("at"), p.new("n")
        if mask.spec.shape != x.spec.shape:  # type: ignore[union-attr]
            p.guard(f"{chosen}.size != {p.text(x)}.size", node)  # type: ignore[arg-type]
        item, count = _cycled(p, value, dtype)
        holds = cast(f"{chosen}[{at}]", mask.spec.dtype, BOOL)  # type: ignore[union-attr]
        if is_counted and count != "1":
            with p.block(f"if {count} == 0:"), p.block(f"for {at} in range({chosen}.size):"):
                p.guard(holds, node)
        target = target_of(p, node)
        p.emit(f"{at} = 0")
        p.emit(f"{n} = 0")
        with nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
            with p.block(f"if {holds}{'' if count == '1' else f' and {count} > 0'}:"):
                p.emit(f"{target}[{', '.join(index)}] = {item(n if is_counted else at)}")
                p.emit(f"{n} += 1")
            p.emit(f"{at} += 1")
        p.names[node.outputs[0]] = target
        return True

    return lower


def _put(p: Program, node: Node) -> bool:
    """Values to positions counted through all elements in a row."""
    x, indices, value = node.operands
    dtype, mode = x.spec.dtype, node.attributes["mode"]  # type: ignore[union-attr]
    if not _is_writable(node, value) or x in p.views or indices.spec.dtype.kind not in "iu":  # type: ignore[union-attr]
        return False
    check_number(p, node, value, dtype)
    item, count = _cycled(p, value, dtype)
    wanted = p.dims(indices)  # type: ignore[arg-type]
    size = f"{p.text(x)}.size"
    p.guard(f"{size} == 0 and {_size(p, indices)} != 0", node)
    target, flat, n = target_of(p, node), p.new("flat"), p.new("n")
    p.emit(f"{flat} = flat_view({target})")
    p.emit(f"{n} = 0")
    p.use("flat_view", flat_view)
    with ExitStack() as stack:
        if count != "1":
            stack.enter_context(p.block(f"if {count} > 0:"))
        index = stack.enter_context(nest(p, wanted))
        at = within(p, node, indices, ", ".join(index), size, mode)
        p.emit(f"{flat}[{at}] = {item(n)}")
        p.emit(f"{n} += 1")
    p.names[node.outputs[0]] = target
    return True


def _fill_diagonal(p: Program, node: Node) -> bool:
    """Values to the elements whose positions are the same along all axes."""
    x, value = node.operands
    dtype = x.spec.dtype  # type: ignore[union-attr]
    if not _is_writable(node, value) or node.attributes["wrap"]:
        return False
    check_number(p, node, value, dtype)
    dims = p.dims(x)  # type: ignore[arg-type]
    if len(dims) > 2 and (bad := [f"{d} != {dims[0]}" for d in dims[1:] if d != dims[0]]):
        p.guard(" or ".join(bad), node)
    item, count = _cycled(p, value, dtype)
    target, i = target_of(p, node), p.new("i")
    with p.block(f"for {i} in range(min({', '.join(dims)}) if {count} > 0 else 0):"):
        p.emit(f"{target}[{', '.join([i] * len(dims))}] = {item(i)}")
    p.names[node.outputs[0]] = target
    return True


def _at(p: Program, node: Node) -> bool:
    """Each selected element combined with its value, as often as it is selected."""
    x, value, *indices = node.operands
    dtype = x.spec.dtype  # type: ignore[union-attr]
    if value is None or not x.spec.shape or (value.spec.weak and dtype not in (np.int64, np.float64)):  # type: ignore[union-attr]
        return False
    ufunc = getattr(np, node.attributes["ufunc"])
    dtypes = ufunc.resolve_dtypes((dtype, value.spec.promotes_as, None), casting="unsafe")  # type: ignore[union-attr]
    template = template_of(node.attributes["ufunc"], dtypes[0])
    if template is None or HALF in (dtype, *dtypes) or len(set(dtypes)) > 1 or dtypes[0].kind not in "iufb":
        return False
    if dtypes[0] != dtype and (dtypes[0].kind in "fc") != (dtype.kind in "fc"):
        return False

    def combine(old: str, item: str) -> str:
        made = template.format(cast(old, dtype, dtypes[0]), cast(item, value.spec.dtype, dtypes[1]), dtype=dtypes[0].name)  # type: ignore[union-attr]
        return cast(made, dtypes[0], dtype) if dtypes[0] != dtype else made if dtype.kind == "b" else f"{dtype.name}({made})"

    return write_selection(p, node, value, indices, combine)


WRITES: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "copyto": _copyto,
    "putmask": _masked(False),
    "place": _masked(True),
    "put": _put,
    "fill_diagonal": _fill_diagonal,
    "ufunc_at": _at,
}
"""Operations that change an array."""
