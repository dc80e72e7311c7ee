"""Building blocks of the rules of matrix products and linear algebra: sizes that must agree, and core shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from hybrid.core.dim import DimLike
from hybrid.core.spec import Spec, spec_of
from hybrid.ops._infer import Rule, Shape, broadcast, dtype_as_run

__all__ = ["as_run", "core_shape", "empties", "gufunc", "must_be_square", "single", "sizes_differ"]

Core = tuple[str, ...]


def sizes_differ(a: DimLike, b: DimLike) -> bool:
    """Whether two sizes are numbers that differ; where a symbol is among them, running checks."""
    return isinstance(a, int) and isinstance(b, int) and a != b


def must_be_square(x: Spec) -> None:
    """``LinAlgError`` for matrices, of two axes or more, that aren't square."""
    if sizes_differ(x.shape[-2], x.shape[-1]):
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def core_shape(name: str, signature: str, shapes: Sequence[Shape]) -> Shape:
    """The result's shape of a function of cores with a signature as ``(m,k),(k,n)->(m,n)``; leading axes broadcast.

    An axis marked ``?`` may be absent from an operand, and is then absent from the result. ``ValueError`` for cores that don't fit.
    """
    inputs, output = _parsed(signature)
    sizes: dict[str, DimLike] = {}
    leading = []
    for i, (labels, shape) in enumerate(zip(inputs, shapes, strict=True)):
        core = labels if len(shape) >= len(labels) else tuple(label for label in labels if not label.endswith("?"))
        split = len(shape) - len(core)
        leading.append(shape[:split])
        for j, (label, size) in enumerate(zip(core, shape[split:], strict=True)):
            known = sizes.setdefault(label, size)
            if sizes_differ(known, size):
                raise ValueError(
                    f"{name}: Input operand {i} has a mismatch in its core dimension {j}, with gufunc signature {signature} "
                    f"(size {size} is different from {known})"
                )
            sizes[label] = size if isinstance(size, int) else known
    return broadcast(*leading) + tuple(sizes[label] for label in output if label in sizes)


@lru_cache(maxsize=64)
def _parsed(signature: str) -> tuple[list[Core], Core]:
    left, right = signature.split("->")
    cores = [tuple(filter(None, core.strip("(").split(","))) for core in left.rstrip(")").split("),")]
    return cores, tuple(filter(None, right.strip("()").split(",")))


def gufunc(ufunc: np.ufunc) -> Rule:
    """The rule of one of NumPy's generalised ufuncs, such as ``np.matmul``."""

    def rule(*specs: Spec, **_: Any) -> Spec:
        dtype = dtype_as_run(ufunc, *specs)
        return Spec(dtype, core_shape(ufunc.__name__, ufunc.signature or "", [spec.shape for spec in specs]))

    return rule


def as_run(kernel: Callable[..., Any], *specs: Spec | None, **attributes: Any) -> Any:
    """As ``dtype_as_run``, but sizes of 0 stay 0 and tensors may be left out: what NumPy refuses for empty arrays is refused here."""
    small = tuple(s and Spec(s.dtype, tuple(0 if size == 0 else 1 for size in s.shape), s.weak) for s in specs)
    return _dtypes_as_run(kernel, small, tuple(attributes.items()))


@lru_cache(maxsize=4096)
def _dtypes_as_run(kernel: Callable[..., Any], specs: tuple[Spec | None, ...], attributes: tuple[tuple[str, Any], ...]) -> Any:
    with np.errstate(all="ignore"):
        result = kernel(*map(_ones, specs), **dict(attributes))
    return tuple(r.dtype for r in result) if isinstance(result, tuple | list) else np.asarray(result).dtype


def _ones(spec: Spec | None) -> Any:
    if spec is None:
        return None
    return spec.dtype.type(1).item() if spec.weak else np.ones(spec.shape, spec.dtype)[()]


def single(x: Spec) -> Spec:
    """One vector or matrix of size 1, with the dtype: SciPy tells its dtypes only for operands with elements."""
    return Spec(x.dtype, (1,) * min(x.ndim, 2))


def empties(rule: Rule, *arrays: Any, **attributes: Any) -> Any:
    """The results, without elements, that a rule promises: SciPy refuses stacks of no matrices."""
    results = rule(*(None if array is None else spec_of(array) for array in arrays), **attributes)
    if isinstance(results, Spec):
        return np.zeros(results.shape, results.dtype)
    return tuple(np.zeros(spec.shape, spec.dtype) for spec in results)
