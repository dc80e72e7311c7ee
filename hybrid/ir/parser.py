"""Reading graphs back from their text: the language of tests and of saved functions."""

from __future__ import annotations

import ast
import base64
import math
import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from hybrid.core.dim import Dim, parse_dim
from hybrid.core.dtypes import SHORT_NAMES, as_dtype
from hybrid.core.pattern import Slice, Slot
from hybrid.core.spec import Spec, split_outside
from hybrid.core.table import OPS
from hybrid.ir.graph import Const, Graph, Node, Operand, Value

__all__ = ["parse"]

_HEAD: Final = re.compile(r"graph(?: @(?P<number>\d+))?\((?P<inputs>.*)\):$")
_MARKS: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?P<mark>[%@$])(?P<digits>\d+)|(?P<scalar>\[\]\()")
_PREFIX: Final = {"%": "_value_", "@": "_graph_", "$": "_slot_"}
_NAMES: Final[dict[str, Any]] = {"nan": math.nan, "inf": math.inf}


def parse(text: str) -> Graph:
    """The graph of a text as ``Graph.text()`` writes it; ``ValueError`` naming the line that can't be read.

    >>> print(parse("graph(%0: float64[3]):\\n  %1: float64[3] = add(%0, 1.0)\\n  return %1"))
    graph(%0: float64[3]):
      %1: float64[3] = add(%0, 1.0)
      return %1
    """
    blocks = [block.splitlines() for block in re.split(r"\n\s*\n", text.strip())]
    children: dict[str, Graph] = {}
    for block in reversed(blocks[1:]):
        head = _HEAD.match(block[0].strip())
        if head is None or head["number"] is None:
            raise ValueError(f"wanted a graph with a number, such as 'graph @1(...):', received {block[0]!r}")
        children[head["number"]] = _Reader(children).graph(block)
    return _Reader(children).graph(blocks[0])


class _Reader:
    """Reads one graph; knows the graphs that its attributes may name."""

    def __init__(self, children: dict[str, Graph]):
        self._children = children
        self._values: dict[str, Value] = {}

    def graph(self, lines: list[str]) -> Graph:
        head = _HEAD.match(lines[0].strip()) if lines else None
        if head is None:
            raise ValueError(f"wanted 'graph(%0: float64[3], ...):', received {lines[:1]}")
        inputs = self.checked(self.declared, head["inputs"])
        nodes = tuple(self.checked(self.node, line) for line in lines[1:-1])
        outputs = self.checked(self.returned, lines[-1])
        return Graph(inputs, nodes, outputs)

    def checked(self, read: Callable[[str], Any], line: str) -> Any:
        try:
            return read(line.strip())
        except (KeyError, SyntaxError, TypeError, ValueError) as error:
            raise ValueError(f"can't read the line {line.strip()!r}: {error!r}") from error

    def declared(self, text: str) -> tuple[Value, ...]:
        """``%0: float64[3], %1: int`` → new values."""
        made = []
        for part in split_outside(text):
            name, _, spec = part.strip().partition(":")
            self._values[name.removeprefix("%")] = value = Value(Spec.parse(spec))
            made.append(value)
        return tuple(made)

    def node(self, line: str) -> Node:
        left, _, right = line.partition(" = ") if line.startswith("%") else ("", "", line)
        call = _expression(right)
        if not isinstance(call, ast.Call):
            raise ValueError("wanted an operation and its arguments")
        op = OPS[ast.unparse(call.func)]
        operands = tuple(map(self.operand, call.args))
        attrs = op.attributes | {k.arg: self.attribute(k.value) for k in call.keywords}
        if unknown := set(attrs) - set(op.attributes):
            raise ValueError(f"{op.name} has no attribute {', '.join(map(str, sorted(unknown)))}")
        return Node(op, operands, tuple(attrs.items()), self.declared(left))

    def returned(self, line: str) -> tuple[Any, ...]:
        if line != "return" and not line.startswith("return "):
            raise ValueError("wanted 'return %0, ...'")
        return tuple(self.operand(_expression(part)) for part in split_outside(line.removeprefix("return")))

    def operand(self, node: ast.expr) -> Operand:
        match node:
            case ast.List(elts=items):
                return tuple(map(self.operand, items))
            case ast.Constant(value=None):
                return None
            case ast.Name(id=name) if name.startswith("_value_"):
                return self._values[name.removeprefix("_value_")]
            case ast.Call(func=ast.Subscript()):
                return Const(_array(node))
        return Const(_number(node))

    def attribute(self, node: ast.expr) -> Any:
        match node:
            case ast.Tuple(elts=items):
                return tuple(map(self.attribute, items))
            case ast.Subscript(value=ast.Name(id="at"), slice=inner):
                return tuple(map(self.part, inner.elts if isinstance(inner, ast.Tuple) else [inner]))
            case ast.Constant(value=value) if not isinstance(value, complex):
                return value
            case ast.Name(id=name) if name.startswith("_graph_"):
                return self._children[name.removeprefix("_graph_")]
            case ast.Name(id=name) if _is_dtype(name):
                return as_dtype(name)
        try:
            return _number(node)
        except ValueError:
            return parse_dim(ast.unparse(node))

    def part(self, node: ast.expr) -> Any:
        """One entry of an index."""
        match node:
            case ast.Slice(lower=a, upper=b, step=c):
                return Slice(*(None if x is None else self.part(x) for x in (a, b, c)))
            case ast.Name(id=name) if name.startswith("_slot_"):
                return Slot(int(name.removeprefix("_slot_")))
        return self.attribute(node)


# -- texts to numbers -----------------------------------------------------------------------------------------------
def _expression(text: str) -> ast.expr:
    """Python's syntax tree of a text in which ``%0``, ``@1`` and ``$2`` are names."""

    def named(match: re.Match[str]) -> str:
        if match["mark"]:
            return _PREFIX[match["mark"]] + match["digits"]
        return "[()](" if match["scalar"] else match[0]

    return ast.parse(_MARKS.sub(named, text.strip()), mode="eval").body


def _number(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_number(inner)
        case ast.Call(func=ast.Name(id="complex"), args=[a, b]):
            return complex(_number(a), _number(b))
    raise ValueError(f"wanted a number, received {ast.unparse(node)!r}")


def _array(node: ast.Call) -> Any:
    """``float64[3](1.0, 2.0, 3.0)``, or the bytes of the elements in base 64 → an array; a scalar for no axes."""
    assert isinstance(node.func, ast.Subscript)
    text = ast.unparse(node.func)
    spec = Spec.parse(text.replace("[()]", "[]").replace("[(", "[").replace(")]", "]"))
    if any(isinstance(d, Dim) for d in spec.shape):
        raise ValueError(f"a constant's sizes are numbers, received {spec}")
    match node.args:
        case [ast.Constant(value=str(encoded))]:
            array = np.frombuffer(base64.b64decode(encoded, validate=True), spec.dtype)
        case items:
            array = np.array([_number(item) for item in items], spec.dtype)
    return array.reshape(spec.shape).copy()[()]  # type: ignore[arg-type]


def _is_dtype(name: str) -> bool:
    return any(name == dtype.name for dtype in SHORT_NAMES.values())
