"""Native types of a graph's values, and the small intrinsics that generated programs use."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from hybrid.backends.numba.memory import strides_fit
from hybrid.core.spec import Spec

__all__ = [
    "CHECKED",
    "HALF",
    "array_type",
    "extent",
    "flat_view",
    "host_call",
    "is_contiguous",
    "item_type",
    "native_type",
    "null_result",
    "reshaped",
]

HALF: Final = np.dtype("float16")
"""Kept as its bits in arrays, and as the float32 of the same value where there are no axes."""


def item_type(dtype: np.dtype) -> types.Type:
    """The type of one number in a variable."""
    return types.float32 if dtype == HALF else from_dtype(dtype)


def array_type(dtype: np.dtype, ndim: int) -> types.Array:
    """The type of an array in C order."""
    return types.Array(types.uint16 if dtype == HALF else from_dtype(dtype), ndim, "C")


def native_type(spec: Spec) -> types.Type:
    """The type of a value: a scalar for no axes."""
    return array_type(spec.dtype, spec.ndim) if spec.shape else item_type(spec.dtype)


@lru_cache(maxsize=1024)
def null_result(results: tuple[types.Type, ...]) -> Callable[..., Any]:
    """``() -> (False, *nothing)``: what a program returns when it fails."""
    made = types.Tuple((types.boolean, *results))

    @intrinsic
    def failure(typing_context: Any) -> Any:
        return made(), lambda context, builder, signature, args: ir.Constant(context.get_value_type(made), None)

    return failure


@intrinsic
def flat_view(typing_context: Any, array: Any) -> Any:
    """All elements of an array in C order as one axis, without a copy."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None
    flat = array.copy(ndim=1)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        view = context.make_array(flat)(context, builder)
        for name in ("data", "meminfo", "parent", "itemsize", "nitems"):
            setattr(view, name, getattr(source, name))
        view.shape = cgutils.pack_array(builder, [source.nitems])
        view.strides = cgutils.pack_array(builder, [source.itemsize])
        context.nrt.incref(builder, flat, view._getvalue())
        return view._getvalue()

    return flat(array), generate


@intrinsic
def reshaped(typing_context: Any, array: Any, shape: Any) -> Any:
    """An array in C order with other sizes, as many elements in all, without a copy."""
    if not isinstance(array, types.Array) or array.layout != "C":
        return None
    made = array.copy(ndim=len(shape))

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(array)(context, builder, args[0])
        view = context.make_array(made)(context, builder)
        for name in ("data", "meminfo", "parent", "itemsize", "nitems"):
            setattr(view, name, getattr(source, name))
        sizes, strides, inner = cgutils.unpack_tuple(builder, args[1], len(shape)), [], source.itemsize
        for size in reversed(sizes):
            strides.insert(0, inner)
            inner = builder.mul(inner, size)
        view.shape, view.strides = cgutils.pack_array(builder, sizes), cgutils.pack_array(builder, strides)
        context.nrt.incref(builder, made, view._getvalue())
        return view._getvalue()

    return made(array, types.UniTuple(types.int64, len(shape))), generate


@intrinsic
def extent(typing_context: Any, size: Any) -> Any:
    """An array that is only a size: it has no memory, and its elements must not be read."""
    made = array_type(np.dtype("bool"), 1)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(made)(context, builder, value=ir.Constant(context.get_value_type(made), None))
        array.nitems = args[0]
        array.itemsize = ir.Constant(args[0].type, 1)
        array.shape = cgutils.pack_array(builder, [args[0]])
        array.strides = cgutils.pack_array(builder, [ir.Constant(args[0].type, 1)])
        return array._getvalue()

    return made(types.int64), generate


