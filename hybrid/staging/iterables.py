"""What loops run over: ranges, arrays, and their combinations with ``zip``, ``enumerate`` and ``reversed``."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from hybrid.control.scope import Variables
from hybrid.control.variant import Variant
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError
from hybrid.ir.traced import Number, Traced
from hybrid.staging.lists import Rows
from hybrid.staging.walkers import ByNumber, Walker

__all__ = ["Combined", "LazyItems", "Staged", "StagedRange", "elements", "smaller", "staged_iterable"]

TINY = 4
"""Trip counts up to which loops over known numbers are unrolled."""
MOST_COPIES = 8
"""How often a body is written down at most by loops that are unrolled inside each other."""


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

    def __init__(self, kind: str, parts: tuple[Any, ...], start: Any = 0, is_strict: bool = False):
        self.kind, self.parts, self.start, self.is_strict = kind, parts, start, is_strict
        self.walker: Walker | None = None
        self._is_spent = False

    def opened(self) -> Combined | Walker:
        """What is left of it, for one who takes that; a second one would get nothing, or the rest."""
        if self.walker is not None:
            return self.walker
        if self._is_spent:
            raise StagingError(f"wanted {self.kind}() to be run over once, received one that was run over before: make a list of it")
        self._is_spent = True
        return Combined(self.kind, self.parts, self.start, self.is_strict)

    def step(self, stager: Any, *default: Any) -> Any:
        """``next``."""
        if self.walker is None:
            staged = staged_iterable(stager, self.opened())  # type: ignore[arg-type]
            by_number = staged is not None and staged.python_length is not None
            items = ByNumber(staged.element, staged.python_length) if by_number else list(elements(stager, self))  # type: ignore
            self.walker = Walker(stager, items, getattr(builtins, self.kind))
        return self.walker.step(*default)

    def __iter__(self) -> Iterator[Any]:
        return iter(elements(INTERPRETER.get().stager, self.opened()))  # type: ignore[union-attr]


class LazyItems:
    """A generator expression that wasn't run over yet."""

    def __init__(self, stager: Any, iterable: Any, lazily: Callable[[Any], Any], loop: Callable[..., Any], variables: Variables):
        self.stager, self.iterable, self._lazily, self._loop = stager, iterable, lazily, loop
        self.variables = variables
        self._region = stager.tracer.journal.region
        self._running: Any = None

    def copy(self) -> LazyItems | None:
        """The same, if it wasn't run over yet."""
        return None if self._running is not None else LazyItems(self.stager, self.iterable, self._lazily, self._loop, self.variables)

    def taken(self) -> Iterator[Any]:
        """The items for one who takes them one after the other, each under the condition that all before didn't end it."""
        self._refuse_elsewhere()
        items = self._running or self._lazily(iter(elements(self.stager, self.iterable)))
        self._running = _refused()
        return self._taken(items)

    def _taken(self, items: Iterator[Any]) -> Iterator[Any]:
        journal = self.stager.tracer.journal
        region = journal.region
        yield from items
        if journal.region is region:
            self._running = iter(())

    def _refuse_elsewhere(self) -> None:
        if self.stager.tracer.journal.region is not self._region:
            raise StagingError("wanted the items of a generator taken outside of the branches, loops and try around which it was made")

    def items(self) -> list[Any]:
        """All items, as a list that may be of unknown length."""
        if self._running is not None:
            return list(self.one_by_one())
        self._refuse_elsewhere()
        found: list[Any] = []
        self._loop(self.iterable, lambda item: self.stager.append(found, item))
        self._running = iter(())
        return found

    def one_by_one(self) -> Iterator[Any]:
        """The items as Python makes them; what a generator does can't be undone, so they must be taken where it was made."""
        _ = self.generator
        return self._checked()

    @property
    def generator(self) -> Any:
        """The generator itself."""
        if self._running is None:
            self._running = self._lazily(iter(elements(self.stager, self.iterable)))
        return self._running

    def _checked(self) -> Iterator[Any]:
        while True:
            self._refuse_elsewhere()
            try:
                item = next(self._running)
            except StopIteration:
                return
            yield item


def _refused() -> Iterator[Any]:
    raise StagingError("wanted a generator whose items are taken once: how many were taken before, only running tells")
    yield


