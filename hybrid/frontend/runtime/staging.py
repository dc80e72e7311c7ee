"""Who runs a construct on staged values; in plain Python nobody does, and every construct means what Python means."""

from __future__ import annotations

from typing import Any

__all__ = ["ACTIVE", "STAGERS", "stager_for"]

ACTIVE: list[Any] = []
"""The tracers at work, of any thread; while it is empty the constructs need one truth test to know that nothing is staged."""

STAGERS: dict[type, Any] = {}
"""For each type of staged value the object that runs constructs on it: its methods have the names and parameters of the
functions of ``hybrid.frontend.runtime``."""


def stager_for(*values: Any) -> Any:
    """The stager that one of the values asks for, also from inside a subscript; ``None`` if none of them is staged."""
    for value in values:
        kind = type(value)
        if kind in STAGERS:
            return STAGERS[kind]
        if kind is tuple:
            stager = stager_for(*value)
        elif kind is slice:
            stager = stager_for(value.start, value.stop, value.step)
        else:
            continue
        if stager is not None:
            return stager
    return None
