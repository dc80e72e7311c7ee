"""Building blocks of shape-and-dtype rules.

A rule takes a ``Spec`` for each tensor and every attribute by keyword. dtypes come from NumPy itself: from a ufunc's own
resolver, or from running the kernel on one-element arrays, so that they can't differ from NumPy's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from hybrid.core.dim import Dim, DimLike
from hybrid.core.spec import Spec

__all__ = [
    "Rule", "axes_of", "axis_of", "broadcast", "dtype_as_run", "elementwise", "like_first", "promoted", "reduced", "reduction", "scalar_ints",
]  # fmt: skip

Shape: TypeAlias = tuple[DimLike, ...]
Rule: TypeAlias = Callable[..., Any]


# -- shapes ---------------------------------------------------------------------------------------------------------
def broadcast(*shapes: Shape) -> Shape:
    """The common shape of arrays that meet, as NumPy broadcasts.

    A symbol is any size but 1; where it meets a number, running checks that they agree. ``ValueError`` for sizes that disagree.
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
    return numbers[0] if numbers else others[0] if others else 1


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
    return np.result_type(*(spec.promotes_as if not spec.weak else spec.promotes_as(1) for spec in specs))  # type: ignore[operator]


def dtype_as_run(kernel: Callable[..., Any], *specs: Spec, **attributes: Any) -> Any:
    """The dtype (or tuple of dtypes) that a kernel gives for one-element arrays of the specs' dtypes and numbers of axes."""
    return _dtypes_as_run(kernel, tuple(Spec(s.dtype, (1,) * s.ndim, s.weak) for s in specs), tuple(attributes.items()))


@lru_cache(maxsize=4096)
def _dtypes_as_run(kernel: Callable[..., Any], specs: tuple[Spec, ...], attributes: tuple[tuple[str, Any], ...]) -> Any:
    inputs = [spec.dtype.type(1).item() if spec.weak else np.ones(spec.shape, spec.dtype)[()] for spec in specs]
    with np.errstate(all="ignore"):
        result = kernel(*inputs, **dict(attributes))
    return tuple(r.dtype for r in result) if isinstance(result, tuple | list) else np.asarray(result).dtype


# -- whole rules ----------------------------------------------------------------------------------------------------
def elementwise(ufunc: np.ufunc) -> Rule:
    """The rule of a ufunc: operands broadcast, dtypes as the ufunc's resolver says."""

    def rule(*specs: Spec, **_: Any) -> Any:
        shape = broadcast(*(spec.shape for spec in specs))
        wanted = (*(spec.promotes_as for spec in specs), *(None,) * ufunc.nout)
        dtypes = ufunc.resolve_dtypes(wanted)[ufunc.nin :]  # type: ignore[arg-type]
        results = tuple(Spec(dtype, shape) for dtype in dtypes)
        return results[0] if ufunc.nout == 1 else results

    return rule


def like_first(x: Spec, *_: Any, **__: Any) -> Spec:
    """The result has the dtype and shape of the first argument."""
    return Spec(x.dtype, x.shape)


def reduction(function: Callable[..., Any]) -> Rule:
    """The rule of a reduction with ``axis`` and ``keepdims``: the dtype is what ``function`` gives."""

    def rule(x: Spec, *rest: Spec | None, axis: Any = None, keepdims: bool = False, dtype: Any = None, **_: Any) -> Spec:
        shape = reduced(x.shape, axis, keepdims)
        return Spec(dtype_as_run(function, x) if dtype is None else np.dtype(dtype), shape)

    return rule


def all_specs(values: Iterable[Any]) -> Sequence[Spec]:
    """The specs among arguments, with those in sequences, without those left out."""
    flat: list[Spec] = []
    for value in values:
        flat.extend(all_specs(value) if isinstance(value, list | tuple) else [value] if isinstance(value, Spec) else [])
    return flat
