"""How plain Python and compiled functions compare: the record, and tables, HTML and a picture of one or many of them."""

from __future__ import annotations

import io
import math
import shutil
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final, NamedTuple, TextIO

__all__ = ["Comparison", "Note", "html", "median_speedup", "plain_text", "plot", "summary", "text"]

PLAIN, COMPILED, FIRST, BROKEN = "#8a8f98", "#4a90d9", "#f2b134", "#e5484d"
"""Colours of plain Python, of later calls, of the first call and of what differs, readable on light and on dark pages."""

FAINT: Final = "opacity:.65"
CELL: Final = "padding:2px 10px;border:none"
TABLE: Final = "border-collapse:collapse;font-size:inherit;font-variant-numeric:tabular-nums"
BAR_WIDTH: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison:
    """One function, run as plain Python and compiled.

    Attributes:
        name: of the function.
        field: where such functions are written; empty if nobody says.
        problem: how the results differ, or what went wrong; ``None`` if they agree.
        raised: the exception that both raised, so that there is nothing to time.
        eager_seconds, eager_spread: the median of calls as plain Python, and the distance of the quartiles relative to it.
        first_call_seconds: of tracing, compiling and running.
        compiled_seconds, compiled_spread: of later calls.
        rounds: the samples behind the medians.
        max_difference, max_relative_difference: of two numbers of the results or of arguments changed in place.
        why_slow: what Python still does in the compiled function, where that is slower.
        peak_bytes, eager_peak_bytes: the memory that a call took at most, compiled (a later one) and as plain Python.

    >>> comparison = Comparison(name="f", eager_seconds=1.0, first_call_seconds=0.5, compiled_seconds=0.01)
    >>> comparison.speedup, comparison.pays_after, comparison.is_equal
    (100.0, 1, True)
    """

    name: str
    field: str = ""
    problem: str | None = None
    raised: str | None = None
    eager_seconds: float | None = None
    eager_spread: float | None = None
    first_call_seconds: float | None = None
    compiled_seconds: float | None = None
    compiled_spread: float | None = None
    rounds: int = 0
    max_difference: float | None = None
    max_relative_difference: float | None = None
    peak_bytes: int | None = None
    eager_peak_bytes: int | None = None
    why_slow: str | None = None

    @property
    def is_equal(self) -> bool:
        """Whether the compiled function did the same as the plain one."""
        return self.problem is None

    @property
    def speedup(self) -> float | None:
        """How many times as fast later calls are."""
        return self.eager_seconds / self.compiled_seconds if self.eager_seconds and self.compiled_seconds else None

    @property
    def pays_after(self) -> int | None:
        """The number of calls that together take less time compiled, tracing and compiling included; ``None`` for never."""
        if self.eager_seconds is None or self.first_call_seconds is None or self.compiled_seconds is None:
            return None
        if self.first_call_seconds <= self.eager_seconds:
            return 1
        gain = self.eager_seconds - self.compiled_seconds
        return math.ceil((self.first_call_seconds - self.compiled_seconds) / gain) if gain > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """The figures by name, for JSON: ``None`` where there is none or it isn't finite."""
        found = {
            "name": self.name,
            "field": self.field,
            "equal": self.is_equal,
            "problem": self.problem,
            "raised": self.raised,
            "eager_seconds": self.eager_seconds,
            "first_call_seconds": self.first_call_seconds,
            "compiled_seconds": self.compiled_seconds,
            "speedup": self.speedup,
            "pays_after": self.pays_after,
            "max_difference": self.max_difference,
            "max_relative_difference": self.max_relative_difference,
            "peak_bytes": self.peak_bytes,
            "eager_peak_bytes": self.eager_peak_bytes,
            "eager_spread": self.eager_spread,
            "compiled_spread": self.compiled_spread,
            "rounds": self.rounds,
            "why_slow": self.why_slow,
        }
        return {name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in found.items()}

    def __repr__(self) -> str:
        return plain_text([self])

    def __str__(self) -> str:
        return text([self])

    def _repr_html_(self) -> str:
        return html([self])

    def plot(self, axes: Any = None) -> Any:
        """A picture of the times (see ``plot``)."""
        return plot([self], axes)


