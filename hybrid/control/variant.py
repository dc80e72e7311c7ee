"""A value that is one of several things, and only running tells which: ``None`` or a number, bound or not, two shapes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from hybrid._util.tree import Structure, flatten
from hybrid._util.undefined import Undefined
from hybrid._util.unpacking import unpacker, wanted_count
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.spec import spec_of
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.ir.trace import Label
from hybrid.ir.traced import Traced

__all__ = ["Kind", "Variant", "alternatives", "chosen", "is_liftable", "kind_of", "same_constant"]


def _asked(function: Callable[..., Any], is_reflected: bool = False) -> Callable[..., Any]:
    """An operator on a variant: the operator on each of its alternatives."""

    def method(self: Variant, *others: Any) -> Any:
        return Variant.ask(function, *others, self) if is_reflected else Variant.ask(function, self, *others)

    return method


@dataclass(eq=False, repr=False, slots=True)
class Variant:
    """One of several alternatives.

    Attributes:
        tag: a traced integer: the position of the alternative.
        options: the alternatives; each a constant, or a container with traced leaves.
        ask: applies a function to each alternative of its arguments; given by ``hybrid.control.choice``.
    """

    tag: Any
    options: tuple[Any, ...]
    ask: ClassVar[Callable[..., Any]]
    __array_ufunc__: ClassVar[None] = None

    __add__, __radd__ = _asked(operator.add), _asked(operator.add, True)
    __sub__, __rsub__ = _asked(operator.sub), _asked(operator.sub, True)
    __mul__, __rmul__ = _asked(operator.mul), _asked(operator.mul, True)
    __truediv__, __rtruediv__ = _asked(operator.truediv), _asked(operator.truediv, True)
    __floordiv__, __rfloordiv__ = _asked(operator.floordiv), _asked(operator.floordiv, True)
    __mod__, __rmod__ = _asked(operator.mod), _asked(operator.mod, True)
    __pow__, __rpow__ = _asked(operator.pow), _asked(operator.pow, True)
    __matmul__, __rmatmul__ = _asked(operator.matmul), _asked(operator.matmul, True)
    __and__, __rand__ = _asked(operator.and_), _asked(operator.and_, True)
    __or__, __ror__ = _asked(operator.or_), _asked(operator.or_, True)
    __xor__, __rxor__ = _asked(operator.xor), _asked(operator.xor, True)
    __lshift__, __rlshift__ = _asked(operator.lshift), _asked(operator.lshift, True)
    __rshift__, __rrshift__ = _asked(operator.rshift), _asked(operator.rshift, True)
    __eq__, __ne__ = _asked(operator.eq), _asked(operator.ne)
    __lt__, __gt__ = _asked(operator.lt), _asked(operator.gt)
    __le__, __ge__ = _asked(operator.le), _asked(operator.ge)
    __neg__, __pos__ = _asked(operator.neg), _asked(operator.pos)
    __abs__, __invert__ = _asked(operator.abs), _asked(operator.invert)
    __hash__ = object.__hash__

    def __iter__(self) -> Any:
        count = wanted_count()
        if count is None:
            raise self.tag._unknown("tell what is iterated over by code that isn't converted")
        unpack = unpacker(count)
        items = Variant.ask(unpack, self)
        return iter(
            items if isinstance(items, tuple) else [Variant.ask(lambda option, i=i: unpack(option)[i], items) for i in range(count)]
        )

    def __repr__(self) -> str:
        return f"<one of {', '.join(map(repr, self.options))}>"


@dataclass(frozen=True, slots=True)
class Kind:
    """What two values must share to be carried by the same values of a graph.

    Attributes:
        structure: the containers.
        leaves: for each leaf what it is: a Python number's type; dtype, axes and flags of an array; a constant itself.
    """

    structure: Structure
    leaves: tuple[Any, ...]


def kind_of(value: Any) -> Kind:
    """The kind of a value."""
    leaves, structure = flatten(value)
    return Kind(structure, tuple(map(_leaf_kind, leaves)))


def _leaf_kind(leaf: Any) -> Any:
    if not is_liftable(leaf):
        return _Constant(_labelled(leaf))
    if type(leaf) in (bool, int, float, complex):
        return "number", spec_of(leaf).dtype
    if isinstance(leaf, Traced):
        form = "number" if leaf.spec.weak else ("tensor" if leaf.is_tensor else "numpy", leaf.is_scalar)
        return (form, leaf.dtype) if leaf.spec.weak else (form, leaf.dtype, leaf.ndim)
    array = leaf.numpy() if isinstance(leaf, Eager) else leaf
    is_scalar = isinstance(leaf._array if isinstance(leaf, Eager) else leaf, np.generic)
    return ("tensor" if isinstance(leaf, Eager) else "numpy", is_scalar), array.dtype, array.ndim


def _labelled(leaf: Any) -> Any:
    """A function with variables around it, or a class that a function makes, by its code: each attempt to trace makes it anew."""
    tracer: Any = INTERPRETER.get()
    if tracer is None:
        return leaf
    if isinstance(leaf, FunctionType) and leaf.__closure__:
        return tracer.label(leaf.__code__, leaf)
    if isinstance(leaf, type) and "<locals>" in leaf.__qualname__:
        return tracer.label((leaf.__module__, leaf.__qualname__), leaf)
    return leaf


class _Constant:
    """A leaf that is not a number, equal to the same leaf."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Constant) and same_constant(self.value, other.value)

    def __hash__(self) -> int:
        return hash(type(self.value))


def is_liftable(leaf: Any) -> bool:
    """Whether a graph can hold the value: a number, an array, or a stand-in for one."""
    return isinstance(leaf, Traced | Eager | np.ndarray | np.generic) or type(leaf) in (bool, int, float, complex)


def same_constant(a: Any, b: Any) -> bool:
    """Whether two values are one: the same object, or equal texts, numbers or frozen records of one type."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, float | complex):
        return repr(a) == repr(b)  # tells -0.0 from 0.0, and nan is nan
    return isinstance(a, str | bytes | int | frozenset | Undefined | Label) and a == b


def alternatives(value: Any) -> tuple[Any, ...]:
    """The things that a value can be."""
    return value.options if isinstance(value, Variant) else (value,)


def chosen(tag: Any, positions: Sequence[int]) -> Any:
    """The number at a tag's place in a list, as nested choices over a traced tag."""
    if list(positions) == list(range(len(positions))):
        return tag
    result: Any = positions[-1]
    for i, position in reversed(list(enumerate(positions[:-1]))):
        result = OPS["call_python"](tag == i, position, result, function="choose")
    return result
