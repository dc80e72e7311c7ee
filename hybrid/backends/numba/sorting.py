"""Sorting by NumPy's own functions, so that even equal elements come out in its order; searching in sorted arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from hybrid.backends.numba.gufuncs import different, fast_or_kernel, permuted
from hybrid.backends.numba.indexing import nest
from hybrid.backends.numba.native import flat_view
from hybrid.backends.numba.program import Program, cast, literal
from hybrid.core.spec import Spec
from hybrid.ir.graph import Node
from hybrid.ops._infer import axis_of

__all__ = ["SORTING"]

WORD: Final = ir.IntType(64)
POINTER: Final = ir.IntType(8).as_pointer()
INDEX: Final = np.dtype("int64")

SORT: Final = 21 + 12
ARGSORT: Final = SORT + 3
"""Where the functions are in NumPy's ``PyArray_ArrFuncs``: after 21 casts and twelve others; three for each purpose."""

KINDS: Final = {"quicksort": 0, "stable": 2, "mergesort": 2}
"""The place of the function that NumPy calls for an algorithm."""


# -- NumPy's functions ----------------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def _interface() -> Any:
    """NumPy's table of C functions; ``None`` if it isn't the one that is known here."""
    capsule = getattr(getattr(np, "_core", None), "_multiarray_umath", None)
    capsule = getattr(capsule, "_ARRAY_API", None)
    if capsule is None:
        return None
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = ctypes.cast(read(capsule, None), ctypes.POINTER(ctypes.c_void_p))
    version = ctypes.CFUNCTYPE(ctypes.c_uint)(table[0])
    return table if version() == 0x02000000 else None


@lru_cache(maxsize=128)
def _function(dtype: np.dtype, place: int) -> str | None:
    """The symbol of a function of a dtype, made known to LLVM."""
    table = _interface()
    if table is None or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    find = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(table[365])
    address = ctypes.cast(find(dtype), ctypes.POINTER(ctypes.c_void_p))[place]
    if not address:
        return None
    name = f"hybrid.sort.{place}.{dtype.name}"
    llvm.add_symbol(name, address)
    return name


@lru_cache(maxsize=128)
def _sort_rows(symbol: str) -> Callable[..., Any]:
    """``array -> whether it went well``: each row of an array in C order is sorted in place."""

    @intrinsic
    def call(typing_context: Any, array: Any) -> Any:
        if not isinstance(array, types.Array) or array.layout != "C":
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, count, size, row = _rows(context, builder, array, args[0])
            function = _declared(builder, symbol, [POINTER, WORD, POINTER])
            bad = cgutils.alloca_once_value(builder, ir.IntType(32)(0))
            with cgutils.for_range(builder, count) as loop:
                place = builder.gep(data, [builder.mul(loop.index, row)])
                _note(builder, bad, builder.call(function, [place, size, POINTER(None)]))
            return context.cast(builder, builder.icmp_signed("==", builder.load(bad), ir.IntType(32)(0)), types.boolean, types.boolean)

        return types.boolean(array), generate

    return call


@lru_cache(maxsize=128)
def _argsort_rows(symbol: str, is_first: bool = True) -> Callable[..., Any]:
    """``(array, places) -> whether it went well``: the places of the elements of each row, in order.

    Unless it is the first, places that are there are put in order by the elements.
    """

    @intrinsic
    def call(typing_context: Any, array: Any, places: Any) -> Any:
        if any(not isinstance(x, types.Array) or x.layout != "C" for x in (array, places)):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data, count, size, row = _rows(context, builder, array, args[0])
            into, _, _, own = _rows(context, builder, places, args[1])
            function = _declared(builder, symbol, [POINTER, POINTER, WORD, POINTER])
            bad = cgutils.alloca_once_value(builder, ir.IntType(32)(0))
            with cgutils.for_range(builder, count) as loop:
                place, target = (builder.gep(base, [builder.mul(loop.index, step)]) for base, step in ((data, row), (into, own)))
                if is_first:
                    numbers = builder.bitcast(target, WORD.as_pointer())
                    with cgutils.for_range(builder, size) as inner:
                        builder.store(inner.index, builder.gep(numbers, [inner.index]))
                _note(builder, bad, builder.call(function, [place, target, size, POINTER(None)]))
            return context.cast(builder, builder.icmp_signed("==", builder.load(bad), ir.IntType(32)(0)), types.boolean, types.boolean)

        return types.boolean(array, places), generate

    return call