def median_speedup(comparisons: Sequence[Comparison]) -> float | None:
    """The median over the functions whose results agree."""
    known = [c.speedup for c in comparisons if c.is_equal and c.speedup is not None]
    return statistics.median(known) if known else None


# -- columns --------------------------------------------------------------------------------------------------------
class Column(NamedTuple):
    """One column of a table.

    Attributes:
        title: may have two lines.
        cell: the text for a comparison.
        rank: where there is no room for all, the highest go first.
        is_number: and so stands to the right.
    """

    title: str
    cell: Callable[[Comparison], str]
    rank: int
    is_number: bool = True


def _seconds(seconds: float | None) -> str:
    """Three digits and a unit: ``1.23 ms``."""
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * scale:
            return f"{_digits(seconds / scale)} {unit}"
    return f"{_digits(seconds / 1e-9)} ns"


def _digits(x: float) -> str:
    """Three significant digits, and all of those before the point."""
    return f"{x:.2f}" if x < 9.995 else f"{x:.1f}" if x < 99.95 else f"{x:,.0f}"


def _spread(part: float | None) -> str:
    return "" if part is None else f"±{100 * part / 2:.0f}%"


def _speedup(comparison: Comparison) -> str:
    return "–" if comparison.speedup is None else f"{_digits(comparison.speedup)}×"


def _pays_after(comparison: Comparison) -> str:
    if comparison.compiled_seconds is None:
        return "–"
    return "never" if comparison.pays_after is None else f"{comparison.pays_after:,}"


def _difference(comparison: Comparison) -> str:
    if comparison.max_difference is None or comparison.raised:
        return "–" if comparison.is_equal else "error"
    if not math.isfinite(comparison.max_difference):
        return "differs"
    return _scientific(comparison.max_difference)


def _scientific(x: float) -> str:
    return f"{x:.3g}" if x == 0 or 0.01 <= x < 1000 else f"{x:.1e}"


def _relative(comparison: Comparison) -> str:
    known = comparison.max_relative_difference
    return "" if known is None or known == 0 or not math.isfinite(known) else _scientific(known)


def _memory(n: int | None) -> str:
    if n is None:
        return "–"
    size, unit = n / 1024, "KiB"
    for larger in ("MiB", "GiB"):
        if size >= 999.5:
            size, unit = size / 1024, larger
    return f"{_digits(size)} {unit}" if n else "0"


SPEEDUP: Final = "speed-up"

COLUMNS: Final = (
    Column("program", lambda c: c.name, 0, is_number=False),
    Column("field", lambda c: c.field, 9, is_number=False),
    Column("plain", lambda c: _seconds(c.eager_seconds), 0),
    Column("±", lambda c: _spread(c.eager_spread), 7),
    Column("first\ncall", lambda c: _seconds(c.first_call_seconds), 2),
    Column("later\ncalls", lambda c: _seconds(c.compiled_seconds), 0),
    Column("±", lambda c: _spread(c.compiled_spread), 7),
    Column(SPEEDUP, _speedup, 0),
    Column("pays\nafter", _pays_after, 3),
    Column("off by", _difference, 1),
    Column("relative", _relative, 8),
    Column("memory\nplain", lambda c: _memory(c.eager_peak_bytes), 6),
    Column("memory\ncompiled", lambda c: _memory(c.peak_bytes), 5),
)
GAP: Final = 2


def _fitting(comparisons: Sequence[Comparison], width: int) -> list[Column]:
    """The columns that have something to say and room in this many characters."""
    shown = [c for c in COLUMNS if any(c.cell(x).strip("–") for x in comparisons) or c.rank == 0]
    while sum(_width(c, comparisons) + GAP for c in shown) - GAP > width and any(c.rank for c in shown):
        least = max(c.rank for c in shown)
        shown = [c for c in shown if c.rank != least]
    return shown


def _width(column: Column, comparisons: Sequence[Comparison]) -> int:
    return max(map(len, [*column.title.split("\n"), *(column.cell(c) for c in comparisons)]), default=0)


