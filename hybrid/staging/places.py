"""Attributes, dicts and sets while a function is traced: what is written can be undone and joined, and is carried out after the call."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from hybrid._util.tree import Seal
from hybrid._util.undefined import Undefined
from hybrid.control.choice import switch
from hybrid.control.variant import Variant
from hybrid.core.cell import Journal, Slot
from hybrid.staging.opaque import Opaque

__all__ = ["ABSENT", "Attributes", "Collections", "changes_collection", "is_absent", "put"]

ABSENT: Final = Undefined("an attribute")
"""The content of an attribute that isn't there."""


def is_absent(value: Any) -> bool:
    """Whether an attribute is known not to be there."""
    return isinstance(value, Undefined)


class _Unknown(Seal):
    """Stands in a dict or set whose content only running tells."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<items that only running tells>"


UNKNOWN: Final = _Unknown()


class AttributeSlot(Slot):
    """An attribute of an object; of one that others see too, it is written after the call only."""

    __slots__ = ("_content", "before", "is_shared", "name", "owner")

    def __init__(self, owner: Any, name: str, is_shared: bool):
        self.owner, self.name, self.is_shared, self.birth = owner, name, is_shared, 0
        self.before = self._content = stored(owner, name)

    def read(self) -> Any:
        """The value in the trace."""
        return self._content if self.is_shared else stored(self.owner, self.name)

    def begin(self, content: Any) -> None:
        """What it is before it is written, as the function sees it."""
        self.before = self._content = content

    def restore(self, content: Any) -> None:
        """Give it a value."""
        self._content = content
        if not self.is_shared:
            put(self.owner, self.name, content)


def stored(owner: Any, name: str) -> Any:
    """What an object itself has under a name, not its class."""
    if isinstance(owner, type):
        return vars(owner).get(name, ABSENT)
    names = getattr(owner, "__dict__", None)
    if isinstance(names, dict) and name in names:
        return names[name]
    descriptor = getattr(type(owner), name, None)
    if type(descriptor).__name__ != "member_descriptor":
        return ABSENT
    try:
        return descriptor.__get__(owner)  # type: ignore[union-attr]
    except AttributeError:
        return ABSENT


def put(owner: Any, name: str, content: Any) -> None:
    """Set an attribute, or take it away."""
    if not is_absent(content):
        _setter(owner)(owner, name, content)
    elif not is_absent(stored(owner, name)):
        builtins.delattr(owner, name)


def _setter(owner: Any) -> Callable[[Any, str, Any], None]:
    """How Python itself stores an attribute, without a ``__setattr__`` of the user's, which was run already."""
    if isinstance(owner, type):
        return type.__setattr__
    is_users = isinstance(type(owner).__setattr__, FunctionType)
    return object.__setattr__ if is_users else builtins.setattr


class Attributes:
    """The attributes that were read from outside or written."""

    def __init__(self, journal: Journal, is_shared: Callable[[Any], bool], is_outside: Callable[[Any], bool]):
        self._journal, self._is_shared, self._is_outside = journal, is_shared, is_outside
        self._slots: dict[tuple[int, str], AttributeSlot] = {}
        self._remembered: dict[tuple[int, Any], tuple[Any, Any]] = {}

    def written_value(self, owner: Any, name: str) -> Any:
        """What was written to an attribute of an object that others see; ``ABSENT`` if nothing was."""
        slot = self._slots.get((id(owner), name))
        return ABSENT if slot is None else slot.read()

    def is_written(self, owner: Any, name: str) -> bool:
        """Whether it was written while the function was traced."""
        return (id(owner), name) in self._slots

    def remembered(self, owner: Any, name: Any) -> Any:
        """The stand-in for a number that was read before, or ``None``."""
        return self._remembered.get((id(owner), name), (None, None))[1]

    def remember(self, owner: Any, name: Any, value: Any) -> Any:
        """Give the same stand-in when the number is read again."""
        self._remembered[id(owner), name] = owner, value
        return value

    def write(self, owner: Any, name: str, value: Any, read: Callable[[], Any]) -> None:
        """Set it in the trace; ``ABSENT`` deletes it. ``read`` gives what an object that others see has before."""
        key = (id(owner), name)
        slot = self._slots.get(key)
        if slot is None:
            slot = AttributeSlot(owner, name, self._is_shared(owner))
            if slot.is_shared and not is_absent(slot.before):
                slot.begin(read())
            self._slots[key] = slot
        self._journal.note(slot)
        slot.restore(value)

    def written(self) -> list[tuple[Callable[..., None], Any, Any, Any]]:
        """The writes to carry out: how, whose, which, and the traced value."""
        slots = [s for s in self._slots.values() if self._is_outside(s.owner) and s.read() is not s.before]
        return [(put, s.owner, s.name, s.read()) for s in slots]


