"""``for`` and ``while``, and what comprehensions become."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hybrid.frontend.runtime.branches import Thunk
from hybrid.frontend.runtime.signals import BREAK, RETURN
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["add", "append", "for_stmt", "generator", "store", "while_stmt"]


def for_stmt(
    iterable: Iterable[Any],
    body: Callable[[Any], Any],
    get_state: Thunk,
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    *,
    orelse: Thunk | None = None,
    rest: Thunk | None = None,
) -> Any:
    """Run the body for each item; the body binds the loop's target itself."""
    if ACTIVE and (stager := stager_for(iterable)):
        return stager.for_stmt(iterable, body, get_state, set_state, names, orelse=orelse, rest=rest)
    for item in iterable:
        signal = body(item)
        if signal is BREAK:
            break
        if signal is RETURN:
            return signal
    else:
        if orelse is not None and (signal := orelse()) is not None:
            return signal
    return None if rest is None else rest()


def while_stmt(
    test: Thunk,
    body: Thunk,
    get_state: Thunk,
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    *,
    orelse: Thunk | None = None,
    rest: Thunk | None = None,
) -> Any:
    """Run the body while the test holds."""
    while True:
        value = test()
        if ACTIVE and (stager := stager_for(value)):
            return stager.while_stmt(value, test, body, get_state, set_state, names, orelse=orelse, rest=rest)
        if not value:
            break
        signal = body()
        if signal is BREAK:
            return None if rest is None else rest()
        if signal is RETURN:
            return signal
    if orelse is not None and (signal := orelse()) is not None:
        return signal
    return None if rest is None else rest()


def append(collected: list[Any], item: Any) -> None:
    """The next item of a list comprehension."""
    if ACTIVE and (stager := stager_for(collected)):
        stager.append(collected, item)
    else:
        collected.append(item)


def add(collected: set[Any], item: Any) -> None:
    """The next item of a set comprehension."""
    if ACTIVE and (stager := stager_for(collected, item)):
        stager.add(collected, item)
    else:
        collected.add(item)


def store(collected: dict[Any, Any], key: Any, item: Any) -> None:
    """The next item of a dict comprehension."""
    if ACTIVE and (stager := stager_for(collected, key)):
        stager.store(collected, key, item)
    else:
        collected[key] = item


def generator(
    iterable: Iterable[Any], lazily: Callable[[Any], Any], loop: Callable[[Any, Callable[[Any], None]], Any], *, state: Any = None
) -> Any:
    """A generator expression: ``lazily`` is a generator function of the iterator, ``loop`` the same as a loop that hands each item on.

    ``state`` is that of the variables around it that it binds.
    """
    if ACTIVE and (stager := stager_for(iterable)):
        return stager.generator(iterable, lazily, loop, state)
    return lazily(iter(iterable))