# -- text -----------------------------------------------------------------------------------------------------------
def text(comparisons: Sequence[Comparison], file: TextIO | None = None) -> str:
    """A table and a summary for a file (else, the standard output): with colours if it is a terminal, else plain."""
    target = file or sys.stdout
    width = shutil.get_terminal_size((140, 24)).columns
    return rich_text(comparisons, width) if target is not None and target.isatty() else plain_text(comparisons, width)


def plain_text(comparisons: Sequence[Comparison], width: int = 140) -> str:
    """A table and a summary without colours."""
    columns = _fitting(comparisons, width)
    widths = [_width(column, comparisons) for column in columns]
    titles = [column.title.split("\n") for column in columns]
    rows = [[("", *lines)[-2] for lines in titles], [lines[-1] for lines in titles]]
    rows += [["─" * n for n in widths], *([column.cell(c) for column in columns] for c in comparisons)]
    aligned = [[_placed(cell, n, c) for cell, n, c in zip(row, widths, columns, strict=True)] for row in rows]
    return "\n".join([*((" " * GAP).join(row).rstrip() for row in aligned), "", *(note.text for note in summary(comparisons))])


def _placed(cell: str, width: int, column: Column) -> str:
    return cell.rjust(width) if column.is_number else cell.ljust(width)


