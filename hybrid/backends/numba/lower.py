"""From operations to lines: the table of lowerings, and the fallback for what is not in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hybrid.backends.numba.algebra import ALGEBRA
from hybrid.backends.numba.along import ALONG
from hybrid.backends.numba.control import lower_cond, lower_fail, lower_for, lower_half_done, lower_while
from hybrid.backends.numba.create import CREATIONS
from hybrid.backends.numba.einsum import EINSUM
from hybrid.backends.numba.elementwise import lower_elementwise
from hybrid.backends.numba.gather import GATHERS
from hybrid.backends.numba.growing import GROWING
from hybrid.backends.numba.interpolation import INTERPOLATION
from hybrid.backends.numba.masks import MASKS
from hybrid.backends.numba.moves import MOVES
from hybrid.backends.numba.nans import NANS
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.numerical import NUMERICAL
from hybrid.backends.numba.products import PRODUCTS
from hybrid.backends.numba.program import Program
from hybrid.backends.numba.python_numbers import lower_call_python
from hybrid.backends.numba.reduce import REDUCTIONS
from hybrid.backends.numba.routines import lower_call
from hybrid.backends.numba.shapes import SHAPES
from hybrid.backends.numba.sorting import SORTING
from hybrid.backends.numba.writes import WRITES
from hybrid.ir.graph import Node, leaves_of

__all__ = ["lower"]

BLOCKS: Final[dict[str, Callable[..., None]]] = {
    "cond": lower_cond,
    "while_loop": lower_while,
    "for_range": lower_for,
    "fail": lower_fail,
    "half_done": lower_half_done,
    "call": lower_call,
}
"""Operations that are written as blocks, around the lines of other operations."""

COMPUTES: Final = {"matmul", "dot", "outer", "extract", "compress", "nonzero", "flatnonzero", "argwhere"}
"""Operations among those that move elements that look at their values."""

CALLS: Final = {"host", "print_text", "reraise", "checkpoint", "left_half_done"}
"""Operations that are calls of Python by nature."""

LOWERINGS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "call_python": lower_call_python,
    **CREATIONS,
    **REDUCTIONS,
    **NANS,
    **SHAPES,
    **GATHERS,
    **ALONG,
    **MASKS,
    **MOVES,
    **WRITES,
    **PRODUCTS,
    **ALGEBRA,
    **SORTING,
    **NUMERICAL,
    **EINSUM,
    **INTERPOLATION,
    **GROWING,
}
"""Operations with native programs of their own; each says whether it wrote anything for the dtypes and attributes at hand."""


def lower(p: Program, node: Node) -> None:
    """Write one operation: as a block, natively, as an element-wise expression, or as a call of its kernel."""
    name = node.op.name
    if name in BLOCKS:
        BLOCKS[name](p, node, lower)
    elif (_is_half(node) and not _only_moves(node)) or not (LOWERINGS[name](p, node) if name in LOWERINGS else lower_elementwise(p, node)):
        if name not in CALLS:
            p.kernels.append(node)
        p.call_kernel(node)


def _only_moves(node: Node) -> bool:
    """Whether elements are copied as they are, from arrays to arrays: then it doesn't matter what their bits mean."""
    values = (*leaves_of(node.operands), *node.outputs)
    return node.op.name in {*SHAPES, *MOVES, *MASKS, "take", "take_along_axis", "getitem"} - COMPUTES and all(
        bool(x.spec.shape) for x in values if x.spec.dtype == HALF
    )


def _is_half(node: Node) -> bool:
    """Whether float16 occurs: such operations run through their kernels."""
    return any(x.spec.dtype == HALF for x in (*node.inputs, *node.outputs))
