"""Python lists while a function is traced: changes can be undone, and a list that grows in a loop becomes rows of an array."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from hybrid.control.carry import flags
from hybrid.control.choice import switch
from hybrid.control.variant import Variant, is_liftable
from hybrid.core.cell import Journal, Slot
from hybrid.core.spec import spec_of
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.ir.traced import Traced

__all__ = ["MUTATORS", "ListSlot", "Lists", "Rows"]


@dataclass(frozen=True)
class Rows:
    """The items of a list whose length only running tells: the rows of an array, all of one kind.

    Attributes:
        array: a traced array; its first axis counts the items.
        is_number: the items are Python numbers.
        is_scalar, is_tensor: what the function sees as an item.
    """

    array: Any
    is_number: bool = field(metadata={"static": True})
    is_scalar: bool = field(metadata={"static": True})
    is_tensor: bool = field(metadata={"static": True})

    @staticmethod
    def of(items: tuple[Any, ...], example: Any) -> Rows:
        """Known items as rows; ``example`` tells the kind where there are none."""
        spec = spec_of(example) if not isinstance(example, Traced) else example.spec
        kinds = {_row_kind(item) for item in (*items, example)}
        if len(kinds) != 1 or None in kinds:
            raise StagingError(f"a list that grows in a loop must hold values of one dtype and shape, received {sorted(map(str, kinds))}")
        zeros = {"shape": (0, *spec.shape), "dtype": spec.dtype}
        return Rows(OPS["stack"](list(items)) if items else OPS["zeros"](**zeros), spec.weak, *flags(example))

    def with_array(self, array: Traced) -> Rows:
        """Rows of the same kind."""
        return replace(self, array=array)

    def item(self, i: Any) -> Any:
        """One item, as the function sees it."""
        row = self.array[i]
        return OPS["item"](row) if self.is_number else row


def _row_kind(item: Any) -> Any:
    spec = item.spec if isinstance(item, Traced) else spec_of(item) if is_liftable(item) else None
    return None if spec is None else (spec.dtype.name, spec.ndim, spec.weak)


class ListSlot(Slot):
    """The items of a Python list: a tuple of them, or ``Rows``."""

    __slots__ = ("_content", "_journal", "before", "is_outside", "owner")

    def __init__(self, owner: list[Any], journal: Journal, is_outside: bool):
        self.owner, self._journal, self.birth, self.is_outside = owner, journal, 0, is_outside
        self._content: Any = tuple(owner)
        self.before = tuple(owner)

    def read(self) -> Any:
        """The items."""
        return self._content

    def restore(self, content: Any) -> None:
        """Put items back, into the list itself too."""
        self._content = content
        self.owner[:] = content if isinstance(content, tuple) else [UNKNOWN]

    @property
    def is_unchanged(self) -> bool:
        """Whether it holds what it held before the trace."""
        content = self._content
        return isinstance(content, tuple) and len(content) == len(self.before) and all(map(operator.is_, content, self.before))

    def pending(self) -> tuple[Any, Any, Any, Any]:
        """How to change the list after the call: by what was appended, or altogether."""
        content, known = self._content, len(self.before)
        if isinstance(content, tuple) and len(content) >= known and all(map(operator.is_, content, self.before)):
            return _extend, self.owner, None, list(content[known:])
        return _set_items, self.owner, None, content if isinstance(content, Rows | Variant) else list(content)

    def generalised(self, before: Any, after: Any) -> Any:
        """What to start a loop with, if a round turns one content into the other: rows, for a list that grows."""
        if isinstance(before, tuple) and isinstance(after, tuple) and len(after) > len(before):
            return Rows.of(before, after[-1])
        return before

    def write(self, content: Any) -> None:
        """Change the items."""
        self._journal.note(self)
        self.restore(content)


def _extend(owner: list[Any], _: Any, items: list[Any]) -> None:
    owner.extend(items)


def _set_items(owner: list[Any], _: Any, items: list[Any]) -> None:
    owner[:] = items


class _Unknown:
    """Stands in a list whose items only running tells, so that code that isn't converted fails on it."""

    def __repr__(self) -> str:
        return "<items that only running tells>"


UNKNOWN: Final = _Unknown()


class Lists:
    """The lists that a traced function changed, by identity."""

    def __init__(self, tracer: Any):
        self._tracer = tracer
        self._slots: dict[int, ListSlot] = {}

    def slot(self, owner: list[Any]) -> ListSlot:
        """The slot of a list that is about to change."""
        return self._slots.setdefault(id(owner), ListSlot(owner, self._tracer.journal, self._tracer.outside.is_outside(owner)))

    def written(self) -> list[tuple[Any, Any, Any, Any]]:
        """The lists from outside that were changed: how to set their items, and the new ones."""
        changed = [slot for slot in self._slots.values() if slot.is_outside and not slot.is_unchanged]
        for slot in changed:
            slot.owner[:] = slot.before
        return [slot.pending() for slot in changed]

    def content(self, owner: Any) -> Any:
        """The content of a list that isn't known item by item: rows, or a variant; ``None`` for all others."""
        slot = self._slots.get(id(owner)) if isinstance(owner, list) else None
        return None if slot is None or isinstance(slot.read(), tuple) else slot.read()

    def change(self, owner: list[Any], method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method that changes a list."""
        slot = self.slot(owner)
        content = slot.read()
        if slot.is_outside and method not in ("append", "extend"):
            self._tracer.outside.constant(slot.before, lambda: tuple(owner), "the items of a list")
        if not isinstance(content, Variant):
            return MUTATORS[method](slot, *args, **kwargs)

        def changed(option: Any) -> Any:
            slot.write(option)
            return MUTATORS[method](slot, *args, **kwargs)

        return switch(self._tracer, content, changed)


def _changed(method: str) -> Callable[..., Any]:
    """A list's method on known items."""

    def change(slot: ListSlot, *args: Any, **kwargs: Any) -> Any:
        if isinstance(slot.read(), Rows):
            raise StagingError(f"wanted append on a list whose length only running tells, received {method}")
        items = list(slot.read())
        result = getattr(items, method)(*args, **kwargs)
        slot.write(tuple(items))
        return result

    return change


def append(slot: ListSlot, item: Any) -> None:
    """``list.append``."""
    content = slot.read()
    if isinstance(content, Rows):
        row = item if isinstance(item, Traced) else np.asarray(item)
        slot.write(content.with_array(OPS["concat"]([content.array, row[None] if row.shape else row.reshape((1,))], axis=0)))
    else:
        slot.write((*content, item))


MUTATORS: Final[dict[str, Callable[..., Any]]] = {
    "append": append,
    **{
        name: _changed(name)
        for name in ("extend", "insert", "pop", "remove", "reverse", "sort", "clear", "__setitem__", "__delitem__", "__iadd__")
    },
}
"""The methods that change a list."""
