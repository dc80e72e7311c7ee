"""Python lists while a function is traced: changes can be undone, and a list that grows in a loop becomes rows of an array."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from hybrid._util.tree import Seal, flatten
from hybrid.control.carry import flags
from hybrid.control.choice import switch
from hybrid.control.variant import Variant, alternatives, is_liftable
from hybrid.core.cell import Slot
from hybrid.core.spec import spec_of
from hybrid.core.table import OPS
from hybrid.core.tensor import wrap
from hybrid.errors import StagingError
from hybrid.ir.traced import Traced
from hybrid.staging.opaque import Opaque
from hybrid.staging.text import Text

__all__ = ["MUTATORS", "ListSlot", "Lists", "Rows"]


MOST_OPTIONS: Final = 3
"""How many alternatives of a list of several kinds of values are kept apart."""


@dataclass(frozen=True)
class Rows:
    """The items of a list whose length only running tells: the rows of an array, all of one kind.

    Attributes:
        array: a traced array; its first axis counts the items.
        is_number: the items are Python numbers.
        is_scalar, is_tensor: what the function sees as an item.
    """

    array: Any
    is_number: bool = field(metadata={"static": True})
    is_scalar: bool = field(metadata={"static": True})
    is_tensor: bool = field(metadata={"static": True})

    @staticmethod
    def can_hold(items: tuple[Any, ...]) -> bool:
        """Whether items are of one dtype and number of axes."""
        kinds = {_row_kind(item) for item in items}
        return len(kinds) == 1 and None not in kinds

    @staticmethod
    def of(items: tuple[Any, ...], example: Any) -> Rows:
        """Known items as rows; ``example`` tells the kind where there are none."""
        spec = spec_of(example) if not isinstance(example, Traced) else example.spec
        zeros = {"shape": (0, *spec.shape), "dtype": spec.dtype}
        return Rows(OPS["stack"](list(items)) if items else OPS["zeros"](**zeros), spec.weak, *flags(example))

    def with_array(self, array: Traced) -> Rows:
        """Rows of the same kind."""
        return replace(self, array=array)

    def takes(self, item: Any) -> bool:
        """Whether an item is of the kind of the others."""
        kind = (self.array.dtype.name, self.array.shape[1:], self.is_number, self.is_scalar, self.is_tensor)
        return _row_kind(item) == kind

    @property
    def example(self) -> Any:
        """One of the items, or something like it."""
        shape = self.array.shape[1:]
        if self.is_number:
            return self.array.dtype.type(0).item()
        made = np.zeros(shape, self.array.dtype)[()] if self.is_scalar else np.zeros(shape, self.array.dtype)
        return wrap(made) if self.is_tensor else made

    def item(self, i: Any) -> Any:
        """One item, as the function sees it."""
        row = self.array[i]
        return OPS["item"](row) if self.is_number else row


def _row_kind(item: Any) -> Any:
    spec = item.spec if isinstance(item, Traced) else spec_of(item) if is_liftable(item) else None
    return None if spec is None else (spec.dtype.name, spec.shape, spec.weak, *flags(item))


def _are_numbers(items: Sequence[Any]) -> bool:
    """Whether items are numbers or NumPy scalars of one kind, which nobody can change."""
    return Rows.can_hold(tuple(items)) and all(flags(item)[0] for item in items)


class ListSlot(Slot):
    """The items of a Python list: a tuple of them, or ``Rows``."""

    __slots__ = ("_content", "before", "is_guarded", "is_outside", "owner", "tracer")

    def __init__(self, owner: list[Any], tracer: Any, is_outside: bool):
        self.owner, self.tracer, self.birth, self.is_outside = owner, tracer, 0, is_outside
        self.is_guarded = False
        self._content: Any = tuple(owner)
        self.before = tuple(owner)

    def read(self) -> Any:
        """The items."""
        return self._content

    def restore(self, content: Any) -> None:
        """Put items back, into the list itself too."""
        self._content = content
        self.owner[:] = content if isinstance(content, tuple) else [UNKNOWN]

    @property
    def is_unchanged(self) -> bool:
        """Whether it holds what it held before the trace."""
        content = self._content
        return isinstance(content, tuple) and len(content) == len(self.before) and all(map(operator.is_, content, self.before))

    def pending(self, is_argument: bool) -> tuple[Any, Any, Any, Any]:
        """How to change the list after the call: by what was appended, or altogether."""
        content, known = self._content, len(self.before)
        if isinstance(content, tuple) and len(content) >= known and all(map(operator.is_, content, self.before)) and not is_argument:
            return _extend, self.owner, None, list(content[known:])
        return _set_items, self.owner, None, list(content) if isinstance(content, tuple) else content

    def generalised(self, before: Any, after: Any) -> Any:
        """What to start a loop with, if a round turns one content into the other: rows, for a list that grows."""
        options = after.options if isinstance(after, Variant) else (after,)
        if isinstance(before, Opaque | Variant) or not any(_grows(before, option) for option in options):
            return before
        known = before if isinstance(before, tuple) else (before.example,)
        items = [*known, *(item for option in options for item in _examples(option))]
        if not any(isinstance(option, Opaque) for option in options) and Rows.can_hold(tuple(items)):
            return before if isinstance(before, Rows) else Rows.of(before, items[-1])
        for item in items:
            refuse_unless_value(item)
        return self._as_object(before)

    def _as_object(self, content: Any) -> Any:
        """The items as a list of the run."""
        if isinstance(content, Opaque):
            return content
        if isinstance(content, Variant):
            return switch(self.tracer, content, self._as_object)
        return self.tracer.stager.host(list, (content if isinstance(content, Rows) else list(content),))

    def common(self, contents: Sequence[Any]) -> Callable[[Any], Any] | None:
        """Lists of numbers that have several lengths become rows; of many kinds, a list of the run."""
        options = [option for content in contents for option in alternatives(content)]
        items = [item for option in options for item in _examples(option)]
        lengths = {len(option) if isinstance(option, tuple) else None for option in options}
        if len(lengths) > 1 and all(isinstance(option, tuple | Rows) for option in options) and _are_numbers(items):
            return lambda content: self._as_rows(content, items[0])
        has_objects = any(isinstance(option, Opaque) for option in options)
        if (has_objects or len(options) > MOST_OPTIONS) and all(map(is_value, items)) and len({type(o) for o in options} | lengths) > 2:
            return self._as_object
        return None

    def _as_rows(self, content: Any, example: Any) -> Any:
        if isinstance(content, Variant):
            return switch(self.tracer, content, lambda option: self._as_rows(option, example))
        return content if isinstance(content, Rows) else Rows.of(content, example)

    def write(self, content: Any) -> None:
        """Change the items."""
        self.tracer.journal.note(self)
        self.restore(content)


def _extend(owner: list[Any], _: Any, items: list[Any]) -> None:
    owner.extend(items)


def _set_items(owner: list[Any], _: Any, items: list[Any]) -> None:
    owner[:] = items


class _Unknown(Seal):
    """Stands in a list whose items only running tells, so that code that isn't converted fails on it."""

    def __repr__(self) -> str:
        return "<items that only running tells>"

    def _refuse(self, *_: Any) -> Any:
        raise StagingError("wanted the items of a list whose length only running tells: code that isn't converted can't have them")

    __eq__ = __hash__ = __bool__ = __iter__ = __len__ = __index__ = __float__ = _refuse  # type: ignore[assignment]
    __lt__ = __gt__ = __le__ = __ge__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __getitem__ = _refuse
    __array_ufunc__ = None


