"""Reductions over axes: loops over what stays, and inside them loops over what is reduced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hybrid.backends.numba.expressions import template_of
from hybrid.backends.numba.gather import check_broadcast, value_index
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.masks import flattened, new_array
from hybrid.backends.numba.native import HALF, flat_view
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.ir.graph import Node
from hybrid.ops._infer import axes_of

__all__ = [
    "REDUCTIONS", "Source", "check_elements", "cumulative", "finished", "float_total", "in_row", "index_of", "reduced", "source_of",
]  # fmt: skip

Step = Callable[[str, str], str]
"""The text of the next total, of the total so far and an element."""

Finish = Callable[[str], str] | None
"""The text of a result, of a total."""

BOOL: Final = np.dtype("bool")
LEAST: Final = {"max": "-inf", "min": "inf"}


@dataclass(frozen=True, slots=True)
class Source:
    """What is reduced.

    Attributes:
        item: of the texts of an index, the text of the element.
        mask: of the same, the text of whether the element counts; ``None`` if all do.
        dims: the texts of the sizes.
        axes: which are reduced.
        keepdims: whether those are kept, with size 1.
    """

    item: Callable[[Sequence[str]], str]
    mask: Callable[[Sequence[str]], str] | None
    dims: Sequence[str]
    axes: Sequence[int]
    keepdims: bool

    @property
    def kept(self) -> list[int]:
        return [k for k in range(len(self.dims)) if k not in self.axes]

    @property
    def result(self) -> list[str]:
        """The texts of the sizes of the result."""
        return [("1" if k in self.axes else d) for k, d in enumerate(self.dims) if self.keepdims or k not in self.axes]

    def place(self, index: Sequence[str]) -> list[str]:
        """The index of the result that an element goes into."""
        return [("0" if k in self.axes else i) for k, i in enumerate(index) if self.keepdims or k not in self.axes]


def index_of(text: str, index: Sequence[str]) -> str:
    """The text of an element; of a number, the number."""
    return f"{text}[{', '.join(index)}]" if index else text


def _axes(node: Node) -> tuple[int, ...]:
    ndim, axis = node.operands[0].spec.ndim, node.attributes["axis"]  # type: ignore[union-attr]
    return axes_of(None if ndim == 0 else axis, ndim)


def source_of(p: Program, node: Node, where: Any = None) -> Source:
    """The operand of a reduction, and its mask."""
    x = node.operands[0]
    text, dims = p.text(x), p.dims(x)  # type: ignore[arg-type]
    mask = None
    if where is not None:
        check_broadcast(p, node, where, dims)
        mask = lambda index: value_index(p, where, index, dims)  # noqa: E731
    return Source(lambda index: index_of(text, index), mask, dims, _axes(node), node.attributes["keepdims"])


def _options(node: Node) -> tuple[Any, Any]:
    """The mask and the initial value."""
    where, initial = (*node.operands[1:], None, None)[:2]
    return where, initial


def reduced(p: Program, source: Source, base: str, dtype: np.dtype, start: str, step: Step, finish: Finish = None) -> str:
    """Write the loops of a reduction; a variable with the results.

    With the last axis among those that stay, the results are kept in an array while whole rows are added, as NumPy does it.
    """
    ndim, kept, axes = len(source.dims), source.kept, source.axes
    index = [p.new("i") for _ in range(ndim)]
    end = finish or (lambda total: total)
    if not source.result:
        total = p.new(base)
        p.emit(f"{total} = {start}")
        _nest(p, index, source.dims, range(ndim), lambda: _add(p, source, index, total, step))
        if finish is not None:
            p.emit(f"{total} = {finish(total)}")
        return total
    target = new_array(p, base, dtype, source.result)
    place = index_of(target, source.place(index))
    if axes and kept[-1:] == [ndim - 1]:
        p.emit(f"fill({target}, {start})")
        _nest(p, index, source.dims, range(ndim), lambda: _add(p, source, index, place, step))
        return finished(p, target, source.result, finish)

    def row() -> None:
        total = p.new("total")
        p.emit(f"{total} = {start}")
        _nest(p, index, source.dims, axes, lambda: _add(p, source, index, total, step))
        p.emit(f"{place} = {end(total)}")

    _nest(p, index, source.dims, kept, row)
    return target


def _add(p: Program, source: Source, index: Sequence[str], total: str, step: Step) -> None:
    line = f"{total} = {step(total, source.item(index))}"
    if source.mask is None:
        p.emit(line)
        return
    with p.block(f"if {source.mask(index)}:"):
        p.emit(line)


def finished(p: Program, target: str, dims: Sequence[str], finish: Finish) -> str:
    """Each total of an array, or a single one, made a result."""
    if finish is not None and not dims:
        p.emit(f"{target} = {finish(target)}")
    elif finish is not None:
        with nest(p, dims) as index:
            place = index_of(target, index)
            p.emit(f"{place} = {finish(place)}")
    return target


def _nest(p: Program, index: Sequence[str], dims: Sequence[str], axes: Sequence[int], body: Callable[[], None]) -> None:
    with ExitStack() as stack:
        for k in axes:
            stack.enter_context(p.block(f"for {index[k]} in range({dims[k]}):"))
        body()


# -- sums -----------------------------------------------------------------------------------------------------------
def float_total(p: Program, array: str, source: Source, dtype: np.dtype, start: str = "") -> str:
    """The sums of an array in C order: rows of trailing axes pairwise, rows of leading axes added to each other."""
    ndim, axes = len(source.dims), source.axes
    zero = literal(0, dtype)
    if not ndim or not axes or ndim - 1 not in axes:
        own = Source(lambda index: index_of(array, index), None, source.dims, axes, source.keepdims)
        return reduced(p, own, "sum", dtype, start or zero, lambda t, e: f"{t} + {e}")
    outer = ndim
    while outer - 1 in axes:
        outer -= 1
    flat, count = p.new("flat"), p.new("count")
    p.emit(f"{flat} = {p.use('flat_view', flat_view)}({array})")
    p.emit(f"{count} = {' * '.join(source.dims[outer:])}")
    if not source.result and not outer:
        total = p.new("sum")
        row = f"pairwise({flat}, {zero}, 0, {count})"
        p.emit(f"{total} = {start or zero} + {row}")
        return total
    return _sum_rows(p, source, dtype, start, (flat, count, outer))


def _sum_rows(p: Program, source: Source, dtype: np.dtype, start: str, rows: tuple[str, str, int]) -> str:
    flat, count, outer = rows
    zero, at, index = literal(0, dtype), p.new("at"), [p.new("i") for _ in source.dims]
    is_plain = not start and all(k >= outer for k in source.axes)
    if source.result:
        target = new_array(p, "sum", dtype, source.result)
        if not is_plain:
            p.emit(f"fill({target}, {start or zero})")
    else:
        target = p.new("sum")
        p.emit(f"{target} = {start or zero}")
    p.emit(f"{at} = 0")
    place = index_of(target, source.place(index))

    def add() -> None:
        row = f"pairwise({flat}, {zero}, {at}, {count})"
        p.emit(f"{place} = {zero if is_plain else place} + {row}")
        p.emit(f"{at} += {count}")

    _nest(p, index, source.dims, range(outer), add)
    return target


def in_row(p: Program, x: Any, source: Source, dtype: np.dtype, change: Callable[[str], str] | None = None) -> str:
    """The elements that are added as an array in C order of a dtype: the operand itself where it can be."""
    if x.spec.shape and source.mask is None and change is None and x.spec.dtype == dtype:
        return p.contiguous(x)
    zero = literal(0, dtype)
    made = new_array(p, "summands", dtype, source.dims) if source.dims else p.new("summand")
    with nest(p, source.dims) as index:
        item = cast(source.item(index), x.spec.dtype, dtype) if change is None else change(source.item(index))
        p.emit(f"{index_of(made, index)} = {item if source.mask is None else f'{item} if {source.mask(index)} else {zero}'}")
    return made


def _start_of(p: Program, initial: Any, dtype: np.dtype) -> str | None:
    """The text of the initial value; ``None`` if NumPy casts it in another way than native code."""
    if initial is None:
        return ""
    spec = initial.spec
    if spec.shape or HALF in (spec.dtype, dtype) or (spec.dtype.kind in "fc" and dtype.kind in "biu"):
        return None
    if spec.weak and dtype.kind in "iu" and dtype != np.int64:
        return None
    return p.cast(initial, dtype)


def _keeps(given: np.dtype, dtype: np.dtype) -> bool:
    """Whether elements become numbers of a dtype without losing an imaginary part or a fraction."""
    return (given.kind != "c" or dtype.kind == "c") and (given.kind not in "fc" or dtype.kind not in "iu")


def _sum(p: Program, node: Node) -> bool:
    """The sum: of integers as it comes, of floats pairwise where NumPy does it so."""
    return _sum_of(p, node, *_options(node))


def _sum_of(p: Program, node: Node, where: Any, initial: Any, finish: Finish = None, change: Callable[[str], str] | None = None) -> bool:
    x, out = node.operands[0], node.outputs[0]
    dtype, given = out.spec.dtype, x.spec.dtype  # type: ignore[union-attr]
    start = _start_of(p, initial, dtype)
    if start is None or dtype.kind not in "iufc" or not _keeps(given, dtype):
        return False
    source = source_of(p, node, where)
    if dtype.kind in "iu":
        total = reduced(
            p, source, node.op.name, dtype, start or literal(0, dtype), lambda t, e: f"{dtype.name}({t} + {cast(e, given, dtype)})", finish
        )
    elif dtype.kind == "c":
        total = _complex_total(p, x, source, dtype, start)
        finished(p, total, source.result, finish)
    else:
        total = float_total(p, in_row(p, x, source, dtype, change), source, dtype, start or ("0.0" if where is not None else ""))
        finished(p, total, source.result, finish)
    p.names[out] = total
    return True


def _complex_total(p: Program, x: Any, source: Source, dtype: np.dtype, start: str) -> str:
    """The sums of real and imaginary parts."""
    part = np.dtype("float32" if dtype == np.complex64 else "float64")
    whole = lambda e: cast(e, x.spec.dtype, dtype)  # noqa: E731
    parts = [
        float_total(p, in_row(p, x, source, part, lambda e, name=name: f"{whole(e)}.{name}"), source, part) for name in ("real", "imag")
    ]
    total = new_array(p, "sum", dtype, source.result) if source.result else p.new("sum")
    with nest(p, source.result) as index:
        a, b = (index_of(name, index) for name in parts)
        p.emit(f"{index_of(total, index)} = {f'{start} + ' if start else ''}complex({a}, {b})")
    return total


def _mean(p: Program, node: Node) -> bool:
    """The sum divided by the number of elements."""
    x, out = node.operands[0], node.outputs[0]
    dtype, given = out.spec.dtype, x.spec.dtype  # type: ignore[union-attr]
    if node.operands[1] is not None or dtype.kind not in "fc" or HALF in (given, dtype):
        return False
    dims = p.dims(x)  # type: ignore[arg-type]
    count = " * ".join(dims[k] for k in _axes(node)) or "1"
    part = dtype.name.replace("complex64", "float32").replace("complex128", "float64")
    return _sum_of(p, node, None, None, lambda total: f"{dtype.name}({total} / {part}({count}))")


def _variance(is_root: bool) -> Callable[[Program, Node], bool]:
    """The mean of the squares of the differences from the mean; or its root."""

    def lower(p: Program, node: Node) -> bool:
        x, out, attrs = node.operands[0], node.outputs[0], node.attributes
        dtype, given = out.spec.dtype, x.spec.dtype  # type: ignore[union-attr]
        is_plain = all(y is None for y in node.operands[1:]) and attrs["dtype"] is None
        if not is_plain or given.kind not in "biuf" or HALF in (given, dtype):
            return False
        source = source_of(p, node)
        count = p.new("count")
        p.emit(f"{count} = {' * '.join(source.dims[k] for k in source.axes) or '1'}")
        kept = Source(source.item, None, source.dims, source.axes, True)
        mean = float_total(p, in_row(p, x, kept, dtype), kept, dtype)
        finished(p, mean, kept.result, lambda total: f"{dtype.name}({total} / {dtype.name}({count}))")
        squares = new_array(p, "squares", dtype, source.dims) if source.dims else p.new("square")
        difference = p.new("difference")
        with nest(p, source.dims) as index:
            p.emit(f"{difference} = {cast(source.item(index), given, dtype)} - {index_of(mean, kept.place(index))}")
            p.emit(f"{index_of(squares, index)} = {difference} * {difference}")
        total = float_total(p, squares, source, dtype)
        weight = f"{dtype.name}(max({count} - {literal(attrs['correction'], np.dtype(type(attrs['correction'])))}, 0))"
        finish = lambda t: f"math.sqrt({t} / {weight})" if is_root else f"{dtype.name}({t} / {weight})"  # noqa: E731
        p.names[out] = finished(p, total, source.result, finish)
        return True

    return lower


def _prod(p: Program, node: Node) -> bool:
    """The product of integers, or of a few kinds of floats one after the other."""
    given, dtype = node.operands[0].spec.dtype, node.outputs[0].spec.dtype  # type: ignore[union-attr]
    where, initial = _options(node)
    start = _start_of(p, initial, dtype)
    if start is None or dtype.kind not in "iufc" or not _keeps(given, dtype):
        return False
    step = lambda t, e: f"{dtype.name}({t} * {cast(e, given, dtype)})"  # noqa: E731
    p.names[node.outputs[0]] = reduced(p, source_of(p, node, where), "prod", dtype, start or literal(1, dtype), step)
    return True


# -- extremes and truth ---------------------------------------------------------------------------------------------
def _extreme(name: str) -> Callable[[Program, Node], bool]:
    def lower(p: Program, node: Node) -> bool:
        dtype = node.operands[0].spec.dtype  # type: ignore[union-attr]
        where, initial = _options(node)
        start = _start_of(p, initial, dtype)
        if dtype.kind not in "biuf" or dtype == HALF or start is None:
            return False
        if not start:
            check_elements(p, node)
        p.names[node.outputs[0]] = extreme_of(p, source_of(p, node, where), name, dtype, start)
        return True

    return lower


def check_elements(p: Program, node: Node) -> None:
    """Fail where there is nothing to reduce."""
    dims = p.dims(node.operands[0])  # type: ignore[arg-type]
    if empty := [f"{dims[k]} == 0" for k in _axes(node) if not (dims[k].isdigit() and dims[k] != "0")]:
        p.guard(" or ".join(empty), node)


def extreme_of(p: Program, source: Source, name: str, dtype: np.dtype, start: str = "") -> str:
    """The least or the greatest elements; NaN if there is one."""
    if dtype.kind == "f":
        return reduced(p, source, name, dtype, start or f"{dtype.name}({LEAST[name]})", lambda t, e: f"{name}imum_float({t}, {e})")
    if dtype.kind == "b":
        return reduced(p, source, name, dtype, start or str(name == "min"), lambda t, e: f"{t} {'|' if name == 'max' else '&'} {e}")
    info = np.iinfo(dtype)
    worst = literal(info.min if name == "max" else info.max, dtype)
    return reduced(p, source, name, dtype, start or worst, lambda t, e: f"{dtype.name}({name}({t}, {e}))")


def _ptp(p: Program, node: Node) -> bool:
    """The difference of the extremes."""
    dtype = node.operands[0].spec.dtype  # type: ignore[union-attr]
    if dtype.kind not in "iuf" or dtype == HALF:
        return False
    check_elements(p, node)
    source = source_of(p, node)
    high, low = (extreme_of(p, source, name, dtype) for name in ("max", "min"))
    with nest(p, source.result) as index:
        p.emit(f"{index_of(high, index)} = {dtype.name}({index_of(high, index)} - {index_of(low, index)})")
    p.names[node.outputs[0]] = high
    return True


def _truth(start: str, template: str) -> Callable[[Program, Node], bool]:
    def lower(p: Program, node: Node) -> bool:
        given = node.operands[0].spec.dtype  # type: ignore[union-attr]
        where = node.operands[1] if len(node.operands) > 1 else None
        if len(node.operands) > 2 or node.outputs[0].spec.dtype != BOOL:
            return False
        step = lambda t, e: template.format(t, cast(e, given, BOOL))  # noqa: E731
        p.names[node.outputs[0]] = reduced(p, source_of(p, node, where), node.op.name, BOOL, start, step)
        return True

    return lower


def _count(p: Program, node: Node) -> bool:
    """The number of elements that aren't zero."""
    given, out = node.operands[0].spec.dtype, node.outputs[0]  # type: ignore[union-attr]
    if len(node.operands) > 1:
        return False
    step = lambda t, e: f"{t} + int64({cast(e, given, BOOL)})"  # noqa: E731
    p.names[out] = reduced(p, source_of(p, node), "count", np.dtype("int64"), "0", step)
    return True