def _rows(context: Any, builder: Any, kind: Any, value: Any) -> tuple[Any, Any, Any, Any]:
    """The address of an array, the number of its rows, the elements of a row, and its bytes."""
    array = context.make_array(kind)(context, builder, value)
    size = cgutils.unpack_tuple(builder, array.shape, kind.ndim)[-1]
    is_empty = builder.icmp_signed("==", size, WORD(0))
    count = builder.sdiv(array.nitems, builder.select(is_empty, WORD(1), size))
    return builder.bitcast(array.data, POINTER), count, size, builder.mul(size, array.itemsize)


def _declared(builder: Any, symbol: str, arguments: list[Any]) -> Any:
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), arguments), symbol)


def _note(builder: Any, bad: Any, answer: Any) -> None:
    builder.store(builder.or_(builder.load(bad), answer), bad)


# -- lowerings ------------------------------------------------------------------------------------------------------
def _kind(node: Node) -> int | None:
    """The place of the algorithm that an operation wants; descending order and others are the kernel's."""
    attrs = node.attributes
    name = attrs["kind"] or ("stable" if attrs["stable"] else "quicksort")
    return None if attrs["descending"] else KINDS.get(name)


def _prepared(p: Program, node: Node) -> tuple[str, list[int], list[str]] | None:
    """A copy of the operand with the axis to be sorted last; the order of its axes, and its sizes."""
    x, axis = node.operands[0], node.attributes["axis"]
    ndim = x.spec.ndim  # type: ignore[union-attr]
    if not ndim:
        return None
    name, dims = p.new("ordered"), p.dims(x)  # type: ignore[arg-type]
    if axis is None and ndim > 1:
        p.use("flat_view", flat_view)
        p.emit(f"{name} = flat_view(copied({p.text(x)}))")  # type: ignore[arg-type]
        return name, [0], [f"{name}.size"]
    axis = axis_of(axis or 0, ndim) if axis is not None else 0
    order = [*(k for k in range(ndim) if k != axis), axis]
    p.emit(f"{name} = copied({permuted(p, p.text(x), order)})")  # type: ignore[arg-type]
    return name, order, [dims[k] for k in order]


def _finish(p: Program, node: Node, name: str, order: list[int]) -> None:
    """Give the result its name, with the axes where they were."""
    back = [order.index(k) for k in range(len(order))]
    if back == list(range(len(order))):
        p.names[node.outputs[0]] = name
        return
    p.assign(node.outputs[0], f"copied({permuted(p, name, back)})", node.op.name)


def _check(p: Program, node: Node, kind: int, call: str) -> None:
    """Sorting in place needs no memory, and doesn't fail; merging does."""
    name = p.new("done")
    p.emit(f"{name} = {call}")
    if kind != KINDS["quicksort"]:
        p.guard(f"not {name}", node)


def _sort(p: Program, node: Node) -> bool:
    """The elements in ascending order."""
    kind = _kind(node)
    symbol = _function(node.outputs[0].spec.dtype, SORT + kind) if kind is not None else None
    if kind is None or symbol is None or (found := _prepared(p, node)) is None:
        return False
    name, order, _ = found
    call = p.use(symbol.replace(".", "_"), _sort_rows(symbol))
    _check(p, node, kind, f"{call}({name})")
    _finish(p, node, name, order)
    return True


def _argsort(p: Program, node: Node) -> bool:
    """The places of the elements in ascending order."""
    kind, dtype = _kind(node), node.operands[0].spec.dtype  # type: ignore[union-attr]
    symbol = _function(dtype, ARGSORT + kind) if kind is not None else None
    if kind is None or symbol is None or (found := _prepared(p, node)) is None:
        return False
    name, order, dims = found
    places = p.new("places")
    p.emit(f"{places} = {p.allocation(Spec(INDEX, (1,) * len(dims)), dims)}")
    call = p.use(symbol.replace(".", "_"), _argsort_rows(symbol))
    _check(p, node, kind, f"{call}({name}, {places})")
    _finish(p, node, places, order)
    return True


