"""Which operations can fail at run time: they stay in a graph though nobody needs their results, and ``try`` is staged for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from hybrid.core.operators import Operators
from hybrid.ir.graph import Graph, Node

__all__ = ["is_kept", "may_fail", "never_fails"]

NUMBERS: Final = frozenset(
    {"add", "sub", "mul", "neg", "pos", "abs", "invert", "and_", "or_", "xor", "eq", "ne", "lt", "le", "gt", "ge", "not_", "truth", "bool",
     "max", "min", "choose"}
)  # fmt: skip
"""Functions of Python numbers that never raise."""

ARRAYS: Final = frozenset(
    {"add", "subtract", "multiply", "divide", "negative", "abs", "positive", "equal", "not_equal", "less", "less_equal", "greater",
     "greater_equal", "logical_and", "logical_or", "logical_not", "sqrt", "exp", "log", "sin", "cos", "tanh", "sum", "any", "all", "empty",
     "zeros", "ones", "zeros_like", "ones_like", "astype", "copy", "where", "maximum", "minimum", "permute_dims"}
)  # fmt: skip
"""Operations on arrays that never raise where all sizes are known."""

QUIET: Final = frozenset({"checkpoint", "half_done", "left_half_done", "print_text"})


OVERFLOWING: Final = frozenset({"add", "sub", "mul", "neg", "abs"})
"""Functions of Python numbers of which native code raises for integers of more than 64 bits."""

LOOKUPS: Final = frozenset({"getitem", "setitem", "take", "item", "delete", "insert"})
"""Operations that fail for what isn't there."""


def is_kept(node: Node) -> bool:
    """Whether an operation must stay though nobody needs its results, since it may raise for what a user's program gives it."""
    if node.op.name == "call_python":
        return may_fail(node)
    return node.op.name in LOOKUPS and len(list(node.inputs)) > 1


def never_fails(name: str, attributes: Mapping[str, Any], operands: Sequence[Any]) -> bool:
    """Whether an operation that is about to be written down can't raise when it runs."""
    if name == "call_python":
        return attributes["function"] in NUMBERS - OVERFLOWING
    arrays = (x for x in operands if isinstance(x, Operators | np.ndarray))
    return name in QUIET or (name in ARRAYS and all(isinstance(size, int) for x in arrays for size in x.shape))


def may_fail(node: Node) -> bool:
    """Whether an operation can raise when it runs."""
    attributes: dict[str, Any] = dict(node.attrs)
    graphs = [value for value in attributes.values() if isinstance(value, Graph)]
    if node.op.name in ("cond", "while_loop", "for_range"):
        return any(may_fail(inner) for graph in graphs for inner in graph.nodes)
    if node.op.name == "call_python":
        return attributes["function"] not in NUMBERS
    if node.op.name in QUIET:
        return False
    if node.op.name == "item":
        return not all(isinstance(size, int) for leaf in node.inputs for size in leaf.spec.shape)
    is_known = all(isinstance(size, int) for leaf in (*node.inputs, *node.outputs) for size in leaf.spec.shape)
    return not (node.op.name in ARRAYS and is_known)
