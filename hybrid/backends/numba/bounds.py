"""What is known of integers before the program runs: enough to leave checks out of loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hybrid.backends.numba.program import Program
from hybrid.ir.graph import Const, Graph, Node, Value

__all__ = ["is_below", "is_counter", "learn_arithmetic", "learn_counter", "learn_index", "range_of"]

LEAST: Final = -(2**63)
MOST: Final = 2**63 - 1
COUNTED: Final = 2**62
"""No loop has so many rounds."""

STEP: Final = 1024
"""What a counter may grow by in a round."""


def range_of(p: Program, text: str) -> tuple[int, int] | None:
    """The least and the greatest number that a text can stand for, if something is known."""
    number = text.strip("()")
    if number.lstrip("-").isdigit():
        return int(number), int(number)
    return (0, 1) if text in ("True", "False") else p.ranges.get(text)


def uppers(p: Program, text: str) -> dict[str, int]:
    """Texts and offsets: the number is at most the other number plus the offset."""
    return {text: 0} | p.below.get(text, {})


def is_below(p: Program, text: str, dim: str) -> bool:
    """Whether a number is less than a size for sure."""
    known = range_of(p, text)
    if dim.isdigit() and known and known[1] < int(dim):
        return True
    return any(base == dim and offset < 0 for base, offset in uppers(p, text).items())


def learn_arithmetic(p: Program, node: Node, texts: Sequence[str], name: str) -> None:
    """Remember what an addition or subtraction of a constant says about its result."""
    function = node.attributes["function"]
    sign = {"add": 1, "sub": -1}.get(function)
    if sign is None or node.outputs[0].spec.dtype.kind != "i" or not name.isidentifier():
        return
    x, c = node.operands
    text = texts[0]
    if function == "add" and isinstance(x, Const):
        x, c, text = c, x, texts[1]
    if not isinstance(c, Const):
        return
    step = sign * int(c.value)
    p.below[name] = {base: offset + step for base, offset in uppers(p, text).items()}
    low, high = range_of(p, text) or (LEAST, MOST)
    p.ranges[name] = max(low + step, LEAST), min(high + step, MOST)


def learn_index(p: Program, index: str, bounds: Sequence[Any], texts: Sequence[str]) -> None:
    """Remember what a range says about its numbers."""
    step = bounds[2]
    if not isinstance(step, Const) or step.value == 0:
        known = range_of(p, texts[2])
        if known is None or known[0] < 1:
            return
    rises = not isinstance(step, Const) or step.value > 0
    low, high = (texts[0], texts[1]) if rises else (texts[1], texts[0])
    least, most = (range_of(p, low) or (LEAST, 0))[0], (range_of(p, high) or (0, MOST))[1]
    p.ranges[index] = (least, most - 1) if rises else (least + 1, most)
    p.below[index] = {base: offset - rises for base, offset in uppers(p, high).items()}


def learn_counter(p: Program, name: str, start: str, body: Graph, j: int, first: int) -> None:
    """Remember that a carried integer only grows by little steps, or only shrinks."""
    value = body.inputs[first + j]
    known = range_of(p, start)
    if known is None or value.spec.dtype != "int64" or value.spec.shape:
        return
    steps = counter_steps(body, body.outputs[j], value)
    if steps is not None:
        low, high = known
        p.ranges[name] = (low if min(steps) >= 0 else -COUNTED, high if max(steps) <= 0 else COUNTED)


def is_counter(body: Graph, output: Any, value: Value) -> bool:
    """Whether a result of a round is an input of it, changed by at most a little step."""
    return counter_steps(body, output, value) is not None


def counter_steps(graph: Graph, output: Any, value: Value) -> set[int] | None:
    """The steps by which a result differs from an input, or ``None`` if it does in another way."""
    if output is value:
        return {0}
    node = next((n for n in graph.nodes if output in n.outputs), None)
    if node is None:
        return None
    if node.op.name == "cond":
        return _joined([_arm_steps(node, name, node.outputs.index(output), graph, value) for name in ("then", "orelse")])
    if node.op.name != "call_python":
        return None
    function = node.attributes["function"]
    if function == "choose":
        return _joined([counter_steps(graph, x, value) for x in node.operands[1:]])
    sign = {"add": 1, "sub": -1}.get(function)
    if sign is None or not isinstance(node.operands[1], Const) or abs(node.operands[1].value) > STEP:
        return None
    inner = counter_steps(graph, node.operands[0], value)
    return None if inner is None else {step + sign * int(node.operands[1].value) for step in inner}


def _arm_steps(node: Node, name: str, i: int, graph: Graph, value: Value) -> set[int] | None:
    arm = node.attributes[name]
    output = arm.outputs[i]
    for inside, outside in zip(arm.inputs, node.operands[1:], strict=True):
        found = counter_steps(arm, output, inside)
        if found is not None:
            outer = counter_steps(graph, outside, value)
            return None if outer is None else {a + b for a in found for b in outer}
    return None


def _joined(steps: Sequence[set[int] | None]) -> set[int] | None:
    return None if None in steps else set().union(*steps)  # type: ignore[arg-type]
