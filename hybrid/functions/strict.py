"""``strict``: what only Python can do is an error at the user's line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hybrid.errors import UnsupportedError, at_location
from hybrid.ir.graph import Graph, Node

__all__ = ["all_graphs", "all_nodes", "refuse_calls", "refuse_kernels"]


def refuse_calls(graph: Graph) -> None:
    """Refuse a graph in which functions are called that only Python can call."""
    for node in all_nodes(graph):
        if node.op.name == "host":
            name = node.attributes["call"]
            raise _refused(node, f"wanted native code only (strict=True), received a call of Python at run time: {name}")


def refuse_kernels(kernels: Sequence[Node]) -> None:
    """Refuse operations without a native form."""
    for node in kernels:
        specs = ", ".join(str(x.spec) for x in node.inputs)
        raise _refused(
            node, f"wanted native code only (strict=True), received {node.op.name}({specs}), which has none and calls its NumPy kernel"
        )


def all_nodes(graph: Graph) -> Iterator[Node]:
    """The operations of a graph and of the graphs inside it."""
    return (node for one in all_graphs(graph) for node in one.nodes)


def all_graphs(graph: Graph) -> Iterator[Graph]:
    """A graph and those inside it, the outer ones first, each once."""
    todo, seen = [graph], {id(graph)}
    while todo:
        present = todo.pop(0)
        yield present
        for node in present.nodes:
            inner = [getattr(value, "graph", value) for _, value in node.attrs]  # a recursive function keeps its graph
            new = [x for x in inner if isinstance(x, Graph) and id(x) not in seen]
            seen.update(map(id, new))
            todo += new


def _refused(node: Node, message: str) -> UnsupportedError:
    return UnsupportedError(message if node.location is None else at_location(message, node.location))
