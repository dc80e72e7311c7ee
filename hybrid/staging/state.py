"""Things outside of the function that it reads and writes: arrays, attributes, items of dicts, lists.

Arrays and numbers that are read become inputs of the graph, so that each call sees what they are then; everything else is a
constant of the trace, guarded. Writes happen in the trace only, can be undone, and are carried out after the call.
"""

from __future__ import annotations

import dis
import operator
import sys
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from hybrid.control.carry import flags
from hybrid.core.tensor import Eager
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["Guard", "Lifted", "Outside", "guards_of", "read_by"]


@dataclass(frozen=True, slots=True)
class Lifted:
    """An input of the graph that isn't an argument.

    Attributes:
        read: gives its value at a call.
        traced: stands for it.
        owner: the array itself, where it is one.
        place: where a number is: the identity of an object, and a name.
    """

    read: Callable[[], Any]
    traced: Traced
    owner: Any
    place: Any = None


@dataclass(frozen=True, slots=True)
class Guard:
    """Something that the trace took for granted: ``read()`` gives ``value``.

    Attributes:
        owner, source: the same as an expression with ``o`` for the owner, where there is one: it is looked at without a call.
    """

    read: Callable[[], Any]
    value: Any
    what: str
    owner: Any = None
    source: str = ""

    def holds(self) -> bool:
        """Whether it still is so."""
        try:
            now = self.read()
        except Exception:
            return False
        return _is_same(now, self.value)


def _is_same(a: Any, b: Any) -> bool:
    """Whether two values are one, or can't be told apart: 1, 1.0 and True are three things, and 0.0 isn't -0.0."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and (all(map(operator.is_, a, b)) or all(map(_is_same, a, b)))
    return repr(a) == repr(b) if isinstance(a, float | complex) else isinstance(a, int | str | bytes) and a == b


class Outside:
    """What a traced function met outside of itself.

    Attributes:
        static: attributes and items of numbers whose values tracing needed: they are taken for granted.
        lifted: the inputs of the graph that are no arguments, in order.
        guards: what must stay as it is.
    """

    def __init__(self, tracer: Tracer):
        self._tracer = tracer
        self._arrays: dict[int, Traced] = {}
        self._owners: dict[int, Any] = {}
        self._met: dict[int, Any] = {}
        self._positions: dict[int, int] = {}
        self.static: set[Any] = set()
        self.lifted: list[Lifted] = []
        self.guards: list[Guard] = []

    def is_outside(self, thing: Any) -> bool:
        """Whether an object was there before the trace."""
        return id(thing) in self._met or (isinstance(thing, type) and _is_importable(thing))

    def is_shared(self, thing: Any) -> bool:
        """Whether others may see an object while the function is traced: it is outside, and no stand-in for an argument."""
        return self.is_outside(thing) and id(thing) not in self._positions

    def met(self, value: Any) -> None:
        """Take note of something that was there before the trace."""
        if not isinstance(value, PLAIN):
            self._met[id(value)] = value
            if isinstance(value, tuple):
                for item in value:
                    self.met(item)

    def argument(self, container: Any) -> None:
        """Take note of a list, dict or object that stands for one among the arguments."""
        self._positions[id(container)] = len(self._positions)
        self._met[id(container)] = container

    def position(self, container: Any) -> int | None:
        """Which of the containers among the arguments something stands for."""
        return self._positions.get(id(container))

    def has_array(self, owner: Any) -> bool:
        """Whether an array from outside is an input."""
        return id(owner) in self._arrays

    def owner_of(self, traced: Traced) -> Any:
        """The array from outside that a stand-in stands for."""
        return self._owners.get(id(traced))

    def array(self, owner: Any) -> Traced:
        """The stand-in for an array or tensor from outside; one for each object."""
        if id(owner) not in self._arrays:
            array = owner._array if isinstance(owner, Eager) else owner
            traced = self._tracer.lifted_input(array, *flags(owner))
            self._arrays[id(owner)] = traced
            self._owners[id(traced)] = owner
            self.lifted.append(Lifted(lambda: owner._array if isinstance(owner, Eager) else owner, traced, owner))
        return self._arrays[id(owner)]

    def number(self, value: Any, read: Callable[[], Any], what: str, place: Any) -> Any:
        """A Python number from outside: an input; its type is guarded."""
        traced = self._tracer.lifted_input(value, True, False)
        self.lifted.append(Lifted(read, traced, None, place))
        self.guards.append(Guard(lambda: type(read()), type(value), f"the type of {what}"))
        return traced

    def constant(self, value: Any, read: Callable[[], Any], what: str) -> Any:
        """A value from outside that the trace takes for granted."""
        self.guards.append(Guard(read, value, what))
        self.met(value)
        return value


PLAIN = (str, bytes, int, float, complex, type(None), type(Ellipsis), np.ndarray, np.generic, Eager, Traced)
"""What is never looked into."""


def _is_importable(cls: type) -> bool:
    """Whether a class is where its name says, so that it wasn't made by the function."""
    found: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is cls


def guards_of(function: Any, inputs: Set[Any]) -> list[Guard]:
    """That the globals and closure cells that a function's code names hold what they hold now, but for those that are inputs or written."""
    outer = function.__globals__
    names = [name for name in _globals_of(function.__code__) if (id(outer), name) not in inputs]
    found = [_guard(outer, f"o[{name!r}]", f"the global {name}") for name in names if name in outer]
    found += [_guard(outer, f"{name!r} in o", f"whether there is a global {name}") for name in names if name not in outer]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if not _is_empty(cell) and id(cell) not in inputs:
            found.append(_guard(cell, "o.cell_contents", f"the variable {name}"))
    found.append(_guard(function, "o.__code__", f"the code of {function.__name__}"))
    for attribute in ("__defaults__", "__kwdefaults__"):
        if getattr(function, attribute):
            found.append(_guard(function, f"o.{attribute}", f"the defaults of {function.__name__}"))
    return found


def _guard(owner: Any, source: str, what: str) -> Guard:
    """That an expression gives what it gives now."""
    read = eval(f"lambda: {source}", {"o": owner})
    return Guard(read, read(), what, owner, source)


@lru_cache(maxsize=4096)
def _globals_of(code: CodeType) -> tuple[str, ...]:
    """The global variables that code and the code inside it read."""
    own = [step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    inner = [name for const in code.co_consts if isinstance(const, CodeType) for name in _globals_of(const)]
    return tuple(dict.fromkeys([*own, *inner]))


def read_by(function: Any) -> list[Any]:
    """The values of the globals and closure cells that a function's code names."""
    outer = function.__globals__
    cells = [cell.cell_contents for cell in function.__closure__ or () if not _is_empty(cell)]
    return [*(outer[name] for name in _names(function.__code__) if name in outer), *cells]


def _names(code: Any) -> set[str]:
    """The global names that code and the code inside it mention."""
    inner = [_names(const) for const in code.co_consts if isinstance(const, type(code))]
    return set(code.co_names).union(*inner)


def _is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is None and False
    except ValueError:
        return True
