"""Running decorated functions as plain Python: for debuggers, and to see what compiling changes."""

from __future__ import annotations

from contextvars import ContextVar, Token
from types import TracebackType
from typing import Final

__all__ = ["EAGERLY", "Eagerly", "is_eager", "run_eagerly"]

EAGERLY: Final[list[object]] = []
"""Not empty while anything runs eagerly anywhere: what compiled functions look at first."""

PROCESS: Final = object()
"""Stands in the list for a switch that holds for the whole process."""

HERE: Final[ContextVar[bool | None]] = ContextVar("hybrid_run_eagerly", default=None)


def is_eager() -> bool:
    """Whether decorated functions run as plain Python in this thread or task."""
    here = HERE.get()
    return PROCESS in EAGERLY if here is None else here


def run_eagerly(flag: bool = True) -> Eagerly:
    """Run decorated functions as plain Python, so that ``pdb`` and ``breakpoint()`` see the function as it was written.

    As a statement it holds for the whole process until it is called again; in a ``with`` statement for the block, in the thread or task
    that runs it.

    Args:
        flag: ``False`` for compiled again.

    >>> with hybrid.run_eagerly():
    ...     hybrid.function(lambda x: x + 1)(1)
    2
    """
    if type(flag) is not bool:
        raise TypeError(f"wanted True or False, received {flag!r}")
    return Eagerly(flag)


class Eagerly:
    """A switch that was thrown; as a context manager, for the block alone."""

    __slots__ = ("_before", "_flag", "_token")

    def __init__(self, flag: bool):
        self._flag = flag
        self._before = PROCESS in EAGERLY
        self._token: Token[bool | None] | None = None
        _switch(flag)

    def __enter__(self) -> None:
        _switch(self._before)
        self._token = HERE.set(self._flag)
        if self._flag:
            EAGERLY.append(self)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        assert self._token is not None
        HERE.reset(self._token)
        if self._flag:
            EAGERLY.remove(self)

    def __repr__(self) -> str:
        return f"<decorated functions run {'as plain Python' if self._flag else 'compiled'}>"


def _switch(flag: bool) -> None:
    """Throw the switch of the process."""
    while PROCESS in EAGERLY:
        EAGERLY.remove(PROCESS)
    if flag:
        EAGERLY.append(PROCESS)
