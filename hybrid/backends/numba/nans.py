"""Reductions that pass over NaN, and reductions by ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.expressions import template_of
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.program import Program, literal
from hybrid.backends.numba.reduce import (
    REDUCTIONS,
    check_elements,
    cumulative,
    float_total,
    in_row,
    index_of,
    reduced,
    source_of,
)
from hybrid.ir.graph import Node

__all__ = ["NANS"]


def _is_plain(node: Node) -> bool:
    """Whether there are floats of one dtype, and neither a mask nor an initial value."""
    x, out = node.operands[0].spec, node.outputs[0].spec  # type: ignore[union-attr]
    return all(y is None for y in node.operands[1:]) and x.dtype == out.dtype and x.dtype.kind == "f" and x.dtype != HALF


def _has_no_nan(node: Node) -> bool:
    return node.operands[0].spec.dtype.kind in "biu"  # type: ignore[union-attr]


def _without(number: float, dtype: np.dtype) -> Callable[[str], str]:
    """An element, or a number in place of NaN."""
    return lambda e: f"({e} if {e} == {e} else {literal(number, dtype)})"


def _total(p: Program, node: Node) -> tuple[str, Any]:
    x, dtype = node.operands[0], node.outputs[0].spec.dtype
    source = source_of(p, node)
    return float_total(p, in_row(p, x, source, dtype, _without(0, dtype)), source, dtype), source


def _nansum(p: Program, node: Node) -> bool:
    """The sum of what isn't NaN."""
    if _has_no_nan(node):
        return REDUCTIONS["sum"](p, node)
    if not _is_plain(node):
        return False
    p.names[node.outputs[0]], _ = _total(p, node)
    return True


def _nanmean(p: Program, node: Node) -> bool:
    """The sum of what isn't NaN by its number."""
    if _has_no_nan(node):
        return REDUCTIONS["mean"](p, node)
    if not _is_plain(node):
        return False
    dtype = node.outputs[0].spec.dtype
    total, source = _total(p, node)
    count = reduced(p, source, "count", np.dtype("int64"), "0", lambda t, e: f"{t} + int64({e} == {e})")
    with nest(p, source.result) as index:
        place = index_of(total, index)
        p.emit(f"{place} = {dtype.name}(float64({place}) / float64({index_of(count, index)}))")
    p.names[node.outputs[0]] = total
    return True


def _nanprod(p: Program, node: Node) -> bool:
    """The product of what isn't NaN."""
    if _has_no_nan(node):
        return REDUCTIONS["prod"](p, node)
    if not _is_plain(node):
        return False
    dtype = node.outputs[0].spec.dtype
    change = _without(1, dtype)
    step = lambda t, e: f"{dtype.name}({t} * {change(e)})"  # noqa: E731
    p.names[node.outputs[0]] = reduced(p, source_of(p, node), "prod", dtype, literal(1, dtype), step)
    return True


def _nanextreme(name: str) -> Callable[[Program, Node], bool]:
    """The extreme of what isn't NaN; NaN if there is nothing else."""

    def lower(p: Program, node: Node) -> bool:
        if _has_no_nan(node):
            return REDUCTIONS[name](p, node)
        if not _is_plain(node):
            return False
        check_elements(p, node)
        dtype = node.outputs[0].spec.dtype
        p.names[node.outputs[0]] = reduced(
            p, source_of(p, node), name, dtype, f"{dtype.name}(nan)", lambda t, e: f"f{name}_float({t}, {e})"
        )
        return True

    return lower


def _reduce(p: Program, node: Node) -> bool:
    """Elements combined by a ufunc that has an identity."""
    x, out, name = node.operands[0].spec, node.outputs[0].spec, node.attributes["ufunc"]  # type: ignore[union-attr]
    template, identity = template_of(name, out.dtype), getattr(np, name).identity
    if name not in EXACT or template is None or x.dtype != out.dtype or any(y is not None for y in node.operands[1:]):
        return False
    start = literal(identity, out.dtype)
    made = "{0}" if out.dtype.kind == "b" else f"{out.dtype.name}({{0}})"
    step = lambda t, e: made.format(template.format(t, e))  # noqa: E731
    p.names[node.outputs[0]] = reduced(p, source_of(p, node), "reduced", out.dtype, start, step)
    return True


EXACT: Final = {"bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor", "gcd"}
"""Ufuncs that give the same in any order."""

NANS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "nansum": _nansum,
    "nanmean": _nanmean,
    "nanprod": _nanprod,
    "nanmax": _nanextreme("max"),
    "nanmin": _nanextreme("min"),
    "nancumsum": cumulative("+", 0, _without),
    "nancumprod": cumulative("*", 1, _without),
    "ufunc_reduce": _reduce,
}
"""Reductions of two kinds."""
