"""How comparisons look: as text of any width, in colours, as HTML and as a picture."""

from __future__ import annotations

import io
import json
import re
import sys
from html.parser import HTMLParser
from math import inf

import matplotlib
import matplotlib.pyplot as plt
import pytest

from hybrid.functions import report
from hybrid.functions.report import Comparison
from hybrid.gallery import PROGRAMS

FAST = Comparison(
    name="fast",
    field="physics",
    eager_seconds=1.5,
    eager_spread=0.04,
    first_call_seconds=0.75,
    compiled_seconds=0.003,
    compiled_spread=0.1,
    rounds=5,
    max_difference=2e-14,
    max_relative_difference=1e-15,
    peak_bytes=2048,
    eager_peak_bytes=3 * 2**20,
)
SLOW = Comparison(name="slow", eager_seconds=1e-3, first_call_seconds=2.0, compiled_seconds=2e-3, max_difference=0.0)
WRONG = Comparison(
    name="wrong", problem="result[3]: wanted 4, received 5 & <more>", max_difference=1.0, eager_seconds=2.0, compiled_seconds=1.0
)
BROKEN = Comparison(name="broken", problem='UnsupportedError: File "user.py", line 3\n    y = x\n        ^\nno', max_difference=inf)
RAISES = Comparison(name="raises", raised="ValueError: too large", max_difference=0.0)
ALL = [FAST, SLOW, WRONG, BROKEN, RAISES]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def gallery() -> list[Comparison]:
    """One with the widest cells for each program of the gallery."""
    times = {"eager_seconds": 0.1234, "first_call_seconds": 0.5678, "compiled_seconds": 123e-6, "eager_spread": 0.5, "compiled_spread": 0.5}
    more = {"max_difference": 1e-13, "max_relative_difference": 1e-15, "peak_bytes": 12_345_678, "eager_peak_bytes": 12_345_678}
    return [Comparison(name=p.name, field=p.field, **times, **more) for p in PROGRAMS]


# -- figures --------------------------------------------------------------------------------------------------------
def test_figures() -> None:
    assert FAST.speedup == pytest.approx(500)
    assert (FAST.pays_after, FAST.is_equal) == (1, True)
    assert (SLOW.speedup, SLOW.pays_after) == (0.5, None)
    assert (BROKEN.speedup, BROKEN.pays_after, BROKEN.is_equal) == (None, None, False)


@pytest.mark.parametrize(
    ("first", "eager", "compiled", "calls"), [(1.0, 1.0, 0.1, 1), (1.01, 1.0, 0.5, 2), (10.0, 1.0, 0.1, 11), (5.0, 1.0, 1.0, None)]
)
def test_compiling_pays_after(first: float, eager: float, compiled: float, calls: int | None) -> None:
    c = Comparison(name="f", first_call_seconds=first, eager_seconds=eager, compiled_seconds=compiled)
    assert c.pays_after == calls
    if calls is not None:
        assert first + (calls - 1) * compiled <= calls * eager + 1e-12
        assert calls == 1 or first + (calls - 2) * compiled > (calls - 1) * eager


def test_dict_is_json() -> None:
    names = {"name", "eager_seconds", "first_call_seconds", "compiled_seconds", "speedup", "max_difference", "peak_bytes"}
    for c in ALL:
        assert names <= set(c.to_dict())
        assert json.loads(json.dumps(c.to_dict(), allow_nan=False)) == c.to_dict()
    assert FAST.to_dict()["speedup"] == FAST.speedup
    assert BROKEN.to_dict()["max_difference"] is None
    assert (BROKEN.to_dict()["equal"], BROKEN.to_dict()["problem"]) == (False, BROKEN.problem)


def test_median_speedup_is_that_of_equal_ones() -> None:
    assert report.median_speedup(ALL) == pytest.approx((500 + 0.5) / 2)
    assert report.median_speedup([WRONG, BROKEN, RAISES]) is None


# -- text -----------------------------------------------------------------------------------------------------------
def test_one_in_plain_text() -> None:
    assert repr(FAST) == report.plain_text([FAST])
    assert repr(FAST).splitlines() == [
        "                                first    later                  pays                       memory    memory",
        "program  field     plain    ±    call    calls    ±  speed-up  after   off by  relative     plain  compiled",
        "───────  ───────  ──────  ───  ──────  ───────  ───  ────────  ─────  ───────  ────────  ────────  ────────",
        "fast     physics  1.50 s  ±2%  750 ms  3.00 ms  ±5%      500×      1  2.0e-14   1.0e-15  3.00 MiB  2.00 KiB",
        "",
        "equal to plain Python",
    ]


