"""Views that Numba's own slicing is slow to compile for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = ["diagonal_view", "piece_view"]


@lru_cache(maxsize=256)
def piece_view(axis: int) -> Callable[..., Any]:
    """``(array, start, stop) -> view`` of the positions along an axis from start up to stop."""

    @intrinsic
    def piece(typing_context: Any, array: Any, start: Any, stop: Any) -> Any:
        if not isinstance(array, types.Array):
            return None
        made = array.copy(layout="C" if axis == 0 and array.layout == "C" else "A")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = context.make_array(array)(context, builder, args[0])
            sizes, strides = (cgutils.unpack_tuple(builder, t, array.ndim) for t in (source.shape, source.strides))
            sizes[axis] = builder.sub(args[2], args[1])
            return _view(context, builder, array, args[0], made, builder.mul(args[1], strides[axis]), sizes, strides)

        return made(array, types.int64, types.int64), generate

    return piece


@lru_cache(maxsize=256)
def diagonal_view(axis1: int, axis2: int, offset: int) -> Callable[..., Any]:
    """``(array, size) -> view``: the other axes, then one along a diagonal."""

    @intrinsic
    def diagonal(typing_context: Any, array: Any, size: Any) -> Any:
        if not isinstance(array, types.Array):
            return None
        made = array.copy(ndim=array.ndim - 1, layout="A")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = context.make_array(array)(context, builder, args[0])
            sizes, strides = (cgutils.unpack_tuple(builder, t, array.ndim) for t in (source.shape, source.strides))
            others = [k for k in range(array.ndim) if k not in (axis1, axis2)]
            first = builder.mul(strides[axis2 if offset > 0 else axis1], ir.Constant(args[1].type, abs(offset)))
            first = builder.select(builder.icmp_signed(">", args[1], ir.Constant(args[1].type, 0)), first, ir.Constant(args[1].type, 0))
            steps = [*(strides[k] for k in others), builder.add(strides[axis1], strides[axis2])]
            return _view(context, builder, array, args[0], made, first, [*(sizes[k] for k in others), args[1]], steps)

        return made(array, types.int64), generate

    return diagonal


def _view(context: Any, builder: Any, array: Any, base: Any, made: Any, offset: Any, sizes: Any, strides: Any) -> Any:
    """A view of an array that begins some bytes later and has other sizes and strides."""
    source = context.make_array(array)(context, builder, base)
    view = context.make_array(made)(context, builder)
    for name in ("meminfo", "parent", "itemsize"):
        setattr(view, name, getattr(source, name))
    count = ir.Constant(source.itemsize.type, 1)
    for size in sizes:
        count = builder.mul(count, size)
    view.nitems = count
    view.data = cgutils.pointer_add(builder, source.data, offset, return_type=source.data.type)
    view.shape, view.strides = cgutils.pack_array(builder, sizes), cgutils.pack_array(builder, strides)
    context.nrt.incref(builder, made, view._getvalue())
    return view._getvalue()