class CollectionSlot(Slot):
    """The content of a dict or a set, as a copy that never changes."""

    __slots__ = ("_content", "before", "is_outside", "owner")

    def __init__(self, owner: Any, is_outside: bool):
        self.owner, self.is_outside, self.birth = owner, is_outside, 0
        self.before = self._content = copied(owner)

    def begin(self, content: Any) -> None:
        """What it holds before it is changed, as the function sees it."""
        self._content = content

    def read(self) -> Any:
        """The content."""
        return self._content

    def restore(self, content: Any) -> None:
        """Put a content back, into the object itself too, where it is known."""
        self._content = content
        self.owner.clear()
        if not isinstance(content, Variant | Opaque):
            self.owner.update(content)
        elif isinstance(self.owner, dict):
            self.owner[UNKNOWN] = UNKNOWN
        else:
            self.owner.add(UNKNOWN)

    @property
    def is_unchanged(self) -> bool:
        """Whether it holds what it held before the trace."""
        now, before = self._content, self.before
        if isinstance(now, Variant | Opaque) or now is before:
            return now is before
        return isinstance(before, frozenset) and bool(now == before)


def copied(owner: Any) -> Any:
    """A copy that isn't changed any more."""
    return dict(owner) if isinstance(owner, dict) else frozenset(owner)


def replace(owner: Any, _: Any, content: Any) -> None:
    """Give a dict or a set another content, keeping the places of keys that stay."""
    if isinstance(owner, set):
        owner.clear()
        owner.update(content)
        return
    if list(owner) != list(content)[: len(owner)]:
        owner.clear()
    owner.update(content)


class Collections:
    """The dicts and sets that a traced function changed, by identity."""

    def __init__(self, tracer: Any):
        self._tracer = tracer
        self._slots: dict[int, CollectionSlot] = {}

    def content(self, owner: Any) -> Any:
        """The content of a dict or set that isn't known entry by entry: a variant; ``None`` for all others."""
        slot = self._slots.get(id(owner)) if isinstance(owner, dict | set) else None
        return slot.read() if slot is not None and isinstance(slot.read(), Variant | Opaque) else None

    def become(self, owner: Any, content: Any) -> Any:
        """Give a dict or a set another content."""
        slot = self._slots.get(id(owner))
        if slot is None:
            slot = self._slots[id(owner)] = CollectionSlot(owner, self._tracer.outside.is_outside(owner))
        self._tracer.journal.note(slot)
        slot.restore(content)
        return content

    def as_object(self, owner: Any) -> Any:
        """Make a dict or a set an object of the run, whose methods Python calls."""
        content = self.content(owner)
        if not isinstance(content, Opaque):
            return self.become(owner, self._tracer.stager.host(type(owner), (owner,)))
        return content

    def _slot(self, owner: Any) -> CollectionSlot:
        if id(owner) not in self._slots:
            slot = CollectionSlot(owner, self._tracer.outside.is_outside(owner))
            if self._tracer.outside.is_shared(owner):
                slot.begin(self._tracer.stager.seen_from_outside(owner))
            self._slots[id(owner)] = slot
        return self._slots[id(owner)]

    def is_changed(self, owner: Any) -> bool:
        """Whether a dict or set was changed while the function was traced."""
        return id(owner) in self._slots

    def change(self, owner: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method that changes a dict or a set."""
        slot = self._slot(owner)
        content = slot.read()
        if isinstance(content, Opaque):
            return self._tracer.stager.host(getattr(type(owner), method), (content, *args), kwargs)
        if not isinstance(content, Variant):
            return self._changed(slot, method, args, kwargs)

        def changed(option: Any) -> Any:
            self._tracer.journal.note(slot)
            slot.restore(option)
            return self._changed(slot, method, args, kwargs)

        return switch(self._tracer, content, changed)

    def _changed(self, slot: CollectionSlot, method: str, args: Any, kwargs: Any) -> Any:
        self._tracer.journal.note(slot)
        slot.restore(slot.read())
        try:
            return getattr(slot.owner, method)(*args, **kwargs)
        finally:
            slot._content = copied(slot.owner)

    def written(self) -> list[tuple[Callable[..., None], Any, Any, Any]]:
        """The contents of dicts and sets from outside that were changed."""
        changed = [slot for slot in self._slots.values() if slot.is_outside and not slot.is_unchanged]
        return [(replace, slot.owner, None, slot.read()) for slot in changed]

    def put_back(self) -> None:
        """Give everything from outside its old content."""
        for slot in self._slots.values():
            if slot.is_outside:
                slot.restore(slot.before)


DICT_METHODS: Final = frozenset({"pop", "popitem", "setdefault", "update", "clear", "__setitem__", "__delitem__", "__ior__"})
SET_METHODS: Final = frozenset(
    {"add", "discard", "remove", "pop", "clear", "update", "intersection_update", "difference_update", "symmetric_difference_update",
     "__ior__", "__iand__", "__isub__", "__ixor__"}
)  # fmt: skip


def changes_collection(function: Any) -> bool:
    """Whether a bound method changes a dict or a set."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    return (isinstance(owner, dict) and name in DICT_METHODS) or (isinstance(owner, set) and name in SET_METHODS)
