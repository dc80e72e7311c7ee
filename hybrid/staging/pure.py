"""Which functions may be called while tracing: those that give the same for the same arguments, and do nothing else."""

from __future__ import annotations

import array
import collections
import dataclasses
import dis
import inspect
import types
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

import numpy as np

from hybrid.frontend.runtime.callees import is_users
from hybrid.frontend.runtime.calls import CALLEES

__all__ = [
    "flatten_deep",
    "is_converted",
    "is_initialiser",
    "is_pure",
    "is_scalar_call",
    "is_transparent",
    "new_object",
    "only_computes",
    "only_reads",
    "runs_later",
]

PURE_MODULES: Final = frozenset(
    {"builtins", "math", "cmath", "operator", "_operator", "functools", "_functools", "itertools", "collections", "_collections",
     "collections.abc", "dataclasses", "copy", "string", "textwrap", "re", "statistics", "fractions", "decimal", "_decimal", "numbers",
     "bisect", "_bisect", "heapq", "_heapq", "enum", "typing", "types", "abc", "_abc", "json", "json.encoder", "json.decoder", "numpy",
     "hybrid", "datetime", "contextlib", "struct", "_struct", "inspect", "weakref"}
)  # fmt: skip
"""Modules whose functions are pure, but for those below; functions that wrap the user's are looked into."""

IMPURE_NAMES: Final = frozenset(
    {
        "input",
        "open",
        "breakpoint",
        "exec",
        "eval",
        "__import__",
        "now",
        "today",
        "utcnow",
        "seterr",
        "seterrcall",
        "setbufsize",
        "set_printoptions",
    }
)
WRITERS: Final = frozenset(
    {"heappush", "heappop", "heapify", "heapreplace", "heappushpop", "insort", "insort_left", "insort_right", "heappush_max",
     "heappop_max", "heapify_max", "heapreplace_max", "heappushpop_max"}
)  # fmt: skip
"""Functions of pure modules that change their arguments."""
CHANGING: Final = (bytearray, collections.deque, array.array)
"""Classes of objects that change, whose methods only Python has: their objects are made when the function runs."""
IMPURE_PARTS: Final = ("numpy.random", "numpy.lib._npyio", "numpy.lib.npyio")


def runs_later(function: FunctionType) -> bool:
    """Whether calling a function only makes a generator or a coroutine; its body isn't converted."""
    return bool(function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR))


def only_computes(function: FunctionType) -> bool:
    """Whether a function calls nothing and writes nothing but variables."""
    names = {instruction.opname for instruction in dis.get_instructions(function.__code__)}
    return not any(name.startswith(("CALL", "PRECALL", "STORE_SUBSCR", "DELETE_SUBSCR", "DELETE_ATTR", "IMPORT")) for name in names)


def only_reads(function: FunctionType) -> bool:
    """Whether a function calls nothing and changes nothing but its own variables."""
    names = {instruction.opname for instruction in dis.get_instructions(function.__code__)}
    return only_computes(function) and not names & {"STORE_ATTR", "STORE_GLOBAL", "STORE_DEREF"}


def is_initialiser(function: Any) -> bool:
    """Whether a function is ``__init__`` or ``__new__`` of a built-in class, called for an object of a class of the user's."""
    return not isinstance(function, FunctionType) and getattr(function, "__name__", "") in ("__init__", "__new__", "__init_subclass__")


def is_converted(function: FunctionType) -> bool:
    """Whether a user's function has a converted form."""
    return is_users(function) and CALLEES.target(function) is not function


def is_pure(function: Any) -> bool:
    """Whether calling a function while tracing is the same as calling it at each run."""
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if isinstance(function, type):
        return function.__module__ not in ("random", "_random", "socket", "threading", "io", "_io") and not issubclass(function, CHANGING)
    if name in IMPURE_NAMES or (name in WRITERS and getattr(function, "__module__", None) in ("heapq", "_heapq", "bisect", "_bisect")):
        return False
    if isinstance(function, FunctionType | types.MethodType):
        plain = getattr(function, "__func__", function)
        wrapped = getattr(plain, "__wrapped__", None)
        return (
            _is_pure_module(str(plain.__module__)) and not is_users(plain) and not (isinstance(wrapped, FunctionType) and is_users(wrapped))
        )
    if isinstance(function, BuiltinFunctionType):
        if owner is None or isinstance(owner, types.ModuleType):
            return _is_pure_module(str(function.__module__ or getattr(owner, "__name__", "builtins")))
        return type(owner).__module__.partition(".")[0] not in ("random", "_random", "_io", "io", "_thread", "socket", "numpy.random")
    wrapped = getattr(function, "__wrapped__", None)
    return not isinstance(wrapped, FunctionType) or _is_pure_module(str(wrapped.__module__))


def _is_pure_module(module: str) -> bool:
    return (module in PURE_MODULES or module.partition(".")[0] in ("numpy", "hybrid", "scipy")) and not module.startswith(IMPURE_PARTS)


def is_transparent(function: Any) -> bool:
    """Whether a function only moves its arguments around, so that it may be given stand-ins."""
    if isinstance(function, type):
        return (
            dataclasses.is_dataclass(function)
            or hasattr(function, "_fields")
            or issubclass(function, dict | BaseException)
            or (function.__module__ != "builtins" and is_defined_by_user(function))
        )
    owner, module = getattr(function, "__self__", None), str(getattr(function, "__module__", None))
    if isinstance(owner, dict | list | tuple | set) and getattr(function, "__name__", "") in MOVING:
        return True
    if module == "dataclasses" or getattr(function, "__name__", "") in (
        "__init__",
        "__new__",
        "_replace",
        "_make",
        "_asdict",
        "__post_init__",
    ):
        return True
    return isinstance(function, FunctionType) and module in ("functools", "copy")


MOVING: Final = frozenset({"get", "items", "keys", "values", "copy", "setdefault", "fromkeys"})


def is_defined_by_user(cls: type) -> bool:
    """Whether a class has methods in Python."""
    return any(isinstance(member, FunctionType) for member in vars(cls).values())


def is_scalar_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a ufunc gets nothing but numbers that are known."""
    leaves = (*args, *kwargs.values())
    return isinstance(function, np.ufunc) and all(isinstance(x, int | float | complex | np.generic) for x in leaves)


def new_object(cls: type, new: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``cls.__new__``, which refuses arguments that nobody takes."""
    if new is object.__new__ and cls.__init__ is not object.__init__:
        return new(cls)
    return new(cls, *args, **kwargs)


def flatten_deep(value: Any) -> Iterator[Any]:
    """The leaves of nested lists, tuples, dicts and sets."""
    if isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from flatten_deep(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from flatten_deep(item)
    else:
        yield value
