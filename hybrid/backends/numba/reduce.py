"""Reductions over axes: loops over what stays, and inside them loops over what is reduced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final

import numpy as np

from hybrid.backends.numba.native import flat_view
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.ir.graph import Node
from hybrid.ops._infer import axes_of

__all__ = ["REDUCTIONS"]

Step = Callable[[str, str], str]
"""The text of the next total, of the total so far and an element."""

LEAST: Final = {"max": "-inf", "min": "inf"}


def _axes(node: Node) -> tuple[int, ...]:
    ndim, axis = node.operands[0].spec.ndim, node.attributes["axis"]  # type: ignore[union-attr]
    return axes_of(None if ndim == 0 else axis, ndim)


def _is_plain(node: Node) -> bool:
    """Without a mask and an initial value, over some axes."""
    return all(x is None for x in node.operands[1:]) and bool(node.operands[0].spec.shape) and bool(_axes(node))  # type: ignore[union-attr]


def reduce_into(p: Program, node: Node, start: str, step: Step, finish: Callable[[str], str] | None = None) -> None:
    """Write the loops of a reduction.

    With the last axis among those that stay, the results are kept in an array while whole rows are added, as NumPy does it.
    """
    x, out = node.operands[0], node.outputs[0]
    axes, ndim = _axes(node), x.spec.ndim  # type: ignore[union-attr]
    index = [p.new("i") for _ in range(ndim)]
    dims = p.dims(x)  # type: ignore[arg-type]
    kept = [k for k in range(ndim) if k not in axes]
    places = [index[k] if k in kept else "0" for k in range(ndim)] if node.attributes["keepdims"] else [index[k] for k in kept]
    item = f"{p.text(x)}[{', '.join(index)}]"
    if not out.spec.shape:
        total = p.assign(out, start, node.op.name)
        _nest(p, index, dims, range(ndim), lambda: p.emit(f"{total} = {step(total, item)}"))
        if finish is not None:
            p.emit(f"{total} = {finish(total)}")
        return
    target = p.assign(out, p.allocation(out.spec), node.op.name)
    place = f"{target}[{', '.join(places)}]"
    if kept[-1:] == [ndim - 1]:
        p.emit(f"fill({target}, {start})")
        _nest(p, index, dims, [*[k for k in range(ndim) if k != ndim - 1], ndim - 1], lambda: p.emit(f"{place} = {step(place, item)}"))
        if finish is not None:
            again = [p.new("i") for _ in out.spec.shape]
            own = f"{target}[{', '.join(again)}]"
            _nest(p, again, p.dims(out), range(len(again)), lambda: p.emit(f"{own} = {finish(own)}"))
        return

    def row() -> None:
        total = p.new("total")
        p.emit(f"{total} = {start}")
        _nest(p, index, dims, axes, lambda: p.emit(f"{total} = {step(total, item)}"))
        p.emit(f"{place} = {finish(total) if finish else total}")

    _nest(p, index, dims, kept, row)


def _nest(p: Program, index: Sequence[str], dims: Sequence[str], axes: Sequence[int], body: Callable[[], None]) -> None:
    with ExitStack() as stack:
        for k in axes:
            stack.enter_context(p.block(f"for {index[k]} in range({dims[k]}):"))
        body()


# -- sums -----------------------------------------------------------------------------------------------------------
def _sum(p: Program, node: Node) -> bool:
    """The sum: of integers as it comes, of floats pairwise where NumPy does it so."""
    return _is_plain(node) and _sum_of(p, node, None)


def _sum_of(p: Program, node: Node, finish: Callable[[str], str] | None) -> bool:
    x, out = node.operands[0], node.outputs[0]
    dtype, given = out.spec.dtype, x.spec.dtype  # type: ignore[union-attr]
    if dtype.kind not in "iufc" or (dtype.kind in "fc" and (dtype != given or dtype.kind == "c")):
        return False
    if dtype.kind in "iu":
        reduce_into(p, node, literal(0, dtype), lambda t, e: f"{dtype.name}({t} + {cast(e, given, dtype)})", finish)
        return True
    return _float_sum(p, node, finish)


def _float_sum(p: Program, node: Node, finish: Callable[[str], str] | None) -> bool:
    """Trailing axes are added pairwise; over leading axes rows are added to rows."""
    x, out = node.operands[0], node.outputs[0]
    axes, ndim, dtype = _axes(node), x.spec.ndim, out.spec.dtype  # type: ignore[union-attr]
    zero = literal(0, dtype)
    end = finish or (lambda total: total)
    if axes == tuple(range(ndim - len(axes), ndim)) and x not in p.views:
        flat = p.new("flat")
        p.use("flat_view", flat_view)
        p.emit(f"{flat} = flat_view({p.text(x)})")
        if not out.spec.shape:
            p.assign(out, end(f"pairwise({flat}, {zero}, int64(0), {flat}.size)"), node.op.name)
            return True
        dims = p.dims(x)  # type: ignore[arg-type]
        count = p.new("count")
        p.emit(f"{count} = {' * '.join(dims[k] for k in axes)}")
        target = p.assign(out, p.allocation(out.spec), node.op.name)
        into, i = p.new("flat"), p.new("i")
        p.emit(f"{into} = flat_view({target})")
        with p.block(f"for {i} in range({into}.size):"):
            p.emit(f"{into}[{i}] = {end(f'pairwise({flat}, {zero}, {i} * {count}, int64({count}))')}")
        return True
    if ndim - 1 in axes:
        return False
    reduce_into(p, node, zero, lambda t, e: f"{t} + {e}", finish)
    return True


def _mean(p: Program, node: Node) -> bool:
    """The sum divided by the number of elements."""
    x, out = node.operands[0], node.outputs[0]
    if not _is_plain(node) or out.spec.dtype != x.spec.dtype or out.spec.dtype.kind != "f":  # type: ignore[union-attr]
        return False
    dims = p.dims(x)  # type: ignore[arg-type]
    count = " * ".join(dims[k] for k in _axes(node))
    return _sum_of(p, node, lambda total: f"{out.spec.dtype.name}({total} / {out.spec.dtype.name}({count}))")


def _prod(p: Program, node: Node) -> bool:
    """The product of integers."""
    given, dtype = node.operands[0].spec.dtype, node.outputs[0].spec.dtype  # type: ignore[union-attr]
    if not _is_plain(node) or dtype.kind not in "iu":
        return False
    reduce_into(p, node, literal(1, dtype), lambda t, e: f"{dtype.name}({t} * {cast(e, given, dtype)})")
    return True


# -- extremes and truth ---------------------------------------------------------------------------------------------
def _extreme(name: str) -> Callable[[Program, Node], bool]:
    def lower(p: Program, node: Node) -> bool:
        x = node.operands[0]
        dtype = x.spec.dtype  # type: ignore[union-attr]
        if not _is_plain(node) or dtype.kind not in "iuf":
            return False
        dims = p.dims(x)  # type: ignore[arg-type]
        if empty := [f"{dims[k]} == 0" for k in _axes(node) if not (dims[k].isdigit() and dims[k] != "0")]:
            p.guard(" or ".join(empty), node)
        if dtype.kind == "f":
            reduce_into(p, node, f"{dtype.name}({LEAST[name]})", lambda t, e: f"{name}imum_float({t}, {e})")
        else:
            info = np.iinfo(dtype)
            worst = literal(info.min if name == "max" else info.max, dtype)
            reduce_into(p, node, worst, lambda t, e: f"{dtype.name}({name}({t}, {e}))")
        return True

    return lower


def _truth(start: str, template: str) -> Callable[[Program, Node], bool]:
    def lower(p: Program, node: Node) -> bool:
        given = node.operands[0].spec.dtype  # type: ignore[union-attr]
        if not _is_plain(node):
            return False
        reduce_into(p, node, start, lambda t, e: template.format(t, cast(e, given, np.dtype("bool"))))
        return True

    return lower


def _count(p: Program, node: Node) -> bool:
    """The number of elements that aren't zero."""
    given = node.operands[0].spec.dtype  # type: ignore[union-attr]
    if not _is_plain(node) or node.outputs[0].spec.weak:
        return False
    reduce_into(p, node, "0", lambda t, e: f"{t} + int64({cast(e, given, np.dtype('bool'))})")
    return True


