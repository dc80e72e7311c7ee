"""Sizes of arrays in a function that is traced with symbols for them: numbers that know their symbol."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hybrid.core.dim import Atom, Dim, DimLike
from hybrid.core.table import OPS
from hybrid.ir.traced import Number

__all__ = ["Size", "size_number"]


def _of_sizes(operation: Callable[[Any, Any], Any], name: str) -> Callable[[Any, Any], Any]:
    """An operator on sizes: between sizes and integers the result is a size again."""

    def method(self: Size, other: Any) -> Any:
        number = getattr(Number, name)(self, other)
        mine, theirs = self.dim, other.dim if isinstance(other, Size) else other
        if type(theirs) is not int and not isinstance(other, Size):
            return number
        a, b = (theirs, mine) if name.startswith("__r") else (mine, theirs)
        dim = None if b == 0 and name.endswith(("div__", "mod__")) else operation(a, b)
        return dim if isinstance(dim, int) else number if dim is None else Size(number, dim)

    return method


class Size(Number):
    """A Python integer that is the size of an axis, or computed from such.

    Args:
        number: a traced integer.
        dim: the same as an expression over symbols, for use in shapes.
    """

    __slots__ = ("dim",)

    def __init__(self, number: Number, dim: Dim):
        super().__init__(number.tracer, number.storage, number.steps, True, False)
        self.dim = dim

    __add__, __radd__ = _of_sizes(operator.add, "__add__"), _of_sizes(operator.add, "__radd__")
    __sub__, __rsub__ = _of_sizes(operator.sub, "__sub__"), _of_sizes(operator.sub, "__rsub__")
    __mul__, __rmul__ = _of_sizes(operator.mul, "__mul__"), _of_sizes(operator.mul, "__rmul__")
    __floordiv__, __rfloordiv__ = _of_sizes(operator.floordiv, "__floordiv__"), _of_sizes(operator.floordiv, "__rfloordiv__")
    __mod__ = _of_sizes(operator.mod, "__mod__")
    __iadd__, __isub__, __imul__, __ifloordiv__, __imod__ = __add__, __sub__, __mul__, __floordiv__, __mod__


def size_number(tracer: Any, dim: DimLike) -> Any:
    """A size as a function sees it: a Python integer where it is known, else a traced one."""
    if not isinstance(dim, Dim):
        return dim
    total: Any = 0
    for monomial, factor in dim.terms:
        term: Any = factor
        for atom in monomial:
            term = _call("mul", _atom(tracer, atom), term) if term != 1 or not isinstance(term, int) else _atom(tracer, atom)
        total = term if isinstance(total, int) and total == 0 else _call("add", total, term)
    return Size(total, dim)


def _atom(tracer: Any, atom: Atom) -> Number:
    if not atom.args:
        builder, value, axis = tracer.builder.where_size(atom.name)  # inside goes the number, not the array
        (number,) = builder.emit(OPS["dimension"], [value], {"axis": axis})
        return tracer.fresh(number, is_scalar=True)
    a, b = (size_number(tracer, arg) for arg in atom.args)
    return _call(atom.name if atom.name in ("max", "min", "mod") else "floordiv", a, b)


def _call(function: str, a: Any, b: Any) -> Number:
    return OPS["call_python"](a, b, function=function)
