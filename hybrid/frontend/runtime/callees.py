"""Which functions are the user's, and the converted function of each."""

from __future__ import annotations

import sysconfig
import weakref
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

from hybrid.errors import UnsupportedError

__all__ = ["GENERATED", "Callees", "do_not_convert", "is_marked", "is_users", "is_users_file"]

GENERATED: Final = "<hybrid "
"""How the file names of generated code start."""

LIBRARIES: Final = frozenset({"hybrid", "llvmlite", "matplotlib", "numba", "numpy", "pandas", "pytest", "rich", "scipy"})
"""Packages whose functions run as they are."""

USERS_OWN: Final = ("hybrid.gallery", "hybrid.keras")
"""Modules of ours that are written as users write theirs."""

STANDARD: Final = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib"))
INSTALLED: Final = tuple(sysconfig.get_paths()[name] for name in ("purelib", "platlib"))

KEPT_AS: Final = "__hybrid_converted__"
"""The attribute that keeps the converted function of a closure, which a table would keep alive if it refers to itself."""

F = TypeVar("F", bound=Callable[..., Any])
MARKED: set[int] = set()
"""Identities of code that stays as it is; a code object leaves when it is freed."""


def do_not_convert(function: F) -> F:
    """Mark a function: it runs as plain Python when converted code calls it.

    >>> @hybrid.do_not_convert
    ... def clock():
    ...     return 12
    """
    code = getattr(function, "__code__", None)
    if isinstance(code, CodeType):
        MARKED.add(id(code))
        weakref.finalize(code, MARKED.discard, id(code))
    return function


def is_marked(function: Any) -> bool:
    """Whether ``do_not_convert`` was said of a function."""
    return id(getattr(function, "__code__", None)) in MARKED


def is_users(function: FunctionType) -> bool:
    """Whether a Python function is the user's, so that its body is to be converted."""
    file = function.__code__.co_filename
    if file.startswith((GENERATED, "<frozen ", "<__array_function__")) or is_marked(function):
        return False
    return is_users_file(file, str(function.__globals__.get("__name__")))


def is_users_file(file: str, module: str) -> bool:
    """Whether a module is the user's, by its file and name."""
    if module.partition(".")[0] in LIBRARIES:
        return module.startswith(USERS_OWN)
    return not file.startswith(STANDARD) or file.startswith(INSTALLED)


class _Entry:
    """A function, and what to call instead as long as the function stays what it was."""

    __slots__ = ("code", "defaults", "function", "keyword_defaults", "reason", "target")

    def __init__(self, function: FunctionType, forget: Callable[[Any], None] | None, target: Any, reason: Exception | None) -> None:
        self.function = weakref.ref(function, forget)
        self.code = function.__code__
        self.defaults = function.__defaults__
        self.keyword_defaults = function.__kwdefaults__
        self.target = target
        self.reason = reason


class Callees:
    """The functions that converted code called, each with the function to call instead.

    Attributes:
        convert: makes the converted function; set by the module that can.
    """

    def __init__(self) -> None:
        self.entries: dict[int, _Entry] = {}
        self.convert: Callable[[FunctionType], FunctionType] | None = None

    def target(self, function: FunctionType) -> Callable[..., Any]:
        """What to call instead of a function."""
        entry = self.entry(function)
        if (
            entry is not None
            and entry.function() is function
            and entry.code is function.__code__
            and entry.defaults is function.__defaults__
            and entry.keyword_defaults is function.__kwdefaults__
        ):
            return entry.target or function
        if function.__code__.co_filename.startswith(GENERATED):
            return function
        return self._enter(function)

    def entry(self, function: FunctionType) -> _Entry | None:
        """What is known of a function."""
        return self.entries.get(id(function)) if function.__closure__ is None else function.__dict__.get(KEPT_AS)

    def reason(self, function: FunctionType) -> Exception | None:
        """Why a user's function couldn't be converted, if it was tried."""
        entry = self.entry(function)
        return None if entry is None else entry.reason

    def _enter(self, function: FunctionType) -> Callable[..., Any]:
        key, target, reason = id(function), None, None
        if is_users(function) and self.convert is not None:
            try:
                target = self.convert(function)
            except UnsupportedError as error:
                reason = error
        if function.__closure__ is None:
            self.entries[key] = _Entry(function, self._forgetter(key), target, reason)
        else:
            function.__dict__[KEPT_AS] = _Entry(function, None, target, reason)
        return target or function

    def _forgetter(self, key: int) -> Callable[[Any], None]:
        entries = self.entries

        def forget(reference: Any) -> None:
            entry = entries.get(key)
            if entry is not None and entry.function is reference:
                del entries[key]

        return forget
