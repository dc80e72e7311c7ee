"""Element-wise operations whose expression depends on more than the dtypes of a ufunc."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.loops import Loop
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.program import cast, literal
from hybrid.core.spec import Spec
from hybrid.ir.graph import Const, Node

__all__ = ["FORMULAS", "Expression", "closeness"]


@dataclass(frozen=True, slots=True)
class Expression:
    """An element of a result.

    Attributes:
        text: makes the text of the element of the texts of the operands' elements.
        dtypes: what the ufunc works on.
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


def _specs(node: Node) -> list[Spec]:
    return [x.spec for x in node.inputs]


def _complex(node: Node) -> Expression | None:
    """A complex number of its parts."""
    specs, out = _specs(node), node.outputs[0].spec.dtype
    if not _is_plain(node):
        return None
    part = np.dtype("float32" if out == np.complex64 else "float64")
    return Expression(lambda t: f"complex({', '.join(cast(x, s.dtype, part) for x, s in zip(t, specs, strict=True))})")


def _round(node: Node) -> Expression | None:
    """Rounded to a number of decimals: multiplied by a power of ten, rounded to integers, and divided."""
    spec, decimals = next(node.inputs).spec, node.attributes["decimals"]
    kind = spec.dtype.kind
    if not _is_plain(node) or spec.weak or not isinstance(decimals, int) or kind not in "iuf":
        return None
    if kind in "iu":
        return Expression(lambda t: t[0]) if decimals >= 0 else None
    name, scale = spec.dtype.name, literal(10.0 ** abs(decimals), spec.dtype)
    if decimals == 0:
        return Expression(lambda t: f"{name}(np.rint({t[0]}))")
    first, second = "*/" if decimals > 0 else "/*"
    return Expression(lambda t: f"{name}({name}(np.rint({name}({t[0]} {first} {scale}))) {second} {scale})")


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


def closeness(node: Node) -> Callable[[Sequence[str]], str] | None:
    """The text of whether two numbers are close: ``abs(a - b) <= atol + rtol * abs(b)``, computed in NumPy's dtypes."""
    specs = _specs(node)
    if len(specs) != 2 or not _is_plain(node) or any(s.dtype.kind not in "biuf" for s in specs):
        return None
    if any(s.weak for s in specs) and not all(s.dtype in (np.float64, np.int64) for s in specs):
        return None
    second = np.result_type(specs[1].dtype, 1.0)
    both = np.result_type(specs[0].dtype, second)
    attrs = node.attributes
    rtol, atol = (literal(attrs[name], second) for name in ("rtol", "atol"))

    def text(t: Sequence[str]) -> str:
        a, b, tail = cast(t[0], specs[0].dtype, both), cast(t[1], specs[1].dtype, second), ""
        wide = cast(b, second, both)
        bound = cast(f"{second.name}({atol} + {second.name}({rtol} * abs({b})))", second, both)
        if attrs["equal_nan"]:
            tail = f" or ({a} != {a} and {b} != {b})"
        return f"((math.isfinite({b}) and abs({a} - {wide}) <= {bound}) or {a} == {wide}{tail})"

    return text


def _isclose(node: Node) -> Expression | None:
    text = closeness(node)
    return None if text is None else Expression(text)


FORMULAS: Final[dict[str, Callable[[Node], Expression | None]]] = {
    "complex": _complex,
    "round": _round,
    "nan_to_num": _nan_to_num,
    "select": _select,
    "isclose": _isclose,
}
"""The operation → what makes its expression, if there is one for the dtypes and attributes at hand."""
