"""Unpacking by Python itself: how many targets an assignment has."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["unpacker", "wanted_count"]


def wanted_count() -> int | None:
    """The number of targets for which ``__iter__`` of the caller was called; ``None`` if it wasn't for ``a, b = value``."""
    frame = sys._getframe(2)
    code, at = frame.f_code.co_code, frame.f_lasti
    if dis.opname[code[at]] != "UNPACK_SEQUENCE" or (at and dis.opname[code[at - 2]] == "EXTENDED_ARG"):
        return None
    return code[at + 1]


@cache
def unpacker(count: int) -> Callable[[Any], tuple[Any, ...]]:
    """A function that unpacks its argument into so many items, with Python's exceptions.

    >>> unpacker(2)("ab")
    ('a', 'b')
    """
    names = "".join(f"x{i}, " for i in range(count))
    scope: dict[str, Any] = {}
    exec(f"def unpack(value):\n    {names or '()'} = value\n    return ({names})", scope)
    return scope["unpack"]
