"""Graphs: flat lists of operations in static single assignment form, and their text. Everything here is immutable."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from hybrid.core.dim import Dim
from hybrid.core.op import Op
from hybrid.core.pattern import Slice, Slot
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.picture import Box, Drawing, html

__all__ = ["Const", "Graph", "Node", "Operand", "Value", "leaves_of", "map_operand"]


class Value:
    """Something a graph computes or is given; known by identity."""

    __slots__ = ("spec",)

    def __init__(self, spec: Spec):
        self.spec = spec

    def __repr__(self) -> str:
        return f"<value {self.spec}>"


class Const:
    """An array or number that a graph contains; the array is read-only."""

    __slots__ = ("spec", "value")

    def __init__(self, value: Any):
        self.spec = spec_of(value)
        self.value = value
        if isinstance(value, np.ndarray):
            value.flags.writeable = False

    def __repr__(self) -> str:
        return f"<constant {self.spec}>"


Operand: TypeAlias = "Value | Const | tuple[Operand, ...] | None"
"""What an operation is given: a value, a constant, nothing (a tensor left out), or a sequence of those."""


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One operation applied.

    Attributes:
        op: the operation.
        operands: one for each of its tensors.
        attrs: every static attribute by name; hashable values, graphs among them.
        outputs: the values it makes.
        location: the user's line it comes from, if known.
    """

    op: Op
    operands: tuple[Operand, ...]
    attrs: tuple[tuple[str, Any], ...]
    outputs: tuple[Value, ...]
    location: Any = None

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes as a new dict."""
        return dict(self.attrs)

    @property
    def inputs(self) -> Iterator[Value | Const]:
        """The values and constants among the operands, in order."""
        return leaves_of(self.operands)


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """A function of arrays as a list of operations.

    Attributes:
        inputs: the arguments; their specs introduce the symbols of sizes.
        nodes: the operations, each after those it depends on.
        outputs: the results.

    ``str(graph)`` is its text; ``hybrid.ir.parser.parse`` reads it back.
    """

    inputs: tuple[Value, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[Value | Const, ...]

    def __str__(self) -> str:
        return self.text(full=False)

    def text(self, full: bool = True, locations: bool = False) -> str:
        """The graph as text.

        Args:
            full: write every element of large constants too (in base 64), so that the text can be read back.
            locations: add the user's file and line to each operation.
        """
        return _Printer(full, locations).program(self)

    def value_names(self) -> dict[Value, str]:
        """The name of each value in the text: ``%3``, and ``@1%3`` in a graph inside."""
        printer = _Printer(False, False)
        printer.program(self)
        names = _names(self)
        for k, child in enumerate(printer.children, 1):
            names |= {value: f"@{k}{name}" for value, name in _names(child).items()}
        return names

    def _repr_html_(self) -> str:
        printer = _Printer(False, True)
        text = printer.program(self)
        heads = ["graph", *(f"@{k}" for k in range(1, len(printer.children) + 1))]
        drawings = [Drawing(head, printer.boxes(graph)) for head, graph in zip(heads, [self, *printer.children], strict=True)]
        return html(drawings, text)

    def __repr__(self) -> str:
        return f"<graph of {len(self.nodes)} operations, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"


def leaves_of(operand: Any) -> Iterator[Value | Const]:
    """The values and constants in an operand or a tuple of operands."""
    if isinstance(operand, tuple):
        for item in operand:
            yield from leaves_of(item)
    elif operand is not None:
        yield operand


def map_operand(function: Callable[[Any], Any], operand: Any) -> Any:
    """The operand with a function applied to the values and constants in it."""
    if isinstance(operand, tuple):
        return tuple(map_operand(function, item) for item in operand)
    return None if operand is None else function(operand)


# -- text -----------------------------------------------------------------------------------------------------------
SHORT = 8
"""The number of elements up to which a constant is always written out."""


class _Printer:
    """Writes a graph and the graphs in its attributes, giving them the numbers ``@1``, ``@2``, …"""

    def __init__(self, full: bool, locations: bool):
        self._full, self._locations = full, locations
        self.children: list[Graph] = []

    def program(self, graph: Graph) -> str:
        texts, done = [self.graph(graph, "graph")], 0
        while done < len(self.children):
            done += 1
            texts.append(self.graph(self.children[done - 1], f"graph @{done}"))
        return "\n\n".join(texts)

    def graph(self, graph: Graph, head: str) -> str:
        names = _names(graph)
        declare = lambda values: ", ".join(f"{names[v]}: {v.spec}" for v in values)  # noqa: E731
        lines = [f"{head}({declare(graph.inputs)}):"]
        for node in graph.nodes:
            where = f"  # {node.location}" if self._locations and node.location is not None else ""
            results = f"{declare(node.outputs)} = " if node.outputs else ""
            lines.append(f"  {results}{self.call(node, names)}{where}")
        lines.append(f"  return {', '.join(self.operand(o, names) for o in graph.outputs)}".rstrip())
        return "\n".join(lines)

    def boxes(self, graph: Graph) -> list[Box]:
        """What is drawn: the inputs, the operations and the results."""
        names = _names(graph)
        made = [Box(names[value], str(value.spec), (), "input") for value in graph.inputs]
        place = {value: i for i, value in enumerate(graph.inputs)}
        for node in graph.nodes:
            sources = tuple(place[x] for x in node.inputs if x in place)
            detail = ", ".join(f"{names[v]}: {v.spec}" for v in node.outputs) or "no result"
            is_control = any(isinstance(value, Graph) for _, value in node.attrs)
            made.append(Box(self.call(node, names), detail, sources, "control" if is_control else "call" if node.op.effects else ""))
            place |= dict.fromkeys(node.outputs, len(made) - 1)
        sources = tuple(place[x] for x in graph.outputs if x in place)
        return [*made, Box("return", ", ".join(self.operand(o, names) for o in graph.outputs), sources, "output")]

    def call(self, node: Node, names: dict[Value, str]) -> str:
        parts = [self.operand(x, names) for x in node.operands]
        parts += [
            f"{k}={self.attribute(v)}"
            for k, v in node.attrs
            if v != node.op.attributes.get(k) or type(v) is not type(node.op.attributes[k])
        ]
        return f"{node.op.name}({', '.join(parts)})"

    def operand(self, operand: Operand, names: dict[Value, str]) -> str:
        if isinstance(operand, tuple):
            return f"[{', '.join(self.operand(x, names) for x in operand)}]"
        if isinstance(operand, Const):
            return self.constant(operand)
        return "None" if operand is None else names[operand]

    def constant(self, const: Const) -> str:
        array = np.asarray(const.value)
        if const.spec.weak:
            return _number(const.value)
        if array.size <= SHORT:
            return f"{const.spec}({', '.join(map(_number, array.ravel().tolist()))})"
        if not self._full:
            return f"{const.spec}(…)"
        return f"{const.spec}({base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()!r})"

    def attribute(self, value: Any) -> str:
        if isinstance(value, Graph):
            if value not in self.children:
                self.children.append(value)
            return f"@{self.children.index(value) + 1}"
        if isinstance(value, tuple):
            text = f"{', '.join(map(self.attribute, value))}{',' * (len(value) == 1)}"
            return f"at[{text}]" if any(isinstance(v, Slot | Slice) for v in value) else f"({text})"
        if isinstance(value, np.dtype):
            return value.name
        if isinstance(value, Dim | Slot | Slice):
            return str(value)
        return "..." if value is ... else _number(value)


def _number(value: Any) -> str:
    """A Python number so that its signed zeros and NaNs are read back the same."""
    return f"complex({value.real!r}, {value.imag!r})" if isinstance(value, complex) else repr(value)


def _names(graph: Graph) -> dict[Value, str]:
    """``%0``, ``%1``, … in order of appearance."""
    values = [*graph.inputs, *(v for node in graph.nodes for v in node.outputs)]
    return {value: f"%{i}" for i, value in enumerate(values)}
