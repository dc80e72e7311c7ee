"""Calls with staged arguments: Python's built-ins, NumPy's functions, list methods."""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from types import FunctionType, GeneratorType
from typing import Any, Final

import numpy as np

from hybrid.control.branches import is_option
from hybrid.control.choice import each, one_of, truth
from hybrid.control.variant import Variant
from hybrid.core.op import Op
from hybrid.core.table import NUMPY, OPS
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError, UnsupportedError
from hybrid.frontend.runtime.callees import GENERATED, is_users
from hybrid.frontend.runtime.calls import plain_call
from hybrid.frontend.runtime.signals import BREAK
from hybrid.ir.fallible import may_fail
from hybrid.ir.traced import Number, Traced
from hybrid.ops.python import PYTHON_FUNCTIONS
from hybrid.staging.iterables import Combined, LazyItems, StagedRange, elements, staged_iterable
from hybrid.staging.lists import MUTATORS, Rows
from hybrid.staging.opaque import Opaque
from hybrid.staging.places import changes_collection, is_absent
from hybrid.staging.pure import flatten_deep, is_converted, is_initialiser, is_pure, is_scalar_call, is_transparent, new_object
from hybrid.staging.seen import seen_type
from hybrid.staging.sizes import size_number
from hybrid.staging.text import Text, TextMethod

__all__ = ["Calls"]

MISSING: Final = object()


class NotHere(Exception):
    """A built-in can't be staged for these arguments: it is called at run time."""


def _is_lazy(value: Any) -> bool:
    return isinstance(value, LazyItems | Combined | StagedRange)


def _is_subclass(cls: type, kinds: Any) -> bool:
    return issubclass(cls, kinds)


