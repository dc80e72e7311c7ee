"""``hybrid.function``: the decorator, and the functions it makes."""

from __future__ import annotations

import functools
import inspect
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import Any, Final, Literal, TypeVar, overload

from hybrid._util.sharing import flatten_once
from hybrid._util.source import users_level
from hybrid._util.tracebacks import hide_ours
from hybrid._util.tree import containers_of
from hybrid.backends import MISS, Options
from hybrid.frontend.convert import convert, converted_source
from hybrid.frontend.entry import run as run_converted
from hybrid.frontend.runtime.calls import call
from hybrid.frontend.runtime.staging import ACTIVE, stager_for
from hybrid.functions.eagerly import EAGERLY, is_eager
from hybrid.functions.kinds import KEYS, Pattern, distinct, exact, is_array, is_input, is_read_only, plain_function, rank_of
from hybrid.functions.look import Trace
from hybrid.functions.options import FunctionOptions, refuse_unknown
from hybrid.functions.signature import InputSignature
from hybrid.functions.stats import History, Stats, broken
from hybrid.functions.trace import NeedsValues, Specialisation, new_trace
from hybrid.functions.words import leaves_in_words

__all__ = ["Function", "function"]

DEFAULT: Final = FunctionOptions()


@dataclass(slots=True)
class _Known:
    """The traces for plain arguments of some types and shapes.

    Attributes:
        fits: whether no array is given twice; ``None`` if none can be.
        traces: the latest first.
    """

    fits: Callable[[Sequence[Any]], bool] | None
    traces: list[Specialisation]


UNKNOWN = _Known(None, [])
KEPT: Final = 16
"""Traces for one kind of arguments that are kept, in case that what they take for granted becomes true again."""

NO_SHORTCUT: tuple[Any, int, Any] = (None, -1, None)
"""Stands for the shortest way through a trace: it, the number of its arguments, and what checks the guards of the trace."""


