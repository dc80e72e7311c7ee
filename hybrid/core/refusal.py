"""Refusals that tell what was received: NumPy's own message and class, and the call with dtypes, shapes and values."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import zip_longest
from reprlib import Repr
from typing import Any, Final, TypeVar

import numpy as np

from hybrid.errors import DTypeError

__all__ = ["described", "explained", "is_foreign", "refusal", "refuse_mask", "told"]

EXPLAINED: Final = (
    TypeError, ValueError, LookupError, ArithmeticError, MemoryError, BufferError, AttributeError, RuntimeError, SystemError,
)  # fmt: skip
"""What NumPy raises for bad arguments."""

STUMBLES: Final = {
    AttributeError: TypeError, NotImplementedError: TypeError, KeyError: ValueError, RuntimeError: ValueError, SystemError: ValueError,
}  # fmt: skip
"""What NumPy raises where it uses an argument without a look at it before, and what that means."""

LIBRARIES: Final = frozenset({"hybrid", "numpy", "scipy"}) | sys.stdlib_module_names
"""Packages whose errors are about the arguments, not about a user's function that was called back."""

F = TypeVar("F", bound=Callable[..., Any])

PLACE: Final = "\n  in "
"""What stands before the name of an operation."""

NAMESPACES: Final = ("linalg", "fft")
"""Modules whose functions are public in a namespace of the same name."""

LONGEST: Final = 60
MOST_ITEMS: Final = 4

_short = Repr()
_short.maxstring = _short.maxother = _short.maxlong = LONGEST


def described(value: Any) -> str:
    """An argument in a few words: ``float64[3, 4]`` for an array, the value itself where it is short. Never fails.

    >>> described(np.zeros((2, 3))), described([1, np.ones(2)]), described(None), described(np.float32(0.5))
    ('float64[2, 3]', '[1, float64[2]]', 'None', 'float32[] = 0.5')
    """
    try:
        return _described(value, 3)
    except Exception:
        return f"<{type(value).__name__}>"


def refusal(
    error: Exception,
    what: str,
    args: Sequence[Any],
    kwargs: dict[str, Any] | None = None,
    names: Callable[..., Any] | Sequence[str] = (),
) -> Exception:
    """The error, its message followed by a line with the call that was refused.

    The class is the one NumPy raised, or its public base where NumPy's own can't be made from a message. An error that tells
    enough already, or that isn't about the arguments, comes back as it is.

    Args:
        error: what NumPy raised.
        what: the name of the operation.
        args, kwargs: what it was called with.
        names: of the positional arguments, or the function that has parameters of these names.
    """
    try:
        if is_foreign(error) or PLACE in str(error):
            return error
        if "received" in str(error):
            return _same_kind(error, f"{error}{PLACE}{what}")
        named = zip_longest(_parameters(names)[: len(args)], map(described, args), fillvalue="")
        received = [f"{name}: {text}" if name else text for name, text in named]
        received += [f"{name}={described(value)}" for name, value in (kwargs or {}).items()]
        return _same_kind(error, f"{error}{PLACE}{what}, received ({', '.join(received)})")
    except Exception:  # an explanation must not hide what it explains
        return error


def explained(function: F) -> F:
    """A public function that is no operation itself: its refusals tell what it received, as those of operations do."""
    parts = function.__module__.split(".")[-1], function.__name__
    name = ".".join(("hybrid", *(parts if parts[0] in NAMESPACES else parts[1:])))

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if is_foreign(error):
                raise
            raise refusal(told(error), name, args, kwargs, names=function) from None

    return wrapper  # type: ignore[return-value]


def refuse_mask(array: Any) -> None:
    """``DTypeError`` for a masked array: as a plain one it would show what is masked."""
    if isinstance(array, np.ma.MaskedArray):
        raise DTypeError(f"wanted an array without a mask (use its method filled), received {described(array)} with a mask")


def told(error: Exception) -> Exception:
    """The error, of a class that says that an argument is wrong where NumPy only stumbled over it."""
    kind = next((ours for theirs, ours in STUMBLES.items() if isinstance(error, theirs)), None)
    return error if kind is None else kind(str(error))


def is_foreign(error: Exception) -> bool:
    """Whether an error isn't NumPy's verdict about the arguments: a warning, or raised in a function of the user's."""
    if isinstance(error, Warning | RecursionError) or not isinstance(error, EXPLAINED) or hasattr(error, "__notes__"):
        return True
    trace = error.__traceback__.tb_next if error.__traceback__ else None
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] not in LIBRARIES:
            return True
        trace = trace.tb_next
    return False


def _same_kind(error: Exception, message: str) -> Exception:
    """An error of the same class, or of the nearest public one, with another message."""
    kind = next(c for c in type(error).__mro__ if not c.__name__.startswith("_") and "._" not in c.__module__)
    return ValueError(message) if issubclass(kind, UnicodeError) else kind(message)


def _parameters(names: Callable[..., Any] | Sequence[str]) -> Sequence[str]:
    """The names of positional parameters, as far as they can be known."""
    if not callable(names):
        return names
    try:
        parameters = inspect.signature(names).parameters.values()
    except (ValueError, TypeError):
        return ()
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _described(value: Any, depth: int) -> str:
    if isinstance(value, type | np.dtype):
        return value.name if isinstance(value, np.dtype) else value.__name__
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return _described_array(value, shape)
    if isinstance(value, list | tuple) and type(value).__repr__ in (list.__repr__, tuple.__repr__) and depth:
        return _described_items(value, depth - 1)
    if isinstance(value, slice):
        parts = [value.start, value.stop] if value.step is None else [value.start, value.stop, value.step]
        return ":".join("" if part is None else _described(part, depth) for part in parts)
    if isinstance(value, int) and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    if callable(value) and isinstance(name := getattr(value, "__qualname__", None), str):
        return name
    return _short.repr(value)


def _described_array(value: Any, shape: tuple[Any, ...]) -> str:
    text = f"{getattr(value, 'dtype', type(value).__name__)}[{', '.join(map(str, shape))}]"
    if not shape and hasattr(type(value), "item"):
        text += f" = {_short.repr(value.item())}"
    name = getattr(value, "name", None)
    return f"{text} named {name!r}" if name and isinstance(name, str) else text


def _described_items(value: Sequence[Any], depth: int) -> str:
    items = [_described(item, depth) for item in value[:MOST_ITEMS]] + ["…"] * (len(value) > MOST_ITEMS)
    if isinstance(value, list):
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(value) == 1 else f"({', '.join(items)})"
