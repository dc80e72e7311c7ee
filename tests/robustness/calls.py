"""Calls of operations with something wrong in them, and the verdict on what comes of each."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from hypothesis import strategies as st
from robustness.bad import ATTRIBUTES, LAYOUTS, TENSORS, Thing

from hybrid.core.dtypes import is_number
from hybrid.core.op import Op
from hybrid.core.tensor import Eager, plain

__all__ = ["Call", "bad_call", "bad_calls", "fault", "kernel_of"]

ALLOWED = (TypeError, ValueError, IndexError, OverflowError, MemoryError, ZeroDivisionError, BufferError)
"""What may be raised; ``LinAlgError`` and ``AxisError`` are among the subclasses."""

LONGEST = 2.0
"""Seconds of CPU that a refusal, or a result of small arrays, may take."""

MANY = 10**6
"""Elements up to which values are compared."""


Reference: TypeAlias = Callable[[list[Any], dict[str, Any]], Any]
"""Gives the right answer for arguments."""


@dataclass
class Call:
    """Arguments for a function, made anew each time.

    A leaf of ``args`` and ``kwargs`` that is a ``Thing`` is made, an array is copied and laid out, anything else is itself.
    """

    name: str
    args: list[Any]
    kwargs: dict[str, Any] = field(default_factory=dict)
    layout: str = "as they are"

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """Fresh arguments."""
        return [self._made(x) for x in self.args], {name: self._made(x) for name, x in self.kwargs.items()}

    def _made(self, x: Any) -> Any:
        if isinstance(x, Thing):
            return x.make()
        if isinstance(x, np.ndarray):
            return LAYOUTS[self.layout](x.copy())
        return [self._made(item) for item in x] if type(x) is list else x

    def __repr__(self) -> str:
        parts = [*map(text, self.args), *(f"{name}={text(x)}" for name, x in self.kwargs.items())]
        return f"{self.name}({', '.join(parts)}) with arrays {self.layout}"


def text(x: Any) -> str:
    """A short text of an argument."""
    if isinstance(x, np.ndarray):
        return f"{x.dtype}{list(x.shape)}"
    return f"[{', '.join(map(text, x))}]" if type(x) is list else repr(x)


# -- making calls -----------------------------------------------------------------------------------------------------
Pick: TypeAlias = Callable[[Sequence[Any]], Any]
"""Chooses one of several things."""


@st.composite
def bad_calls(draw: Callable[..., Any], op: Op) -> Call:
    """Calls of an operation with something wrong in them."""
    return bad_call(lambda things: draw(among(tuple(things))), op)


@cache
def among(things: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """One of several things."""
    return st.sampled_from(things)


def bad_call(pick: Pick, op: Op) -> Call:
    """A sample of an operation with one to three things about it changed."""
    sample = pick(op.samples)
    dtypes = pick(sample.dtypes or op.dtypes), pick(sample.dtypes or op.dtypes)
    made = sample.tensors(*dtypes)
    made += [None] * (0 if op.variadic else len(op.tensors) - len(made))
    named = {} if op.variadic else dict(zip(op.tensors, made, strict=True))
    args = made if op.variadic else [x for name, x in named.items() if name not in op.keywords]
    while args and args[-1] is None:
        args.pop()
    call = Call(op.name, args, {name: x for name, x in named.items() if name in op.keywords and x is not None}, pick(tuple(LAYOUTS)))
    call.kwargs |= sample.attrs
    for _ in range(pick((1, 1, 2, 3))):
        pick(CHANGES)(pick, op, call)
    return call


def change_tensor(pick: Pick, op: Op, call: Call) -> None:
    """Another thing in the place of a tensor, or of an item of a sequence of tensors."""
    places: list[Any] = [*range(len(call.args)), *op.keywords]
    if not places:
        return
    place, value = pick(places), pick(TENSORS)
    if isinstance(place, str):
        call.kwargs[place] = value
    elif isinstance(call.args[place], list) and call.args[place] and pick((True, False)):
        items = call.args[place] = list(call.args[place])
        items[pick(range(len(items)))] = value
    else:
        call.args[place] = value


def change_attribute(pick: Pick, op: Op, call: Call) -> None:
    """Another value for an attribute."""
    if op.attributes:
        call.kwargs[pick(list(op.attributes))] = pick(ATTRIBUTES)


def change_count(pick: Pick, op: Op, call: Call) -> None:
    """An argument too many, too few, or of an unknown name."""
    kind = pick(("more", "fewer", "unknown"))
    if kind == "more":
        call.args.append(pick(TENSORS))
    elif kind == "fewer" and call.args:
        call.args.pop()
    else:
        call.kwargs["colour"] = pick(ATTRIBUTES)


CHANGES = (change_tensor, change_tensor, change_tensor, change_attribute, change_attribute, change_attribute, change_count)


# -- verdicts -----------------------------------------------------------------------------------------------------------
def fault(call: Call, function: Callable[..., Any], reference: Reference | None = None, mutates: bool = False) -> str:
    """What is wrong with the outcome of a call, if anything is.

    A result must be that of the reference, which gets fresh arguments; an error must be of an allowed class and tell what was
    received and by what. Nothing may be changed (but the first argument of a function that mutates), take long, or warn of more than
    NumPy's numerical warnings.
    """
    args, kwargs = call.arguments()
    before = snapshot([args, kwargs])
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result: Any = function(*args, **kwargs)
        except Exception as error:
            result = error
    if (seconds := time.process_time() - start) > LONGEST:
        return f"took {seconds:.1f} s"
    if strange := [w for w in caught if not issubclass(w.category, RuntimeWarning)]:
        return f"warned: {strange[0].category.__name__}: {strange[0].message}"
    unchanged = slice(1 if mutates else 0, None)
    after = snapshot([args[unchanged], kwargs])
    if different([before[0][unchanged], before[1]], after) and different(after, changes(call, reference, unchanged)):
        return "changed an argument"
    return wrong_error(result, call.name) if isinstance(result, Exception) else wrong_result(result, call, reference)


def changes(call: Call, reference: Reference | None, part: slice) -> Any:
    """What the arguments are after the reference has had them, which may write where ``out`` says."""
    args, kwargs = call.arguments()
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        if reference is not None:
            reference(args, kwargs)
    return snapshot([args[part], kwargs])


def wrong_error(error: Exception, name: str) -> str:
    """What is wrong with an error."""
    shown = f"{type(error).__name__}: {error}"
    if not isinstance(error, ALLOWED):
        return f"class: {shown}"
    if not name or ("received" in str(error) and name in str(error)):
        return ""
    return f"doesn't tell what was received by {name}: {shown}"


def wrong_result(result: Any, call: Call, reference: Reference | None) -> str:
    """What is wrong with a result."""
    for leaf in leaves(result):
        if isinstance(leaf, Eager | np.ndarray | np.generic) and not is_number(leaf.dtype):
            return f"gave {leaf.dtype}"
    if reference is None:
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            want = reference(*call.arguments())
        except Exception as error:
            return f"NumPy raised {error!r}, received {result!r:.200}"
    return "" if same(want, result) else f"NumPy gave {want!r:.200}, received {result!r:.200}"


def kernel_of(op: Op) -> Reference:
    """What the kernel gives for the arguments of a call."""
    return lambda args, kwargs: expected(op, args, kwargs)


def expected(op: Op, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What the kernel gives for arguments, with arrays for whatever stands for one."""
    if op.mutates and args:
        args = [np.array(args[0]), *args[1:]]  # variables can't be written to from outside
    places = [*op.positional[: len(args)], *[op.rest] * (len(args) - len(op.positional))]
    return op.kernel(
        *(arranged(op, name, x) for name, x in zip(places, args, strict=True)),
        **{name: arranged(op, name, x) for name, x in kwargs.items()},
    )


