"""Mutable state: what models train."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.dtypes import as_dtype, is_supported
from hybrid.core.tensor import Eager, Tensor, described_array, unwrap, wrap
from hybrid.errors import DTypeError, ShapeError

__all__ = ["Variable"]


class Variable(Eager):
    """A value with an identity, changed by ``assign`` and its relatives or by item assignment; read, it acts as a tensor.

    What was read before a change keeps the old values: changes replace the variable's array, and reads share it read-only.

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
        array = np.array(unwrap(value), dtype=None if dtype is None else as_dtype(dtype))
        if not is_supported(array.dtype):
            as_dtype(array.dtype)
        self._array = _frozen(array)
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

    @property
    def value(self) -> Tensor:
        """The present values, as a tensor that later changes of the variable leave alone; it can't be written to."""
        return wrap(self._array)

    def assign(self, value: Any) -> Variable:
        """Replace the values; they are cast to the variable's dtype where NumPy calls that the same kind.

        Raises ``ShapeError`` (a ``ValueError``) for another shape and ``DTypeError`` (a ``TypeError``) for a dtype of another kind.
        """
        new = np.asarray(unwrap(value))
        if new.shape != self.shape:
            raise ShapeError(f"wanted a value of shape {self.shape} for the variable {self.name!r}, received shape {new.shape}")
        is_same_kind = np.can_cast(new.dtype, self.dtype, "same_kind")
        if not is_same_kind and not (isinstance(value, int | list | tuple) and new.dtype.kind in "iu" and self.dtype.kind in "iu"):
            raise DTypeError(f"wanted a value that casts to {self.dtype.name} for the variable {self.name!r}, received {new.dtype.name}")
        self._array = _frozen(np.array(new if is_same_kind else value, dtype=self.dtype))
        return self

    def assign_add(self, delta: Any) -> Variable:
        """Add to the values."""
        return self.assign(self + delta)

    def assign_sub(self, delta: Any) -> Variable:
        """Subtract from the values."""
        return self.assign(self - delta)

    def __setitem__(self, key: Any, value: Any) -> None:
        new = wrap(np.array(self._array))
        new[key] = value
        self.assign(new)

    @property
    def _is_writable(self) -> bool:
        return True

    def _out(self) -> Any:
        return np.array(self._array)

    def _written(self, array: Any) -> None:
        self._array = _frozen(array)

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
