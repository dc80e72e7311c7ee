"""Building graphs: equal operations on equal operands become one (hash-consing), and what nothing needs is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from hybrid.core.dim import Dim, evaluate, symbol, symbols_of
from hybrid.core.op import Op
from hybrid.core.spec import Spec
from hybrid.errors import StagingError
from hybrid.ir.fallible import is_kept
from hybrid.ir.graph import Const, Graph, Node, Operand, Value, leaves_of, map_operand

__all__ = ["Builder", "freeze", "has_effects", "inferred"]

LARGE = 4096
"""Bytes above which a constant is known by a digest, and elements up to which an array can be an attribute."""


class Builder:
    """Collects the inputs and nodes of one graph.

    Args:
        parent: for a graph inside another: where the values it captures come from.

    Attributes:
        sources: for each value of this graph and of those around it what it was made of.
    """

    def __init__(self, parent: Builder | None = None) -> None:
        self._parent = parent
        self.locate: Callable[[], Any] | None = parent.locate if parent is not None else None
        self._inputs: list[Value] = []
        self._captured: dict[Value, Value] = {}
        self._defined: set[Value] = set()
        self._sizes: dict[str, Value] = {}
        self._nodes: list[Node] = []
        self._made: dict[Any, tuple[Value, ...]] = {}
        self._consts: dict[Any, Const] = parent._consts if parent else {}
        self.sources: dict[Value, tuple[Any, ...]] = parent.sources if parent else {}
        self._unknowns: list[int] = parent._unknowns if parent else [0]

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The declared arguments."""
        return tuple(self._inputs)

    @property
    def captured(self) -> dict[Value, Value]:
        """The parent's values that were used here → the inputs that stand for them."""
        return self._captured

    def input(self, spec: Spec) -> Value:
        """A new argument of the graph."""
        value = Value(spec)
        self._inputs.append(value)
        self._define(value)
        return value

    @property
    def count(self) -> int:
        """The number of operations so far."""
        return len(self._nodes)

    def nodes_since(self, count: int) -> list[Node]:
        """The operations after the first ``count``."""
        return self._nodes[count:]

    def forget_since(self, count: int) -> None:
        """Take back the operations after the first ``count``."""
        gone = {value for node in self._nodes[count:] for value in node.outputs}
        del self._nodes[count:]
        self._made = {key: outputs for key, outputs in self._made.items() if gone.isdisjoint(outputs)}
        self._sizes = {name: value for name, value in self._sizes.items() if value not in gone}
        self._defined -= gone

    def const(self, value: Any) -> Const:
        """A constant; equal ones are made once. The array is copied, so that later changes to it don't matter."""
        key = _content(value)
        if key not in self._consts:
            self._consts[key] = Const(np.array(value) if isinstance(value, np.ndarray) else value)
        return self._consts[key]

    def own(self, value: Value) -> Value:
        """The value as this graph knows it: its own, or an input that stands for a value of the parent's.

        Raises ``StagingError``, a ``TypeError``, for a value that belongs to neither.
        """
        if value in self._defined:
            return value
        if value not in self._captured:
            if self._parent is None:
                raise StagingError(f"a traced value was used outside of the function, branch or loop it belongs to, received {value!r}")
            self._parent.own(value)
            self._captured[value] = Value(value.spec)
            self.sources[self._captured[value]] = (value,)
            self._define(self._captured[value])
        return self._captured[value]

    def emit(self, op: Op, operands: Sequence[Operand], attrs: dict[str, Any], location: Any = None) -> tuple[Value, ...]:
        """The results of an operation: those it gave before for the same operands and attributes, or a new node's.

        Raises what the operation's rule raises for operands that don't fit.
        """
        operands = tuple(map_operand(self.owned, operand) for operand in operands)
        frozen = tuple((name, freeze(value)) for name, value in attrs.items())
        key = (op.name, operands, tuple((name, _exact(value)) for name, value in frozen))
        if key not in self._made or has_effects(op, frozen):
            outputs = tuple(Value(spec) for spec in self._named(inferred(op, operands, dict(frozen))))
            for name in {symbol for _, value in frozen for symbol in _symbols_in(value)}:
                self._know_size(name)
            place = self.locate() if location is None and self.locate is not None else location
            self._nodes.append(Node(op, operands, frozen, outputs, place))
            for value in outputs:
                self._define(value)
                self.sources[value] = tuple(leaves_of(operands))
            self._made[key] = outputs
        return self._made[key]

    def graph(self, outputs: Sequence[Value | Const], captures: Sequence[Value] = ()) -> Graph:
        """The graph of what the outputs need and of all that has effects.

        Args:
            outputs: the results.
            captures: the parent's values that are to be arguments, after the declared ones; at least all that were captured.
        """
        outputs = tuple(map(self.owned, outputs))
        needed: set[Any] = set(outputs)
        nodes: list[Node] = []
        for node in reversed(self._nodes):
            if has_effects(node.op, node.attrs) or is_kept(node) or not needed.isdisjoint(node.outputs):
                nodes.append(node)
                needed.update(node.inputs)
        inputs = (*self._inputs, *(self._captured.get(c) or Value(c.spec) for c in captures))
        return Graph(inputs, tuple(reversed(nodes)), outputs)

    def _define(self, value: Value) -> None:
        self._defined.add(value)
        for dim in value.spec.shape:
            if isinstance(dim, Dim) and str(dim).isidentifier():
                self._sizes.setdefault(str(dim), value)

    def _know_size(self, name: str) -> Value:
        """The value whose shape tells a size; captured from the parent if nothing here has it."""
        if name not in self._sizes:
            if self._parent is None:
                raise TypeError(f"the size {name} isn't known in this function")
            self.own(self._parent._know_size(name))
        return self._sizes[name]

    def knows(self, names: Iterable[str]) -> bool:
        """Whether this graph, or one around it, has values of sizes with these names."""
        return all(name in self._sizes or (self._parent is not None and self._parent.knows([name])) for name in names)

    def where_size(self, name: str) -> tuple[Builder, Value, int]:
        """The graph that has a value with a size of this name of its own, the value, and its axis."""
        found: Builder | None = self
        while found is not None and name not in found._sizes:
            found = found._parent
        if found is None:
            raise TypeError(f"the size {name} isn't known in this function")
        value = found._sizes[name]
        while found._parent is not None and (outer := next((v for v, own in found._captured.items() if own is value), None)) is not None:
            found, value = found._parent, found._parent.own(outer)
        return found, value, [str(dim) for dim in value.spec.shape].index(name)

    def owned(self, leaf: Value | Const) -> Value | Const:
        """The value or constant as this graph knows it."""
        return self.own(leaf) if isinstance(leaf, Value) else leaf

    def _new_name(self) -> str:
        """A name for a size that nothing has yet."""
        name = f"u{self._unknowns[0]}"
        self._unknowns[0] += 1
        return self._new_name() if name in self._sizes else name

    def _named(self, specs: tuple[Spec, ...]) -> tuple[Spec, ...]:
        """Give the sizes that only running tells names of their own; one name for one label."""
        labels = sorted({s for spec in specs for s in spec.symbols if s.startswith("?")})
        fresh = {label: symbol(self._new_name()) for label in labels}
        return tuple(Spec(s.dtype, tuple(evaluate(d, fresh) for d in s.shape), s.weak) for s in specs) if fresh else specs


