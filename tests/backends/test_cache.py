"""Native code on disk: another process finds it, damage and unsafe folders cost a compilation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hybrid.backends import kept
from hybrid.backends.numba import cache

PROGRAM = """
import numpy as np, time
import hybrid.control
from hybrid.backends import compile
from hybrid.ir.parser import parse
lines = "%1: float64[n] = sin(%0)", "%2: float64[] = sum(%1)", "%3: float64[n] = sort(%1)", "return %2, %3"
graph = parse("\\n  ".join(["graph(%0: float64[n]):", *lines]))
import hybrid.backends.numba.compile as made
compiled = []
made.njit = lambda *args, _njit=made.njit, **kwargs: (compiled.append(1), _njit(*args, **kwargs))[1]
total, ordered = compile(graph)(np.array([2.0, 1.0]))
print(len(compiled), float(total), ordered.tolist())
"""


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"HYBRID_CACHE_DIR": str(folder), "PYTHONPATH": str(Path(cache.__file__).parents[3])}
    return subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)


def test_another_process_compiles_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert run(folder).stdout.split(" ", 1)[0] == "1"
    assert run(folder).stdout.split(" ", 1)[0] == "0"
    assert folder.stat().st_mode & 0o777 == 0o700
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    for damaged in (whole[:100], whole[:-1], b"", whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]):
        entry.write_bytes(damaged)
        assert cache._read(entry) is None
    again = run(folder)
    assert again.stdout.startswith("1 ") and again.stderr == ""
    assert entry.read_bytes()[:16] == cache.MAGIC


@pytest.mark.parametrize("mode", [0o777, 0o720])
def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    with pytest.warns(UserWarning, match="can be written by other users"):
        assert kept._checked(str(tmp_path)) is None
    assert kept._checked(str(tmp_path)) is None


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"x")
    (tmp_path / "entry").symlink_to(tmp_path / "target")
    assert cache._read(tmp_path / "entry") is None
