"""Who runs a construct while a function is traced; otherwise nobody does, and every construct means what Python means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

__all__ = ["ACTIVE", "stager_for", "staging"]

ACTIVE: Final[list[Any]] = []
"""The stagers at work, of any thread; while it is empty the constructs need one truth test to know that nothing is staged."""

STAGER: Final[ContextVar[Any]] = ContextVar("hybrid_stager", default=None)


def stager_for(*values: Any) -> Any:
    """The stager of the function that is being traced here, if one is: its methods have the names and parameters of the
    functions of ``hybrid.frontend.runtime``, and mean the same on values that are known.
    """
    return STAGER.get()


@contextmanager
def staging(stager: Any) -> Iterator[None]:
    """Let a stager run the constructs, for the duration of a block."""
    token = STAGER.set(stager)
    ACTIVE.append(stager)
    try:
        yield
    finally:
        ACTIVE.remove(stager)
        STAGER.reset(token)
