"""Element-wise operations whose expression depends on more than the dtypes of a ufunc."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.loops import Loop
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.program import cast, literal
from hybrid.ir.graph import Const, Node

__all__ = ["FORMULAS", "Expression"]


@dataclass(frozen=True, slots=True)
class Expression:
    """An element of a result.

    Attributes:
        text: makes the text of the element of the texts of the operands' elements.
        guards: conditions on scalar operands under which NumPy raises: each makes text of the operands' texts.
        loop: what computes whole arrays better, if they have its dtypes.
        names: what the text needs.
    """

    text: Callable[[Sequence[str]], str]
    guards: tuple[Callable[[Sequence[str]], str], ...] = ()
    loop: Loop | None = None
    names: Mapping[str, Any] = field(default_factory=dict)


def _is_plain(node: Node) -> bool:
    return HALF not in {x.spec.dtype for x in (*node.inputs, *node.outputs)}


def _nan_to_num(node: Node) -> Expression | None:
    """NaN and infinities replaced by numbers."""
    others = node.operands[1:]
    dtype = node.outputs[0].spec.dtype
    is_known = all(y is None or _is_number(y) or not (y.spec.weak or y.spec.shape) for y in others)  # type: ignore[union-attr]
    if not _is_plain(node) or dtype.kind == "c" or not is_known:
        return None
    if dtype.kind != "f":
        return Expression(lambda t: t[0])
    info = np.finfo(dtype)
    defaults = [literal(v, dtype) for v in (0.0, info.max, info.min)]

    def text(t: Sequence[str]) -> str:
        given = iter(t[1:])
        nan, high, low = (d if y is None else cast(next(given), y.spec.dtype, dtype) for y, d in zip(others, defaults, strict=True))
        x = t[0]
        return f"{nan} if {x} != {x} else {high} if {x} == inf else {low} if {x} == -inf else {x}"

    return Expression(text)


def _is_number(x: Any) -> bool:
    return isinstance(x, Const) and not x.spec.shape


def _select(node: Node) -> Expression | None:
    """The first of several choices whose condition holds."""
    conditions, choices, default = node.operands
    dtype = node.outputs[0].spec.dtype
    if not isinstance(conditions, tuple) or not isinstance(choices, tuple) or not _is_plain(node):
        return None
    given = [x.spec for x in (*choices, default)]  # type: ignore[union-attr]
    if any(s.weak and s.dtype != dtype and dtype.kind in "iu" for s in given):
        return None

    def text(t: Sequence[str]) -> str:
        values = [cast(x, s.dtype, dtype) for x, s in zip(t[len(conditions) :], given, strict=True)]
        pairs = [f"{value} if {condition} else" for value, condition in zip(values, t, strict=False)]
        return " ".join([*pairs[: len(conditions)], values[-1]])

    return Expression(text)


FORMULAS: Final[dict[str, Callable[[Node], Expression | None]]] = {
    "nan_to_num": _nan_to_num,
    "select": _select,
}
"""The operation → what makes its expression, if there is one for the dtypes and attributes at hand."""
