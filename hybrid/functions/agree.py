"""Whether two calls did the same, in everything that a caller can see: results, changed arguments, printed text, exceptions."""

from __future__ import annotations

import contextlib
import dataclasses
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, Final

import numpy as np

from hybrid._util.tracebacks import places_of
from hybrid.core.tensor import Tensor
from hybrid.core.variable import Variable

__all__ = ["Agreement", "Outcome", "agreement", "is_same", "observe"]

NUMBERS: Final = (bool, int, float, complex)
ARRAYS: Final = (np.ndarray, np.generic, Tensor, Variable)
EXACT: Final = (str, bytes, type(None), set, frozenset, range, slice, type(...))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call did.

    Attributes:
        value: what it returned.
        error: the exception that it raised instead.
        printed: what it wrote to the standard output.
        args, kwargs: its arguments, afterwards.
    """

    value: Any
    error: Exception | None
    printed: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two outcomes are apart.

    Attributes:
        problem: where and how they differ beyond what rounding explains; ``None`` if they agree.
        difference: the largest absolute difference of two numbers; infinite where something differs that can't be subtracted.
        relative: the largest one divided by the magnitude of the wanted number.
    """

    problem: str | None = None
    difference: float = 0.0
    relative: float = 0.0

    def __and__(self, other: Agreement) -> Agreement:
        """Both: the first problem and the largest differences."""
        return Agreement(self.problem or other.problem, max(self.difference, other.difference), max(self.relative, other.relative))


AGREED: Final = Agreement()


def observe(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
    """Call a function; what it prints is kept and not shown."""
    printed = io.StringIO()
    value, error = None, None
    with contextlib.redirect_stdout(printed):
        try:
            value = function(*args, **kwargs)
        except Exception as raised:
            error = raised
    return Outcome(value, error, printed.getvalue(), args, kwargs)


def agreement(wanted: Outcome, received: Outcome) -> Agreement:
    """Compare two outcomes of the same call.

    Types, dtypes, shapes, integers, booleans and text must be the same; of exceptions, class and message. A float ``x`` may be off by
    ``eps ** 0.75 * abs(x) + 64 * eps * m``, where ``m`` is the largest finite magnitude in its array and ``eps`` the machine epsilon of
    its dtype: for float64 that is 1.8e-12 of itself plus 1.4e-14 of the largest. This leaves room for sums in another order. NaN agrees
    with NaN.
    """
    if wanted.error is not None or received.error is not None:
        problem = _errors_differ(wanted, received)
        if problem is not None:
            return _apart(problem)
    found = AGREED if wanted.printed == received.printed else _apart(_text_differs(wanted.printed, received.printed))
    for place, one, other in _parts(wanted, received):
        found &= _compared(place, one, other, set())
    return found


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal to the last bit of their numbers, as far as can be told."""
    found = _compared("", one, other, set())
    return found.problem is None and found.difference == 0.0


def _parts(wanted: Outcome, received: Outcome) -> Iterator[tuple[str, Any, Any]]:
    yield "result", wanted.value, received.value
    for i, (one, other) in enumerate(zip(wanted.args, received.args, strict=True), 1):
        yield f"argument {i} after the call", one, other
    for name, value in wanted.kwargs.items():
        yield f"argument {name!r} after the call", value, received.kwargs[name]


def _errors_differ(wanted: Outcome, received: Outcome) -> str | None:
    if received.error is None:
        return f"wanted {_named(wanted.error)}, received a result: {_short(received.value)}"
    if wanted.error is None:
        places = places_of(received.error.__traceback__)[-1:]
        return "\n".join([_named(received.error), *(f'File "{p.location.file}", line {p.location.line}' for p in places)])
    if type(wanted.error) is not type(received.error) or str(wanted.error) != str(received.error):
        return f"wanted {_named(wanted.error)}, received {_named(received.error)}"
    return None


def _text_differs(wanted: str, received: str) -> str:
    return f"printed text: wanted {_short(wanted)}, received {_short(received)}"


def _named(error: Exception | None) -> str:
    """The class, message and notes of an exception."""
    lines = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]
    return "\n".join(lines)


def _short(value: Any) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception as error:
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= 120 else f"{text[:117]}..."


# -- values ---------------------------------------------------------------------------------------------------------
def _apart(problem: str) -> Agreement:
    return Agreement(problem, inf, inf)


def _compared(place: str, one: Any, other: Any, seen: set[tuple[int, int]]) -> Agreement:
    if type(one) is not type(other):
        return _apart(f"{place}: wanted {_kind(one)}, received {_kind(other)}")
    if isinstance(one, NUMBERS + EXACT) and one == other:
        return AGREED
    if isinstance(one, NUMBERS + ARRAYS):
        return _numbers(place, one, other)
    if isinstance(one, EXACT):
        return _apart(f"{place}: wanted {_short(one)}, received {_short(other)}")
    if one is other or (id(one), id(other)) in seen:
        return AGREED
    seen.add((id(one), id(other)))
    return _containers(place, one, other, seen)


def _containers(place: str, one: Any, other: Any, seen: set[tuple[int, int]]) -> Agreement:
    contents, contents_of_other = _contents(one), _contents(other)
    if contents is None or contents_of_other is None:
        return _asked(place, one, other)
    if list(contents) != list(contents_of_other):
        return _apart(f"{place}: wanted {_extent(one, contents)}, received {_extent(other, contents_of_other)}")
    found = AGREED
    for key, value in contents.items():
        found &= _compared(f"{place}{key}", value, contents_of_other[key], seen)
    return found


def _contents(value: Any) -> dict[str, Any] | None:
    """What a container or an object holds, by the text that gets it; ``None`` for what can't be looked into."""
    if isinstance(value, list | tuple):
        return {f"[{i}]": item for i, item in enumerate(value)}
    if isinstance(value, dict):
        return {f"[{key!r}]": item for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f".{field.name}": getattr(value, field.name, None) for field in dataclasses.fields(value)}
    if callable(value) or type(value).__module__ == "builtins":
        return None
    names = [*getattr(value, "__dict__", ()), *(name for kind in type(value).__mro__ for name in _slots(kind))]
    return {f".{name}": getattr(value, name, None) for name in names} if names else None


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if not name.startswith("__"))


