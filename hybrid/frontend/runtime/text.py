"""F-strings."""

from __future__ import annotations

import builtins
from typing import Any

from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["format", "fstring"]

CONVERSIONS = {"s": str, "r": repr, "a": ascii}


def format(value: Any, conversion: str | None = None, spec: Any = "") -> Any:
    """``{value!conversion:spec}``."""
    if ACTIVE and (stager := stager_for(value, spec)):
        return stager.format(value, conversion, spec)
    if conversion is not None:
        value = CONVERSIONS[conversion](value)
    return builtins.format(value, spec)


def fstring(*parts: Any) -> Any:
    """The pieces of an f-string, one after the other."""
    if ACTIVE and (stager := stager_for(*parts)):
        return stager.fstring(*parts)
    return "".join(parts)
