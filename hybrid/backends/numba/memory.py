"""Copying and filling of arrays as single intrinsics: Numba's own are many times slower to compile."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import _empty_nd_impl, load_item, store_item

__all__ = ["MEMORY", "allocator", "strides_fit", "transposed"]


@lru_cache(maxsize=256)
def allocator(made: types.Array) -> Callable[..., Any]:
    """``sizes -> array`` without content, in C order."""

    @intrinsic
    def allocate(typing_context: Any, sizes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _empty_nd_impl(context, builder, made, cgutils.unpack_tuple(builder, args[0], made.ndim))._getvalue()

        return made(types.UniTuple(types.intp, made.ndim)), generate

    return allocate


@intrinsic
def copied(typing_context: Any, array: Any) -> Any:
    """A new array in C order with the elements of another."""
    if not isinstance(array, types.Array):
        return None
    made = types.Array(array.dtype, array.ndim, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        target = _empty_nd_impl(context, builder, made, cgutils.unpack_tuple(builder, source.shape, array.ndim))
        _copy(context, builder, made, target, array, source)
        return target._getvalue()

    return made(array), generate


@intrinsic
def in_order(typing_context: Any, array: Any) -> Any:
    """The array itself if it is in C order, else a copy that is."""
    if not isinstance(array, types.Array):
        return None
    made = types.Array(array.dtype, array.ndim, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        result = cgutils.alloca_once(builder, context.get_value_type(made))
        with builder.if_else(strides_fit(builder, source, array.ndim)) as (then, otherwise):
            with then:
                context.nrt.incref(builder, array, args[0])
                builder.store(args[0], result)
            with otherwise:
                target = _empty_nd_impl(context, builder, made, cgutils.unpack_tuple(builder, source.shape, array.ndim))
                _copy(context, builder, made, target, array, source)
                builder.store(target._getvalue(), result)
        return builder.load(result)

    return made(array), generate


@intrinsic
def copy_into(typing_context: Any, target: Any, source: Any) -> Any:
    """Give an array the elements of another one of the same sizes and dtype, which doesn't overlap with it."""
    if not isinstance(target, types.Array) or not isinstance(source, types.Array) or target.ndim != source.ndim:
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        into, out_of = (context.make_array(t)(context, builder, a) for t, a in zip((target, source), args, strict=True))
        _copy(context, builder, target, into, source, out_of)
        return context.get_dummy_value()

    return types.void(target, source), generate


@intrinsic
def fill(typing_context: Any, array: Any, number: Any) -> Any:
    """Give all elements of an array the same value."""
    if not isinstance(array, types.Array):
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        value = context.cast(builder, args[1], number, array.dtype)
        if array.layout == "C":
            with cgutils.for_range(builder, source.nitems) as loop:
                store_item(context, builder, array, value, builder.gep(source.data, [loop.index]))
            return context.get_dummy_value()
        with _everywhere(builder, source, array.ndim) as index:
            store_item(context, builder, array, value, _place(context, builder, array, source, index))
        return context.get_dummy_value()

    return types.void(array, number), generate


@intrinsic
def clear(typing_context: Any, array: Any) -> Any:
    """Set all bits of an array in C order to zero."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        cgutils.memset(builder, source.data, builder.mul(source.nitems, source.itemsize), 0)
        return context.get_dummy_value()

    return types.void(array), generate


@lru_cache(maxsize=256)
def transposed(axes: tuple[int, ...]) -> Callable[..., Any]:
    """``array -> view`` with the axes in another order."""

    @intrinsic
    def permute(typing_context: Any, array: Any) -> Any:
        if not isinstance(array, types.Array) or array.ndim != len(axes):
            return None
        made = array.copy(layout=array.layout if axes == tuple(range(array.ndim)) else "A")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = context.make_array(array)(context, builder, args[0])
            view = context.make_array(made)(context, builder)
            for name in ("data", "meminfo", "parent", "itemsize", "nitems"):
                setattr(view, name, getattr(source, name))
            for name in ("shape", "strides"):
                parts = cgutils.unpack_tuple(builder, getattr(source, name), array.ndim)
                setattr(view, name, cgutils.pack_array(builder, [parts[k] for k in axes]))
            context.nrt.incref(builder, made, view._getvalue())
            return view._getvalue()

        return made(array), generate

    return permute


def strides_fit(builder: Any, source: Any, ndim: int) -> Any:
    """Whether the strides of an array are those of C order, as far as they matter."""
    sizes, strides = (cgutils.unpack_tuple(builder, t, ndim) for t in (source.shape, source.strides))
    inner, fits = source.itemsize, ir.Constant(ir.IntType(1), 1)
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        matters = builder.icmp_signed(">", size, ir.Constant(size.type, 1))
        differs = builder.icmp_signed("!=", stride, inner)
        fits = builder.and_(fits, builder.not_(builder.and_(matters, differs)))
        inner = builder.mul(inner, size)
    return builder.or_(fits, builder.icmp_signed("==", source.nitems, ir.Constant(source.nitems.type, 0)))


# -- building blocks ------------------------------------------------------------------------------------------------
def _copy(context: Any, builder: Any, target_type: Any, target: Any, source_type: Any, source: Any) -> None:
    if target_type.layout == source_type.layout == "C":
        cgutils.raw_memmove(builder, target.data, source.data, source.nitems, source.itemsize)
        return
    with _everywhere(builder, source, source_type.ndim) as index:
        value = load_item(context, builder, source_type, _place(context, builder, source_type, source, index))
        store_item(context, builder, target_type, value, _place(context, builder, target_type, target, index))


def _everywhere(builder: Any, array: Any, ndim: int) -> Any:
    return cgutils.loop_nest(builder, cgutils.unpack_tuple(builder, array.shape, ndim), array.shape.type.element)


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return cgutils.get_item_pointer(context, builder, kind, array, index, wraparound=False, boundscheck=False)


MEMORY: Final[dict[str, Any]] = {
    "clear": clear,
    "copied": copied,
    "copy_into": copy_into,
    "fill": fill,
    "in_order": in_order,
}
"""The names of those that every program knows."""
