"""The checker of graphs: what holds for every valid graph, said once."""

from __future__ import annotations

from typing import Any

from hybrid.core.dim import evaluate
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.ir.builder import inferred
from hybrid.ir.graph import Const, Graph, Node, Value

__all__ = ["InvalidGraph", "verify"]


class InvalidGraph(ValueError):
    """A graph that breaks a rule: a fault of whoever made it, not of its user."""


def verify(graph: Graph) -> Graph:
    """The graph itself, after checking it and the graphs inside; ``InvalidGraph`` says what is wrong.

    Every value is defined once and before its use; every operation is in the table, has all its attributes, hashable, and
    results of the specs that its rule gives; every symbol of a size is introduced by an input or by a result.
    """
    defined: set[Any] = set()
    symbols: set[str] = set()
    for value in graph.inputs:
        _define(value, defined, "an input")
        symbols |= value.spec.symbols
    for i, node in enumerate(graph.nodes):
        _check_node(node, i, defined)
        for value in node.outputs:
            _define(value, defined, f"the result of operation {i} ({node.op.name})")
            symbols |= {s for s in value.spec.symbols if s in map(str, value.spec.shape)}
            _require(value.spec.symbols <= symbols, f"operation {i} ({node.op.name}) has sizes that nothing defines: {value.spec}")
    for output in graph.outputs:
        _require(isinstance(output, Const) or output in defined, f"an output that nothing defines: {output!r}")
    return graph


def _check_node(node: Node, i: int, defined: set[Any]) -> None:
    what = f"operation {i} ({node.op.name})"
    _require(OPS.get(node.op.name) is node.op, f"{what} isn't in the table")
    _require(
        list(node.attributes) == list(node.op.attributes),
        f"{what} has the attributes {list(node.attributes)}, wanted {list(node.op.attributes)}",
    )
    for leaf in node.inputs:
        _require(isinstance(leaf, Const) or leaf in defined, f"{what} uses a value before it is defined")
    for name, attribute in node.attrs:
        _require(attribute.__hash__ is not None, f"{what}: the attribute {name}={attribute!r} can change")
        if isinstance(attribute, Graph):
            verify(attribute)
    wanted, found = inferred(node.op, node.operands, node.attributes), tuple(v.spec for v in node.outputs)
    _require(len(wanted) == len(found), f"{what} has {len(found)} results, its rule gives {len(wanted)}")
    _require(_same_but_for_unknowns(wanted, found), f"{what} has the specs {_texts(found)}, its rule gives {_texts(wanted)}")


def _same_but_for_unknowns(wanted: tuple[Spec, ...], found: tuple[Spec, ...]) -> bool:
    """Whether specs agree when each unknown size is called what the graph calls it."""
    names = {
        str(w): f
        for a, b in zip(wanted, found, strict=True)
        if a.ndim == b.ndim
        for w, f in zip(a.shape, b.shape, strict=True)
        if str(w).startswith("?")
    }
    return tuple(Spec(s.dtype, tuple(evaluate(d, names) for d in s.shape), s.weak) for s in wanted) == found


def _define(value: Value, defined: set[Any], what: str) -> None:
    _require(value not in defined, f"{what} is defined twice")
    defined.add(value)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InvalidGraph(message)


def _texts(specs: tuple[Spec, ...]) -> str:
    return f"({', '.join(map(str, specs))})"