def _position(sign: str) -> Callable[[Program, Node], bool]:
    """The first place of the extreme; the first NaN, if there is one."""

    def lower(p: Program, node: Node) -> bool:
        x, out = node.operands[0], node.outputs[0]
        dtype, ndim, axis = x.spec.dtype, x.spec.ndim, node.attributes["axis"]  # type: ignore[union-attr]
        if dtype.kind not in "iuf" or not x.spec.shape or (axis is None and ndim > 1):  # type: ignore[union-attr]
            return False
        axis = 0 if axis is None else axis % ndim
        index, dims = [p.new("i") for _ in range(ndim)], p.dims(x)  # type: ignore[arg-type]
        if not (dims[axis].isdigit() and dims[axis] != "0"):
            p.guard(f"{dims[axis]} == 0", node)
        item = lambda i: f"{p.text(x)}[{', '.join(i if k == axis else index[k] for k in range(ndim))}]"  # noqa: E731
        is_scalar = not out.spec.shape
        target = p.new(node.op.name) if is_scalar else p.assign(out, p.allocation(out.spec), node.op.name)

        def search() -> None:
            best, at, e = p.new("best"), target if is_scalar else p.new("at"), p.new("item")
            p.emit(f"{best} = {item('0')}")
            p.emit(f"{at} = 0")
            with p.block(f"for {index[axis]} in range(1, {dims[axis]}):"):
                p.emit(f"{e} = {item(index[axis])}")
                is_better = f"{e} {sign} {best}" + (f" or ({e} != {e} and {best} == {best})" if dtype.kind == "f" else "")
                with p.block(f"if {is_better}:"):
                    p.emit(f"{best} = {e}")
                    p.emit(f"{at} = {index[axis]}")
            if not is_scalar:
                places = [("0" if k == axis else index[k]) for k in range(ndim) if k != axis or node.attributes["keepdims"]]
                p.emit(f"{target}[{', '.join(places)}] = {at}")

        _nest(p, index, dims, [k for k in range(ndim) if k != axis], search)
        p.names[out] = target
        return True

    return lower


