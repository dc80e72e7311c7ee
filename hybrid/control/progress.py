"""What a function has changed so far, noted in its graph before what may fail: an exception leaves it half done, as it was there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._samples import given, sample

__all__ = ["Progress", "following", "half_done", "left_half_done", "present"]


class Progress:
    """What was noted last in one run.

    Attributes:
        latest: what to change, and the values for it.
        is_final: it was noted where the exception that is on its way began.
    """

    __slots__ = ("is_final", "latest")

    def __init__(self) -> None:
        self.latest: tuple[Any, tuple[Any, ...]] | None = None
        self.is_final = False


PROGRESS: ContextVar[Progress | None] = ContextVar("hybrid_progress", default=None)


def present() -> Progress | None:
    """The progress of the run that is under way, if it is followed."""
    return PROGRESS.get()


@contextmanager
def following() -> Iterator[Progress]:
    """Take note of the progress of one run, for the duration of a block."""
    progress = Progress()
    token = PROGRESS.set(progress)
    try:
        yield progress
    finally:
        PROGRESS.reset(token)


def _nothing(*_: Spec, **__: Any) -> tuple[Spec, ...]:
    return ()


@op(infer=_nothing, effects=True, dtypes=(), samples=[sample(given(3), changes="an attribute")], no_gradient="nothing comes out")
def half_done(*values, changes: Any) -> Any:
    """Note what the function has changed, in case of an exception.

    Args:
        values: what the changes are made of.
        changes: what to do with them.

    Returns:
        Nothing.

    >>> hybrid.ops.OPS["half_done"](3, changes="an attribute")
    ()
    """
    progress = PROGRESS.get()
    if progress is not None:
        progress.latest = changes, values
    return ()


@op(infer=_nothing, effects=True, dtypes=(), samples=[sample(given(3), changes="an attribute")], no_gradient="nothing comes out")
def left_half_done(*values, changes: Any) -> Any:
    """The same on the way out of a native program, where an exception began: what was noted nearer to it counts.

    Args:
        values: what the changes are made of.
        changes: what to do with them.

    Returns:
        Nothing.

    >>> hybrid.ops.OPS["left_half_done"](3, changes="an attribute")
    ()
    """
    progress = PROGRESS.get()
    if progress is not None and not progress.is_final:
        progress.latest, progress.is_final = (changes, values), True
    return ()
