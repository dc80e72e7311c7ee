"""Functions of Python's that mean something in the frame that calls them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from hybrid.frontend.runtime.calls import call
from hybrid.frontend.runtime.undefined import is_undefined

__all__ = ["call_in_frame", "call_super", "frame_of", "with_defaults"]


def frame_of(names: Callable[[], Mapping[str, Any]]) -> Callable[[], dict[str, Any]]:
    """The local variables of a frame, those without a value left out."""
    return lambda: {name: value for name, value in names().items() if not is_undefined(value)}


def call_in_frame(function: Any, names: Callable[[], Mapping[str, Any]], *args: Any, **kwargs: Any) -> Any:
    """Call what is called ``locals``, ``globals``, ``vars``, ``dir``, ``eval`` or ``exec`` in the user's code, in its frame.

    ``names`` is a function of the user's module, so its globals are the user's.
    """
    outer = names.__globals__  # type: ignore[attr-defined]
    if function is builtins.globals and not (args or kwargs):
        return outer
    if function in (builtins.locals, builtins.vars) and not (args or kwargs):
        return frame_of(names)()
    if function is builtins.dir and not (args or kwargs):
        return sorted(frame_of(names)())
    if function in (builtins.eval, builtins.exec) and 0 < len(args) < 3 and not kwargs:
        source, scope = args[0], args[1] if len(args) == 2 else None
        return function(source, outer, frame_of(names)()) if scope is None else function(source, scope)
    return call(function, *args, **kwargs)


def call_super(function: Any, names: Callable[[], tuple[type, Any]] | None) -> Any:
    """``super()``: ``names`` gives the class around the method and its first argument."""
    if function is not builtins.super:
        return call(function)
    if names is None:
        raise RuntimeError("super(): __class__ cell not found")
    if not isinstance(names, FunctionType):
        raise RuntimeError("super(): no arguments")
    return function(*names())


def with_defaults(function: Any, defaults: tuple[Any, ...], keyword_defaults: dict[str, Any]) -> Any:
    """A lambda with the defaults that were evaluated where it stands."""
    function.__defaults__ = defaults or None
    function.__kwdefaults__ = keyword_defaults or None
    return function
