"""Local identities, and results that nobody needs: what is left is computed alike, with fewer operations.

Graphs inside branches and loops are simplified too. Those of routines and attempts stay as they are: their operands and
results belong to a contract of several operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from hybrid.core.pattern import Slice
from hybrid.ir.builder import has_effects
from hybrid.ir.fallible import is_kept
from hybrid.ir.graph import Const, Graph, Node, Operand, Value, leaves_of, map_operand

__all__ = ["simplify"]

Producers = dict[Value, Node]
Rule = Callable[[Node, Producers], "Operand"]

LOOPS: Final = {"while_loop": 0, "for_range": 3}
"""Loops, and the number of operands before those that the body gets."""


def simplify(graph: Graph) -> Graph:
    """A graph that gives the same results, and fails alike.

    >>> from hybrid.ir.parser import parse
    >>> print(simplify(parse('''graph(%0: float64[3], %1: float64[3]):
    ...   %2: float64[3] = setitem(%0, %1, index=at[:])
    ...   %3: float64[3] = exp(%0)
    ...   return %2''')))
    graph(%0: float64[3], %1: float64[3]):
      return %1
    """
    return _pruned(_rewritten(graph))


# -- identities -----------------------------------------------------------------------------------------------------
def _written_whole(node: Node, made: Producers) -> Operand:
    """x[:] = y gives y, if it has the shape and dtype of x."""
    if node.op.name != "setitem" or len(node.operands) != 2:
        return None
    x, value = node.operands
    is_whole = all(part is ... or part == Slice() for part in node.attributes["index"])
    return value if is_whole and value.spec == x.spec and value.spec.shape else None  # type: ignore[union-attr]


def _read_as_written(node: Node, made: Producers) -> Operand:
    """y[i] after y[i] = x is x, if it has the shape and dtype of y[i]."""
    source = made.get(node.operands[0]) if node.op.name == "getitem" else None  # type: ignore[arg-type]
    if source is None or source.op.name != "setitem" or not _same_key(node, node.operands[1:], source, source.operands[2:]):
        return None
    return source.operands[1] if source.operands[1].spec == node.outputs[0].spec else None  # type: ignore[union-attr]


def _written_back(node: Node, made: Producers) -> Operand:
    """x[i] = x[i] leaves x as it is."""
    if node.op.name != "setitem":
        return None
    x, value, *indices = node.operands
    source = made.get(value)  # type: ignore[arg-type]
    is_read = source is not None and source.op.name == "getitem" and source.operands[0] is x
    return x if is_read and _same_key(node, indices, source, source.operands[1:]) else None  # type: ignore[arg-type,union-attr]


def _written_again(node: Node, made: Producers) -> Operand:
    """x[i] = y is x, after x[i] = y."""
    source = made.get(node.operands[0]) if node.op.name == "setitem" else None  # type: ignore[arg-type]
    is_same = source is not None and source.op.name == "setitem" and source.operands[1] is node.operands[1]
    return node.operands[0] if is_same and _same_key(node, node.operands[2:], source, source.operands[2:]) else None  # type: ignore[arg-type,union-attr]


def _same_key(a: Node, indices: Sequence[Any], b: Node, others: Sequence[Any]) -> bool:
    """Whether two selections are of the same places, each of them once."""
    has_arrays = any(index.spec.shape for index in indices)
    return not has_arrays and tuple(indices) == tuple(others) and a.attributes["index"] == b.attributes["index"]


RULES: Final[tuple[Rule, ...]] = (_written_whole, _read_as_written, _written_back, _written_again)
"""Each gives what the only result of an operation is equal to, or ``None``; its docstring is the identity."""


def _rewritten(graph: Graph) -> Graph:
    """The graph with the rules applied, from the first operation to the last."""
    known: dict[Any, Any] = {}
    made: Producers = {}
    nodes = []
    look_up = lambda leaf: known.get(leaf, leaf)  # noqa: E731
    for node in graph.nodes:
        node = _with_children(replace(node, operands=map_operand(look_up, node.operands)))
        found = next((x for rule in RULES if (x := rule(node, made)) is not None), None)
        if found is not None:
            known[node.outputs[0]] = found
            continue
        node, same = _steady(node)
        known |= same
        nodes.append(node)
        made |= dict.fromkeys(node.outputs, node)
    return Graph(graph.inputs, tuple(nodes), tuple(map(look_up, graph.outputs)))


def _with_children(node: Node) -> Node:
    if node.op.name != "cond" and node.op.name not in LOOPS:
        return node
    return replace(node, attrs=tuple((name, _rewritten(value) if isinstance(value, Graph) else value) for name, value in node.attrs))


def _steady(node: Node) -> tuple[Node, dict[Value, Any]]:
    """A branch or loop, and those of its results that are operands: both arms or each round give back what they get."""
    if node.op.name == "cond":
        arms = [node.attributes["then"], node.attributes["orelse"]]
        places = [[_place(out, arm) for out in arm.outputs] for arm in arms]
        pairs = zip(node.outputs, *places, strict=True)
        return node, {out: _outer(node, a) for out, a, b in pairs if a is not None and a == b and _outer(node, a).spec == out.spec}
    if node.op.name not in LOOPS:
        return node, {}
    first, body, carried = LOOPS[node.op.name], node.attributes["body"], node.attributes["carried"]
    inputs, operands = body.inputs[_before(node) :], node.operands[first:]
    same = {
        j: operand
        for j, (value, after, operand, out) in enumerate(zip(inputs, body.outputs[:carried], operands, node.outputs, strict=False))
        if after is value and operand.spec == value.spec == out.spec  # type: ignore[union-attr]
    }
    if not same:
        return node, {}
    changing = [j for j in range(carried) if j not in same]
    return _carrying(node, changing, [k for k in range(len(operands)) if k not in changing]), {node.outputs[j]: x for j, x in same.items()}


def _place(output: Any, arm: Graph) -> Any:
    """Where the result of an arm comes from: the number of an input, or a constant; ``None`` if it is computed."""
    if isinstance(output, Const):
        return output
    return arm.inputs.index(output) if output in arm.inputs else None


def _outer(node: Node, place: Any) -> Any:
    return place if isinstance(place, Const) else node.operands[1 + place]


# -- what nobody needs ----------------------------------------------------------------------------------------------
def _pruned(graph: Graph) -> Graph:
    """The graph without operations, and results of branches and loops, that nothing needs."""
    needed: set[Any] = set(graph.outputs)
    known = set().union(*(value.spec.symbols for value in graph.inputs))
    nodes = []
    for node in reversed(graph.nodes):
        is_wanted = has_effects(node.op, node.attrs) or is_kept(node) or any(v in needed or v.spec.symbols - known for v in node.outputs)
        if not is_wanted:
            continue
        node = _trimmed(node, lambda v: v in needed or bool(v.spec.symbols - known))
        nodes.append(node)
        needed.update(node.inputs)
    return Graph(graph.inputs, tuple(reversed(nodes)), graph.outputs)


def _trimmed(node: Node, is_needed: Callable[[Value], bool]) -> Node:
    """A branch or loop without the results that aren't needed, and without what only those need."""
    wanted = [j for j, value in enumerate(node.outputs) if is_needed(value)]
    if node.op.name == "cond":
        arms = {name: _pruned(_giving(node.attributes[name], wanted)) for name in ("then", "orelse")}
        used = [k for k in range(len(node.operands) - 1) if any(_uses(arm, k) for arm in arms.values())]
        attrs = {name: _taking(arm, used) for name, arm in arms.items()}
        return replace(
            node,
            operands=(node.operands[0], *(node.operands[1 + k] for k in used)),
            attrs=tuple(attrs.items()),
            outputs=tuple(node.outputs[j] for j in wanted),
        )
    return _trimmed_loop(node, wanted) if node.op.name in LOOPS else node


