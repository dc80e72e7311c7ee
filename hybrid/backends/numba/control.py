"""Branches and loops: graphs in attributes are written in place, as ordinary blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hybrid.backends.numba.bounds import learn_counter, learn_index
from hybrid.backends.numba.elementwise import fused_values
from hybrid.backends.numba.program import Program
from hybrid.core.table import OPS
from hybrid.ir.graph import Const, Graph, Node, Value

__all__ = ["lower_cond", "lower_fail", "lower_for", "lower_half_done", "lower_while", "write_graph"]

Lower = Callable[[Program, Node], None]


Dims = Sequence[list[str] | None]
"""For each input of a graph the texts of its sizes, where those are known outside."""


def write_graph(p: Program, graph: Graph, inputs: Sequence[str], views: Sequence[bool], lower: Lower, dims: Dims = ()) -> list[str] | None:
    """Write the operations of a graph; the texts of its outputs, or ``None`` if the end isn't reached."""
    outer_sizes, p.sizes = p.sizes, {}
    outer_fused, p.fused = p.fused, fused_values(graph, p.plan)
    outer_noted = p.noted
    for value, known in zip(graph.inputs, dims, strict=False):
        for dim, text in zip(value.spec.shape, known or (), strict=bool(known)):
            if str(dim).isidentifier():
                p.sizes.setdefault(str(dim), text)
    for value, text, is_view in zip(graph.inputs, inputs, views, strict=True):
        p.names[value] = text
        p.views.discard(value)
        if is_view:
            p.views.add(value)
        p.learn_sizes(value)
    p.is_dead = False
    for node in graph.nodes:
        lower(p, node)
        if p.is_dead:
            break
        for value in node.outputs:
            if value.spec.shape and value not in p.fused:
                p.learn_sizes(value)
    outputs = None if p.is_dead else [p.contiguous(o) for o in graph.outputs]
    p.is_dead = False
    p.sizes, p.fused, p.noted = outer_sizes, outer_fused, outer_noted
    return outputs


class _inside:
    """The plan of a graph in an attribute is in force."""

    def __init__(self, p: Program, node: Node, name: str):
        self._p, self._plan = p, p.plan.children[node, name]

    def __enter__(self) -> None:
        self._outer, self._p.plan = self._p.plan, self._plan

    def __exit__(self, *error: Any) -> None:
        self._p.plan = self._outer


def lower_fail(p: Program, node: Node, lower: Lower) -> None:
    """An exception: the rest of the block isn't reached."""
    p.fail(node)
    p.is_dead = True


def lower_half_done(p: Program, node: Node, lower: Lower) -> None:
    """What was changed so far costs nothing unless there is an exception."""
    p.noted = Node(OPS["left_half_done"], node.operands, node.attrs, (), node.location)


def lower_cond(p: Program, node: Node, lower: Lower) -> None:
    """``if`` and ``else``; results that both arms leave in the same variable need none of their own."""
    operands = node.operands[1:]
    arms = []
    dims = [p.dims(x) for x in operands]
    for name in ("then", "orelse"):
        with p.aside() as lines, _inside(p, node, name):
            texts, views = [p.text(x) for x in operands], [x in p.views for x in operands]
            outputs = write_graph(p, node.attributes[name], texts, views, lower, dims)
        arms.append((lines, outputs))
    alive = [outputs for _, outputs in arms if outputs is not None]
    names = []
    for i, value in enumerate(node.outputs):
        texts = {outputs[i] for outputs in alive}
        is_shared = len(texts) == 1 and (text := next(iter(texts))).isidentifier() and not _made_inside(p, arms, text)
        names.append(text if is_shared else p.new("cond"))
        p.names[value] = names[-1]
        _keep_view(p, value, is_shared and [x for x in operands if x in p.views and p.text(x) == names[-1]])
    _write_arms(p, p.text(node.operands[0]), arms, names)
    p.is_dead = not alive


def _made_inside(p: Program, arms: Sequence[Any], text: str) -> bool:
    return any(" = " in line and text in line.strip().partition(" = ")[0].split(", ") for lines, _ in arms for line in lines)


def _keep_view(p: Program, value: Value, views: Any) -> None:
    if views:
        p.views.add(value)


def _write_arms(p: Program, condition: str, arms: Sequence[Any], names: Sequence[str]) -> None:
    for (lines, outputs), head in zip(arms, (f"if {condition}:", "else:"), strict=True):
        sets = [f"{name} = {text}" for name, text in zip(names, outputs or (), strict=bool(outputs)) if name != text]
        if head == "else:" and not lines and not sets:
            continue
        with p.block(head):
            p.lines.extend(lines)
            for line in sets:
                p.emit(line)