def test_many_in_plain_text() -> None:
    lines = report.plain_text(ALL, 80).splitlines()
    assert [line.split()[0] for line in lines[3:8]] == ["fast", "slow", "wrong", "broken", "raises"]
    assert lines[4].split()[:8] == ["slow", "1.00", "ms", "2.00", "s", "2.00", "ms", "0.50×"]
    assert "never" in lines[4]
    assert "error" in lines[6] or "differs" in lines[6]
    assert lines[9:] == [
        "wrong: result[3]: wanted 4, received 5 & <more>",
        'broken: UnsupportedError: File "user.py", line 3',
        "        y = x",
        "            ^",
        "    no",
        "raises: both raise ValueError: too large, so there is nothing to time",
        "slower when compiled: slow (0.50×)",
        "5 programs · 2 not equal to plain Python · median speed-up 250×",
    ]


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_the_gallery_fits(width: int) -> None:
    for text in (report.plain_text(gallery(), width), without_colours(report.rich_text(gallery(), width))):
        lines = text.splitlines()
        assert max(map(len, lines)) <= width
        assert "…" not in text
        rows = {line.split()[0]: line for line in lines if line.strip()}
        assert all("1,003×" in rows[program.name] for program in PROGRAMS)
        assert ("memory" in text) == (width >= 100)


def test_wide_tables_show_everything() -> None:
    text = report.plain_text(gallery(), 160)
    assert all(column.title.split("\n")[-1] in text for column in report.COLUMNS)


def test_colours_only_for_a_terminal() -> None:
    assert "\x1b[" not in report.text(ALL, io.StringIO())
    assert "\x1b[" in report.text(ALL, Terminal())


def test_a_difference_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = report.rich_text([FAST, WRONG], 80)
    row = next(line for line in text.splitlines() if "wrong" in line)
    assert "\x1b[1;31mwrong" in row
    assert "\x1b[31mwrong: result[3]: wanted 4, received 5 & <more>\x1b[0m" in text
    assert "31m" not in next(line for line in text.splitlines() if "fast" in line)


def test_print_goes_by_the_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "80")
    text = str(FAST)
    assert "\x1b[" in text
    assert max(map(len, without_colours(text).splitlines())) <= 80
    assert "\x1b[" not in repr(FAST)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (12.345, "12.3 s"),
        (1234.5, "1,234 s"),
        (0.99999, "1.00 s"),
        (0.0012, "1.20 ms"),
        (9.9999e-5, "100 µs"),
        (2.5e-8, "25.0 ns"),
    ],
)
def test_seconds(seconds: float | None, text: str) -> None:
    assert report._seconds(seconds) == text


@pytest.mark.parametrize(("n", "text"), [(None, "–"), (0, "0"), (512, "0.50 KiB"), (1_048_000, "1.00 MiB"), (5 * 2**30, "5.00 GiB")])
def test_memory(n: int | None, text: str) -> None:
    assert report._memory(n) == text


# -- HTML and pictures ----------------------------------------------------------------------------------------------
class Balanced(HTMLParser):
    """Collects text, and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_html() -> None:
    page = Balanced()
    page.feed(report.html(ALL))
    page.close()
    assert not page.open
    assert {"fast", "physics", "1.50 s", "500×", "wrong: result[3]: wanted 4, received 5 & <more>"} <= set(page.text)
    assert "<more>" not in report.html(ALL)
    assert FAST._repr_html_() == report.html([FAST])


def test_html_marks_what_differs() -> None:
    assert report.BROKEN in report.html([WRONG])
    assert report.BROKEN not in report.html([FAST, SLOW])


def test_picture() -> None:
    with matplotlib.rc_context({"backend": "agg"}):
        axes = report.plot(ALL)
        try:
            assert [label.get_text() for label in axes.get_yticklabels()] == ["fast", "slow", "wrong", "broken", "raises"]
            assert [label.get_text() for label in axes.get_legend().get_texts()] == ["plain Python", "first call", "later calls"]
            assert [text.get_text() for text in axes.texts] == ["500×", "0.50×", "2.00×"]
            assert axes.get_xscale() == "log"
            axes.figure.savefig(io.BytesIO())
        finally:
            plt.close(axes.figure)


def test_picture_in_given_axes() -> None:
    with matplotlib.rc_context({"backend": "agg"}):
        figure, axes = plt.subplots()
        assert FAST.plot(axes) is axes
        plt.close(figure)


def test_picture_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="needs matplotlib"):
        FAST.plot()
