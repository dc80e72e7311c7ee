"""Python's built-ins on staged values."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType, GeneratorType
from typing import Any, Final

import numpy as np

from hybrid.control.branches import is_option
from hybrid.control.choice import NOTHING, each, one_of, truth
from hybrid.control.scope import Variables
from hybrid.control.variant import Variant
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.frontend.runtime.callees import is_users
from hybrid.frontend.runtime.signals import BREAK
from hybrid.ir.fallible import may_fail
from hybrid.ir.traced import Number, Traced
from hybrid.staging.attempts import Mark
from hybrid.staging.iterables import Combined, LazyItems, StagedRange, elements, staged_iterable
from hybrid.staging.lists import Rows
from hybrid.staging.opaque import Opaque
from hybrid.staging.places import is_absent
from hybrid.staging.seen import example_of, seen_type
from hybrid.staging.sizes import size_number
from hybrid.staging.text import Text
from hybrid.staging.walkers import Walker

__all__ = ["ALWAYS", "CONSUMERS", "SPECIAL", "BuiltIns", "NotHere", "all_items"]

MISSING: Final = object()


class NotHere(Exception):
    """A built-in can't be staged for these arguments: it is called at run time."""


class BuiltIns:
    """The part of the stager that has Python's built-ins."""

    tracer: Any
    lists: Any
    dicts: Any

    def len_(self, value: Any) -> Any:
        """``len``."""
        content = self.lists.content(value) if isinstance(value, list) else self.dicts.content(value)
        if isinstance(content, Variant):
            return each(self.tracer, self.len_of, content)
        if content is not None:
            return self.len_of(content)
        method = getattr(type(value), "__len__", None)
        if isinstance(method, FunctionType) and is_users(method):
            return self.call(method, (value,), {})
        return self.len_of(value)

    def len_of(self, content: Any) -> Any:
        """The length of a content."""
        if isinstance(content, Rows):
            return self.number_of(content.array.shape[0], content.array)
        if isinstance(content, Number):
            raise TypeError(f"object of type {seen_type(content).__name__!r} has no len()")
        if isinstance(content, Traced) and content.shape:
            return self.number_of(content.shape[0], content)
        if isinstance(content, Traced) and content.is_scalar:
            raise TypeError(f"object of type 'numpy.{content.dtype.name}' has no len()")
        if isinstance(content, Opaque | Text):
            return self.host(len, (content,))  # type: ignore[attr-defined]
        if isinstance(content, StagedRange | Combined | LazyItems):
            raise NotHere
        return len(content)

    def number(self, kind: str) -> Callable[..., Any]:
        """``int``, ``float``, ``bool`` and ``complex``."""

        def made(value: Any = MISSING, *rest: Any, **named: Any) -> Any:
            if kind == "bool":
                return truth(self.tracer, value)
            values = (value, *rest)
            if not any(isinstance(v, Traced) for v in values) or not all(map(is_number, values)) or named:
                raise NotHere
            return OPS["call_python"](*(self._only_element(v, kind) for v in values), function=kind)

        return made

    def _only_element(self, value: Any, kind: str) -> Any:
        """A number, or the only element of an array, as a Python number."""
        if not isinstance(value, Traced) or isinstance(value, Number):
            return value
        if all(isinstance(size, int) for size in value.shape) and value.shape:
            getattr(builtins, kind)(np.ones(value.shape, value.dtype))  # raises as it should
        return OPS["item"](value)

    def extreme(self, name: str, *values: Any, key: Any = None, default: Any = MISSING) -> Any:
        """``max`` and ``min``, with Python's order of comparing."""
        items = self.known_items(values[0]) if len(values) == 1 else list(values)
        if items is None:
            return self._extreme_of_rows(name, values[0], key, default)
        if not items:
            if default is MISSING:
                getattr(builtins, name)([])  # raises as it should
            return default
        best, value = items[0], items[0] if key is None else self.call(key, (items[0],), {})
        for item in items[1:]:
            new = item if key is None else self.call(key, (item,), {})
            is_better = truth(self.tracer, new > value if name == "max" else new < value)
            if isinstance(is_better, Traced):
                pair = one_of(self.tracer, is_better, lambda a=item, b=new: (a, b), lambda a=best, b=value: (a, b))
                best, value = pair if isinstance(pair, tuple) else (self.getitem(pair, 0), self.getitem(pair, 1))  # type: ignore[attr-defined]
            else:
                best, value = (item, new) if is_better else (best, value)
        return best

    def _extreme_of_rows(self, name: str, items: Any, key: Any, default: Any) -> Any:
        named = {} if default is MISSING else {"default": default}
        return self.host(getattr(builtins, name), (items,), named if key is None else {"key": key, **named})  # type: ignore[attr-defined]

    def sum_(self, values: Any, start: Any = 0) -> Any:
        """``sum``."""
        items = self.known_items(values)
        if items is not None:
            for item in items:
                start = start + item
            return start
        box = [start]

        def put(state: Any) -> None:
            (box[0],) = state

        def add(item: Any) -> None:
            box[0] = box[0] + item

        self.for_stmt(all_items(values), add, lambda: (box[0],), put, ("sum",))  # type: ignore[attr-defined]
        return box[0]

    def any_(self, values: Any) -> Any:
        """``any``."""
        return self._first(values, True)

    def all_(self, values: Any) -> Any:
        """``all``."""
        return self._first(values, False)

    def _first(self, values: Any, wanted: bool) -> Any:
        """Whether an item has a truth value; otherwise the other truth value."""
        if (staged := staged_iterable(self, values)) is not None and staged.python_length is None:
            return self._first_at_run(values, wanted)
        if isinstance(values, LazyItems):
            return self._first_of_generator(values, wanted)
        return self._first_of(iter(elements(self, values)), wanted)

    def _first_of_generator(self, values: LazyItems, wanted: bool) -> Any:
        """One item after the other, as Python does, or all of them where nobody can tell the difference."""
        other, taken = values.copy(), values.taken()
        mark = Mark(self.tracer, values.variables)
        try:
            decided = self._first_of(taken, wanted, values.variables)
            mark.drop()
            return decided
        except StagingError:
            mark.undo()
        if other is None or values.variables.names:
            raise StagingError("wanted any() or all() of a generator that binds nothing, or a loop with break instead")
        count = self.tracer.builder.count
        items = other.items()
        if any(map(may_fail, self.tracer.builder.nodes_since(count))):
            raise StagingError("wanted any() or all() of a generator that can't fail, or a loop with break instead")
        return self._first(items, wanted)

    def _first_of(self, iterator: Any, wanted: bool, variables: Variables = NOTHING) -> Any:
        def look() -> Any:
            for item in iterator:
                decided = truth(self.tracer, item)
                if isinstance(decided, Traced):
                    go_on, stop = look, lambda: wanted
                    return one_of(self.tracer, decided, *((stop, go_on) if wanted else (go_on, stop)), variables)
                if decided is wanted:
                    return wanted
            return not wanted

        return look()

    def _first_at_run(self, values: Any, wanted: bool) -> Any:
        box = [not wanted]

        def put(state: Any) -> None:
            (box[0],) = state

        def found() -> Any:
            box[0] = wanted
            return BREAK

        def body(item: Any) -> Any:
            test = truth(self.tracer, item)
            return self.if_stmt(test if wanted else self.not_(test), found, None, lambda: (box[0],), put, ("found",))  # type: ignore[attr-defined]

        self.for_stmt(values, body, lambda: (box[0],), put, ("found",))  # type: ignore[attr-defined]
        return box[0]

    def listed(self, values: Any = (), kind: type = list) -> Any:
        """``list``, ``tuple``."""
        items = self.known_items(values)
        if items is not None:
            return kind(items)
        if kind is tuple:
            raise NotHere
        made: list[Any] = []
        self.for_stmt(all_items(values), lambda item: self.append(made, item), lambda: (), lambda state: None, ())  # type: ignore[attr-defined]
        return made

    def gathered(self, kind: type, values: Any = ()) -> Any:
        """``set`` and ``frozenset``."""
        items = self.known_items(values)
        if items is None:
            raise NotHere
        if any([self.is_run_time_key(item) for item in items]):  # type: ignore[attr-defined]
            raise NotHere
        return kind(items)

    def iter_(self, values: Any, *sentinel: Any) -> Any:
        """``iter``."""
        if sentinel or isinstance(values, Opaque | Text):
            raise NotHere
        if isinstance(values, LazyItems):
            return values
        items = self.known_items(values)
        if items is None:
            raise NotHere
        kind = type(iter(np.zeros(1) if isinstance(values, Traced) else values))
        return Walker(self, values if isinstance(values, list) else items, kind)

    def next_(self, iterator: Any, *default: Any) -> Any:
        """``next``."""
        if isinstance(iterator, Combined):
            return iterator.step(self, *default)
        if isinstance(iterator, LazyItems):
            return next(iterator.one_by_one(), *default)
        if isinstance(iterator, Walker):
            return iterator.step(*default)
        if isinstance(iterator, Opaque) or self.tracer.outside.is_outside(iterator):
            raise NotHere
        method = getattr(type(iterator), "__next__", None)
        if not isinstance(method, FunctionType):
            self.refuse_depth("next()")
            return next(iterator, *default)
        try:
            return self.call(method, (iterator,), {})
        except StopIteration:
            if not default:
                raise
            return default[0]

    def refuse_depth(self, what: str) -> None:
        """What can't be undone must not be done where tracing may go back."""
        if self.tracer.journal.depth:
            raise StagingError(f"wanted {what} outside of branches and loops on what only running tells: an iterator can't go back")

    def mapped(self, function: Any, *iterables: Any) -> Any:
        """``map``: its items at once."""
        columns = [self.known_items(x) for x in iterables]
        if any(column is None for column in columns):
            raise NotHere
        return Walker(self, [self.call(function, row, {}) for row in zip(*columns, strict=False)], map)  # type: ignore[arg-type]

    def filtered(self, function: Any, iterable: Any) -> Any:
        """``filter``: its items at once."""
        items = self.known_items(iterable)
        if items is None:
            raise NotHere
        kept: list[Any] = []
        for item in items:
            test = item if function is None else self.call(function, (item,), {})
            self.if_stmt(test, lambda item=item: self.append(kept, item), None, lambda: (), lambda state: None, ())  # type: ignore[attr-defined]
        return kept if self.lists.content(kept) is not None else Walker(self, kept, filter)

    def isinstance_(self, value: Any, kinds: Any) -> Any:
        """``isinstance``: a traced value is what the function sees."""
        if isinstance(value, Opaque):
            return self.host(isinstance, (value, kinds))  # type: ignore[attr-defined]
        if isinstance(value, Traced):
            return isinstance(value, Traced) and issubclass(seen_type(value), kinds)
        if isinstance(value, Text):
            return isinstance("", kinds)
        return isinstance(value, kinds)

    def type_(self, value: Any, *rest: Any) -> Any:
        """``type`` of one argument."""
        if rest:
            return type(value, *rest)
        if isinstance(value, Opaque):
            return self.host(type, (value,))  # type: ignore[attr-defined]
        if isinstance(value, LazyItems):
            return GeneratorType
        if isinstance(value, Walker):
            return value.kind
        if isinstance(value, StagedRange | Combined):
            return range if isinstance(value, StagedRange) else getattr(builtins, value.kind)
        return seen_type(value) if isinstance(value, Traced) else str if isinstance(value, Text) else type(value)

    def callable_(self, value: Any) -> Any:
        """``callable``."""
        if isinstance(value, Opaque):
            return self.host(callable, (value,))  # type: ignore[attr-defined]
        return callable(value) and not isinstance(value, Traced | Text)

    def getattr_(self, owner: Any, name: Any, *default: Any) -> Any:
        """The built-in ``getattr``."""
        if not default:
            return self.getattr(owner, name)  # type: ignore[attr-defined]
        try:
            return self.getattr(owner, name)  # type: ignore[attr-defined]
        except AttributeError:
            return default[0]

    def hasattr_(self, owner: Any, name: Any) -> Any:
        """``hasattr``."""
        if isinstance(owner, Opaque):
            return self.host(hasattr, (owner, name))  # type: ignore[attr-defined]
        if self.attributes.is_written(owner, name):  # type: ignore[attr-defined]
            now = self.attributes.written_value(owner, name)  # type: ignore[attr-defined]
            if isinstance(now, Variant) and any(map(is_absent, now.options)):
                gone = next(option for option in now.options if is_absent(option))
                return self.not_(is_option(now, gone))  # type: ignore[attr-defined]
            if is_absent(now) and getattr(type(owner), name, MISSING) is MISSING and not hasattr(type(owner), "__getattr__"):
                return False
        try:
            self.getattr(owner, name)  # type: ignore[attr-defined]
        except AttributeError:
            return False
        return True

    def sorted_(self, values: Any, *, key: Any = None, reverse: Any = False) -> Any:
        """``sorted``."""
        items = self.known_items(values)
        if items is None or self.is_staged((items, reverse)):  # type: ignore[attr-defined]
            raise NotHere
        keys = items if key is None else [self.call(key, (item,), {}) for item in items]
        if self.is_staged(keys):  # type: ignore[attr-defined]
            raise NotHere
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
        return [items[i] for i in order]

    def rounded(self, value: Any, *rest: Any, **named: Any) -> Any:
        """``round``."""
        digits = (*rest, *named.values())
        if isinstance(value, Number) and (not digits or isinstance(digits[0], int | Number)):
            return OPS["call_python"](value, *digits, function="round")
        raise NotHere

    def range_(self, *bounds: Any) -> Any:
        """``range``."""
        if not any(isinstance(b, Traced | Opaque) for b in bounds) or len(bounds) > 3:
            return range(*bounds)
        if any(isinstance(b, Opaque) for b in bounds):
            raise NotHere
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        return StagedRange(*(self._integer(b) for b in (start, stop, step)))

    def power(self, base: Any, exponent: Any, *modulus: Any) -> Any:
        """``pow``."""
        if modulus:
            raise NotHere
        return base**exponent

    def number_of(self, size: Any, array: Any) -> Any:
        """A size as a Python number."""
        return size_number(self.tracer, size)

    def _integer(self, value: Any) -> Any:
        if isinstance(value, Number) and value.dtype.kind in "ib":
            return value
        if isinstance(value, Traced):
            if value.dtype.kind not in "iu" or value.shape:
                range(example_of(value))  # raises as it should
            return OPS["item"](value)
        return value


