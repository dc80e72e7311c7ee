"""Attributes and items: reading, writing, deleting, augmenting."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from hybrid.frontend.runtime.calls import call
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["augment_attribute", "augment_item", "delattr", "delitem", "getattr", "getitem", "setattr", "setitem"]


def getattr(owner: Any, name: str) -> Any:
    """``owner.name``."""
    if ACTIVE:
        if stager := stager_for(owner):
            return stager.getattr(owner, name)
        if found := _property(owner, name):
            return call(found.fget, owner)
    return builtins.getattr(owner, name)


def setattr(owner: Any, name: str, value: Any) -> None:
    """``owner.name = value``."""
    if ACTIVE and (stager := stager_for(owner, value)):
        stager.setattr(owner, name, value)
    elif ACTIVE and (found := _property(owner, name)) and found.fset is not None:
        call(found.fset, owner, value)
    else:
        builtins.setattr(owner, name, value)


def _property(owner: Any, name: str) -> property | None:
    """The property behind an attribute, whose functions are the user's code too."""
    for cls in type(owner).__mro__:
        if name in vars(cls):
            found = vars(cls)[name]
            return found if type(found) is property and found.fget is not None else None
    return None


def delattr(owner: Any, name: str) -> None:
    """``del owner.name``."""
    if ACTIVE and (stager := stager_for(owner)):
        stager.delattr(owner, name)
    else:
        builtins.delattr(owner, name)


def getitem(owner: Any, index: Any) -> Any:
    """``owner[index]``."""
    if ACTIVE and (stager := stager_for(owner, index)):
        return stager.getitem(owner, index)
    return owner[index]


def setitem(owner: Any, index: Any, value: Any) -> None:
    """``owner[index] = value``."""
    if ACTIVE and (stager := stager_for(owner, index, value)):
        stager.setitem(owner, index, value)
    else:
        owner[index] = value


def delitem(owner: Any, index: Any) -> None:
    """``del owner[index]``."""
    if ACTIVE and (stager := stager_for(owner, index)):
        stager.delitem(owner, index)
    else:
        del owner[index]


def augment_item(owner: Any, index: Any, operation: Callable[[Any, Any], Any], value: Callable[[], Any]) -> None:
    """``owner[index] += value``: the item is read before the value is evaluated."""
    setitem(owner, index, operation(getitem(owner, index), value()))


def augment_attribute(owner: Any, name: str, operation: Callable[[Any, Any], Any], value: Callable[[], Any]) -> None:
    """``owner.name += value``: the attribute is read before the value is evaluated."""
    setattr(owner, name, operation(getattr(owner, name), value()))
