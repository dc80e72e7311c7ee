"""Calls with staged arguments: Python's built-ins, NumPy's functions, list methods."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import FunctionType, MethodType, MethodWrapperType, WrapperDescriptorType
from typing import Any, Final

import numpy as np

from hybrid.control.choice import NOTHING, each
from hybrid.control.scope import Variables
from hybrid.control.variant import Variant
from hybrid.core.op import Op
from hybrid.core.table import NUMPY, OPS
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError, UnsupportedError
from hybrid.frontend.runtime.callees import GENERATED, is_users
from hybrid.frontend.runtime.calls import plain_call
from hybrid.frontend.runtime.undefined import Box
from hybrid.ir.traced import Number, Traced
from hybrid.ops.python import PYTHON_FUNCTIONS
from hybrid.staging.arrays import call_hybrids, call_numpys, is_hybrids, made_anew
from hybrid.staging.built_ins import ALWAYS, CONSUMERS, SPECIAL, NotHere, all_items
from hybrid.staging.iterables import Combined, LazyItems, StagedRange, elements, staged_iterable
from hybrid.staging.lists import MUTATORS, Rows
from hybrid.staging.opaque import Opaque
from hybrid.staging.places import changes_collection
from hybrid.staging.pure import (
    flatten_deep,
    is_converted,
    is_initialiser,
    is_pure,
    is_scalar_call,
    is_transparent,
    new_object,
    only_computes,
    only_reads,
    runs_later,
)
from hybrid.staging.py_function import PyFunction
from hybrid.staging.text import Text, TextMethod, content_of
from hybrid.staging.walkers import Walker

__all__ = ["Calls"]


def _is_lazy(value: Any) -> bool:
    return isinstance(value, LazyItems | Combined | StagedRange | Walker)


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
        if type(function) is PyFunction:
            return self.call_stated(function, args, kwargs)  # type: ignore[attr-defined]
        if type(plain) is FunctionType and plain.__module__.startswith("hybrid.staging."):
            return function(*args, **kwargs)
        if type(plain) is FunctionType and runs_later(plain) and (plain.__code__.co_filename.startswith(GENERATED) or is_users(plain)):
            return self._call_generator(plain, function, args, kwargs)
        if type(plain) is FunctionType and (plain.__code__.co_filename.startswith(GENERATED) or is_converted(plain)):
            return self.call_users(plain, function, args, kwargs)  # type: ignore[attr-defined]
        if isinstance(function, functools.partial):
            return self.call(function.func, (*function.args, *args), {**function.keywords, **kwargs})
        if type(function).__module__ == "hybrid.functions.function":
            return self.call(function.python_function, args, kwargs)
        method = getattr(type(function), "__call__", None)  # noqa: B004 - the method itself is wanted
        if type(method) is FunctionType and is_users(method):
            return self.call(method, (function, *args), kwargs)
        if type(function) in (WrapperDescriptorType, MethodWrapperType) and function.__name__ in OF_OBJECTS:
            bound = args if type(function) is WrapperDescriptorType else (function.__self__, *args)
            return self._call_of_object(function, bound, kwargs)
        return self._call_others(function, args, kwargs)

    def _call_of_object(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A method of ``object`` or ``type`` that reads, stores or makes something without the methods of the user's."""
        owner, rest, name = args[0], args[1:], function.__name__
        if name == "__call__" and isinstance(owner, type):
            made = self._constructed(owner, rest, kwargs, is_plain=True)
            return made[0] if made is not None else function(*rest, **kwargs)
        if is_made_of_stand_ins(owner) or name == "__call__":
            return self._call_others(function, args if type(function) is WrapperDescriptorType else rest, kwargs)
        return getattr(self, PLAINLY[name])(owner, *rest)

    def _call_generator(self, plain: FunctionType, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that makes a generator or a coroutine, whose body isn't converted: it runs when the function runs.

        If it writes variables of the function around it, and does nothing else, it runs while that is traced.
        """
        if not any(isinstance(content_of(cell), Box) for cell in plain.__closure__ or ()):
            return self.host(function, args, kwargs, changes=not only_reads(plain))  # type: ignore[attr-defined]
        if self.is_staged((plain, args, kwargs)) or not only_computes(plain):  # type: ignore[attr-defined]
            raise StagingError(
                f"wanted a generator that writes no variables outside of it, received {plain.__name__}: return what it writes"
            )
        self.refuse_depth("a generator that writes variables outside of it")  # type: ignore[attr-defined]
        return function(*args, **kwargs)

    def _call_others(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of what is no function of the user's."""
        if self.generator_method(function) is not None:  # type: ignore[attr-defined]
            return self.draw(function, args, kwargs)  # type: ignore[attr-defined]
        if isinstance(function, Traced | Text) or not (callable(function) or isinstance(function, Variant | Opaque)):
            kind = self.type_(function)  # type: ignore[attr-defined]
            name = f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__
            raise TypeError(f"{name!r} object is not callable")
        for argument in (*args, None if _only_adds(function) else getattr(function, "__self__", None)):
            self.reads_all_of(argument)
        if isinstance(function, type) and isinstance(made := self._constructed(function, args, kwargs), tuple):
            return made[0]
        if not is_pure(function):
            return self.host(function, args, kwargs, changes=True)  # type: ignore[attr-defined]
        if not self.takes_call(function, args, kwargs):
            return self.outer(made_anew(self.tracer, function, (*args, *kwargs.values()), function(*args, **kwargs)))  # type: ignore[attr-defined]
        if isinstance(function, Variant) or any(isinstance(a, Variant) for a in (*args, *kwargs.values())):
            return self._each_call(function, args, kwargs)
        return self.call_one(function, args, kwargs)

    def _each_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        names = list(kwargs)

        def chosen(f: Any, *values: Any) -> Any:
            split = len(values) - len(names)
            return self.call(f, values[:split], dict(zip(names, values[split:], strict=True)))

        return each(self.tracer, chosen, function, *args, *kwargs.values())

    def _constructed(self, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any], is_plain: bool = False) -> tuple[Any] | None:
        """The new object of a class of the user's, in a tuple; ``None`` if the class makes its objects in another way."""
        if type(cls).__call__ is not type.__call__ and not is_plain:
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
        if getattr(function, "__name__", "") == "get" and type(getattr(function, "__self__", None)) is dict and args and not kwargs:
            return self._get(function.__self__, *args)
        if _is_hashable(function) and function in CONSUMERS:
            args = tuple(all_items(self.opened(a)) for a in args)
        elif _is_hashable(function) and function in (any, all, iter):
            args = tuple(map(self.opened, args))
        result = self._call_built_in(function, args, kwargs)
        return self._call_known(function, args, kwargs) if result is NotImplemented else result

    def _call_built_in(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of one of Python's built-ins, or of a function of the rows of an array; ``NotImplemented`` for all others."""
        if not _is_hashable(function):
            return NotImplemented
        if function in SPECIAL:
            try:
                return SPECIAL[function](self, *args, **kwargs)
            except NotHere:
                return NotImplemented
        rows = self.lists.content(args[0]) if args else None
        if isinstance(rows, Rows) and function in OF_ROWS:
            return OF_ROWS[function](rows.array, *args[1:], **kwargs)
        return NotImplemented

    def _call_known(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function of a library."""
        args = tuple(map(all_items, args))
        if _takes_arrays(function):
            args = tuple(map(self._known, args))
        elif any(self.lists.content(a) is not None for a in args) and getattr(function, "__module__", None) == "operator":
            return self.host(function, args, kwargs)  # type: ignore[attr-defined]
        if is_initialiser(function):
            return function(*args, **kwargs)
        content = self._content_of_owner(function)
        if content is not None:
            return self._method_of_content(content, function, args, kwargs)
        has_objects = any(isinstance(leaf, Opaque | Text) for leaf in flatten_deep((args, kwargs)))
        if has_objects and not isinstance(function, MethodType):
            return self.host(function, args, kwargs)  # type: ignore[attr-defined]
        return self._graph_call(function, args, kwargs)

    def _graph_call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function that graphs know; of others, at run time."""
        if _is_math(function) and not kwargs and all(_is_for_math(function.__name__, a) for a in args):
            return OPS["call_python"](*(_python_number(function.__name__, a) for a in args), function=f"math.{function.__name__}")
        if isinstance(function, Op):
            return call_hybrids(self.tracer, function, args, kwargs)
        if isinstance(getattr(function, "__self__", None), Traced) or (_is_hashable(function) and function in NUMPY):
            return call_numpys(self.tracer, function, args, kwargs)
        if _is_of_arrays(function):
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
            return call_hybrids(self.tracer, function, args, kwargs) if is_hybrids(function) else function(*args, **kwargs)
        except StagingError:
            self.tracer.builder.forget_since(count)
            del self.tracer.refused[refused:]
        return self.host(function, args, kwargs)  # type: ignore[attr-defined]

    def eval_in_frame(self, function: Any, source: Any, outer: dict[str, Any], frame: Any, others: dict[str, Any]) -> Any:
        """``eval`` and ``exec`` of text that names what is bound here."""
        self.tracer.outside.met(outer)
        return self.host(function, (source, outer, frame), others)  # type: ignore[attr-defined]

    def _get(self, owner: dict[Any, Any], key: Any, default: Any = None) -> Any:
        """``owner.get(key, default)``."""
        return self.if_exp(self.in_(key, owner), lambda: self.getitem(owner, key), lambda: default)  # type: ignore[attr-defined]

    def _change_collection(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if args and function.__name__ in TAKE_MANY:
            args = tuple(a if isinstance(a, dict) else list(self.known_items(a) or elements(self, a)) for a in args)
        elif args and isinstance(function.__self__, dict | set):
            self.known_key(function.__self__, *args)  # type: ignore[attr-defined]
        return self.dicts.change(function.__self__, function.__name__, *args, **kwargs)

    def known_items(self, iterable: Any) -> list[Any] | None:
        """The items of something, if they are known one by one."""
        if isinstance(iterable, LazyItems):
            iterable = iterable.items()
        if isinstance(iterable, Walker) and isinstance(iterable.position, Traced):
            return None
        content = self.lists.content(iterable) if isinstance(iterable, list) else self.dicts.content(iterable)
        if isinstance(iterable, Opaque | Text | StagedRange | Variant) or content is not None:
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
        self.known_key(collected, item)  # type: ignore[attr-defined]
        self.dicts.change(collected, "add", item)

    def store(self, collected: dict[Any, Any], key: Any, item: Any) -> None:
        """The next item of a dict comprehension."""
        self.setitem(collected, key, item)  # type: ignore[attr-defined]

    def generator(self, iterable: Any, lazily: Any, loop: Any, state: Any = None) -> Any:
        """A generator expression."""
        iterable = iterable if isinstance(iterable, Combined) else self.opened(iterable)
        if isinstance(iterable, Number) or (isinstance(iterable, Traced) and not iterable.shape):
            staged_iterable(self, iterable)  # raises as it should
        if not isinstance(iterable, LazyItems | Walker | Combined | StagedRange | Opaque | Text | Variant):
            if not hasattr(type(iterable), "__iter__") and not hasattr(type(iterable), "__getitem__"):
                iter(iterable)  # raises as it should
        return LazyItems(self, iterable, lazily, loop, NOTHING if state is None else Variables(*state))

    def opened(self, iterable: Any) -> Any:
        """What a generator that is the ``__iter__`` of the user's gives, or is left of an iterator; anything else stays what it is."""
        if isinstance(iterable, Combined):
            return iterable.opened()
        method = getattr(type(iterable), "__iter__", None)
        if type(method) is FunctionType and is_users(method) and runs_later(method):
            return self.call(method, (iterable,), {})
        return iterable

    def reads_all_of(self, container: Any) -> None:
        """Take the items of a container from outside for granted."""
        outside = self.tracer.outside
        if isinstance(container, dict) and "__builtins__" in container:
            return  # the variables of a module, whose names are guarded one by one
        if isinstance(container, list | dict | set) and outside.is_shared(container) and not self.is_changed(container):
            if self.world_changed:  # type: ignore[attr-defined]
                self.read_at_run(container)
                return
            look = lambda: tuple(container.items() if isinstance(container, dict) else container)  # noqa: E731
            items = look()
            outside.constant(items, look, "the items of a container")

    def read_at_run(self, container: Any) -> Any:
        """A container from outside that an unknown function may have changed meanwhile: what it holds only running tells."""
        slots: Any = self.lists if isinstance(container, list) else self.dicts
        return slots.become(container, self.host(_itself, (container,)))  # type: ignore[attr-defined]

    def is_changed(self, container: Any) -> bool:
        """Whether a list, dict or set was changed while the function was traced."""
        return self.dicts.is_changed(container) if not isinstance(container, list) else self.lists.is_changed(container)

    def _content_of_owner(self, function: Any) -> Any:
        """The content of the list or dict of a bound method."""
        owner = getattr(function, "__self__", None)
        return self.lists.content(owner) if isinstance(owner, list) else self.dicts.content(owner)

    def _method_of_content(self, content: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A method of a list, dict or set whose content only running tells, that changes nothing."""
        name = function.__name__
        if isinstance(content, Variant):
            made = lambda option: list(option) if isinstance(option, tuple) else set(option) if isinstance(option, frozenset) else option  # noqa: E731
            return each(self.tracer, lambda option: self._method_of_content(made(option), function, args, kwargs), content)
        if isinstance(content, list | dict | set):
            return self.call(getattr(content, name), args, kwargs)
        return self.host(getattr(type(function.__self__), name), (function.__self__, *args), kwargs)  # type: ignore[attr-defined]

    def _known(self, argument: Any) -> Any:
        content = self.lists.content(argument)
        if isinstance(content, Rows):
            return content.array
        return content if isinstance(content, Opaque) else argument


def _only_adds(function: Any) -> bool:
    """Whether a method of a list puts something at its end, so that what is in it doesn't matter."""
    return _is_list_method(function) and function.__name__ in ("append", "extend")


def _takes_arrays(function: Any) -> bool:
    """Whether a function takes a list for an array."""
    if isinstance(function, Op) or isinstance(getattr(function, "__self__", None), Traced):
        return True
    return (_is_hashable(function) and function in NUMPY) or _is_of_arrays(function)


def _is_of_arrays(function: Any) -> bool:
    """Whether a function is NumPy's or ours."""
    return str(getattr(function, "__module__", None) or "").partition(".")[0] in ("hybrid", "numpy")


PLAINLY: Final = {"__setattr__": "keep_attribute", "__delattr__": "drop_attribute", "__getattribute__": "look_up"}
OF_OBJECTS: Final = frozenset({*PLAINLY, "__call__"})
"""Methods of ``object`` that store and read attributes, and of ``type`` that makes objects."""


def is_made_of_stand_ins(owner: Any) -> bool:
    """Whether something stands for a value of the run, so that it has no attributes of its own."""
    return isinstance(owner, Traced | Variant | Opaque | Text)


TAKE_MANY: Final = frozenset(
    {"update", "__ior__", "__iand__", "__isub__", "__ixor__", "intersection_update", "difference_update", "symmetric_difference_update",
     "subtract"}
)  # fmt: skip
"""Methods that change dicts and sets by several keys at once."""


def _itself(container: Any) -> Any:
    return container


def _is_math(function: Any) -> bool:
    """Whether graphs have a function of ``math``."""
    name = getattr(function, "__name__", "")
    return getattr(math, name, None) is function and f"math.{name}" in PYTHON_FUNCTIONS


INTEGER_FUNCTIONS: Final = frozenset({"comb", "factorial", "gcd", "isqrt", "lcm", "perm"})
"""Functions of ``math`` that take what has ``__index__``; the others take what has ``__float__``."""

PICKY_FUNCTIONS: Final = frozenset({"ldexp", "trunc"})
"""Functions of ``math`` that look at the type of their arguments."""


def _is_for_math(name: str, value: Any) -> bool:
    """Whether a value is a Python number, or one of NumPy's that ``math`` takes for one."""
    if isinstance(value, Number | int | float):
        return True
    kinds = "iu" if name in INTEGER_FUNCTIONS else "" if name in PICKY_FUNCTIONS else "biuf"
    return isinstance(value, Traced) and value.shape == () and value.dtype.kind in kinds


def _python_number(name: str, value: Any) -> Any:
    """What ``math`` makes of a number of NumPy's."""
    if not isinstance(value, Traced) or isinstance(value, Number):
        return value
    number = OPS["item"](value)
    return number if name in INTEGER_FUNCTIONS or value.dtype.kind == "f" else OPS["call_python"](number, function="float")


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
