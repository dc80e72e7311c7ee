"""Run a NumPy call on arrays and on tensors, and compare everything a caller can see."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from conformance.cases import specs_of

import hybrid
from hybrid.core.dim import Undecided
from hybrid.ir.trace import trace_program


def check(call: Callable[..., Any], *arrays: Any) -> None:
    """``call(*arrays)`` is the right answer for ``call`` on tensors: values, dtypes, containers, errors and changes to the arrays."""
    plain = [np.array(a) for a in arrays]
    copies = [np.array(a) for a in arrays]
    want, got = observed(call, plain), observed(call, [hybrid.asarray(a) for a in copies])
    same(want, got)
    for before, after in zip(plain, copies, strict=True):
        np.testing.assert_array_equal(after, before, err_msg="an argument was changed differently")


def check_graph(call: Callable[..., Any], *arrays: Any) -> None:
    """A graph traced of the call, with numbers and with symbols for sizes, gives what the call gives on arrays."""
    for symbolic in (False, True):
        plain = [np.array(a) for a in arrays]
        copies = [np.array(a) for a in arrays]
        specs = specs_of(plain, symbolic)
        want = observed(call, plain)
        got = observed(lambda *tensors, specs=specs: trace_program(call, *specs)(*tensors), [hybrid.asarray(a) for a in copies])
        if symbolic and isinstance(got, Undecided):
            continue
        same(want, got)
        for before, after in zip(plain, copies, strict=True):
            np.testing.assert_array_equal(after, before, err_msg="an argument was changed differently")


def observed(call: Callable[..., Any], arguments: list[Any]) -> Any:
    """The result, or the exception."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(*arguments)
        except Exception as error:
            return error


def same(want: Any, got: Any) -> None:
    """Equal to the bit, with tensors in place of NumPy's arrays and scalars."""
    if isinstance(want, Exception):
        assert isinstance(got, Exception), f"want {want!r}, got {got!r}"
        public = next(c for c in type(want).__mro__ if not c.__name__.startswith("_") and "._" not in c.__module__)
        assert isinstance(got, public), f"want {want!r}, got {got!r}"
        assert str(want).split("\n")[0][:40] in str(got), f"want message {want}, got {got}"
    elif isinstance(want, np.ndarray | np.generic):
        assert isinstance(got, hybrid.Tensor), f"want a tensor, got {got!r}"
        assert (got.dtype, got.shape) == (want.dtype, want.shape), f"want {want.dtype}{want.shape}, got {got.dtype}{got.shape}"
        np.testing.assert_array_equal(got.numpy(), want)
    elif isinstance(want, list | tuple):
        assert type(want) is type(got) and len(want) == len(got), f"want {want!r}, got {got!r}"
        for w, g in zip(want, got, strict=True):
            same(w, g)
    else:
        assert not isinstance(got, Exception), f"want {want!r}, got {got!r}"
        assert type(want) is type(got) and want == got, f"want {want!r}, got {got!r}"
