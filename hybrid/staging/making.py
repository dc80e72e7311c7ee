"""From what a traced function has to what a run makes: every value becomes a part of a recipe, and operands of the graph."""

from __future__ import annotations

import copy
import dataclasses
import functools
import sys
from array import array
from collections import deque
from collections.abc import Iterator
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CellType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any, Final

import numpy as np

from hybrid._util.tree import Seal
from hybrid._util.undefined import Undefined
from hybrid.control.carry import flags
from hybrid.control.variant import Variant
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError
from hybrid.frontend.runtime.callees import is_users_file
from hybrid.frontend.runtime.undefined import Box, OuterBox
from hybrid.ir.traced import Traced
from hybrid.staging.iterables import Combined, LazyItems, StagedRange
from hybrid.staging.lists import Rows
from hybrid.staging.opaque import Method, Opaque
from hybrid.staging.recipe import (
    Argument,
    Bound,
    Called,
    Cell,
    Closure,
    Container,
    Copied,
    Held,
    Instance,
    Items,
    Known,
    Missing,
    OneOf,
    Output,
    Pairs,
    Part,
    Problem,
    RowItems,
    Written,
)
from hybrid.staging.text import Formatted, Text
from hybrid.staging.walkers import ByNumber, Walker

__all__ = ["ITERATORS", "USERS", "Maker", "attributes_of"]

USERS: Final = "_hybrid_raised_by_user"
"""The attribute of an exception that a ``raise`` of the user's raised."""

OURS: Final = ("hybrid.staging", "hybrid.control", "hybrid.ir")
HEAP_TYPE: Final = 1 << 9
CONSTANTS: Final = (
    str,
    bytes,
    int,
    float,
    complex,
    type,
    ModuleType,
    BuiltinFunctionType,
    type(None),
    type(Ellipsis),
    range,
    np.generic,
    np.dtype,
)
ITERATORS: Final = (
    GeneratorType,
    CoroutineType,
    AsyncGeneratorType,
    zip,
    enumerate,
    reversed,
    map,
    filter,
    *(type(iter(x)) for x in ([], (), {}, set(), "", range(0))),
)


