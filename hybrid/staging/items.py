"""Attributes, items and augmented assignment on staged values."""

from __future__ import annotations

import builtins
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.control.branches import is_option, narrowed, stage_if
from hybrid.control.choice import NOTHING, each, is_staged, one_of, truth
from hybrid.control.variant import Variant
from hybrid.core.kinds import SUPPORTED
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError
from hybrid.frontend.runtime.callees import is_users, is_users_file
from hybrid.ir.traced import Number, Traced
from hybrid.staging.iterables import LazyItems
from hybrid.staging.lists import Rows
from hybrid.staging.making import HEAP_TYPE
from hybrid.staging.opaque import Method, Opaque
from hybrid.staging.places import ABSENT, is_absent, stored
from hybrid.staging.seen import example_of, number_attribute, seen_type
from hybrid.staging.sizes import size_number
from hybrid.staging.state import Guard
from hybrid.staging.text import Text, TextMethod

__all__ = ["Items"]


MOST_INPUTS = 32
"""The number of entries up to which the numbers of a dict from outside are inputs, one by one."""

MISSING = object()
BUILT_IN = frozenset({list, dict, tuple, str, set, frozenset, int, float, complex, bool})


def has_opaque(index: Any) -> bool:
    """Whether an index or a value has an object of the run in it."""
    if isinstance(index, tuple | list):
        return any(map(has_opaque, index))
    if isinstance(index, slice):
        return has_opaque((index.start, index.stop, index.step))
    return isinstance(index, Opaque | Text)


def is_staged_slice(index: Any) -> bool:
    """Whether only running tells where a slice begins or ends."""
    return isinstance(index, slice) and any(isinstance(part, Traced) for part in (index.start, index.stop, index.step))


