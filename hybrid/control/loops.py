"""Loops: a graph is run again and again on its own results."""

from __future__ import annotations

from typing import Any

from hybrid.control._infer import check_inputs, outputs_outside
from hybrid.core.dim import unknown
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.errors import StagingError
from hybrid.ir.graph import Graph
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ops._samples import given, sample

__all__ = ["for_range", "while_loop"]

INDEX = Spec.parse("int")


def _carried(graph: Graph, operands: tuple[Spec, ...], carried: int, before: tuple[Spec, ...]) -> tuple[Spec, ...]:
    """The carried specs after a loop: as before it, but for sizes that the body changes, which are unknown."""
    inside = tuple(v.spec for v in graph.inputs)
    after = outputs_outside(graph, inside)[:carried]
    state = inside[len(before) : len(before) + carried]
    results = []
    for i, (start, enters, leaves) in enumerate(zip(operands[:carried], state, after, strict=True)):
        if (enters.dtype, enters.ndim, enters.weak) != (leaves.dtype, leaves.ndim, leaves.weak):
            raise StagingError(f"wanted a loop to give back what it is given, {enters}, received {leaves}")
        dims = zip(start.shape, enters.shape, leaves.shape, strict=True)
        shape = tuple(s if e == b else unknown(f"w{i}_{axis}") for axis, (s, e, b) in enumerate(dims))
        results.append(Spec(start.dtype, shape, start.weak))
    return tuple(results)


def _while(*operands: Spec, test: Graph, body: Graph, carried: int) -> tuple[Spec, ...]:
    check_inputs(test, operands, "the loop's test")
    check_inputs(body, operands, "the loop's body")
    if [(v.spec.dtype.kind, v.spec.shape) for v in test.outputs] != [("b", ())]:
        raise StagingError(f"wanted a test with one result, a bool without axes, received {[str(v.spec) for v in test.outputs]}")
    return _carried(body, operands, carried, ())


def _for(start: Spec, stop: Spec, step: Spec, *operands: Spec, body: Graph, carried: int, exits: bool) -> tuple[Spec, ...]:
    for bound in (start, stop, step):
        if bound.dtype.kind not in "iu" or bound.shape:
            raise StagingError(f"wanted integers as the bounds of a loop, received {bound}")
    check_inputs(body, (INDEX, *operands), "the loop's body")
    if len(body.outputs) != carried + exits:
        raise StagingError(f"wanted {carried + exits} results of the loop's body, received {len(body.outputs)}")
    return _carried(body, operands, carried, (INDEX,))


LESS = parse("graph(%0: int, %1: float64[n]):\n  %2: bool[] = less(%0, 3)\n  return %2")
STEP = parse(
    "graph(%0: int, %1: float64[n]):\n  %2: int = call_python(%0, 1, function='add')\n  %3: float64[n] = add(%1, %1)\n  return %2, %3"
)
GROW = parse("graph(%0: int, %1: float64[m]):\n  %2: float64[m + 1] = concat([%1, float64[1](1.0)])\n  return %2")
LEAVE = parse("graph(%0: int, %1: float64[m]):\n  %2: float64[m] = add(%1, %0)\n  %3: bool[] = less(%0, 2)\n  return %2, %3")


@op(infer=_while, samples=[sample(given(0), given([1.0, 2.0]), test=LESS, body=STEP, carried=2)])
def while_loop(*operands, test: Graph, body: Graph, carried: int) -> tuple[Any, ...]:
    """Run a graph on its own results as long as another graph says so.

    Args:
        operands: the carried values, then those that stay the same; any dtypes and shapes.
        test: all operands → one bool without axes.
        body: all operands → the carried values for the next round, of the same dtypes and numbers of axes.
        carried: the number of carried values.

    Returns:
        The carried values when the test fails.

    Raises:
        TypeError: if the graphs don't take the operands, or the body doesn't give back what it is given.

    >>> from hybrid.ir.parser import parse
    >>> test = parse("graph(%0: float64[]):\\n  %1: bool[] = less(%0, 100.0)\\n  return %1")
    >>> body = parse("graph(%0: float64[]):\\n  %1: float64[] = multiply(%0, 3.0)\\n  return %1")
    >>> hybrid.ops.OPS["while_loop"](np.float64(1.0), test=test, body=body, carried=1)
    (Tensor(243.0, dtype=float64),)
    """
    state, fixed = tuple(operands[:carried]), tuple(operands[carried:])
    while interpret(test, *state, *fixed)[0]:
        state = interpret(body, *state, *fixed)
    return state


@op(
    infer=_for,
    samples=[
        sample(given(0), given(3), given(1), given([1.0, 2.0]), body=GROW, carried=1),
        sample(given(5), given(-1), given(-2), given([1.0, 2.0]), body=LEAVE, carried=1, exits=True),
        sample(given(3), given(3), given(1), given([1.0, 2.0]), body=GROW, carried=1),
    ],
)
def for_range(start, stop, step, /, *operands, body: Graph, carried: int, exits: bool = False) -> tuple[Any, ...]:
    """Run a graph for each number of a range, on its own results.

    Args:
        start, stop, step: integers, as of Python's ``range``.
        operands: the carried values, then those that stay the same; any dtypes and shapes.
        body: the number and all operands → the carried values for the next round and, if ``exits``, whether to go on.
        carried: the number of carried values.
        exits: whether the body may end the loop.

    Returns:
        The carried values after the last round.

    Raises:
        TypeError: if the body doesn't take the operands, or doesn't give back what it is given.
        ValueError: for a step of 0.

    >>> from hybrid.ir.parser import parse
    >>> body = parse("graph(%0: int, %1: float64[]):\\n  %2: float64[] = add(%1, %0)\\n  return %2")
    >>> hybrid.ops.OPS["for_range"](0, 5, 1, np.float64(0.0), body=body, carried=1)
    (Tensor(10.0, dtype=float64),)
    """
    state, fixed = tuple(operands[:carried]), tuple(operands[carried:])
    for i in range(int(start), int(stop), int(step)):
        state = interpret(body, i, *state, *fixed)
        if exits:
            *state, goes_on = state
            if not goes_on:
                break
    return tuple(state)
