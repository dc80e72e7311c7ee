"""Calls deeper inside each other than a thread's stack holds: they go on in another thread, as one and the same thread of control."""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["frames_left", "frames_since", "on_new_stack"]

_SIZING = threading.Lock()


def on_new_stack(size: int, function: Callable[..., Any], *args: Any) -> Any:
    """``function(*args)`` with a stack of about that many bytes to itself, in the same context.

    >>> on_new_stack(2**20, divmod, 7, 2)
    (3, 1)
    """
    context, outcome = contextvars.copy_context(), []

    def run() -> None:
        try:
            outcome.append((context.run(function, *args), None))
        except BaseException as error:  # belongs to the thread that waits
            outcome.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    _start(thread, size)
    thread.join()
    for variable, value in context.items():
        if variable.get(_start) is not value:
            variable.set(value)
    result, error = outcome.pop()
    if error is not None:
        raise error
    return result


def _start(thread: threading.Thread, size: int) -> None:
    """Start a thread with a stack of that size, or of as much as there is."""
    with _SIZING:
        before = threading.stack_size()
        try:
            threading.stack_size(size)
            thread.start()
        except (RuntimeError, ValueError, MemoryError):
            threading.stack_size(before)
            thread.start()
        finally:
            threading.stack_size(before)


def frames_since(outer: FrameType | None) -> int:
    """The number of Python's calls under way in this thread, inside of a frame; of all, for ``None``."""
    count, frame = 0, sys._getframe(1)
    while frame is not None and frame is not outer:
        count, frame = count + 1, frame.f_back
    return count


def frames_left() -> int:
    """How many more calls inside each other Python allows here."""
    return sys.getrecursionlimit() - frames_since(None)