def lower_while(p: Program, node: Node, lower: Lower) -> None:
    """``while`` over carried variables."""
    attrs = node.attributes
    dims = _steady(p, attrs["body"], node.operands, attrs["carried"], 0)
    names, texts, views = _enter(p, node, node.operands, attrs["carried"])
    with p.aside() as lines:
        with _inside(p, node, "test"):
            test = write_graph(p, attrs["test"], texts, views, lower)  # its own sizes: they may differ from round to round
        is_plain = not lines and test is not None
        if not is_plain and test is not None:
            with p.block(f"if not {test[0]}:"):
                p.emit("break")
        if test is not None:
            with _inside(p, node, "body"):
                outputs = write_graph(p, attrs["body"], texts, views, lower, dims)
            _next_round(p, node, names, outputs, attrs["body"])
    with p.block(f"while {test[0] if is_plain and test else 'True'}:"):
        p.lines.extend(lines)
    _leave(p, node, names)


def lower_for(p: Program, node: Node, lower: Lower) -> None:
    """``for`` over a range and carried variables."""
    attrs = node.attributes
    start, stop, step = node.operands[:3]
    if not (isinstance(step, Const) and step.value != 0):
        p.guard(f"{p.text(step)} == 0", node, lambda start, stop, step, *_: range(int(start), int(stop), int(step)))
    dims = _steady(p, attrs["body"], node.operands[3:], attrs["carried"], 1)
    names, texts, views = _enter(p, node, node.operands[3:], attrs["carried"])
    index = p.new("i")
    learn_index(p, index, (start, stop, step), [p.text(x) for x in (start, stop, step)])
    with p.aside() as lines:
        with _inside(p, node, "body"):
            outputs = write_graph(p, attrs["body"], [index, *texts], [False, *views], lower, [None, *dims])
        _next_round(p, node, names, outputs and outputs[: len(names)], attrs["body"])
        if outputs and attrs["exits"]:
            _exit(p, outputs[-1])
    with p.block(f"for {index} in range({_bounds(p, start, stop, step)}):"):
        p.lines.extend(lines)
    _leave(p, node, names)


def _bounds(p: Program, start: Any, stop: Any, step: Any) -> str:
    texts = [p.text(x) if x.spec.dtype == "int64" else f"int64({p.text(x)})" for x in (start, stop, step)]
    if isinstance(step, Const) and step.value == 1:
        return texts[1] if isinstance(start, Const) and start.value == 0 else ", ".join(texts[:2])
    return ", ".join(texts)


def _steady(p: Program, body: Graph, operands: Sequence[Any], carried: int, first: int) -> Dims:
    """The texts of sizes that are the same in every round."""
    found: list[list[str] | None] = []
    for j, x in enumerate(operands):
        is_steady = j >= carried or body.outputs[j].spec.shape == body.inputs[first + j].spec.shape
        found.append(p.dims(x) if is_steady else None)
    return found


def _exit(p: Program, goes_on: str) -> None:
    if goes_on != "True":
        with p.block(f"if not {goes_on}:"):
            p.emit("break")


def _enter(p: Program, node: Node, operands: Sequence[Any], carried: int) -> tuple[list[str], list[str], list[bool]]:
    """Variables for what is carried; the texts of all operands inside, and whether they are views."""
    names = []
    for j, x in enumerate(operands[:carried]):
        name = p.new("carried")
        is_copied = (node, j) in p.plan.copied
        p.emit(f"{name} = {f'copied({p.text(x)})' if is_copied else p.contiguous(x)}")
        names.append(name)
        learn_counter(p, name, p.text(x), node.attributes["body"], j, len(node.attributes["body"].inputs) - len(operands))
    fixed = operands[carried:]
    return names, [*names, *map(p.text, fixed)], [False] * carried + [x in p.views for x in fixed]


def _next_round(p: Program, node: Node, names: Sequence[str], outputs: Sequence[str] | None, body: Graph) -> None:
    """Give the carried variables their values for the next round."""
    if outputs is None:
        return
    new = [f"copied({text})" if (node, j) in p.plan.returned else text for j, text in enumerate(outputs)]
    pairs = [(name, text) for name, text in zip(names, new, strict=True) if name != text]
    targets = {name for name, _ in pairs}
    is_tangled = any(name in text.replace("(", " ").replace(")", " ").replace(".", " ").split() for name in targets for _, text in pairs)
    if is_tangled and len(pairs) > 1:
        p.emit(f"{', '.join(n for n, _ in pairs)} = {', '.join(t for _, t in pairs)}")
        return
    for name, text in pairs:
        p.emit(f"{name} = {text}")


def _leave(p: Program, node: Node, names: Sequence[str]) -> None:
    for value, name in zip(node.outputs, names, strict=True):
        p.names[value] = name
