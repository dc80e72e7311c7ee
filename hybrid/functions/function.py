"""``hybrid.function``: the decorator, and the functions it makes."""

from __future__ import annotations

import inspect
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MethodType
from typing import Any

from hybrid._util.sharing import flatten_once
from hybrid._util.tree import containers_of
from hybrid.backends import MISS
from hybrid.frontend.convert import convert, converted_source
from hybrid.frontend.entry import run as run_converted
from hybrid.frontend.runtime.calls import call
from hybrid.frontend.runtime.staging import ACTIVE, stager_for
from hybrid.functions.kinds import KEYS, Pattern, distinct, exact, is_array, is_input, is_read_only, rank_of
from hybrid.functions.stats import Stats
from hybrid.functions.trace import NeedsValues, Trace, new_trace

__all__ = ["Function", "function", "run_eagerly"]

EAGERLY: list[bool] = []
"""Not empty while decorated functions run as plain Python."""

MANY = 12
"""The number of traces of one function at which its user is warned."""


@dataclass(slots=True)
class _Known:
    """The traces for plain arguments of some types and shapes.

    Attributes:
        fits: whether no array is given twice; ``None`` if none can be.
        traces: the latest first.
    """

    fits: Callable[[Sequence[Any]], bool] | None
    traces: list[Trace]


UNKNOWN = _Known(None, [])
NO_SHORTCUT: tuple[Any, int, Any] = (None, -1, None)
"""Stands for the shortest way through a trace: it, the number of its arguments, and what checks the guards of the trace."""


