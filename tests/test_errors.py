"""The text of errors that point at source, to the letter."""

from __future__ import annotations

import linecache
from textwrap import dedent

import pytest

import hybrid
from hybrid._util.source import Location
from hybrid.errors import at_line, at_location


def same_text(got: str, want: str) -> None:
    assert got == dedent(want).strip("\n")


def test_mark_ends_in_a_caret() -> None:
    want = """
        File "user.py", line 2
            y = x[i] + z
                ~~~^
        wanted an integer
        """
    same_text(at_line("wanted an integer", "user.py", 2, 4, 8, "x = 1\ny = x[i] + z\n"), want)


def test_one_column_without_an_end() -> None:
    want = """
        File "user.py", line 1
            y = x @ z
                  ^
        message
        """
    same_text(at_line("message", "user.py", 1, 6, source="y = x @ z"), want)


def test_no_column_no_mark() -> None:
    want = """
        File "user.py", line 1
            y = x
        message
        """
    same_text(at_line("message", "user.py", 1, None, source="    y = x"), want)


def test_unknown_source_leaves_the_place() -> None:
    assert at_line("message", "<nowhere>", 7, 3) == 'File "<nowhere>", line 7\nmessage'
    assert at_line("message", "user.py", 7, 3, source="x = 1") == 'File "user.py", line 7\nmessage'


def test_source_comes_from_linecache() -> None:
    linecache.cache["<made>"] = (6, None, ["a + b\n"], "<made>")
    assert at_location("message", Location("<made>", 1, 0, 1, 5)) == 'File "<made>", line 1\n    a + b\n    ~~~~^\nmessage'
    del linecache.cache["<made>"]


def test_indentation_goes_and_tabs_become_spaces() -> None:
    want = """
        File "user.py", line 1
            yy =    x + 1
                    ~~~~^
        message
        """
    same_text(at_line("message", "user.py", 1, 7, 12, "\t\tyy =\tx + 1"), want)


def test_wide_and_combining_characters() -> None:
    line = "面积 = é + e\u0301 + 宽"
    columns = [len(line[:i].encode()) for i in range(len(line) + 1)]
    assert at_line("m", "u.py", 1, columns[5], columns[6], line).split("\n")[2] == " " * 4 + " " * 7 + "^"
    assert at_line("m", "u.py", 1, columns[9], columns[11], line).split("\n")[2] == " " * 4 + " " * 11 + "^"
    assert at_line("m", "u.py", 1, columns[13], columns[15], line).split("\n")[2] == " " * 4 + " " * 14 + "~^^"
    assert at_line("m", "u.py", 1, columns[0], columns[2], line).split("\n")[2] == " " * 4 + "~~^^"


def test_what_terminals_would_obey_is_replaced() -> None:
    assert at_line("m", "u.py", 1, 4, 5, "x = \x1b[31m") == 'File "u.py", line 1\n    x = \N{REPLACEMENT CHARACTER}[31m\n        ^\nm'


@pytest.mark.parametrize("column", [2, 3, 90])
def test_end_of_line_can_be_marked(column: int) -> None:
    assert at_line("m", "u.py", 1, column, None, "(a   \n") == 'File "u.py", line 1\n    (a\n      ^\nm'


def test_long_lines_are_cropped_around_the_mark() -> None:
    line = "y = " + " + ".join(f"name{i:02}" for i in range(40))
    start = line.index("name30")
    want = """
        File "user.py", line 1
            …2 + name23 + name24 + name25 + name26 + name27 + name28 + name29 + name30 + name31 + name32 + nam…
                                                                                ~~~~~^
        message
        """
    same_text(at_line("message", "user.py", 1, start, start + 6, line), want)


def test_beginning_of_a_long_line_is_cropped_at_its_end() -> None:
    got = at_line("message", "user.py", 1, 0, 1, "y = " + "1 + " * 60)
    shown, marks = (text[4:] for text in got.split("\n")[1:3])
    assert len(shown) <= 100 and shown.startswith("y = 1 + 1") and shown.endswith("…") and marks == "^"


def test_several_lines() -> None:
    source = dedent("""
        if True:
            y = f(a,
                  b +
                  c) + 1
        """)
    want = """
        File "user.py", line 3
            y = f(a,
                ~~~~
                  b +
                  ~~~
                  c) + 1
                  ~^
        message
        """
    same_text(at_line("message", "user.py", 3, 8, 12, source, end_line=5), want)


def test_many_lines_show_the_first_and_the_last() -> None:
    source = "y = [\n" + "    0,\n" * 20 + "]\n"
    want = """
        File "user.py", line 1
            y = [
                ~
            …
            ]
            ^
        message
        """
    same_text(at_line("message", "user.py", 1, 4, 1, source, end_line=22), want)


def test_hybrid_errors_are_built_in_errors_too() -> None:
    builtin = {"DTypeError": TypeError, "ShapeError": ValueError, "StagingError": TypeError, "UnsupportedError": TypeError}
    for name, base in builtin.items():
        assert issubclass(getattr(hybrid.errors, name), base) and issubclass(getattr(hybrid.errors, name), hybrid.errors.HybridError)
