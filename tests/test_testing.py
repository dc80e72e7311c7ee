"""``hybrid.testing``: what it checks, and what it says of differences."""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.functions.function import Function
from hybrid.testing import check_parity


def scaled(values: Any, k: float = 2.0) -> Any:
    for i in range(len(values)):
        values[i] *= k
    print("scaled by", k)
    return values.sum()


class Account:
    def __init__(self) -> None:
        self.total = 0.0

    @hybrid.function
    def add(self, x: float) -> float:
        self.total += x
        return self.total


def test_what_agrees_passes_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    values, account = np.arange(3.0), Account()
    check_parity(scaled, values, k=3.0)
    check_parity(functools.partial(hybrid.function(scaled), k=3.0), values)
    check_parity(account.add, 2.0)
    check_parity(lambda x: x[5], values)
    assert values.tolist() == [0.0, 1.0, 2.0] and account.total == 0.0
    assert capsys.readouterr().out == ""


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError) as caught:
        monkeypatch.setattr(Function, "__call__", lambda self, x: x.astype("f4"))
        check_parity(lambda x: x, np.ones(2))
    wanted = (
        "<lambda> by the graph interpreter, first call: result: wanted float64 array of shape (2,), received float32 array of shape (2,)"
    )
    assert str(caught.value) == wanted


def test_an_exception_of_the_compiled_function_is_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Any, *args: Any) -> Any:
        raise KeyError("lost")

    with pytest.raises(AssertionError, match="KeyError: 'lost'") as caught:
        monkeypatch.setattr(Function, "__call__", fails)
        check_parity(lambda x: x, 1)
    assert isinstance(caught.value.__cause__, KeyError)


def test_arguments_that_cannot_be_copied() -> None:
    with pytest.raises(TypeError, match="wanted arguments that can be copied"):
        check_parity(lambda x: x, (i for i in [1]))


def test_it_is_imported_when_it_is_used() -> None:
    code = "import hybrid, sys; print('hybrid.testing' in sys.modules, callable(hybrid.testing.check_parity))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"