def _asked(place: str, one: Any, other: Any) -> Agreement:
    """What the objects say themselves; functions made anew by each call are never equal, which says nothing."""
    try:
        if callable(one) or bool(one == other):
            return AGREED
    except Exception:
        return _apart(f"{place}: values of type {type(one).__name__} can't be compared")
    return _apart(f"{place}: wanted {_short(one)}, received {_short(other)}")


def _extent(value: Any, contents: dict[str, Any]) -> str:
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} of length {len(contents)}"
    return f"{type(value).__name__} with {', '.join(contents) or 'nothing'}"


# -- numbers --------------------------------------------------------------------------------------------------------
def _kind(value: Any) -> str:
    """What a difference of types is about: ``float64 array of shape (3,)``, ``numpy scalar float64``, ``float``."""
    if isinstance(value, np.generic):
        return f"NumPy scalar {value.dtype}"
    if isinstance(value, ARRAYS):
        name = "array" if isinstance(value, np.ndarray) else type(value).__name__
        return f"{value.dtype} {name} of shape {value.shape}"
    return type(value).__name__ if value is not None else "None"


def _numbers(place: str, one: Any, other: Any) -> Agreement:
    wanted, received = _array(one), _array(other)
    if (wanted.dtype, wanted.shape) != (received.dtype, received.shape) and type(one) is not int:
        return _apart(f"{place}: wanted {_kind(one)}, received {_kind(other)}")
    differs = ~_equal(wanted, received)
    if not differs.any():
        return AGREED
    gap, size = _gap(wanted, received, differs)
    with np.errstate(all="ignore"):
        relative = float(np.max(gap / size, initial=0.0, where=differs & (size > 0))) if gap.any() else 0.0
    beyond = differs & ~(gap <= _bound(wanted, size))
    problem = _elements(place, wanted, received, beyond, gap) if beyond.any() else None
    return Agreement(problem, float(gap.max()), relative)


def _array(value: Any) -> np.ndarray:
    return np.asarray(value.numpy() if isinstance(value, Tensor | Variable) else value)


def _equal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where elements are equal, or both NaN."""
    if one.dtype.kind not in "fc":
        return np.asarray(one == other)
    if one.dtype.kind == "c":
        return _equal(np.real(one), np.real(other)) & _equal(np.imag(one), np.imag(other))
    return (one == other) | (np.isnan(one) & np.isnan(other))


def _gap(wanted: np.ndarray, received: np.ndarray, differs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The absolute difference of each pair of elements, and the magnitude of the wanted one."""
    if wanted.dtype.kind not in "biufc" or received.dtype.kind == "O":
        return np.where(differs, inf, 0.0), np.zeros(wanted.shape)
    wide = np.promote_types(wanted.dtype, np.float64)
    one, another = wanted.astype(wide), received.astype(wide)
    with np.errstate(all="ignore"):
        gap = np.where(differs, np.abs(one - another), 0.0)
    gap[differs & ~np.isfinite(gap)] = inf
    if wanted.dtype.kind in "iu":
        gap[differs & (gap == 0)] = 1.0  # large integers whose floats coincide
    return gap, np.abs(one)


def _bound(wanted: np.ndarray, size: np.ndarray) -> np.ndarray | float:
    """How far off each element may be."""
    if wanted.dtype.kind not in "fc":
        return 0.0
    eps = float(np.finfo(wanted.dtype).eps)
    largest = np.max(size, initial=0.0, where=np.isfinite(size))
    return np.where(np.isfinite(size), eps**0.75 * size + 64 * eps * largest, 0.0)


def _elements(place: str, wanted: np.ndarray, received: np.ndarray, beyond: np.ndarray, gap: np.ndarray) -> str:
    if wanted.ndim == 0:
        return f"{place}: wanted {wanted.item()!r}, received {received.item()!r}"
    index = tuple(int(i) for i in np.unravel_index(np.argmax(np.where(beyond, gap, -1.0)), gap.shape))
    where = f"{place}[{', '.join(map(str, index))}]"
    return (
        f"{where}: wanted {wanted[index]!s}, received {received[index]!s}; {np.count_nonzero(beyond):,} of {wanted.size:,} elements differ"
    )
