"""Refusals that tell what was received: NumPy's own message and class, and the call with dtypes, shapes and values."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["described", "refusal"]


def described(value: Any) -> str:
    """An argument in a few words: ``float64[3, 4]`` for an array, the value itself where it is short.

    >>> described(np.zeros((2, 3))), described([1, np.ones(2)]), described(None)
    ('float64[2, 3]', '[1, float64[2]]', 'None')
    """
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is not None and shape is not None and not isinstance(value, type):
        text = f"{dtype}[{', '.join(map(str, shape))}]"
        return f"{text} = {value}" if shape == () and isinstance(value, np.generic) else text
    if isinstance(value, list | tuple) and len(value) <= 4:
        inner = ", ".join(map(described, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, np.dtype):
        return value.name
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]}… ({type(value).__name__})"


def refusal(error: BaseException, what: str, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> BaseException:
    """The same error, its message followed by a line with the call that was refused.

    The class is the one NumPy raised, or its public base where NumPy's own can't be made from a message.
    """
    if getattr(error, "__notes__", None) or "received" in str(error):
        return error
    received = ", ".join([*map(described, args), *(f"{k}={described(v)}" for k, v in (kwargs or {}).items())])
    return _class_of(error)(f"{error}\n  in {what}, received ({received})")


def _class_of(error: BaseException) -> type[BaseException]:
    """The nearest public class of an error that takes a message."""
    if isinstance(error, MemoryError):
        return MemoryError
    if isinstance(error, UnicodeError):
        return ValueError
    return next(c for c in type(error).__mro__ if not c.__name__.startswith("_"))
