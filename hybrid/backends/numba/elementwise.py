"""Element-wise operations: one expression for scalars, one nest of loops for a group of operations on arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hybrid.backends.numba.expressions import Expression, expression_of
from hybrid.backends.numba.gufuncs import call_loop
from hybrid.backends.numba.native import flat_view
from hybrid.backends.numba.program import Program
from hybrid.ir.graph import Graph, Node, Value
from hybrid.passes.buffers import LOOPS, Plan

__all__ = ["element", "fused_values", "leaves", "loop_over", "lower_elementwise"]


def fused_values(graph: Graph, plan: Plan) -> dict[Value, Node]:
    """The arrays that are never made: each is one operand of an element-wise operation of the same shape, soon after."""
    uses = Counter(x for node in graph.nodes for x in node.inputs)
    uses.update(graph.outputs)
    makers: dict[Any, tuple[int, Node]] = {}
    found: dict[Value, Node] = {}
    barrier = -1
    for position, node in enumerate(graph.nodes):
        if node.op.effects or node in plan.in_place or node.op.name in LOOPS or node.op.name == "cond":
            barrier = position
        expression = expression_of(node)
        if expression is None or not _is_sure(node):
            continue
        out = node.outputs[0]
        stands_alone = _is_better_whole(node, expression)
        for x in node.inputs:
            made = makers.get(x)
            if not stands_alone and made and made[0] > barrier and uses[x] == 1 and x.spec.shape == out.spec.shape:
                found[x] = made[1]
        if out.spec.shape and not expression.guards and not stands_alone:
            makers[out] = position, node
    return found


def _is_better_whole(node: Node, expression: Expression) -> bool:
    """Whether NumPy's loop over whole arrays is faster than the same function of one number after the other, and nearer to its results."""
    return expression.loop is not None and bool(node.outputs[0].spec.shape) and node.op.name not in FUSED_PRODUCTS


FUSED_PRODUCTS: Final = {"multiply", "divide", "square"}
"""Operations on complex numbers that are as good one by one."""


def lower_elementwise(p: Program, node: Node) -> bool:
    """Write an element-wise operation, if there is an expression for it."""
    expression = expression_of(node)
    if expression is None:
        return False
    out = node.outputs[0]
    if out in p.fused:
        return True
    if not out.spec.shape:
        _check_group(p, node)
        p.namespace.update(expression.names)
        text = expression.text([p.text(x) for x in node.inputs])
        if text.isidentifier():
            p.names[out] = text
        else:
            p.assign(out, text, node.op.name)
        return True
    _check_group(p, node)
    target = p.names[out] = p.new(node.op.name)
    conditions = _mismatches(p, node)
    if not conditions:
        _write_loops(p, node, target)
        return True
    with p.block(f"if {' or '.join(conditions)}:"):
        p.kernel_value(node, [target])
    with p.block("else:"):
        _write_loops(p, node, target)
    return True


def _write_loops(p: Program, node: Node, target: str) -> None:
    out = node.outputs[0]
    p.emit(f"{target} = {p.allocation(out.spec)}")
    arrays = [x for x in leaves(p, node) if x.spec.shape]
    is_flat = out.spec.ndim > 1 and all(x.spec.shape == out.spec.shape and x not in p.views for x in arrays)
    if _call_whole(p, node, target, is_flat):
        return
    with loop_over(p, out, [out, *arrays], is_flat) as (index, names):
        p.emit(f"{names[out]}[{', '.join(index)}] = {element(p, node, index, names)}")


def _call_whole(p: Program, node: Node, target: str, is_flat: bool) -> bool:
    """Write a call of NumPy's loop for whole arrays, if an operation stands alone and the arrays have the dtypes."""
    expression = expression_of(node)
    loop = expression and expression.loop
    if loop is None or any(x in p.fused for x in node.inputs):
        return False
    if any(x.spec.shape and x.spec.dtype != dtype for x, dtype in zip(node.operands, loop.dtypes, strict=False)):  # type: ignore[union-attr]
        return False
    texts = [p.text(x) if x.spec.shape else p.cast(x, dtype) for x, dtype in zip(node.operands, loop.dtypes, strict=False)]  # type: ignore[union-attr,arg-type]
    if is_flat:
        flat = p.use("flat_view", flat_view) and "flat_view"
        texts, target = [f"{flat}({t})" if x.spec.shape else t for t, x in zip(texts, node.operands, strict=True)], f"{flat}({target})"  # type: ignore[union-attr]
    p.emit(call_loop(p, loop, [()] * len(loop.dtypes), [*texts, target]))
    return True


