"""Checks that hybrid's own tests use, for users too: what compiling must not change."""

from __future__ import annotations

import functools
from collections.abc import Callable
from copy import deepcopy
from importlib.util import find_spec
from types import MethodType
from typing import Any

from hybrid.config import config
from hybrid.functions.agree import Outcome, agreement, observe
from hybrid.functions.eagerly import run_eagerly
from hybrid.functions.function import Function, function

__all__ = ["check_parity"]


def check_parity(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
    """Check that a function, compiled, does what it does as plain Python.

    It is run as plain Python, then by the graph interpreter and as native code, each twice, every time with fresh deep copies of the
    arguments. Compared are values and their types, arguments changed in place, printed text (it isn't shown), and exceptions by class and
    message; integers exactly, floats up to what another order of a sum explains (1.8e-12 of a float64, 6.4e-6 of a float32).

    Args:
        f: a plain function or a compiled one; a method or ``functools.partial`` of either. What it is bound to is compared as well.
        args, kwargs: its arguments.

    Raises:
        AssertionError: says what differs, where, and in which run.
        TypeError: for arguments that can't be copied.

    >>> def scaled(values, k):
    ...     for i in range(len(values)):
    ...         values[i] *= k
    ...     return values.sum()
    >>> hybrid.testing.check_parity(scaled, np.arange(3.0), 2.0)
    """
    plain, args, kwargs, compiled_before = _plain(f, args, kwargs)
    wanted = _observed(plain, args, kwargs)
    for is_native in (False, True) if find_spec("numba") is not None else (False,):
        compiled = function(plain) if compiled_before is None else Function(plain, compiled_before.options)
        with config(jit=is_native):
            for call in ("first call", "second call"):
                received = observe(compiled, *_copied(args, kwargs))
                found = agreement(wanted, received)
                if found.problem is not None:
                    how = "as native code" if is_native else "by the graph interpreter"
                    raise AssertionError(f"{compiled.__name__} {how}, {call}: {found.problem}") from received.error


def _plain(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Function | None]:
    """The plain function, all of its arguments, and the compiled function that it was, if it was one."""
    match f:
        case Function():
            return f.python_function, args, kwargs, f
        case MethodType():
            return _plain(f.__func__, (f.__self__, *args), kwargs)
        case functools.partial():
            return _plain(f.func, (*f.args, *args), {**f.keywords, **kwargs})
    return f, args, kwargs, None


def _observed(plain: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
    with run_eagerly():
        return observe(plain, *_copied(args, kwargs))


def _copied(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    try:
        return deepcopy((args, kwargs))
    except Exception as error:
        raise TypeError(f"wanted arguments that can be copied, since each run gets fresh ones; copying raised {error!r}") from error
