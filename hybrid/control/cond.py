"""Branches: one of two graphs is run."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.control._infer import check_inputs, joined, outputs_outside
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ir.graph import Graph
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ops._samples import given, sample

__all__ = ["cond"]


def _one_of(pred: Spec, *operands: Spec, then: Graph, orelse: Graph) -> tuple[Spec, ...]:
    if pred.dtype.kind != "b" or pred.shape:
        raise TypeError(f"wanted a bool without axes to decide a branch, received {pred}")
    check_inputs(then, operands, "the branch")
    check_inputs(orelse, operands, "the other branch")
    pairs = zip(outputs_outside(then, operands), outputs_outside(orelse, operands), strict=True)
    return tuple(joined(a, b, f"c{i}") for i, (a, b) in enumerate(pairs))


DOUBLE = parse("graph(%0: float64[n]):\n  %1: float64[n] = add(%0, %0)\n  return %1")
SHORTER = parse("graph(%0: float64[n]):\n  %1: float64[min(1, n)] = getitem(%0, index=at[:1])\n  return %1")


@op(
    infer=_one_of,
    samples=[
        sample(given(True), given([1.0, 2.0]), then=DOUBLE, orelse=SHORTER),
        sample(given(np.bool(False)), given([1.0, 2.0]), then=DOUBLE, orelse=SHORTER),
    ],
)
def cond(pred, /, *operands, then: Graph, orelse: Graph) -> tuple[Any, ...]:
    """Run one of two graphs, and only that.

    Args:
        pred: a bool without axes.
        operands: what the graphs are given; any dtypes and shapes.
        then: the graph to run if ``pred`` holds.
        orelse: the graph to run if it does not; with as many results, of the same dtypes and numbers of axes.

    Returns:
        The results of the graph that was run; sizes that differ between the two are unknown until then.

    Raises:
        TypeError: if the graphs don't take the operands or don't agree in their results.

    >>> from hybrid.ir.parser import parse
    >>> double = parse("graph(%0: float):\\n  %1: float64[] = add(%0, %0)\\n  return %1")
    >>> same = parse("graph(%0: float):\\n  return float64[](0.0)")
    >>> hybrid.ops.OPS["cond"](True, 4.0, then=double, orelse=same)
    (Tensor(8.0, dtype=float64),)
    """
    return interpret(then if pred else orelse, *operands)
