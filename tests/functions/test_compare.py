"""``compare``: results first, then time and memory, each run on arguments of its own. Compilers are faked where it is about measuring."""

from __future__ import annotations

import functools
import gc
import mmap
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.compare import Comparison, measure
from hybrid.functions.eagerly import EAGERLY
from hybrid.functions.function import function
from hybrid.functions.timing import Budget, Calls, interleaved, resident_growth, traced_peak

TINY = Budget(seconds=0.02, least=2, most=4)


def pretending(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """A compiler that makes the same function of every function, except of the one that it is warmed up with."""
    return lambda plain: plain if plain.__name__ == "_twice" else compiled


def measured(plain: Callable[..., Any], compiled: Callable[..., Any], *args: Any, **kwargs: Any) -> Comparison:
    return measure(plain, args, kwargs, budget=TINY, compiler=pretending(compiled))


def total(values: np.ndarray) -> float:
    s = 0.0
    for x in values:
        s += x
    return s


def increase(values: np.ndarray) -> None:
    values += 1


class Counter:
    def __init__(self) -> None:
        self.count = 0

    def add(self, n: int) -> int:
        self.count += n
        return self.count


# -- the whole ------------------------------------------------------------------------------------------------------
def test_a_plain_function_is_compiled() -> None:
    c = hybrid.compare(total, np.arange(50.0))
    assert (c.name, c.problem, c.max_difference) == ("total", None, 0.0)
    assert all(
        x is not None and x > 0 for x in (c.eager_seconds, c.first_call_seconds, c.compiled_seconds, c.peak_bytes, c.eager_peak_bytes)
    )
    assert c.rounds >= 3


def test_a_compiled_function_is_compared_with_what_it_was() -> None:
    c = measure(function(total, name="sum of all"), (np.arange(5.0),), {}, budget=TINY)
    assert (c.name, c.is_equal) == ("sum of all", True)


def test_every_figure_is_there() -> None:
    c = measured(total, total, np.arange(5.0))
    assert not [
        name for name, value in c.to_dict().items() if value is None and name not in ("problem", "raised", "pays_after", "why_slow")
    ]


def test_name_and_field_are_taken_over() -> None:
    c = measure(total, (np.ones(2),), {}, name="Σ", field="sums", budget=TINY, compiler=pretending(total))
    assert (c.name, c.field) == ("Σ", "sums")


def test_progress_is_told() -> None:
    stages: list[str] = []
    measure(total, (np.ones(2),), {}, budget=TINY, compiler=pretending(total), progress=stages.append)
    assert stages == ["plain Python", "first call", "memory", "timing"]


# -- results --------------------------------------------------------------------------------------------------------
def test_a_wrong_result_is_found_and_still_timed() -> None:
    c = measured(total, lambda values: total(values) + 2, np.ones(3))
    assert c.problem == "result: wanted 3.0, received 5.0"
    assert (c.max_difference, c.max_relative_difference) == (2.0, pytest.approx(2 / 3))
    assert c.speedup is not None


def test_a_result_of_another_type_is_found() -> None:
    c = measured(total, lambda values: np.float32(total(values)), np.ones(3))
    assert c.problem == "result: wanted NumPy scalar float64, received NumPy scalar float32"
    assert c.to_dict()["max_difference"] is None


def test_arguments_changed_in_place_are_compared() -> None:
    assert measured(increase, increase, np.ones(3)).is_equal
    c = measured(increase, lambda values: None, np.ones(3))
    assert c.problem == "argument 1 after the call[0]: wanted 2.0, received 1.0; 3 of 3 elements differ"


def test_arguments_of_the_caller_stay_as_they_are() -> None:
    values, more = np.ones(3), [np.ones(2)]
    measured(lambda a, b: b.append(increase(a)), lambda a, b: b.append(increase(a)), values, b=more)
    assert values.tolist() == [1, 1, 1]
    assert len(more) == 1


def test_arguments_that_are_one_object_stay_one() -> None:
    values, seen = np.ones(3), []
    measured(lambda a, b: seen.append(a is b), lambda a, b: None, values, values)
    assert all(seen)


def test_each_run_gets_fresh_arguments() -> None:
    lengths = set()

    def grow(items: list[int]) -> int:
        lengths.add(len(items))
        items.append(1)
        return len(items)

    assert measured(grow, grow, []).is_equal
    assert lengths == {0}


def test_the_same_exception_is_no_difference() -> None:
    def refuse(x: int) -> None:
        raise ValueError(f"not {x}")

    c = measured(refuse, refuse, 3)
    assert (c.problem, c.raised, c.speedup) == (None, "ValueError: not 3", None)


def test_other_exceptions_are_differences() -> None:
    def refuse(x: int) -> None:
        raise ValueError("no")

    assert measured(refuse, abs, 3).problem == "wanted ValueError: no, received a result: 3"
    c = measured(abs, refuse, 3)
    assert (c.problem or "").startswith("ValueError: no\nFile ") and (c.eager_seconds, c.first_call_seconds) == (None, None)


def test_a_compiler_that_refuses_is_a_difference() -> None:
    def compiler(plain: Callable[..., Any]) -> Callable[..., Any]:
        if plain is total:
            raise TypeError("not this one")
        return plain

    c = measure(total, (np.ones(2),), {}, compiler=compiler)
    line = compiler.__code__.co_firstlineno + 2
    assert c.problem == f'TypeError: not this one\nFile "{__file__}", line {line}'


def test_printed_text_is_compared_and_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert measured(lambda x: print(x), lambda x: print(x), 3).is_equal
    assert measured(lambda x: print(x), lambda x: None, 3).problem == r"printed text: wanted '3\n', received ''"
    assert capsys.readouterr().out == ""


def test_later_calls_are_compared_too() -> None:
    answers = iter([np.float64(3)])
    c = measured(total, lambda values: next(answers, np.float64(7)), np.ones(3))
    assert c.problem == "in a later call, result: wanted 3.0, received 7.0"


def test_a_call_that_fails_while_it_is_timed() -> None:
    answers = iter([3.0, 3.0])
    c = measured(lambda x: 3.0, lambda x: next(answers), 1)
    assert (c.problem, c.speedup) == ("in a later call, StopIteration: ", None)


def test_a_function_that_never_does_the_same_is_told_from_a_wrong_one() -> None:
    draw = np.random.default_rng(0).random
    c = measured(lambda: draw(), lambda: draw())
    assert c.problem is not None
    assert c.problem.endswith("Plain Python does something else at each call, too: this says nothing about compiling.")


def test_methods_bring_their_objects() -> None:
    counter = Counter()
    assert measured(counter.add, Counter.add, 2).is_equal
    assert counter.count == 0
    c = measured(counter.add, lambda self, n: n, 2)
    assert c.problem == "argument 1 after the call.count: wanted 2, received 0"
    assert c.name == "add"


def test_partial_brings_its_arguments() -> None:
    values = np.ones(2)
    c = measured(functools.partial(lambda a, b, c=0: increase(a), values, c=1), lambda a, b, c: increase(a), 3)
    assert c.is_equal
    assert values.tolist() == [1, 1]


def test_arguments_that_cannot_be_copied_are_refused() -> None:
    with pytest.raises(TypeError, match="wanted arguments that can be copied, since each run gets fresh ones; copying raised TypeError"):
        hybrid.compare(total, (x for x in range(3)))


def test_other_compiled_functions_run_as_plain_python_in_the_plain_runs() -> None:
    seen = []
    helper = function(lambda x: x + 1)

    def plain(x: float) -> float:
        seen.append(bool(EAGERLY))
        return helper(x)

    measured(plain, lambda x: x + 1, 1.0)
    assert len(seen) > 2
    assert all(seen)
    assert not EAGERLY


# -- time -----------------------------------------------------------------------------------------------------------
def test_times_are_about_right() -> None:
    c = measured(lambda: time.sleep(0.03), lambda: time.sleep(0.003))
    assert c.eager_seconds is not None
    assert c.compiled_seconds is not None
    assert 0.03 <= c.eager_seconds < 0.3
    assert 0.003 <= c.compiled_seconds < 0.03


def test_the_first_call_holds_compiling() -> None:
    def compiler(plain: Callable[..., Any]) -> Callable[..., Any]:
        time.sleep(0.05)
        return plain

    c = measure(total, (np.ones(2),), {}, budget=TINY, compiler=compiler)
    assert c.first_call_seconds is not None
    assert 0.05 <= c.first_call_seconds < 0.5


def test_short_calls_are_repeated_and_long_ones_are_not() -> None:
    calls = {"short": 0, "long": 0}

    def count(name: str, seconds: float) -> None:
        calls[name] += 1
        time.sleep(seconds)

    interleaved(Calls(count, ("long", 0.15), {}, True), Calls(count, ("short", 0.0), {}, True), Budget(seconds=0.1, least=3))
    assert calls["long"] == 1
    assert calls["short"] >= 10


def test_runs_take_turns() -> None:
    order: list[str] = []

    def note(name: str) -> None:
        order.append(name)
        time.sleep(0.006)

    interleaved(Calls(note, ("a",), {}, True), Calls(note, ("b",), {}, True), Budget(seconds=10.0, least=4, most=4))
    assert "".join(order) == "ab" + "ab" * 4


def test_calls_that_change_their_arguments_get_copies_made_beforehand() -> None:
    lengths = set()

    def grow(items: list[int]) -> None:
        lengths.add(len(items))
        items.append(1)

    times, _ = interleaved(Calls(grow, ([],), {}, False), Calls(grow, ([],), {}, False), TINY)
    assert lengths == {0}
    assert times.median < 1e-3


def test_large_arguments_limit_the_copies() -> None:
    calls = Calls(lambda a: None, (np.zeros(2**23),), {}, False)
    calls.warmed()
    assert calls._repeats <= 2


def test_medians_and_spreads() -> None:
    naps = iter([0.101, 0.102, 0.13])
    times, _ = interleaved(Calls(lambda: time.sleep(next(naps)), (), {}, True), Calls(lambda: None, (), {}, True), Budget(5.0, 3, 3))
    assert times.rounds == 3
    assert 0.102 <= times.median < 0.2
    assert times.spread > 0


@pytest.fixture(params=[True, False], ids=["enabled", "disabled"])
def collecting(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


def test_garbage_is_collected_as_before(collecting: bool) -> None:
    states = set()
    interleaved(*(Calls(lambda: states.add(gc.isenabled()), (), {}, True) for _ in range(2)), TINY)
    assert states == {False}
    assert gc.isenabled() is collecting


# -- memory ---------------------------------------------------------------------------------------------------------
def test_peak_of_arrays() -> None:
    result, peak = traced_peak(lambda: np.concatenate([np.ones(2**17), np.ones(2**17)])[::2].copy())
    assert result.nbytes == 2**20
    assert 4 * 2**20 <= peak < 4.1 * 2**20
    assert not tracemalloc.is_tracing()


def test_a_trace_of_the_user_goes_on() -> None:
    tracemalloc.start()
    try:
        _, peak = traced_peak(lambda: np.ones(2**17))
        assert 2**20 <= peak < 1.1 * 2**20
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_native_memory_is_seen() -> None:
    def touch() -> None:
        with mmap.mmap(-1, 2**25) as memory:
            for i in range(0, 2**25, 4096):
                memory[i] = 1

    _, grown = resident_growth(touch)
    if grown == 0:
        pytest.skip("no right to reset the meter")
    assert 2**24 < grown < 2**27
    c = measured(lambda: None, touch)
    assert c.peak_bytes is not None
    assert c.peak_bytes > 2**24


def test_copies_of_arguments_are_not_counted() -> None:
    c = measured(total, total, np.ones(2**14))
    assert c.eager_peak_bytes is not None
    assert c.eager_peak_bytes < 2**15