def arranged(op: Op, name: str, x: Any) -> Any:
    """An argument as the kernel wants it."""
    if name not in op.tensors:
        return plain(x)
    if name in op.sequences and isinstance(x, list | tuple):
        return [as_array(item) for item in x]
    return as_array(x)


def as_array(x: Any) -> Any:
    """An array, of the machine's byte order, of what stands for one; numbers and ``None`` are themselves."""
    if isinstance(x, Eager):
        return x._array
    array = np.asarray(plain(x)) if isinstance(x, list | tuple | np.ndarray | memoryview | range) else None
    return x if array is None else array.astype(array.dtype.newbyteorder("="), copy=False)


def leaves(value: Any) -> list[Any]:
    """What stands in nested lists and tuples."""
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list | tuple) else [value]


def same(want: Any, got: Any) -> bool:
    """Whether a result has the kernel's values, dtypes and containers."""
    if isinstance(want, list | tuple):
        return isinstance(got, list | tuple) and len(want) == len(got) and all(map(same, want, got))
    if isinstance(want, np.ndarray | np.generic):
        if not isinstance(got, Eager | np.ndarray | np.generic) or (got.dtype, got.shape) != (want.dtype, want.shape):
            return False
        return want.size > MANY or np.array_equal(np.asarray(got), want, equal_nan=want.dtype.kind in "fc")
    return type(want) is type(got) and (want == got or want != want)


def snapshot(value: Any) -> Any:
    """The values of arguments, as far as a call could change them."""
    if isinstance(value, list | tuple):
        return [snapshot(item) for item in value]
    if isinstance(value, dict):
        return {key: snapshot(item) for key, item in value.items()}
    if isinstance(value, Eager):
        return value.numpy().copy() if value.size < MANY else None
    if isinstance(value, np.ndarray):
        return value.copy() if value.size < MANY and value is not np.ma.masked else None
    return value


def different(a: Any, b: Any) -> bool:
    """Whether two snapshots differ."""
    if isinstance(a, list):
        return not isinstance(b, list) or len(a) != len(b) or any(map(different, a, b))
    if isinstance(a, dict):
        return not isinstance(b, dict) or list(a) != list(b) or any(different(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray):
        if not isinstance(b, np.ndarray) or (a.dtype, a.shape) != (b.dtype, b.shape):
            return True
        return a.tolist() != b.tolist() if a.dtype.hasobject else a.tobytes() != b.tobytes()
    return type(a) is not type(b)
