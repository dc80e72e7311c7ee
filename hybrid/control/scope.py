"""Stretches of tracing that can be undone, entered again, and made into the graph of a branch or a loop."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hybrid.core.cell import Slot
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.table import OPS
from hybrid.errors import StagingError, UnsupportedError
from hybrid.ir.builder import Builder
from hybrid.ir.trace import Tracer

__all__ = ["RAISED", "Scope", "StagedRaise", "Variables", "raise_staged", "together"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Variables:
    """The local variables that a statement may change.

    Attributes:
        get: their values in order.
        set: give them values.
        names: what the user calls them.
    """

    get: Callable[[], tuple[Any, ...]]
    set: Callable[[Sequence[Any]], None]
    names: tuple[str, ...]


def together(first: Variables, second: Variables) -> Variables:
    """The variables of both."""
    if not second.names:
        return first
    count = len(first.names)

    def put(state: Sequence[Any]) -> None:
        first.set(state[:count])
        second.set(state[count:])

    return Variables(lambda: (*first.get(), *second.get()), put, (*first.names, *second.names))


class _Raised:
    """The signal of a stretch that ends in an exception."""

    def __repr__(self) -> str:
        return "RAISED"


RAISED = _Raised()


class StagedRaise(BaseException):
    """Leaves a stretch of tracing after an exception was written down."""


class Scope:
    """One stretch: what it writes down, and what it leaves in variables and in memory.

    Attributes:
        builder: its operations.
        state: the variables at its end.
        changes: the slots it changed, and what they hold at its end.
        signal: how it ended.
    """

    def __init__(self, tracer: Tracer, variables: Variables):
        self.tracer, self.variables = tracer, variables
        self.builder = Builder(tracer.builder)
        self.state: tuple[Any, ...] | None = None
        self.changes: dict[Slot, Any] = {}
        self.signal: Any = None

    def run(self, body: Callable[[], Any]) -> Any:
        """Trace a body here (going on where the scope ended, if it ran before), and undo its changes outside.

        An exception of the user's code becomes one that the graph raises.
        """
        before = self.variables.get()
        try:
            self.signal = self.within(lambda: self._traced(body))
        finally:
            self.variables.set(before)
        return self.signal

    def within(self, question: Callable[[], T]) -> T:
        """The answer to a question asked where the scope ended, with memory as it was there."""
        tracer, outer = self.tracer, self.tracer.builder
        tracer.builder = self.builder
        tracer.journal.begin()
        try:
            for slot, content in self.changes.items():
                tracer.journal.note(slot)
                slot.restore(content)
            return question()
        finally:
            self.changes = tracer.journal.end()
            tracer.builder = outer

    def _traced(self, body: Callable[[], Any]) -> Any:
        if self.state is not None:
            self.variables.set(self.state)
        try:
            signal = body()
        except StagedRaise:
            signal = RAISED
        except (StagingError, UnsupportedError):
            raise
        except Exception as error:
            signal = raise_staged(error)
        self.state = tuple(self.variables.get())
        return signal


def raise_staged(error: BaseException) -> Any:
    """Write down that the program raises an exception here; the signal of a stretch that does."""
    raises = getattr(INTERPRETER.get(), "raises", None)
    if raises is not None:
        raises(error)
        return RAISED
    kind = type(error)
    name = kind.__name__ if getattr(builtins, kind.__name__, None) is kind else kind
    OPS["fail"](error=name, message=(str(error),) if error.args else ())
    return RAISED