def leaves(p: Program, node: Node) -> Iterator[Any]:
    """The operands of a group of operations that ends in a node."""
    for x in node.inputs:
        if x in p.fused:
            yield from leaves(p, p.fused[x])
        else:
            yield x


def _check_group(p: Program, node: Node) -> None:
    """Fail where numbers don't fit, in the order of the operations."""
    for x in node.inputs:
        if x in p.fused:
            _check_group(p, p.fused[x])
    expression = expression_of(node)
    assert expression is not None
    for condition in expression.guards:
        p.guard(condition([p.text(x) for x in node.inputs]), node)


def _is_sure(node: Node) -> bool:
    """Whether the sizes of the operands fit for sure."""
    shape = node.outputs[0].spec.shape
    return all(d in (1, wanted) for x in node.inputs for d, wanted in zip(x.spec.shape[::-1], shape[::-1], strict=False))


def _mismatches(p: Program, node: Node) -> list[str]:
    """Conditions under which sizes that the graph takes for equal are not."""
    out, found = node.outputs[0], []
    for x in node.inputs:
        offset = out.spec.ndim - x.spec.ndim
        for k, dim in enumerate(x.spec.shape):
            wanted = out.spec.shape[offset + k]
            if dim not in (1, wanted) and (texts := (p.dims(x)[k], p.dim(wanted)))[0] != texts[1]:
                found.append(" != ".join(texts))
    return list(dict.fromkeys(found))


class loop_over:
    """A nest of loops over the elements of an array: gives the texts of the index, and of each array as it is indexed there."""

    def __init__(self, p: Program, shape: Value, arrays: Sequence[Any], is_flat: bool = False):
        self._p, self._shape, self._arrays, self._is_flat = p, shape, arrays, is_flat
        self._blocks: list[Any] = []

    def __enter__(self) -> tuple[list[str], dict[Any, str]]:
        p = self._p
        names = {x: p.text(x) for x in self._arrays if x not in p.windows}
        if self._is_flat:
            p.use("flat_view", flat_view)
            for x in dict.fromkeys(self._arrays):
                flat = p.new("flat")
                p.emit(f"{flat} = flat_view({names[x]})")
                names[x] = flat
            dims = [f"{names[self._shape]}.size"]
        else:
            dims = p.dims(self._shape)
        index = [p.new("i") for _ in dims]
        for i, dim in zip(index, dims, strict=True):
            block = p.block(f"for {i} in range({dim}):")
            block.__enter__()
            self._blocks.append(block)
        return index, names

    def __exit__(self, *error: Any) -> None:
        for block in reversed(self._blocks):
            block.__exit__(*error)


def element(p: Program, node: Node, index: Sequence[str], names: dict[Any, str]) -> str:
    """The text of the element of a group of operations at an index; writes the lines for those inside the group."""
    expression = expression_of(node)
    assert expression is not None
    p.namespace.update(expression.names)
    texts = []
    for x in node.inputs:
        if x in p.fused:
            name = p.new(p.fused[x].op.name)
            p.emit(f"{name} = {element(p, p.fused[x], index, names)}")
            texts.append(name)
        else:
            texts.append(item_of(p, x, index, names))
    return expression.text(texts)


def item_of(p: Program, x: Any, index: Sequence[str], names: dict[Any, str]) -> str:
    """The text of an array's element at an index of the shape it broadcasts to."""
    if not x.spec.shape:
        return p.text(x)
    if len(index) == 1:
        own = ["0" if x.spec.shape == (1,) else index[0]]
    else:
        own = ["0" if d == 1 else i for d, i in zip(x.spec.shape, index[len(index) - x.spec.ndim :], strict=True)]
    return p.item(x, own) if x in p.windows else f"{names[x]}[{', '.join(own)}]"