UNKNOWN: Final = _Unknown()


class Lists:
    """The lists that a traced function changed, by identity."""

    def __init__(self, tracer: Any):
        self._tracer = tracer
        self._slots: dict[int, ListSlot] = {}

    def slot(self, owner: list[Any]) -> ListSlot:
        """The slot of a list that is about to change."""
        if id(owner) not in self._slots:
            self._slots[id(owner)] = ListSlot(owner, self._tracer, self._tracer.outside.is_outside(owner))
        return self._slots[id(owner)]

    def written(self) -> list[tuple[Any, Any, Any, Any]]:
        """The lists from outside that were changed: how to set their items, and the new ones."""
        changed = [slot for slot in self._slots.values() if slot.is_outside and not slot.is_unchanged]
        return [slot.pending(self.is_argument(slot.owner)) for slot in changed]

    def put_back(self) -> None:
        """Give every list from outside its old items."""
        for slot in self._slots.values():
            if slot.is_outside:
                slot.owner[:] = slot.before

    def content(self, owner: Any) -> Any:
        """The content of a list that isn't known item by item: rows, or a variant; ``None`` for all others."""
        slot = self._slots.get(id(owner)) if isinstance(owner, list) else None
        if slot is None:
            return None
        self._guard(slot)
        return None if isinstance(slot.read(), tuple) else slot.read()

    def _guard(self, slot: ListSlot) -> None:
        """Take the items that a list from outside had for granted, once they matter."""
        if slot.is_outside and not slot.is_guarded and not self.is_argument(slot.owner):
            slot.is_guarded, before, owner = True, slot.before, slot.owner
            self._tracer.outside.constant(before, lambda: tuple(owner), "the items of a list")

    def change(self, owner: list[Any], method: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method that changes a list."""
        slot = self.slot(owner)
        content = slot.read()
        if method not in ("append", "extend"):
            self._guard(slot)
        if not isinstance(content, Variant):
            return self._changed(slot, method, args, kwargs)

        def changed(option: Any) -> Any:
            slot.write(option)
            return self._changed(slot, method, args, kwargs)

        return switch(self._tracer, content, changed)

    def _changed(self, slot: ListSlot, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        content = slot.read()
        stager = self._tracer.stager
        if method == "extend" or method == "__iadd__":
            return self._extend(slot, *args)
        if (
            isinstance(content, tuple)
            and not (method == "sort" and is_staged_tree((content, kwargs)))
            and not is_staged_index(args, method)
        ):
            return _known(slot, method, args, kwargs)
        if method == "__setitem__" and isinstance(content, Rows) and (isinstance(args[0], slice) or not content.takes(args[1])):
            stager.host_statement("setitem", operator.setitem, self.as_object(slot), *args)
            return None
        if isinstance(content, Rows) and method in OF_ROWS and not kwargs and (method != "pop" or args in ((), (-1,))):
            return OF_ROWS[method](self._tracer, slot, *args)
        for argument in args:
            refuse_unless_value(argument)
        self.as_object(slot)
        return stager.host_method(getattr(list, method), (slot.read(), *args), kwargs)

    def as_object(self, slot: ListSlot) -> Any:
        """Make the list an object of the run, whose methods Python calls."""
        if not isinstance(slot.read(), Opaque):
            slot.write(self._tracer.stager.host(list, (slot.owner,)))
        return slot.read()

    def is_changed(self, owner: list[Any]) -> bool:
        """Whether a list was changed while the function was traced."""
        return id(owner) in self._slots

    def become(self, owner: list[Any], content: Any) -> Any:
        """Give a list another content."""
        self.slot(owner).write(content)
        return content

    def is_argument(self, owner: list[Any]) -> bool:
        """Whether a list stands for one among the arguments."""
        return self._tracer.outside.position(owner) is not None

    def _extend(self, slot: ListSlot, items: Any) -> None:
        stager, content = self._tracer.stager, slot.read()
        if isinstance(content, Opaque):
            stager.host_statement("extend", list.extend, content, items)
            return
        known = stager.known_items(items)
        if known is not None and isinstance(content, tuple):
            slot.write((*content, *known))
            return
        other = self.content(items)
        if isinstance(other, Rows) and (rows := as_rows(content, other)) is not None:
            slot.write(rows.with_array(OPS["concat"]([rows.array, other.array], axis=0)))
            return
        if isinstance(content, Rows) and known is not None and Rows.can_hold(tuple(known)) and all(map(content.takes, known)):
            slot.write(content.with_array(OPS["concat"]([content.array, Rows.of(tuple(known), known[0]).array], axis=0)))
            return
        stager.for_stmt(items, lambda item: self.change(slot.owner, "append", item), lambda: (), lambda state: None, ())

    def augment(self, stager: Any, owner: list[Any], operation: Any, value: Any) -> Any:
        """``owner += value`` or ``owner *= value``."""
        if operation is operator.iadd:
            if isinstance(value, Traced) and not value.shape:
                raise TypeError(f"{seen_name(value)!r} object is not iterable")
            self.change(owner, "extend", value)
        elif isinstance(value, Traced):
            content = self.as_object(self.slot(owner))
            stager.host_statement("imul", operator.imul, content, value)
        else:
            slot = self.slot(owner)
            if isinstance(slot.read(), tuple):
                items = list(slot.read())
                items *= value
                slot.write(tuple(items))
            else:
                stager.host_statement("imul", operator.imul, self.as_object(slot), value)
        return owner

    def set_item(self, stager: Any, owner: list[Any], index: Any, value: Any) -> None:
        """``owner[index] = value``."""
        slot = self.slot(owner)
        content = slot.read()
        if not isinstance(index, Traced):
            if isinstance(index, slice) and (items := stager.known_items(value)) is not None:
                value = items
            self.change(owner, "__setitem__", index, value)
        elif isinstance(content, tuple):
            slot.write(tuple(stager.with_item(content, index, value)))
        elif isinstance(content, Rows) and content.takes(value):
            OF_ROWS["__setitem__"](self._tracer, slot, index, value)
        elif isinstance(content, Variant):
            switch(self._tracer, content, lambda option: (slot.write(option), self.set_item(stager, owner, index, value))[1])
        else:
            stager.host_statement("setitem", operator.setitem, self.as_object(slot), index, value)


def as_rows(content: Any, like: Rows) -> Rows | None:
    """A content as rows of the kind of others, if it is of that kind."""
    if isinstance(content, Rows):
        return content if content.takes(like.example) else None
    return Rows.of(content, like.example) if isinstance(content, tuple) and all(map(like.takes, content)) else None


def _grows(before: Any, after: Any) -> bool:
    """Whether a content is longer than another, or of another form."""
    if isinstance(before, tuple) and isinstance(after, tuple):
        return len(after) > len(before)
    return type(after) is not type(before)


def _examples(content: Any) -> tuple[Any, ...]:
    return content if isinstance(content, tuple) else (content.example,) if isinstance(content, Rows) else ()


def is_value(item: Any) -> bool:
    """Whether an item has no identity that anybody could ask for later: numbers, arrays, texts, and tuples of them."""
    if isinstance(item, tuple):
        return all(map(is_value, item))
    return isinstance(item, Traced | Opaque | Text | Variant | str | bytes | int | float | complex | None)


def refuse_unless_value(item: Any) -> None:
    """A list of unknown length holds values only."""
    if not is_value(item):
        raise StagingError(f"wanted numbers, arrays or texts in a list whose length only running tells, received {item!r}")


def is_staged_tree(tree: Any) -> bool:
    """Whether anything in nested containers is known at run time only."""
    return any(isinstance(leaf, Traced) for leaf in flatten(tree)[0])


def is_staged_index(args: tuple[Any, ...], method: str) -> bool:
    """Whether the place that a method is given is known at run time only."""
    places = args[:1] if method in ("insert", "pop", "__setitem__", "__delitem__") else args if method == "remove" else ()
    return is_staged_tree(places)


def seen_name(value: Traced) -> str:
    """The name of the type of a number or scalar."""
    one = value.dtype.type(0)
    return type(one.item()).__name__ if value.spec.weak else f"numpy.{value.dtype.name}"


def _known(slot: ListSlot, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A list's method on known items."""
    if method == "append":
        slot.write((*slot.read(), *args))
        return None
    items = list(slot.read())
    result = getattr(items, method)(*args, **kwargs)
    slot.write(tuple(items))
    return result


def _append(tracer: Any, slot: ListSlot, item: Any) -> None:
    content = slot.read()
    if not content.takes(item):
        refuse_unless_value(item)
        tracer.stager.lists.as_object(slot)
        tracer.stager.host_statement("append", list.append, slot.read(), item)
        return
    slot.write(content.with_array(OPS["append_row"](content.array, item)))


def _refuse_empty(tracer: Any, content: Rows) -> None:
    def fails() -> None:
        raise IndexError("pop from empty list")

    is_empty = tracer.stager.len_of(content) == 0
    tracer.stager.if_stmt(is_empty, fails, None, lambda: (), lambda state: None, ())


def _pop(tracer: Any, slot: ListSlot, *place: Any) -> Any:
    content = slot.read()
    _refuse_empty(tracer, content)
    item = content.item(-1)
    slot.write(content.with_array(OPS["drop_row"](content.array)))
    return item


def _set_row(tracer: Any, slot: ListSlot, index: Any, value: Any) -> None:
    content = slot.read()
    array = tracer.fresh(content.array.value)  # rows that were taken out of the list stay what they are
    array[index] = value
    slot.write(content.with_array(array))


def _reverse(tracer: Any, slot: ListSlot) -> None:
    content = slot.read()
    slot.write(content.with_array(content.array[::-1].copy()))


OF_ROWS: Final[dict[str, Callable[..., Any]]] = {
    "append": _append,
    "pop": _pop,
    "reverse": _reverse,
    "clear": lambda tracer, slot: slot.write(()),
    "__setitem__": _set_row,
}
"""Methods on a list whose items are rows of an array."""

MUTATORS: Final = frozenset(
    {"append", "extend", "insert", "pop", "remove", "reverse", "sort", "clear", "__setitem__", "__delitem__", "__iadd__"}
)
"""The methods that change a list."""
