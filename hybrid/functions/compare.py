"""``hybrid.compare``: what compiling a function changes: time and memory, and, as it should be, nothing else."""

from __future__ import annotations

import functools
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from time import perf_counter
from types import MethodType
from typing import Any, Final

import numpy as np

from hybrid.functions.agree import Agreement, Outcome, agreement, is_same, observe
from hybrid.functions.eagerly import run_eagerly
from hybrid.functions.explain import explain
from hybrid.functions.function import Function, function
from hybrid.functions.report import Comparison
from hybrid.functions.timing import Budget, Calls, interleaved, resident_growth, traced_peak

__all__ = ["QUICK", "Comparison", "compare", "measure"]

QUICK: Final = Budget(seconds=0.2, least=1, most=9)
"""For a first impression."""

RESOLUTION: Final = 2**20
"""Bytes of growth of the process below which pages of other origin matter."""


def compare(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Comparison:
    """Run a function as plain Python and compiled, and compare results, time and memory.

    Each run gets fresh deep copies of the arguments. First the results are compared, those of two compiled calls with those of the plain
    one: values returned, arguments changed in place, printed text (it isn't shown), exceptions; integers exactly, floats up to what another
    order of a sum explains (1.8e-12 of a float64, 6.4e-6 of a float32). Then plain and later compiled calls are timed in turn for about two
    seconds. Memory is that of Python objects and NumPy's arrays (``tracemalloc``); for the compiled call also what the process grows by
    natively, where Linux tells. The time of the first call is that of tracing, compiling and running; it doesn't contain the import of the
    compiler.

    Args:
        f: a compiled function or a plain one; a method or ``functools.partial`` of either.
        args, kwargs: its arguments.

    Returns:
        the figures; they print as a table, in a notebook too, and have ``plot()`` and ``to_dict()``.

    Raises:
        TypeError: for arguments that can't be copied.

    >>> def total(values):
    ...     s = 0.0
    ...     for x in values:
    ...         s += x
    ...     return s
    >>> comparison = hybrid.compare(total, np.arange(100.0))
    >>> comparison.is_equal, comparison.max_difference
    (True, 0.0)
    """
    return measure(f, args, kwargs)


def measure(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    name: str | None = None,
    field: str = "",
    budget: Budget | None = None,
    compiler: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None,
    progress: Callable[[str], None] = lambda stage: None,
) -> Comparison:
    """``compare`` with options.

    Args:
        f, args, kwargs: as there.
        name, field: for the table; else the name of the function, and nothing.
        budget: how long to time.
        compiler: makes a compiled function of a plain one; else ``hybrid.function`` with the options of ``f``.
        progress: told what comes next.
    """
    plain, args, kwargs = _plain(f, args, kwargs)
    session = _Session(plain, args, kwargs, compiler or _compiler_of(f), progress)
    figures: dict[str, Any] = {
        "name": name or getattr(f, "__name__", None) or getattr(plain, "__name__", type(plain).__name__),
        "field": field,
    }
    figures |= session.results()
    if session.is_timed:
        try:
            figures |= session.times(budget or Budget())
        except Exception as error:
            figures["problem"] = figures["problem"] or f"in a later call, {type(error).__name__}: {error}"
    comparison = Comparison(**figures)
    if comparison.speedup is not None and comparison.speedup < 1:
        return replace(comparison, why_slow=session.why_slow())
    return comparison


def _plain(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    """The plain function itself, and all of its arguments: those bound to a method or ``partial`` too, since they may change."""
    match f:
        case Function():
            return _plain(f.python_function, args, kwargs)
        case MethodType():
            return _plain(f.__func__, (f.__self__, *args), kwargs)
        case functools.partial():
            return _plain(f.func, (*f.args, *args), {**f.keywords, **kwargs})
    return f, args, kwargs


def _compiler_of(f: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What compiles a plain function as a compiled one was."""
    match f:
        case Function():
            return lambda plain: Function(plain, f.options)
        case MethodType():
            return _compiler_of(f.__func__)
        case functools.partial():
            return _compiler_of(f.func)
    return function


FICKLE: Final = "Plain Python does something else at each call, too: this says nothing about compiling."


class _Session:
    """The runs of one comparison."""

    def __init__(
        self,
        plain: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        compiler: Callable[[Callable[..., Any]], Callable[..., Any]],
        progress: Callable[[str], None],
    ):
        self.plain = plain
        self.arguments = (args, kwargs)
        self.compiler = compiler
        self.progress = progress
        self.compiled: Callable[..., Any] | None = None
        self.is_timed = False
        self.is_pure = False
        self.copied()

    def copied(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Fresh arguments."""
        try:
            return deepcopy(self.arguments)
        except Exception as error:
            raise TypeError(f"wanted arguments that can be copied, since each run gets fresh ones; copying raised {error!r}") from error

    def results(self) -> dict[str, Any]:
        """Compare results; what a run takes in memory, and the first call in time, is seen on the way."""
        self.progress("plain Python")
        arguments = self.copied()
        wanted, eager_peak = traced_peak(lambda: self.run_plain(*arguments))
        self.progress("first call")
        _warm_up()
        received, seconds = self.first_call()
        found = agreement(wanted, received)
        figures: dict[str, Any] = {"eager_peak_bytes": eager_peak}
        if received.error is None:
            figures["first_call_seconds"] = seconds
            if wanted.error is None:
                found &= self.later_calls(wanted, figures)
            if found.problem is not None and agreement(wanted, self.run_plain(*self.copied())).problem is not None:
                found = Agreement(f"{found.problem}\n{FICKLE}", found.difference, found.relative)
        elif found.problem is None:
            figures["raised"] = f"{type(wanted.error).__name__}: {wanted.error}"
        return figures | {"problem": found.problem, "max_difference": found.difference, "max_relative_difference": found.relative}

    def run_plain(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        """One call, in which other compiled functions run as plain Python too."""
        with run_eagerly():
            return observe(self.plain, args, kwargs)

    def first_call(self) -> tuple[Outcome, float]:
        """Decorate, trace, compile, run."""
        arguments = self.copied()
        started = perf_counter()
        received = observe(self.compile_and_call, *arguments)
        return received, perf_counter() - started

    def compile_and_call(self, *args: Any, **kwargs: Any) -> Any:
        self.compiled = self.compiler(self.plain)
        return self.compiled(*args, **kwargs)

    def later_calls(self, wanted: Outcome, figures: dict[str, Any]) -> Agreement:
        """Another call, under both meters of memory."""
        assert self.compiled is not None
        self.progress("memory")
        compiled, arguments = self.compiled, self.copied()
        (later, grown), traced = traced_peak(lambda: resident_growth(lambda: observe(compiled, *arguments)))
        figures["peak_bytes"] = max(traced, grown) if grown >= RESOLUTION else traced
        self.is_timed = later.error is None
        self.is_pure = all(is_same(self.arguments, (o.args, o.kwargs)) for o in (wanted, later))
        return _in_later_call(agreement(wanted, later))

    def why_slow(self) -> str:
        """What Python still does in the compiled function."""
        if not isinstance(self.compiled, Function):
            return ""
        args, kwargs = self.copied()
        explanation = explain(self.compiled, *args, **kwargs)
        if not explanation.is_native:
            return "the graph is interpreted"
        parts = [f"NumPy kernels: {', '.join(explanation.kernels)}"] if explanation.kernels else []
        parts += [f"calls of Python: {', '.join(explanation.calls)}"] if explanation.calls else []
        return "; ".join(parts) or "all of it is native: NumPy's own code is faster here, or the call takes longer than the work"

    def times(self, budget: Budget) -> dict[str, Any]:
        assert self.compiled is not None
        self.progress("timing")
        plain = Calls(self.plain, *self.arguments, self.is_pure, run_eagerly)
        eager, compiled = interleaved(plain, Calls(self.compiled, *self.arguments, self.is_pure), budget)
        return {
            "eager_seconds": eager.median,
            "eager_spread": eager.spread,
            "compiled_seconds": compiled.median,
            "compiled_spread": compiled.spread,
            "rounds": min(eager.rounds, compiled.rounds),
        }


def _in_later_call(found: Agreement) -> Agreement:
    if found.problem is None:
        return found
    return Agreement(f"in a later call, {found.problem}", found.difference, found.relative)


@functools.cache
def _warm_up() -> None:
    """Compile something, so that the import of the compiler isn't charged to the first function that is measured."""
    function(_twice)(np.ones(2))


def _twice(x: np.ndarray) -> np.ndarray:
    return x + x
