"""The kinds of arguments: what a trace belongs to, and which sizes of arrays are symbols in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

import numpy as np

from hybrid.core.dim import DimLike, symbol
from hybrid.core.spec import Spec
from hybrid.core.tensor import Tensor

__all__ = [
    "KEYS",
    "Pattern",
    "distinct",
    "exact",
    "is_array",
    "is_input",
    "is_read_only",
    "key_of",
    "plain_function",
    "rank_of",
    "shares_memory",
]


def _array_key(x: np.ndarray) -> Any:
    return x.dtype, x.shape, x.strides


def _tensor_key(x: Tensor) -> Any:
    array = x._array
    return Tensor, type(array), array.dtype, array.shape, array.strides


KEYS: Final[dict[type, Callable[[Any], Any]]] = {
    np.ndarray: _array_key,
    Tensor: _tensor_key,
    **{kind: (lambda x, kind=kind: kind) for kind in (bool, int, float, complex)},
}
"""How to tell arguments apart that need different traces, for the types that are passed to graphs."""


def is_input(leaf: Any) -> bool:
    """Whether a leaf of the arguments is an input of the graph; anything else is a constant."""
    return type(leaf) in KEYS or isinstance(leaf, np.generic | np.ndarray)


def is_array(leaf: Any) -> bool:
    """Whether a leaf is an array or a tensor: it may be given twice."""
    return isinstance(leaf, np.ndarray | Tensor)


def shares_memory(a: Any, b: Any) -> bool:
    """Whether writing into one of two arrays or scalars may change the other."""
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)) or (a is not b and a.base is None and b.base is None):
        return False
    try:
        return np.shares_memory(a, b, max_work=1000)  # pyright: ignore[reportArgumentType] - any number will do
    except np.exceptions.TooHardError:
        return True


def is_read_only(leaf: Any) -> bool:
    """Whether a leaf is an array or a tensor that can't be written."""
    return is_array(leaf) and not (leaf._array if isinstance(leaf, Tensor) else leaf).flags.writeable


def distinct(arguments: Sequence[Any]) -> Callable[[Sequence[Any]], bool] | None:
    """A function that tells whether the arrays among arguments like these are all different objects; ``None`` if they must be."""
    arrays = [i for i, x in enumerate(arguments) if is_array(x)]
    pairs = " and ".join(f"x[{i}] is not x[{j}]" for i in arrays for j in arrays if i < j)
    return eval(f"lambda x: {pairs}") if pairs else None


def plain_function(function: Any) -> FunctionType:
    """The Python function inside of a method, ``partial`` or callable object."""
    for name in ("__func__", "func"):
        if hasattr(function, name):
            return plain_function(getattr(function, name))
    return function if isinstance(function, FunctionType) else plain_function(type(function).__call__)


def key_of(leaf: Any) -> Any:
    """What tells a leaf of the arguments from others that need a trace of their own."""
    key = KEYS.get(type(leaf))
    if key is not None:
        return key(leaf)
    if isinstance(leaf, np.ndarray):
        return type(leaf), *_array_key(leaf)
    if isinstance(leaf, np.generic):
        return type(leaf)
    return (type(leaf), leaf) if isinstance(leaf, str | bytes | None) else (object, id(leaf))


def exact(number: Any) -> Any:
    """What tells a constant of a trace from others: 0.0 from -0.0 too, and one nan is another."""
    return number if isinstance(number, int) else (number.dtype.str, number.tobytes()) if isinstance(number, np.generic) else repr(number)


def rank_of(leaf: Any) -> Any:
    """The key without sizes: leaves that differ in sizes only have the same."""
    array = leaf._array if isinstance(leaf, Tensor) else leaf
    if isinstance(array, np.ndarray):
        order = "C" if array.flags.c_contiguous else array.strides
        return type(leaf), array.dtype, array.ndim, order, array.flags.writeable
    return key_of(leaf)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Which shapes a trace is for.

    Attributes:
        shapes: for each leaf its sizes, numbers or names; ``None`` for a leaf that is no array.
    """

    shapes: tuple[tuple[int | str, ...] | None, ...]

    @staticmethod
    def exact(leaves: Sequence[Any]) -> Pattern:
        """Just the shapes of these leaves."""
        return Pattern(tuple(_shape(leaf) for leaf in leaves))

    def fits(self, leaves: Sequence[Any]) -> bool:
        """Whether the leaves have these shapes: equal names mean equal sizes, none of them 0 or 1."""
        sizes: dict[str, int] = {}
        for wanted, leaf in zip(self.shapes, leaves, strict=True):
            for want, size in zip(wanted or (), _shape(leaf) or (), strict=True):
                if isinstance(want, str):
                    if size < 2 or sizes.setdefault(want, size) != size:
                        return False
                elif want != size:
                    return False
        return True

    def widened(self, leaves: Sequence[Any]) -> Pattern:
        """With names for the sizes in which the leaves differ; sizes that went together have one name. 0 and 1 stay numbers."""
        names: dict[Any, str] = {}
        return Pattern(
            tuple(
                None if wanted is None else tuple(_common(w, n, names) for w, n in zip(wanted, _shape(leaf) or (), strict=True))
                for wanted, leaf in zip(self.shapes, leaves, strict=True)
            )
        )

    def spec(self, i: int, spec: Spec) -> Spec | None:
        """The spec of a leaf, with symbols; ``None`` if all its sizes are numbers."""
        shape = self.shapes[i]
        if shape is None or not any(isinstance(size, str) for size in shape):
            return None
        dims: list[DimLike] = [symbol(size) if isinstance(size, str) else size for size in shape]
        return Spec(spec.dtype, tuple(dims))


def _common(wanted: int | str, size: int, names: dict[Any, str]) -> int | str:
    if wanted == size or size < 2 or (isinstance(wanted, int) and wanted < 2):
        return size if not isinstance(wanted, str) or size < 2 else wanted
    return names.setdefault((wanted, size), f"n{len(names)}")


def _shape(leaf: Any) -> tuple[int, ...] | None:
    array = leaf._array if isinstance(leaf, Tensor) else leaf
    return array.shape if isinstance(array, np.ndarray) else None