def _lexsort(p: Program, node: Node) -> bool:
    """The places that sort by several keys of one axis: each key in turn, the last one for good."""
    keys = node.operands[0]
    if not isinstance(keys, tuple) or any(x.spec.ndim != 1 for x in keys):  # type: ignore[union-attr]
        return False
    symbols = [_function(x.spec.dtype, ARGSORT + KINDS["stable"]) for x in keys]  # type: ignore[union-attr]
    if None in symbols:
        return False
    sizes = [p.dims(x)[0] for x in keys]  # type: ignore[arg-type]
    places, done = p.new("places"), p.new("done")

    def fast() -> None:
        p.emit(f"{places} = {p.allocation(Spec(INDEX, (1,)), sizes[:1])}")
        for n, (x, symbol) in enumerate(zip(keys, symbols, strict=True)):
            call = p.use(f"{symbol.replace('.', '_')}{'_on' * (n > 0)}", _argsort_rows(symbol, n == 0))  # type: ignore[union-attr]
            p.emit(f"{done} = {call}({p.contiguous(x)}, {places})")
            p.guard(f"not {done}", node)

    fast_or_kernel(p, node, different([(sizes[0], size) for size in sizes]), [places], fast)
    p.names[node.outputs[0]] = places
    return True


def _searchsorted(p: Program, node: Node) -> bool:
    """The places where elements would go in a sorted array, by bisection."""
    x, keys, *rest = node.operands
    out, side = node.outputs[0], node.attributes["side"]
    if (rest and rest[0] is not None) or side not in ("left", "right"):
        return False
    specs = x.spec, keys.spec  # type: ignore[union-attr]
    dtype = np.promote_types(specs[0].dtype, specs[1].dtype) if not specs[1].weak else specs[0].dtype
    if dtype.kind not in "iuf" or any(s.dtype.kind == "b" for s in specs) or (specs[1].weak and specs[1].dtype.kind != dtype.kind):
        return False
    if specs[1].weak and dtype not in (np.int64, np.float64):
        return False
    size = p.dims(x)[0]  # type: ignore[arg-type]
    item = lambda i: cast(f"{p.text(x)}[{i}]", specs[0].dtype, dtype)  # type: ignore[arg-type]  # noqa: E731

    low, high, middle, element, key = (p.new(base) for base in ("low", "high", "middle", "element", "key"))

    def search() -> None:
        with p.block(f"while {low} < {high}:"):
            p.emit(f"{middle} = ({low} + {high}) >> 1")
            p.emit(f"{element} = {item(middle)}")
            with p.block(f"if {_goes_on(element, key, side, dtype)}:"):
                p.emit(f"{low} = {middle} + 1")
            with p.block("else:"):
                p.emit(f"{high} = {middle}")

    p.emit(f"{low} = 0")
    p.emit(f"{high} = {size}")
    if not out.spec.shape:
        p.emit(f"{key} = {p.cast(keys, dtype)}")
        search()
        p.names[out] = low
        return True
    last, target = p.new("last"), p.assign(out, p.allocation(out.spec, p.dims(keys)), "places")  # type: ignore[arg-type]
    p.emit(f"{last} = {literal(0, dtype)}")
    with nest(p, p.dims(keys)) as index:  # type: ignore[arg-type]
        place = ", ".join(index)
        p.emit(f"{key} = {cast(f'{p.text(keys)}[{place}]', specs[1].dtype, dtype)}")  # type: ignore[arg-type]
        with p.block(f"if {_goes_on(last, key, side, dtype)}:"):  # as NumPy goes on from key to key: it matters where nothing is sorted
            p.emit(f"{high} = {size}")
        with p.block("else:"):
            p.emit(f"{low} = 0")
            p.emit(f"{high} = {high} + 1 if {high} < {size} else {size}")
        p.emit(f"{last} = {key}")
        search()
        p.emit(f"{target}[{place}] = {low}")
    return True


def _goes_on(element: str, key: str, side: str, dtype: np.dtype) -> str:
    """Whether a key's place is behind an element; NaN comes last."""
    is_float = dtype.kind == "f"
    if side == "left":
        return f"{element} < {key}" + (f" or ({key} != {key} and {element} == {element})" if is_float else "")
    return f"{element} <= {key}" + (f" or {key} != {key}" if is_float else "")


SORTING: Final[dict[str, Callable[[Program, Node], bool]]] = {
    "sort": _sort,
    "argsort": _argsort,
    "lexsort": _lexsort,
    "searchsorted": _searchsorted,
}
"""Sorting and searching."""
