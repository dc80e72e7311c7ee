"""Arrays that functions of libraries make while tracing: NumPy's where NumPy makes them, tensors where hybrid does, new at each run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from hybrid._util.tree import flatten, unflatten
from hybrid.core.convert import asarray, constant
from hybrid.core.kinds import SUPPORTED
from hybrid.core.op import Op
from hybrid.core.table import NUMPY
from hybrid.core.tensor import Eager, Tensor
from hybrid.ir.traced import Number, Traced
from hybrid.staging.pure import flatten_deep

__all__ = ["call_hybrids", "call_numpys", "is_hybrids", "made_anew"]

MAKERS: Final = frozenset({np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.require})
"""Functions that give NumPy's arrays for tensors too."""

OF_TENSORS: Final = frozenset({asarray, constant})


def is_hybrids(function: Any) -> bool:
    """Whether a function is a public one of hybrid's, which makes tensors."""
    return isinstance(function, Op) or function in OF_TENSORS or str(getattr(function, "__module__", None)).startswith("hybrid.ops.")


def _is_librarys(function: Any) -> bool:
    """Whether a function is one that makes arrays; no method, which may give what its owner holds."""
    module = str(getattr(function, "__module__", None)).partition(".")[0]
    return getattr(function, "__self__", None) is None and (is_hybrids(function) or module in ("numpy", "scipy"))


def call_numpys(tracer: Any, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy gives: tensors only if it is given some."""
    if function in MAKERS:
        args = tuple(_stood_in(tracer, a) for a in args)
    if isinstance(function, np.ufunc) and any(isinstance(target, Traced) and not _is_array(target) for target in _targets(kwargs)):
        raise TypeError("return arrays must be of ArrayType")
    operation = NUMPY[function] if function in NUMPY else function
    result = operation(*args, **kwargs)
    given = (getattr(function, "__self__", None), *args, *kwargs.values())
    if function is np.copy and result.is_scalar and not result.is_tensor:
        return Traced(tracer, result.storage, result.steps, False, False)
    if function not in MAKERS and _has_tensors(given):
        return result
    return _each_leaf(result, lambda leaf: _seen(tracer, leaf, False))


def call_hybrids(tracer: Any, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a function of hybrid gives: tensors, whatever it is given."""
    if function in OF_TENSORS:
        args = tuple(_stood_in(tracer, a) for a in args)
    return _each_leaf(function(*args, **kwargs), lambda leaf: _seen(tracer, leaf, True))


def made_anew(tracer: Any, function: Any, args: Iterable[Any], result: Any) -> Any:
    """The result of a call that was made while tracing: an array is made at each run, so that writes don't stay from one to the next."""
    if not _is_librarys(function) or type(result) not in (np.ndarray, Tensor):
        return result
    array = result._array if isinstance(result, Tensor) else result
    given = [leaf._array if isinstance(leaf, Eager) else leaf for leaf in flatten_deep(tuple(args))]
    if array.dtype not in SUPPORTED or any(isinstance(other, np.ndarray) and np.may_share_memory(array, other) for other in given):
        return result
    return _constant(tracer, array, isinstance(result, Tensor))


def _targets(kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """What ``out=`` names."""
    out = kwargs.get("out")
    return out if isinstance(out, tuple) else (out,)


def _is_array(value: Traced) -> bool:
    return value.is_tensor or not (value.is_scalar or value.spec.weak)


def _has_tensors(values: Any) -> bool:
    return any(leaf.is_tensor if isinstance(leaf, Traced) else isinstance(leaf, Eager) for leaf in flatten_deep(values))


def _each_leaf(result: Any, change: Callable[[Any], Any]) -> Any:
    leaves, structure = flatten(result)
    changed = [change(leaf) for leaf in leaves]
    return unflatten(structure, changed) if any(a is not b for a, b in zip(changed, leaves, strict=True)) else result


def _seen(tracer: Any, leaf: Any, is_tensor: bool) -> Any:
    """A result as the function sees it."""
    if isinstance(leaf, Number) or not isinstance(leaf, Traced | Tensor):
        return leaf
    if isinstance(leaf, Tensor):
        return _constant(tracer, leaf._array, is_tensor)
    return leaf if leaf.is_tensor == is_tensor else Traced(tracer, leaf.storage, leaf.steps, leaf.is_scalar, is_tensor)


def _constant(tracer: Any, array: Any, is_tensor: bool) -> Traced:
    """A new array with known values."""
    is_scalar = isinstance(array, np.generic)
    return tracer.fresh(tracer.builder.const(np.asarray(array)), is_scalar, is_tensor, in_c_order=True)


def _stood_in(tracer: Any, value: Any) -> Any:
    """Arrays from outside as stand-ins, in sequences too: what is made of them is made of what they hold at the run."""
    if isinstance(value, np.ndarray | Eager):
        return tracer.stand_in(value) if value.dtype in SUPPORTED else value
    if type(value) not in (list, tuple):
        return value
    items = [_stood_in(tracer, item) for item in value]
    return type(value)(items) if any(a is not b for a, b in zip(items, value, strict=True)) else value
