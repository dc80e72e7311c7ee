"""Loops on what only running tells. A round is traced once; numbers that change their type are met by peeling a round off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from hybrid.control.branches import go_on, is_option, stage_if
from hybrid.control.carry import Carry
from hybrid.control.rounds import Changing, Rounds
from hybrid.control.scope import RAISED, Scope, Variables
from hybrid.control.variant import Variant, chosen, same_constant
from hybrid.core.table import OPS
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["Hidden", "Jumps", "stage_for", "stage_while"]

Body = Callable[[], Any]
PEELS = 1
"""The most rounds that are taken out of a loop; where that isn't enough, variables become variants."""


class Jumps:
    """The signals of a body that concern its loop."""

    def __init__(self, leave: Any, again: Any):
        self.leave, self.again = leave, again


def stage_while(tracer: Tracer, test: Body, body: Body, variables: Variables, jumps: Jumps) -> Any:
    """Trace a ``while``, whose test gives a Python or a traced bool.

    Returns the signal it ends with: ``None`` if the test failed, ``jumps.leave``, or one that is passed on.
    """

    go = test()
    if go is False:
        return None

    def trace(peels: int, go: Any = go, **kinds: bool) -> Any:
        if not peels:
            return rounds(go, **kinds)

        def again() -> Any:
            another = test()
            return None if another is False else trace(peels - 1, another, **kinds)

        first = lambda: go_on(tracer, mapped(body(), jumps.again, None), again, variables)  # noqa: E731
        return first() if go is True else stage_if(tracer, go, first, lambda: None, variables)

    def rounds(go: Any, **kinds: bool) -> Any:
        hidden = Hidden(variables)

        def one_round(_: Any) -> Any:
            hidden.signal = mapped(body(), jumps.again, None)
            return _goes_on(tracer, hidden, variables, test)

        _rounds(tracer, hidden.variables, one_round, has_index=False, **kinds).emit_while(go)
        return hidden.signal

    return _peeled(tracer, variables, trace)


def stage_for(tracer: Tracer, bounds: tuple[Any, Any, Any], body: Callable[[Any], Any], variables: Variables, jumps: Jumps) -> Any:
    """Trace a ``for`` over a range; the body gets the number. The signal is as of ``stage_while``."""

    def trace(peels: int, bounds: tuple[Any, Any, Any] = bounds, **kinds: bool) -> Any:
        if not peels:
            return rounds(bounds, **kinds)
        start, stop, step = bounds
        again = lambda: trace(peels - 1, (start + step, stop, step), **kinds)  # noqa: E731
        return _if_any(tracer, bounds, lambda: go_on(tracer, mapped(body(start), jumps.again, None), again, variables), variables)

    def rounds(bounds: tuple[Any, Any, Any], **kinds: bool) -> Any:
        hidden = Hidden(variables)

        def one_round(i: Any) -> Any:
            hidden.signal = mapped(body(i), jumps.again, None)
            return _goes_on(tracer, hidden, variables, lambda: True)

        _rounds(tracer, hidden.variables, one_round, has_index=True, **kinds).emit_for(*bounds)
        return hidden.signal

    return _peeled(tracer, variables, trace)


@dataclass(slots=True)
class Memory:
    """What a tracer learnt about loops, which it meets again and again while it finds out about those around them.

    Attributes:
        peels: by place, how many rounds are peeled off.
        found: by place, what is carried.
    """

    peels: dict[Any, int] = field(default_factory=dict)
    found: dict[Any, dict[int, Carry]] = field(default_factory=dict)


MEMORY: Final[WeakKeyDictionary[Tracer, Memory]] = WeakKeyDictionary()


def _place(tracer: Tracer, variables: Variables) -> Any:
    """What tells a loop, and what it starts with, from others."""
    carries = [Carry.of(tracer, value) for value in variables.get()]
    return tracer.location(), variables.names, tuple((carry.kinds, carry.leaves) for carry in carries)


def _rounds(tracer: Tracer, variables: Variables, one_round: Callable[[Any], Any], **options: bool) -> Rounds:
    """The rounds of a loop, found with what an earlier attempt found as a guess."""
    found, place = MEMORY.setdefault(tracer, Memory()).found, _place(tracer, variables)
    rounds = Rounds(tracer, variables, one_round, guess=found.get(place), **options)
    found[place] = rounds.found
    return rounds


def _peeled(tracer: Tracer, variables: Variables, trace: Callable[..., Any]) -> Any:
    """Trace a loop with so many rounds peeled off that its variables keep their kinds; with none where that doesn't help.

    Args:
        trace: gets the number of rounds, and whether variables ``may_change`` or ``may_vary``, as ``Rounds``.
    """
    peels, place = MEMORY.setdefault(tracer, Memory()).peels, _place(tracer, variables)
    if place not in peels:
        try:
            return trace(0, may_change=False)
        except Changing:
            pass  # it is tried with rounds peeled off
        attempts = (n for n in range(1, PEELS + 1) if _settles(tracer, variables, lambda n=n: trace(n, may_change=False, may_vary=False)))
        peels[place] = next(attempts, 0)
    return trace(peels[place])


def _settles(tracer: Tracer, variables: Variables, trace: Callable[[], Any]) -> bool:
    """Whether a loop can be traced without variables that change their kinds; nothing of the attempt stays."""
    try:
        with tracer.labelling():
            Scope(tracer, variables).run(trace)
    except Changing:
        return False
    return True


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
