"""Native code against NumPy: a function of arrays is traced, compiled, and called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import hybrid.control  # noqa: F401 - fills the table
from hybrid.backends import compile
from hybrid.core.dim import symbol
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace

__all__ = ["agrees", "copies", "refused"]


def copies(arguments: tuple[Any, ...]) -> list[Any]:
    """Arguments of which nothing is shared."""
    return [x.copy() if isinstance(x, np.ndarray) else x for x in arguments]


def compiled(function: Callable[..., Any], arguments: tuple[Any, ...], is_symbolic: bool) -> Any:
    """The function as native code, made for the sizes of the arguments or for any."""
    specs = [spec_of(x) for x in arguments]
    if is_symbolic:
        specs = [Spec(s.dtype, tuple(symbol(f"n{i}_{k}") for k in range(s.ndim)), s.weak) for i, s in enumerate(specs)]
    return compile(trace(function, *specs), back_end="numba")


def agrees(function: Callable[..., Any], *arguments: Any, is_symbolic: bool = True, fallbacks: tuple[str, ...] = ()) -> None:
    """Check that native code gives NumPy's results, bit by bit, and leaves its arguments alone."""
    made = compiled(function, arguments, is_symbolic)
    assert made.fallbacks == fallbacks
    given = copies(arguments)
    with np.errstate(all="ignore"):
        want = function(*copies(arguments))
        got = made(*given)
    wanted = want if isinstance(want, list | tuple) else [want]
    assert len(got) == len(wanted)
    for k, (g, w) in enumerate(zip(got, wanted, strict=True)):
        assert (np.asarray(g).dtype, np.shape(g)) == (np.asarray(w).dtype, np.shape(w)), f"result {k}: {g!r}, wanted {w!r}"
        np.testing.assert_array_equal(g, w, err_msg=f"result {k}")
        for part in (np.real, np.imag) if np.asarray(w).dtype.kind in "fc" else ():
            np.testing.assert_array_equal(np.signbit(part(g)), np.signbit(part(w)), err_msg=f"result {k}: signs")
    for before, after in zip(arguments, given, strict=True):
        np.testing.assert_array_equal(before, after)


def refused(function: Callable[..., Any], *arguments: Any, is_symbolic: bool = True) -> None:
    """Check that native code raises what NumPy raises."""
    made = compiled(function, arguments, is_symbolic)
    assert made.fallbacks == ()
    try:
        result = function(*copies(arguments))
    except Exception as error:
        want = type(error), str(error)
    else:
        raise AssertionError(f"wanted an exception of NumPy, received {result!r}")
    try:
        result = made(*copies(arguments))
    except Exception as error:
        assert (type(error), str(error)) == want
    else:
        raise AssertionError(f"wanted {want}, received {result!r}")
