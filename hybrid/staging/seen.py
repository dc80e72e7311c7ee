"""What a traced function sees where a value is traced: its type, and an example of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.table import OPS
from hybrid.core.tensor import Tensor
from hybrid.ir.traced import Number, Traced

__all__ = ["example_of", "number_attribute", "seen_type"]


def seen_type(value: Traced) -> type:
    """The type of what the function sees where a value is traced."""
    from_dtype = value.dtype.type
    if isinstance(value, Number):
        return type(from_dtype(0).item())
    if value.is_tensor:
        return Tensor
    return from_dtype if value.is_scalar else np.ndarray


def example_of(value: Traced) -> Any:
    """Something of the same type, for Python to say what it says of such things."""
    one = value.dtype.type(1)
    if isinstance(value, Number):
        return one.item()
    return one if value.is_scalar else np.ones([1] * len(value.shape), value.dtype)


def number_attribute(stager: Any, owner: Number, name: str, seen: type) -> Any:
    """An attribute of a Python number."""
    if name in ("real", "imag", "numerator", "denominator"):
        return _PARTS[name](owner, seen)
    if name == "conjugate" and seen is not complex:
        return lambda: +owner
    return stager.host(getattr, (owner, name))


def _imag(owner: Number, seen: type) -> Any:
    if seen is complex:
        return OPS["item"](OPS["imag"](owner))
    return 0.0 if seen is float else 0


def _real(owner: Number, seen: type) -> Any:
    return OPS["item"](OPS["real"](owner)) if seen is complex else +owner


_PARTS = {"real": _real, "imag": _imag, "numerator": lambda owner, _: +owner, "denominator": lambda owner, _: 1}
