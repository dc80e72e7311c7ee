"""From a function to its syntax: files, notebooks and the REPL; lambdas are told apart by their columns."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Final, NamedTuple

from hybrid.frontend import fence
from hybrid.frontend.quote import clone
from hybrid.frontend.scope import FUNCTIONS, FunctionNode, parameters

__all__ = ["Parsed", "parse"]


@dataclass(frozen=True)
class Parsed:
    """A function's own syntax, ready to be rewritten.

    Attributes:
        node: a copy of the function's node, private names spelled out.
        file: the file of the user.
        has_class: whether a class is around the function.
    """

    node: FunctionNode
    file: str
    has_class: bool


class Found(NamedTuple):
    """A function in a file, and the name of the class around it."""

    node: FunctionNode
    class_name: str | None


class File(NamedTuple):
    """The functions of a file by their first line, for the lines that were read."""

    lines: list[str]
    functions: dict[int, list[Found]]


KEPT: Final = 32
FILES: dict[str, File] = {}


def parse(function: FunctionType) -> Parsed:
    """The syntax of a function; ``UnsupportedError`` if its source can't be found."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise fence.no_source(function)
    try:
        found = _same(code, _file(code.co_filename, lines).functions.get(code.co_firstlineno, []))
    except SyntaxError:
        raise fence.no_source(function) from None
    if found is None:
        raise fence.changed_source(function)
    return Parsed(clone(found.node, found.class_name), code.co_filename, found.class_name is not None)


def _file(name: str, lines: list[str]) -> File:
    known = FILES.get(name)
    if known is not None and (known.lines is lines or known.lines == lines):
        return known
    functions: dict[int, list[Found]] = {}
    for found in _functions(ast.parse("".join(lines)), None):
        functions.setdefault(_first_line(found.node), []).append(found)
    while len(FILES) >= KEPT:
        FILES.pop(next(iter(FILES)), None)
    FILES[name] = File(lines, functions)
    return FILES[name]


def _functions(node: ast.AST, class_name: str | None) -> Iterator[Found]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield Found(child, class_name)
        yield from _functions(child, child.name if isinstance(child, ast.ClassDef) else class_name)


def _first_line(node: FunctionNode) -> int:
    if isinstance(node, ast.Lambda) or not node.decorator_list:
        return node.lineno
    return node.decorator_list[0].lineno


def _same(code: CodeType, candidates: list[Found]) -> Found | None:
    """The candidate that a code object was made from."""
    candidates = [found for found in candidates if _fits(code, found)]
    if len(candidates) > 1:
        candidates = [found for found in candidates if isinstance(found.node, ast.Lambda) and _is_made_of(code, found.node.body)]
        candidates = sorted(candidates, key=lambda found: _size(found.node.body))[:1]  # type: ignore[arg-type]
    return candidates[0] if len(candidates) == 1 else None


def _fits(code: CodeType, found: Found) -> bool:
    name = "<lambda>" if isinstance(found.node, ast.Lambda) else found.node.name
    args = clone(found.node.args, found.class_name)
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return name == code.co_name and tuple(arg.arg for arg in parameters(args)) == code.co_varnames[:count]


def _is_made_of(code: CodeType, body: ast.expr) -> bool:
    """Whether all instructions with columns stand inside an expression."""
    start, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    for line, end_line, column, end_column in code.co_positions():
        if line is None or column is None or not end_column:
            continue
        if (line, column) < start or (end_line, end_column) > end:  # type: ignore[operator]
            return False
    return True


def _size(body: ast.expr) -> tuple[int, int]:
    """Grows from an inner expression to one around it, if both end or start on one line."""
    lines = (body.end_lineno or body.lineno) - body.lineno
    return lines, (body.end_col_offset or 0) - body.col_offset
