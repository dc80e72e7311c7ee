"""Loops on what only running tells. A round is traced once; numbers that change their type are met by peeling a round off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hybrid.control.branches import go_on, is_option, stage_if
from hybrid.control.rounds import Changing, Rounds
from hybrid.control.scope import RAISED, Variables
from hybrid.control.variant import Variant, chosen, same_constant
from hybrid.core.table import OPS
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["Hidden", "Jumps", "stage_for", "stage_while"]

Body = Callable[[], Any]
PEELS = 2
"""How many rounds are taken out of a loop before variables become variants."""


class Jumps:
    """The signals of a body that concern its loop."""

    def __init__(self, leave: Any, again: Any):
        self.leave, self.again = leave, again


def stage_while(tracer: Tracer, test: Body, body: Body, variables: Variables, jumps: Jumps) -> Any:
    """Trace a ``while``, whose test gives a Python or a traced bool.

    Returns the signal it ends with: ``None`` if the test failed, ``jumps.leave``, or one that is passed on.
    """
    return _while(tracer, test, body, variables, jumps, PEELS)


def _while(tracer: Tracer, test: Body, body: Body, variables: Variables, jumps: Jumps, peels: int) -> Any:
    go = test()
    if go is False:
        return None
    hidden = Hidden(variables)

    def one_round(_: Any) -> Any:
        hidden.signal = mapped(body(), jumps.again, None)
        return _goes_on(tracer, hidden, variables, test)

    try:
        Rounds(tracer, hidden.variables, one_round, has_index=False, may_change=peels == 0).emit_while(go)
        return hidden.signal
    except Changing:
        again = lambda: _while(tracer, test, body, variables, jumps, peels - 1)  # noqa: E731
        first = lambda: go_on(tracer, mapped(body(), jumps.again, None), again, variables)  # noqa: E731
        return first() if go is True else stage_if(tracer, go, first, lambda: None, variables)


def stage_for(tracer: Tracer, bounds: tuple[Any, Any, Any], body: Callable[[Any], Any], variables: Variables, jumps: Jumps) -> Any:
    """Trace a ``for`` over a range; the body gets the number. The signal is as of ``stage_while``."""
    return _for(tracer, bounds, body, variables, jumps, PEELS)


def _for(tracer: Tracer, bounds: tuple[Any, Any, Any], body: Callable[[Any], Any], variables: Variables, jumps: Jumps, peels: int) -> Any:
    start, stop, step = bounds
    hidden = Hidden(variables)

    def one_round(i: Any) -> Any:
        hidden.signal = mapped(body(i), jumps.again, None)
        return _goes_on(tracer, hidden, variables, lambda: True)

    try:
        Rounds(tracer, hidden.variables, one_round, has_index=True, may_change=peels == 0).emit_for(start, stop, step)
        return hidden.signal
    except Changing:
        again = lambda: _for(tracer, (start + step, stop, step), body, variables, jumps, peels - 1)  # noqa: E731
        first = lambda: go_on(tracer, mapped(body(start), jumps.again, None), again, variables)  # noqa: E731
        return _if_any(tracer, bounds, first, variables)


def _if_any(tracer: Tracer, bounds: tuple[Any, Any, Any], first: Body, variables: Variables) -> Any:
    """Run the first round where the range isn't empty."""
    start, stop, step = bounds
    if isinstance(step, Traced):
        any_left = OPS["call_python"](step > 0, start < stop, start > stop, function="choose")
    else:
        any_left = start < stop if step > 0 else start > stop
    if isinstance(any_left, Traced):
        return stage_if(tracer, any_left, first, lambda: None, variables)
    return first() if any_left else None


class Hidden:
    """The variables of a loop, and its signal among them."""

    def __init__(self, variables: Variables):
        self.signal: Any = None
        self._outer = variables
        self.variables = Variables(self._get, self._set, (*variables.names, "signal"))

    def _get(self) -> tuple[Any, ...]:
        return (*self._outer.get(), self.signal)

    def _set(self, state: Any) -> None:
        *outer, self.signal = state
        self._outer.set(tuple(outer))


def _goes_on(tracer: Tracer, hidden: Hidden, variables: Variables, test: Body) -> Any:
    """Whether another round follows: none of the signals that leave, and then the test."""
    signal = hidden.signal
    if signal is None:
        return test()
    if signal is RAISED or not isinstance(signal, Variant) or not any(option is None for option in signal.options):
        return False
    falls_through = is_option(signal, None)
    box: list[Any] = [False]

    def get() -> tuple[Any, ...]:
        return (*variables.get(), box[0])

    def put(state: Any) -> None:
        *outer, box[0] = state
        variables.set(tuple(outer))

    def look() -> None:
        box[0] = test()

    stage_if(tracer, falls_through, look, lambda: None, Variables(get, put, (*variables.names, "go")))
    return box[0]


def mapped(signal: Any, old: Any, new: Any) -> Any:
    """A signal with one of its constants replaced by another."""
    if not isinstance(signal, Variant):
        return new if signal is old else signal
    replaced = [new if option is old else option for option in signal.options]
    kept = [o for i, o in enumerate(replaced) if not any(same_constant(o, p) for p in replaced[:i])]
    if len(kept) == 1:
        return kept[0]
    places = [next(i for i, k in enumerate(kept) if same_constant(k, option)) for option in replaced]
    return Variant(chosen(signal.tag, places), tuple(kept))
