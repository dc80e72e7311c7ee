"""Calls with staged arguments: Python's built-ins, NumPy's functions, list methods."""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np

from hybrid._util.tree import flatten
from hybrid.control.choice import each, one_of, truth
from hybrid.control.variant import Variant
from hybrid.core.op import Op
from hybrid.core.table import NUMPY, OPS
from hybrid.core.tensor import Tensor
from hybrid.errors import UnsupportedError
from hybrid.frontend.runtime.callees import GENERATED, is_users
from hybrid.frontend.runtime.calls import plain_call
from hybrid.ir.traced import Number, Traced
from hybrid.staging.iterables import Combined, StagedRange, elements
from hybrid.staging.lists import MUTATORS, Rows
from hybrid.staging.sizes import size_number
from hybrid.staging.text import Text

__all__ = ["Calls"]


class Calls:
    """The part of the stager that calls functions."""

    tracer: Any
    lists: Any

    def takes_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether a call must not simply be made."""
        if function is print or _is_list_method(function) or isinstance(function, Variant):
            return True
        if _is_hashable(function) and function in NUMPY:
            return True
        leaves = flatten((args, kwargs))[0]
        return any(
            isinstance(x, Traced | Variant | Text | StagedRange | Combined) or self.lists.content(x) is not None for x in (*leaves, *args)
        )

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call."""
        plain = getattr(function, "__func__", function)
        if type(plain) is FunctionType and (is_users(plain) or plain.__code__.co_filename.startswith(GENERATED)):
            return self.call_users(plain, function, args, kwargs)  # type: ignore[attr-defined]
        for argument in args:
            self.reads_all_of(argument)
        if not self.takes_call(function, args, kwargs):
            return plain_call(function, args, kwargs)
        if isinstance(function, Variant) or any(isinstance(a, Variant) for a in args):
            return each(self.tracer, lambda f, *rest: self.call_one(f, rest, kwargs), function, *args)
        return self.call_one(function, args, kwargs)

    def call_one(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call without variants."""
        if _is_list_method(function):
            return self.lists.change(function.__self__, function.__name__, *args, **kwargs)
        special = SPECIAL.get(function) if _is_hashable(function) else None
        if special is not None:
            return special(self, *args, **kwargs)
        if args and isinstance(self.lists.content(args[0]), Rows) and function in OF_ROWS:
            return OF_ROWS[function](self.lists.content(args[0]).array, *args[1:], **kwargs)
        args = tuple(self._known(a) for a in args)
        if _is_math(function) and all(isinstance(a, Number | int | float) for a in args):
            return OPS["call_python"](*args, function=f"math.{function.__name__}")
        if isinstance(function, Op) or isinstance(getattr(function, "__self__", None), Traced):
            return function(*args, **kwargs)
        if _is_hashable(function) and function in NUMPY:
            return NUMPY[function](*args, **kwargs)
        if isinstance(function, type) and not issubclass(function, np.generic):
            return plain_call(function, args, kwargs)
        if isinstance(function, functools.partial) or type(getattr(type(function), "__call__", None)) is FunctionType:
            return plain_call(function, args, kwargs)
        if getattr(function, "__module__", "").partition(".")[0] in ("hybrid", "numpy"):
            return function(*args, **kwargs)
        raise UnsupportedError(
            f"wanted a function that can be compiled, received {function!r}: it takes values that only running tells; hybrid.py_function calls it back"
        )

    def append(self, collected: list[Any], item: Any) -> None:
        """The next item of a list comprehension."""
        self.lists.change(collected, "append", item)

    def add(self, collected: set[Any], item: Any) -> None:
        """The next item of a set comprehension."""
        collected.add(item)

    def store(self, collected: dict[Any, Any], key: Any, item: Any) -> None:
        """The next item of a dict comprehension."""
        self.setitem(collected, key, item)  # type: ignore[attr-defined]

    def generator(self, iterable: Any, lazily: Any, loop: Any) -> Any:
        """A generator expression: its items at once, as a list."""
        items: list[Any] = []
        loop(iterable, lambda item: self.append(items, item))
        return items

    def reads_all_of(self, container: Any) -> None:
        """Take the items of a container from outside for granted."""
        outside = self.tracer.outside
        if isinstance(container, list | dict | set) and outside.is_outside(container):
            items = tuple(container.items() if isinstance(container, dict) else container)
            outside.constant(
                items, lambda: tuple(container.items() if isinstance(container, dict) else container), "the items of a container"
            )

    def _known(self, argument: Any) -> Any:
        content = self.lists.content(argument)
        return content.array if isinstance(content, Rows) else argument

    # -- built-ins --------------------------------------------------------------------------------------------------
    def range_(self, *bounds: Any) -> Any:
        """``range``."""
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        return StagedRange(*(self._integer(b) for b in (start, stop, step)))

    def len_(self, value: Any) -> Any:
        """``len``."""
        content = self.lists.content(value)
        if isinstance(content, Variant):
            return each(self.tracer, self.len_, content)
        if isinstance(content or value, Rows):
            array = (content or value).array
            return self.number_of(array.shape[0], array)
        if isinstance(value, Traced) and value.shape:
            return self.number_of(value.shape[0], value)
        return len(value)

    def number(self, kind: str) -> Callable[..., Any]:
        """``int``, ``float``, ``bool`` and ``complex``."""
        return lambda value, *rest: OPS["call_python"](value if isinstance(value, Number) else OPS["item"](value), *rest, function=kind)

    def abs_(self, value: Any) -> Any:
        """``abs``."""
        return abs(value)

    def extreme(self, name: str, *values: Any, key: Any = None, **rest: Any) -> Any:
        """``max`` and ``min``, with Python's order of comparing."""
        if rest or key is not None:
            raise UnsupportedError(f"wanted {name} without key= and default= on values that only running tells")
        items = list(elements(self, values[0])) if len(values) == 1 else list(values)
        best = items[0]
        for item in items[1:]:
            is_better = item > best if name == "max" else item < best
            decided = truth(self.tracer, is_better)
            if isinstance(decided, Traced):
                best = one_of(self.tracer, decided, lambda item=item: item, lambda best=best: best)
            else:
                best = item if decided else best
        return best

    def sum_(self, values: Any, start: Any = 0) -> Any:
        """``sum``."""
        total = start
        for item in elements(self, values):
            total = total + item
        return total

    def isinstance_(self, value: Any, kinds: Any) -> bool:
        """``isinstance``: a traced value is what the function sees."""
        if not isinstance(value, Traced):
            return isinstance(value, kinds)
        return issubclass(seen_type(value), kinds)

    def type_(self, value: Any) -> type:
        """``type`` of one argument."""
        return seen_type(value) if isinstance(value, Traced) else type(value)

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


def seen_type(value: Traced) -> type:
    """The type of what the function sees where a value is traced."""
    from_dtype = value.dtype.type
    if isinstance(value, Number):
        return type(from_dtype(0).item())
    if value.is_tensor:
        return Tensor
    return from_dtype if value.is_scalar else np.ndarray


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
    return lambda stager, *parts, start=0, **rest: Combined(kind, parts if kind != "enumerate" else parts[:1], (*parts[1:], start)[0])


SPECIAL: Final[dict[Any, Callable[..., Any]]] = {
    print: lambda stager, *values, **rest: stager.print_(*values, **rest),
    range: Calls.range_,
    len: Calls.len_,
    abs: Calls.abs_,
    sum: Calls.sum_,
    isinstance: Calls.isinstance_,
    type: Calls.type_,
    zip: _combine("zip"),
    enumerate: _combine("enumerate"),
    reversed: _combine("reversed"),
    max: lambda stager, *values, **rest: stager.extreme("max", *values, **rest),
    min: lambda stager, *values, **rest: stager.extreme("min", *values, **rest),
    str: lambda stager, value: stager.format(value, "s"),
    repr: lambda stager, value: stager.format(value, "r"),
    **{
        getattr(builtins, name): (lambda stager, value, *rest, name=name: stager.number(name)(value, *rest))
        for name in ("int", "float", "bool", "complex")
    },
    round: lambda stager, value, *rest: (
        OPS["call_python"](value, *rest, function="round") if isinstance(value, Number) else round(value, *rest)
    ),
    divmod: lambda stager, a, b: divmod(a, b),
    pow: lambda stager, a, b: a**b,
}
"""Python's built-ins on staged values."""
