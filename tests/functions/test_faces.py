"""Compiled functions look like the plain ones: to ``help``, ``inspect``, ``pickle``, classes, ``partial`` and each other."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import pydoc
import subprocess
import sys
import threading
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.eagerly import EAGERLY, is_eager
from hybrid.functions.function import Function, function

pytestmark = pytest.mark.usefixtures("interpreted")


@function
def double(x: float, k: int = 2) -> float:
    """Twice."""
    return x * k


def test_help_and_signature() -> None:
    assert "double(x: 'float', k: 'int' = 2) -> 'float'\n    Twice." in pydoc.render_doc(double, renderer=pydoc.plaintext)
    assert str(inspect.signature(double)) == str(inspect.signature(double.python_function))
    assert inspect.unwrap(double) is double.python_function
    assert double.__annotations__ == double.python_function.__annotations__
    assert "strict: 'bool' = False" in str(inspect.signature(function))


def test_repr() -> None:
    f = function(lambda x: x, name="same")
    assert repr(f).startswith("<compiled function test_repr.<locals>.<lambda>(x), 0 traces>")
    f(1)
    assert repr(f).endswith("1 trace>")


def test_pickled_and_copied_by_name() -> None:
    assert pickle.loads(pickle.dumps(double)) is double
    assert copy.copy(double) is double and copy.deepcopy([double])[0] is double
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(function(lambda x: x))


class Model:
    rate = 3

    def __init__(self) -> None:
        self.calls = 0

    @function
    def method(self, x: Any) -> Any:
        self.calls += 1
        return x * self.rate

    @function
    @staticmethod
    def static_inside(x: Any) -> Any:
        return x + 1

    @staticmethod
    @function
    def static_outside(x: Any) -> Any:
        return x + 1

    @function
    @classmethod
    def class_inside(cls, x: Any) -> Any:
        return x + cls.rate

    @classmethod
    @function
    def class_outside(cls, x: Any) -> Any:
        return x + cls.rate

    @function
    @property
    def inside(self) -> Any:
        return self.rate * 2

    @property
    @function
    def outside(self) -> Any:
        return self.rate * 2

    @function
    @functools.cached_property
    def cached(self) -> Any:
        return self.rate * 2

    def plain(self, x: Any) -> Any:
        return x * self.rate


def test_what_classes_make_of_functions() -> None:
    model = Model()
    assert (model.method(2), model.calls) == (6, 1)
    assert model.static_inside(1) == Model.static_inside(1) == model.static_outside(1) == 2
    assert model.class_inside(1) == Model.class_inside(1) == model.class_outside(1) == 4
    assert model.inside == model.outside == model.cached == 6
    assert function(model.plain)(2) == 6
    model.rate = 5
    assert function(model.plain)(2) == model.method(2) == 10


def test_partial_functions_and_callable_objects() -> None:
    class Adder:
        def __init__(self, n: int):
            self.n = n

        def __call__(self, x: Any) -> Any:
            return x + self.n

    assert functools.partial(double, k=5)(2) == 10
    assert function(functools.partial(double, k=5))(2) == 10
    assert function(functools.partial(lambda a, b: a - b, 10))(4) == 6
    assert function(Adder(3))(1) == 4


def test_wrapped_functions_call_each_other() -> None:
    @functools.wraps(double)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return double(*args, **kwargs) + 1

    assert function(wrapper)(3) == 7
    assert function(lambda x: double(double(x)))(1) == 4


def test_lambdas_on_one_line_are_told_apart() -> None:
    f, g = function(lambda x: x + 1), function(lambda x: x * 5)
    assert (f(1), g(1)) == (2, 5)


def test_source_that_linecache_knows(tmp_path: Path) -> None:
    """As notebooks and shells keep it."""
    code = f"""
import code, linecache, sys
sys.path.insert(0, {str(Path(hybrid.__file__).parents[1])!r})
import hybrid
hybrid.config(jit=False)
source = "@hybrid.function\\ndef f(x):\\n    if x > 1:\\n        return x * 2\\n    return x\\n"
linecache.cache["<cell 1>"] = (len(source), None, source.splitlines(True), "<cell 1>")
space = {{"hybrid": hybrid}}
exec(compile(source, "<cell 1>", "exec"), space)
print(space["f"](3), space["f"](1))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "6 1\n", done.stderr


# -- eager runs -----------------------------------------------------------------------------------------------------
def seen_kind() -> tuple[Function, list[type]]:
    kinds: list[type] = []

    @hybrid.do_not_convert
    def see(x: Any) -> None:
        kinds.append(type(x))

    return function(lambda x: (see(x), x + 1)[1]), kinds


