"""Comparisons that Python answers with a ``bool``, and chains of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hybrid.frontend.runtime.branches import State
from hybrid.frontend.runtime.operators import eq, ge, gt, le, lt, ne
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["COMPARISONS", "compare", "in_", "is_", "is_not", "not_in"]


def is_(left: Any, right: Any) -> Any:
    """``left is right``."""
    if ACTIVE and (stager := stager_for(left, right)):
        return stager.is_(left, right)
    return left is right


def is_not(left: Any, right: Any) -> Any:
    """``left is not right``."""
    if ACTIVE and (stager := stager_for(left, right)):
        return stager.is_not(left, right)
    return left is not right


def in_(item: Any, container: Any) -> Any:
    """``item in container``."""
    if ACTIVE and (stager := stager_for(item, container)):
        return stager.in_(item, container)
    return item in container


def not_in(item: Any, container: Any) -> Any:
    """``item not in container``."""
    if ACTIVE and (stager := stager_for(item, container)):
        return stager.not_in(item, container)
    return item not in container


COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "==": eq,
    "!=": ne,
    "is": is_,
    "is not": is_not,
    "in": in_,
    "not in": not_in,
}


def compare(left: Any, *links: Any, state: State | None = None) -> Any:
    """A chain: ``a < b <= c`` is ``compare(a, "<", lambda: b, "<=", lambda: c)``; each operand is evaluated once, if needed."""
    value = left
    for i in range(0, len(links), 2):
        right = links[i + 1]()
        value = COMPARISONS[links[i]](left, right)
        if ACTIVE and len(links) > i + 2 and (stager := stager_for(value)):
            return stager.compare(value, right, *links[i + 2 :], state=state)
        if len(links) > i + 2 and not value:
            return value
        left = right
    return value
