"""Attributes, dicts and sets while a function is traced: what is written can be undone and joined, and is carried out after the call."""

from __future__ import annotations

import builtins
import copy
from collections import OrderedDict
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

from hybrid._util.tree import Seal
from hybrid._util.undefined import Undefined
from hybrid.control.choice import switch
from hybrid.control.variant import Variant, alternatives
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

    __slots__ = ("_content", "_tracer", "before", "is_outside", "owner")

    def __init__(self, owner: Any, tracer: Any):
        self.owner, self._tracer, self.birth = owner, tracer, 0
        self.is_outside = tracer.outside.is_outside(owner)
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
        built_in = built_in_of(self.owner)
        built_in.clear(self.owner)
        if not isinstance(content, Variant | Opaque):
            built_in.update(self.owner, content)
        elif isinstance(self.owner, dict):
            dict.__setitem__(self.owner, UNKNOWN, UNKNOWN)
        else:
            set.add(self.owner, UNKNOWN)

    def generalised(self, before: Any, after: Any) -> Any:
        """A loop starts with an object of the run where a round makes it one."""
        return self.as_object(before) if _has_object(after) else before

    def common(self, contents: Sequence[Any]) -> Callable[[Any], Any] | None:
        """Branches leave an object of the run where one of them does."""
        return self.as_object if any(map(_has_object, contents)) else None

    def as_object(self, content: Any) -> Any:
        """A content as an object of the run, of the kind of the owner."""
        if isinstance(content, Opaque):
            return content
        if isinstance(content, Variant):
            return switch(self._tracer, content, self.as_object)
        if type(self.owner) in (dict, set):
            return self._tracer.stager.host(type(self.owner), (content,))
        like = copy.copy(self.owner)
        built_in_of(like).clear(like)
        built_in_of(like).update(like, content)
        return self._tracer.stager.host(copy.copy, (like,))

    @property
    def is_unchanged(self) -> bool:
        """Whether it holds what it held before the trace."""
        now, before = self._content, self.before
        if isinstance(now, Variant | Opaque) or now is before:
            return now is before
        return isinstance(before, frozenset) and bool(now == before)


def _has_object(content: Any) -> bool:
    return any(isinstance(option, Opaque) for option in alternatives(content))


def copied(owner: Any) -> Any:
    """A copy that isn't changed any more."""
    return dict(owner) if isinstance(owner, dict) else frozenset(owner)


def replace(owner: Any, _: Any, content: Any) -> None:
    """Give a dict or a set another content, keeping the places of keys that stay."""
    built_in = built_in_of(owner)
    if isinstance(owner, set) or list(owner) != list(content)[: len(owner)]:
        built_in.clear(owner)
    built_in.update(owner, content)


def built_in_of(owner: Any) -> Any:
    """The class whose methods change a dict or a set without those of a subclass, which may do something else."""
    return OrderedDict if isinstance(owner, OrderedDict) else dict if isinstance(owner, dict) else set


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
            slot = self._slots[id(owner)] = CollectionSlot(owner, self._tracer)
        self._tracer.journal.note(slot)
        slot.restore(content)
        return content

    def as_object(self, owner: Any) -> Any:
        """Make a dict or a set an object of the run, whose methods Python calls."""
        slot = self._slot(owner)
        return self.become(owner, slot.as_object(slot.read()))

    def _slot(self, owner: Any) -> CollectionSlot:
        if id(owner) not in self._slots:
            slot = CollectionSlot(owner, self._tracer)
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


DICT_METHODS: Final = frozenset(
    {"pop", "popitem", "setdefault", "update", "clear", "__setitem__", "__delitem__", "__ior__", "move_to_end", "subtract"}
)
SET_METHODS: Final = frozenset(
    {"add", "discard", "remove", "pop", "clear", "update", "intersection_update", "difference_update", "symmetric_difference_update",
     "__ior__", "__iand__", "__isub__", "__ixor__"}
)  # fmt: skip


def changes_collection(function: Any) -> bool:
    """Whether a bound method changes a dict or a set."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    return (isinstance(owner, dict) and name in DICT_METHODS) or (isinstance(owner, set) and name in SET_METHODS)
