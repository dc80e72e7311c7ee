"""Calls of graphs, which may call themselves."""

from __future__ import annotations

from typing import Any

from hybrid.control._infer import check_inputs, outputs_outside
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ir.graph import Graph
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ops._samples import given, sample

__all__ = ["Routine", "call"]


class Routine:
    """A graph that calls may name before it is complete, so that it can call itself.

    Attributes:
        name: for people.
        results: the specs of its results.
        graph: what it does; set once.
    """

    __slots__ = ("graph", "name", "results")

    def __init__(self, name: str, results: tuple[Spec, ...]):
        self.name, self.results = name, results
        self.graph: Graph | None = None

    def __repr__(self) -> str:
        return self.name


def _results(*operands: Spec, routine: Routine) -> tuple[Spec, ...]:
    if routine.graph is None:
        return routine.results
    check_inputs(routine.graph, operands, routine.name)
    return tuple(outputs_outside(routine.graph, operands))


def _routine(text: str) -> Routine:
    made = Routine("double", ())
    made.graph = parse(text)
    return made


@op(
    infer=_results,
    effects=True,
    dtypes=(),
    samples=[sample(given([1.0, 2.0]), routine=_routine("graph(%0: float64[n]):\n  %1: float64[n] = add(%0, %0)\n  return %1"))],
)
def call(*operands, routine: Routine) -> tuple[Any, ...]:
    """Run a graph that has a name.

    Args:
        operands: its arguments.
        routine: the graph, which may contain calls of itself.

    Returns:
        Its results.

    Raises:
        TypeError: if the graph doesn't take the operands.
        RecursionError: if calls go too deep.

    >>> from hybrid.control.call import Routine
    >>> from hybrid.ir.parser import parse
    >>> double = Routine("double", ())
    >>> double.graph = parse("graph(%0: float):\\n  %1: float64[] = add(%0, %0)\\n  return %1")
    >>> hybrid.ops.OPS["call"](4.0, routine=double)
    (Tensor(8.0, dtype=float64),)
    """
    assert routine.graph is not None
    return interpret(routine.graph, *operands)