class Function:
    """A function that is traced for each kind of arguments and run as one compiled graph.

    Attributes:
        python_function: the function as it was written.
        options: what was said about it.
        example: a function without arguments that returns arguments to try it on, if one was given.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_back_end_options",
        "_converted",
        "_history",
        "_input",
        "_known",
        "_lock",
        "_made_of",
        "_patterns",
        "_plain",
        "_shortcut",
        "_signature",
        "_static",
        "example",
        "options",
        "python_function",
    )  # apart from the attributes that functools.wraps copies

    def __init__(self, python_function: Callable[..., Any], options: FunctionOptions = DEFAULT):
        functools.update_wrapper(self, python_function)
        self.python_function, self.example, self.options = python_function, options.example, options
        self.__name__ = options.name or getattr(python_function, "__name__", type(python_function).__name__)
        self.__qualname__ = getattr(python_function, "__qualname__", self.__name__)
        self._read()
        specs = options.input_signature
        self._input = None if specs is None else InputSignature(specs, self._signature, self.__name__)
        self._back_end_options = Options(options.cache, options.boundscheck)
        self._known: dict[Any, _Known] = {}
        self._patterns: dict[Any, list[tuple[Pattern, tuple[Any, ...], list[Specialisation]]]] = {}
        self._static: dict[Any, tuple[int, ...]] = {}
        self._shortcut = NO_SHORTCUT
        self._history = History(self.__name__)
        self._lock = threading.RLock()

    def _read(self) -> None:
        """Convert the function as it is now: those who load modules again give it other code."""
        self._converted = convert(self.python_function)
        self._signature = inspect.signature(self.python_function)
        self._plain = plain_function(self.python_function)
        self._made_of = self._plain.__code__, self._plain.__defaults__, self._plain.__kwdefaults__

    # -- calling ----------------------------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            shortcut, count, check = self._shortcut
            if len(args) == count and not kwargs and not ACTIVE and not EAGERLY and (check is None or check()):
                result = shortcut(*args)
                if result is not MISS:
                    return result
            if ACTIVE and stager_for() is not None:
                return call(self.python_function, *args, **kwargs)
            if EAGERLY and is_eager():
                return self.python_function(*args, **kwargs)
            if not kwargs:
                try:
                    known = self._known.get(tuple([KEYS[type(a)](a) for a in args]), UNKNOWN)
                except KeyError:
                    known = UNKNOWN
                for trace in known.traces if known.fits is None or known.fits(args) else ():
                    if (trace.check is None or trace.check()) and (not trace.written or _can_write(trace, args)):
                        return trace.run(args)
            return self._call(args, kwargs)
        except BaseException as error:
            hide_ours(error)
            raise

    def trace(self, *args: Any, **kwargs: Any) -> Trace:
        """The trace for arguments like these, made if it isn't there; the function isn't run."""
        bound = self._bound(args, kwargs)
        leaves, structure = flatten_once(bound, is_array)
        return Trace(self, self._trace(leaves, structure, bound)[0])

    def stats(self) -> Stats:
        """How often it was traced and called, how long that took, and why there is more than one trace."""
        return self._history.stats()

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        bound = self._bound(args, kwargs)
        leaves, structure = flatten_once(bound, is_array)
        trace, static = self._trace(leaves, structure, bound)
        inputs = [x for i, x in enumerate(leaves) if i not in static and is_input(x)]
        is_plain = not kwargs and len(inputs) == len(args) == len(leaves) and all(type(a) in KEYS for a in args)
        if is_plain and not any(map(is_read_only, args)):
            known = self._known.setdefault(tuple([KEYS[type(a)](a) for a in args]), _Known(distinct(args), []))
            if trace not in known.traces:
                known.traces[:] = [trace, *known.traces[: KEPT - 1]]
            if trace.shortcut is not None:
                self._shortcut = trace.shortcut, len(args), trace.check
        return trace.run(inputs, containers_of(bound))

    def _inputs_for(self, trace: Specialisation, args: Any, kwargs: Any) -> tuple[list[Any], list[Any], dict[str, int]]:
        """The inputs and containers for a run of a trace, and the numbers of the inputs by the places of the arguments.

        Raises:
            TypeError: if the trace isn't for such arguments.
            RuntimeError: if what it takes for granted has changed.
        """
        bound = self._bound(args, kwargs)
        leaves, structure = flatten_once(bound, is_array)
        words = leaves_in_words(self._signature, *bound)
        rank = (structure, tuple(map(rank_of, leaves)))
        static = self._static.get(rank, ())
        values = tuple(exact(leaves[i]) for i in static)
        entries = self._patterns.get(rank, ())
        if not any(trace in traces and wanted == values and pattern.fits(leaves) for pattern, wanted, traces in entries):
            received = ", ".join(f"{place}: {leaf.kind}" for place, leaf in words.items())
            raise TypeError(f"wanted arguments like those that {self.__name__} was traced for, received {received}")
        if trace.check is not None and not trace.check():
            raise RuntimeError(
                f"wanted what the trace took for granted, but {broken([trace])[0].what} changed: trace {self.__name__} again"
            )
        given = [i for i, x in enumerate(leaves) if i not in static and is_input(x)]
        places = {place: given.index(i) for i, place in enumerate(words) if i in given}
        return [leaves[i] for i in given], containers_of(bound), places

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        plain = self._plain
        if (plain.__code__, plain.__defaults__, plain.__kwdefaults__) != self._made_of:
            self._read()
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        if self._input is not None:
            self._input.check(bound.args)
        return bound.args, bound.kwargs

    # -- traces -----------------------------------------------------------------------------------------------------
    def _trace(self, leaves: list[Any], structure: Any, bound: Any) -> tuple[Specialisation, tuple[int, ...]]:
        """The trace for these leaves, and the positions of those that are constants of it."""
        rank = (structure, tuple(map(rank_of, leaves)))
        found = self._find(rank, leaves)
        if found is None:
            with self._lock:
                found = self._find(rank, leaves) or self._new(rank, structure, leaves, bound)
        else:
            self._history.hits += 1
        return found, self._static.get(rank, ())

    def _find(self, rank: Any, leaves: Sequence[Any]) -> Specialisation | None:
        values = tuple(exact(leaves[i]) for i in self._static.get(rank, ()))
        for pattern, wanted, traces in self._patterns.get(rank, ()):
            if wanted == values and pattern.fits(leaves):
                for trace in traces:
                    if trace.check is None or trace.check():
                        return trace
        return None

    def _new(self, rank: Any, structure: Any, leaves: list[Any], bound: Any) -> Specialisation:
        """A new trace; numbers whose values tracing turns out to need become constants of it."""
        outside: set[Any] = set()
        while True:
            static = self._static.get(rank, ())
            values = tuple(exact(leaves[i]) for i in static)
            pattern, traces = self._pattern(rank, values, leaves, bound)
            given = [is_input(x) and i not in static for i, x in enumerate(leaves)]
            start = time.perf_counter()
            try:
                trace = self._specialised(structure, leaves, given, pattern, outside)
            except NeedsValues as needed:
                self._static[rank] = tuple(sorted({*static, *needed.leaves}))
                outside |= needed.outside
                continue
            seconds = time.perf_counter() - start - trace.compile_seconds
            is_symbolic = any(isinstance(size, str) for shape in pattern.shapes for size in shape or ())
            self._history.add(leaves_in_words(self._signature, *bound), static, is_symbolic, traces, trace, seconds)
            traces[:] = [trace, *traces[: KEPT - 1]]
            storm = self._history.storm()
            if storm is not None:
                warnings.warn(storm, RuntimeWarning, stacklevel=users_level())
            return trace

    def _specialised(self, structure: Any, leaves: list[Any], given: list[bool], pattern: Pattern, outside: set[Any]) -> Specialisation:
        strict, options = self.options.strict, self._back_end_options
        return new_trace(self._plain, self._run_converted, structure, leaves, given, pattern, outside, strict, options)

    def _pattern(self, rank: Any, values: tuple[Any, ...], leaves: Sequence[Any], bound: Any) -> tuple[Pattern, list[Specialisation]]:
        """The pattern that a new trace is for: an old one if it fits, what the input signature says, or the last one widened."""
        entries = self._patterns.setdefault(rank, [])
        same = [(pattern, traces) for pattern, wanted, traces in entries if wanted == values]
        for pattern, traces in same:
            if pattern.fits(leaves):
                return pattern, traces
        pattern = Pattern.exact(leaves) if self._input is None else self._input.pattern(bound[0], leaves)
        if same and self._input is None:
            widened = same[-1][0].widened(leaves)
            pattern = widened if widened.fits(leaves) else pattern
        traces: list[Specialisation] = []
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

    def __reduce__(self) -> str:
        """Functions are pickled and copied as plain ones are: by their names."""
        return self.__qualname__

    def __repr__(self) -> str:
        traces = self._history.count
        return f"<compiled function {self.__qualname__}{self._signature}, {traces} trace{'s' * (traces != 1)}>"


def _can_write(trace: Specialisation, args: Sequence[Any]) -> bool:
    """Whether the arrays that a trace writes into may be written."""
    return not any(is_read_only(args[i]) for i in trace.written if i < len(args))


Kept = TypeVar("Kept", property, functools.cached_property, staticmethod, classmethod)
"""What classes make of functions: it stays what it is, around a compiled function."""


@overload
def function(python_function: Kept, /) -> Kept: ...
@overload
def function(python_function: Callable[..., Any], /) -> Function: ...
@overload
def function(
    *,
    strict: bool = False,
    input_signature: Sequence[Any] | None = None,
    boundscheck: bool = True,
    parallel: Literal["auto", False] = "auto",
    cache: bool = True,
    example: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Callable[[Callable[..., Any]], Function]: ...
@overload
def function(
    python_function: Callable[..., Any],
    /,
    *,
    strict: bool = False,
    input_signature: Sequence[Any] | None = None,
    boundscheck: bool = True,
    parallel: Literal["auto", False] = "auto",
    cache: bool = True,
    example: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Function: ...
def function(
    python_function: Any = None,
    /,
    *,
    strict: bool = False,
    input_signature: Sequence[Any] | None = None,
    boundscheck: bool = True,
    parallel: Literal["auto", False] = "auto",
    cache: bool = True,
    example: Callable[[], Any] | None = None,
    name: str | None = None,
    **unknown: Any,
) -> Any:
    """Compile a function: it keeps its meaning, and runs as one native function for each kind of arguments.

    Args:
        python_function: a function, lambda or method; left out where options are given: ``@hybrid.function(strict=True)``.
        strict: refuse what would run as Python, at the user's line: calls of functions that can't be converted, and operations without
            a native form. ``print`` is allowed. Where graphs are interpreted (``hybrid.config(jit=False)``), only calls are refused.
        input_signature: for each argument a ``hybrid.TensorSpec``, or the type of a Python number (``int``, ``float``, …), in the
            containers in which they come; other arguments are refused. Sizes left open are symbols from the first call on, so that
            there is one trace for all of them, and one each where they are 0 or 1, which broadcast.
        boundscheck: ``False`` leaves out the checks of indices in native code. Unsafe: an index out of bounds then reads or writes memory
            that isn't the array's.
        parallel: ``"auto"`` or ``False``. Nothing runs on several threads yet: both mean the same.
        cache: ``False`` keeps the native code of this function off the disk.
        example: a function without arguments that returns arguments (a tuple, or the only one) to try it on: for ``hybrid compare``.
        name: what messages call it.

    Returns:
        A ``Function``, which is called like the plain one; methods, ``staticmethod``, ``classmethod`` and ``property`` keep their kinds.

    Raises:
        UnsupportedError: for what has no Python source, generators and coroutines.
        TypeError: for options that don't exist or values that they can't have.

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
    refuse_unknown(unknown)
    options = FunctionOptions(strict, input_signature, boundscheck, parallel, cache, example, name)
    if python_function is None:
        return functools.partial(_decorated, options=options)
    try:
        return _compiled(python_function, options)
    except Exception as error:
        hide_ours(error)
        raise


def _decorated(python_function: Any, /, options: FunctionOptions) -> Any:
    """What the decorator with options makes."""
    try:
        return _compiled(python_function, options)
    except Exception as error:
        hide_ours(error)
        raise


def _compiled(python_function: Any, options: FunctionOptions) -> Any:
    """A compiled function; what classes make of functions stays around it."""
    match python_function:
        case Function():
            return Function(python_function.python_function, options)
        case staticmethod() | classmethod():
            return type(python_function)(_compiled(python_function.__func__, options))
        case property():
            parts = python_function.fget, python_function.fset, python_function.fdel
            get, put, delete = (part and _compiled(part, options) for part in parts)
            return property(get, put, delete, python_function.__doc__)
        case functools.cached_property():
            return functools.cached_property(_compiled(python_function.func, options))
        case functools.partial(func=Function()):
            inner = python_function.func.python_function
            return Function(functools.partial(inner, *python_function.args, **python_function.keywords), options)
    return Function(python_function, options)
