"""Interpolation and polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.gufuncs import different, fast_or_kernel
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.ir.graph import Node

__all__ = ["INTERPOLATION"]

FLOAT: Final = np.dtype("float64")
NEAR: Final = 9
"""The last point that NumPy looks at before it bisects."""


def _interp(p: Program, node: Node) -> bool:
    """The value at one place between points, of real numbers and without a period; for many places the kernel is good."""
    x, points, values, left, right, period = node.operands
    out = node.outputs[0]
    given = [y.spec for y in (x, points, values, left, right) if y is not None]  # type: ignore[union-attr]
    if period is not None or out.spec.shape or out.spec.dtype != FLOAT or any(s.dtype.kind not in "iuf" for s in given):
        return False
    sizes = [p.dims(y)[0] for y in (points, values)]  # type: ignore[arg-type]
    conditions = different([(sizes[0], sizes[1])]) + ([] if sizes[0].isdigit() and sizes[0] != "0" else [f"{sizes[0]} == 0"])
    name = p.new("interp")

    def item(y: Any, k: str) -> str:
        return cast(f"{p.text(y)}[{k}]", y.spec.dtype, FLOAT)

    def fast() -> None:
        key, place, size = p.new("x"), p.new("place"), sizes[0]
        ends = [p.cast(y, FLOAT) if y is not None else item(values, k) for y, k in ((left, "0"), (right, f"{size} - 1"))]
        p.emit(f"{key} = {p.cast(x, FLOAT)}")
        with p.block(f"if {key} > {item(points, f'{size} - 1')}:"):
            p.emit(f"{name} = {ends[1]}")
        with p.block(f"elif {key} < {item(points, '0')}:"):
            p.emit(f"{name} = {ends[0]}")
        with p.block(f"elif {key} != {key} and {size} > 1:"):
            p.emit(f"{name} = {key}")
        with p.block("else:"):
            _search(p, key, place, size, lambda k: item(points, k))
            with p.block(f"if {place} == {size} - 1 or {item(points, place)} == {key}:"):
                p.emit(f"{name} = {item(values, place)}")
            with p.block("else:"):
                _on_line(p, name, key, *(item(y, k) for k in (place, f"{place} + 1") for y in (points, values)))

    fast_or_kernel(p, node, conditions, [name], fast)
    p.names[out] = name
    return True


def _search(p: Program, key: str, place: str, size: str, item: Callable[[str], str]) -> None:
    """Find the last point that isn't above a key: the first few one by one, then by bisection, as NumPy does."""
    high, middle = p.new("high"), p.new("middle")
    p.emit(f"{place} = 1")
    with p.block(f"while {place} < {size} and {place} < 4 and {key} >= {item(place)}:"):
        p.emit(f"{place} += 1")
    with p.block(f"if {place} == 4:"):
        p.emit(f"{place} = 3")
        p.emit(f"{high} = {NEAR} if {size} > {NEAR + 1} and {key} < {item(str(NEAR))} else {size}")
        with p.block(f"while {place} < {high}:"):
            p.emit(f"{middle} = ({place} + {high}) >> 1")
            with p.block(f"if {key} >= {item(middle)}:"):
                p.emit(f"{place} = {middle} + 1")
            with p.block("else:"):
                p.emit(f"{high} = {middle}")
    p.emit(f"{place} -= 1")


def _on_line(p: Program, name: str, key: str, x: str, y: str, after: str, value: str) -> None:
    """The value on the line between two points; from its other end where that is NaN."""
    slope = p.new("slope")
    p.emit(f"{slope} = ({value} - {y}) / ({after} - {x})")
    p.emit(f"{name} = {slope} * ({key} - {x}) + {y}")
    with p.block(f"if {name} != {name}:"):
        p.emit(f"{name} = {slope} * ({key} - {after}) + {value}")
        with p.block(f"if {name} != {name} and {y} == {value}:"):
            p.emit(f"{name} = {y}")


def _polyval(p: Program, node: Node) -> bool:
    """Horner's rule for coefficients along one axis."""
    coefficients, x = node.operands
    out = node.outputs[0]
    dtype = out.spec.dtype
    if coefficients.spec.ndim != 1 or any(y.spec.dtype != dtype for y in (coefficients, x)) or dtype.kind not in "iuf":  # type: ignore[union-attr]
        return False
    size = p.dims(coefficients)[0]  # type: ignore[arg-type]

    def horner(total: str, item: str) -> None:
        p.emit(f"{total} = {literal(0, dtype)}")
        with nest(p, [size]) as (k,):
            p.emit(f"{total} = {dtype.name}({dtype.name}({total} * {item}) + {p.text(coefficients)}[{k}])")  # type: ignore[arg-type]

    if not out.spec.shape:
        name = p.names[out] = p.new("polyval")
        horner(name, p.text(x))  # type: ignore[arg-type]
        return True
    target, total = p.assign(out, p.allocation(out.spec, p.dims(x)), "polyval"), p.new("total")  # type: ignore[arg-type]
    with nest(p, p.dims(x)) as index:  # type: ignore[arg-type]
        at = ", ".join(index)
        horner(total, f"{p.text(x)}[{at}]")  # type: ignore[arg-type]
        p.emit(f"{target}[{at}] = {total}")
    return True


INTERPOLATION: Final[dict[str, Callable[[Program, Node], bool]]] = {"interp": _interp, "polyval": _polyval}
"""Values of functions that arrays describe."""
