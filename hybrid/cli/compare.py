"""``hybrid compare``: plain Python against compiled, for the functions of a file or the gallery."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from hybrid.cli.status import DIFFERENT, EQUAL, INTERRUPTED, Refusal, writing
from hybrid.cli.targets import Case, cases_of, example_of, selected
from hybrid.functions import report
from hybrid.functions.compare import QUICK, Comparison, measure

__all__ = ["compare"]

PAGE: Final = '<!doctype html><meta charset="utf-8"><title>hybrid compare</title><body style="font:14px sans-serif">{}</body>\n'


def compare(options: argparse.Namespace) -> int:
    """Measure, print, and tell by the exit status whether all are equal."""
    if options.plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise Refusal("--plot needs matplotlib, which isn't installed: pip install 'hybrid[plot]'")
    cases = selected(cases_of(options.target), options.word)
    comparisons: list[Comparison] = []
    is_complete = False
    try:
        for number, case in enumerate(cases, 1):
            with _progress(f"[{number}/{len(cases)}] {case.name}") as progress:
                comparisons.append(_measured(case, options, progress))
        is_complete = True
    except KeyboardInterrupt:
        print(f"interrupted after {len(comparisons)} of {len(cases)}", file=sys.stderr)
    _publish(comparisons, options)
    if not is_complete:
        return INTERRUPTED
    return EQUAL if all(c.is_equal for c in comparisons) else DIFFERENT


def _publish(comparisons: Sequence[Comparison], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps([c.to_dict() for c in comparisons], indent=2, allow_nan=False))
    elif comparisons:
        print(report.text(comparisons))
    with writing():
        if options.html is not None and comparisons:
            options.html.write_text(PAGE.format(report.html(comparisons)), encoding="utf-8")
        if options.plot is not None and comparisons:
            report.plot(comparisons).figure.savefig(options.plot)


def _measured(case: Case, options: argparse.Namespace, progress: Callable[[str], None]) -> Comparison:
    """The comparison of a case; what goes wrong with its arguments, or takes too long, is a problem of its own."""
    stage = ["example"]

    def show(now: str) -> None:
        stage[0] = now
        progress(now)

    try:
        with _limited(options.limit):
            return _compared(case, options.quick, show)
    except Overtime:
        problem = f"took longer than {options.limit:g} s and was given up at: {stage[0]} (--limit SECONDS for more)"
        return Comparison(name=case.name, field=case.field, problem=problem)


def _compared(case: Case, is_quick: bool, progress: Callable[[str], None]) -> Comparison:
    try:
        args = example_of(case)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename}, line {place.lineno}"
        return Comparison(name=case.name, field=case.field, problem=f"its example raises {type(error).__name__}: {error} ({where})")
    try:
        return measure(case.function, args, {}, name=case.name, field=case.field, budget=QUICK if is_quick else None, progress=progress)
    except Exception as error:
        return Comparison(name=case.name, field=case.field, problem=f"{type(error).__name__}: {error}")


class Overtime(BaseException):
    """Something took too long; no ``Exception``, which those who catch errors of functions would take for one of them."""


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer, where the system can."""
    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        raise Overtime

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _progress(what: str) -> Iterator[Callable[[str], None]]:
    """A line that tells what is going on, gone afterwards; nothing if nobody sees it."""
    if not sys.stderr.isatty():
        yield lambda stage: None
        return

    def show(stage: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{what}: {stage} …")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()
