"""Every script that a reader is invited to run runs, without warnings."""

from __future__ import annotations

import linecache
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))


def output_of(script: Path) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-W", "error", script], env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_example_runs(script: Path) -> None:
    assert output_of(script)


def test_first_steps_finds_the_decay_that_theory_gives() -> None:
    """10 steps of rate 0.2 multiply the slowest wave on 33 intervals by about exp(-10 * 0.2 * 4 * (1 - cos(pi / 33)))."""
    assert "late decay: -0.036" in output_of(ROOT / "examples" / "first_steps.py")


def test_code_of_the_readme_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    space = {"__name__": "readme"}
    for number, block in enumerate(blocks):
        file = f"<README.md, block {number}>"
        linecache.cache[file] = (len(block), None, block.splitlines(keepends=True), file)
        exec(compile(block, file, "exec"), space)
    assert space["steps_to_one"](27) == 111  # type: ignore[operator]
