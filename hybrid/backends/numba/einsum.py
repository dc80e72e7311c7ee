"""Sums of products of two arrays: axes are brought into the order of a stack of matrix products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.gufuncs import call_loop, converted, different, fast_or_kernel, permuted
from hybrid.backends.numba.loops import loop_of
from hybrid.backends.numba.native import reshaped
from hybrid.backends.numba.program import Program
from hybrid.core.spec import Spec
from hybrid.ir.graph import Node
from hybrid.ops.einsum import parsed

__all__ = ["EINSUM"]

Labels = Sequence[str | int]


def _einsum(p: Program, node: Node) -> bool:
    """Labels of both operands are summed or stacked; those of one are rows or columns."""
    out, attrs = node.outputs[0], node.attributes
    loop = loop_of(np.matmul, (out.spec.dtype,) * 3)
    if len(node.operands) != 2 or loop is None or attrs["dtype"] is not None:
        return False
    a, b = node.operands
    inputs, output = parsed(attrs["subscripts"], [x.spec.ndim for x in (a, b)])  # type: ignore[union-attr]
    stack, rows = [[x for x in output if x in inputs[0] and (x in inputs[1]) is is_shared] for is_shared in (True, False)]
    columns = [x for x in output if x not in inputs[0]]
    summed = [x for x in inputs[0] if x in inputs[1] and x not in output]
    orders = [*stack, *rows, *summed], [*stack, *summed, *columns]
    if any(sorted(map(str, x)) != sorted(map(str, order)) or not x for x, order in zip(inputs, orders, strict=True)):
        return False  # a label occurs twice in an operand, or is summed in one alone
    sizes: dict[Any, str] = {}
    pairs = [pair for x, labels in zip((a, b), inputs, strict=True) for pair in zip(labels, p.dims(x), strict=True)]  # type: ignore[arg-type]
    conditions = different([(size, sizes.setdefault(label, size)) for label, size in pairs])
    if any(text.replace(" != ", "").isdigit() for text in conditions):
        return False  # a size of 1 that is repeated
    name = p.new("einsum")

    def fast() -> None:
        groups = [(stack, rows, summed), (stack, summed, columns)]
        texts = [_matrices(p, x, out.spec.dtype, labels, parts, sizes) for x, labels, parts in zip((a, b), inputs, groups, strict=True)]
        made = [*stack, *rows, *columns]
        result, product = p.new("products"), p.new("product")
        p.emit(f"{product} = {p.allocation(Spec(out.spec.dtype, (1, 1, 1)), [_count(part, sizes) for part in (stack, rows, columns)])}")
        p.emit(call_loop(p, loop, [("n", "k"), ("k", "m"), ("n", "m")], [*texts, product]))
        if not made:
            p.emit(f"{name} = {product}[0, 0, 0]")
            return
        p.emit(f"{result} = reshaped({product}, ({', '.join(sizes[x] for x in made)},))")
        is_ordered = made == list(output)
        p.emit(f"{name} = {result if is_ordered else f'copied({permuted(p, result, [made.index(x) for x in output])})'}")

    fast_or_kernel(p, node, conditions, [name], fast)
    p.names[out] = name
    return True


def _count(labels: Labels, sizes: dict[Any, str]) -> str:
    return " * ".join(sizes[x] for x in labels) or "1"


def _matrices(p: Program, x: Any, dtype: np.dtype, labels: Labels, parts: Sequence[Labels], sizes: dict[Any, str]) -> str:
    """The text of an operand as a stack of matrices, with an axis for each group of labels."""
    p.use("reshaped", reshaped)
    order = [list(labels).index(label) for part in parts for label in part]
    text, name = permuted(p, converted(p, x, dtype), order), p.new("matrices")
    p.emit(f"{name} = reshaped(in_order({text}), ({', '.join(_count(part, sizes) for part in parts)}))")
    return name


EINSUM: Final[dict[str, Callable[[Program, Node], bool]]] = {"einsum": _einsum}
"""Sums of products."""