class Function:
    """A function that is traced for each kind of arguments and run as one compiled graph.

    Attributes:
        python_function: the function as it was written.
        example: a function without arguments that returns arguments to try it on, if one was given.
    """

    def __init__(self, python_function: Callable[..., Any], *, name: str | None = None, example: Callable[[], Any] | None = None):
        self._converted = convert(python_function)
        self.python_function, self.example = python_function, example
        self.__name__ = name or getattr(python_function, "__name__", "function")
        self.__doc__, self.__module__ = python_function.__doc__, getattr(python_function, "__module__", __name__)
        self.__qualname__ = getattr(python_function, "__qualname__", self.__name__)
        self.__wrapped__ = python_function
        self._signature = inspect.signature(python_function)
        self._known: dict[Any, _Known] = {}
        self._patterns: dict[Any, list[tuple[Pattern, tuple[Any, ...], list[Trace]]]] = {}
        self._static: dict[Any, tuple[int, ...]] = {}
        self._shortcut = NO_SHORTCUT
        self._stats = Stats()
        self._lock = threading.RLock()

    # -- calling ----------------------------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        shortcut, count, check = self._shortcut
        if len(args) == count and not kwargs and not ACTIVE and not EAGERLY and (check is None or check()):
            result = shortcut(*args)
            if result is not MISS:
                return result
        if ACTIVE and stager_for() is not None:
            return call(self.python_function, *args, **kwargs)
        if EAGERLY:
            return self.python_function(*args, **kwargs)
        if not kwargs:
            try:
                known = self._known.get(tuple([KEYS[type(a)](a) for a in args]), UNKNOWN)
            except KeyError:
                known = UNKNOWN
            for trace in known.traces if known.fits is None or known.fits(args) else ():
                if trace.check is None or trace.check():
                    if not trace.written or not any(is_read_only(args[i]) for i in trace.written if i < len(args)):
                        return trace.run(args)
        return self._call(args, kwargs)

    def trace(self, *args: Any, **kwargs: Any) -> Trace:
        """The trace for arguments like these, made if it isn't there; the function isn't run."""
        leaves, structure = flatten_once(self._bound(args, kwargs), is_array)
        return self._trace(leaves, structure)[0]

    def stats(self) -> Stats:
        """How often it was traced and called, how long that took, and why there is more than one trace."""
        return self._stats

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        bound = self._bound(args, kwargs)
        leaves, structure = flatten_once(bound, is_array)
        trace, static = self._trace(leaves, structure)
        inputs = [x for i, x in enumerate(leaves) if i not in static and is_input(x)]
        is_plain = not kwargs and len(inputs) == len(args) == len(leaves) and all(type(a) in KEYS for a in args)
        if is_plain and not any(map(is_read_only, args)):
            known = self._known.setdefault(tuple([KEYS[type(a)](a) for a in args]), _Known(distinct(args), []))
            if trace not in known.traces:
                known.traces.insert(0, trace)
            if trace.shortcut is not None:
                self._shortcut = trace.shortcut, len(args), trace.check
        return trace.run(inputs, containers_of(bound))

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args, bound.kwargs

    # -- traces -----------------------------------------------------------------------------------------------------
    def _trace(self, leaves: list[Any], structure: Any) -> tuple[Trace, tuple[int, ...]]:
        """The trace for these leaves, and the positions of those that are constants of it."""
        rank = (structure, tuple(map(rank_of, leaves)))
        found = self._find(rank, leaves)
        if found is None:
            with self._lock:
                found = self._find(rank, leaves) or self._new(rank, structure, leaves)
        return found, self._static.get(rank, ())

    def _find(self, rank: Any, leaves: Sequence[Any]) -> Trace | None:
        values = tuple(exact(leaves[i]) for i in self._static.get(rank, ()))
        for pattern, wanted, traces in self._patterns.get(rank, ()):
            if wanted == values and pattern.fits(leaves):
                for trace in traces:
                    if trace.check is None or trace.check():
                        return trace
        return None

    def _new(self, rank: Any, structure: Any, leaves: list[Any]) -> Trace:
        """A new trace; numbers whose values tracing turns out to need become constants of it."""
        outside: set[Any] = set()
        while True:
            static = self._static.get(rank, ())
            values = tuple(exact(leaves[i]) for i in static)
            pattern, traces = self._pattern(rank, values, leaves)
            given = [is_input(x) and i not in static for i, x in enumerate(leaves)]
            start = time.perf_counter()
            try:
                trace = new_trace(self.python_function, self._run_converted, structure, leaves, given, pattern, outside)
            except NeedsValues as needed:
                self._static[rank] = tuple(sorted({*static, *needed.leaves}))
                outside |= needed.outside
                continue
            traces.insert(0, trace)
            self._stats.add_trace(self.__name__, time.perf_counter() - start, pattern, traces[1:], values)
            if self._stats.traces == MANY:
                warnings.warn(self._stats.storm(self.__name__), RuntimeWarning, stacklevel=4)
            return trace

    def _pattern(self, rank: Any, values: tuple[Any, ...], leaves: Sequence[Any]) -> tuple[Pattern, list[Trace]]:
        """The pattern that a new trace is for: an old one if it fits, or the last one widened."""
        entries = self._patterns.setdefault(rank, [])
        same = [(pattern, traces) for pattern, wanted, traces in entries if wanted == values]
        for pattern, traces in same:
            if pattern.fits(leaves):
                return pattern, traces
        pattern = Pattern.exact(leaves)
        if same:
            widened = same[-1][0].widened(leaves)
            pattern = widened if widened.fits(leaves) else pattern
        traces: list[Trace] = []
        entries.append((pattern, values, traces))
        return pattern, traces

    def _run_converted(self, *args: Any, **kwargs: Any) -> Any:
        return run_converted(self._converted, *args, **kwargs)

    # -- looking like a function ------------------------------------------------------------------------------------
    @property
    def converted(self) -> str:
        """The Python that the function was rewritten to."""
        return converted_source(self._converted)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<compiled function {self.__qualname__}{self._signature}, {self._stats.traces} traces>"


def function(python_function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a function: it keeps its meaning, and runs as one native function for each kind of arguments.

    Args:
        python_function: a function, lambda or method; left out where options are given: ``@function(example=...)``.
        options: ``name`` for messages; ``example``, a function without arguments that returns arguments to try it on.

    Returns:
        A ``Function``.

    Raises:
        UnsupportedError: for what has no Python source, generators and coroutines.

    >>> @hybrid.function
    ... def clipped_sum(x, limit):
    ...     total = 0.0
    ...     for value in x:
    ...         if value < limit:
    ...             total += value
    ...     return total
    >>> clipped_sum(np.array([1.0, 5.0, 2.0]), 3.0)
    np.float64(3.0)
    """
    if python_function is None:
        return lambda f: Function(f, **options)
    return Function(python_function, **options)


@contextmanager
def run_eagerly() -> Iterator[None]:
    """Run decorated functions as plain Python for the duration of a block, for debuggers.

    >>> with hybrid.run_eagerly():
    ...     hybrid.function(lambda x: x + 1)(1)
    2
    """
    EAGERLY.append(True)
    try:
        yield
    finally:
        EAGERLY.pop()