class Maker:
    """Makes parts of values, and collects the operands that they need.

    Args:
        stager: who traces.
        given: the positions of the arguments' stand-ins, by their identity; ``None`` for a call in the middle of the run,
            where lists and the like that stand for arguments are what they are in the trace.
        may_change: whether the values are given to a function that may change them.

    Attributes:
        operands: what the graph must compute for the parts.
        kept: the values, so that their identities stay theirs.
    """

    def __init__(self, stager: Any, given: dict[int, int] | None = None, may_change: bool = False):
        self._may_change = may_change
        self._stager, self._given, self._is_inside = stager, given or {}, given is None
        self.operands: list[Any] = []
        self._parts: dict[int, Part] = {}
        self.kept: list[Any] = []

    def part(self, value: Any) -> Part:
        """The part that a value becomes; one for each object."""
        if id(value) not in self._parts:
            self.kept.append(value)
            made = self._atom(value)
            if made is not None:
                self._parts[id(value)] = made
            else:
                self._compound(value)
        return self._parts[id(value)]

    # -- values without parts ---------------------------------------------------------------------------------------
    def _atom(self, value: Any) -> Part | None:
        if isinstance(value, Seal):
            raise StagingError("the items of a list that grew while the function was traced were taken by code that isn't converted")
        if isinstance(value, Traced):
            return self._traced(value)
        if isinstance(value, Opaque):
            return Held(self.operand(value.handle))
        if isinstance(value, OuterBox):
            return Known(value)
        if isinstance(value, Undefined):
            return Missing(value)
        if isinstance(value, Text):
            return self._text(value)
        if isinstance(value, LazyItems):
            return Called(iter, (self.part(value.items()),))
        if isinstance(value, Walker):
            return self._walker(value)
        if isinstance(value, BuiltinFunctionType | MethodWrapperType) and self._stager.is_staged(value.__self__):
            return Called(getattr, (self.part(value.__self__), Known(value.__name__)))
        return Known(value) if isinstance(value, CONSTANTS) else self._known(value)

    def _known(self, value: Any) -> Part | None:
        """What was there before the trace, or was made while tracing by code outside."""
        outside = self._stager.tracer.outside
        if isinstance(value, np.ndarray | Eager):
            return Known(value) if outside.has_array(value) else Copied(value)
        if isinstance(value, ITERATORS):
            if self._stager.is_staged(value):
                raise StagingError(f"wanted no generator or coroutine with run-time values in it here, received {value!r}")
            self._stager.tracer.is_single |= not outside.is_outside(value)
            return Known(value)
        position = outside.position(value)
        if position is not None:
            return None if self._is_inside else Container(position)
        if self._is_inside and isinstance(value, list | dict | set) and self._stager.is_changed(value):
            return None
        return Known(value) if outside.is_outside(value) else None

    def operand(self, value: Any) -> int:
        """The number of the operand that a value becomes."""
        self.operands.append(self._stager.tracer.operand(value))
        return len(self.operands) - 1

    def _traced(self, value: Traced) -> Part:
        if id(value) in self._given and not value.spec.weak:
            return Argument(self._given[id(value)])
        owner = self._stager.tracer.outside.owner_of(value)
        if owner is not None:
            return Known(owner)
        is_scalar, is_tensor = flags(value)
        return Output(self.operand(value), is_tensor, not is_scalar)

    def _walker(self, walker: Walker) -> Part:
        items = list(walker.items) if isinstance(walker.items, ByNumber) else walker.items
        made = Called(_iterator_at, (self.part(items), self.part(walker.position)))
        if self._is_inside:
            walker.spend()
        return made

    def _text(self, text: Text) -> Part:
        return Written(tuple((self.part(p.value), p.conversion, p.spec) if isinstance(p, Formatted) else p for p in text.parts))

    # -- values with parts ------------------------------------------------------------------------------------------
    def _compound(self, value: Any) -> None:
        for kinds, name in COMPOUND:
            if isinstance(value, kinds):
                getattr(self, name)(value)
                return
        if type(value).__module__.startswith(OURS):
            raise StagingError(f"wanted a value that code which isn't converted can have, received {value!r}")
        is_users = _is_users_class(type(value))
        if not is_users and not isinstance(value, Box) and not self._stager.is_staged(value) and not dataclasses.is_dataclass(value):
            self._stager.tracer.is_single |= not self._is_inside and type(value).__hash__ is object.__hash__
            self._parts[id(value)] = Copied(value) if type(value) in (bytearray, deque, array) else Known(value)
        elif type(value).__flags__ & HEAP_TYPE:
            self._instance(value)
        else:
            self._parts[id(value)] = Copied(value) if type(value) in (bytearray, deque, array) else Known(value)

    def _variant(self, value: Variant) -> None:
        self._parts[id(value)] = OneOf(self.part(value.tag), tuple(map(self.part, value.options)))

    def _list(self, value: list[Any]) -> None:
        content = self._stager.lists.content(value)
        if content is None:
            made = self._parts[id(value)] = Items(type(value), ())
            made.parts = tuple(map(self.part, value))
        else:
            self._parts[id(value)] = self.contents(content)

    def contents(self, content: Any) -> Part:
        """The part for the items of a list, as a list."""
        if isinstance(content, Rows):
            return RowItems(self.part(content.array), content.is_number, content.is_scalar, content.is_tensor)
        if isinstance(content, Variant):
            self.kept.append(content)
            return OneOf(self.part(content.tag), tuple(map(self.contents, content.options)))
        return Items(list, tuple(map(self.part, content))) if isinstance(content, tuple) else self.part(content)

    def _rows(self, value: Rows) -> None:
        self._parts[id(value)] = self.contents(value)

    def _sequence(self, value: Any) -> None:
        content = self._stager.dicts.content(value)
        if content is not None:
            self._parts[id(value)] = self.entries(content, type(value))
            return
        parts = tuple(map(self.part, value))
        is_known = not isinstance(value, set) and all(
            isinstance(part, Known) and part.constant is item for part, item in zip(parts, value, strict=True)
        )
        self._parts[id(value)] = Known(value) if is_known else Items(type(value), parts)

    def _dict(self, value: dict[Any, Any]) -> None:
        content = self._stager.dicts.content(value)
        if content is not None:
            self._parts[id(value)] = self.entries(content, type(value))
            return
        made = self._parts[id(value)] = Pairs(type(value) if type(value) is dict else functools.partial(_emptied, value), ())
        made.parts = tuple((self.part(key), self.part(item)) for key, item in value.items())

    def entries(self, content: Any, kind: type) -> Part:
        """The part for the entries of a dict or the items of a set, as such."""
        if isinstance(content, Variant):
            self.kept.append(content)
            return OneOf(self.part(content.tag), tuple(self.entries(option, kind) for option in content.options))
        if isinstance(content, Opaque):
            return self.part(content)
        if isinstance(content, frozenset):
            return Items(kind, tuple(map(self.part, content)))
        return Pairs(kind, tuple((self.part(key), self.part(item)) for key, item in content.items()))

    def _instance(self, value: Any) -> None:
        if (isinstance(value, Box) and self._is_inside) or (self._may_change and not _is_frozen(value)):
            what = f"the variable {value.name}" if isinstance(value, Box) else repr(type(value).__name__)
            raise StagingError(f"wanted nothing that a function which isn't converted may change, received {what}")
        made = self._parts[id(value)] = Instance(type(value), ())
        made.attributes = tuple((name, self.part(item)) for name, item in attributes_of(value))

    def _function(self, value: FunctionType) -> None:
        made = Closure(value)
        self._parts[id(value)] = made
        made.cells = tuple(map(self._cell, value.__closure__ or ()))
        made.defaults = self.part(value.__defaults__) if value.__defaults__ else None
        made.keyword_defaults = self.part(value.__kwdefaults__) if value.__kwdefaults__ else None
        if not made.cells and isinstance(made.defaults, Known | None) and made.keyword_defaults is None:
            self._parts[id(value)] = Known(value)

    def _cell(self, cell: CellType) -> Any:
        if id(cell) not in self._parts:
            self.kept.append(cell)
            made = self._parts[id(cell)] = Cell()
            try:
                content = cell.cell_contents
            except ValueError:
                return made
            made.content = self.part(content)
        return self._parts[id(cell)]

    def _method(self, value: MethodType) -> None:
        owner = self.part(value.__self__)
        self._parts[id(value)] = Known(value) if isinstance(owner, Known) else Bound(self.part(value.__func__), owner)

    def _partial(self, value: functools.partial[Any]) -> None:
        keywords = tuple((name, self.part(item)) for name, item in value.keywords.items())
        self._parts[id(value)] = Called(functools.partial, tuple(map(self.part, (value.func, *value.args))), keywords)

    def _range(self, value: StagedRange) -> None:
        self._parts[id(value)] = Called(range, tuple(map(self.part, value.bounds)))

    def _method_of_object(self, value: Method) -> None:
        self._parts[id(value)] = Called(getattr, (self.part(value.owner), Known(value.name)))

    def _slice(self, value: slice) -> None:
        self._parts[id(value)] = Called(slice, tuple(map(self.part, (value.start, value.stop, value.step))))

    def _combined(self, value: Combined) -> None:
        function = {"zip": zip, "enumerate": enumerate, "reversed": reversed}[value.kind]
        extra = (value.start,) if value.kind == "enumerate" else ()
        self._parts[id(value)] = Called(function, tuple(map(self.part, (*value.parts, *extra))))

    def _problem(self, value: BaseException) -> None:
        made = self._parts[id(value)] = Problem(type(value), (), (), None, None, value.__suppress_context__)
        made.arguments = tuple(map(self.part, value.args))
        made.attributes = tuple((name, self.part(item)) for name, item in attributes_of(value) if not name.startswith("_hybrid"))
        cause, context, made.suppresses = reasons_of(value)
        made.cause = None if cause is None else self.part(cause)
        made.context = None if context is None else self.part(context)