def _position(sign: str) -> Callable[[Program, Node], bool]:
    """The first place of the extreme; the first NaN, if there is one."""

    def lower(p: Program, node: Node) -> bool:
        x, out = node.operands[0], node.outputs[0]
        dtype, ndim, axis = x.spec.dtype, x.spec.ndim, node.attributes["axis"]  # type: ignore[union-attr]
        if dtype.kind not in "biuf" or not ndim:
            return False
        text, dims = p.text(x), p.dims(x)  # type: ignore[arg-type]
        is_flat = axis is None and ndim > 1
        if is_flat:
            text, ndim = flattened(p, x), 1
            dims = [f"{text}.size"]
        axis = 0 if axis is None else axis % ndim
        index = [p.new("i") for _ in range(ndim)]
        if not (dims[axis].isdigit() and dims[axis] != "0"):
            p.guard(f"{dims[axis]} == 0", node)
        item = lambda i: f"{text}[{', '.join(i if k == axis else index[k] for k in range(ndim))}]"  # noqa: E731
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
                places = ["0"] * out.spec.ndim if is_flat else places
                p.emit(f"{target}[{', '.join(places)}] = {at}")

        _nest(p, index, dims, [k for k in range(ndim) if k != axis], search)
        p.names[out] = target
        return True

    return lower


