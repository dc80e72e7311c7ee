"""Names with nothing bound to them, and names that several functions write."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import Any

from hybrid._util.undefined import Undefined
from hybrid.core.cell import Slot
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["Box", "CellBox", "GlobalBox", "OuterBox", "Unbound", "Undefined", "is_undefined", "load", "load_free", "outer", "peek"]


class Unbound:
    """The annotation of names that a function owns and hasn't bound yet (``x: hy__.Unbound`` makes ``x`` local, no more)."""


def is_undefined(value: Any) -> bool:
    """Whether an entry of a state says that its name is unbound."""
    return type(value) is Undefined


def peek(name: str, read: Callable[[], Any]) -> Any:
    """The value of a name for a state."""
    PEEKING.append(name)
    try:
        return read()
    except NameError:
        return Undefined(name)
    finally:
        PEEKING.pop()


def load(name: str, read: Callable[[], Any]) -> Any:
    """The value of a local name that may be unbound; Python's own exception if it is."""
    PEEKING.append(name)
    try:
        value = read()
    except NameError:
        value = UNBOUND
    finally:
        PEEKING.pop()
    if value is UNBOUND:
        raise UnboundLocalError(LOCAL.format(name), name=name)
    if ACTIVE and (stager := stager_for(value)):
        return stager.load(name, value)
    return value


def load_free(name: str, read: Callable[[], Any]) -> Any:
    """The value of a variable of the function around a class, which the class's body reads."""
    value = read()
    if ACTIVE and (stager := stager_for(value)):
        return stager.load_free(name, value)
    return value


def outer(value: Any) -> Any:
    """What a name of code outside is bound to: the stager sees to it that what an array holds is read when the function runs."""
    return stager.outer(value) if ACTIVE and (stager := stager_for(value)) else value


UNBOUND = Undefined("")
PEEKING: list[str] = []
"""Not empty while a state is read, in which a name may be unbound on some path."""
LOCAL = "cannot access local variable {!r} where it is not associated with a value"
FREE = "cannot access free variable {!r} where it is not associated with a value in enclosing scope"


class Box(Slot):
    """A variable of a function that functions inside it write too: while the function is traced, the stager takes note of writes,
    since the constructs around a call know nothing of the variables that it writes.
    """

    __slots__ = ("content", "name")

    def __init__(self, name: str, value: Any = UNBOUND) -> None:
        self.name = name
        self.birth = stager.depth if ACTIVE and (stager := stager_for()) else 0
        if value is not UNBOUND:
            self.content = value

    @property
    def value(self) -> Any:
        """What is bound."""
        try:
            value = self.content
        except AttributeError:
            value = UNBOUND
        if value is UNBOUND:
            raise NameError(FREE.format(self.name), name=self.name)
        if ACTIVE and not PEEKING and (stager := stager_for(value)):
            return stager.load_free(self.name, value)
        return value

    @value.setter
    def value(self, value: Any) -> None:
        self.set(value)

    @value.deleter
    def value(self) -> None:
        _ = self.value
        self._changes()
        del self.content

    def __repr__(self) -> str:
        return f"hy__.Box({self.name!r})"

    def set(self, value: Any) -> Any:
        """Bind, as an expression."""
        self._changes()
        self.content = value
        return value

    def drop_undefined(self) -> None:
        """Unbind, if a state said so."""
        if is_undefined(getattr(self, "content", None)):
            self._changes()
            del self.content

    def read(self) -> Any:
        """What is bound."""
        return self.content if hasattr(self, "content") else Undefined(f"the variable {self.name}")

    def restore(self, content: Any) -> None:
        """Bind, or unbind."""
        if not is_undefined(content):
            self.content = content
        elif hasattr(self, "content"):
            del self.content

    def _changes(self) -> None:
        if ACTIVE and (stager := stager_for()):
            stager.changes_box(self)


class OuterBox:
    """A variable from outside of the function that it writes: while the function is traced, the stager reads and writes it."""

    __slots__ = ()

    def read(self) -> Any:
        """What is bound; ``NameError`` if nothing is."""
        raise NotImplementedError(type(self))

    def write(self, value: Any) -> None:
        """Bind."""
        raise NotImplementedError(type(self))

    def unbind(self) -> None:
        """Unbind; ``NameError`` if nothing is bound."""
        raise NotImplementedError(type(self))

    @property
    def value(self) -> Any:
        """What is bound."""
        if ACTIVE and (stager := stager_for()):
            return stager.read_box(self, bool(PEEKING))
        return self.read()

    @value.setter
    def value(self, value: Any) -> None:
        self.set(value)

    @value.deleter
    def value(self) -> None:
        if ACTIVE and (stager := stager_for()):
            stager.unbind_box(self)
        else:
            self.unbind()

    def set(self, value: Any) -> Any:
        """Bind, as an expression."""
        if ACTIVE and (stager := stager_for()):
            stager.write_box(self, value)
        else:
            self.write(value)
        return value

    def drop_undefined(self) -> None:
        """Unbind, if a state said so."""
        try:
            value = self.read()
        except NameError:
            return
        if is_undefined(value):
            self.unbind()


class CellBox(OuterBox):
    """A variable of a function around the converted one: the cell that the original function shares with it."""

    __slots__ = ("cell", "name")

    def __init__(self, name: str, cell: CellType) -> None:
        self.name = name
        self.cell = cell

    @property
    def place(self) -> Any:
        """What tells the variable from others."""
        return id(self.cell)

    def read(self) -> Any:
        """What is in the cell."""
        try:
            return self.cell.cell_contents
        except ValueError:
            raise NameError(FREE.format(self.name), name=self.name) from None

    def write(self, value: Any) -> None:
        """Fill the cell."""
        self.cell.cell_contents = value

    def unbind(self) -> None:
        """Empty the cell."""
        _ = self.read()
        del self.cell.cell_contents


class GlobalBox(OuterBox):
    """A global variable that the converted function writes."""

    __slots__ = ("name", "names")

    def __init__(self, name: str, names: dict[str, Any]) -> None:
        self.name = name
        self.names = names

    @property
    def place(self) -> Any:
        """What tells the variable from others."""
        return id(self.names), self.name

    def read(self) -> Any:
        """The global, or the builtin of that name."""
        if self.name in self.names:
            return self.names[self.name]
        builtins = self.names.get("__builtins__", __builtins__)
        known = builtins if isinstance(builtins, dict) else vars(builtins)
        if self.name in known:
            return known[self.name]
        raise NameError(f"name {self.name!r} is not defined", name=self.name)

    def write(self, value: Any) -> None:
        """Bind the global."""
        self.names[self.name] = value

    def unbind(self) -> None:
        """Unbind the global."""
        if self.name not in self.names:
            raise NameError(f"name {self.name!r} is not defined", name=self.name)
        del self.names[self.name]
