"""Calls: the body of the user's functions is converted when they are called, everything else is called as it is."""

from __future__ import annotations

import functools
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final

from hybrid.frontend.runtime.callees import Callees
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["CALLEES", "call", "callee", "plain_call"]

CALLEES: Final = Callees()
"""The one table of converted functions."""

_target = CALLEES.target


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``."""
    if ACTIVE and (stager := stager_for()):
        return stager.call(function, args, kwargs)
    if type(function) is FunctionType:
        return _target(function)(*args, **kwargs)
    return plain_call(function, args, kwargs)


def plain_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of which nobody but Python has to know: functions of the user's are converted."""
    kind = type(function)
    if kind is FunctionType:
        return _target(function)(*args, **kwargs)
    if kind is MethodType and type(function.__func__) is FunctionType:
        return _target(function.__func__)(function.__self__, *args, **kwargs)
    if kind is BuiltinFunctionType:
        return function(*args, **kwargs)
    return _call_object(function, args, kwargs)


def _call_object(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if isinstance(function, type):
        return _construct(function, args, kwargs) if _has_users_init(function) else function(*args, **kwargs)
    if type(function) is functools.partial:
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if type(function) is staticmethod:
        return call(function.__func__, *args, **kwargs)
    method = getattr(type(function), "__call__", None)  # noqa: B004 - the method itself is wanted
    if type(method) is FunctionType:
        return CALLEES.target(method)(function, *args, **kwargs)
    return function(*args, **kwargs)


def _has_users_init(cls: type) -> bool:
    """Whether constructing runs the class's own Python ``__init__`` or ``__new__`` in the ordinary way."""
    if type(cls).__call__ is not type.__call__:
        return False
    methods: tuple[Any, ...] = (cls.__init__, cls.__new__)
    return any(type(method) is FunctionType and CALLEES.target(method) is not method for method in methods)


def _construct(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What ``type.__call__`` does, with converted methods."""
    made = call(cls.__new__, cls, *args, **kwargs)
    if not isinstance(made, cls):
        return made
    init: Any = type(made).__init__
    returned = CALLEES.target(init)(made, *args, **kwargs) if type(init) is FunctionType else init(made, *args, **kwargs)
    if returned is not None:
        raise TypeError(f"__init__() should return None, not {type(returned).__name__!r}")
    return made


class callee:
    """A function whose arguments are unpacked from containers: ``callee(f)(*a, **k)``.

    It has the name that Python's messages about the arguments give ``f``.
    """

    __slots__ = ("function",)

    def __init__(self, function: Any) -> None:
        self.function = function

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def __str__(self) -> str:
        return str(self.function)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return call(self.function, *args, **kwargs)

    @property
    def __module__(self) -> str:  # type: ignore[override]
        return self.function.__module__