COMPOUND: Final = (
    (Variant, "_variant"),
    (Rows, "_rows"),
    (list, "_list"),
    (dict, "_dict"),
    ((tuple, set, frozenset), "_sequence"),
    (FunctionType, "_function"),
    (MethodType, "_method"),
    (functools.partial, "_partial"),
    (StagedRange, "_range"),
    (Method, "_method_of_object"),
    (slice, "_slice"),
    (Combined, "_combined"),
    (BaseException, "_problem"),
)
"""Which method makes the parts of what; anything else is an object with attributes."""


def _is_users_class(cls: type) -> bool:
    """Whether a class is the user's; compiled modules make up names of modules for theirs."""
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    return is_users_file(str(file or ""), cls.__module__) if file or cls.__module__ == "__main__" or module is None else False


def _is_frozen(value: Any) -> bool:
    """Whether an object can't be changed, by its class."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return isinstance(value, BaseException) or (parameters is not None and parameters.frozen)


def attributes_of(value: Any) -> list[tuple[str, Any]]:
    """The attributes that an object has of its own, in slots too."""
    found = list(vars(value).items()) if hasattr(value, "__dict__") else []
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            mangled = f"_{cls.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name
            if mangled not in ("__dict__", "__weakref__") and (item := getattr(value, mangled, found)) is not found:
                found.append((mangled, item))
    return found


def reasons_of(error: BaseException) -> tuple[BaseException | None, BaseException | None, bool]:
    """Cause, context and whether that is hidden, as the user's code alone would have them."""
    context = error.__context__
    if error.__cause__ is None and error.__suppress_context__ and context is not None and _is_ours(error):
        return None, context.__context__, False
    return error.__cause__, context, error.__suppress_context__


def _is_ours(error: BaseException) -> bool:
    """Whether an exception comes from our own code, and not from the user's."""
    at = error.__traceback__
    if at is None or getattr(error, USERS, False):
        return False
    while at.tb_next is not None:
        at = at.tb_next
    return at.tb_frame.f_globals.get("__name__", "").startswith("hybrid.")


def _iterator_at(items: Any, position: int) -> Iterator[Any]:
    iterator = iter(items)
    for _ in range(position):
        next(iterator, None)
    return iterator


def _emptied(example: dict[Any, Any]) -> dict[Any, Any]:
    made = copy.copy(example)
    made.clear()
    return made
