"""Statistics of compiled functions: why each trace was made, in words."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import hybrid
from hybrid.functions.function import Function, function

pytestmark = pytest.mark.usefixtures("interpreted")

RATE = 0.5


def reasons(f: Function) -> list[str]:
    return f.stats().reasons


def test_arguments_that_differ_are_named() -> None:
    f = function(lambda x, config: x * config["k"])
    f(np.ones(3), {"k": 1})
    f(np.ones(4), {"k": 1})
    f(np.ones(4), {"k": 1.0})
    f(np.ones((2, 2), order="F"), {"k": 1.0})
    f(hybrid.asarray(np.ones(4)), {"k": 1.0})
    assert reasons(f) == [
        "first call",
        "the argument x is float64[4], was float64[3]; sizes that differ are symbols from now on",
        "the argument config['k'] is float, was int",
        "the argument x is float64[2, 2] in Fortran order, was float64[4]",
        "the argument x is Tensor float64[4], was float64[2, 2] in Fortran order",
    ]


def test_containers_and_constants_that_differ() -> None:
    f = function(lambda x, how: x)
    f([1.0], "up")
    f([1.0, 2.0], "up")
    f([1.0, 2.0], "down")
    f(1.0, "down")
    assert reasons(f)[1:] == [
        "the argument x[1] is new (float)",
        "the argument how is 'down', was 'up'",
        "the argument x is float, was a container of float, float",
    ]


def test_what_changed_outside_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Config:
        mode = "fast"

    config, scale = Config(), 3
    f = function(lambda x: x * RATE * scale * (2 if config.mode == "fast" else 1))
    f(1.0)
    monkeypatch.setitem(globals(), "RATE", 0.25)
    f(1.0)
    scale = 4
    f(1.0)
    config.mode = "slow"
    assert f(1.0) == 1.0
    assert reasons(f)[1:] == [
        "the global RATE changed from 0.5 to 0.25",
        "the variable scale changed from 3 to 4",
        "Config.mode changed from 'fast' to 'slow'",
    ]


def test_values_that_tracing_needs_are_named() -> None:
    f = function(lambda x, n: np.zeros((n,) * n).ndim + x)
    assert f(1.0, 2) == 3.0
    assert f(1.0, 3) == 4.0
    assert reasons(f) == ["first call; tracing needs the value of n (2)", "the argument n is 3, was 2; tracing needs the value of n (3)"]


def test_counts_and_times() -> None:
    f = function(lambda x, *, k=1: x * k)
    assert f.stats().traces == f.stats().hits == 0
    f(1.0, k=2)
    f(2.0, k=3)
    stats = f.stats()
    assert (stats.traces, stats.hits, stats.disk_hits) == (1, 1, 0)
    assert stats.trace_seconds > 0 and stats.seconds == stats.trace_seconds + stats.compile_seconds
    f(2, k=3)
    assert stats.traces == 1, "what was told doesn't change"


def test_it_prints_and_is_shown_in_notebooks() -> None:
    f = function(lambda x: x, name="<same>")
    f(1)
    f(2.0)
    lines = str(f.stats()).splitlines()
    assert lines[0].startswith("<same>: 2 traces, 0 found on disk, ")
    assert lines[-1].endswith("interpreted  the argument x is float, was int")
    assert "&lt;same&gt;: 2 traces" in f.stats()._repr_html_()
    found = json.loads(json.dumps(f.stats().to_dict()))
    assert (found["traces"], found["records"][1]["arguments"]) == (2, {"x": "float"})


def test_a_storm_is_one_warning_with_the_argument_and_its_values() -> None:
    f = function(lambda x, name: x, name="f")
    with pytest.warns(RuntimeWarning) as caught:
        for k in range(20):
            f(1.0, f"name {k}")
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message) == (
        "f was traced 12 times, which takes longer than running it: the argument name was 'name 0', 'name 1', 'name 2', …, 'name 9', "
        "'name 10', 'name 11'. Each is a trace of its own; pass what differs from call to call as a number or an array"
    )


def test_a_storm_from_outside_names_what_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    f = function(lambda x: x * RATE)
    with pytest.warns(RuntimeWarning, match=r"the global RATE was 0.5, 1, 2, …, 9, 10, 11\. What a trace reads from outside is a constant"):
        for k in range(12):
            f(1.0)
            monkeypatch.setitem(globals(), "RATE", k + 1)


def test_no_storm_where_there_is_none() -> None:
    f = function(lambda x: x * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(2, 40):
            f(np.ones(n))
    assert f.stats().traces == 2


def test_native_code_from_the_disk_is_counted(tmp_path: Path) -> None:
    f = function(lambda x: x * 2)
    with hybrid.config(jit=True, cache_dir=tmp_path / "kept"):
        assert f(1.5) == 3.0
    assert f.stats().records[0].origin in ("compiled", "process")