def test_eager_runs_for_a_block_and_for_good() -> None:
    f = function(lambda x: x + 1)
    with hybrid.run_eagerly():
        assert is_eager() and f(1) == 2 and f.stats().traces == 0
        with hybrid.run_eagerly(False):
            assert not is_eager()
        assert is_eager()
    assert not is_eager() and EAGERLY == []
    hybrid.run_eagerly(True)
    try:
        assert is_eager() and f(1) == 2 and f.stats().traces == 0
        with hybrid.run_eagerly(False):
            assert f(1) == 2 and f.stats().traces == 1
    finally:
        hybrid.run_eagerly(False)
    assert EAGERLY == []


def test_eager_runs_end_after_an_error() -> None:
    with pytest.raises(KeyError), hybrid.run_eagerly():
        raise KeyError
    assert not is_eager()


def test_a_block_is_for_its_thread_and_the_switch_for_all() -> None:
    seen: list[bool] = []
    look = lambda: seen.append(is_eager())  # noqa: E731

    def in_a_thread(run: Any) -> None:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()

    with hybrid.run_eagerly():
        in_a_thread(look)
        in_a_thread(partial(copy_context().run, look))
    hybrid.run_eagerly()
    in_a_thread(look)
    hybrid.run_eagerly(False)
    in_a_thread(look)
    assert seen == [False, True, True, False]


def test_run_eagerly_wants_a_truth_value() -> None:
    with pytest.raises(TypeError, match="wanted True or False, received 1"):
        hybrid.run_eagerly(1)  # type: ignore[arg-type]


# -- traces to look at ----------------------------------------------------------------------------------------------
def total(xs: Any, k: float) -> Any:
    s = 0.0
    for x in xs:
        s = s + x * k
    return s


def watched(*watch: Any) -> list[tuple[str, Any]]:
    seen: list[Any] = []
    trace = function(total).trace(np.ones(3), 2.0)
    assert trace.run(np.arange(3.0), 2.0, watch=watch, report=seen.append) == 6.0
    return [(w.variable or w.name, float(np.sum(w.value))) for w in seen]


def test_values_are_watched_by_number_name_line_and_predicate() -> None:
    line = total.__code__.co_firstlineno + 3
    assert watched("%0", "k") == [("%0", 3.0), ("k", 2.0)]
    assert watched("s") == [("s", 0.0), ("s", 2.0), ("s", 6.0)]
    assert [value for _, value in watched(line)] == [0.0, 0.0, 2.0, 2.0, 4.0, 6.0]
    assert [value for _, value in watched(lambda node: node.op.name == "add")] == [0.0, 2.0, 6.0]
    assert watched() == []


def test_watched_values_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    function(total).trace(np.ones(3), 2.0).run(np.ones(3), 2.0, watch="k")
    assert capsys.readouterr().out == "k (%1): float = 2.0\n"


def test_what_cannot_be_watched_or_run() -> None:
    trace = function(total, name="total").trace(np.ones(3), 2.0)
    for watch, wanted in (("%77", "wanted a value of the graph"), ("q", "wanted a parameter, or a variable"), (1, "wanted a line")):
        with pytest.raises(ValueError, match=wanted):
            trace.run(np.ones(3), 2.0, watch=watch)
    with pytest.raises(TypeError, match="wanted arguments like those that total was traced for, received xs: int64"):
        trace.run(np.arange(3), 2.0)


SCALE = 3.0


def test_a_trace_whose_grounds_have_changed_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = function(lambda x: x * SCALE).trace(2.0)
    assert "the global SCALE" in trace.takes_for_granted and trace.run(2.0) == 6.0
    monkeypatch.setitem(globals(), "SCALE", 4.0)
    with pytest.raises(RuntimeError, match="the global SCALE changed: trace <lambda> again"):
        trace.run(2.0)


def test_runs_write_into_arguments() -> None:
    def fill(x: Any) -> None:
        x[:] = 7.0

    x = np.zeros(2)
    function(fill).trace(x).run(x)
    assert x.tolist() == [7.0, 7.0]


def test_graphs_are_drawn() -> None:
    trace = function(total).trace(np.ones(3), 2.0)
    html = trace._repr_html_()
    assert html == trace.graph._repr_html_()
    assert html.count("<svg") == 2 and "for_range" in html and "<b>@1</b>" in html
    assert str(trace.graph) in str(trace.graph) and "return" in html
    assert repr(trace).startswith("<trace of total: <graph of ")
    assert "hy__" in trace.converted
