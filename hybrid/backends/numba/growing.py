"""Rows that grow and shrink at their end, in memory that has room for more of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.runtime.nrtdynmod import _meminfo_struct_type
from numba.extending import intrinsic
from numba.np.arrayobj import _empty_nd_impl

from hybrid.backends.numba.program import Program
from hybrid.ir.graph import Node

__all__ = ["GROWING"]

FEWEST: Final = 8
"""The number of rows for which there is room at first."""

SIZE: Final = 4
"""Where Numba's record of a piece of memory has its number of bytes."""


@intrinsic
def grown(typing_context: Any, array: Any, takes_over: Any) -> Any:
    """The rows of an array in C order, and one more without content; in the same memory if it ``takes_over`` and that has room."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        sizes = cgutils.unpack_tuple(builder, source.shape, array.ndim)
        longer = builder.add(sizes[0], ir.Constant(sizes[0].type, 1))
        row = _row_bytes(builder, source, sizes)
        result = cgutils.alloca_once(builder, context.get_value_type(array))
        has_room = builder.and_(args[1], _has_room(context, builder, source, builder.mul(longer, row)))
        with builder.if_else(has_room) as (then, otherwise):
            with then:
                context.nrt.incref(builder, array, args[0])
                builder.store(_resized(context, builder, array, source, [longer, *sizes[1:]]), result)
            with otherwise:
                twice = builder.add(builder.shl(sizes[0], ir.Constant(sizes[0].type, 1)), ir.Constant(sizes[0].type, FEWEST))
                made = _empty_nd_impl(context, builder, array, [twice, *sizes[1:]])
                cgutils.raw_memmove(builder, made.data, source.data, source.nitems, source.itemsize)
                builder.store(_resized(context, builder, array, made, [longer, *sizes[1:]]), result)
        return builder.load(result)

    return array(array, types.boolean), generate


@intrinsic
def shortened(typing_context: Any, array: Any) -> Any:
    """The rows of an array in C order but for the last one, in the same memory."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        sizes = cgutils.unpack_tuple(builder, source.shape, array.ndim)
        zero = ir.Constant(sizes[0].type, 0)
        less = builder.sub(sizes[0], ir.Constant(sizes[0].type, 1))
        shorter = builder.select(builder.icmp_signed(">", less, zero), less, zero)
        context.nrt.incref(builder, array, args[0])
        return _resized(context, builder, array, source, [shorter, *sizes[1:]])

    return array(array), generate


def _row_bytes(builder: Any, source: Any, sizes: list[Any]) -> Any:
    bytes_ = source.itemsize
    for size in sizes[1:]:
        bytes_ = builder.mul(bytes_, size)
    return bytes_


def _has_room(context: Any, builder: Any, source: Any, wanted: Any) -> Any:
    """Whether there is memory for so many bytes where an array begins; memory that Python made counts as full."""
    word = source.itemsize.type
    has_memory = cgutils.is_not_null(builder, source.meminfo)
    room = cgutils.alloca_once_value(builder, ir.Constant(word, 0))
    with builder.if_then(has_memory):
        start = context.nrt.meminfo_data(builder, source.meminfo)
        offset = builder.sub(builder.ptrtoint(source.data, word), builder.ptrtoint(start, word))
        header = builder.bitcast(source.meminfo, _meminfo_struct_type.as_pointer())
        size = builder.load(cgutils.gep_inbounds(builder, header, 0, SIZE))
        builder.store(builder.sub(size, offset), room)
    return builder.icmp_signed("<=", wanted, builder.load(room))


def _resized(context: Any, builder: Any, kind: types.Array, source: Any, sizes: list[Any]) -> Any:
    """An array over the same memory with another number of rows."""
    made = context.make_array(kind)(context, builder)
    for name in ("data", "meminfo", "parent", "itemsize", "strides"):
        setattr(made, name, getattr(source, name))
    made.shape = cgutils.pack_array(builder, sizes)
    items = sizes[0]
    for size in sizes[1:]:
        items = builder.mul(items, size)
    made.nitems = items
    return made._getvalue()


def _append(p: Program, node: Node) -> bool:
    """A further row; where the rows are of no other use, in their memory."""
    x, row, out = *node.operands, node.outputs[0]
    if row.spec.shape != x.spec.shape[1:]:  # type: ignore[union-attr]
        return False
    name = p.assign(out, f"{p.use('grown', grown)}({p.contiguous(x)}, {node in p.plan.in_place})", "rows")
    place = f"{name}[{name}.shape[0] - 1]"
    if row.spec.shape:  # type: ignore[union-attr]
        p.emit(f"copy_into({place}, {p.text(row)})")
    else:
        p.emit(f"{place} = {p.cast(row, x.spec.dtype)}")  # type: ignore[union-attr]
    return True


def _drop(p: Program, node: Node) -> bool:
    """One row less."""
    x = node.operands[0]
    text = p.contiguous(x) if node in p.plan.in_place else f"copied({p.text(x)})"
    p.assign(node.outputs[0], f"{p.use('shortened', shortened)}({text})", "rows")
    return True


GROWING: Final[dict[str, Callable[[Program, Node], bool]]] = {"append_row": _append, "drop_row": _drop}
"""Operations on lists of unknown length."""
