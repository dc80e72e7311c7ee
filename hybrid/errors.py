"""The exceptions that hybrid itself raises, and the text that points at a place in the user's source.

Where NumPy or Python would refuse too, hybrid raises their class with their message; these classes are for what only
hybrid refuses. Each is also the built-in class that fits.
"""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import combining, east_asian_width

from hybrid._util.source import Location

__all__ = ["DTypeError", "HybridError", "ShapeError", "StagingError", "UnsupportedError", "at_line", "at_location"]


class HybridError(Exception):
    """What all refusals of hybrid's own have in common.

    >>> try:
    ...     hybrid.asarray(["text"])
    ... except hybrid.errors.HybridError as error:
    ...     print(type(error).__name__)
    DTypeError
    """


class DTypeError(HybridError, TypeError):
    """A dtype that tensors can't have: text, dates, objects, long doubles.

    >>> hybrid.asarray([1, 2], dtype="datetime64[s]")
    Traceback (most recent call last):
    hybrid.errors.DTypeError: wanted a dtype that is a boolean or a number (bool, ..., complex128), received 'datetime64[s]'
    """


class ShapeError(HybridError, ValueError):
    """A shape that the receiver can't take.

    >>> hybrid.Variable([1.0, 2.0], name="w").assign([1.0, 2.0, 3.0])
    Traceback (most recent call last):
    hybrid.errors.ShapeError: wanted a value of shape (2,) for the variable 'w', received shape (3,)
    """


class UnsupportedError(HybridError, TypeError):
    """A function or construct that can't be traced, differentiated or batched.

    >>> issubclass(hybrid.errors.UnsupportedError, TypeError)
    True
    """


class StagingError(HybridError, TypeError):
    """Something that only a value could decide was asked of a value that isn't known yet.

    >>> issubclass(hybrid.errors.StagingError, TypeError)
    True
    """


# -- pointing at source ---------------------------------------------------------------------------------------------
WIDTH: Final = 100
"""Columns of source shown; longer lines are cropped around the mark."""

MOST_LINES: Final = 5
"""Lines of source shown in full; of longer spans the first and the last."""

TAB: Final = 4


def at_line(
    message: str,
    file: str,
    line: int,
    column: int | None,
    end_column: int | None = None,
    source: str | None = None,
    *,
    end_line: int | None = None,
) -> str:
    """A message below the source that it is about, marked from ``column`` up to ``end_column`` as in Python's tracebacks.

    Args:
        message: what is wrong there.
        file, line: where; lines count from 1.
        column, end_column: the span, end exclusive, in bytes of UTF-8 from 0, as ``ast`` counts; without an end, one character;
            without a start, nothing is marked.
        source: the text of the whole file, if Python can't find it by the file's name (``linecache``).
        end_line: the line of ``end_column`` where it is another one.

    >>> print(at_line("a stray operator", "user.py", 1, 4, 8, "y = x[i] + *2"))
    File "user.py", line 1
        y = x[i] + *2
            ~~~^
    a stray operator
    """
    return at_location(message, Location(file, line, column, end_line, end_column), source)


def at_location(message: str, location: Location, source: str | None = None) -> str:
    """A message below the source that it is about; see ``at_line``.

    >>> print(at_location("wanted 3 axes, received 2", Location("user.py", 1), "y = mean(x)"))
    File "user.py", line 1
        y = mean(x)
    wanted 3 axes, received 2
    """
    lines = linecache.getlines(location.file) if source is None else source.split("\n")
    last = location.end_line or location.line
    rows = [_row(text, *_span(text, number, location)) for number, text in enumerate(lines[location.line - 1 : last], location.line)]
    shared = min((_indent(row) for row in rows if row), default=0)
    shown = [line for row in _fewer(rows) for line in _printed(row if row is None else row[shared:])]
    return "\n".join([f'File "{location.file}", line {location.line}', *(f"    {line}" for line in shown), message])


class Cell(NamedTuple):
    """One character as the terminal shows it: its text, the columns it takes, and the mark below it."""

    text: str
    width: int
    mark: str


def _span(text: str, number: int, location: Location) -> tuple[int, int, bool]:
    """The marked characters of a line, from and up to, and whether the mark ends there."""
    if location.column is None:
        return 0, 0, False
    is_first, is_last = number == location.line, number == (location.end_line or location.line)
    start = _characters(text, location.column) if is_first else len(text) - len(text.lstrip())
    if not is_last:
        return start, len(text.rstrip()), False
    stop = start + 1 if location.end_column is None else _characters(text, location.end_column)
    return start, max(stop, start + 1), True


def _characters(text: str, column: int) -> int:
    """The number of characters in the first ``column`` bytes."""
    return len(text.encode(errors="surrogatepass")[:column].decode(errors="ignore"))


def _row(text: str, start: int, stop: int, is_end: bool) -> list[Cell]:
    cells: list[Cell] = []
    text = text.rstrip()
    caret = min(stop - 1, len(text)) if is_end else -1
    for i, char in enumerate(text.ljust(caret + 1)):
        mark = "^" if i == caret else "~" if start <= i < stop else " "
        if char == "\t":
            cells += [Cell(" ", 1, mark)] * (TAB - len(cells) % TAB)
        elif combining(char) and cells:
            cells[-1] = Cell(cells[-1].text + char, cells[-1].width, max(mark, cells[-1].mark, key=" ~^".index))
        else:
            cells.append(Cell(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}", 1 + (east_asian_width(char) in "WF"), mark))
    return cells


def _indent(row: Sequence[Cell]) -> int:
    return next((i for i, cell in enumerate(row) if cell.text != " " or cell.mark != " "), len(row))


def _fewer(rows: list[list[Cell]]) -> Sequence[list[Cell] | None]:
    """The rows, or the first and the last with ``None`` for those between."""
    return rows if len(rows) <= MOST_LINES else [rows[0], None, rows[-1]]


def _printed(row: list[Cell] | None) -> list[str]:
    """A line of source and, if anything in it is marked, the line of marks."""
    if row is None:
        return ["…"]
    cells = _cropped(row)
    marks = "".join(cell.mark * cell.width for cell in cells).rstrip()
    text = "".join(cell.text for cell in cells).rstrip()
    return [text, marks] if marks else [text]


def _cropped(row: list[Cell]) -> list[Cell]:
    """At most ``WIDTH`` columns of a row, among them the end of the mark."""
    if sum(cell.width for cell in row) <= WIDTH:
        return row
    marks = "".join(cell.mark for cell in row)
    focus = max(marks.find("^"), 0) or max(marks.find("~"), 0)
    start, stop, room = focus, focus + 1, WIDTH - 4
    while room > 0 and (start > 0 or stop < len(row)):
        if stop < len(row) and (start == 0 or stop - focus < WIDTH // 4):
            room, stop = room - row[stop].width, stop + 1
        else:
            room, start = room - row[start - 1].width, start - 1
    left, right = [Cell("…", 1, " ")] * (start > 0), [Cell("…", 1, " ")] * (stop < len(row))
    return [*left, *row[start:stop], *right]
