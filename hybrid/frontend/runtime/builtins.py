"""Functions of Python's that mean something in the frame that calls them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from hybrid.frontend.runtime.calls import call
from hybrid.frontend.runtime.staging import ACTIVE, stager_for
from hybrid.frontend.runtime.undefined import is_undefined

__all__ = ["call_in_frame", "call_super", "frame_of", "with_defaults"]


def frame_of(names: Callable[[], Mapping[str, Any]]) -> Callable[[], dict[str, Any]]:
    """The local variables of a frame, those without a value left out."""

    def frame() -> dict[str, Any]:
        found = names()
        if ACTIVE and (stager := stager_for()):
            found = stager.frame(found)
        return {name: value for name, value in found.items() if not is_undefined(value)}

    return frame


def call_in_frame(function: Any, names: Callable[[], Mapping[str, Any]], /, *args: Any, **kwargs: Any) -> Any:
    """Call what is called ``locals``, ``globals``, ``vars``, ``dir``, ``eval`` or ``exec`` in the user's code, in its frame.

    ``names`` is a function of the user's module, so its globals are the user's.
    """
    outer = names.__globals__  # type: ignore[attr-defined]
    if function is builtins.eval or function is builtins.exec:
        return _evaluated(function, outer, names, args, kwargs)
    if args or kwargs:
        return call(function, *args, **kwargs)
    if function is builtins.globals:
        return outer
    if function is builtins.locals or function is builtins.vars:
        return frame_of(names)()
    return sorted(frame_of(names)()) if function is builtins.dir else call(function)


def _evaluated(function: Any, outer: dict[str, Any], names: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``eval`` and ``exec``: the frame's variables stand in for those that aren't given."""
    given = dict(zip(("globals", "locals"), args[1:], strict=False)) | kwargs
    if not 1 <= len(args) <= 3 or given.get("globals") is not None:
        return call(function, *args, **kwargs)
    inner = given.get("locals")
    others = {name: value for name, value in given.items() if name not in ("globals", "locals")}
    scope = frame_of(names)() if inner is None else inner
    if ACTIVE and (stager := stager_for()):
        return stager.eval_in_frame(function, args[0], outer, scope, others)
    return function(args[0], outer, scope, **others)


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
