"""The Python side of a native program: kernels that it calls, and exceptions that they raise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

import numpy as np

from hybrid._util.tracebacks import located
from hybrid.backends.numba.sites import Site
from hybrid.control.progress import present

__all__ = ["Host"]


class Host:
    """What a program calls, by the numbers of its sites; keeps the exception until the program has left."""

    def __init__(self, sites: list[Site]):
        self._sites = sites
        self._callers: list[Callable[..., Any] | None] = [None] * len(sites)
        self._problems: dict[int, BaseException] = {}

    def call(self, number: int, *arguments: Any) -> tuple[Any, ...] | None:
        """The results of a site; ``None`` after an exception."""
        progress = present()
        noted = progress and progress.latest
        try:
            return (self._callers[number] or self._caller(number))(*arguments)
        except BaseException as error:  # the program must leave in order first
            location = self._sites[number].node.location
            if location is not None:
                error.__traceback__ = located(error.__traceback__, location)
            self._problems[threading.get_ident()] = error
            if progress is not None:
                progress.is_final = progress.latest is not noted
            return None

    def _caller(self, number: int) -> Callable[..., Any]:
        site = self._sites[number]
        caller = site.caller() if site.node.op.effects else _quiet(site.caller())
        self._callers[number] = caller
        return caller

    def problem(self) -> BaseException | None:
        """The exception that made this thread's program leave, once."""
        return self._problems.pop(threading.get_ident(), None)


# -- kernels that don't warn ----------------------------------------------------------------------------------------
class _Spare(threading.local):
    """Contexts of a thread that nothing runs in at present."""

    def __init__(self) -> None:
        self.contexts: list[Context] = []


_SPARE = _Spare()


def _quiet(run: Callable[..., Any]) -> Callable[..., Any]:
    """A function run where NumPy doesn't warn of numbers: contexts are kept, since entering one is cheaper than ``np.errstate``."""

    def quietly(*arguments: Any) -> Any:
        spare = _SPARE.contexts
        context = spare.pop() if spare else Context().run(_context)
        try:
            return context.run(run, *arguments)
        finally:
            spare.append(context)

    return quietly


def _context() -> Context:
    with np.errstate(all="ignore"):
        return copy_context()
