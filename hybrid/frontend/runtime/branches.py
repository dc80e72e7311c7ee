"""``if``, conditional expressions, ``and``, ``or``, ``not``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["State", "Thunk", "and_", "get_nothing", "if_exp", "if_stmt", "not_", "or_", "set_nothing"]

Thunk: TypeAlias = Callable[[], Any]
State: TypeAlias = "tuple[Thunk, Callable[[tuple[Any, ...]], None], tuple[str, ...]]"
"""What an expression may bind: a function that reads these names, one that binds them, and the names."""


def if_stmt(
    test: Any,
    then: Thunk,
    orelse: Thunk | None,
    get_state: Thunk,
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    *,
    rest: Thunk | None = None,
) -> Any:
    """Run a branch and, if it ends without a jump, the statements after the ``if``."""
    if ACTIVE and (stager := stager_for(test)):
        return stager.if_stmt(test, then, orelse, get_state, set_state, names, rest=rest)
    if test:
        signal = then()
    elif orelse is None:
        signal = None
    else:
        signal = orelse()
    if signal is None and rest is not None:
        return rest()
    return signal


def if_exp(test: Any, then: Thunk, orelse: Thunk, state: State | None = None) -> Any:
    """``then if test else orelse``."""
    if ACTIVE and (stager := stager_for(test)):
        return stager.if_exp(test, then, orelse, state)
    return then() if test else orelse()


def and_(first: Any, *others: Thunk, state: State | None = None) -> Any:
    """``first and ...``: the first false value, or the last one."""
    value = first
    for i, other in enumerate(others):
        if ACTIVE and (stager := stager_for(value)):
            return stager.and_(value, *others[i:], state=state)
        if not value:
            return value
        value = other()
    return value


def or_(first: Any, *others: Thunk, state: State | None = None) -> Any:
    """``first or ...``: the first true value, or the last one."""
    value = first
    for i, other in enumerate(others):
        if ACTIVE and (stager := stager_for(value)):
            return stager.or_(value, *others[i:], state=state)
        if value:
            return value
        value = other()
    return value


def not_(value: Any) -> Any:
    """``not value``."""
    if ACTIVE and (stager := stager_for(value)):
        return stager.not_(value)
    return not value


def get_nothing() -> tuple[()]:
    """The state of a statement that binds nothing."""
    return ()


def set_nothing(state: tuple[()]) -> None:
    """The other half of ``get_nothing``."""