class Items:
    """The part of the stager that reads and writes parts of things."""

    tracer: Any
    lists: Any

    def outer(self, value: Any) -> Any:
        """Something from outside as the function sees it: an array there is an input, since what it holds may change."""
        if type(value) is np.ndarray:
            return self.tracer.stand_in(value) if value.dtype in SUPPORTED else value
        if type(value) is tuple and any(type(item) is np.ndarray for item in value):
            return tuple(map(self.outer, value))
        return value

    def getattr(self, owner: Any, name: str) -> Any:
        """``owner.name``."""
        return self.outer(self._attribute(self.outer(owner), name))

    def _attribute(self, owner: Any, name: str) -> Any:
        if isinstance(owner, Variant):
            return each(self.tracer, lambda option: self.getattr(option, name), owner)
        if isinstance(owner, Opaque):
            return Method(owner, name) if _is_method(owner.kind, name) else self.host(builtins.getattr, (owner, name))
        if isinstance(owner, Text):
            return TextMethod(owner, name) if hasattr(str, name) else builtins.getattr("", name)
        if isinstance(owner, LazyItems):
            return builtins.getattr(owner.generator, name)
        if isinstance(owner, Traced):
            return self._traced_attribute(owner, name)
        if type(owner) is np.ndarray:
            return self._traced_attribute(self.tracer.stand_in(owner), name)
        if isinstance(owner, list | dict | tuple | str | set | frozenset | int | float | complex) and type(owner) in BUILT_IN:
            return builtins.getattr(owner, name)
        reader = type(owner).__getattribute__
        if isinstance(reader, types.FunctionType) and is_users(reader):
            return self.call(reader, (owner, name), {})
        return self.look_up(owner, name)

    def look_up(self, owner: Any, name: str) -> Any:
        """An attribute, without a ``__getattribute__`` of the user's."""
        found = self._class_attribute(owner, name)
        if type(found) is property and found.fget is not None:
            return self.call(found.fget, (owner,), {})
        if isinstance(owner, types.ModuleType) and not self._is_users_module(owner):
            return builtins.getattr(owner, name)
        if (made := self._described(owner, name, found)) is not None:
            return made[0]
        if self.tracer.outside.is_shared(owner) or isinstance(owner, types.ModuleType):
            return self._shared_attribute(owner, name)
        return self._own_attribute(owner, name, found)

    def _described(self, owner: Any, name: str, found: Any) -> tuple[Any] | None:
        """What a descriptor or a ``__getattr__`` of the user's gives, in a tuple; ``None`` where neither is asked."""
        fallback = getattr(type(owner), "__getattr__", None)
        has_fallback = isinstance(fallback, types.FunctionType) and is_users(fallback)
        if (has_fallback or found is not MISSING) and not isinstance(owner, type) and (gone := self._may_be_gone(owner, name)):
            return (self._on_either_path(owner, name, *gone),)
        getter = getattr(type(found), "__get__", None)
        is_users_own = isinstance(getter, types.FunctionType) and is_users(getter)
        if is_users_own and (hasattr(type(found), "__set__") or not self._has(owner, name)):
            is_class = isinstance(owner, type)
            return (self.call(getter, (found, None if is_class else owner, owner if is_class else type(owner)), {}),)
        if isinstance(owner, type) or self._has(owner, name):
            return None
        if type(found) is functools.cached_property:
            value = self.call(found.func, (owner,), {})
            self.attributes.write(owner, name, value, lambda: ABSENT)
            return (value,)
        if found is MISSING and has_fallback:
            return (self.call(fallback, (owner, name), {}),)
        return None

    def _may_be_gone(self, owner: Any, name: str) -> tuple[Variant, Any] | None:
        """An attribute that an object has on some paths only, and the option that says it hasn't."""
        now = self.attributes.written_value(owner, name)
        gone = [option for option in now.options if is_absent(option)] if isinstance(now, Variant) else []
        return (now, gone[0]) if gone else None

    def _on_either_path(self, owner: Any, name: str, now: Variant, gone: Any) -> Any:
        """An attribute, looked up on the paths where an object has it and on the others."""

        def look(value: Any) -> Any:
            self.attributes.write(owner, name, value, lambda: ABSENT)
            return self.look_up(owner, name)

        return one_of(self.tracer, is_option(now, gone), lambda: look(ABSENT), lambda: look(narrowed(now, gone)))

    def _has(self, owner: Any, name: str) -> bool:
        """Whether an object itself may have an attribute."""
        if self.attributes.is_written(owner, name):
            return not is_absent(self.attributes.written_value(owner, name))
        return not is_absent(stored(owner, name))

    def _traced_attribute(self, owner: Traced, name: str) -> Any:
        """What the array or number that a stand-in stands for has."""
        seen = seen_type(owner)
        if not hasattr(seen, name):
            builtins.getattr(example_of(owner), name)  # raises as it should
        if isinstance(owner, Number):
            return number_attribute(self, owner, name, seen)
        if name in ("shape", "size", "nbytes"):
            sizes = builtins.getattr(owner, name)
            return tuple(size_number(self.tracer, d) for d in sizes) if isinstance(sizes, tuple) else size_number(self.tracer, sizes)
        if name in ("__class__", "__doc__"):
            return seen if name == "__class__" else seen.__doc__
        return builtins.getattr(owner, name)

    def _shared_attribute(self, owner: Any, name: str) -> Any:
        """An attribute of an object that others see too."""
        if self.attributes.is_written(owner, name):
            value = self.attributes.written_value(owner, name)
            if not is_absent(value):
                return self._present(owner, name, value)
        elif (known := self.attributes.remembered(owner, name)) is not None:
            return known
        elif not isinstance(owner, type) and is_absent(stored(owner, name)):
            for cls in type(owner).__mro__:
                if self.attributes.is_written(cls, name):
                    return self._shared_attribute(cls, name)
        return self._from_outside(owner, name, builtins.getattr)

    def _own_attribute(self, owner: Any, name: str, found: Any) -> Any:
        """An attribute of an object that the function made."""
        is_plain = not isinstance(owner, type) and is_absent(stored(owner, name)) and not hasattr(type(found), "__get__")
        if is_plain and found is not MISSING:
            cls = next(cls for cls in type(owner).__mro__ if name in vars(cls) or self.attributes.is_written(cls, name))
            if self.tracer.outside.is_shared(cls) and cls.__module__ != "builtins":
                return self._shared_attribute(cls, name)
        return self._present(owner, name, builtins.getattr(owner, name))

    def _present(self, owner: Any, name: str, value: Any) -> Any:
        """A value, after a check that the attribute is there, if that isn't known."""
        if not isinstance(value, Variant) or not any(map(is_absent, value.options)):
            return value

        def fails() -> None:
            kind = f"type object {owner.__name__!r}" if isinstance(owner, type) else f"{type(owner).__name__!r} object"
            raise AttributeError(f"{kind} has no attribute {name!r}", name=name, obj=owner)

        gone = next(option for option in value.options if is_absent(option))
        stage_if(self.tracer, is_option(value, gone), fails, lambda: None, NOTHING)
        return narrowed(value, gone)

    def _class_attribute(self, owner: Any, name: str) -> Any:
        """What the class of an object has under a name, without binding it."""
        classes = (*owner.__mro__, *type(owner).__mro__) if isinstance(owner, type) else type(owner).__mro__
        written = (self.attributes.written_value(cls, name) for cls in classes if self.attributes.is_written(cls, name))
        in_class = (vars(cls)[name] for cls in classes if name in vars(cls))
        return next(in_class, next(written, MISSING))

    def _is_users_module(self, module: types.ModuleType) -> bool:
        """Whether a module's variables may change."""
        file = vars(module).get("__file__")
        if file is None:
            return getattr(getattr(module, "__spec__", None), "origin", None) not in ("built-in", "frozen")
        return is_users_file(str(file), module.__name__)

    def _from_outside(self, owner: Any, name: Any, read: Callable[[Any, Any], Any]) -> Any:
        """An attribute or item of an object from outside: a number becomes an input, everything else is taken for granted."""
        if (known := self.attributes.remembered(owner, name)) is not None:
            return known
        outside, look = self.tracer.outside, lambda: read(owner, name)
        try:
            value = look()
        except AttributeError:
            self._guard_absence(owner, name)
            raise
        if outside.position(owner) is not None or isinstance(value, Traced):
            return value
        if (
            self.world_changed
            and type(value) in (int, float, complex, bool, str, type(None))
            and not isinstance(owner, type | types.ModuleType)
        ):
            return self.host(read, (owner, name))
        what = f"{type(owner).__name__}.{name}" if read is builtins.getattr else f"item {name!r} of a {type(owner).__name__}"
        if type(value) in (int, float, complex, bool) and (id(owner), name) not in outside.static:
            return self.attributes.remember(owner, name, outside.number(value, look, what, (id(owner), name)))
        if isinstance(value, types.MethodType | types.BuiltinFunctionType | types.MethodWrapperType):
            if isinstance(value, types.MethodType):
                outside.guards.append(Guard(lambda: _function_of(look()), _function_of(value), what))
            return value
        return outside.constant(value, look, what)

    def _guard_absence(self, owner: Any, name: str) -> None:
        """That an object from outside has no attribute of a name is taken for granted."""
        if self.tracer.outside.is_shared(owner):
            what = f"the absence of {type(owner).__name__}.{name}"
            self.tracer.outside.guards.append(Guard(lambda: hasattr(owner, name), False, what))

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """``owner.name = value``."""
        if isinstance(owner, Variant):
            each(self.tracer, lambda option: self.setattr(option, name, value), owner)
        elif isinstance(owner, Opaque):
            self.host_statement("setattr", builtins.setattr, owner, name, value)
        elif isinstance(owner, Traced):
            self._refuses_store(owner, name, value)
        else:
            self._set_attribute(owner, name, value)

    def _refuses_store(self, owner: Traced, name: str, value: Any) -> None:
        """``AttributeError`` as an array or number raises it; ``shape`` and the like of arrays."""
        if isinstance(owner, Number) or owner.is_scalar or not hasattr(np.ndarray, name):
            builtins.setattr(example_of(owner), name, value)
        raise StagingError(f"wanted no change of {name} of an array in a compiled function: make a new one, with reshape or astype")

    def _set_attribute(self, owner: Any, name: str, value: Any) -> None:
        own_setter = type(owner).__setattr__
        if isinstance(own_setter, types.FunctionType):
            self.call(own_setter, (owner, name, value), {})
        else:
            self.keep_attribute(owner, name, value)

    def keep_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Store an attribute as Python does without anybody's ``__setattr__``, with Python's refusals."""
        found = self._class_attribute(owner, name)
        setter = getattr(type(found), "__set__", None)
        if type(found) is property and found.fset is not None and not isinstance(owner, type):
            self.call(found.fset, (owner, value), {})
            return
        if isinstance(setter, types.FunctionType) and is_users(setter) and not isinstance(owner, type):
            self.call(setter, (found, owner, value), {})
            return
        is_slot = type(found).__name__ == "member_descriptor"
        if not isinstance(owner, type | types.ModuleType) and not is_slot:
            if not isinstance(getattr(owner, "__dict__", None), dict) or hasattr(type(found), "__set__"):
                builtins.setattr(owner, name, value)  # raises as it should
                return
        if isinstance(owner, type) and not owner.__flags__ & HEAP_TYPE:
            builtins.setattr(owner, name, value)
        self.attributes.write(owner, name, value, lambda: self._from_outside(owner, name, builtins.getattr))

    def delattr(self, owner: Any, name: str) -> None:
        """``del owner.name``."""
        if isinstance(owner, Variant):
            each(self.tracer, lambda option: self.delattr(option, name), owner)
            return
        if isinstance(owner, Opaque):
            self.host_statement("delattr", builtins.delattr, owner, name)
            return
        own = type(owner).__delattr__
        if isinstance(own, types.FunctionType) and is_users(own):
            self.call(own, (owner, name), {})
            return
        self.drop_attribute(owner, name)

    def drop_attribute(self, owner: Any, name: str) -> None:
        """Delete an attribute as Python does without anybody's ``__delattr__``."""
        found = self._class_attribute(owner, name)
        if type(found) is property and found.fdel is not None:
            self.call(found.fdel, (owner,), {})
            return
        now = self.attributes.written_value(owner, name) if self.attributes.is_written(owner, name) else stored(owner, name)
        if isinstance(owner, Traced) or is_absent(now):
            self._guard_absence(owner, name)
            builtins.delattr(example_of(owner) if isinstance(owner, Traced) else owner, name)  # raises as it should
            return
        self._present(owner, name, now)
        self.attributes.write(owner, name, ABSENT, lambda: self._from_outside(owner, name, builtins.getattr))

    def getitem(self, owner: Any, index: Any) -> Any:
        """``owner[index]``."""
        return self.outer(self._item(owner, index))

    def _item(self, owner: Any, index: Any) -> Any:
        if isinstance(owner, dict) and hasattr(type(owner), "__missing__"):
            self.known_key(owner, index)  # type: ignore[attr-defined]
        if isinstance(owner, Variant) or isinstance(index, Variant):
            return each(self.tracer, self.getitem, owner, index)
        if isinstance(owner, Text) or isinstance(owner, Opaque) or has_opaque(index):
            return self.host(operator.getitem, (owner, index))
        content = self.lists.content(owner) if isinstance(owner, list) else self.dicts.content(owner)
        if isinstance(owner, Rows) or content is not None:
            return self._from_content(owner if content is None else content, index)
        if isinstance(index, Traced) and isinstance(owner, list | tuple | range):
            return self._picked(owner, index)
        return self._from_known(owner, index)

    def _from_content(self, content: Any, index: Any) -> Any:
        """An item of a list or dict whose content only running tells."""
        if isinstance(index, slice) and not isinstance(content, Opaque):
            return self._sliced(content, index)
        if isinstance(content, Variant):
            return each(self.tracer, lambda items: self.getitem(items, index), content)
        return content.item(index) if isinstance(content, Rows) else self.host(operator.getitem, (content, index))

    def _sliced(self, content: Any, index: slice) -> Any:
        """A new list of some of the items."""
        if isinstance(content, Variant):
            return each(self.tracer, lambda option: self._sliced(option, index), content)
        if not isinstance(content, Rows) and is_staged_slice(index) and Rows.can_hold(tuple(content)):
            content = Rows.of(tuple(content), content[0])
        if not isinstance(content, Rows):
            return list(content[index])
        made: list[Any] = []
        self.lists.become(made, content.with_array(content.array[index].copy()))
        return made

    def _from_known(self, owner: Any, index: Any) -> Any:
        """An item of a container that is known item by item, or of an array."""
        if isinstance(owner, list | dict) and self.tracer.outside.is_shared(owner) and not self.is_changed(owner) and self.world_changed:
            return self.host(operator.getitem, (self.read_at_run(owner), index))
        if isinstance(owner, dict):
            return self._from_dict(owner, index)
        if isinstance(owner, list) and self.tracer.outside.is_shared(owner) and not self.is_changed(owner):
            return self._from_list(owner, index)
        if owner is np.mgrid or owner is np.ogrid:
            self._require_known(index)
        if isinstance(owner, np.ndarray):
            return self.tracer.stand_in(owner)[index]
        if isinstance(owner, Number):
            raise TypeError(f"{seen_type(owner).__name__!r} object is not subscriptable")
        if isinstance(owner, list) and is_staged_slice(index):
            return self._sliced(owner, index)
        return self._by_method(owner, "__getitem__", operator.getitem, index)

    def seen_from_outside(self, owner: Any) -> Any:
        """The content of a dict or set from outside: numbers in a small dict are inputs, everything else is taken for granted."""
        if not isinstance(owner, dict) or len(owner) > MOST_INPUTS:
            self.reads_all_of(owner)
            return dict(owner) if isinstance(owner, dict) else frozenset(owner)
        self.tracer.outside.constant(tuple(owner), lambda: tuple(owner), "the keys of a dict")
        return {key: self._from_outside(owner, key, operator.getitem) for key in owner}

    def _from_list(self, owner: list[Any], index: Any) -> Any:
        """An item of a list from outside."""
        if type(index) is not int or not -len(owner) <= index < len(owner):
            self.reads_all_of(owner)
            return owner[index]
        known = self.attributes.remembered(owner, index)
        return self._from_outside(owner, index, operator.getitem) if known is None else known

    def _from_dict(self, owner: dict[Any, Any], key: Any) -> Any:
        if isinstance(key, Traced):
            return self._looked_up(owner, key)
        known = self.attributes.remembered(owner, key) if _is_hashable(key) else None
        if known is not None and not self.dicts.is_changed(owner):
            return known
        if not self.tracer.outside.is_outside(owner) or self.dicts.is_changed(owner):
            return owner[key]
        return self._from_outside(owner, key, operator.getitem)

    def _require_known(self, index: Any) -> None:
        """Bounds of a grid must be known, since they are its shape."""
        for part in index if isinstance(index, tuple) else (index,):
            for bound in (part.start, part.stop, part.step) if isinstance(part, slice) else (part,):
                if isinstance(bound, Traced):
                    raise bound._unknown("be a bound of a grid")

    def _picked(self, owner: Any, index: Traced) -> Any:
        """An item of a Python sequence at a place that only running tells."""
        place = self._place(owner, index, f"{type(owner).__name__} index out of range")  # type: ignore[attr-defined]

        def pick(i: int) -> Any:
            if i == len(owner) - 1:
                return owner[i]
            return one_of(self.tracer, place == i, lambda: owner[i], lambda: pick(i + 1))

        return pick(0) if len(owner) else None

    def _looked_up(self, owner: dict[Any, Any], key: Traced) -> Any:
        keys = list(owner)

        def look(i: int) -> Any:
            if i == len(keys):
                raise KeyError(key)
            return one_of(self.tracer, truth(self.tracer, key == keys[i]), lambda: owner[keys[i]], lambda: look(i + 1))

        return look(0)

    def setitem(self, owner: Any, index: Any, value: Any) -> None:
        """``owner[index] = value``."""
        if isinstance(owner, Variant) or isinstance(index, Variant):
            each(self.tracer, lambda option, place: self.setitem(option, place, value), owner, index)
        elif isinstance(value, Variant) and isinstance(owner, np.ndarray | Eager | Traced):
            each(self.tracer, lambda option: self.setitem(owner, index, option), value)
        elif isinstance(owner, Opaque):
            self.host_statement("setitem", operator.setitem, owner, index, value)
        elif isinstance(owner, list):
            self.lists.set_item(self, owner, index, value)
        elif isinstance(owner, dict):
            self.known_key(owner, index, value)  # type: ignore[attr-defined]
            self.dicts.change(owner, "__setitem__", index, value)
        elif isinstance(owner, np.ndarray | Eager | Traced) and (has_opaque(value) or has_opaque(index)):
            self.host_change(operator.setitem, self.tracer.stand_in(owner), index, value)
        elif isinstance(owner, np.ndarray | Eager):
            self.tracer.stand_in(owner)[index] = value
        elif isinstance(owner, Number | str | tuple | range | Text):
            seen = "str" if isinstance(owner, Text) else seen_type(owner).__name__ if isinstance(owner, Number) else type(owner).__name__
            raise TypeError(f"{seen!r} object does not support item assignment")
        else:
            self._by_method(owner, "__setitem__", operator.setitem, index, value)

    def _by_method(self, owner: Any, name: str, operation: Callable[..., Any], *args: Any) -> Any:
        """What a method of the user's does, or an operator of Python's."""
        method = getattr(type(owner), name, None)
        is_own = isinstance(method, types.FunctionType) and not isinstance(owner, Traced)
        return self.call(method, (owner, *args), {}) if is_own else operation(owner, *args)

    def delitem(self, owner: Any, index: Any) -> None:
        """``del owner[index]``."""
        if isinstance(owner, Variant) or isinstance(index, Variant):
            each(self.tracer, self.delitem, owner, index)
        elif isinstance(owner, Opaque):
            self.host_statement("delitem", operator.delitem, owner, index)
        elif isinstance(owner, list):
            if isinstance(index, Traced):
                operator.index(index)
            self.lists.change(owner, "__delitem__", index)
        elif isinstance(owner, dict):
            self.known_key(owner, index)  # type: ignore[attr-defined]
            self.dicts.change(owner, "__delitem__", index)
        elif isinstance(owner, Number):
            raise TypeError(f"{seen_type(owner).__name__!r} object doesn't support item deletion")
        elif isinstance(owner, Traced):
            raise ValueError("cannot delete array elements")
        else:
            self._by_method(owner, "__delitem__", operator.delitem, index)


