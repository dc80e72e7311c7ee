"""What a command is about: the functions of a file, or the gallery, each with arguments to try it on."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from hybrid.cli.status import Refusal
from hybrid.functions.function import Function
from hybrid.gallery import PROGRAMS

__all__ = ["Case", "cases_of", "example_of", "selected"]

LOADED: Final = "_compared_by_hybrid_"
"""Before the name of a user's module, so that it doesn't hide another one."""


class Case(NamedTuple):
    """A function, and what makes its arguments."""

    name: str
    field: str
    function: Callable[..., Any]
    example: Callable[[], Any]


def example_of(case: Case) -> tuple[Any, ...]:
    """The arguments to try a function on; what it prints doesn't get into the output."""
    with contextlib.redirect_stdout(sys.stderr):
        made = case.example()
    return made if isinstance(made, tuple) else (made,)


def cases_of(target: str | None) -> list[Case]:
    """The functions of a file that have examples, or the one that is named; without a file, the gallery."""
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


def selected(cases: list[Case], word: str | None) -> list[Case]:
    """Those with a word in their name or field."""
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
