"""Settings, in the process and from the environment."""

from __future__ import annotations

import subprocess
import sys
from contextvars import copy_context
from pathlib import Path

import pytest

import hybrid
from hybrid.backends import default_back_end
from hybrid.config import Config, from_environment


def test_graphs_are_verified_in_the_tests() -> None:
    assert hybrid.config().verify


def test_a_block_changes_settings_and_changes_them_back() -> None:
    with hybrid.config(verify=False) as inside:
        assert inside is hybrid.config() and not inside.verify
        with hybrid.config(verify=True):
            assert hybrid.config().verify
        assert not hybrid.config().verify
    assert hybrid.config().verify


def test_settings_change_back_after_an_error() -> None:
    with pytest.raises(KeyError), hybrid.config(verify=False):
        raise KeyError
    assert hybrid.config().verify


def test_a_call_changes_settings_for_the_context() -> None:
    def change() -> bool:
        hybrid.config(verify=False)
        return hybrid.config().verify

    assert copy_context().run(change) is False
    assert hybrid.config().verify


def test_settings_that_mean_nothing_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^wanted settings among verify, jit, cache_dir, received verfy; did you mean verify\?$"):
        hybrid.config(verfy=True)
    with pytest.raises(TypeError, match=r"^wanted True or False for the setting 'verify', received 'yes'$"):
        hybrid.config(verify="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^wanted a folder or None for the setting 'cache_dir', received 3$"):
        hybrid.config(cache_dir=3)  # type: ignore[arg-type]
    assert hybrid.config().verify


def test_environment() -> None:
    assert from_environment({"PATH": "/bin"}) == Config(verify=False)
    assert from_environment({"HYBRID_VERIFY": "True"}).verify
    assert from_environment({}).jit and not from_environment({"HYBRID_JIT": "0"}).jit
    assert from_environment({"HYBRID_CACHE_DIR": "/tmp/kept"}).cache_dir == "/tmp/kept"
    assert from_environment({"HYBRID_CACHE_DIR": ""}).cache_dir is None
    assert not from_environment({"HYBRID_VERIFY": "0"}).verify
    with pytest.warns(
        UserWarning,
        match=r"^the environment variable HYBRID_VERFY is no setting of hybrid, which knows HYBRID_VERIFY, HYBRID_JIT, HYBRID_CACHE_DIR$",
    ):
        assert from_environment({"HYBRID_VERFY": "1"}) == Config()
    with pytest.raises(ValueError, match=r"^wanted 1 or 0 for the environment variable HYBRID_VERIFY, received 'maybe'$"):
        from_environment({"HYBRID_VERIFY": "maybe"})


def test_environment_is_read_at_import() -> None:
    code = "import hybrid; print(hybrid.config())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"HYBRID_VERIFY": "yes", "HYBRID_JIT": "off", "HYBRID_CACHE_DIR": "/tmp/kept"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "Config(verify=True, jit=False, cache_dir='/tmp/kept')\n"


def test_a_folder_is_one_wherever_the_process_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with hybrid.config(cache_dir=Path("kept")) as settings:
        assert settings.cache_dir == str(tmp_path / "kept")


def test_jit_says_which_back_end_is_used() -> None:
    with hybrid.config(jit=False):
        assert default_back_end() == "interpreter"
    with hybrid.config(jit=True):
        assert default_back_end() == "numba"