def cumulative(sign: str, start: int, without: Callable[[float, np.dtype], Callable[[str], str]] | None = None) -> Callable[..., bool]:
    """Running totals along an axis; with what gives a number in place of NaN, if wanted."""

    def lower(p: Program, node: Node) -> bool:
        x, out, attrs = node.operands[0], node.outputs[0], node.attributes
        given, dtype, ndim = x.spec.dtype, out.spec.dtype, x.spec.ndim  # type: ignore[union-attr]
        if dtype.kind not in "iuf" or not ndim or out.spec.ndim != ndim or (attrs["axis"] is None and ndim > 1):
            return False
        axis = (attrs["axis"] or 0) % ndim
        shift = 1 if attrs.get("include_initial") else 0
        change = (lambda e: e) if without is None or given.kind != "f" else without(start, given)
        target = p.assign(out, p.allocation(out.spec), node.op.name)
        index, dims = [p.new("i") for _ in range(ndim)], p.dims(x)  # type: ignore[arg-type]
        total, first = p.new("total"), literal(start or (-0.0 if dtype.kind == "f" else 0), dtype)
        place = lambda text: f"{target}[{', '.join(text if k == axis else index[k] for k in range(ndim))}]"  # noqa: E731

        def run() -> None:
            p.emit(f"{total} = {first}")
            if shift:
                p.emit(f"{place('0')} = {literal(start, dtype)}")
            with p.block(f"for {index[axis]} in range({dims[axis]}):"):
                e = cast(f"{p.text(x)}[{', '.join(index)}]", given, dtype)
                p.emit(f"{total} = {dtype.name}({total} {sign} {change(e)})")
                p.emit(f"{place(f'{index[axis]} + {shift}' if shift else index[axis])} = {total}")

        _nest(p, index, dims, [k for k in range(ndim) if k != axis], run)
        return True

    return lower


