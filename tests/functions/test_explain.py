"""``hybrid.explain``: what became of each line."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.function import function


def helper(x: Any) -> Any:
    return np.sort(x.astype("f2"))


def mixed(x: Any, n: int) -> Any:
    """All kinds of lines."""
    k = 3 * 4
    total = 0.0
    for i in range(n):
        if x[i] > 1:
            total += x[i] * k
    # a comment
    os.getcwd()
    print("total", total)
    y = x + total
    return helper(y)


KINDS = {
    "def mixed": "",
    '"""All': "",
    "k = 3": "constant",
    "total = 0.0": "constant",
    "for i": "native",
    "if x": "native",
    "total +=": "native",
    "# a comment": "",
    "os.getcwd": "Python",
    "print(": "Python",
    "y = x": "native",
    "return helper": "call",
}


@pytest.fixture(scope="module")
def explanation() -> Any:
    return hybrid.explain(function(mixed), np.ones(3), 2)


def line(explanation: Any, start: str) -> Any:
    (found,) = [x for x in (*explanation.lines, *explanation.elsewhere) if x.text.strip().startswith(start)]
    return found


def test_kinds_of_lines(explanation: Any) -> None:
    assert {start: line(explanation, start).kind for start in KINDS} == KINDS


def test_reasons(explanation: Any) -> None:
    assert line(explanation, "os.getcwd").why == ("calls getcwd, which only Python can",)
    assert line(explanation, "print(").why == ("calls print, which only Python can",)
    sort = line(explanation, "return np.sort")
    assert sort.kind == "Python" and "sort(float16[3]) has no native form and calls its NumPy kernel" in sort.why
    assert line(explanation, "return helper").why == ("its operations are those of helper, below",)
    assert explanation.calls == ("getcwd", "print") and "sort" in explanation.kernels


def test_checks_and_allocations(explanation: Any) -> None:
    assert line(explanation, "if x").checks == 1 and line(explanation, "k = 3").checks == 0
    assert line(explanation, "y = x").allocations >= 1
    proven = hybrid.explain(function(total_of), np.ones(3))
    assert [x.checks for x in proven.lines if "x[i]" in x.text] == [0]


def total_of(x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def test_it_prints_and_is_shown_in_notebooks(explanation: Any) -> None:
    text = str(explanation)
    assert text.startswith(f"mixed ({__file__})") and text.endswith("calls of Python: getcwd, print")
    assert "in helper" in text
    assert "<table" in explanation._repr_html_() and "os.getcwd()" in explanation._repr_html_()
    found = json.loads(json.dumps(explanation.to_dict()))
    assert found["native"] is True and found["calls"] == ["getcwd", "print"]
    assert [x["kind"] for x in found["lines"]] == [x.kind for x in explanation.lines]


@pytest.mark.usefixtures("interpreted")
def test_interpreted_functions_methods_and_lambdas() -> None:
    class Model:
        rate = 2.0

        @function
        def scaled(self, x: Any) -> Any:
            return x * self.rate

    found = hybrid.explain(Model().scaled, 3.0)
    assert [x.kind for x in found.lines if "return" in x.text] == ["interpreted"]
    assert "the graph is interpreted" in str(found)
    assert hybrid.explain(function(lambda x: x + 1), 1).lines[0].kind == "interpreted"


def test_what_is_not_compiled() -> None:
    with pytest.raises(TypeError, match=r"^wanted a function decorated with hybrid\.function, received <function helper"):
        hybrid.explain(helper, 1)


@pytest.mark.usefixtures("interpreted")
def test_programs_of_the_gallery_have_lines_of_their_own() -> None:
    from hybrid.gallery import PROGRAMS

    program = next(p for p in PROGRAMS if p.name == "sieve")
    found = hybrid.explain(function(program.function), 30)
    assert found.elsewhere == ()
    assert {x.kind for x in found.lines if "while" in x.text or "is_prime[multiple]" in x.text} == {"interpreted"}
