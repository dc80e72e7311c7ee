"""Building blocks of shape-and-dtype rules.

A rule takes a ``Spec`` for each tensor and every attribute by keyword. dtypes come from NumPy itself: from a ufunc's own
resolver, or from running the kernel on one-element arrays, so that they can't differ from NumPy's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeAlias

import numpy as np

from hybrid.core.dim import Dim, DimLike, never_one, product
from hybrid.core.dtypes import as_dtype
from hybrid.core.spec import Spec

__all__ = [
    "Rule", "array_likes", "as_array", "axes_of", "axis_of", "broadcast", "check_elements", "check_mask",
    "dtype_as_run", "elementwise", "elementwise_as_run", "like_first", "may_agree", "promoted", "reduced", "reduction", "scalar_ints",
]  # fmt: skip

Shape: TypeAlias = tuple[DimLike, ...]
Rule: TypeAlias = Callable[..., Any]


# -- shapes ---------------------------------------------------------------------------------------------------------
def broadcast(*shapes: Shape) -> Shape:
    """The common shape of arrays that meet, as NumPy broadcasts.

    A symbol is any size but 1; where it meets a number, running checks that they agree. Where one that may be 1 (``n - 1``) meets
    another, it gives way. ``ValueError`` for sizes that disagree.
    """
    ndim = max(map(len, shapes), default=0)
    padded = [(1,) * (ndim - len(shape)) + tuple(shape) for shape in shapes]
    try:
        return tuple(_common_size(sizes) for sizes in zip(*padded, strict=True))
    except ValueError:
        texts = " ".join(f"({','.join(map(str, shape))}{',' * (len(shape) == 1)})" for shape in shapes)
        raise ValueError(f"operands could not be broadcast together with shapes {texts} ") from None


def _common_size(sizes: tuple[DimLike, ...]) -> DimLike:
    others = [size for size in sizes if size != 1]
    numbers = [size for size in others if isinstance(size, int)]
    if len(set(numbers)) > 1:
        raise ValueError(sizes)
    return numbers[0] if numbers else next(filter(never_one, others), others[0]) if others else 1


def may_agree(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be the same: equal where both sizes are numbers."""
    return len(a) == len(b) and all(m == n or isinstance(m, Dim) or isinstance(n, Dim) for m, n in zip(a, b, strict=True))


def axis_of(axis: Any, ndim: int, what: str = "axis") -> int:
    """An axis counted from the front; ``numpy.exceptions.AxisError`` if there is none."""
    index = operator.index(axis)
    if not -ndim <= index < ndim:
        raise np.exceptions.AxisError(f"{what} {index} is out of bounds for array of dimension {ndim}")
    return index % ndim


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes meant by ``None`` (all), a number or a tuple of numbers; ``ValueError`` for one named twice."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple(axis_of(a, ndim) for a in (axis if isinstance(axis, tuple | list) else (axis,)))
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def reduced(shape: Shape, axis: Any, keepdims: bool = False) -> Shape:
    """The shape after a reduction over axes."""
    axes = axes_of(axis, len(shape))
    if keepdims:
        return tuple(1 if i in axes else size for i, size in enumerate(shape))
    return tuple(size for i, size in enumerate(shape) if i not in axes)


def scalar_ints(value: Any) -> tuple[DimLike, ...]:
    """A shape argument as a tuple: ``3`` → ``(3,)``; sizes may be symbols."""
    if isinstance(value, int | np.integer | Dim):
        value = (value,)
    return tuple(size if isinstance(size, Dim) else operator.index(size) for size in value)


# -- dtypes ---------------------------------------------------------------------------------------------------------
def promoted(*specs: Spec) -> np.dtype:
    """The dtype that arrays of these dtypes, and Python numbers, promote to (NEP 50)."""
    return np.result_type(*(spec.dtype.type(1).item() if spec.weak else spec.dtype for spec in specs))


def dtype_as_run(kernel: Callable[..., Any], *specs: Spec | None, **attributes: Any) -> Any:
    """The dtype (or tuple of dtypes) that a kernel gives for one-element arrays of the specs' dtypes and numbers of axes."""
    small = tuple(None if s is None else Spec(s.dtype, (1,) * s.ndim, s.weak) for s in specs)
    return _dtypes_as_run(kernel, small, tuple(attributes.items()))


@lru_cache(maxsize=4096)
def _dtypes_as_run(kernel: Callable[..., Any], specs: tuple[Spec | None, ...], attributes: tuple[tuple[str, Any], ...]) -> Any:
    inputs = [None if s is None else s.dtype.type(1).item() if s.weak else np.ones(s.shape, s.dtype)[()] for s in specs]
    with np.errstate(all="ignore"):
        result = kernel(*inputs, **dict(attributes))
    return tuple(r.dtype for r in result) if isinstance(result, tuple | list) else np.asarray(result).dtype


