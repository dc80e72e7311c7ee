"""Indices in two parts: a pattern that is known while tracing, and the arrays and numbers that only running tells.

``x[1:, ..., i]`` has the pattern ``(Slice(1), ..., Slot(0))``, written ``[1:, ..., $0]``, and the dynamic part ``i``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, Final, TypeAlias

import numpy as np

from hybrid.core.operators import Operators
from hybrid.core.table import OPS

__all__ = ["Part", "Pattern", "Slice", "Slot", "encode", "fill", "has_operators", "parse", "text"]

NOT_AN_INDEX: Final = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices"
)
NOT_AN_INDEX_ARRAY: Final = "arrays used as indices must be of integer (or boolean) type"
NOT_A_BOUND: Final = "slice indices must be integers or None or have an __index__ method"


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a dynamic part, by its number; prints as ``$0``."""

    number: int

    def __str__(self) -> str:
        return f"${self.number}"


@dataclass(frozen=True, slots=True)
class Slice:
    """A hashable slice whose bounds may be dynamic; prints as ``1:$0:2``."""

    start: int | Slot | None = None
    stop: int | Slot | None = None
    step: int | Slot | None = None

    @property
    def bounds(self) -> tuple[int | Slot | None, ...]:
        """Start, stop and step."""
        return self.start, self.stop, self.step

    def __str__(self) -> str:
        start, stop, step = ("" if bound is None else str(bound) for bound in self.bounds)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"


Part: TypeAlias = int | Slot | Slice | EllipsisType | None
"""One entry of a pattern; ``None`` is a new axis."""

Pattern: TypeAlias = tuple[Part, ...]
"""The entries of a key in the user's order."""


def encode(key: Any) -> tuple[Pattern, list[Any]]:
    """The pattern of a user's key, and its dynamic parts in order.

    Integers and slices of integers are static; arrays, lists, booleans (which are masks), tensors and traced values are
    dynamic.

    Raises:
        IndexError: for what can't be an index.
        TypeError: for slice bounds that are no integers.
        ValueError: for ragged lists.

    >>> pattern, indices = encode((0, slice(None, 3), [1, 2]))
    >>> text(pattern), indices
    ('[0, :3, $0]', [array([1, 2])])
    """
    indices: list[Any] = []
    parts = key if isinstance(key, tuple) else (key,)
    return tuple(_encoded(part, indices) for part in parts), indices


def fill(pattern: Pattern, indices: Sequence[Any]) -> tuple[Any, ...]:
    """The key that NumPy understands.

    >>> fill((0, Slice(Slot(0)), Slot(1)), [2, np.array([0, 1])])
    (0, slice(2, None, None), array([0, 1]))
    """
    return tuple(_filled(part, indices) for part in pattern)


def text(pattern: Pattern) -> str:
    """The pattern as a user would write it, dynamic parts as ``$0``, ``$1``, …

    >>> text((1, Slice(None, None, 2), None, ..., Slot(0))), text(())
    ('[1, ::2, None, ..., $0]', '[]')
    """
    return f"[{', '.join('...' if part is ... else str(part) for part in pattern)}]"


def parse(written: str) -> Pattern:
    """Read a pattern back from its text; ``ValueError`` if it is none.

    >>> parse("[1, ::2, None, ..., $0]") == (1, Slice(None, None, 2), None, ..., Slot(0))
    True
    """
    inner = written.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        raise ValueError(f"wanted an index such as '[0, 1:$0, ...]', received {written!r}")
    return tuple(_parsed(part.strip(), written) for part in inner[1:-1].split(",")) if inner[1:-1].strip() else ()


def has_operators(value: Any) -> bool:
    """Whether a value, or anything in nested lists and tuples, is a tensor or stands for one."""
    return any(map(has_operators, value)) if isinstance(value, list | tuple) else isinstance(value, Operators)


# -- keys to patterns -----------------------------------------------------------------------------------------------
def _encoded(part: Any, indices: list[Any]) -> Part:
    if part is None or part is Ellipsis:
        return part
    if isinstance(part, slice):
        return Slice(*(_bound(bound, indices) for bound in (part.start, part.stop, part.step)))
    if isinstance(part, bool | np.bool):
        return _new_slot(np.bool(part), indices)
    if isinstance(part, np.ndarray) and part.dtype.kind not in "biu":
        raise IndexError(NOT_AN_INDEX_ARRAY)
    if isinstance(part, Operators | np.ndarray):
        return _new_slot(part, indices)
    if hasattr(part, "__index__"):
        return operator.index(part)
    return _new_slot(_index_array(part), indices)


def _new_slot(value: Any, indices: list[Any]) -> Slot:
    indices.append(value)
    return Slot(len(indices) - 1)


def _bound(bound: Any, indices: list[Any]) -> int | Slot | None:
    if bound is None:
        return None
    if isinstance(bound, Operators):
        return _new_slot(bound, indices)
    if not hasattr(bound, "__index__"):
        raise TypeError(NOT_A_BOUND)
    return operator.index(bound)


def _index_array(part: Any) -> Any:
    """The array that a list, a tuple or an array of another library is as an index."""
    if has_operators(part):
        return _stacked(part)
    array = np.asarray(part)
    if array.size == 0 and isinstance(part, list | tuple):
        return array.astype(np.intp)
    if array.dtype.kind not in "biu" or array.ndim == 0:
        raise IndexError(NOT_AN_INDEX)
    return array


def _stacked(part: Any) -> Any:
    """Nested lists with traced values among them, as one array."""
    return OPS["stack"]([_stacked(item) if isinstance(item, list | tuple) else item for item in part])


# -- patterns to keys and from text ---------------------------------------------------------------------------------
def _filled(part: Part, indices: Sequence[Any]) -> Any:
    if isinstance(part, Slot):
        return indices[part.number]
    if isinstance(part, Slice):
        return slice(*(_filled(bound, indices) for bound in part.bounds))
    return part


_PARTS: Final[dict[str, Part]] = {"None": None, "...": ...}
_NUMBER: Final = re.compile(r"-?\d+|\$\d+")


def _parsed(part: str, written: str) -> Any:
    if ":" in part and part.count(":") <= 2:
        return Slice(*(_parsed_number(bound.strip(), written) if bound.strip() else None for bound in part.split(":")))
    return _PARTS[part] if part in _PARTS else _parsed_number(part, written)


def _parsed_number(part: str, written: str) -> int | Slot:
    if not _NUMBER.fullmatch(part):
        raise ValueError(f"wanted an index such as '[0, 1:$0, ...]', received {written!r}")
    return Slot(int(part[1:])) if part.startswith("$") else int(part)
