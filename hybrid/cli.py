"""The command ``hybrid``: ``compare`` measures what compiling changes, ``info`` tells what is installed and set."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib.util
import json
import os
import platform
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from hybrid.config import config
from hybrid.functions import report
from hybrid.functions.compare import QUICK, Comparison, measure
from hybrid.functions.function import Function
from hybrid.gallery import PROGRAMS

__all__ = ["main"]

EQUAL, DIFFERENT, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""

PACKAGES: Final = ("hybrid", "numpy", "scipy", "numba", "llvmlite", "matplotlib", "rich")
LOADED: Final = "_compared_by_hybrid_"
"""Before the name of a user's module, so that it doesn't hide another one."""

PAGE: Final = '<!doctype html><meta charset="utf-8"><title>hybrid compare</title><body style="font:14px sans-serif">{}</body>\n'


class Refusal(Exception):
    """What was asked for can't be done; the message says why."""


class Case(NamedTuple):
    """Something to compare: a function, and what makes its arguments."""

    name: str
    field: str
    function: Callable[..., Any]
    example: Callable[[], Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 1 if something differs from plain Python, 2 if it can't be done, 130 if interrupted."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return options.run(options)
    except Refusal as refusal:
        print(f"hybrid {options.command}: {refusal}", file=sys.stderr)
        return MISUSED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EQUAL
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hybrid", description="Write NumPy, run it eagerly, make what is hot native.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    compare = commands.add_parser(
        "compare",
        help="time functions as plain Python and compiled, and compare their results",
        description="Time functions as plain Python and compiled, and compare their results. The exit status is 1 if any differ.",
    )
    compare.add_argument(
        "target", nargs="?", metavar="FILE[:FUNCTION]", help="compiled functions that declare example=...; else the gallery"
    )
    compare.add_argument("-k", dest="word", metavar="WORD", help="only those with this in their name or field")
    compare.add_argument("--quick", action="store_true", help="a tenth of the time for each, less exact")
    compare.add_argument("--json", action="store_true", help="print a list of objects")
    compare.add_argument("--html", metavar="FILE", type=Path, help="write the table as a page, too")
    compare.add_argument("--plot", metavar="FILE", type=Path, help="draw the times into a file, too (.png, .svg, .pdf)")
    compare.set_defaults(run=_compare)
    info = commands.add_parser(
        "info", help="versions, processor, libraries and settings", description="Versions, processor, libraries, settings."
    )
    info.add_argument("--json", action="store_true", help="print an object")
    info.set_defaults(run=_info)
    return parser


# -- compare --------------------------------------------------------------------------------------------------------
def _compare(options: argparse.Namespace) -> int:
    if options.plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise Refusal("--plot needs matplotlib, which isn't installed: pip install 'hybrid[plot]'")
    cases = _selected(_cases(options.target), options.word)
    comparisons: list[Comparison] = []
    is_complete = False
    try:
        for number, case in enumerate(cases, 1):
            with _progress(f"[{number}/{len(cases)}] {case.name}") as progress:
                comparisons.append(_measured(case, options.quick, progress))
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
    with _writing():
        if options.html is not None and comparisons:
            options.html.write_text(PAGE.format(report.html(comparisons)), encoding="utf-8")
        if options.plot is not None and comparisons:
            report.plot(comparisons).figure.savefig(options.plot)


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: matplotlib's for an unknown kind of file
        raise Refusal(str(error)) from error


def _measured(case: Case, is_quick: bool, progress: Callable[[str], None]) -> Comparison:
    """The comparison of a case; what goes wrong with its arguments is a problem of its own."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            made = case.example()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename}, line {place.lineno}"
        return Comparison(name=case.name, field=case.field, problem=f"its example raises {type(error).__name__}: {error} ({where})")
    args = made if isinstance(made, tuple) else (made,)
    try:
        return measure(case.function, args, {}, name=case.name, field=case.field, budget=QUICK if is_quick else None, progress=progress)
    except Exception as error:
        return Comparison(name=case.name, field=case.field, problem=f"{type(error).__name__}: {error}")


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


# -- what to compare ------------------------------------------------------------------------------------------------
def _cases(target: str | None) -> list[Case]:
    if target is None:
        return [Case(program.name, program.field, program.function, program.example) for program in PROGRAMS]
    file, name = _split(target)
    module = _module(file)
    compiled = {name: value for name, value in vars(module).items() if isinstance(value, Function)}
    if name is None:
        return _all_with_example(file, compiled)
    if callable(getattr(module, name, None)) and name not in compiled:
        raise Refusal(f"{name} in {file} isn't compiled: decorate it with @hybrid.function(example=...)")
    return [_named(file, name, compiled)]


def _split(target: str) -> tuple[Path, str | None]:
    """The file and the function, if one is named: a colon may also be part of the path."""
    path, colon, name = target.rpartition(":")
    if colon and name.isidentifier() and not Path(target).exists():
        return Path(path), name
    return Path(target), None


def _module(file: Path) -> ModuleType:
    """A user's file, imported."""
    if not file.exists():
        near = get_close_matches(file.name, [p.name for p in file.parent.glob("*.py")], n=3) if file.parent.is_dir() else []
        raise Refusal(f"no file {str(file)!r}{_hint(near)}")
    if file.is_dir():
        raise Refusal(f"{str(file)!r} is a directory; wanted a Python file")
    spec = importlib.util.spec_from_file_location(LOADED + file.stem, file)
    if spec is None or spec.loader is None:
        raise Refusal(f"{str(file)!r} is no Python file: wanted a name that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(file.resolve().parent))
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except SystemExit as error:
        raise Refusal(
            f"{file} ends the program when it is imported (exit status {error.code}); put that under if __name__ == '__main__'"
        ) from error
    except Exception as error:
        raise Refusal(f"importing {file} failed\n{_users_traceback(error, file)}") from error
    return module


def _users_traceback(error: Exception, file: Path) -> str:
    """The traceback from the user's file on."""
    found = error.__traceback__
    while found is not None and Path(found.tb_frame.f_code.co_filename).resolve() != file.resolve():
        found = found.tb_next
    return "".join(traceback.format_exception(type(error), error, found)).rstrip()


def _all_with_example(file: Path, compiled: dict[str, Function]) -> list[Case]:
    cases: dict[int, Case] = {}
    for name, f in compiled.items():
        if f.example is not None:
            cases.setdefault(id(f), Case(name, "", f, f.example))
    if not cases:
        without = f"; without example= are {', '.join(compiled)}" if compiled else ""
        raise Refusal(f"no function in {file} is decorated with @hybrid.function(example=...){without}")
    return list(cases.values())


def _named(file: Path, name: str, compiled: dict[str, Function]) -> Case:
    function = compiled.get(name)
    if function is None:
        raise Refusal(f"no compiled function {name!r} in {file}{_hint(get_close_matches(name, compiled, n=3)) or _offer(compiled)}")
    if function.example is None:
        raise Refusal(f"{name} in {file} has no example: @hybrid.function(example=...) with a function that returns the arguments")
    return Case(name, "", function, function.example)


def _selected(cases: list[Case], word: str | None) -> list[Case]:
    if word is None:
        return cases
    chosen = [case for case in cases if word.lower() in f"{case.name} {case.field}".lower()]
    if not chosen:
        words = {part for case in cases for part in (case.name, *case.name.split("_"), case.field, *case.field.split()) if part}
        raise Refusal(f"nothing matches {word!r}{_hint(get_close_matches(word, words, n=3)) or _offer([case.name for case in cases])}")
    return chosen


def _hint(near: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _offer(names: Sequence[str] | dict[str, Any]) -> str:
    return f"; there are {', '.join(names)}" if names else ""


# -- info -----------------------------------------------------------------------------------------------------------
def _info(options: argparse.Namespace) -> int:
    found = _facts()
    if options.json:
        print(json.dumps(found, indent=2, default=str))
        return EQUAL
    rows = [(name, _told(value)) for name, value in found.items() if name != "settings"]
    rows += [(name, str(value)) for name, value in found["settings"].items()]
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:<{width}}  {value}" for name, value in rows))
    return EQUAL


def _facts() -> dict[str, Any]:
    """What matters for speed and for reports of bugs; no package is imported for it."""
    return {
        "python": f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})",
        **{name: _version(name) for name in PACKAGES},
        "system": platform.platform(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "blas": _blas(),
        "settings": dataclasses.asdict(config()),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed, run from its source" if package == "hybrid" else None


def _told(value: Any) -> str:
    return "not installed" if value is None else str(value)


def _processor() -> str:
    """The name that the processor gives itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _blas() -> str:
    """The library behind NumPy's linear algebra."""
    built = np.show_config(mode="dicts")
    blas = built.get("Build Dependencies", {}).get("blas", {}) if built else {}
    return " ".join(filter(None, [blas.get("name"), blas.get("version")])) or "unknown"
