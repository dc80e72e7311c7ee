"""Things outside of the function that it reads and writes: arrays, attributes, items of dicts, lists.

Arrays and numbers that are read become inputs of the graph, so that each call sees what they are then; everything else is a
constant of the trace, guarded. Writes happen in the trace only, can be undone, and are carried out after the call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hybrid.control.carry import flags
from hybrid.core.cell import Journal, Slot
from hybrid.core.tensor import Eager
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["Attributes", "Guard", "Lifted", "Outside", "guards_of", "read_by"]


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
    """Something that the trace took for granted: ``read()`` gives ``value``."""

    read: Callable[[], Any]
    value: Any
    what: str

    def holds(self) -> bool:
        """Whether it still is so."""
        try:
            now = self.read()
        except Exception:
            return False
        if now is self.value:
            return True
        return type(now) is type(self.value) and isinstance(now, int | float | complex | str | bytes | tuple) and now == self.value


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
        self._containers: dict[int, Any] = {}
        self.static: set[Any] = set()
        self.lifted: list[Lifted] = []
        self.guards: list[Guard] = []

    def is_outside(self, container: Any) -> bool:
        """Whether a container was there before the trace."""
        return id(container) in self._containers

    def met(self, value: Any) -> None:
        """Take note of something that was there before the trace."""
        if isinstance(value, list | dict | tuple | set):
            self._containers[id(value)] = value

    def array(self, owner: Any) -> Traced:
        """The stand-in for an array or tensor from outside; one for each object."""
        if id(owner) not in self._arrays:
            array = owner._array if isinstance(owner, Eager) else owner
            traced = self._tracer.lifted_input(array, *flags(owner))
            self._arrays[id(owner)] = traced
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


class _AttributeSlot(Slot):
    """What an attribute (or an item of a dict) was set to."""

    __slots__ = ("_content", "before", "name", "owner")

    def __init__(self, owner: Any, name: Any, content: Any):
        self.owner, self.name, self._content, self.birth = owner, name, content, 0
        self.before = content

    def read(self) -> Any:
        """The value it has in the trace."""
        return self._content

    def restore(self, content: Any) -> None:
        """Give it a value."""
        self._content = content


class Attributes:
    """Writes to the attributes of objects, or to the items of dicts.

    Args:
        journal: notes changes.
        look: reads from the real object.
        put: writes to the real object.
    """

    def __init__(self, journal: Journal, look: Callable[[Any, Any], Any], put: Callable[[Any, Any, Any], None]):
        self._journal, self._look, self._put = journal, look, put
        self._slots: dict[tuple[int, Any], _AttributeSlot] = {}

    def knows(self, owner: Any, name: Any) -> bool:
        """Whether it was read or written here before."""
        return (id(owner), name) in self._slots

    def read(self, owner: Any, name: Any) -> Any:
        """The value in the trace."""
        return self._slots[id(owner), name].read()

    def remember(self, owner: Any, name: Any, value: Any) -> Any:
        """The value that was read; later reads give it again."""
        self._slots[id(owner), name] = _AttributeSlot(owner, name, value)
        return value

    def write(self, owner: Any, name: Any, value: Any) -> None:
        """Set it in the trace."""
        if not self.knows(owner, name):
            self.remember(owner, name, ABSENT if not self._has(owner, name) else self._look(owner, name))
        slot = self._slots[id(owner), name]
        self._journal.note(slot)
        slot.restore(value)

    def written(self) -> list[tuple[Callable[..., None], Any, Any, Any]]:
        """The writes to carry out: how, whose, which, and the traced value."""
        return [(self._put, s.owner, s.name, s.read()) for s in self._slots.values() if s.read() is not s.before]

    def _has(self, owner: Any, name: Any) -> bool:
        try:
            self._look(owner, name)
        except (AttributeError, KeyError):
            return False
        return True


ABSENT = object()
"""The value of what isn't there."""


def guards_of(function: Any) -> list[Guard]:
    """That the globals and closure cells that a function's code names hold what they hold now."""
    outer = function.__globals__
    found = [Guard(lambda name=name: outer[name], outer[name], f"the global {name}") for name in _names(function.__code__) if name in outer]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if not _is_empty(cell):
            found.append(Guard(lambda cell=cell: cell.cell_contents, cell.cell_contents, f"the variable {name}"))
    return found


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