@intrinsic
def is_contiguous(typing_context: Any, array: Any) -> Any:
    """Whether the strides of an array are those of C order, as far as they matter."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return strides_fit(builder, context.make_array(array)(context, builder, args[0]), array.ndim)

    return types.boolean(array), generate


# -- checked arithmetic ---------------------------------------------------------------------------------------------
def _checked(operation: str) -> Callable[..., Any]:
    """``(a, b) -> (result, whether it overflowed)`` for 64-bit integers."""
    made = types.Tuple((types.int64, types.boolean))

    @intrinsic
    def arithmetic(typing_context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pair = getattr(builder, operation)(*args)
            flag = context.cast(builder, builder.extract_value(pair, 1), types.boolean, types.boolean)
            return context.make_tuple(builder, made, [builder.extract_value(pair, 0), flag])

        return made(types.int64, types.int64), generate

    return arithmetic


CHECKED: Final = {
    "add": _checked("sadd_with_overflow"),
    "sub": _checked("ssub_with_overflow"),
    "mul": _checked("smul_with_overflow"),
}
"""Arithmetic of Python integers."""


# -- calling Python -------------------------------------------------------------------------------------------------
@lru_cache(maxsize=4096)
def host_call(results: tuple[types.Type, ...]) -> Callable[..., Any]:
    """``(host, number, arguments) -> (whether it went well, *results)``: call the Python callable at an address.

    The callable gets the number and the arguments as Python objects, which share the memory of arrays, and returns a tuple of
    results, or ``None`` for a failure. The work is done in a function of its own that is kept out of line.
    """
    made = types.Tuple((types.boolean, *results))

    @intrinsic
    def call(typing_context: Any, host: Any, number: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = cgutils.unpack_tuple(builder, args[2], len(arguments))
            function = _outlined(context, builder.module, list(arguments), results, [v.type for v in values], made)
            result = cgutils.alloca_once(builder, context.get_value_type(made))
            places = [cgutils.alloca_once_value(builder, v) for v in values]
            builder.call(function, [result, args[0], args[1], *places])
            return builder.load(result)

        return made(types.intp, types.intp, arguments), generate

    return call


def _outlined(context: Any, module: Any, arguments: Sequence[Any], results: Sequence[Any], values: Sequence[Any], made: Any) -> Any:
    key = hashlib.sha256(repr((arguments, results)).encode()).hexdigest()[:16]
    name = f"host_call.{key}"
    if name in module.globals:
        return module.globals[name]
    word = context.get_value_type(types.intp)
    head = [context.get_value_type(made).as_pointer(), word, word]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [*head, *(v.as_pointer() for v in values)]), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    _write_call(context, function, arguments, results)
    return function


def _write_call(context: Any, function: Any, arguments: Sequence[Any], results: Sequence[Any]) -> None:
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    out, host, number, *places = function.args
    api = context.get_python_api(builder)
    cell = builder.load(context.declare_env_global(builder.module, context.get_env_name(context.fndesc)))
    environment = api.get_env_manager(context.environment, context.get_env_body(builder, cell), cell)
    builder.store(ir.Constant(out.type.pointee, None), out)
    packed = api.tuple_new(len(places) + 1)
    api.tuple_setitem(packed, 0, api.long_from_ssize_t(number))
    for i, (kind, place) in enumerate(zip(arguments, places, strict=True)):
        value = builder.load(place)
        context.nrt.incref(builder, kind, value)
        api.tuple_setitem(packed, i + 1, api.from_native_value(kind, value, environment))
    answer = api.call(builder.inttoptr(host, api.pyobj), packed)
    api.decref(packed)
    with builder.if_then(builder.icmp_unsigned("!=", answer, api.borrow_none())):
        values = [api.to_native_value(kind, api.tuple_getitem(answer, i)).value for i, kind in enumerate(results)]
        flag = ir.Constant(context.get_value_type(types.boolean), 1)
        aggregate = ir.Constant(out.type.pointee, None)
        for i, value in enumerate([flag, *values]):
            aggregate = builder.insert_value(aggregate, value, i)
        builder.store(aggregate, out)
    api.decref(answer)
    builder.ret_void()