def is_number(value: Any) -> bool:
    """Whether a value is traced, or a Python number."""
    return isinstance(value, Traced) or type(value) in (int, float, complex, bool)


def _combine(kind: str) -> Callable[..., Any]:
    def combined(stager: Any, *parts: Any, start: Any = 0, strict: bool = False) -> Any:
        if kind == "enumerate" and len(parts) == 2:
            parts, start = parts[:1], parts[1]
        if kind == "reversed" and len(parts) == 1 and isinstance(parts[0], Traced) and not parts[0].shape:
            reversed(example_of(parts[0]))  # raises as it should
        return Combined(kind, tuple(all_items(part) for part in parts), start, strict)

    return combined


def all_items(values: Any) -> Any:
    """The items of a generator expression, as a list; anything else stays what it is."""
    return values.items() if isinstance(values, LazyItems) else values


def _number(name: str) -> Callable[..., Any]:
    return lambda stager, *values, **named: stager.number(name)(*values, **named)


SPECIAL: Final[dict[Any, Callable[..., Any]]] = {
    print: lambda stager, *values, **rest: stager.print_(*values, **rest),
    range: BuiltIns.range_,
    len: BuiltIns.len_,
    abs: lambda stager, value: abs(value),
    sum: BuiltIns.sum_,
    any: BuiltIns.any_,
    all: BuiltIns.all_,
    list: BuiltIns.listed,
    tuple: lambda stager, *values: stager.listed(*values, kind=tuple),
    set: lambda stager, *values: stager.gathered(set, *values),
    frozenset: lambda stager, *values: stager.gathered(frozenset, *values),
    sorted: BuiltIns.sorted_,
    iter: BuiltIns.iter_,
    next: BuiltIns.next_,
    map: BuiltIns.mapped,
    filter: BuiltIns.filtered,
    isinstance: BuiltIns.isinstance_,
    type: BuiltIns.type_,
    callable: BuiltIns.callable_,
    getattr: BuiltIns.getattr_,
    hasattr: BuiltIns.hasattr_,
    setattr: lambda stager, owner, name, value: stager.setattr(owner, name, value),
    delattr: lambda stager, owner, name: stager.delattr(owner, name),
    zip: _combine("zip"),
    enumerate: _combine("enumerate"),
    reversed: _combine("reversed"),
    max: lambda stager, *values, **rest: stager.extreme("max", *values, **rest),
    min: lambda stager, *values, **rest: stager.extreme("min", *values, **rest),
    str: lambda stager, value="": stager.format(value, "s"),
    repr: lambda stager, value: stager.format(value, "r"),
    format: lambda stager, value, spec="": stager.format(value, None, spec),
    int: _number("int"),
    float: _number("float"),
    bool: _number("bool"),
    complex: _number("complex"),
    round: BuiltIns.rounded,
    divmod: lambda stager, a, b: divmod(a, b),
    pow: BuiltIns.power,
}
"""Python's built-ins on staged values."""

CONSUMERS: Final = frozenset({sum, max, min, list, tuple, set, frozenset, sorted, enumerate, zip, reversed, map, filter})
"""Built-ins that take all items of an iterable."""

ALWAYS: Final = frozenset(
    {
        print,
        getattr,
        hasattr,
        setattr,
        delattr,
        map,
        filter,
        next,
        len,
        bool,
        str,
        repr,
        format,
        iter,
        any,
        all,
        sorted,
        list,
        tuple,
        sum,
        max,
        min,
    }
)
"""Built-ins that run user's code or look at things from outside, whatever they are given."""