def as_array(value: Any) -> Spec:
    """The spec of an argument that NumPy makes an array of: sequences get an axis more; ``ValueError`` for ragged ones."""
    if isinstance(value, Spec):
        return value
    items = [as_array(item) for item in value]
    if not items:
        return Spec(np.dtype("float64"), (0,))
    if not all(may_agree(item.shape, items[0].shape) for item in items):
        raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape")
    return Spec(np.result_type(*(item.dtype for item in items)), (len(items), *items[0].shape))


def array_likes(rule: Rule) -> Rule:
    """A rule of arrays that also takes sequences of numbers and arrays, as NumPy's functions do."""

    @wraps(rule)
    def wrapped(*values: Any, **attributes: Any) -> Any:
        return rule(*(None if value is None else as_array(value) for value in values), **attributes)

    return wrapped


# -- whole rules ----------------------------------------------------------------------------------------------------
def elementwise(ufunc: np.ufunc) -> Rule:
    """The rule of a ufunc: operands broadcast, dtypes as the ufunc's resolver says."""

    def rule(*specs: Spec, **_: Any) -> Any:
        wanted = (*(spec.promotes_as for spec in specs), *(None,) * ufunc.nout)
        dtypes = ufunc.resolve_dtypes(wanted)[ufunc.nin :]  # type: ignore[arg-type]
        shape = broadcast(*(spec.shape for spec in specs))
        results = tuple(Spec(dtype, shape) for dtype in dtypes)
        return results[0] if ufunc.nout == 1 else results

    return rule


def elementwise_as_run(function: Callable[..., Any]) -> Rule:
    """The rule of an element-wise function that is no ufunc: operands broadcast, the dtype is what ``function`` gives."""

    def rule(*specs: Spec, **attributes: Any) -> Spec:
        return Spec(dtype_as_run(function, *specs, **attributes), broadcast(*(spec.shape for spec in specs)))

    return rule


def like_first(x: Spec, *_: Any, **__: Any) -> Spec:
    """The result has the dtype and shape of the first argument."""
    return Spec(x.dtype, x.shape)


def reduction(function: Callable[..., Any], *, identity: bool = True, on_scalars: bool = True) -> Rule:
    """The rule of a reduction with ``axis`` and ``keepdims``: the dtype is what ``function`` gives.

    The tensors after the first are the mask ``where`` and ``initial`` (or another that doesn't matter here). Without an
    identity, reducing nothing is a ``ValueError`` unless there is an initial value. Where NumPy's function does so
    (``on_scalars``), axis 0 of an array without axes means none.
    """

    def rule(
        x: Spec, where: Spec | None = None, initial: Spec | None = None, *, axis: Any = None, keepdims: bool = False, **attributes: Any
    ) -> Spec:
        axis = None if on_scalars and x.ndim == 0 and axis in (0, -1) else axis
        if where is not None:
            check_mask(x, where)
        if not identity and initial is None:
            if where is not None:
                function(np.ones(1, x.dtype), where=np.ones(1, bool))  # NumPy's own refusal
            check_elements(function, x, axis)
        dtype = dtype_as_run(function, x, **({"dtype": as_dtype(attributes["dtype"])} if attributes.get("dtype") is not None else {}))
        return Spec(dtype, reduced(x.shape, axis, keepdims))

    return rule


def check_elements(function: Callable[..., Any], x: Spec, axis: Any) -> None:
    """What ``function`` raises without elements, where a reduction over axes has none."""
    if product(x.shape[a] for a in axes_of(axis, x.ndim)) == 0:
        function(np.empty(0, x.dtype))


def check_mask(x: Spec, where: Spec) -> None:
    """``TypeError`` or ``ValueError`` for a mask that isn't boolean, or doesn't broadcast to the shape of ``x``."""
    if where.dtype != bool and not where.weak:
        raise TypeError(f"Cannot cast array data from {where.dtype!r} to dtype('bool') according to the rule 'safe'")
    if where.ndim > x.ndim or any(a == 1 and never_one(b) for a, b in zip(x.shape[::-1], where.shape[::-1], strict=False)):
        raise ValueError(f"wanted a mask that broadcasts to shape {x.shape}, received one of shape {where.shape}")
    broadcast(x.shape, where.shape)


def all_specs(values: Iterable[Any]) -> Sequence[Spec]:
    """The specs among arguments, with those in sequences, without those left out."""
    flat: list[Spec] = []
    for value in values:
        flat.extend(all_specs(value) if isinstance(value, list | tuple) else [value] if isinstance(value, Spec) else [])
    return flat
