"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hybrid.backends.numba.native import flat_view
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.ir.graph import Node

__all__ = ["REDUCTIONS"]


def _sum(p: Program, node: Node) -> bool:
    """The sum of all elements: of floats pairwise, as NumPy adds."""
    x, out = node.operands[0], node.outputs[0]
    if any(y is not None for y in node.operands[1:]) or out.spec.shape or not x.spec.shape or x in p.views:  # type: ignore[union-attr]
        return False
    dtype = out.spec.dtype
    if dtype != x.spec.dtype and dtype.kind in "fc":  # type: ignore[union-attr]
        return False
    p.use("flat_view", flat_view)
    flat = p.new("flat")
    p.emit(f"{flat} = flat_view({p.text(x)})")
    if dtype.kind in "fc":
        p.assign(out, f"pairwise({flat}, {literal(0, dtype)}, 0, {flat}.size)", "sum")
        return True
    total = p.assign(out, literal(0, dtype), "sum")
    with p.block(f"for item in {flat}:"):
        p.emit(f"{total} += {cast('item', x.spec.dtype, dtype)}")  # type: ignore[union-attr]
    return True


REDUCTIONS: Final[dict[str, Callable[[Program, Node], bool]]] = {"sum": _sum}
