"""Watching the values of a graph while it is interpreted: by their names in its text, the user's variables, lines, or a predicate."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, NamedTuple

from hybrid._util.source import Location
from hybrid.functions.kinds import plain_function
from hybrid.functions.words import described
from hybrid.ir.graph import Graph, Node, Value
from hybrid.ir.interpret import observing

__all__ = ["Watched", "watching"]


class Watched(NamedTuple):
    """A value of a graph in one run.

    Attributes:
        name: in the text of the graph: ``%3``.
        variable: of the user, if that was asked for; else empty.
        value: an array or number.
        operation: the name of the operation that made it; empty for an argument.
        location: the user's line, if known.
    """

    name: str
    variable: str
    value: Any
    operation: str
    location: Location | None

    def __str__(self) -> str:
        names = f"{self.variable} ({self.name})" if self.variable else self.name
        origin = ", ".join(filter(None, [self.operation, str(self.location or "")]))
        return f"{names}: {described(self.value)} = {self.value}" + (f"  # {origin}" if origin else "")


@contextmanager
def watching(
    graph: Graph,
    function: Callable[..., Any],
    places: Mapping[str, int],
    wanted: Sequence[Any],
    report: Callable[[Watched], Any],
) -> Iterator[None]:
    """Report some values of a graph when it is interpreted, for the duration of a block.

    Args:
        graph: what is run.
        function: what it was made of.
        places: the numbers of the inputs, by the places of the arguments.
        wanted: names of values, places of arguments, variables, lines, predicates.
        report: is told.
    """
    names = graph.value_names()
    chosen = _chosen(graph, function, places, wanted, names)
    predicates = [item for item in wanted if callable(item)]

    def observer(node: Node | None, values: Sequence[Value], arrays: Sequence[Any]) -> None:
        is_wanted = node is not None and any(predicate(node) for predicate in predicates)
        for value, array in zip(values, arrays, strict=True):
            if is_wanted or value in chosen:
                operation, location = ("", None) if node is None else (node.op.name, node.location)
                report(Watched(names.get(value, "%?"), chosen.get(value, ""), array, operation, location))

    with observing(observer):
        yield


def _chosen(
    graph: Graph, function: Callable[..., Any], places: Mapping[str, int], wanted: Sequence[Any], names: Mapping[Value, str]
) -> dict[Value, str]:
    """The values that are wanted, each with the user's name for it."""
    by_name = {name: value for value, name in names.items()}
    chosen: dict[Value, str] = {}
    for item in wanted:
        if callable(item):
            continue
        if isinstance(item, int):
            found = {value: "" for nodes in _at(graph, function, _line(item)) for node in nodes for value in node.outputs}
        elif item.startswith(("%", "@")):
            found = {by_name[item]: ""} if item in by_name else {}
        else:
            found = {graph.inputs[places[item]]: item} if item in places else {}
            ends = [nodes[-1] for span in _assignments(function, item) for nodes in _at(graph, function, span)]
            found |= {value: item for node in ends for value in node.outputs[:1]}
        if not found:
            raise ValueError(_missing(item, [*by_name, *places]))
        chosen |= {value: chosen.get(value) or name for value, name in found.items()}
    return chosen


def _missing(item: Any, known: Sequence[str]) -> str:
    if isinstance(item, int):
        return f"wanted a line of the function whose operations are in the graph, received {item}"
    near = get_close_matches(item, known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    what = "a value of the graph" if item.startswith(("%", "@")) else "a parameter, or a variable that is assigned what the graph computes"
    return f"wanted {what}, received {item!r}{hint}"


# -- source ---------------------------------------------------------------------------------------------------------
Span = tuple[tuple[int, int], tuple[int, int]]
"""From a line and a column up to a line and a column."""


def _line(number: int) -> Span:
    return (number, 0), (number + 1, 0)


def _at(graph: Graph, function: Callable[..., Any], span: Span) -> list[list[Node]]:
    """The operations that come from a span of the function's file: for each graph that has some, but for those inside of the others."""
    file = plain_function(function).__code__.co_filename
    here = [n for n in graph.nodes if n.location is not None and n.location.file == file and _is_in(n.location, span)]
    inner = [child for node in graph.nodes if node not in here for _, child in node.attrs if isinstance(child, Graph)]
    return [*([here] if here else []), *(found for child in inner for found in _at(child, function, span))]


def _is_in(location: Location, span: Span) -> bool:
    return span[0] <= (location.line, location.column or 0) < span[1]


def _assignments(function: Callable[..., Any], name: str) -> Iterator[Span]:
    """Where the function computes what it assigns to a variable."""
    code = plain_function(function).__code__
    tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    lines = {line for _, _, line in code.co_lines() if line}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.lineno in lines and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                place: Any = node if isinstance(node, ast.AugAssign) else node.value
                yield (place.lineno, place.col_offset), (place.end_lineno, place.end_col_offset)
