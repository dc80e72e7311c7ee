"""Who runs operations: nobody (NumPy does, at once), or the interpreter in charge: a tracer, a tape, a vmap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

__all__ = ["INTERPRETER", "Interpreter", "interpreting"]


class Interpreter(Protocol):
    """Receives every operation called while it is in charge."""

    def bind(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Do what the operation means here, with the arguments as the caller wrote them (``op.split`` orders them)."""
        ...


INTERPRETER: ContextVar[Interpreter | None] = ContextVar("hybrid_interpreter", default=None)


@contextmanager
def interpreting(interpreter: Interpreter | None) -> Iterator[None]:
    """Put an interpreter in charge for the duration of a block; ``None`` for eager NumPy."""
    token = INTERPRETER.set(interpreter)
    try:
        yield
    finally:
        INTERPRETER.reset(token)
