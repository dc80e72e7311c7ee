"""Tracebacks that show the user's lines: places in source become frames, our own frames go."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import CodeType, TracebackType
from typing import Final, NamedTuple

from hybrid._util.source import OURS, Location

__all__ = ["Place", "function_at", "hide_ours", "located", "places_of", "traceback_of"]

HERE: Final = str(Path(__file__).parents[1])
USERS_OWN: Final = tuple(f"{HERE}/{name}/" for name in ("gallery", "keras"))
"""Folders of ours that are written as users write theirs."""


class Place(NamedTuple):
    """A line of a traceback: a span of the user's source, and the name of the function that it is in."""

    location: Location
    name: str


def located(traceback: TracebackType | None, location: Location) -> TracebackType:
    """A traceback whose first line is a place in the user's source; what follows is what it shows of the user's own code."""
    return _chained([_code(location, function_at(location.file, location.line))], list(_users(traceback)))


def places_of(traceback: TracebackType | None) -> tuple[Place, ...]:
    """The lines of a traceback that are the user's."""
    found = []
    for entry in _users(traceback):
        code = entry.tb_frame.f_code
        positions = list(code.co_positions())
        line, end_line, column, end_column = positions[entry.tb_lasti // 2] if 0 <= entry.tb_lasti // 2 < len(positions) else (None,) * 4
        place = Location(code.co_filename, entry.tb_lineno or line or 1, column, end_line, end_column)
        found.append(Place(place if line == entry.tb_lineno else Location(place.file, place.line), code.co_name))
    return tuple(found)


def traceback_of(places: Sequence[Place]) -> TracebackType | None:
    """A traceback with these lines."""
    return _chained([_code(place.location, place.name) for place in places], []) if places else None


def hide_ours(error: BaseException) -> None:
    """Leave only the user's lines in the traceback of an exception and of those that led to it.

    What goes wrong in our own code is shown as it is.
    """
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        todo += [one.__cause__, one.__context__]
        last = one.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        is_refusal = any(kind.__name__ == "HybridError" for kind in type(one).__mro__)
        if last is not None and (is_refusal or not _is_ours(last)):
            one.__traceback__ = _chained([], list(_users(one.__traceback__)))


# -- frames ---------------------------------------------------------------------------------------------------------
def _users(traceback: TracebackType | None) -> Iterator[TracebackType]:
    """The entries of the user's own code, and of libraries that it called."""
    is_below_ours = True
    while traceback is not None:
        name = str(traceback.tb_frame.f_globals.get("__name__")).partition(".")[0]
        is_ours = _is_ours(traceback)
        if not is_ours and not (is_below_ours and name in OURS):
            is_below_ours = False
            yield traceback
        is_below_ours = is_below_ours or is_ours
        traceback = traceback.tb_next


def _is_ours(entry: TracebackType) -> bool:
    frame = entry.tb_frame
    file = frame.f_code.co_filename
    if file == "<string>" or file.startswith("<hybrid "):
        return "__name__" not in frame.f_globals or file != "<string>"
    return file.startswith(HERE) and not file.startswith(USERS_OWN)


def _chained(first: Sequence[CodeType], then: Sequence[TracebackType]) -> TracebackType:
    made: TracebackType | None = None
    for entry in reversed(then):
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    for code in reversed(first):
        entry = _entry(code)
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made  # type: ignore[return-value]


class _Here(Exception):
    """Raised to get a frame."""


@lru_cache(maxsize=256)
def _code(location: Location, name: str) -> CodeType:
    """Code that raises at a place."""
    start = location.column or 0
    place = {"lineno": location.line, "col_offset": start}
    place |= {"end_lineno": location.end_line or location.line, "end_col_offset": location.end_column or start}
    node = ast.Raise(ast.Name("error__", ast.Load(), **place), None, **place)  # type: ignore[arg-type]
    return compile(ast.Module([node], []), location.file, "exec").replace(co_name=name, co_qualname=name)


def _entry(code: CodeType) -> TracebackType:
    try:
        exec(code, {"error__": _Here, "__name__": "__main__"})
    except _Here as here:
        assert here.__traceback__ is not None and here.__traceback__.tb_next is not None
        return here.__traceback__.tb_next
    raise AssertionError("unreachable")


@lru_cache(maxsize=1024)
def function_at(file: str, line: int) -> str:
    """The name of the innermost function around a line."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return "<unknown>"
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if not around:
        return "<module>"
    innermost = max(around, key=lambda node: node.lineno)
    return "<lambda>" if isinstance(innermost, ast.Lambda) else innermost.name
