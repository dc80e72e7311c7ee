"""Iterators over known items while a function is traced: how far one has come can be undone and joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from hybrid.core.cell import Slot
from hybrid.errors import StagingError
from hybrid.ir.traced import Traced

__all__ = ["ByNumber", "Walker"]


class _Position(Slot):
    """The number of the next item."""

    __slots__ = ("_content",)

    def __init__(self, depth: int):
        self._content, self.birth = 0, depth

    def read(self) -> Any:
        return self._content

    def restore(self, content: Any) -> None:
        self._content = content


SPENT: Final = object()
"""The position of an iterator that other code has used."""


class ByNumber(Sequence[Any]):
    """Items that are read when they are asked for, by numbers that only running tells, too."""

    def __init__(self, element: Callable[[Any], Any], length: int):
        self._element, self._length = element, length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, i: Any) -> Any:
        return self._element(i)


class Walker:
    """An iterator over items that are known one by one; ``items`` may be a list that the function changes meanwhile.

    Args:
        stager: who traces.
        items: a list, or items that stay.
        kind: the type that the function sees.
    """

    def __init__(self, stager: Any, items: Sequence[Any], kind: type):
        self._stager, self.items, self.kind = stager, items, kind
        self._position = _Position(stager.tracer.journal.depth)

    @property
    def position(self) -> Any:
        """The number of the next item: a Python number, or one that only running tells."""
        return self._position.read()

    def one_by_one(self) -> Iterator[Any]:
        """The items that are left, as Python takes them."""
        return self

    def spend(self) -> None:
        """Code that isn't converted took some of the items, and nobody knows how many."""
        self._move_to(SPENT)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        i = self.position
        if i is SPENT:
            return self.step()
        if isinstance(i, Traced):
            raise i._unknown("be the place of an iterator in code that isn't converted")
        if i >= len(self.items):
            self._move_to(len(self.items))
            raise StopIteration
        self._move_to(i + 1)
        return self.items[i]

    def step(self, *default: Any) -> Any:
        """``next``."""
        i = self.position
        if i is SPENT:
            raise StagingError("wanted an iterator that only converted code uses: how many items were taken before, only running tells")
        if not isinstance(i, Traced):
            return next(self, *default)
        box: list[Any] = list(default) or [None]

        def put(state: Any) -> None:
            (box[0],) = state

        def advance() -> None:
            self._move_to(i + 1)
            box[0] = self.items[i] if isinstance(self.items, ByNumber) else self._stager.getitem(list(self.items), i)

        def ends() -> None:
            if not default:
                raise StopIteration

        self._stager.if_stmt(i < len(self.items), advance, ends, lambda: (box[0],), put, ("item",))
        return box[0]

    def _move_to(self, position: Any) -> None:
        self._stager.tracer.journal.note(self._position)
        self._position.restore(position)
