"""What can't be converted, refused before any work: what was wanted, what was received, what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

from hybrid._util.source import Location
from hybrid.errors import UnsupportedError, at_line, at_location
from hybrid.frontend.scope import FunctionNode

__all__ = ["changed_source", "check", "no_source", "not_a_function"]

PLAIN: Final = "move it into a function marked with @hybrid.do_not_convert"


def check(node: FunctionNode, file: str) -> None:
    """Refuse a function of a kind that has no meaning as one computation."""
    if isinstance(node, ast.AsyncFunctionDef):
        raise _refused(node, file, "wanted an ordinary function, received a coroutine ('async def'); write it with 'def'", "async def")
    for part in _own_parts(node):
        if isinstance(part, ast.Yield | ast.YieldFrom):
            wanted = "wanted a function that returns, received a generator; return a list of the values"
            raise _refused(part, file, f"{wanted}, or {PLAIN}")


def _own_parts(node: FunctionNode) -> Iterator[ast.AST]:
    """What runs as part of a function, in order."""
    todo: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(reversed(node.body))
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo += reversed(list(ast.iter_child_nodes(part)))


def _refused(node: Any, file: str, message: str, head: str = "") -> UnsupportedError:
    end = (node.lineno, node.col_offset + len(head)) if head else (node.end_lineno, node.end_col_offset)
    return UnsupportedError(at_location(message, Location(file, node.lineno, node.col_offset, *end)))


def no_source(function: FunctionType) -> UnsupportedError:
    """For functions made by ``exec`` and the like."""
    code = function.__code__
    wanted = f"wanted a function whose source can be read, received {function.__qualname__!r}, made without a file"
    instead = "put it in a file, or mark it with @hybrid.do_not_convert to run it as it is"
    return UnsupportedError(f'File "{code.co_filename}", line {code.co_firstlineno}\n{wanted}; {instead}')


def changed_source(function: FunctionType) -> UnsupportedError:
    """For files that were edited after Python read them."""
    code = function.__code__
    message = f"wanted the source of {function.__qualname__!r}, found other text in its place; was the file edited? load it again"
    return UnsupportedError(at_line(message, code.co_filename, code.co_firstlineno, None))


def not_a_function(value: Any) -> UnsupportedError:
    """For everything that has no Python code."""
    kind = type(value).__name__
    if isinstance(value, type):
        return UnsupportedError(f"wanted a function, received the class {value.__qualname__!r}; decorate its methods")
    return UnsupportedError(f"wanted a Python function, received {value!r} of type {kind!r}; wrap it: lambda *args: f(*args)")
