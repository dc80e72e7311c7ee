"""Misuse of compiled functions, threads, forks, caches that are damaged, and what changes outside: a clear error or the right answer."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import types
import weakref
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.function import function

ROOT = str(Path(hybrid.__file__).parents[1])
interpreted = pytest.mark.usefixtures("interpreted")


# -- arguments ------------------------------------------------------------------------------------------------------
def two(x: Any, y: Any = 1, *, z: Any = 2) -> Any:
    return x + y + z


@interpreted
@pytest.mark.parametrize(("args", "kwargs"), [((), {}), ((1, 2, 3), {}), ((1,), {"w": 1}), ((1,), {"x": 2})])
def test_wrong_arguments_are_a_type_error(args: Any, kwargs: Any) -> None:
    f = function(two)
    with pytest.raises(TypeError, match="argument"):
        f(*args, **kwargs)
    assert f.stats().traces == 0 and f(1) == 4


@interpreted
@pytest.mark.parametrize("value", [None, "text", b"bytes", {1: 2}, [1, "a"], object(), np.array(["a"]), np.array([None])])
def test_arguments_of_another_structure_raise_what_plain_python_raises(value: Any) -> None:
    for argument in (value, [value], {"k": value}):
        with pytest.raises(TypeError) as wanted:
            two(argument)
        with pytest.raises(TypeError) as received:
            function(two)(argument)
        assert str(received.value) == str(wanted.value) or isinstance(received.value, hybrid.errors.HybridError)


@interpreted
def test_a_function_goes_on_after_an_error() -> None:
    f = function(lambda x, i: x[i])
    for _ in range(3):
        with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
            f(np.ones(3), 7)
        assert f(np.ones(3), 1) == 1.0


# -- specialisation -------------------------------------------------------------------------------------------------
@interpreted
def test_many_numbers_and_many_sizes_are_few_traces() -> None:
    f, g = function(lambda x: x * 2.5 - 1), function(lambda x: (x * 2).sum(axis=1))
    assert [f(k / 3) for k in range(500)] == [k / 3 * 2.5 - 1 for k in range(500)]
    for n in range(2, 12):
        np.testing.assert_array_equal(g(np.ones((n, 4))), np.full(n, 8.0))
    assert (f.stats().traces, g.stats().traces) == (1, 2)


# -- what changes outside -------------------------------------------------------------------------------------------
RATE = 2.0
KEPT: dict[str, Any] = {}
MODULE = types.ModuleType("settings_of_the_test")
MODULE.rate = 2.0  # type: ignore[attr-defined]


class Settings:
    shared = 2.0

    def __init__(self) -> None:
        self.own = 2.0


def code_to_replace() -> Callable[..., Any]:
    return lambda x: x * 2.0


def changes() -> dict[str, tuple[Callable[..., Any], Callable[[], Any]]]:
    """A function that reads something, and what changes it from 2 to 5."""
    settings, items, cell = Settings(), {"rate": 2.0, "list": [2.0]}, 2.0
    default = lambda x, rate=2.0: x * rate  # noqa: E731

    def set_cell() -> None:
        nonlocal cell
        cell = 5.0

    return {
        "global": (lambda x: x * RATE, lambda: globals().__setitem__("RATE", 5.0)),
        "closure cell": (lambda x: x * cell, set_cell),
        "attribute": (lambda x: x * settings.own, lambda: setattr(settings, "own", 5.0)),
        "class attribute": (lambda x: x * settings.shared, lambda: setattr(Settings, "shared", 5.0)),
        "attribute hides the class's": (lambda x: x * settings.shared, lambda: setattr(settings, "shared", 5.0)),
        "module attribute": (lambda x: x * MODULE.rate, lambda: setattr(MODULE, "rate", 5.0)),
        "item of a dict": (lambda x: x * items["rate"], lambda: items.__setitem__("rate", 5.0)),
        "item of a list": (lambda x: x * items["list"][0], lambda: items["list"].__setitem__(0, 5.0)),
        "default of a helper": (lambda x: default(x), lambda: setattr(default, "__defaults__", (5.0,))),
        "own default": (default, lambda: setattr(default, "__defaults__", (5.0,))),
        "code": (coded := code_to_replace(), lambda: setattr(coded, "__code__", (lambda x: x * 5.0).__code__)),
        "type": (lambda x: x * items["rate"], lambda: items.__setitem__("rate", 5)),
    }


@interpreted
@pytest.mark.parametrize("name", list(changes()))
def test_nothing_is_stale(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "RATE", 2.0)
    monkeypatch.setattr(Settings, "shared", 2.0)
    monkeypatch.setattr(MODULE, "rate", 2.0)
    plain, change = changes()[name]
    f = function(plain)
    assert [f(3.0), f(3.0)] == [6.0, 6.0]
    change()
    assert plain(3.0) == 15.0 and [f(3.0), f(3.0)] == [15.0, 15.0]


@interpreted
def test_values_that_are_equal_but_not_the_same() -> None:
    terms: list[Any] = [1, 2]
    f = function(lambda x: [x * term for term in terms])
    for new in (1.0, True, 1, -0.0, 0.0):
        terms[0] = new
        assert repr(f(3)) == repr([3 * term for term in terms])


@interpreted
def test_names_that_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    f, g = function(lambda x: x + comes_later), function(lambda x: abs(x))  # type: ignore[name-defined]  # noqa: F821
    with pytest.raises(NameError, match="comes_later"):
        f(1)
    assert g(-1) == 1
    monkeypatch.setitem(globals(), "comes_later", 5)
    monkeypatch.setitem(globals(), "abs", lambda x: x * 10)
    assert (f(1), g(-1)) == (6, -10)


# -- life -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("jit", [False, True])
def test_traces_are_freed_with_their_function(jit: bool) -> None:
    def made() -> tuple[Any, ...]:
        class Big:
            rate = 2.0

        big = Big()
        f = function(lambda x: x * big.rate)
        with hybrid.config(jit=jit):
            assert f(3.0) == 6.0
        return weakref.ref(f), weakref.ref(big), weakref.ref(Big), weakref.ref(f.python_function)

    found = made()
    gc.collect()
    assert [reference() for reference in found] == [None] * 4


@interpreted
def test_traces_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    f = function(lambda x: x * RATE)
    with pytest.warns(RuntimeWarning, match="the global RATE was"):
        for k in range(40):
            monkeypatch.setitem(globals(), "RATE", float(k))
            assert f(2.0) == 2.0 * k
    (entries,) = f._patterns.values()
    assert sum(len(traces) for _, _, traces in entries) == 16


# -- threads and forks ----------------------------------------------------------------------------------------------
def in_threads(count: int, work: Callable[[int], Any]) -> list[Any]:
    """What some threads give that start at the same time, with the settings of this one."""
    barrier, results = threading.Barrier(count), [None] * count

    def run(k: int) -> None:
        barrier.wait()
        results[k] = work(k)

    threads = [threading.Thread(target=copy_context().run, args=(run, k)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def summed(x: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total += x[i % len(x)] * n
    return total


@pytest.mark.parametrize("jit", [False, True])
def test_threads_that_call_at_once_make_one_trace(jit: bool) -> None:
    f, x = function(summed), np.arange(4.0)
    with hybrid.config(jit=jit):
        found = in_threads(4, lambda k: [f(x, n) for n in range(1, 10)])
    assert found == [[summed(x, n) for n in range(1, 10)]] * 4
    assert f.stats().traces == 1


@interpreted
def test_threads_that_trace_different_things_at_once() -> None:
    f = function(summed)
    kinds = [np.arange(4.0), np.arange(4, dtype="f4"), np.arange(4), np.arange(5.0)]
    assert in_threads(4, lambda k: f(kinds[k], 6)) == [summed(x, 6) for x in kinds]


FORKED = """
import os, numpy as np, hybrid, warnings
warnings.simplefilter("ignore")
f = hybrid.function(lambda x: (x * 2 + 1).sum())
assert f(np.ones(3)) == 9.0
child = os.fork()
if not child:
    g = hybrid.function(lambda x: (x * 3 - 1).sum())
    os._exit(0 if f(np.ones(3)) == 9.0 and f(np.ones(4, "f4")) == 12.0 and g(np.ones(2)) == 4.0 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), f(np.ones(3)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_computes(tmp_path: Path) -> None:
    assert run_file(tmp_path, FORKED, {}).stdout == "0 9.0\n"


def run_file(tmp_path: Path, text: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "user.py"
    file.write_text(text)
    full = {**os.environ, "PYTHONPATH": ROOT, "HYBRID_CACHE_DIR": str(tmp_path / "kept"), **environment}
    done = subprocess.run([sys.executable, str(file)], env=full, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done


# -- caches ---------------------------------------------------------------------------------------------------------
COMPUTED = """
import numpy as np, hybrid
def f(x):
    total = 0.0
    for value in x:
        total += value * 3
    return total
g = hybrid.function(f)
print(g(np.arange(5.0)), g.stats().disk_hits)
"""


def test_a_damaged_cache_costs_a_compilation(tmp_path: Path) -> None:
    assert run_file(tmp_path, COMPUTED, {}).stdout == "30.0 0\n"
    (entry,) = (tmp_path / "kept").iterdir()
    whole = entry.read_bytes()
    assert run_file(tmp_path, COMPUTED, {}).stdout == "30.0 1\n"
    for place in (0, 20, 60, len(whole) // 2, len(whole) - 1):
        entry.write_bytes(whole[:place] + bytes([whole[place] ^ 64]) + whole[place + 1 :])
        done = run_file(tmp_path, COMPUTED, {})
        assert (done.stdout, done.stderr) == ("30.0 0\n", "")
    assert run_file(tmp_path, COMPUTED, {}).stdout == "30.0 1\n"


def test_a_cache_that_cannot_be_used_is_one_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    done = run_file(tmp_path, COMPUTED, {"HYBRID_CACHE_DIR": str(tmp_path / "file" / "inside")})
    assert done.stdout == "30.0 0\n" and done.stderr.count("compiled code is not kept on disk") == 1
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    done = run_file(tmp_path, COMPUTED, {"HYBRID_CACHE_DIR": str(tmp_path / "open")})
    assert done.stdout == "30.0 0\n" and "can be written by other users" in done.stderr
    assert list((tmp_path / "open").iterdir()) == []
