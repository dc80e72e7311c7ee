"""Branches on what only running tells: both sides are traced, and what they leave behind is joined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hybrid.control.join import branch
from hybrid.control.scope import RAISED, Scope, Variables
from hybrid.control.variant import Variant, chosen, same_constant
from hybrid.core.table import OPS
from hybrid.ir.builder import Builder
from hybrid.ir.trace import Tracer

__all__ = ["go_on", "is_option", "narrowed", "stage_if"]

Body = Callable[[], Any]


def stage_if(tracer: Tracer, test: Any, then: Body, orelse: Body, variables: Variables, rest: Body | None = None) -> Any:
    """Trace both sides of a branch and join them.

    Args:
        tracer: who traces.
        test: a traced bool without axes.
        then, orelse: the sides; each returns a signal, ``None`` if it falls through.
        variables: what the sides may change.
        rest: what follows the branch, where a side may leave; runs only where none does.

    Returns:
        The signal: ``None``, a constant, or a variant of them.
    """
    arms, sides = [Scope(tracer, variables), Scope(tracer, variables)], (then, orelse)
    if arms[0].run(then) is RAISED:  # what follows needs no graph of its own, and is traced once
        check(tracer, test, arms[0], True)
        signal = orelse()
        return signal if rest is None else go_on(tracer, signal, rest, variables)
    arms[1].run(orelse)
    raising = [arm.signal is RAISED for arm in arms]
    if sum(raising) == 1:
        check(tracer, test, arms[raising.index(True)], raising[0])
        signal = sides[raising.index(False)]()
        return signal if rest is None else go_on(tracer, signal, rest, variables)
    if rest is not None and sum(arm.signal is None for arm in arms) == 1:
        next(arm for arm in arms if arm.signal is None).run(rest)
        rest = None
    signal = branch(tracer, test, arms)
    return signal if rest is None else go_on(tracer, signal, rest, variables)


def check(tracer: Tracer, test: Any, problem: Scope, is_for_true: bool) -> None:
    """Emit a branch of which one side raises, and the other one is what follows."""
    captures = list(problem.builder.captured)
    raises, passes = problem.builder.graph([], captures), Builder(tracer.builder).graph([], captures)
    sides = {"then": raises, "orelse": passes} if is_for_true else {"then": passes, "orelse": raises}
    tracer.builder.emit(OPS["cond"], [tracer.operand(test), *captures], sides)


def go_on(tracer: Tracer, signal: Any, then: Body, variables: Variables) -> Any:
    """Go on after a statement where it fell through; the joined signal."""
    if signal is None:
        return then()
    if not isinstance(signal, Variant) or not any(option is None for option in signal.options):
        return signal
    left = narrowed(signal, None)
    return stage_if(tracer, is_option(signal, None), then, lambda: left, variables)


def is_option(variant: Variant, option: Any) -> Any:
    """A traced bool: whether a variant is one of its options that is a constant."""
    return variant.tag == next(i for i, other in enumerate(variant.options) if same_constant(other, option))


def narrowed(variant: Variant, without: Any) -> Any:
    """A variant where one option is known not to be; the last remaining option itself."""
    kept = [i for i, option in enumerate(variant.options) if not same_constant(option, without)]
    if len(kept) == 1:
        return variant.options[kept[0]]
    places = [kept.index(i) if i in kept else 0 for i in range(len(variant.options))]
    return Variant(chosen(variant.tag, places), tuple(variant.options[i] for i in kept))
