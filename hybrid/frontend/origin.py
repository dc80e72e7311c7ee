"""Generated code and where each piece of it comes from: text, compiled code, tracebacks with the user's lines."""

from __future__ import annotations

import ast
import linecache
import weakref
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

import astunparse

from hybrid._util.source import Location
from hybrid.frontend.pipeline import FACTORY, Converted

__all__ = ["SOURCES", "Source", "compiled", "location_of", "printed", "rewrite_traceback"]

Span = tuple[int, int | None, int, int | None]
"""Line, end line, column, end column, as ``co_positions`` orders them."""

NEW_LOCALS: Final = 2
THUNK: Final = "<thunk>"
HERE: Final = str(Path(__file__).parent)


@dataclass(eq=False)
class Source:
    """A generated file.

    Attributes:
        spans: the user's place of each expression and statement, by its place here.
        lines: the user's place of the first statement of each line.
        parts: the names of functions that are parts of the user's function around them.
    """

    file: str
    text: str
    user_file: str
    spans: dict[Span, Span]
    lines: dict[int, Span]
    parts: frozenset[str]
    thunks: frozenset[Span]

    def user_location(self, span: Span | None, line: int) -> Location:
        """The user's place of a place here."""
        found = self.spans.get(span) if span is not None else None
        found = found or self.lines.get(line)
        if found is None:
            return Location(self.user_file, 1)
        return Location(self.user_file, found[0], found[2], found[1], found[3])


SOURCES: dict[str, Source] = {}
"""The generated files by name, as long as their code lives."""


class _Differs(Exception):
    """The text of a tree reads back as another tree."""


class _Pairing:
    """Walks generated code and the same code as read back from its text, and notes where each piece comes from.

    A node without a position of its own stands where the nearest one around it does.
    """

    def __init__(self, users_lambdas: set[ast.Lambda]) -> None:
        self.users_lambdas = users_lambdas
        self.spans: dict[Span, Span] = {}
        self.lines: dict[int, Span] = {}
        self.thunks: set[Span] = set()

    def pair(self, ours: ast.AST, theirs: ast.AST, around: Span) -> None:
        """Two nodes and what is in them."""
        if ours.__class__ is not theirs.__class__:
            raise _Differs
        line = getattr(ours, "lineno", None)
        here = around if line is None else (line, ours.end_lineno, ours.col_offset, ours.end_col_offset)  # type: ignore[attr-defined]
        if "lineno" in theirs._attributes:
            span = theirs.lineno, theirs.end_lineno, theirs.col_offset, theirs.end_col_offset  # type: ignore[attr-defined]
            self.spans[span] = here
            self.lines.setdefault(span[0], here)
            if isinstance(theirs, ast.Lambda) and ours not in self.users_lambdas:
                body = theirs.body
                self.thunks.add((body.lineno, body.end_lineno, body.col_offset, body.end_col_offset))
        for field in ours._fields:
            if field not in ("ctx", "kind", "type_comment"):
                self.pair_fields(getattr(ours, field, None), getattr(theirs, field, None), here)

    def pair_fields(self, ours: Any, theirs: Any, around: Span) -> None:
        """What two nodes have in a field."""
        if isinstance(ours, ast.AST):
            self.pair(ours, theirs, around)
        elif isinstance(ours, list):
            if len(ours) != len(theirs):
                raise _Differs
            for one, other in zip(ours, theirs, strict=True):
                self.pair_fields(one, other, around)
        elif ours is not theirs and (type(ours) is not type(theirs) or (ours != theirs and repr(ours) != repr(theirs))):
            raise _Differs


def printed(made: Converted) -> tuple[str, ast.Module, _Pairing]:
    """The text of generated code, the same code as read back from it, and where its pieces come from."""
    for unparse in (astunparse.unparse, _unparse_newer):
        pairing = _Pairing(made.users_lambdas)
        try:
            text = unparse(made.tree).strip() + "\n"
            again = ast.parse(text)
            pairing.pair(made.tree, again, (1, 1, 0, 0))
        except (AttributeError, ValueError, TypeError, SyntaxError, _Differs):
            continue
        return text, again, pairing
    raise AssertionError(f"generated code that can't be printed: {ast.dump(made.tree)}")


def _unparse_newer(tree: ast.AST) -> str:
    """For syntax that ``astunparse`` doesn't know."""
    return ast.unparse(ast.fix_missing_locations(tree))


def compiled(made: Converted, user_file: str, file: str, code: CodeType, flags: int) -> CodeType:
    """The code of a converted function, its text findable by debuggers."""
    text, tree, pairing = printed(made)
    parts = frozenset({THUNK, *(name for name, shown in made.shown_as.items() if shown is None)})
    source = Source(_free_name(file), text, user_file, pairing.spans, pairing.lines, parts, frozenset(pairing.thunks))
    module = compile(tree, source.file, "exec", flags=flags, dont_inherit=True)
    function = _inner(_inner(module, FACTORY), made.name)
    named = _Renamer(source, made).renamed(function, function.co_qualname, code.co_qualname)
    named = named.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    SOURCES[source.file] = source
    linecache.cache[source.file] = (len(text), None, text.splitlines(keepends=True), source.file)
    weakref.finalize(named, _forget, source.file, text).atexit = False
    return named


def _forget(file: str, text: str) -> None:
    if file in SOURCES and SOURCES[file].text == text:
        del SOURCES[file]
        linecache.cache.pop(file, None)


