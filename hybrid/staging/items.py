"""Attributes, items and augmented assignment on staged values."""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.control.choice import each, is_staged, one_of, truth
from hybrid.control.variant import Variant
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError
from hybrid.ir.traced import Number, Traced
from hybrid.staging.sizes import size_number
from hybrid.staging.lists import Rows

__all__ = ["Items"]


class Items:
    """The part of the stager that reads and writes parts of things."""

    tracer: Any
    lists: Any

    def getattr(self, owner: Any, name: str) -> Any:
        """``owner.name``."""
        if isinstance(owner, Variant):
            return each(self.tracer, lambda option: self.getattr(option, name), owner)
        if isinstance(owner, Traced) and name in ("shape", "size", "nbytes"):
            sizes = builtins.getattr(owner, name)
            return tuple(size_number(self.tracer, d) for d in sizes) if isinstance(sizes, tuple) else size_number(self.tracer, sizes)
        if isinstance(owner, Traced | types.ModuleType | type | np.ndarray | list | dict | tuple | str):
            return builtins.getattr(owner, name)
        if self.attributes.knows(owner, name):
            return self.attributes.read(owner, name)
        return self._from_outside(self.attributes, owner, name, builtins.getattr)

    def _from_outside(self, place: Any, owner: Any, name: Any, read: Callable[[Any, Any], Any]) -> Any:
        """An attribute or item of an object from outside: a number becomes an input, everything else is taken for granted."""
        value = read(owner, name)
        what = f"{type(owner).__name__}.{name}" if read is builtins.getattr else f"item {name!r} of a {type(owner).__name__}"
        outside, look = self.tracer.outside, lambda: read(owner, name)
        if type(value) in (int, float, complex, bool) and (id(owner), name) not in outside.static:
            return place.remember(owner, name, outside.number(value, look, what, (id(owner), name)))
        if isinstance(value, types.MethodType | types.BuiltinFunctionType | types.MethodWrapperType):
            return value
        return outside.constant(value, look, what)

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """``owner.name = value``."""
        if isinstance(owner, Variant):
            each(self.tracer, lambda option: self.setattr(option, name, value), owner)
            return
        self.attributes.write(owner, name, value)  # type: ignore[attr-defined]

    def delattr(self, owner: Any, name: str) -> None:
        """``del owner.name``."""
        raise StagingError(f"wanted no deletion of attributes in a compiled function, received del {owner!r}.{name}")

    def getitem(self, owner: Any, index: Any) -> Any:
        """``owner[index]``."""
        if isinstance(owner, Variant) or isinstance(index, Variant):
            return each(self.tracer, self.getitem, owner, index)
        content = self.lists.content(owner)
        if isinstance(content, Variant):
            return each(self.tracer, lambda items: self.getitem(items, index), content)
        if isinstance(owner, Rows) or isinstance(content, Rows):
            return (content or owner).item(index)
        if isinstance(index, Traced) and isinstance(owner, list | tuple | range):
            return self._picked(owner, index)
        if isinstance(owner, dict):
            return self._from_dict(owner, index)
        if owner is np.mgrid or owner is np.ogrid:
            self._require_known(index)
        if isinstance(owner, np.ndarray):
            return self.tracer.stand_in(owner)[index]
        return owner[index]

    def _from_dict(self, owner: dict[Any, Any], key: Any) -> Any:
        if isinstance(key, Traced):
            return self._looked_up(owner, key)
        if self.dicts.knows(owner, key):
            return self.dicts.read(owner, key)
        if not self.tracer.outside.is_outside(owner):
            return owner[key]
        return self._from_outside(self.dicts, owner, key, operator.getitem)

    def _require_known(self, index: Any) -> None:
        """Bounds of a grid must be known, since they are its shape."""
        for part in index if isinstance(index, tuple) else (index,):
            for bound in (part.start, part.stop, part.step) if isinstance(part, slice) else (part,):
                if isinstance(bound, Traced):
                    raise bound._unknown("be a bound of a grid")

    def _picked(self, owner: Any, index: Traced) -> Any:
        """An item of a Python sequence at a place that only running tells."""
        number = index if isinstance(index, Number) else OPS["item"](index)
        place = one_of(self.tracer, number < 0, lambda: number + len(owner), lambda: number)

        def pick(i: int) -> Any:
            if i == len(owner):
                raise IndexError(f"{type(owner).__name__} index out of range")
            return one_of(self.tracer, place == i, lambda: owner[i], lambda: pick(i + 1))

        return pick(0)

    def _looked_up(self, owner: dict[Any, Any], key: Traced) -> Any:
        keys = list(owner)

        def look(i: int) -> Any:
            if i == len(keys):
                raise KeyError(key)
            return one_of(self.tracer, truth(self.tracer, key == keys[i]), lambda: owner[keys[i]], lambda: look(i + 1))

        return look(0)

    def setitem(self, owner: Any, index: Any, value: Any) -> None:
        """``owner[index] = value``."""
        if isinstance(owner, Variant):
            each(self.tracer, lambda option: self.setitem(option, index, value), owner)
        elif isinstance(owner, list):
            self._set_in_list(owner, index, value)
        elif isinstance(owner, dict):
            self.dicts.write(owner, index, value)  # type: ignore[attr-defined]
        elif isinstance(owner, np.ndarray | Eager):
            self.tracer.stand_in(owner)[index] = value
        else:
            owner[index] = value

    def _set_in_list(self, owner: list[Any], index: Any, value: Any) -> None:
        if is_staged(index):
            raise StagingError(f"wanted a known place in a list to write to, received {index!r}")
        self.lists.change(owner, "__setitem__", index, value)

    def delitem(self, owner: Any, index: Any) -> None:
        """``del owner[index]``."""
        if is_staged(index):
            raise StagingError(f"wanted a known place to delete from, received {index!r}")
        if isinstance(owner, list):
            self.lists.change(owner, "__delitem__", index)
        else:
            del owner[index]


def _augmented(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    def augment(self: Items, target: Any, value: Any) -> Any:
        if isinstance(target, Variant) or isinstance(value, Variant):
            return each(self.tracer, lambda a, b: augment(self, a, b), target, value)
        if isinstance(target, list) and operation is operator.iadd:
            self.lists.change(target, "extend", value)
            return target
        return operation(target, value)

    return augment


for _name in ("iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow", "irshift", "isub", "itruediv", "ixor"):
    setattr(Items, _name, _augmented(getattr(operator, _name)))