def staged_iterable(stager: Any, iterable: Any) -> Staged | None:
    """How to loop over something by number; ``None`` where the items are known Python objects."""
    if isinstance(iterable, StagedRange):
        return Staged(iterable.bounds, lambda i: i, None)
    if isinstance(iterable, range):
        is_tiny = len(iterable) <= TINY and stager.copies * len(iterable) <= MOST_COPIES
        return None if is_tiny else Staged((iterable.start, iterable.stop, iterable.step), lambda i: i, len(iterable))
    if isinstance(iterable, Combined):
        return _combined(stager, iterable)
    if isinstance(iterable, LazyItems):
        return None
    content = iterable if isinstance(iterable, Rows) else stager.lists.content(iterable)
    if isinstance(content, Rows):
        return Staged((0, stager.len_of(content), 1), content.item, None)
    iterable = iterable if content is None else content
    if isinstance(iterable, Variant):
        return None
    if isinstance(iterable, Traced | Eager | np.ndarray) and iterable.shape:
        array = iterable
        length = array.shape[0]
        known = length if isinstance(length, int) else None
        return Staged((0, stager.number_of(length, array), 1), lambda i: array[i], known)
    if isinstance(iterable, Number):
        raise TypeError(f"{_name(iterable)!r} object is not iterable")
    if isinstance(iterable, Traced):
        raise TypeError(f"{_name(iterable)!r} object is not iterable" if iterable.is_scalar else "iteration over a 0-d array")
    return None


def elements(stager: Any, iterable: Any) -> Iterable[Any]:
    """The items of something known."""
    if isinstance(iterable, Combined):
        parts = [elements(stager, part) for part in iterable.parts]
        if iterable.kind == "enumerate":
            return counted(parts[0], iterable.start)
        return zip(*parts, strict=iterable.is_strict) if iterable.kind == "zip" else reversed(list(parts[0]))
    if isinstance(iterable, LazyItems | Walker):
        return iterable.one_by_one()
    if isinstance(iterable, StagedRange):
        raise next(b for b in iterable.bounds if isinstance(b, Traced))._unknown("be a bound of a loop that must be unrolled")
    if isinstance(iterable, Traced):
        return _rows_of(stager, iterable)
    content = stager.lists.content(iterable) if isinstance(iterable, list) else stager.dicts.content(iterable)
    if content is not None:
        raise StagingError("wanted items that are known one by one, received a container whose content only running tells")
    stager.reads_all_of(iterable)
    if isinstance(iterable, list):
        return map(stager.outer, _of_list(iterable))
    method = getattr(type(iterable), "__iter__", None)
    if isinstance(method, FunctionType):
        return iter_of(stager, stager.call(method, (iterable,), {}))
    if method is None and isinstance(getattr(type(iterable), "__getitem__", None), FunctionType):
        return _by_number(stager, iterable)
    return map(stager.outer, iterable) if isinstance(iterable, tuple | np.ndarray) else iterable


def iter_of(stager: Any, made: Any) -> Iterator[Any]:
    """What ``__iter__`` of the user's gave, as an iterator of known items."""
    method = getattr(type(made), "__next__", None)
    if not isinstance(method, FunctionType):
        yield from made
        return
    while True:
        try:
            item = stager.call(method, (made,), {})
        except StopIteration:
            return
        yield item


def counted(items: Iterable[Any], start: Any) -> Iterator[tuple[Any, Any]]:
    """``enumerate``, from a number that may be staged."""
    for item in items:
        yield start, item
        start = start + 1


def _of_list(items: list[Any]) -> Iterator[Any]:
    """The items of a list as it is when each is asked for."""
    i = 0
    while i < len(items):
        yield items[i]
        i += 1


def _by_number(stager: Any, owner: Any) -> Iterator[Any]:
    """The items of an object that only has ``__getitem__``."""
    i = 0
    while True:
        try:
            item = stager.getitem(owner, i)
        except IndexError:
            return
        yield item
        i += 1


def _rows_of(stager: Any, array: Traced) -> Iterator[Any]:
    """The rows of an array of known length."""
    if isinstance(array, Number) or not array.shape:
        raise TypeError(f"{_name(array)!r} object is not iterable" if isinstance(array, Number) else "iteration over a 0-d array")
    if not isinstance(array.shape[0], int):
        raise StagingError(f"wanted an array with a known number of rows, received {array!r}")
    return (array[i] for i in range(array.shape[0]))


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
    if combined.is_strict and not _is_as_long(combined.parts, known, lengths):
        return None  # unrolled, since the exception comes after the rounds that there are
    if combined.kind == "enumerate":
        return Staged((0, stop, 1), lambda i: (i + combined.start, staged[0].element(i)), length)
    return Staged((0, stop, 1), lambda i: tuple(p.element(i) for p in staged), length)


def _is_as_long(parts: Sequence[Any], known: Sequence[int | None], lengths: Sequence[Any]) -> bool:
    """Whether all parts are equally long, which must be known."""
    sizes = [part.shape[0] if isinstance(part, Traced) else length for part, length in zip(parts, known, strict=True)]
    if len(set(sizes)) > 1 and any(length is None for length in known):
        raise next(n for n in lengths if isinstance(n, Traced))._unknown("be the length of a part of zip(strict=True)")
    return len(set(sizes)) == 1


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
