"""The options of ``hybrid.function``: what each does, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.errors import ShapeError, UnsupportedError
from hybrid.functions.function import Function, function

Spec = hybrid.TensorSpec


def refused(kind: type[Exception], f: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    with pytest.raises(kind) as caught:
        f(*args, **kwargs)
    return str(caught.value)


# -- what can be said -----------------------------------------------------------------------------------------------
def test_unknown_options_name_what_may_be_meant() -> None:
    assert refused(TypeError, function, boundscheks=False) == "hybrid.function has no option 'boundscheks'; did you mean boundscheck?"
    assert refused(TypeError, function, jit_compile=True).startswith("hybrid.function has no option 'jit_compile'; there are strict, ")


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("strict", 1, "wanted True or False for the option 'strict', received 1"),
        ("cache", None, "wanted True or False for the option 'cache', received None"),
        ("parallel", True, "wanted 'auto' or False for the option 'parallel', received True: nothing runs in parallel yet"),
        ("parallel", 4, "wanted 'auto' or False for the option 'parallel', received 4"),
        ("example", (1.0,), "wanted a function without arguments that returns arguments for the option 'example', received (1.0,)"),
        ("name", "", "wanted a text for the option 'name', received ''"),
    ],
)
def test_values_that_options_cannot_have(option: str, value: Any, wanted: str) -> None:
    assert refused(TypeError, function, **{option: value}) == wanted


def test_parallel_changes_nothing_yet() -> None:
    for parallel in ("auto", False):
        assert function(lambda x: x + 1, parallel=parallel)(np.ones(2)).tolist() == [2.0, 2.0]  # type: ignore[call-overload]


def test_a_name_is_what_messages_say() -> None:
    f = function(lambda x: x, name="identity")
    assert f.__name__ == f.stats().name == "identity"


def test_compiled_functions_can_be_compiled_with_other_options() -> None:
    f = function(function(lambda x: x), name="other")
    assert isinstance(f, Function) and not isinstance(f.python_function, Function)
    assert f.__name__ == "other"


# -- strict ---------------------------------------------------------------------------------------------------------
def reads_a_clock(x: float) -> float:
    return x + len(os.getcwd())


def np_exp(x: np.ndarray) -> np.ndarray:
    return np.exp(x)


def counts_words(x: float) -> float:
    print("x", x)
    return x * 2


@pytest.mark.usefixtures("interpreted")
def test_strict_refuses_calls_of_python_at_the_users_line() -> None:
    message = refused(UnsupportedError, function(reads_a_clock, strict=True), 1.0)
    line = reads_a_clock.__code__.co_firstlineno + 1
    assert message.startswith(f'File "{__file__}", line {line}\n    return x + len(os.getcwd())\n                   ~~~~~~~~~~^\n')
    assert message.endswith("wanted native code only (strict=True), received a call of Python at run time: getcwd")
    assert function(reads_a_clock)(1.0) == reads_a_clock(1.0)


@hybrid.do_not_convert
def unconverted(x: float) -> float:
    return x + 1


@pytest.mark.usefixtures("interpreted")
def test_strict_refuses_functions_that_are_not_converted() -> None:
    message = refused(UnsupportedError, function(lambda x: unconverted(x), strict=True), 1.0)
    assert message.endswith("received a call of Python at run time: unconverted")


@pytest.mark.usefixtures("interpreted")
def test_strict_allows_print(capsys: pytest.CaptureFixture[str]) -> None:
    assert function(counts_words, strict=True)(2.0) == 4.0
    assert capsys.readouterr().out == "x 2.0\n"


def test_strict_refuses_operations_without_a_native_form() -> None:
    message = refused(UnsupportedError, function(np_exp, strict=True), np.ones(2, "f2"))
    assert message.startswith(f'File "{__file__}", line {np_exp.__code__.co_firstlineno + 1}\n    return np.exp(x)\n')
    assert message.endswith("received exp(float16[2]), which has none and calls its NumPy kernel")
    assert function(lambda x: x * 2, strict=True)(3.0) == 6.0


# -- input signatures -----------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("interpreted")
def test_open_sizes_are_one_trace() -> None:
    f = function(lambda x, k: x.sum(axis=0) * k, input_signature=[Spec((None, 8), "float64"), float])
    for n in (5, 2, 9, 3):
        np.testing.assert_array_equal(f(np.ones((n, 8)), 2.0), np.full(8, 2.0 * n))
    assert f.stats().traces == 1
    assert "float64[d1_0, 8]" in str(f.trace(np.ones((4, 8)), 1.0).graph)
    np.testing.assert_array_equal(f(np.ones((1, 8)), 2.0), np.full(8, 2.0))


@pytest.mark.usefixtures("interpreted")
def test_what_does_not_fit_is_refused() -> None:
    f = function(lambda x, k: x * k, input_signature=(Spec((None, "n"), "float32"), int), name="f")
    x = np.ones((3, 2), "f4")
    wanted = "f: wanted TensorSpec(shape=(None, 'n'), dtype=float32) for the argument x, received "
    assert refused(TypeError, f, np.ones((3, 2)), 1) == wanted + "float64[3, 2]"
    assert refused(TypeError, f, [[1.0]], 1) == wanted + "a list of 1"
    assert refused(ShapeError, f, np.ones(3, "f4"), 1) == wanted + "float32[3]"
    assert refused(TypeError, f, x, True) == "f: wanted int for the argument k, received bool"
    assert refused(TypeError, f, x, 1.0) == "f: wanted int for the argument k, received float"
    assert "missing a required argument: 'k'" in refused(TypeError, f, x)
    assert f.stats().traces == 0


@pytest.mark.usefixtures("interpreted")
def test_sizes_of_one_name_are_equal() -> None:
    f = function(lambda a, b: a @ b, input_signature=[Spec((None, "n"), "float64"), Spec(("n",), "float64")], name="f")
    for m, n in ((2, 3), (5, 4)):
        np.testing.assert_array_equal(f(np.ones((m, n)), np.ones(n)), np.full(m, float(n)))
    assert f.stats().traces == 1
    message = refused(ShapeError, f, np.ones((2, 3)), np.ones(4))
    assert message.endswith("for the argument b, received float64[4], while n is 3 elsewhere")


@pytest.mark.usefixtures("interpreted")
def test_signatures_with_containers_defaults_and_self() -> None:
    class Model:
        @function(input_signature=[{"a": Spec((2,), "float64"), "b": [int]}])
        def total(self, parts: Any, scale: float = 2.0) -> Any:
            return (parts["a"].sum() + parts["b"][0]) * scale

    model = Model()
    assert model.total({"a": np.ones(2), "b": [3]}) == 10.0
    message = refused(TypeError, model.total, {"a": np.ones(2), "b": [3.0]})
    assert message == "total: wanted int for the argument parts['b'][0], received float"
    message = refused(TypeError, model.total, {"a": np.ones(2)})
    assert message.startswith("total: wanted a dict like {'a': TensorSpec(") and message.endswith("received a dict of 1")


def test_signatures_that_do_not_fit_the_function() -> None:
    one = [Spec((2,))]
    assert refused(TypeError, function, lambda: 1, input_signature=one) == "wanted an input signature of 0 specs for <lambda>, received 1"
    assert refused(TypeError, function, lambda x, y: 1, input_signature=one).endswith("of <lambda>; y has none")
    assert refused(TypeError, function, lambda x: 1, input_signature=[3]).endswith("of <lambda>, received 3")
    assert refused(TypeError, function, lambda x: 1, input_signature=Spec((2,))).startswith("wanted a list or tuple of hybrid.TensorSpec")


# -- native code ----------------------------------------------------------------------------------------------------
def picks(x: np.ndarray, i: int) -> Any:
    return x[i]


def test_without_bounds_checks_native_code_has_none() -> None:
    checked, unchecked = function(picks), function(picks, boundscheck=False)
    x = np.arange(3.0)
    assert checked(x, 1) == unchecked(x, 1) == unchecked(x, -2) == 1.0
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        checked(x, 3)
    assert len(checked.trace(x, 1).executable.checks) == 1
    assert unchecked.trace(x, 1).executable.checks == ()


def kept_or_not_by_the_tests_of_options(x: float) -> float:
    return x * 12345.5


def test_without_cache_nothing_is_kept_on_disk(tmp_path: Path) -> None:
    code = f"""
import sys
sys.path[:0] = [{str(Path(hybrid.__file__).parents[1])!r}, {str(Path(__file__).parents[1])!r}]
import hybrid
from functions.test_options import kept_or_not_by_the_tests_of_options as plain
for cache in (False, True):
    f = hybrid.function(plain, cache=cache)
    assert f(2.0) == 24691.0
    print(f.stats().records[0].origin)
"""
    environment = {**os.environ, "HYBRID_CACHE_DIR": str(tmp_path / "kept")}
    once = subprocess.run([sys.executable, "-c", code.replace("(False, True)", "(False,)")], env=environment, check=True)
    assert once.returncode == 0 and not (tmp_path / "kept").exists()
    with_cache = code.replace("(False, True)", "(True,)")
    for origin in ("compiled", "disk"):
        done = subprocess.run([sys.executable, "-c", with_cache], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == [origin]