def _trimmed_loop(node: Node, wanted: list[int]) -> Node:
    carried, total = node.attributes["carried"], len(node.operands) - LOOPS[node.op.name]
    while True:
        order = [*wanted, *(k for k in range(total) if k not in wanted)]
        small = _carrying(node, wanted, order[len(wanted) :])
        small = replace(small, attrs=tuple((name, _pruned(value) if isinstance(value, Graph) else value) for name, value in small.attrs))
        used = [k for k in range(len(wanted), total) if _is_used(small, k)]
        more = [order[k] for k in used if order[k] < carried]
        if not more:
            return _carrying(small, range(len(wanted)), used)
        wanted = sorted([*wanted, *more])


def _carrying(node: Node, carried: Sequence[int], fixed: Sequence[int]) -> Node:
    """A loop that carries, and gives back, some of its operands; others stay the same from round to round, the rest aren't there."""
    first, before, order = LOOPS[node.op.name], _before(node), [*carried, *fixed]
    attrs: dict[str, Any] = node.attributes
    body, count = attrs["body"], attrs["carried"]
    inputs = [*range(before), *(before + k for k in order)]
    attrs |= {"body": _taking(_giving(body, [*carried, *range(count, len(body.outputs))]), inputs), "carried": len(carried)}
    if "test" in attrs:
        attrs["test"] = _taking(attrs["test"], order)
    operands = (*node.operands[:first], *(node.operands[first + k] for k in order))
    return replace(node, operands=operands, attrs=tuple(attrs.items()), outputs=tuple(node.outputs[j] for j in carried))


def _before(node: Node) -> int:
    """The number of inputs of a loop's body before those that are its operands: the index of a ``for``."""
    return len(node.attributes["body"].inputs) - len(node.operands) + LOOPS[node.op.name]


def _is_used(node: Node, k: int) -> bool:
    """Whether a loop's graphs need an operand."""
    attrs = node.attributes
    return _uses(attrs["body"], _before(node) + k) or ("test" in attrs and _uses(attrs["test"], k))


def _giving(graph: Graph, wanted: Sequence[int]) -> Graph:
    return Graph(graph.inputs, graph.nodes, tuple(graph.outputs[j] for j in wanted))


def _taking(graph: Graph, used: Sequence[int]) -> Graph:
    return Graph(tuple(graph.inputs[k] for k in used), graph.nodes, graph.outputs)


def _uses(graph: Graph, k: int) -> bool:
    """Whether a graph needs an input: for its value, or for a size."""
    value = graph.inputs[k]
    return bool(value.spec.symbols) or value in graph.outputs or any(value in leaves_of(node.operands) for node in graph.nodes)