def _is_method(kind: type | None, name: str) -> bool:
    """Whether objects of a class have a method of a name, so that nothing runs when it is asked for."""
    return kind is not None and callable(builtins.getattr(kind, name, None))


def _function_of(method: Any) -> Any:
    """What a bound method calls: each access makes another method of it."""
    return getattr(method, "__func__", method)


def _is_hashable(value: Any) -> bool:
    return type(value).__hash__ is not None


def in_place(operation: Callable[[Any, Any], Any], target: Any, value: Any) -> Any:
    """``target += value``; the function for ``**=`` names two operators in its message."""
    if operation is operator.ipow:
        target **= value
        return target
    return operation(target, value)


def _operated(operation: Callable[[Any, Any], Any], target: Any, value: Any) -> Any:
    """The result of an operator, with the exception that Python or NumPy raises for values of these types."""
    try:
        return in_place(operation, target, value)
    except StagingError:
        raise
    except TypeError as error:
        problem = error
    if is_staged(target) or is_staged(value):
        in_place(operation, _example(target), _example(value))  # raises as it should
    raise problem


def _example(value: Any) -> Any:
    return example_of(value) if isinstance(value, Traced) else value


def _augmented(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    def augment(self: Items, target: Any, value: Any) -> Any:
        target = self.outer(target)
        if isinstance(target, Variant) or isinstance(value, Variant):
            return each(self.tracer, lambda a, b: augment(self, a, b), target, value)
        if isinstance(target, Opaque):
            return self.host(operation, (target, value))
        if isinstance(target, Traced) and not target.is_scalar and isinstance(value, Opaque | Text):
            return self.host_change(operation, target, value)
        if isinstance(target, list) and operation in (operator.iadd, operator.imul):
            return self.lists.augment(self, target, operation, value)
        name = f"__{operation.__name__}__"
        if isinstance(target, dict | set) and hasattr(type(target), name):
            self.call(getattr(target, name), (value,), {})
            return target
        method = getattr(type(target), name, None)
        is_users = isinstance(method, types.FunctionType) and not isinstance(target, Traced)
        result = self.call(method, (target, value), {}) if is_users else NotImplemented
        return _operated(operation, target, value) if result is NotImplemented else result

    return augment


for _name in ("iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow", "irshift", "isub", "itruediv", "ixor"):
    setattr(Items, _name, _augmented(getattr(operator, _name)))
