"""The short way from a tensor to NumPy.

Most of what an operation on a small tensor costs is the way to NumPy. Where NumPy runs at once and no argument needs a closer
look, operators and methods go straight to the array's own; in all other cases they are those of ``Operators``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

import numpy as np

from hybrid.core.interpreter import INTERPRETER
from hybrid.core.kinds import NUMBERS, PLAIN
from hybrid.core.operators import is_operand
from hybrid.core.refusal import is_foreign, refusal, told

__all__ = ["Shortcuts"]

BINARY: Final = {
    "add": (operator.add, "add"), "sub": (operator.sub, "subtract"), "mul": (operator.mul, "multiply"),
    "truediv": (operator.truediv, "divide"), "floordiv": (operator.floordiv, "floor_divide"),
    "mod": (operator.mod, "remainder"), "pow": (operator.pow, "pow"), "matmul": (operator.matmul, "matmul"),
    "and": (operator.and_, "bitwise_and"), "or": (operator.or_, "bitwise_or"), "xor": (operator.xor, "bitwise_xor"),
    "lshift": (operator.lshift, "bitwise_left_shift"), "rshift": (operator.rshift, "bitwise_right_shift"),
}  # fmt: skip
"""Python's operators that have a reflected and an in-place form: the function of each, and the operation that it is."""

COMPARISONS: Final = {
    "lt": (operator.lt, "less"), "le": (operator.le, "less_equal"), "eq": (operator.eq, "equal"),
    "ne": (operator.ne, "not_equal"), "gt": (operator.gt, "greater"), "ge": (operator.ge, "greater_equal"),
}  # fmt: skip

UNARY: Final = {
    "neg": (operator.neg, "negative"), "pos": (operator.pos, "positive"), "abs": (operator.abs, "abs"),
    "invert": (operator.invert, "bitwise_invert"),
}  # fmt: skip

METHODS: Final = (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "clip", "compress", "conj", "conjugate", "copy",
    "cumprod", "cumsum", "diagonal", "dot", "flatten", "max", "mean", "min", "nonzero", "prod", "ravel", "reshape",
    "round", "searchsorted", "squeeze", "std", "sum", "swapaxes", "trace", "transpose", "var",
)  # fmt: skip

OTHERS: Final = (
    "astype", "choose", "fill", "item", "partition", "put", "repeat", "sort", "take", "tobytes", "tolist", "view",
)  # fmt: skip
"""Methods without a short way."""

SIMPLE: Final = PLAIN | {tuple}
"""The types of arguments that NumPy's methods can be given as they are."""

_in_charge = INTERPRETER.get
_new = object.__new__


@dataclass(frozen=True)
class Shortcuts:
    """Makes the methods: each tries the short way, and takes the general one if the short one isn't open."""

    tensor: type
    wrap: Callable[[Any], Any]
    unwrap: Callable[[Any], Any]
    only_tensors: Callable[[Any], Any]

    def attach(self, eager: type) -> None:
        """Give a class that has its values in ``_array`` the short ways, and the class of tensors those that write in place."""
        for name, (function, op) in (BINARY | COMPARISONS).items():
            self._set(eager, f"__{name}__", self._binary, function, op)
        for name, (function, op) in BINARY.items():
            self._set(eager, f"__r{name}__", self._reflected, function, op)
            self._set(self.tensor, f"__i{name}__", self._in_place, getattr(operator, f"__i{name}__"), op)
        for name, (function, op) in UNARY.items():
            self._set(eager, f"__{name}__", self._unary, function, op)
        for name in METHODS:
            self._set(eager, name, self._method, name)
        for name in OTHERS:
            for owner in (eager, self.tensor):
                if name in vars(owner) or owner is eager:
                    self._set(owner, name, self._explained, name)

    def _set(self, owner: type, name: str, make: Callable[..., Any], *facts: Any) -> None:
        general = getattr(owner, name)
        setattr(owner, name, wraps(general)(make(general, *facts)))

    def _binary(self, general: Callable[[Any, Any], Any], function: Callable[[Any, Any], Any], op: str) -> Callable[[Any, Any], Any]:
        tensor = self.tensor

        def method(x: Any, other: Any) -> Any:
            kind = type(other)
            if (kind is not tensor and kind not in NUMBERS) or _in_charge() is not None:
                has_rules = hasattr(kind, "__array_ufunc__") and not is_operand(other)  # what pandas has, say, meets a plain array
                return function(x._array, other) if has_rules and _in_charge() is None else general(x, other)
            try:
                result = function(x._array, other._array if kind is tensor else other)
            except Exception as error:
                raise refusal(error, f"hybrid.{op}", (x, other), names=("x1", "x2")) from None
            made = _new(tensor)
            made._array = result
            return made

        return method

    def _reflected(self, general: Callable[[Any, Any], Any], function: Callable[[Any, Any], Any], op: str) -> Callable[[Any, Any], Any]:
        wrap = self.wrap

        def method(x: Any, other: Any) -> Any:
            if type(other) not in NUMBERS or _in_charge() is not None:
                return general(x, other)
            try:
                return wrap(function(other, x._array))
            except Exception as error:
                raise refusal(error, f"hybrid.{op}", (other, x), names=("x1", "x2")) from None

        return method

    def _in_place(self, general: Callable[[Any, Any], Any], function: Callable[[Any, Any], Any], op: str) -> Callable[[Any, Any], Any]:
        tensor, wrap, unwrap = self.tensor, self.wrap, self.unwrap

        def method(x: Any, other: Any) -> Any:
            kind = type(other)
            is_array = kind is tensor or kind in NUMBERS or is_operand(other) or isinstance(other, np.ndarray)
            if type(x) is not tensor or _in_charge() is not None or not is_array:
                return general(x, other)
            try:
                result = function(x._array, other._array if kind is tensor else other if kind in NUMBERS else unwrap(other))  # pyright: ignore[reportAttributeAccessIssue]
            except Exception as error:
                raise refusal(error, f"hybrid.{op}", (x, other), names=("x1", "x2")) from None
            return x if result is x._array else wrap(result)

        return method

    def _unary(self, general: Callable[[Any], Any], function: Callable[[Any], Any], op: str) -> Callable[[Any], Any]:
        wrap = self.wrap

        def method(x: Any) -> Any:
            if _in_charge() is not None:
                return general(x)
            try:
                return wrap(function(x._array))
            except Exception as error:
                raise refusal(error, f"hybrid.{op}", (x,), names=("x",)) from None

        return method

    def _method(self, general: Callable[..., Any], name: str) -> Callable[..., Any]:
        tensor, wrap, only_tensors, is_simple = self.tensor, self.wrap, self.only_tensors, SIMPLE.issuperset

        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                if _in_charge() is not None or (kwargs and not is_simple(map(type, kwargs.values()))):
                    return general(self, *args, **kwargs)
                given = args
                if len(args) == 1 and type(args[0]) is tensor:
                    given = (args[0]._array,)
                elif args and not is_simple(map(type, args)):
                    return general(self, *args, **kwargs)
                made = wrap(getattr(self._array, name)(*given, **kwargs))
                return made if type(made) is tensor else only_tensors(made)
            except Exception as error:
                if is_foreign(error):
                    raise
                raise refusal(told(error), f"Tensor.{name}", (self, *args), kwargs, names=general) from None

        return method

    def _explained(self, general: Callable[..., Any], name: str) -> Callable[..., Any]:
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return general(self, *args, **kwargs)
            except Exception as error:
                if is_foreign(error):
                    raise
                raise refusal(told(error), f"Tensor.{name}", (self, *args), kwargs, names=general) from None

        return method
