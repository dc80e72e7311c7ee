"""Branches on what only running tells: both sides are traced, and what they leave behind is joined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hybrid.control.join import branch
from hybrid.control.scope import Scope, Variables
from hybrid.control.variant import Variant, chosen, same_constant
from hybrid.ir.trace import Tracer

__all__ = ["is_option", "narrowed", "stage_if"]

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
    arms = [Scope(tracer, variables), Scope(tracer, variables)]
    for arm, side in zip(arms, (then, orelse), strict=True):
        arm.run(side)
    if rest is not None and sum(arm.signal is None for arm in arms) == 1:
        next(arm for arm in arms if arm.signal is None).run(rest)
        rest = None
    signal = branch(tracer, test, arms)
    if rest is None:
        return signal
    if signal is None:
        return rest()
    if not isinstance(signal, Variant) or not any(option is None for option in signal.options):
        return signal
    left = narrowed(signal, None)
    return stage_if(tracer, is_option(signal, None), rest, lambda: left, variables)


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
