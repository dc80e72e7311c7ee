"""What a function sees while it is traced: stand-ins for arrays, scalars and Python numbers."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hybrid.core.cell import Cell, Storage, View, roots
from hybrid.core.operators import Operators, refuse_overlap
from hybrid.core.spec import Spec
from hybrid.core.table import NUMPY, OPS
from hybrid.core.tensor import call_numpy
from hybrid.errors import StagingError

__all__ = ["Number", "Traced"]


class Traced(Operators):
    """Stands for an array, or a scalar, while a function is traced.

    Args:
        tracer: who traces.
        storage: where its value is.
        steps: elements from one to the next along each axis; ``None`` if they aren't known.
        is_scalar: NumPy has a scalar here, which can't be written to, not an array.
        is_tensor: the function sees a ``Tensor`` here, not what NumPy has.
    """

    __slots__ = ("is_scalar", "is_tensor", "steps", "storage", "tracer")
    __array_priority__ = 2000

    def __init__(self, tracer: Any, storage: Storage, steps: Any = None, is_scalar: bool = False, is_tensor: bool = False):
        self.tracer, self.storage, self.is_scalar, self.is_tensor = tracer, storage, is_scalar, is_tensor
        self.steps = steps

    # -- what it is -------------------------------------------------------------------------------------------------
    @property
    def value(self) -> Any:
        """The graph's value at this point of the program."""
        return self.storage.read()

    @property
    def spec(self) -> Spec:
        """Its dtype and shape."""
        return self.value.spec

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes; a symbol where a size isn't known."""
        return self.spec.shape

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return self.spec.dtype

    @property
    def is_written(self) -> bool:
        """Whether its own cell was written while tracing."""
        return isinstance(self.storage, Cell) and self.storage.is_written

    @property
    def is_read_only(self) -> bool:
        """Whether it is an array from outside that can't be written."""
        return isinstance(self.storage, View) and self.storage.is_read_only

    @property
    def _memory(self) -> frozenset[Any]:
        return roots(self.storage)

    @property
    def _is_writable(self) -> bool:
        return not self.is_scalar

    def __getattr__(self, name: str) -> Any:
        if hasattr(np.ndarray, name) and not name.startswith("__"):
            raise StagingError(f"the memory of {self!r} doesn't exist while tracing: it has no {name} yet")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    @property
    def flat(self) -> Flat:
        """The elements one by one."""
        return Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        Flat(self)[...] = value

    # -- items ------------------------------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        if self.is_scalar and not self.is_tensor and not all(map(_fits_scalar, key if isinstance(key, tuple) else (key,))):
            raise IndexError("invalid index to scalar variable.")
        return NUMPY[operator.getitem](self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.is_scalar:
            raise TypeError(f"'{self.dtype.type.__module__}.{self.dtype.name}' object does not support item assignment")
        NUMPY[operator.setitem](self, key, value)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return operator.index(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            is_numpys = self.is_scalar and not self.is_tensor
            raise TypeError(f"cannot unpack non-iterable numpy.{self.dtype.name} object" if is_numpys else "iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    # -- what only values have --------------------------------------------------------------------------------------
    def __bool__(self) -> bool:
        raise self._unknown("decide a Python branch")

    def __int__(self) -> int:
        raise self._unknown("become a Python integer")

    def __float__(self) -> float:
        raise self._unknown("become a Python float")

    def __complex__(self) -> complex:
        raise self._unknown("become a Python complex number")

    def __index__(self) -> int:
        raise self._unknown("be a Python index")

    def __eq__(self, other: Any) -> Any:
        return False if other is None and self.is_scalar and not self.is_tensor else Operators.__eq__(self, other)

    def __ne__(self, other: Any) -> Any:
        return True if other is None and self.is_scalar and not self.is_tensor else Operators.__ne__(self, other)

    def __hash__(self) -> int:
        if self.is_tensor:
            return object.__hash__(self)
        if self.is_scalar:
            raise self._unknown("be a key of a dict or a set")
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise self._unknown("become a NumPy array")

    def _unknown(self, what: str) -> StagingError:
        self.tracer.needed = self.value
        error = StagingError(f"the values of {self!r} aren't known while tracing: it can't {what}")
        self.tracer.refused.append(error)
        return error

    # -- protocols --------------------------------------------------------------------------------------------------
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return (
            call_numpy(ufunc, inputs, kwargs) if method == "__call__" else call_numpy(getattr(np.ufunc, method), (ufunc, *inputs), kwargs)
        )

    def __array_function__(self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return call_numpy(function, args, kwargs)

    def _numpy(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return call_numpy(function, args, kwargs)

    def __repr__(self) -> str:
        if sys._getframe(1).f_code.co_filename.startswith("<hybrid "):
            raise self._unknown("become text")  # in code of the user's, such as "%r" % x
        return f"<traced {self.spec}>"

    def __str__(self) -> str:
        raise self._unknown("become text")

    def __format__(self, spec: str) -> str:
        raise self._unknown("become text")


STRANGERS = frozenset({type(None), str, bytes, list, tuple, dict, set, frozenset, range, type, type(Ellipsis)})
"""Types whose objects are never equal to a number, and can't be added to one."""
REPEATS = frozenset({"mul", "mod", "divmod"})
"""Operators that sequences and texts have with numbers."""


def _fits_scalar(key: Any) -> bool:
    """Whether NumPy's scalars take a part of an index: ``None``, ``...``, and booleans without axes."""
    is_bool = isinstance(key, bool | np.bool) or (isinstance(key, Traced | np.ndarray) and key.dtype.kind == "b" and not key.shape)
    return key is None or key is Ellipsis or is_bool


def _of_numbers(function: str, name: str) -> Callable[..., Any]:
    """An operator of Python numbers; with anything else NumPy's meaning holds."""

    def method(self: Number, *others: Any) -> Any:
        if all(type(other) in (bool, int, float, complex) or isinstance(other, Number) for other in others):
            operands = (*others, self) if name.startswith("__r") and name != "__rshift__" else (self, *others)
            return OPS["call_python"](*operands, function=function)
        if len(others) == 1 and type(others[0]) in STRANGERS and function not in REPEATS:
            number = self.dtype.type(1).item()  # whatever it is, Python compares it so, or refuses it
            left, right = (others[0], number) if name.startswith("__r") and name != "__rshift__" else (number, others[0])
            return getattr(operator, function)(left, right)
        return getattr(Operators, name)(self, *others)

    return method


class Flat:
    """The elements of an array one by one in the order of C, as ``numpy.ndarray.flat``: reads are copies, writes go through.

    Args:
        base: the array.
    """

    __slots__ = ("base",)

    def __init__(self, base: Traced):
        self.base = base

    def __getitem__(self, key: Any) -> Any:
        return self.base.flatten()[key].copy()

    def __setitem__(self, key: Any, value: Any) -> None:
        refuse_overlap("writing to flat", self.base, value)
        elements = self.base.flatten()
        call_numpy(np.put, (elements, np.arange(elements.size)[key], value), {})
        self.base[...] = elements.reshape(self.base.shape)

    def __len__(self) -> int:
        return operator.index(self.base.size)

    def __iter__(self) -> Iterator[Any]:
        elements = self.base.flatten()
        return (elements[i] for i in range(len(self)))

    def copy(self) -> Any:
        """The elements on one axis."""
        return self.base.flatten()


class Number(Traced):
    """Stands for a Python number: operators between such have Python's meaning."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise self._unknown("be a key or an item of a set")

    __add__, __radd__ = _of_numbers("add", "__add__"), _of_numbers("add", "__radd__")
    __sub__, __rsub__ = _of_numbers("sub", "__sub__"), _of_numbers("sub", "__rsub__")
    __mul__, __rmul__ = _of_numbers("mul", "__mul__"), _of_numbers("mul", "__rmul__")
    __truediv__, __rtruediv__ = _of_numbers("truediv", "__truediv__"), _of_numbers("truediv", "__rtruediv__")
    __floordiv__, __rfloordiv__ = _of_numbers("floordiv", "__floordiv__"), _of_numbers("floordiv", "__rfloordiv__")
    __mod__, __rmod__ = _of_numbers("mod", "__mod__"), _of_numbers("mod", "__rmod__")
    __divmod__, __rdivmod__ = _of_numbers("divmod", "__divmod__"), _of_numbers("divmod", "__rdivmod__")
    __and__, __rand__ = _of_numbers("and_", "__and__"), _of_numbers("and_", "__rand__")
    __or__, __ror__ = _of_numbers("or_", "__or__"), _of_numbers("or_", "__ror__")
    __xor__, __rxor__ = _of_numbers("xor", "__xor__"), _of_numbers("xor", "__rxor__")
    __lshift__, __rlshift__ = _of_numbers("lshift", "__lshift__"), _of_numbers("lshift", "__rlshift__")
    __rshift__, __rrshift__ = _of_numbers("rshift", "__rshift__"), _of_numbers("rshift", "__rrshift__")
    __pow__, _power_of = _of_numbers("pow", "__pow__"), _of_numbers("pow", "__rpow__")

    def __rpow__(self, other: Any, modulo: None = None) -> Any:
        if isinstance(other, Traced) and other.dtype.kind == "b" and not other.is_scalar:
            raise self._unknown("be the exponent of booleans, which decides the dtype of the powers")
        return self._power_of(other) if modulo is None else NotImplemented

    __lt__, __gt__ = _of_numbers("lt", "__lt__"), _of_numbers("gt", "__gt__")
    __le__, __ge__ = _of_numbers("le", "__le__"), _of_numbers("ge", "__ge__")
    __eq__, __ne__ = _of_numbers("eq", "__eq__"), _of_numbers("ne", "__ne__")
    __neg__, __pos__ = _of_numbers("neg", "__neg__"), _of_numbers("pos", "__pos__")
    __abs__, __invert__ = _of_numbers("abs", "__abs__"), _of_numbers("invert", "__invert__")
    __round__ = _of_numbers("round", "__round__")
    __iter__ = None  # type: ignore[assignment]

    __iadd__, __isub__, __imul__, __itruediv__ = __add__, __sub__, __mul__, __truediv__
    __ifloordiv__, __imod__, __ipow__ = __floordiv__, __mod__, __pow__
    __iand__, __ior__, __ixor__, __ilshift__, __irshift__ = __and__, __or__, __xor__, __lshift__, __rshift__
