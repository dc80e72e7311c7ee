"""Graphs that call themselves: each becomes a native function of its own, beside that of the program."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from hybrid._util.deep import frames_left
from hybrid.backends.numba.control import write_graph
from hybrid.backends.numba.native import HALF, host_call, native_type, null_result
from hybrid.backends.numba.program import Program
from hybrid.control.call import TOO_DEEP
from hybrid.core.spec import Spec
from hybrid.ir.graph import Graph, Node, Value
from hybrid.passes.buffers import plan_buffers

__all__ = ["KEY", "lower_call"]

Lower = Callable[[Program, Node], None]

KEY: Final = "__KEY"
"""Stands in names of functions for what tells a program from all others: symbols must not be defined twice."""

DEEPEST: Final = 4000
"""The most native calls inside each other: each may take two kilobytes of a stack of eight megabytes."""


@dataclass(frozen=True, slots=True)
class FramesLeft:
    """The place where a program asks how many more calls inside each other Python allows.

    Attributes:
        node: the call for which it asks.
    """

    node: Node

    def caller(self) -> Callable[[], tuple[int]]:
        return lambda: (min(frames_left(), DEEPEST),)


def lower_call(p: Program, node: Node, lower: Lower) -> None:
    """Write a call of a routine, and the routine itself where it is met first."""
    routine, frames = node.attributes["routine"], node.attributes["frames"]
    if routine not in p.routines:
        _write_routine(p, routine, lower)
    name = p.routines[routine]
    if not name:
        p.kernels.append(node)
        p.call_kernel(node)
        return
    left = p.left or _frames_left(p, node)
    p.guard(f"{left} < {frames}", node, _too_deep)
    arguments = [_given(p, x) for x in node.operands]
    results = p.new("called")
    p.emit(f"{results} = {name}({', '.join(['host', f'{left} - {frames}', *arguments])})")
    with p.block(f"if not {results}[0]:"):
        p.leave()
    for k, value in enumerate(node.outputs, 1):
        p.assign(value, f"{results}[{k}]", "result")


def _too_deep(*_: Any) -> None:
    raise RecursionError(TOO_DEEP)


def _frames_left(p: Program, node: Node) -> str:
    left = p.new("left")
    p.sites.append(FramesLeft(node))
    call = p.use("kernel_int64", host_call((native_type(Spec.parse("int")),)))
    p.emit(f"done, {left} = {call}(host, {len(p.sites) - 1}, ())")
    with p.block("if not done:"):
        p.leave()
    return left


def _given(p: Program, operand: Any) -> str:
    """An operand as an argument of exactly its type: Numba takes literals for types of their own."""
    if operand.spec.shape:
        return p.contiguous(operand)
    dtype = operand.spec.dtype
    return f"{'boolean' if dtype.kind == 'b' else dtype.name}({p.text(operand)})"


def _write_routine(p: Program, routine: Any, lower: Lower) -> None:
    """Write the function of a routine; its name is empty if it must run in the interpreter."""
    if _is_mutual(routine):
        p.routines[routine] = ""
        return
    graph: Graph = routine.graph
    before = dict(p.routines), len(p.functions)
    plain = re.sub(r"\W", "_", routine.name)
    plain = plain if plain.isidentifier() and not keyword.iskeyword(plain) else f"f_{plain}"
    name = p.routines[routine] = f"{plain}_{len(p.routines) + 1}{KEY}"
    inner = p.beside(plan_buffers(graph, (), p.can_view))
    names = [f"x{k}" for k in range(len(graph.inputs))]
    outputs = write_graph(inner, graph, names, [False] * len(names), lower)
    if outputs is not None:
        inner.emit(f"return ({', '.join(['True', *_results(inner, graph)])},)")
    if inner.constants or any(value.spec.dtype == HALF for value in (*graph.inputs, *graph.outputs)):
        p.routines.clear()
        p.routines.update(before[0] | {routine: ""})
        del p.functions[before[1] :]
        return
    p.use(f"nothing_{name}", null_result(tuple(native_type(o.spec) for o in graph.outputs)))
    head = f"def {name}({', '.join(['host', 'left', *names])}):"
    p.functions.append("\n".join([head, f"    failed = nothing_{name}()", *inner.lines, ""]))


def _is_mutual(routine: Any) -> bool:
    """Whether other routines lie between a routine and its calls of itself: Numba doesn't link such rings reliably."""
    return any(routine in _reached(other) for other in _reached(routine) if other is not routine)


def _reached(routine: Any) -> set[Any]:
    """The routines that one calls, and that those call."""
    found: set[Any] = set()
    waiting = list(_called(routine.graph))
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += _called(other.graph)
    return found


def _called(graph: Graph) -> Iterator[Any]:
    """The routines that are called in a graph, and in those inside it."""
    for node in graph.nodes:
        if node.op.name == "call":
            yield node.attributes["routine"]
        for _, value in node.attrs:
            if isinstance(value, Graph):
                yield from _called(value)


def _results(p: Program, graph: Graph) -> list[str]:
    """The texts of the results; arrays that may be others' memory are copied."""
    texts, seen = [], set()
    for value in graph.outputs:
        text = p.text(value) if value.spec.shape else _given(p, value)
        if value.spec.shape:
            memory = p.plan.of(value)
            is_shared = not isinstance(value, Value) or memory.sources or memory in seen or value in p.views or not memory.owned
            text = f"copied({text})" if is_shared else text
            seen.add(memory)
        texts.append(text)
    return texts
