"""``try`` and ``with``, ``raise`` and ``assert``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from hybrid.frontend.runtime.branches import Thunk
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["assert_stmt", "catches", "raise_stmt", "reraise", "try_stmt", "with_stmt"]

UNSET = object()


def try_stmt(
    body: Thunk,
    handlers: Sequence[tuple[Thunk | None, Callable[[BaseException], Any]]],
    orelse: Thunk | None,
    final: Thunk | None,
    get_state: Thunk,
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    *,
    rest: Thunk | None = None,
) -> Any:
    """Run the body, the first handler whose classes fit, ``else`` and ``finally``; a jump in ``finally`` wins over everything before."""
    if ACTIVE and (stager := stager_for()):
        return stager.try_stmt(body, handlers, orelse, final, get_state, set_state, names, rest=rest)
    if final is None:
        signal = _handled(body, handlers, orelse)
    else:
        signal = _finished(body, handlers, orelse, final)
    if signal is None and rest is not None:
        return rest()
    return signal


def _finished(body: Thunk, handlers: Sequence[Any], orelse: Thunk | None, final: Thunk) -> Any:
    try:
        signal = _handled(body, handlers, orelse)
    except BaseException:
        last = final()
        if last is None:
            raise
        return last
    last = final()
    return signal if last is None else last


def _handled(body: Thunk, handlers: Sequence[Any], orelse: Thunk | None) -> Any:
    if not handlers and orelse is None:
        return body()
    try:
        signal = body()
    except BaseException as error:
        for classes, handler in handlers:
            if classes is None or catches(classes(), error):
                return handler(error)
        raise
    if signal is None and orelse is not None:
        return orelse()
    return signal


def catches(classes: Any, error: BaseException) -> bool:
    """Whether ``except classes`` catches an exception: real base classes count, ``__subclasscheck__`` isn't asked."""
    group = classes if isinstance(classes, tuple) else (classes,)
    for cls in group:
        if not (isinstance(cls, type) and BaseException in cls.__mro__):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    return any(cls in type(error).__mro__ for cls in group)


def with_stmt(
    manager: AbstractContextManager[Any],
    body: Callable[[Any], Any],
    get_state: Thunk,
    set_state: Callable[[tuple[Any, ...]], None],
    names: tuple[str, ...],
    *,
    rest: Thunk | None = None,
) -> Any:
    """Run the body inside a context manager; it gets what the manager's ``__enter__`` returned."""
    if ACTIVE and (stager := stager_for(manager)):
        return stager.with_stmt(manager, body, get_state, set_state, names, rest=rest)
    signal = None
    with manager as value:
        signal = body(value)
    if signal is None and rest is not None:
        return rest()
    return signal


def raise_stmt(error: Any, cause: Any = UNSET) -> None:
    """``raise error`` or ``raise error from cause``."""
    if ACTIVE and (stager := stager_for()):
        return stager.raise_stmt(error, cause)
    if cause is UNSET:
        raise error
    raise error from cause


def reraise() -> None:
    """``raise`` on its own."""
    if ACTIVE and (stager := stager_for()):
        stager.reraise()
    raise


def assert_stmt(test: Any, message: Thunk | None = None) -> None:
    """``assert test, message``."""
    if ACTIVE and (stager := stager_for(test)):
        stager.assert_stmt(test, message)
    elif not test:
        raise AssertionError if message is None else AssertionError(message())