def rich_text(comparisons: Sequence[Comparison], width: int) -> str:
    """A table and a summary with the terminal's colours."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    columns = _fitting(comparisons, width)
    table = Table(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column.title, justify="right" if column.is_number else "left", no_wrap=True, vertical="bottom")
    for comparison in comparisons:
        table.add_row(*(Text(column.cell(comparison), style=_style(column, comparison)) for column in columns))
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=width, highlight=False)
    console.print(table)
    console.print()
    for note in summary(comparisons):
        console.print(Text(note.text, style={"problem": "red", "good": "green"}.get(note.tone, "")))
    return file.getvalue().rstrip("\n")


def _style(column: Column, comparison: Comparison) -> str:
    if not comparison.is_equal:
        return "bold red"
    if column.title == SPEEDUP:
        return "bold green" if (comparison.speedup or 0) >= 1 else "bold yellow"
    return "dim" if column.rank >= 7 else ""


class Note(NamedTuple):
    """A line below the table: ``tone`` is "problem", "good" or empty."""

    text: str
    tone: str = ""


def summary(comparisons: Sequence[Comparison]) -> list[Note]:
    """What is to be said below the table, problems first."""
    notes = [Note(line, "problem") for c in comparisons if c.problem is not None for line in _indented(f"{c.name}: {c.problem}")]
    notes += [Note(f"{c.name}: both raise {c.raised}, so there is nothing to time") for c in comparisons if c.raised is not None]
    slower = [c for c in comparisons if c.is_equal and c.speedup is not None and c.speedup < 1]
    notes += [Note(f"slower when compiled: {c.name} ({_speedup(c)}){f': {c.why_slow}' if c.why_slow else ''}") for c in slower]
    return [*notes, _conclusion(comparisons)]


def _indented(message: str) -> list[str]:
    first, *more = message.split("\n")
    return [first, *(f"    {line}" for line in more)]


def _conclusion(comparisons: Sequence[Comparison]) -> Note:
    wrong = sum(not c.is_equal for c in comparisons)
    speedup = median_speedup(comparisons)
    parts = [f"{len(comparisons)} programs"] if len(comparisons) > 1 else []
    parts.append(f"{wrong} not equal to plain Python" if wrong else "equal to plain Python")
    parts += [f"median speed-up {_digits(speedup)}×"] if speedup is not None and len(comparisons) > 1 else []
    return Note(" · ".join(parts), "problem" if wrong else "good")


# -- HTML and pictures ----------------------------------------------------------------------------------------------
def html(comparisons: Sequence[Comparison]) -> str:
    """A table as an HTML fragment, with bars for the speed-up on a logarithmic scale."""
    columns = [c for c in _fitting(comparisons, 10_000) if c.title != "±"]
    most = max([c.speedup for c in comparisons if c.speedup is not None], default=1.0)
    scale = BAR_WIDTH / math.log(max(most, 2.0))
    head = "".join(_cell("th", escape(column.title.replace("\n", " ")) + _bar(column, None, scale), column) for column in columns)
    rows = "".join(_row(columns, c, scale) for c in comparisons)
    tones = {"problem": f"color:{BROKEN}", "good": "", "": FAINT}
    lines = "".join(f'<div style="{tones[n.tone]}">{escape(n.text)}</div>' for n in summary(comparisons))
    below = f'<div style="white-space:pre-wrap;font-family:monospace;margin:6px 10px">{lines}</div>'
    table = f'<table style="{TABLE}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div style="line-height:1.5;margin:2px 0">{table}{below}</div>'


def _row(columns: Sequence[Column], comparison: Comparison, scale: float) -> str:
    colour = "" if comparison.is_equal else f' style="color:{BROKEN};font-weight:bold"'
    cells = "".join(_cell("td", escape(column.cell(comparison)) + _bar(column, comparison, scale), column) for column in columns)
    return f"<tr{colour}>{cells}</tr>"


def _cell(tag: str, content: str, column: Column) -> str:
    side = "right" if column.is_number else "left"
    faint = f";{FAINT}" if column.rank >= 7 else ""
    return f'<{tag} style="text-align:{side};white-space:nowrap;{CELL}{faint}">{content}</{tag}>'


def _bar(column: Column, comparison: Comparison | None, scale: float) -> str:
    """A bar behind the speed-up, as long as its logarithm; where there is none, or it is slower, the room for it."""
    if column.title != SPEEDUP:
        return ""
    speedup = comparison.speedup if comparison is not None else None
    width = scale * max(math.log(speedup or 1.0), 0.0)
    bar = f"display:inline-block;width:{width:.0f}px;height:.7em;background:{COMPILED}"
    return f'<span style="display:inline-block;width:{BAR_WIDTH}px;text-align:left;margin-left:8px"><span style="{bar}"></span></span>'


def plot(comparisons: Sequence[Comparison], axes: Any = None) -> Any:
    """A picture of the times on a logarithmic scale: a line from plain Python to later calls, and a mark for the first call.

    Args:
        comparisons: from top to bottom.
        axes: matplotlib's, to draw into; else a new figure is made.

    Returns:
        the axes.

    Raises:
        ImportError: without matplotlib.
    """
    axes = axes if axes is not None else _new_axes(len(comparisons))
    timed = [(y, c) for y, c in enumerate(comparisons) if c.eager_seconds and c.compiled_seconds]
    places = [y for y, _ in timed]
    axes.hlines(places, [c.eager_seconds for _, c in timed], [c.compiled_seconds for _, c in timed], color=PLAIN, linewidth=1.5, zorder=1)
    series = (
        ("plain Python", "o", PLAIN, "eager_seconds"),
        ("first call", "|", FIRST, "first_call_seconds"),
        ("later calls", "o", COMPILED, "compiled_seconds"),
    )
    for label, marker, colour, name in series:
        axes.scatter([getattr(c, name) for _, c in timed], places, marker=marker, s=40, color=colour, label=label, zorder=2)
    for y, c in timed:
        axes.annotate(
            _speedup(c),
            (min(c.compiled_seconds or 0.0, c.eager_seconds or 0.0), y),
            xytext=(-8, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=8,
        )
    axes.set_xscale("log")
    axes.set_yticks(range(len(comparisons)), [c.name for c in comparisons])
    for label, c in zip(axes.get_yticklabels(), comparisons, strict=True):
        label.set_color(label.get_color() if c.is_equal else BROKEN)
    axes.set_ylim(len(comparisons) - 0.5, -0.5)
    axes.margins(x=0.15)
    axes.set_xlabel("seconds per call")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)
    return axes


def _new_axes(rows: int) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("a picture needs matplotlib, which isn't installed: pip install 'hybrid[plot]'") from error
    _, axes = plt.subplots(figsize=(8, 1.4 + 0.24 * rows), layout="constrained")
    return axes
