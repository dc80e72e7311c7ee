"""Mutable state: what models train."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.refusal import is_foreign, refusal
from hybrid.core.shortcuts import BINARY
from hybrid.core.table import NUMPY
from hybrid.core.tensor import Eager, Tensor, described_array, element, plain, wrap
from hybrid.errors import DTypeError, ShapeError

__all__ = ["Variable"]


class Variable(Eager):
    """A value with an identity, changed by ``assign`` and its relatives or by item assignment; read, it acts as a tensor.

    What was read before a change keeps the old values: changes replace the variable's array, and reads share it read-only.
    Of something read, an augmented assignment makes a new value, so that ``w[1:] += 1`` changes the variable.

    Args:
        initial_value: anything that ``hybrid.asarray`` takes, or a function without arguments that returns it; copied.
        trainable: whether gradients are wanted by default.
        name: for messages and summaries; ``"Variable"`` if not given.
        dtype: the dtype of the values; that of ``initial_value`` if not given.

    >>> import hybrid
    >>> w = hybrid.Variable([1.0, 2.0], name="w")
    >>> w.assign_add([0.5, 0.5])
    Variable([1.5, 2.5], dtype=float64, name='w')
    >>> w * 2
    Tensor([3., 5.], dtype=float64)
    """

    __slots__ = ("_name", "_trainable")

    def __init__(self, initial_value: Any, trainable: bool = True, name: str | None = None, dtype: Any = None):
        value = initial_value() if callable(initial_value) else initial_value
        self._array = _frozen(np.array(asarray(value, dtype=dtype)))
        self._trainable = bool(trainable)
        self._name = "Variable" if name is None else str(name)

    @property
    def name(self) -> str:
        """The name, for messages and summaries."""
        return self._name

    @property
    def trainable(self) -> bool:
        """Whether gradients are wanted by default."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)

    # -- reads ------------------------------------------------------------------------------------------------------
    @property
    def value(self) -> Tensor:
        """The present values, as a tensor that later changes of the variable leave alone; it can't be written to."""
        return _snapshot(self._array)

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        is_shared = type(item) is Tensor and type(item._array) is np.ndarray and not item.flags.writeable
        return _snapshot(item._array) if is_shared else item

    # -- changes ----------------------------------------------------------------------------------------------------
    def assign(self, value: Any) -> Variable:
        """Replace the values; they are cast to the variable's dtype where NumPy calls that the same kind.

        Python's integers may also become unsigned ones, if they fit.

        Raises ``ShapeError`` (a ``ValueError``) for another shape, ``DTypeError`` (a ``TypeError``) for a dtype of another kind,
        ``OverflowError`` for integers that don't fit.
        """
        try:
            new = asarray(value).numpy()
            if new.dtype.kind in "iu" and self.dtype.kind in "iu" and isinstance(value, int | list | tuple):
                new = asarray(value, dtype=self.dtype).numpy()
        except Exception as error:
            if is_foreign(error):
                raise
            raise type(error)(f"{error}\n  for the variable {self.name!r}") from None
        if new.shape != self.shape:
            raise ShapeError(f"wanted a value of shape {self.shape} for the variable {self.name!r}, received shape {new.shape}")
        if not np.can_cast(new.dtype, self.dtype, "same_kind"):
            raise DTypeError(f"wanted a value that casts to {self.dtype.name} for the variable {self.name!r}, received {new.dtype.name}")
        self._written(np.array(new, dtype=self.dtype))
        return self

    def assign_add(self, delta: Any) -> Variable:
        """Add to the values."""
        return self.assign(self + delta)

    def assign_sub(self, delta: Any) -> Variable:
        """Subtract from the values."""
        return self.assign(self - delta)

    def __setitem__(self, key: Any, value: Any) -> None:
        if INTERPRETER.get() is not None:
            NUMPY[operator.setitem](self, key, value)
            return
        new = self._out()
        try:
            new[plain(key)] = element(value)
        except Exception as error:
            raise refusal(error, "item assignment", (self, key, value)) from None
        self._written(new)

    @property
    def _is_writable(self) -> bool:
        return True

    def _out(self) -> Any:
        return np.array(self._array)

    def _written(self, array: Any) -> None:
        self._array = _frozen(array)

    # -- text and copies --------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        switch = "" if self.trainable else ", trainable=False"
        return described_array("Variable", self._array, f", name={self.name!r}{switch}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Variable, (np.array(self._array), self.trainable, self.name)

    def __copy__(self) -> Variable:
        return Variable(self, self.trainable, self.name)

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        return self.__copy__()


def _frozen(array: np.ndarray) -> np.ndarray:
    """The array, made read-only, since readers share it."""
    array.flags.writeable = False
    return array


class Snapshot(Tensor):
    """What was read from a variable: it can't be written to, and an augmented assignment makes a new tensor."""

    __slots__ = ()


def _snapshot(array: Any) -> Snapshot:
    made = object.__new__(Snapshot)
    made._array = array
    return made


def _on_a_copy(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Snapshot, other: Any) -> Any:
        return function(wrap(np.array(self._array)), other)

    return method


for _name in BINARY:
    setattr(Snapshot, f"__i{_name}__", _on_a_copy(getattr(operator, f"__i{_name}__")))
