"""Arguments in words: their places, and what they are."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hybrid._util.tree import contents
from hybrid.core.tensor import Tensor
from hybrid.functions.kinds import is_array

__all__ = ["Leaf", "described", "leaves_in_words", "places", "short"]

LONGEST: Final = 60
"""Characters of a value that are shown."""


def short(value: Any) -> str:
    """The value in one line, cut where it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception as error:
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def described(value: Any) -> str:
    """What a leaf of the arguments is for a trace: ``float64[3, 4]``, ``float``, ``Tensor float32[8]``, ``'text'``."""
    if isinstance(value, Tensor):
        return f"Tensor {_shape(value._array)}"
    if isinstance(value, np.ndarray):
        subclass = "" if type(value) is np.ndarray else f"{type(value).__name__} "
        return subclass + _shape(value)
    if isinstance(value, np.generic):
        return f"NumPy {value.dtype.name}"
    if type(value) in (bool, int, float, complex):
        return type(value).__name__
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return short(value)


def _shape(array: Any) -> str:
    flags, order = array.flags, ""
    if not flags.c_contiguous:
        order = " in Fortran order" if flags.f_contiguous else f" with strides {array.strides}"
    locked = "" if flags.writeable else " read-only"
    return f"{array.dtype.name}[{', '.join(map(str, array.shape))}]{order}{locked}"


def places(name: str, value: Any, seen: set[int] | None = None) -> list[tuple[str, Any]]:
    """Each leaf of an argument with the text that gets it: ``config['rate']``, ``layers[2]``, ``state.position``.

    Args:
        name, value: of the argument.
        seen: the arrays and containers so far, if those that occur again are to be left out.
    """
    return list(_places(name, value, set(), seen))


def _places(name: str, value: Any, around: set[int], seen: set[int] | None) -> Iterator[tuple[str, Any]]:
    keys, items = contents(value)
    if seen is not None and (is_array(value) if items is None else not isinstance(value, tuple)):
        if id(value) in seen:
            return
        seen.add(id(value))
    if items is None or id(value) in around:
        yield name, value
        return
    for i, item in enumerate(items):
        if isinstance(value, dict):
            part = f"{name}[{keys[i]!r}]"
        else:
            fields = keys or getattr(value, "_fields", ())
            part = f"{name}.{fields[i]}" if fields else f"{name}[{i}]"
        yield from _places(part, item, {*around, id(value)}, seen)


class Leaf(NamedTuple):
    """A leaf of the arguments in words: the kind that a trace belongs to (``float64[3]``), and the value, cut where it is long."""

    kind: str
    value: str


def leaves_in_words(signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Leaf]:
    """The leaves of the arguments by their places, in the order of a trace; arrays that are given again aren't leaves of their own."""
    bound = signature.bind(*args, **kwargs).arguments
    seen: set[int] = set()
    return {place: Leaf(described(x), short(x)) for name, argument in bound.items() for place, x in places(name, argument, seen)}
