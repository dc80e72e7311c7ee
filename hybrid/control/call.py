"""Calls of graphs, which may call themselves."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from types import FrameType
from typing import Any, Final, NamedTuple

from hybrid._util.deep import frames_left, frames_since, on_new_stack
from hybrid.control._infer import check_inputs, outputs_outside, specs_outside
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ir.graph import Graph
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ops._samples import given, sample

__all__ = ["TOO_DEEP", "Routine", "call"]

TOO_DEEP: Final = "maximum recursion depth exceeded"
"""What Python says of too many calls inside each other."""
STACK: Final = 2**23
FRAME: Final = 2**11
"""Bytes of a thread's stack in all, and for each call of Python's."""


class _Level(NamedTuple):
    """Where the innermost call of a routine is.

    Attributes:
        frame: its frame, if that is in this thread.
        depth: the number of Python's calls around it in this thread.
        left: how many more calls inside each other Python would allow.
    """

    frame: FrameType | None
    depth: int
    left: int


LEVEL: ContextVar[_Level | None] = ContextVar("hybrid_level", default=None)


class Routine:
    """A graph that calls may name before it is complete, so that it can call itself.

    Attributes:
        name: for people.
        results: the specs of its results, in the symbols of its inputs; without inputs, as the graph has them.
        inputs: the specs of its inputs.
        graph: what it does; set once.
    """

    __slots__ = ("graph", "inputs", "name", "results")

    def __init__(self, name: str, results: tuple[Spec, ...], inputs: tuple[Spec, ...] | None = None):
        self.name, self.results, self.inputs = name, results, inputs
        self.graph: Graph | None = None

    def __repr__(self) -> str:
        return self.name


def _results(*operands: Spec, routine: Routine, frames: int) -> tuple[Spec, ...]:
    if routine.inputs is not None:
        return tuple(specs_outside(routine.inputs, routine.results, operands))
    assert routine.graph is not None
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
def call(*operands, routine: Routine, frames: int = 1) -> tuple[Any, ...]:
    """Run a graph that has a name.

    Args:
        operands: its arguments.
        routine: the graph, which may contain calls of itself.
        frames: how many calls of Python's functions it stands for.

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
    here = sys._getframe()
    level = LEVEL.get() or _Level(None, 0, frames_left())
    depth = level.depth + frames_since(level.frame)
    if level.left < frames:
        raise RecursionError(TOO_DEEP)
    is_full = depth > sys.getrecursionlimit() // 2
    token = LEVEL.set(_Level(None if is_full else here, 0 if is_full else depth, level.left - frames))
    try:
        if not is_full:
            return interpret(routine.graph, *operands)
        return on_new_stack(max(STACK, FRAME * sys.getrecursionlimit()), interpret, routine.graph, *operands)
    finally:
        LEVEL.reset(token)
