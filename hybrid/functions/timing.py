"""Time and memory of calls, measured with care."""

from __future__ import annotations

import contextlib
import gc
import io
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar

import numpy as np

__all__ = ["Budget", "Calls", "Times", "interleaved", "resident_growth", "traced_peak"]

Result = TypeVar("Result")

SAMPLE: Final = 0.005
"""Seconds that a sample takes at least; short calls are repeated in it."""

LONG: Final = 0.1
"""Seconds from which a call needs no warming up."""

MOST_REPEATS: Final = 20_000
MOST_COPIED: Final = 64 * 2**20
"""Bytes of arguments that are made ready for one sample."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to measure.

    Attributes:
        seconds: after which no round is begun.
        least: samples of each function that are taken even later, unless they use up the time themselves.
        most: samples of each function.
    """

    seconds: float = 2.0
    least: int = 3
    most: int = 25

    def allows(self, samples: list[float], deadline: float) -> bool:
        """Whether there is to be another sample."""
        if not samples or (len(samples) < self.least and sum(samples) < self.seconds):
            return True
        return len(samples) < self.most and perf_counter() < deadline


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of a call.

    Attributes:
        median: of all samples.
        spread: the distance of the quartiles, relative to the median.
        rounds: the number of samples.
    """

    median: float
    spread: float
    rounds: int


class Calls:
    """A function and arguments to time it with.

    Args:
        function: to be called.
        args, kwargs: its arguments; never passed themselves, but copies of them.
        is_pure: whether the function leaves its arguments alone, so that one copy does for all calls.
        surroundings: makes what to run it in.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        is_pure: bool,
        surroundings: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext,
    ):
        self._function = function
        self._arguments = (args, kwargs)
        self._copy = deepcopy(self._arguments) if is_pure else None
        self._most = MOST_REPEATS if is_pure else min(MOST_REPEATS, 1 + MOST_COPIED // (1 + _bytes_in(self._arguments)))
        self._repeats = 1
        self._surroundings = surroundings

    def warmed(self) -> list[float]:
        """Find how many calls make a sample; the samples so far that count: calls so long that they need no warming up."""
        seconds = self.sample()
        long = [seconds] if seconds >= LONG else []
        while seconds * self._repeats < SAMPLE and self._repeats < self._most:
            self._repeats = min(2 * self._repeats, self._most)
            seconds = self.sample()
        return long

    def sample(self) -> float:
        """Seconds of one call, the mean of some."""
        n, function = self._repeats, self._function
        batch = repeat(self._copy, n) if self._copy is not None else [deepcopy(self._arguments) for _ in range(n)]
        with self._surroundings():
            started = perf_counter()
            for args, kwargs in batch:
                function(*args, **kwargs)
            return (perf_counter() - started) / n


def interleaved(first: Calls, second: Calls, budget: Budget) -> tuple[Times, Times]:
    """Time two functions in turn, so that what slows the machine down for a while slows both."""
    with _undisturbed():
        deadline = perf_counter() + budget.seconds
        both = [(calls, calls.warmed()) for calls in (first, second)]
        while wanting := [(calls, samples) for calls, samples in both if budget.allows(samples, deadline)]:
            for calls, samples in wanting:
                samples.append(calls.sample())
    return _times(both[0][1]), _times(both[1][1])


def _times(samples: list[float]) -> Times:
    low, median, high = np.percentile(samples, [25, 50, 75])
    return Times(float(median), float((high - low) / median), len(samples))


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Neither garbage collection nor output."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        if was_enabled:
            gc.enable()


def _bytes_in(value: Any) -> int:
    """About how much memory the arrays in nested containers take."""
    if isinstance(value, dict):
        return _bytes_in(list(value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_bytes_in, value))
    return int(getattr(value, "nbytes", 64))


# -- memory ---------------------------------------------------------------------------------------------------------
def traced_peak(call: Callable[[], Result]) -> tuple[Result, int]:
    """Call, and count the bytes that Python objects and NumPy's arrays took at most (``tracemalloc``), those of the result included."""
    is_ours = not tracemalloc.is_tracing()
    if is_ours:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        result = call()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if is_ours:
            tracemalloc.stop()
    return result, peak - before


def resident_growth(call: Callable[[], Result]) -> tuple[Result, int]:
    """Call, and count the bytes by which the process grew at most, native memory included.

    Growth within memory that the process had already isn't seen. 0 where the system (not Linux) doesn't tell.
    """
    before = _high_water(is_reset=True)
    result = call()
    after = _high_water(is_reset=False)
    return result, max(after - before, 0) if before and after else 0


def _high_water(is_reset: bool) -> int:
    """The most memory that the process had resident since the last reset, in bytes; 0 if unknown."""
    try:
        if is_reset:
            Path("/proc/self/clear_refs").write_text("5")
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)