def _free_name(file: str) -> str:
    name, number = f"<hybrid {file}>", 1
    while name in SOURCES:
        number += 1
        name = f"<hybrid {file} ({number})>"
    return name


def _inner(code: CodeType, name: str) -> CodeType:
    return next(const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == name)


class _Renamer:
    """Gives the functions of the user inside generated code the names that they have without it."""

    def __init__(self, source: Source, made: Converted) -> None:
        self.source, self.shown_as, self.global_functions = source, made.shown_as, made.global_functions

    def renamed(self, code: CodeType, old: str, new: str) -> CodeType:
        """Code with the functions in it renamed; it is itself called ``old`` now and is to be called ``new``."""
        consts = tuple(self._renamed_inner(const, old, new) if isinstance(const, CodeType) else const for const in code.co_consts)
        if not code.co_flags & NEW_LOCALS:
            consts = tuple(new if type(const) is str and const == old else const for const in consts)
        return code.replace(co_consts=consts)

    def _renamed_inner(self, code: CodeType, old: str, new: str) -> CodeType:
        name, own = code.co_name, code.co_qualname
        if name in self.shown_as:
            shown = self.shown_as[name]
            inside = new if shown is None else f"{new}.<locals>.{shown}"
            made = self.renamed(code, own, inside)
            return made.replace(co_name=shown or name, co_qualname=f"{new}.<locals>.{shown or name}")
        if name == "<lambda>" and self._is_thunk(code):
            return self.renamed(code, own, new).replace(co_name=THUNK, co_qualname=f"{new}.<locals>.{THUNK}")
        named = new + own[len(old) :] if own.startswith(old + ".") and name not in self.global_functions else name
        return self.renamed(code, own, named).replace(co_qualname=named)

    def _is_thunk(self, code: CodeType) -> bool:
        """A lambda ends by returning, which stands where its body does."""
        return any(position in self.source.thunks for position in code.co_positions())


# -- tracebacks -----------------------------------------------------------------------------------------------------
def location_of(frame: FrameType, offset: int) -> Location | None:
    """The user's place of an instruction of generated code."""
    source = SOURCES.get(frame.f_code.co_filename)
    if source is None:
        return None
    span = next(islice(frame.f_code.co_positions(), max(offset, 0) // 2, None), None)
    line = frame.f_lineno if span is None or span[0] is None else span[0]
    return source.user_location(span, line or frame.f_code.co_firstlineno)  # type: ignore[arg-type]


@dataclass
class _Entry:
    """A line of a traceback: a frame as it is, or a place in the user's source with the function's name."""

    traceback: TracebackType
    location: Location | None = None
    name: str = ""
    qualname: str = ""


def rewrite_traceback(error: BaseException) -> BaseException:
    """Let the traceback of an exception, and of those that led to it, show the user's files and lines.

    Frames of run-time functions go; those of the parts of a converted function become one frame, in which variables can be
    looked at. Returns the same exception.
    """
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        todo += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            todo += one.exceptions
        one.__traceback__ = _rewritten(one.__traceback__)
    return error


def _rewritten(traceback: TracebackType | None) -> TracebackType | None:
    entries = _entries(traceback)
    made: TracebackType | None = None
    for entry in reversed(entries):
        old = entry.traceback
        if entry.location is None:
            made = TracebackType(made, old.tb_frame, old.tb_lasti, old.tb_lineno)
        else:
            shown = _frame_at(entry)
            made = TracebackType(made, shown.tb_frame, shown.tb_lasti, entry.location.line)
    return made


def _entries(traceback: TracebackType | None) -> list[_Entry]:
    entries: list[_Entry] = []
    while traceback is not None:
        frame = traceback.tb_frame
        code = frame.f_code
        location = location_of(frame, traceback.tb_lasti)
        if location is not None:
            entry = _Entry(traceback, location, code.co_name, code.co_qualname)
            if code.co_name in SOURCES[code.co_filename].parts:
                entry.qualname = code.co_qualname.rpartition(".<locals>.")[0]
                entry.name = entry.qualname.rpartition(".")[2]
                if entries and entries[-1].location is not None:
                    entries.pop()
            entries.append(entry)
        elif not code.co_filename.startswith(HERE):
            entries.append(_Entry(traceback))
        traceback = traceback.tb_next
    return entries


def _frame_at(entry: _Entry) -> TracebackType:
    """A frame that stands at a place of the user's source, with the variables of a generated one."""
    location, frame = entry.location, entry.traceback.tb_frame
    assert location is not None
    place: dict[str, Any] = {"lineno": location.line, "col_offset": location.column or 0}
    place |= {"end_lineno": location.end_line or location.line, "end_col_offset": location.end_column or place["col_offset"]}
    node = ast.Raise(ast.Name("error__", ast.Load(), **place), None, **place)
    code = compile(ast.Module([node], []), location.file, "exec").replace(co_name=entry.name, co_qualname=entry.qualname)
    known = {name: value for name, value in frame.f_locals.items() if not name.endswith("__") and name != "hy__"}
    names = {"error__": _Here(), "__name__": frame.f_globals.get("__name__"), "__loader__": frame.f_globals.get("__loader__")}
    try:
        exec(code, names, known)
    except _Here as here:
        assert here.__traceback__ is not None and here.__traceback__.tb_next is not None
        return here.__traceback__.tb_next
    raise AssertionError("unreachable")


class _Here(Exception):
    """Raised to get a frame."""
