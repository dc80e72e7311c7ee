"""NumPy's own call forms, for operations: ``np.sum(t, 0)`` means ``sum(t, axis=0)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numpy as np

from hybrid._util.tree import flatten
from hybrid.core.dim import Dim, DimLike, never_one
from hybrid.core.operators import refuse_overlap
from hybrid.core.table import NUMPY
from hybrid.core.ufunc_call import adapt_ufunc
from hybrid.errors import UnsupportedError

__all__ = ["adapt", "stands_for", "write_out"]

F = TypeVar("F", bound=Callable[..., Any])
_OMITTED = np._NoValue  # type: ignore[attr-defined]  # NumPy's mark for "not given" in the defaults of its signatures


def adapt(function: Callable[..., Any], op: Any) -> Callable[..., Any]:
    """A function with NumPy's parameters that calls the operation.

    NumPy's parameters that have the name of an attribute or a tensor of the operation go there; the others, in order, are
    the remaining tensors. ``out`` is written to afterwards. Anything else must have NumPy's default.
    """
    if isinstance(function, np.ufunc):
        return adapt_ufunc(function, op)

    def call(*args: Any, **kwargs: Any) -> Any:
        tensors, attributes, out = _arranged(function, op, args, kwargs)
        result = op(*tensors, **attributes)
        if function in UNBUFFERED:
            refuse_overlap(f"numpy.{function.__name__} with out=", out, *flatten(tensors)[0])
        if out is None:
            return result
        CHECKS_OF_OUT.get(function, _no_check)(out, result)
        return write_out(out, result, "unsafe" if function in CHECKS_OF_OUT else "same_kind")

    return call


def _no_check(out: Any, result: Any) -> None:
    """Any dtype will do."""


def _must_cast_back(out: Any, result: Any) -> None:
    """NumPy reads ``out`` in the dtype of the result before it writes, and writes by any cast."""
    if not np.can_cast(out.dtype, result.dtype, "safe"):
        raise TypeError(f"Cannot cast array data from {out.dtype!r} to {result.dtype!r} according to the rule 'safe'")


def _must_be_exact(out: Any, result: Any) -> None:
    if out.dtype != result.dtype:
        raise ValueError(
            "output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array): "
            f"wanted {result.dtype.name}, received {out.dtype.name}"
        )


CHECKS_OF_OUT: dict[Callable[..., Any], Callable[[Any, Any], None]] = {
    **dict.fromkeys([np.choose, np.trace, np.median], _no_check),
    **dict.fromkeys([np.take, np.compress, np.argmax, np.argmin, np.nanargmax, np.nanargmin], _must_cast_back),
    np.dot: _must_be_exact,
}
"""What NumPy wants of the dtype of ``out``, for functions that don't ask for a cast within the same kind."""


UNBUFFERED = frozenset({np.concatenate, np.stack, np.choose})
"""The functions that write into ``out`` while they still read their arguments, as far as NumPy tells."""


def stands_for(*functions: Callable[..., Any]) -> Callable[[F], F]:
    """Declare that a plain function does what NumPy functions do; calls in NumPy's form reach it as they reach an operation.

    As in a kernel, its positional-only parameters are tensors and the others are attributes.
    """

    def register(function: F) -> F:
        NUMPY.update({f: adapt(f, _Plain(function)) for f in functions})
        return function

    return register


class _Plain:
    """A plain function as ``adapt`` sees an operation."""

    keywords = ()

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        parameters = inspect.signature(function).parameters.values()
        tensors = [p for p in parameters if p.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)]
        self.tensors = tuple(p.name for p in tensors)
        self.variadic = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in tensors)
        self.attributes = {p.name: p.default for p in parameters if p not in tensors}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def write_out(out: Any, result: Any, casting: str = "same_kind") -> Any:
    """Write results where ``out=`` says, and return that; each is an array, or a tuple of one."""
    if isinstance(out, tuple):
        if not isinstance(result, tuple):
            return out[0] if out[0] is None else write_out(out[0], result, casting)
        return tuple(r if o is None else write_out(o, r, casting) for o, r in zip(out, result, strict=True))
    if not np.can_cast(result.dtype, out.dtype, casting):  # type: ignore[arg-type]
        raise TypeError(f"Cannot cast output from {result.dtype!r} to {out.dtype!r} with casting rule {casting!r}")
    if len(result.shape) != len(out.shape) or any(map(_differ, result.shape, out.shape)):
        shapes = " doesn't match the broadcast shape ".join(f"({', '.join(map(str, x.shape))})" for x in (out, result))
        raise ValueError(f"non-broadcastable output operand with shape {shapes}")
    out[...] = result
    return out


def _differ(a: DimLike, b: DimLike) -> bool:
    """Whether two sizes are known to differ; where a symbol meets another size that it may be, running checks."""
    if isinstance(a, Dim) or isinstance(b, Dim):
        return (a == 1 and never_one(b)) or (b == 1 and never_one(a))
    return a != b


def _arranged(
    function: Callable[..., Any], op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any], Any]:
    signature, places = _places(function, op)
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values = {name: value for name, value in bound.arguments.items() if value is not _OMITTED}
    out = values.pop("out", None)
    tensors: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    rest: tuple[Any, ...] = ()
    for name, value in values.items():
        place = places.get(name)
        parameter = signature.parameters[name]
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            rest = value
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            attributes |= value
        elif place is None:
            if value is not parameter.default and not _is_layout(name, value):
                raise UnsupportedError(f"numpy.{function.__name__} on tensors doesn't take {name}=, received {value!r}")
        elif place in op.tensors and place not in op.keywords:
            tensors[place] = value
        else:
            attributes[place] = value
    ordered = [tensors.get(name) for name in op.tensors if name in tensors or not (op.variadic or name in op.keywords)]
    return [*_trimmed(ordered), *rest], attributes, out


def _is_layout(name: str, value: Any) -> bool:
    """Whether a parameter only says how memory is used or which subclass comes out: the values don't depend on it."""
    return name in ("subok", "overwrite_input") or (name == "order" and value in ("C", "F", "A", "K"))


def _trimmed(tensors: list[Any]) -> list[Any]:
    """Leave out trailing tensors that were not given."""
    while tensors and tensors[-1] is None:
        tensors.pop()
    return tensors


@cache
def _places(function: Callable[..., Any], op: Any) -> tuple[inspect.Signature, dict[str, str]]:
    """The signature of a NumPy function, and for each of its parameters the name of the operation's tensor or attribute."""
    signature = inspect.signature(function)
    own = {*op.tensors, *op.attributes}
    unnamed = iter([name for name in op.tensors if name not in signature.parameters])
    places: dict[str, str] = {}
    for name in signature.parameters:
        place = name if name in own else None if name == "out" else next(unnamed, None)
        if place is not None:
            places[name] = place
    return signature, places
