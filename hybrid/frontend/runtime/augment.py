"""Augmented assignment: ``x += y`` is ``x = hy__.iadd(x, y)``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = [
    "iadd",
    "iand",
    "ifloordiv",
    "ilshift",
    "imatmul",
    "imod",
    "imul",
    "ior",
    "ipow",
    "irshift",
    "isub",
    "itruediv",
    "ixor",
]


def _augmented(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    name = operation.__name__

    def augment(target: Any, value: Any) -> Any:
        if ACTIVE and (stager := stager_for(target, value)):
            return getattr(stager, name)(target, value)
        return operation(target, value)

    augment.__name__ = augment.__qualname__ = name
    return augment


def ipow(target: Any, value: Any) -> Any:
    """``target **= value``; the function of ``operator`` names two operators in its message."""
    if ACTIVE and (stager := stager_for(target, value)):
        return stager.ipow(target, value)
    target **= value
    return target


iadd = _augmented(operator.iadd)
iand = _augmented(operator.iand)
ifloordiv = _augmented(operator.ifloordiv)
ilshift = _augmented(operator.ilshift)
imatmul = _augmented(operator.imatmul)
imod = _augmented(operator.imod)
imul = _augmented(operator.imul)
ior = _augmented(operator.ior)
irshift = _augmented(operator.irshift)
isub = _augmented(operator.isub)
itruediv = _augmented(operator.itruediv)
ixor = _augmented(operator.ixor)
