"""Tracebacks of compiled functions are those of plain ones; debuggers run in eager calls and step through rewritten source."""

from __future__ import annotations

import inspect
import linecache
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.errors import UnsupportedError
from hybrid.functions.function import function

ROOT = str(Path(hybrid.__file__).parents[1])


def out_of_bounds(x: Any, i: int) -> Any:
    y = x * 2
    return y[i]


def helper(x: Any, i: int) -> Any:
    return x[i]


def in_a_loop(x: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


def raises(x: Any, n: int) -> Any:
    if n > 2:
        raise ValueError(f"too many: {n}")
    return x


def always_raises(x: Any, n: int) -> Any:
    x = x + n
    raise KeyError("always", 3)


def calls_python(x: Any, n: int) -> Any:
    os.listdir("/nowhere" * n)
    return x


def divides(x: Any, n: int) -> Any:
    return x, 1 // (n - n)


@hybrid.do_not_convert
def plain_helper(n: int) -> int:
    return [1, 2][n]


def calls_plain(x: Any, n: int) -> Any:
    return x, plain_helper(n)


PROGRAMS = [out_of_bounds, in_a_loop, raises, always_raises, calls_python, divides, calls_plain]


def shown(f: Any, *args: Any) -> str:
    """The traceback of a call, from the call on."""
    try:
        f(*args)
    except Exception as error:
        return "".join(traceback.format_exception(type(error), error, error.__traceback__.tb_next))  # type: ignore[union-attr]
    raise AssertionError("no exception")


def lines(text: str) -> list[str]:
    """Without the marks below the source, which of a whole statement Python leaves out."""
    return [line for line in text.splitlines() if line.strip("~^ ")]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_interpreted_calls_show_the_users_lines(program: Any) -> None:
    assert lines(shown(function(program), np.ones(3), 5)) == lines(shown(program, np.ones(3), 5))


@pytest.mark.parametrize("program", [out_of_bounds, raises, calls_plain], ids=lambda program: program.__name__)
def test_native_calls_show_the_users_lines(program: Any) -> None:
    f = function(program)
    want = lines(shown(program, np.ones(3), 5))
    assert [lines(shown(f, np.ones(3), 5)) for _ in range(2)] == [want, want]
    with hybrid.run_eagerly():
        assert lines(shown(f, np.ones(3), 5)) == want


@pytest.mark.usefixtures("interpreted")
def test_an_error_in_a_helper_shows_its_line() -> None:
    text = shown(function(lambda x, i: helper(x, i) + 1), np.ones(3), 5)
    assert f'File "{__file__}", line {helper.__code__.co_firstlineno + 1}, in helper\n    return x[i]\n' in text
    assert "/hybrid/functions/" not in text and "/hybrid/ops/" not in text


@pytest.mark.usefixtures("interpreted")
def test_refusals_show_the_users_line_and_nothing_of_ours() -> None:
    text = shown(function(reads_files, strict=True), "x")
    assert f'File "{__file__}", line {reads_files.__code__.co_firstlineno + 1}' in text
    assert "wanted native code only" in text and "/hybrid/functions/" not in text


def reads_files(name: str) -> Any:
    return open(name)


@pytest.mark.usefixtures("interpreted")
def test_faults_of_our_own_are_shown_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ours")

    broken.__code__ = broken.__code__.replace(co_filename=str(Path(hybrid.__file__).parent / "ours.py"))
    monkeypatch.setattr("hybrid.functions.trace.compile", broken)
    assert "/hybrid/functions/trace.py" in shown(function(lambda x: x), 1)


# -- debuggers ------------------------------------------------------------------------------------------------------
DEBUGGED = """
import numpy as np
import hybrid

@hybrid.function
def scaled(x, k):
    y = x * k
    breakpoint()
    return y + 1

hybrid.run_eagerly(True)
print("result", scaled(3, 4))
"""


def test_breakpoints_stop_in_eager_runs(tmp_path: Path) -> None:
    file = tmp_path / "user.py"
    file.write_text(DEBUGGED)
    environment = {**os.environ, "PYTHONPATH": ROOT, "HYBRID_JIT": "0"}
    commands = "p 'y is', y\nup\np 'caller'\ndown\nnext\ncontinue\n"
    done = subprocess.run([sys.executable, str(file)], input=commands, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "('y is', 12)" in done.stdout and "-> return y + 1" in done.stdout and "result 13" in done.stdout


def test_rewritten_source_can_be_stepped_through() -> None:
    f = function(in_a_loop)
    source = f.converted
    assert "hy__.for_stmt" in source and source.startswith("def ")
    code = f._converted.__code__
    assert linecache.getline(code.co_filename, code.co_firstlineno).lstrip().startswith("def in_a_loop")
    assert "".join(inspect.getsourcelines(code)[0]).lstrip().startswith("def in_a_loop")


def test_generated_native_source_is_readable() -> None:
    code = function(in_a_loop).trace(np.ones(3), 2).code
    assert code.startswith("def in_a_loop(host, x0, x1):") and "for " in code


# -- what has no source ---------------------------------------------------------------------------------------------
def generator() -> Any:
    yield 1


async def coroutine() -> None: ...


def without_file() -> Any:
    space: dict[str, Any] = {}
    exec("def f(x):\n    return x", space)
    return space["f"]


@pytest.mark.parametrize(
    ("what", "wanted"),
    [
        (without_file(), "wanted a function whose source can be read, received 'f', made without a file; put it in a file"),
        (len, "wanted a Python function, received <built-in function len> of type 'builtin_function_or_method'; wrap it: lambda"),
        (np.sin, "wanted a Python function, received <ufunc 'sin'> of type 'ufunc'; wrap it"),
        (dict, "wanted a function, received the class 'dict'; decorate its methods"),
        (generator, "wanted a function that returns, received a generator; return a list of the values"),
        (coroutine, "wanted an ordinary function, received a coroutine"),
        (3, "wanted a Python function, received 3 of type 'int'"),
    ],
    ids=["exec", "builtin", "ufunc", "class", "generator", "coroutine", "number"],
)
def test_what_cannot_be_compiled_is_refused_at_decoration(what: Any, wanted: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        function(what)
    assert wanted in str(caught.value)