def has_effects(op: Op, attrs: tuple[tuple[str, Any], ...]) -> bool:
    """Whether an operation does more than compute its results: by itself, or in a graph among its attributes."""
    graphs = (value for _, value in attrs if isinstance(value, Graph))
    return op.effects or any(has_effects(node.op, node.attrs) or is_kept(node) for graph in graphs for node in graph.nodes)


def inferred(op: Op, operands: Sequence[Operand], attrs: dict[str, Any]) -> tuple[Spec, ...]:
    """The specs of an operation's results, as its rule says, always as a tuple."""
    result = op.infer(*(map_operand(lambda leaf: leaf.spec, operand) for operand in operands), **attrs)
    return (result,) if isinstance(result, Spec) else tuple(result)


def freeze(value: Any) -> Any:
    """An attribute as a hashable value: lists become tuples, NumPy numbers Python's; ``TypeError`` for what can't be static."""
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return tuple(map(freeze, value))
    if isinstance(value, np.ndarray) and value.ndim <= 1 and value.size <= LARGE:
        return freeze(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, type) and issubclass(value, np.generic | bool | int | float | complex):
        return np.dtype(value)
    hash(value)
    return value


def _exact(attribute: Any) -> Any:
    """What makes two attributes the same: 1, True and 1.0 are three things, and so are the two zeros."""
    if type(attribute) is tuple:
        return tuple(map(_exact, attribute))
    return type(attribute), repr(attribute) if isinstance(attribute, float | complex) else attribute


def _symbols_in(attribute: Any) -> set[str]:
    """The sizes that an attribute mentions."""
    if isinstance(attribute, Dim):
        return symbols_of(attribute)
    return set().union(*map(_symbols_in, attribute)) if type(attribute) is tuple else set()


def _content(value: Any) -> Any:
    """What makes two constants the same: type, dtype, shape and bytes, or a digest of many."""
    array = np.asarray(value)
    content = array.tobytes()
    return type(value), array.dtype, array.shape, content if len(content) <= LARGE else blake2b(content).digest()
