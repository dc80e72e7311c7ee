"""Memory as a tracer sees it: cells that hold the present value of an array, and views into them.

A write puts a new value into the cell, so that every view reads it; a write through a view goes back through what made the
view, down to the cell. Values are opaque here: the functions given to a ``View`` know how to compute them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Ambiguous", "Cell", "Storage", "View"]


class Storage:
    """What holds the value of an array and can be written."""

    __slots__ = ()

    def read(self) -> Any:
        """The present value."""
        raise NotImplementedError(type(self))

    def write(self, value: Any) -> None:
        """Replace the value of every element."""
        raise NotImplementedError(type(self))


class Cell(Storage):
    """Memory of its own."""

    __slots__ = ("_value", "is_written")

    def __init__(self, value: Any):
        self._value = value
        self.is_written = False

    def read(self) -> Any:
        """The present value."""
        return self._value

    def write(self, value: Any) -> None:
        """Replace the value."""
        self._value = value
        self.is_written = True


class View(Storage):
    """Memory that belongs to another storage: a slice, a transpose, a reshape of it.

    Args:
        base: where the memory is.
        value: the view's value at present.
        apply: the base's value → the view's value.
        write_back: the base's value and the view's new value → the base's new value; ``None`` for a view that is read-only.
    """

    __slots__ = ("_apply", "_seen", "_value", "_write_back", "base")

    def __init__(self, base: Storage, value: Any, apply: Callable[[Any], Any], write_back: Callable[[Any, Any], Any] | None):
        self.base, self._value, self._seen = base, value, base.read()
        self._apply, self._write_back = apply, write_back

    def read(self) -> Any:
        """The present value; computed again only if the base was written since the last time."""
        current = self.base.read()
        if current is not self._seen:
            self._seen, self._value = current, self._apply(current)
        return self._value

    def write(self, value: Any) -> None:
        """Replace the view's elements in the base; ``ValueError`` if the view is read-only."""
        if self._write_back is None:
            raise ValueError("assignment destination is read-only")
        self.base.write(self._write_back(self.base.read(), value))
        self._seen, self._value = self.base.read(), value


class Ambiguous(Storage):
    """A view or a copy: which, depends on what isn't known. It can be read until the difference would show.

    Args:
        base: the memory that it may share.
        value: its value.
        reason: what to tell when the difference shows.
    """

    __slots__ = ("_base", "_reason", "_seen", "_value")

    def __init__(self, base: Storage, value: Any, reason: str):
        self._base, self._seen, self._value, self._reason = base, base.read(), value, reason

    def read(self) -> Any:
        """The value; ``ValueError`` if the base was written meanwhile."""
        if self._base.read() is not self._seen:
            raise ValueError(self._reason)
        return self._value

    def write(self, value: Any) -> None:
        """Refused: ``ValueError``."""
        raise ValueError(self._reason)
