"""The element types of arrays: NumPy's bool, integers, floats and complex numbers, promoted as NumPy 2 does (NEP 50)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hybrid.errors import DTypeError

__all__ = [
    "BOOL", "COMPLEX", "DTYPES", "FLOATS", "INEXACT", "INTEGERS", "NUMERIC", "SHORT_NAMES", "SIGNED", "UNSIGNED",
    "as_dtype", "is_number", "is_supported", "short_name",
]  # fmt: skip

BOOL: Final = (np.dtype("bool"),)
SIGNED: Final = tuple(np.dtype(f"int{n}") for n in (8, 16, 32, 64))
UNSIGNED: Final = tuple(np.dtype(f"uint{n}") for n in (8, 16, 32, 64))
INTEGERS: Final = SIGNED + UNSIGNED
FLOATS: Final = tuple(np.dtype(f"float{n}") for n in (16, 32, 64))
COMPLEX: Final = tuple(np.dtype(f"complex{n}") for n in (64, 128))
INEXACT: Final = FLOATS + COMPLEX
NUMERIC: Final = INTEGERS + INEXACT
DTYPES: Final = BOOL + NUMERIC

_KINDS: Final = {"b": "bool", "i": "i", "u": "u", "f": "f", "c": "c"}


def short_name(dtype: np.dtype) -> str:
    """``float64`` → ``f64``, ``bool`` → ``bool``.

    >>> short_name(np.dtype("complex64"))
    'c64'
    """
    kind = _KINDS[dtype.kind]
    return kind if kind == "bool" else f"{kind}{dtype.itemsize * 8}"


SHORT_NAMES: Final = {short_name(dtype): dtype for dtype in DTYPES}
"""The names in the texts of specs. They count bits; NumPy's short names count bytes, so that "i8" is another dtype there."""

_SUPPORTED: Final = frozenset(DTYPES)
_BY_NAME: Final = {dtype.name: dtype for dtype in DTYPES}


def is_supported(dtype: np.dtype) -> bool:
    """Whether arrays of this dtype can be tensors: native byte order, and one of the fourteen number types."""
    return dtype.kind in _KINDS and dtype.isnative and dtype.itemsize <= 16 and dtype.name in _BY_NAME


def is_number(dtype: np.dtype) -> bool:
    """Whether tensors can be made of arrays of this dtype: one of the fourteen, in any byte order."""
    return dtype.kind in _KINDS and is_supported(dtype.newbyteorder("="))


def as_dtype(dtype: Any) -> np.dtype:
    """The supported dtype meant by a dtype, a NumPy scalar type, a Python type or a name, as NumPy understands it.

    Raises ``hybrid.errors.DTypeError``, a ``TypeError``, for anything else, text, dates and objects included.

    >>> as_dtype("f4"), as_dtype(int)
    (dtype('float32'), dtype('int64'))
    """
    if isinstance(dtype, np.dtype) and dtype in _SUPPORTED:
        return dtype
    if isinstance(dtype, str) and dtype in _BY_NAME:
        return _BY_NAME[dtype]
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if dtype is None or found is None or not is_supported(found):
        raise DTypeError(f"wanted a dtype that is a boolean or a number ({', '.join(d.name for d in DTYPES)}), received {dtype!r}")
    return found