def _cumulative(sign: str, start: int) -> Callable[[Program, Node], bool]:
    """Running totals along an axis."""

    def lower(p: Program, node: Node) -> bool:
        x, out, attrs = node.operands[0], node.outputs[0], node.attributes
        given, dtype, ndim = x.spec.dtype, out.spec.dtype, x.spec.ndim  # type: ignore[union-attr]
        if dtype.kind not in "iuf" or not ndim or out.spec.ndim != ndim or (attrs["axis"] is None and ndim > 1):
            return False
        axis = (attrs["axis"] or 0) % ndim
        shift = 1 if attrs["include_initial"] else 0
        target = p.assign(out, p.allocation(out.spec), node.op.name)
        index, dims = [p.new("i") for _ in range(ndim)], p.dims(x)  # type: ignore[arg-type]
        total = p.new("total")
        place = lambda text: f"{target}[{', '.join(text if k == axis else index[k] for k in range(ndim))}]"  # noqa: E731

        def run() -> None:
            p.emit(f"{total} = {literal(start, dtype)}")
            if shift:
                p.emit(f"{place('0')} = {total}")
            with p.block(f"for {index[axis]} in range({dims[axis]}):"):
                e = cast(f"{p.text(x)}[{', '.join(index)}]", given, dtype)
                p.emit(f"{total} = {dtype.name}({total} {sign} {e})")
                p.emit(f"{place(f'{index[axis]} + {shift}' if shift else index[axis])} = {total}")

        _nest(p, index, dims, [k for k in range(ndim) if k != axis], run)
        return True

    return lower


REDUCTIONS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "sum": _sum,
    "mean": _mean,
    "prod": _prod,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "any": _truth("False", "{0} or {1}"),
    "all": _truth("True", "{0} and {1}"),
    "count_nonzero": _count,
    "argmax": _position(">"),
    "argmin": _position("<"),
    "cumulative_sum": _cumulative("+", 0),
    "cumulative_prod": _cumulative("*", 1),
}
"""Reductions, and running totals."""
