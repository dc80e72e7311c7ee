"""Memory as a tracer sees it: cells that hold the present value of an array, and views into them.

A write puts a new value into the cell, so that every view reads it; a write through a view goes back through what made the
view, down to the cell. Values are opaque here: the functions given to a ``View`` know how to compute them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hybrid.errors import StagingError

__all__ = ["Ambiguous", "Cell", "Journal", "OneOf", "Slot", "Storage", "View", "root", "roots"]


class Slot:
    """A place whose content can change while tracing, and be put back."""

    __slots__ = ("birth",)
    birth: int

    def read(self) -> Any:
        """The present content."""
        raise NotImplementedError(type(self))

    def restore(self, content: Any) -> None:
        """Put a content back, without taking note of it."""
        raise NotImplementedError(type(self))

    def generalised(self, before: Any, after: Any) -> Any:
        """What to start a loop with, if a round turns one content into the other."""
        return before

    def common(self, contents: Sequence[Any]) -> Callable[[Any], Any] | None:
        """What turns each of the contents that branches left into contents of one kind, if something does."""
        return None


class Journal:
    """Notes what the slots held before they were changed, so that a stretch of tracing can be undone.

    Levels nest: a slot made at a level is known to that level and to those inside.

    Attributes:
        count: the number of changes so far, those that are undone too.
    """

    __slots__ = ("_levels", "_open", "_saved", "count")

    def __init__(self) -> None:
        self._levels: list[dict[Slot, Any]] = []
        self._saved: list[dict[Slot, Any]] = []
        self._open: list[Any] = []
        self.count = 0

    @property
    def depth(self) -> int:
        """The number of open levels."""
        return len(self._levels)

    @property
    def region(self) -> Any:
        """The innermost level or point that is open: what happens later may be undone together only where it is the same."""
        return self._open[-1] if self._open else None

    def note(self, slot: Slot) -> None:
        """Remember what a slot holds, before it changes; what was made at the present level needs no memory."""
        self.count += 1
        if slot.birth < len(self._levels):
            self._levels[-1].setdefault(slot, slot.read())
        for saved in self._saved:
            saved.setdefault(slot, slot.read())

    def save(self) -> dict[Slot, Any]:
        """A point at the present level to which ``undo`` goes back; one of ``undo`` and ``drop`` must follow."""
        self._saved.append({})
        self._open.append(self._saved[-1])
        return self._saved[-1]

    def drop(self, saved: dict[Slot, Any]) -> None:
        """Forget a point, and those after it."""
        place = next((i for i, other in enumerate(self._saved) if other is saved), len(self._saved))
        gone = self._saved[place:]
        del self._saved[place:]
        self._open = [other for other in self._open if not any(other is point for point in gone)]

    def undo(self, saved: dict[Slot, Any]) -> None:
        """Go back to a point and forget it."""
        self.drop(saved)
        self.count += 1
        for slot, content in saved.items():
            slot.restore(content)

    def begin(self) -> None:
        """Open a level."""
        self._levels.append({})
        self._open.append(self._levels[-1])

    def end(self) -> dict[Slot, Any]:
        """Close the level and undo its changes; what each changed slot held at the end."""
        before = self._levels.pop()
        self._open = [other for other in self._open if other is not before]
        after = {slot: slot.read() for slot in before}
        for slot, content in before.items():
            slot.restore(content)
        return after


class Storage:
    """What holds the value of an array and can be written."""

    __slots__ = ()

    def read(self) -> Any:
        """The present value."""
        raise NotImplementedError(type(self))

    def write(self, value: Any) -> None:
        """Replace the value of every element."""
        raise NotImplementedError(type(self))


class Cell(Storage, Slot):
    """Memory of its own."""

    __slots__ = ("_journal", "_value", "is_written")

    def __init__(self, value: Any, journal: Journal):
        self._value, self._journal = value, journal
        self.birth = journal.depth
        self.is_written = False

    def read(self) -> Any:
        """The present value."""
        return self._value

    def write(self, value: Any) -> None:
        """Replace the value."""
        self._journal.note(self)
        self._value = value
        self.is_written = True

    def restore(self, content: Any) -> None:
        """Put a value back."""
        self._value = content


class View(Storage):
    """Memory that belongs to another storage: a slice, a transpose, a reshape of it.

    Args:
        base: where the memory is.
        apply: the base's value → the view's value.
        write_back: the base's value and the view's new value → the base's new value.
        is_read_only: ``write_back`` always raises.
    """

    __slots__ = ("_apply", "_write_back", "base", "is_read_only")

    def __init__(self, base: Storage, apply: Callable[[Any], Any], write_back: Callable[[Any, Any], Any], is_read_only: bool = False):
        self.base, self._apply, self._write_back, self.is_read_only = base, apply, write_back, is_read_only

    def read(self) -> Any:
        """The present value, from the base's."""
        return self._apply(self.base.read())

    def write(self, value: Any) -> None:
        """Replace the view's elements in the base."""
        self.base.write(self._write_back(self.base.read(), value))


class Ambiguous(Storage):
    """A view or a copy: which, depends on what isn't known. It can be read until the difference would show.

    Args:
        base: the memory that it may share.
        value: its value.
        reason: what to tell when the difference shows.
    """

    __slots__ = ("_reason", "_seen", "_value", "base")

    def __init__(self, base: Storage, value: Any, reason: str):
        self.base, self._seen, self._value, self._reason = base, base.read(), value, reason

    def read(self) -> Any:
        """The value; ``StagingError`` if the base was written meanwhile."""
        if self.base.read() is not self._seen:
            raise StagingError(self._reason)
        return self._value

    def write(self, value: Any) -> None:
        """Refused: ``StagingError``."""
        raise StagingError(self._reason)


class OneOf(Storage):
    """Memory that is one of several others: which, only running tells. It can be read until a write would show the difference.

    Args:
        base: a cell with the present value.
        others: the memory that it may be.
    """

    __slots__ = ("_seen", "base", "others")

    def __init__(self, base: Storage, others: Sequence[Storage]):
        self.base, self.others = base, tuple(others)
        self._seen = [other.read() for other in others]

    def read(self) -> Any:
        """The value; ``StagingError`` if one of the others was written meanwhile."""
        if any(other.read() is not seen for other, seen in zip(self.others, self._seen, strict=True)):
            raise StagingError("an array that is one of two was written under its other name: copy it before, with .copy()")
        return self.base.read()

    def write(self, value: Any) -> None:
        """Refused: ``StagingError``."""
        raise StagingError("which of two arrays is written here, only running tells: copy it before, with .copy()")


def roots(storage: Storage) -> frozenset[Cell]:
    """The cells whose memory a storage may look into."""
    if isinstance(storage, OneOf):
        return frozenset().union(*map(roots, storage.others))
    return frozenset({storage}) if isinstance(storage, Cell) else roots(storage.base)  # type: ignore[attr-defined]


def root(storage: Storage) -> Cell:
    """The cell whose memory a storage looks into."""
    while not isinstance(storage, Cell):
        storage = storage.base  # type: ignore[attr-defined]
    return storage