def _accumulate(p: Program, node: Node) -> bool:
    """Each element combined with all before it along an axis, by a ufunc."""
    x, out, axis = node.operands[0], node.outputs[0], node.attributes["axis"]
    given, dtype, ndim = x.spec.dtype, out.spec.dtype, x.spec.ndim  # type: ignore[union-attr]
    template = template_of(node.attributes["ufunc"], dtype)
    if template is None or HALF in (given, dtype) or given != dtype or not isinstance(axis, int) or "{1}" not in template:
        return False
    if getattr(np, node.attributes["ufunc"]).resolve_dtypes((dtype, dtype, None))[2] != dtype:
        return False
    axis %= ndim
    target, total = p.assign(out, p.allocation(out.spec, p.dims(x)), "accumulated"), p.new("total")  # type: ignore[arg-type]
    index, dims = [p.new("i") for _ in range(ndim)], p.dims(x)  # type: ignore[arg-type]
    item = index_of(p.text(x), index)
    made = template.format(total, item, dtype=dtype.name)

    def run() -> None:
        p.emit(f"{total} = {literal(0, dtype)}")
        with p.block(f"for {index[axis]} in range({dims[axis]}):"):
            p.emit(f"{total} = {item} if {index[axis]} == 0 else {made if dtype.kind == 'b' else f'{dtype.name}({made})'}")
            p.emit(f"{index_of(target, index)} = {total}")

    _nest(p, index, dims, [k for k in range(ndim) if k != axis], run)
    return True


REDUCTIONS: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "sum": _sum,
    "mean": _mean,
    "var": _variance(False),
    "std": _variance(True),
    "prod": _prod,
    "ptp": _ptp,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "any": _truth("False", "{0} or {1}"),
    "all": _truth("True", "{0} and {1}"),
    "count_nonzero": _count,
    "argmax": _position(">"),
    "argmin": _position("<"),
    "ufunc_accumulate": _accumulate,
    "cumulative_sum": cumulative("+", 0),
    "cumulative_prod": cumulative("*", 1),
}
"""Reductions, and running totals."""
