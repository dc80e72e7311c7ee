"""Calling a converted function from outside: room for its frames, and the user's lines in its exceptions."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from hybrid.frontend.origin import rewrite_traceback

__all__ = ["room_for_frames", "run"]

FRAMES: Final = 20
"""The frames that one of the user's takes when converted, rarely more."""

STACK: Final = 8 << 20
"""Bytes of a thread's C stack where nothing else is said."""

FRAME: Final = 256
"""Bytes of the C stack that a frame may take; about half of that was measured."""

LOCK: Final = threading.RLock()
os.register_at_fork(after_in_child=LOCK._at_fork_reinit)  # type: ignore[attr-defined]


class _Depth:
    """How many calls are under way, in all threads; the limit belongs to the interpreter."""

    count = 0
    limit = 0


def run(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a converted function; what it raises shows the user's lines."""
    try:
        with room_for_frames():
            return function(*args, **kwargs)
    except BaseException as error:
        rewrite_traceback(error)
        raise


@contextmanager
def room_for_frames() -> Iterator[None]:
    """Let functions call each other as deeply as they could without being converted."""
    with LOCK:
        if _Depth.count == 0:
            _Depth.limit = sys.getrecursionlimit()
            sys.setrecursionlimit(_limit(_Depth.limit))
        _Depth.count += 1
    try:
        yield
    finally:
        with LOCK:
            _Depth.count -= 1
            if _Depth.count == 0:
                sys.setrecursionlimit(_Depth.limit)


def _limit(plain: int) -> int:
    """The limit for converted code that has that of plain code: never so high that the C stack overflows first."""
    size = threading.stack_size()  # which also sets it to the default
    threading.stack_size(size)
    return max(plain, min(plain * FRAMES, (size or STACK) // FRAME))
