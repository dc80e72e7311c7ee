"""What loops run over: ranges, arrays, and their combinations with ``zip``, ``enumerate`` and ``reversed``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybrid.control.variant import Variant
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError
from hybrid.ir.traced import Number, Traced
from hybrid.staging.lists import Rows

__all__ = ["Staged", "StagedRange", "elements", "smaller", "staged_iterable"]

TINY = 4
"""Trip counts up to which loops over known numbers are unrolled."""


@dataclass(frozen=True)
class Staged:
    """Something a loop can run over by number.

    Attributes:
        bounds: start, stop and step of the numbers.
        element: the item of a number.
        python_length: the trip count, where it is known.
    """

    bounds: tuple[Any, Any, Any]
    element: Callable[[Any], Any]
    python_length: int | None


class StagedRange:
    """A ``range`` with bounds that only running tells."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.bounds = (start, stop, step)


class Combined:
    """``zip``, ``enumerate`` or ``reversed`` of staged iterables, not yet run over."""

    def __init__(self, kind: str, parts: tuple[Any, ...], start: Any = 0):
        self.kind, self.parts, self.start = kind, parts, start


def staged_iterable(stager: Any, iterable: Any) -> Staged | None:
    """How to loop over something by number; ``None`` where the items are known Python objects."""
    if isinstance(iterable, StagedRange):
        return Staged(iterable.bounds, lambda i: i, None)
    if isinstance(iterable, range):
        return None if len(iterable) <= TINY else Staged((iterable.start, iterable.stop, iterable.step), lambda i: i, len(iterable))
    if isinstance(iterable, Combined):
        return _combined(stager, iterable)
    content = stager.lists.content(iterable)
    if isinstance(content, Rows):
        return Staged((0, stager.len_(iterable), 1), content.item, None)
    iterable = iterable if content is None else content
    if isinstance(iterable, Variant):
        raise StagingError(f"which of several things this loop runs over only running tells: {iterable!r}")
    if isinstance(iterable, Traced | Eager | np.ndarray) and iterable.shape:
        array = iterable
        length = array.shape[0]
        known = length if isinstance(length, int) else None
        return Staged((0, stager.number_of(length, array), 1), lambda i: array[i], known)
    if isinstance(iterable, Traced):
        raise TypeError(f"'{_name(iterable)}' object is not iterable")
    return None


def elements(stager: Any, iterable: Any) -> Iterable[Any]:
    """The items of something known."""
    if isinstance(iterable, Combined):
        parts = [elements(stager, part) for part in iterable.parts]
        if iterable.kind == "enumerate":
            return enumerate(parts[0], iterable.start)
        return zip(*parts, strict=False) if iterable.kind == "zip" else reversed(list(parts[0]))
    stager.reads_all_of(iterable)
    return iterable


def smaller(stager: Any, a: Any, b: Any) -> Any:
    """The smaller of two lengths."""
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    return OPS["call_python"](a, b, function="min")


def _combined(stager: Any, combined: Combined) -> Staged | None:
    parts = [staged_iterable(stager, part) for part in combined.parts]
    sized = [p if p is not None else _of_known(stager, part) for p, part in zip(parts, combined.parts, strict=True)]
    if all(p is None for p in parts) or any(p is None for p in sized):
        return None
    staged: list[Any] = sized
    if combined.kind == "reversed":
        start, stop, step = staged[0].bounds
        if step != 1 or not (isinstance(start, int) and start == 0):
            return None
        return Staged((stop - 1, -1, -1), staged[0].element, staged[0].python_length)
    if any(isinstance(p.bounds[0], Traced) or p.bounds[0] != 0 or p.bounds[2] != 1 for p in staged):
        return None
    lengths = [p.bounds[1] for p in staged]
    stop = lengths[0]
    for length in lengths[1:]:
        stop = smaller(stager, stop, length)
    known = [p.python_length for p in staged]
    length = min(k for k in known if k is not None) if all(k is not None for k in known) else None
    if combined.kind == "enumerate":
        return Staged((0, stop, 1), lambda i: (i + combined.start, staged[0].element(i)), length)
    return Staged((0, stop, 1), lambda i: tuple(p.element(i) for p in staged), length)


def _of_known(stager: Any, part: Any) -> Staged | None:
    """A list or tuple of numbers beside an array: an array of them, read as Python numbers."""
    if isinstance(part, range):
        return Staged((0, len(part), 1), lambda i: i * part.step + part.start, len(part))
    if isinstance(part, list | tuple) and part and len({type(x) for x in part}) == 1 and type(part[0]) in (int, float, bool, complex):
        array = stager.tracer.stand_in(np.array(part))
        return Staged((0, len(part), 1), lambda i: OPS["item"](array[i]), len(part))
    return None


def _name(value: Traced) -> str:
    return value.dtype.type(0).item().__class__.__name__ if isinstance(value, Number) else f"numpy.{value.dtype.name}"
