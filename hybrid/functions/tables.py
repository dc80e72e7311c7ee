"""Tables for terminals and notebooks: plain text, text with colours, HTML."""

from __future__ import annotations

import io
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

__all__ = ["Column", "Row", "Table", "bytes_told", "seconds_told"]

GAP: Final = 2
NARROWEST: Final = 24
"""Characters that the column whose cells are wrapped has at least."""

STYLES: Final = {"good": "green", "warning": "yellow", "bad": "bold red", "faint": "dim", "": ""}
COLOURS: Final = {
    "good": "color:#2f9e44",
    "warning": "color:#c98a04",
    "bad": "color:#e5484d;font-weight:bold",
    "faint": "opacity:.65",
    "": "",
}
CELL: Final = "padding:2px 10px;border:none;vertical-align:top;white-space:pre-wrap"
FRAME: Final = "border-collapse:collapse;font-size:inherit;font-variant-numeric:tabular-nums"


class Column(NamedTuple):
    """A column: numbers stand to the right, source is shown in the code's font, one may be wrapped where there is no room."""

    title: str
    is_number: bool = False
    is_code: bool = False
    is_wrapped: bool = False


class Row(NamedTuple):
    """A row: its cells, and how it is to be looked at ("good", "warning", "bad", "faint" or nothing)."""

    cells: tuple[str, ...]
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a table, and lines below it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[Row, ...] = ()

    def text(self) -> str:
        """For the standard output: with colours if it is a terminal."""
        width = shutil.get_terminal_size((140, 24)).columns
        return self.rich(width) if sys.stdout.isatty() else self.plain(width)

    def plain(self, width: int = 140) -> str:
        """Text without colours; cells that may be are wrapped into this many characters."""
        widths = self._widths(width)
        lines = [self.title, ""] if self.title else []
        if self.rows:
            lines += self._lines(tuple(c.title for c in self.columns), widths)
            lines.append("  ".join("─" * n for n in widths))
            lines += [line for row in self.rows for line in self._lines(row.cells, widths)]
        lines += ["", *(note.cells[0] for note in self.notes)] if self.notes else []
        return "\n".join(lines)

    def _widths(self, width: int) -> list[int]:
        cells = [tuple(c.title for c in self.columns), *(row.cells for row in self.rows)]
        widths = [max(len(line) for row in cells for line in row[k].split("\n")) for k in range(len(self.columns))]
        for k, column in enumerate(self.columns):
            excess = sum(widths) + GAP * (len(widths) - 1) - width
            if column.is_wrapped and excess > 0:
                widths[k] = max(widths[k] - excess, NARROWEST)
        return widths

    def _lines(self, cells: Sequence[str], widths: Sequence[int]) -> list[str]:
        parts = [_wrapped(cell, n, c) for cell, n, c in zip(cells, widths, self.columns, strict=True)]
        height = max(map(len, parts))
        rows = zip(*(part + [""] * (height - len(part)) for part in parts), strict=True)
        placed = [[_placed(text, n, c) for text, n, c in zip(row, widths, self.columns, strict=True)] for row in rows]
        return [(" " * GAP).join(row).rstrip() for row in placed]

    def rich(self, width: int) -> str:
        """Text with the terminal's colours."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
        for column in self.columns:
            table.add_column(Text(column.title), justify="right" if column.is_number else "left", no_wrap=not column.is_wrapped)
        for row in self.rows:
            table.add_row(*(Text(cell, style=STYLES[row.tone]) for cell in row.cells))
        file = io.StringIO()
        console = Console(file=file, force_terminal=True, width=width, highlight=False)
        for text in [Text(self.title, style="bold"), Text("")] if self.title else []:
            console.print(text)
        if self.rows:
            console.print(table)
        for note in (Row(("",)), *self.notes) if self.notes else ():
            console.print(Text(note.cells[0], style=STYLES[note.tone]))
        return file.getvalue().rstrip("\n")

    def html(self) -> str:
        """An HTML fragment."""
        head = "".join(_cell("th", column.title, column) for column in self.columns)
        rows = "".join(
            f'<tr style="{COLOURS[row.tone]}">{"".join(_cell("td", cell, c) for cell, c in zip(row.cells, self.columns, strict=True))}</tr>'
            for row in self.rows
        )
        table = f'<table style="{FRAME}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>' if self.rows else ""
        notes = "".join(f'<div style="margin:2px 10px;{COLOURS[note.tone]}">{escape(note.cells[0])}</div>' for note in self.notes)
        title = f'<div style="margin:2px 10px"><b>{escape(self.title)}</b></div>' if self.title else ""
        return f'<div style="line-height:1.5;margin:2px 0">{title}{table}{notes}</div>'


def _wrapped(cell: str, width: int, column: Column) -> list[str]:
    lines = cell.split("\n")
    return [part for line in lines for part in (textwrap.wrap(line, width) or [""])] if column.is_wrapped else lines


def _placed(text: str, width: int, column: Column) -> str:
    return text.rjust(width) if column.is_number else text.ljust(width)


def _cell(tag: str, text: str, column: Column) -> str:
    side = "right" if column.is_number else "left"
    font = ";font-family:monospace" if column.is_code else ""
    return f'<{tag} style="text-align:{side};{CELL}{font}">{escape(text)}</{tag}>'


def seconds_told(seconds: float) -> str:
    """Three digits and a unit: ``12.3 ms``."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * scale:
            x = seconds / scale
            return f"{x:.2f} {unit}" if x < 9.995 else f"{x:.1f} {unit}" if x < 99.95 else f"{x:,.0f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def bytes_told(n: int) -> str:
    """A number of bytes with a unit: ``12.3 MiB``."""
    size, unit = float(n), "bytes"
    for larger in ("KiB", "MiB", "GiB"):
        if size >= 1000:
            size, unit = size / 1024, larger
    return f"{size:.1f} {unit}" if unit != "bytes" else f"{n} bytes"
