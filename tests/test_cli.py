"""The command: what it prints, where, and its exit status."""

from __future__ import annotations

import io
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from hybrid import cli
from hybrid.config import config
from hybrid.functions.report import Comparison
from hybrid.gallery import Program

GOOD = """
import numpy as np
import hybrid

print("imported")

@hybrid.function(example=lambda: (np.arange(6.0), 2.0))
def scaled(x, factor):
    return x * factor

@hybrid.function(example=lambda: np.ones(3))
def doubled(x):
    x *= 2
    return x

@hybrid.function
def silent(x):
    return x

def plain(x):
    return x
"""

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[2]), "HYBRID_JIT": "0"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def program(name: str, field: str, function: Any, argument: Any) -> Program:
    function.__name__ = name
    return Program(name, function, lambda: (argument,), field, __name__)


@pytest.fixture(autouse=True)
def separate(monkeypatch: pytest.MonkeyPatch, interpreted: None) -> None:
    """A small gallery; what the command changes in the process is undone."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    programs = (program("triple", "arithmetic", lambda x: 3 * x, 4), program("shift_left", "bits", lambda x: x << 1, 5))
    monkeypatch.setattr("hybrid.cli.targets.PROGRAMS", programs)
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "user.py"
    path.write_text(GOOD)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, str, str]:
    status = cli.main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def refused(capsys: pytest.CaptureFixture[str], *arguments: Any) -> str:
    status, out, err = run(capsys, "compare", *arguments)
    assert (status, out) == (2, "")
    return err.removeprefix("imported\n")


# -- the gallery ----------------------------------------------------------------------------------------------------
def test_gallery(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "compare", "--quick")
    assert (status, err) == (0, "")
    assert "triple" in out
    assert "arithmetic" in out
    assert "2 programs · equal to plain Python · median speed-up " in out.splitlines()[-1]


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "compare", "--quick", "--json")
    first, second = json.loads(out)
    assert status == 0
    assert (first["name"], second["name"]) == ("triple", "shift_left")
    for key in ("eager_seconds", "first_call_seconds", "compiled_seconds", "speedup", "max_difference", "peak_bytes"):
        assert isinstance(first[key], float | int)


@pytest.mark.parametrize(("word", "names"), [("SHIFT", ["shift_left"]), ("arith", ["triple"]), ("t", ["triple", "shift_left"])])
def test_words_select_by_name_and_field(capsys: pytest.CaptureFixture[str], word: str, names: list[str]) -> None:
    _, out, _ = run(capsys, "compare", "--quick", "--json", "-k", word)
    assert [found["name"] for found in json.loads(out)] == names


def test_a_word_that_matches_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "-k", "tripel") == "hybrid compare: nothing matches 'tripel'; did you mean triple?\n"
    assert refused(capsys, "-k", "xyz") == "hybrid compare: nothing matches 'xyz'; there are triple, shift_left\n"


def test_a_difference_makes_the_status_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Comparison(name="triple", problem="result: wanted 1, received 2")
    monkeypatch.setattr("hybrid.cli.compare.measure", lambda *args, **options: wrong)
    status, out, _ = run(capsys, "compare")
    assert status == 1
    assert "triple: result: wanted 1, received 2" in out


# -- files ----------------------------------------------------------------------------------------------------------
def test_file(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, out, err = run(capsys, "compare", file, "--quick", "--json")
    assert status == 0
    assert [c["name"] for c in json.loads(out)] == ["scaled", "doubled"]
    assert all(c["equal"] for c in json.loads(out))
    assert err == "imported\n"


def test_function_of_a_file(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, out, _ = run(capsys, "compare", f"{file}:doubled", "--quick", "--json")
    assert (status, [c["name"] for c in json.loads(out)]) == (0, ["doubled"])


def test_a_file_imports_its_neighbours(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_the_compared.py").write_text("N = 3\n")
    (tmp_path / "user.py").write_text("from neighbour_of_the_compared import N\n" + GOOD)
    status, out, _ = run(capsys, "compare", tmp_path / "user.py:scaled", "--quick", "--json")
    assert (status, len(json.loads(out))) == (0, 1)


def test_a_file_may_have_the_name_of_a_module(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text(GOOD)
    status, out, _ = run(capsys, "compare", tmp_path / "numpy.py:scaled", "--quick", "--json")
    assert (status, len(json.loads(out))) == (0, 1)
    assert sys.modules["numpy"] is np


def test_the_same_function_under_two_names_runs_once(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(GOOD + "\nagain = doubled\n")
    _, out, _ = run(capsys, "compare", file, "--quick", "--json")
    assert [c["name"] for c in json.loads(out)] == ["scaled", "doubled"]


def test_missing_file(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    wrong = file.with_name("usr.py")
    assert refused(capsys, wrong) == f"hybrid compare: no file {str(wrong)!r}; did you mean user.py?\n"
    assert "no file 'nowhere/x.py'" in refused(capsys, "nowhere/x.py:f")


def test_what_is_no_python_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "is a directory; wanted a Python file" in refused(capsys, tmp_path)
    (tmp_path / "data.txt").write_text("x")
    assert "is no Python file: wanted a name that ends in .py" in refused(capsys, tmp_path / "data.txt")


def test_a_colon_may_belong_to_the_path(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a:b"
    path.mkdir()
    (path / "user.py").write_text(GOOD)
    status, out, _ = run(capsys, "compare", f"{path / 'user.py'}:doubled", "--quick", "--json")
    assert (status, len(json.loads(out))) == (0, 1)


def test_a_file_that_fails_shows_the_users_traceback(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text("def f():\n    return 1 / 0\n\nf()\n")
    err = refused(capsys, file)
    start = f'hybrid compare: importing {file} failed\nTraceback (most recent call last):\n  File "{file}", line 4, in <module>'
    assert err.startswith(start)
    assert err.endswith("ZeroDivisionError: division by zero\n")
    assert "importlib" not in err


def test_a_syntax_error_shows_the_line(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text("x = = 1\n")
    err = refused(capsys, file)
    assert "SyntaxError: invalid syntax" in err
    assert "x = = 1" in err
    assert "targets.py" not in err


def test_a_file_that_ends_the_program(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text("import sys\nsys.exit(3)\n")
    expected = "ends the program when it is imported (exit status 3); put that under if __name__ == '__main__'"
    assert expected in refused(capsys, file)


def test_no_functions(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text("x = 1\n")
    assert refused(capsys, file) == f"hybrid compare: no function in {file} is decorated with @hybrid.function(example=...)\n"
    file.write_text("import hybrid\nf = hybrid.function(lambda x: x)\n")
    assert refused(capsys, file).endswith("(example=...); without example= are f\n")


def test_wrong_names(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    assert refused(capsys, f"{file}:double").endswith(f"no compiled function 'double' in {file}; did you mean doubled?\n")
    assert refused(capsys, f"{file}:xyz").endswith(f"no compiled function 'xyz' in {file}; there are scaled, doubled, silent\n")


def test_functions_without_decorator_or_example(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    expected = f"silent in {file} has no example: @hybrid.function(example=...) with a function that returns the arguments\n"
    assert refused(capsys, f"{file}:silent").endswith(expected)
    assert refused(capsys, f"{file}:plain").endswith(f"plain in {file} isn't compiled: decorate it with @hybrid.function(example=...)\n")


def test_an_example_that_raises_is_a_problem_of_its_own(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    text = GOOD + "\n@hybrid.function(example=lambda: 1 / 0)\ndef broken(x):\n    return x\n"
    file.write_text(text)
    line = text.splitlines().index("@hybrid.function(example=lambda: 1 / 0)") + 1
    status, out, _ = run(capsys, "compare", file, "--quick")
    assert status == 1
    assert f"broken: its example raises ZeroDivisionError: division by zero ({file}, line {line})" in out
    assert "doubled" in out


def test_an_example_that_cannot_be_copied(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(GOOD + "\n@hybrid.function(example=lambda: (i for i in [1]))\ndef broken(x):\n    return x\n")
    status, out, _ = run(capsys, "compare", f"{file}:broken", "--quick")
    assert status == 1
    assert "broken: TypeError: wanted arguments that can be copied" in out


def test_what_takes_too_long_does_not_stop_the_others(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(f: Any, args: Any, kwargs: Any, *, name: str, progress: Any, **options: Any) -> Comparison:
        progress("first call")
        try:
            time.sleep(5 if name == "triple" else 0)
        except Exception:
            pytest.fail("what stops a function is no exception of its own")
        return Comparison(name=name)

    monkeypatch.setattr("hybrid.cli.compare.measure", measure)
    status, out, _ = run(capsys, "compare", "--json", "--limit", "0.2")
    first, second = json.loads(out)
    assert (status, second["problem"]) == (1, None)
    assert first["problem"] == "took longer than 0.2 s and was given up at: first call (--limit SECONDS for more)"


def test_slower_programs_are_explained(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Comparison(name="triple", eager_seconds=1.0, compiled_seconds=2.0, first_call_seconds=3.0, why_slow="calls of Python: getcwd")
    monkeypatch.setattr("hybrid.cli.compare.measure", lambda *args, **options: slow)
    _, out, _ = run(capsys, "compare", "-k", "triple")
    assert "slower when compiled: triple (0.50×): calls of Python: getcwd" in out


# -- looking inside -------------------------------------------------------------------------------------------------
def test_explain(capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path) -> None:
    status, out, _ = run(capsys, "explain", f"{file}:scaled", "--html", tmp_path / "page.html")
    assert status == 0
    assert out.startswith(f"scaled ({file})\n") and any("return x * factor" in line and "interpreted" in line for line in out.splitlines())
    assert "return x * factor" in (tmp_path / "page.html").read_text(encoding="utf-8")
    status, out, _ = run(capsys, "explain", file, "--json")
    assert [found["name"] for found in json.loads(out)] == ["scaled", "doubled"]


def test_show(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    status, out, _ = run(capsys, "show", f"{file}:scaled")
    assert status == 0
    assert out.startswith("# scaled: graph\ngraph(%0: float64[6], %1: float):\n")
    _, out, _ = run(capsys, "show", f"{file}:scaled", "--converted", "--code", "--json")
    (found,) = json.loads(out)
    assert list(found) == ["name", "converted", "code"] and "def scaled(x, factor):" in found["converted"]


def test_gallery_programs_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "show", "-k", "triple", "--json")
    assert (status, json.loads(out)[0]["name"]) == (0, "triple")


def test_functions_that_cannot_be_traced_are_told(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text(GOOD + "\n@hybrid.function(strict=True, example=lambda: 'name')\ndef broken(x):\n    return open(x)\n")
    for command in ("explain", "show"):
        status, out, _ = run(capsys, command, f"{file}:broken", "--json")
        assert status == 1
        assert "a call of Python at run time: open" in json.loads(out)[0]["problem"]
        assert "broken: UnsupportedError" in run(capsys, command, f"{file}:broken")[1]


def test_cache(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with config(cache_dir=folder):
        found = json.loads(run(capsys, "cache", "--json")[1])
        assert found == {"folder": str(folder), "problem": None, "entries": 0, "bytes": 0}
        folder.mkdir(mode=0o700)
        (folder / ("a" * 64)).write_bytes(b"x" * 2048)
        (folder / "notes.txt").write_text("somebody else's")
        assert "entries  1 (2.0 KiB)" in run(capsys, "cache")[1]
        assert "removed  1" in run(capsys, "cache", "--clear")[1]
        assert [file.name for file in folder.iterdir()] == ["notes.txt"]
        folder.chmod(0o777)
        assert "can be written by other users" in run(capsys, "cache")[1]


# -- the rest -------------------------------------------------------------------------------------------------------
def test_progress_is_shown_on_a_terminal_and_gone_afterwards(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    cli.main(["compare", "--quick", "--json"])
    shown = terminal.getvalue()
    assert "[1/2] triple: plain Python …" in shown
    assert "[2/2] shift_left: timing …" in shown
    assert shown.endswith("\r\x1b[2K")
    assert "\n" not in shown
    json.loads(capsys.readouterr().out)


def test_what_was_measured_before_an_interruption_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = iter([Comparison(name="triple")])

    def measure(*args: Any, **options: Any) -> Comparison:
        for comparison in done:
            return comparison
        raise KeyboardInterrupt

    monkeypatch.setattr("hybrid.cli.compare.measure", measure)
    status, out, err = run(capsys, "compare", "--json")
    assert (status, err) == (130, "interrupted after 1 of 2\n")
    assert [c["name"] for c in json.loads(out)] == ["triple"]


def test_page_and_picture_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with matplotlib.rc_context({"backend": "agg"}):
        status, _, _ = run(capsys, "compare", "--quick", "--html", tmp_path / "page.html", "--plot", tmp_path / "times.svg")
    assert status == 0
    assert "triple" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / "times.svg").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, "compare", "--quick", "--html", tmp_path / "no" / "page.html")
    assert status == 2
    assert "No such file or directory" in err
    assert "triple" in out


def test_picture_without_matplotlib(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "--plot needs matplotlib, which isn't installed: pip install 'hybrid[plot]'" in refused(capsys, "--plot", "x.png")


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "info")
    assert (status, err) == (0, "")
    rows = dict(line.split(None, 1) for line in out.splitlines())
    assert rows["numpy"] == np.__version__
    assert rows["python"].startswith(platform.python_version())
    assert {"hybrid", "scipy", "numba", "llvmlite", "processor", "cores", "blas", "verify"} <= set(rows)


def test_info_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybrid.cli.facts.PACKAGES", ("numpy", "surely-not-installed"))
    found = json.loads(run(capsys, "info", "--json")[1])
    assert found["surely-not-installed"] is None
    assert found["settings"]["verify"] in (True, False)
    assert "surely-not-installed  not installed" in run(capsys, "info")[1]


@pytest.mark.parametrize("arguments", [[], ["fly"], ["compare", "--fast"]])
def test_misuse(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    assert exit_.value.code == 2
    assert "usage: hybrid" in capsys.readouterr().err


def test_as_a_module(file: Path) -> None:
    command = [sys.executable, "-m", "hybrid", "compare", f"{file}:scaled", "--quick", "--json"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "imported\n")
    assert [c["name"] for c in json.loads(done.stdout)] == ["scaled"]


def test_nothing_heavy_is_imported_for_info() -> None:
    code = "import sys; from hybrid.cli import main; main(['info', '--json']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=True)
    assert not {"numba", "llvmlite", "rich", "matplotlib"} & set(done.stderr.split())
