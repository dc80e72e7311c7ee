"""Programs of the table as plain Python and compiled, and what a caller sees of each."""

from __future__ import annotations

import contextlib
import copy
import importlib
import io
import warnings
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from staging.constructs.table import CONSTRUCTS, KINDS, OUTSIDE, Construct, set_outside

from hybrid import Tensor

SECTIONS = ("branches", "loops", "blocks", "expressions", "containers", "functions", "writes")

NOTE = "\n  in "
"""What follows in messages about tensors is the eager side's own: the operation, and what it received."""

for _section in SECTIONS:
    importlib.import_module(f"staging.constructs.programs_{_section}")


def seen(function: Callable[[Any], Any], argument: Any) -> SimpleNamespace:
    """Everything that a caller sees of a call with a copy of the argument."""
    argument = copy.deepcopy(argument)
    set_outside()
    printed, value, error = io.StringIO(), None, None
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = function(argument)
        except Exception as raised:
            error = raised
    outside = copy.deepcopy(vars(OUTSIDE))
    return SimpleNamespace(value=value, error=error, printed=printed.getvalue(), argument=argument, outside=outside)


def assert_as_plain(construct: Construct, kind: str, compiled: Callable[[Any], Any], rtol: float = 0.0) -> None:
    """Each value of a kind is treated as plain Python treats it."""
    for value in KINDS[kind]:
        want, got = seen(construct.function, value), seen(compiled, value)
        if got.error is not None and type(want.error) is not type(got.error):
            raise AssertionError(f"wanted {want.error or want.value!r} for {value!r}") from got.error
        assert_same_errors(want.error, got.error)
        assert want.printed == got.printed, f"printed: wanted {want.printed!r}, received {got.printed!r}"
        for what in ("value", "argument", "outside"):
            assert_same(getattr(want, what), getattr(got, what), rtol, f"{what} for {value!r}")


def assert_same_errors(want: BaseException | None, got: BaseException | None) -> None:
    """Class, message, and the exceptions that led there."""
    assert type(want) is type(got), f"wanted {want!r}, received {got!r}"
    if want is None or got is None or isinstance(want, RecursionError):
        return
    said = str(want)
    if NOTE in said:
        assert said.partition(NOTE)[0] == str(got).partition(NOTE)[0], f"wanted {want!r}, received {got!r}"
        return
    assert said == str(got), f"wanted {want!r}, received {got!r}"
    assert want.__suppress_context__ == got.__suppress_context__, f"wanted {want!r}, received {got!r}"
    assert_same_errors(want.__cause__, got.__cause__)
    assert_same_errors(want.__context__, got.__context__)


def assert_same(want: Any, got: Any, rtol: float, where: str) -> None:
    """Kinds, values, dtypes and shapes, in containers and objects too."""
    assert type(want) is type(got), f"{where}: wanted {want!r}, received {got!r}"
    if isinstance(want, np.ndarray | np.generic | Tensor):
        assert want.dtype == got.dtype and np.shape(want) == np.shape(got), f"{where}: wanted {want!r}, received {got!r}"
        assert_close(np.asarray(want), np.asarray(got), rtol, where)
    elif isinstance(want, float | complex):
        assert_close(np.asarray(want), np.asarray(got), rtol, where)
    elif isinstance(want, list | tuple | dict):
        assert len(want) == len(got), f"{where}: wanted {want!r}, received {got!r}"
        pairs = zip(want.items(), got.items(), strict=True) if isinstance(want, dict) else zip(want, got, strict=True)
        for i, (first, second) in enumerate(pairs):
            assert_same(first, second, rtol, f"{where}, item {i}")
    elif is_dataclass(want) and not isinstance(want, type):
        for field in fields(want):
            assert_same(getattr(want, field.name), getattr(got, field.name), rtol, f"{where}, attribute {field.name}")
    elif isinstance(want, SimpleNamespace):
        assert_same(vars(want), vars(got), rtol, where)
    elif type(want).__eq__ is not object.__eq__:
        assert want == got, f"{where}: wanted {want!r}, received {got!r}"


def assert_close(want: np.ndarray, got: np.ndarray, rtol: float, where: str) -> None:
    """Equal, signs of zeros too; within a relative difference where sums are done in another order."""
    if rtol and want.dtype.kind in "fc":
        np.testing.assert_allclose(got, want, rtol=rtol * (1e6 if want.dtype.itemsize < 8 else 1), atol=rtol, err_msg=where)
        return
    np.testing.assert_array_equal(got, want, err_msg=where)
    if want.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(got), np.signbit(want), err_msg=where)


__all__ = ["CONSTRUCTS", "KINDS", "assert_as_plain", "seen"]
