"""Building graphs: equal operations on equal operands become one (hash-consing), and what nothing needs is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybrid.core.dim import evaluate, symbol
from hybrid.core.op import Op
from hybrid.core.spec import Spec
from hybrid.ir.graph import Const, Graph, Node, Operand, Value, map_operand

__all__ = ["Builder", "freeze", "inferred"]

LARGE = 4096
"""Bytes from which a constant is compared by identity instead of content."""


class Builder:
    """Collects the inputs and nodes of one graph."""

    def __init__(self) -> None:
        self._inputs: list[Value] = []
        self._nodes: list[Node] = []
        self._made: dict[Any, tuple[Value, ...]] = {}
        self._consts: dict[Any, Const] = {}
        self._kept: list[Any] = []
        self._unknowns = 0

    def input(self, spec: Spec) -> Value:
        """A new argument of the graph."""
        value = Value(spec)
        self._inputs.append(value)
        return value

    def const(self, value: Any) -> Const:
        """A constant; equal ones are made once. The array is copied, so that later changes to it don't matter."""
        key = _content(value)
        if key not in self._consts:
            self._kept.append(value)  # keeps the identities in the keys from being given to other arrays
            self._consts[key] = Const(np.array(value) if isinstance(value, np.ndarray) else value)
        return self._consts[key]

    def emit(self, op: Op, operands: Sequence[Operand], attrs: dict[str, Any], location: Any = None) -> tuple[Value, ...]:
        """The results of an operation: those it gave before for the same operands and attributes, or a new node's.

        Raises what the operation's rule raises for operands that don't fit.
        """
        frozen = tuple((name, freeze(value)) for name, value in attrs.items())
        key = (op.name, tuple(operands), frozen, tuple(type(v) for _, v in frozen))
        if key not in self._made:
            outputs = tuple(Value(spec) for spec in self._named(inferred(op, operands, dict(frozen))))
            self._nodes.append(Node(op, tuple(operands), frozen, outputs, location))
            self._made[key] = outputs
        return self._made[key]

    def graph(self, outputs: Sequence[Value | Const]) -> Graph:
        """The graph of what the outputs need."""
        needed: set[Any] = set(outputs)
        nodes: list[Node] = []
        for node in reversed(self._nodes):
            if not needed.isdisjoint(node.outputs):
                nodes.append(node)
                needed.update(node.inputs)
        return Graph(tuple(self._inputs), tuple(reversed(nodes)), tuple(outputs))

    def _named(self, specs: tuple[Spec, ...]) -> tuple[Spec, ...]:
        """Give the sizes that only running tells names of their own; one name for one label."""
        labels = sorted({s for spec in specs for s in spec.symbols if s.startswith("?")})
        fresh = {label: symbol(f"u{self._unknowns + i}") for i, label in enumerate(labels)}
        self._unknowns += len(labels)
        return tuple(Spec(s.dtype, tuple(evaluate(d, fresh) for d in s.shape), s.weak) for s in specs) if fresh else specs


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


def _content(value: Any) -> Any:
    """What makes two constants the same: type, dtype, shape and bytes; identity for large arrays."""
    if isinstance(value, np.ndarray) and value.nbytes > LARGE:
        return id(value)
    array = np.asarray(value)
    return type(value), array.dtype, array.shape, array.tobytes()