class Calls:
    """The part of the stager that calls functions."""

    tracer: Any
    lists: Any
    dicts: Any

    def takes_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call must not simply be made."""
        if _is_list_method(function) or changes_collection(function) or isinstance(function, Variant | Opaque | TextMethod):
            return True
        if _is_hashable(function) and (function in ALWAYS or function in NUMPY):
            return not is_scalar_call(function, args, kwargs)
        return self.is_staged((args, kwargs)) or self.is_staged(getattr(function, "__self__", None)) or any(map(_is_lazy, args))  # type: ignore[attr-defined]

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call."""
        plain = getattr(function, "__func__", function)
        if type(plain) is FunctionType and (plain.__code__.co_filename.startswith(GENERATED) or is_converted(plain)):
            return self.call_users(plain, function, args, kwargs)  # type: ignore[attr-defined]
        if isinstance(function, functools.partial):
            return self.call(function.func, (*function.args, *args), {**function.keywords, **kwargs})
        if hasattr(type(function), "python_function") or isinstance(getattr(function, "python_function", None), FunctionType):
            return self.call(function.python_function, args, kwargs)
        method = getattr(type(function), "__call__", None)
        if type(method) is FunctionType and not isinstance(function, type | TextMethod) and is_users(method):
            return self.call(method, (function, *args), kwargs)
        if isinstance(function, Traced | Text) or not (callable(function) or isinstance(function, Variant | Opaque)):
            raise TypeError(f"{self.type_(function).__name__!r} object is not callable")
        for argument in (*args, getattr(function, "__self__", None)):
            self.reads_all_of(argument)
        if isinstance(function, type) and isinstance(made := self._constructed(function, args, kwargs), tuple):
            return made[0]
        if not is_pure(function):
            return self.host(function, args, kwargs, changes=True)  # type: ignore[attr-defined]
        if not self.takes_call(function, args, kwargs):
            return function(*args, **kwargs)
        if isinstance(function, Variant) or any(isinstance(a, Variant) for a in (*args, *kwargs.values())):
            return self._each_call(function, args, kwargs)
        return self.call_one(function, args, kwargs)

    def _each_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        names = list(kwargs)

        def chosen(f: Any, *values: Any) -> Any:
            split = len(values) - len(names)
            return self.call(f, values[:split], dict(zip(names, values[split:], strict=True)))

        return each(self.tracer, chosen, function, *args, *kwargs.values())

    def _constructed(self, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any] | None:
        """The new object of a class of the user's, in a tuple; ``None`` if the class makes its objects in another way."""
        if type(cls).__call__ is not type.__call__:
            return None
        new, init = cls.__new__, cls.__init__
        if not any(type(method) is FunctionType and is_users(method) for method in (new, init)):
            return None
        made = self._method(new, (cls, *args), kwargs) if type(new) is FunctionType else new_object(cls, new, args, kwargs)
        if not isinstance(made, cls):
            return (made,)
        init = type(made).__init__
        returned = self._method(init, (made, *args), kwargs) if type(init) is FunctionType else init(made, *args, **kwargs)
        if returned is not None:
            raise TypeError(f"__init__() should return None, not {self.type_(returned).__name__!r}")
        return (made,)

    def _method(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A method that was generated, as those of dataclasses are, is called as it is."""
        return self.call(function, args, kwargs) if is_converted(function) else function(*args, **kwargs)

    def call_one(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call without variants."""
        if isinstance(function, Opaque):
            return self.host(function, args, kwargs, changes=True)  # type: ignore[attr-defined]
        if _is_list_method(function):
            return self.lists.change(function.__self__, function.__name__, *args, **kwargs)
        if changes_collection(function):
            return self._change_collection(function, args, kwargs)
        special = SPECIAL.get(function) if _is_hashable(function) else None
        if special is not None and function in CONSUMERS:
            args = tuple(map(_of_lazy, args))
        if special is not None:
            try:
                result = special(self, *args, **kwargs)
            except NotHere:
                result = NotImplemented
            if result is not NotImplemented:
                return result
        if args and isinstance(self.lists.content(args[0]), Rows) and _is_hashable(function) and function in OF_ROWS:
            return OF_ROWS[function](self.lists.content(args[0]).array, *args[1:], **kwargs)
        args = tuple(self._known(_of_lazy(a)) for a in args)
        if is_initialiser(function):
            return function(*args, **kwargs)
        if isinstance(self._content_of_owner(function), Opaque):
            return self.host(getattr, (self._content_of_owner(function), function.__name__))(*args, **kwargs)  # type: ignore[attr-defined]
        if any(isinstance(leaf, Opaque | Text) for leaf in flatten_deep((args, kwargs))) and not isinstance(function, type(self.call)):
            return self.host(function, args, kwargs)  # type: ignore[attr-defined]
        return self._graph_call(function, args, kwargs)

    def _graph_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function that graphs know; of others, at run time."""
        if _is_math(function) and all(isinstance(a, Number | int | float) for a in args) and f"math.{function.__name__}" in PYTHON_FUNCTIONS:
            return OPS["call_python"](*args, function=f"math.{function.__name__}")
        if isinstance(function, Op) or isinstance(getattr(function, "__self__", None), Traced):
            return function(*args, **kwargs)
        if _is_hashable(function) and function in NUMPY:
            return NUMPY[function](*args, **kwargs)
        if str(getattr(function, "__module__", None) or "").partition(".")[0] in ("hybrid", "numpy"):
            return self._or_at_run(function, args, kwargs)
        if getattr(function, "__module__", None) == "operator" and not isinstance(function, type):
            return function(*args, **kwargs)
        if is_transparent(function):
            return plain_call(function, args, kwargs)
        return self.host(function, args, kwargs)  # type: ignore[attr-defined]

    def _or_at_run(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A function of a library, which may turn out to need values: then it is called at run time."""
        count, refused = self.tracer.builder.count, len(self.tracer.refused)
        try:
            return function(*args, **kwargs)
        except StagingError:
            self.tracer.builder.forget_since(count)
            del self.tracer.refused[refused:]
        return self.host(function, args, kwargs)  # type: ignore[attr-defined]

    def eval_in_frame(self, function: Any, source: Any, outer: dict[str, Any], frame: Any, others: dict[str, Any]) -> Any:
        """``eval`` and ``exec`` of text that names what is bound here."""
        self.tracer.outside.met(outer)
        return self.host(function, (source, outer, frame), others)  # type: ignore[attr-defined]

    def _change_collection(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for argument in args:
            if function.__name__ not in ("update", "__ior__") and not isinstance(function.__self__, dict):
                hash(argument)
        if args and function.__name__ in ("update", "__ior__", "intersection_update", "difference_update"):
            args = tuple(a if isinstance(a, dict) else list(self.known_items(a) or elements(self, a)) for a in args)
        elif args and isinstance(function.__self__, dict):
            hash(args[0])
        return self.dicts.change(function.__self__, function.__name__, *args, **kwargs)

    def known_items(self, iterable: Any) -> list[Any] | None:
        """The items of something, if they are known one by one."""
        if isinstance(iterable, LazyItems):
            iterable = iterable.items()
        if isinstance(iterable, Opaque | Text | StagedRange | Variant) or self.lists.content(iterable) is not None:
            return None
        staged = staged_iterable(self, iterable)
        if staged is not None and staged.python_length is None:
            return None
        if staged is not None and isinstance(iterable, Traced | Eager | np.ndarray | Combined):
            return [staged.element(i) for i in range(*staged.bounds)]
        return list(elements(self, iterable))

    def append(self, collected: list[Any], item: Any) -> None:
        """The next item of a list comprehension."""
        self.lists.change(collected, "append", item)

    def add(self, collected: set[Any], item: Any) -> None:
        """The next item of a set comprehension."""
        hash(item)
        self.dicts.change(collected, "add", item)

    def store(self, collected: dict[Any, Any], key: Any, item: Any) -> None:
        """The next item of a dict comprehension."""
        self.setitem(collected, key, item)  # type: ignore[attr-defined]

    def generator(self, iterable: Any, lazily: Any, loop: Any) -> Any:
        """A generator expression."""
        if isinstance(iterable, Number) or (isinstance(iterable, Traced) and not iterable.shape):
            staged_iterable(self, iterable)  # raises as it should
        if not isinstance(iterable, LazyItems | Combined | StagedRange | Opaque | Text | Variant):
            if not hasattr(type(iterable), "__iter__") and not hasattr(type(iterable), "__getitem__"):
                iter(iterable)  # raises as it should
        return LazyItems(self, iterable, lazily, loop)

    def reads_all_of(self, container: Any) -> None:
        """Take the items of a container from outside for granted."""
        outside = self.tracer.outside
        if isinstance(container, list | dict | set) and outside.is_shared(container) and not self.is_changed(container):
            look = lambda: tuple(container.items() if isinstance(container, dict) else container)  # noqa: E731
            items = look()
            outside.constant(items, look, "the items of a container")

    def is_changed(self, container: Any) -> bool:
        """Whether a list, dict or set was changed while the function was traced."""
        return self.dicts.is_changed(container) if not isinstance(container, list) else self.lists.is_changed(container)

    def _content_of_owner(self, function: Any) -> Any:
        """The content of the list or dict of a bound method."""
        owner = getattr(function, "__self__", None)
        return self.lists.content(owner) if isinstance(owner, list) else self.dicts.content(owner)

    def _known(self, argument: Any) -> Any:
        content = self.lists.content(argument)
        if isinstance(content, Rows):
            return content.array
        return content if isinstance(content, Opaque) else argument

    # -- built-ins --------------------------------------------------------------------------------------------------
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
            if not isinstance(value, Traced) or named:
                raise NotHere
            return OPS["call_python"](value if isinstance(value, Number) else self._only_element(value, kind), *rest, function=kind)

        return made

    def _only_element(self, value: Traced, kind: str) -> Any:
        if all(isinstance(size, int) for size in value.shape) and value.size != 1:
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

        self.for_stmt(_of_lazy(values), add, lambda: (box[0],), put, ("sum",))  # type: ignore[attr-defined]
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
        count, refused = self.tracer.builder.count, len(self.tracer.refused)
        try:
            return self._first_of(values.copy().one_by_one(), wanted)
        except StagingError:
            self.tracer.builder.forget_since(count)
            del self.tracer.refused[refused:]
        items = values.items()
        if any(map(may_fail, self.tracer.builder.nodes_since(count))):
            raise StagingError("wanted any() or all() of a generator that can't fail, or a loop with break instead")
        return self._first(items, wanted)

    def _first_of(self, iterator: Any, wanted: bool) -> Any:
        def look() -> Any:
            for item in iterator:
                decided = truth(self.tracer, item)
                if isinstance(decided, Traced):
                    go_on, stop = look, lambda: wanted
                    return one_of(self.tracer, decided, *((stop, go_on) if wanted else (go_on, stop)))
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
        self.for_stmt(_of_lazy(values), lambda item: self.append(made, item), lambda: (), lambda state: None, ())  # type: ignore[attr-defined]
        return made

    def gathered(self, kind: type, values: Any = ()) -> Any:
        """``set`` and ``frozenset``."""
        items = self.known_items(values)
        if items is None:
            raise NotHere
        for item in items:
            hash(item)
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
        return iter(items)

    def next_(self, iterator: Any, *default: Any) -> Any:
        """``next``."""
        if isinstance(iterator, Combined):
            if iterator.kind != "ready":
                iterator.parts, iterator.kind = (iter(list(elements(self, iterator))),), "ready"
            return next(iterator.parts[0], *default)
        if isinstance(iterator, LazyItems):
            return next(iterator.one_by_one(), *default)
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
        return iter([self.call(function, row, {}) for row in zip(*columns, strict=False)])  # type: ignore[arg-type]

    def filtered(self, function: Any, iterable: Any) -> Any:
        """``filter``: its items at once."""
        items = self.known_items(iterable)
        if items is None:
            raise NotHere
        kept: list[Any] = []
        for item in items:
            test = item if function is None else self.call(function, (item,), {})
            self.if_stmt(test, lambda item=item: self.append(kept, item), None, lambda: (), lambda state: None, ())  # type: ignore[attr-defined]
        return kept if self.lists.content(kept) is not None else iter(kept)

    def isinstance_(self, value: Any, kinds: Any) -> Any:
        """``isinstance``: a traced value is what the function sees."""
        if isinstance(value, Opaque):
            return self.host(isinstance, (value, kinds))  # type: ignore[attr-defined]
        if isinstance(value, Traced):
            return isinstance(value, Traced) and _is_subclass(seen_type(value), kinds)
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
                raise TypeError(f"'{seen_type(value).__name__}' object cannot be interpreted as an integer")
            return OPS["item"](value)
        return value


def _is_math(function: Any) -> bool:
    return getattr(function, "__module__", None) == "math" and getattr(math, getattr(function, "__name__", ""), None) is function


def _is_list_method(function: Any) -> bool:
    return isinstance(getattr(function, "__self__", None), list) and getattr(function, "__name__", "") in MUTATORS


def _is_hashable(value: Any) -> bool:
    return type(value).__hash__ is not None


def _joined_rows(array: Any, axis: Any = 0) -> Any:
    """``np.concatenate`` of the rows of an array, along their first axis."""
    if axis != 0 or array.ndim < 2:
        raise UnsupportedError(f"wanted rows with axes, and axis 0, to concatenate, received {array!r}, axis={axis}")
    return array.reshape((-1, *array.shape[2:]))


OF_ROWS: Final[dict[Any, Callable[..., Any]]] = {
    np.stack: lambda array, axis=0: np.moveaxis(array.copy(), 0, axis),
    np.array: lambda array, dtype=None: array.copy() if dtype is None else array.astype(dtype),
    np.asarray: lambda array, dtype=None: array.copy() if dtype is None else array.astype(dtype),
    np.concatenate: _joined_rows,
}
"""Functions of sequences of arrays, on a list whose items are the rows of an array."""


def _combine(kind: str) -> Callable[..., Any]:
    def combined(stager: Any, *parts: Any, start: Any = 0, strict: bool = False) -> Any:
        if kind == "enumerate" and len(parts) == 2:
            parts, start = parts[:1], parts[1]
        return Combined(kind, tuple(_of_lazy(part) for part in parts), start, strict)

    return combined


def _of_lazy(values: Any) -> Any:
    return values.items() if isinstance(values, LazyItems) else values


def _number(name: str) -> Callable[..., Any]:
    return lambda stager, *values, **named: stager.number(name)(*values, **named)


SPECIAL: Final[dict[Any, Callable[..., Any]]] = {
    print: lambda stager, *values, **rest: stager.print_(*values, **rest),
    range: Calls.range_,
    len: Calls.len_,
    abs: lambda stager, value: abs(value),
    sum: Calls.sum_,
    any: Calls.any_,
    all: Calls.all_,
    list: Calls.listed,
    tuple: lambda stager, *values: stager.listed(*values, kind=tuple),
    set: lambda stager, *values: stager.gathered(set, *values),
    frozenset: lambda stager, *values: stager.gathered(frozenset, *values),
    sorted: Calls.sorted_,
    iter: Calls.iter_,
    next: Calls.next_,
    map: Calls.mapped,
    filter: Calls.filtered,
    isinstance: Calls.isinstance_,
    type: Calls.type_,
    callable: Calls.callable_,
    getattr: Calls.getattr_,
    hasattr: Calls.hasattr_,
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
    round: Calls.rounded,
    divmod: lambda stager, a, b: divmod(a, b),
    pow: Calls.power,
}
"""Python's built-ins on staged values."""

CONSUMERS: Final = frozenset({sum, max, min, list, tuple, set, frozenset, sorted, enumerate, zip, reversed, map, filter})
"""Built-ins that take all items of an iterable."""

ALWAYS: Final = frozenset({print, getattr, hasattr, setattr, delattr, map, filter, next, len, bool, str, repr, format, iter, any, all, sorted, list, tuple, sum, max, min})
"""Built-ins that run user's code or look at things from outside, whatever they are given."""
