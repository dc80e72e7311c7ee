"""The inner loops of NumPy's and SciPy's universal functions, called from native code: their results to the last bit.

A ufunc has one compiled loop for each combination of dtypes: ``loop(addresses, sizes, strides, data)``, without Python. The addresses are
in ``PyUFuncObject``, which is part of NumPy's C interface. Native code knows them by names that are given to LLVM when a program
is written, so that object code from the disk holds no address.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = ["Loop", "core_call", "loop_of", "reduce_call", "scalar_call"]

WORD: Final = ir.IntType(64)
POINTER: Final = ir.IntType(8).as_pointer()
LOOP: Final = ir.FunctionType(ir.VoidType(), [POINTER.as_pointer(), WORD.as_pointer(), WORD.as_pointer(), POINTER])


class _Ufunc(ctypes.Structure):
    """The beginning of NumPy's ``PyUFuncObject``."""

    _fields_ = (
        ("head", ctypes.c_byte * object.__basicsize__),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_void_p),
        ("types", ctypes.c_void_p),
    )


@dataclass(frozen=True, slots=True)
class Loop:
    """An inner loop that native code can call.

    Attributes:
        name: what it is called in generated programs, and a part of its symbols.
        has_data: whether it wants the data that belongs to it.
        nin: the number of its inputs.
        dtypes: those of its inputs and outputs.
    """

    name: str
    has_data: bool
    nin: int
    dtypes: tuple[np.dtype, ...]


@lru_cache(maxsize=2048)
def loop_of(ufunc: np.ufunc, dtypes: tuple[np.dtype, ...]) -> Loop | None:
    """The loop of a ufunc for the dtypes of inputs and outputs, made known to LLVM; ``None`` if there is none."""
    record = _Ufunc.from_address(id(ufunc))
    if (record.nin, record.nout, record.nargs, record.ntypes) != (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes):
        return None
    if len(dtypes) != ufunc.nargs or not ufunc.ntypes or not record.types:
        return None
    table, wanted = ctypes.string_at(record.types, record.ntypes * record.nargs), bytes(d.num for d in dtypes)
    k = next((k for k in range(record.ntypes) if table[k * record.nargs : (k + 1) * record.nargs] == wanted), None)
    if k is None or not record.functions[k]:
        return None
    letters = "".join("t" if d.kind == "b" else d.char for d in dtypes)
    name = f"{ufunc.__name__}_{letters[: ufunc.nin]}_{letters[ufunc.nin :]}"
    data = record.data[k] if record.data else None
    llvm.add_symbol(f"hybrid.{name}", record.functions[k])
    if data:
        llvm.add_symbol(f"hybrid.{name}.data", data)
    return Loop(name, bool(data), ufunc.nin, dtypes)


# -- calls ----------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=1024)
def scalar_call(loop: Loop) -> Callable[..., Any]:
    """``numbers -> number``, or a tuple of numbers if the ufunc has several results."""
    results = tuple(map(_item, loop.dtypes[loop.nin :]))
    made = results[0] if len(results) == 1 else types.Tuple(results)
    wanted = tuple(map(_item, loop.dtypes[: loop.nin]))

    @intrinsic
    def call(typing_context: Any, *numbers: Any) -> Any:
        if len(numbers) == 1 and isinstance(numbers[0], types.BaseTuple):
            numbers = tuple(numbers[0])
        if len(numbers) != len(wanted):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            given = cgutils.unpack_tuple(builder, args[0], len(wanted))
            places = [_stored(context, builder, kind, value) for kind, value in zip(wanted, given, strict=True)]
            outputs = [_place(context, builder, kind) for kind in results]
            addresses = [builder.bitcast(x, POINTER) for x in (*places, *outputs)]
            _invoke(builder, loop, addresses, [ir.Constant(WORD, 1)], [ir.Constant(WORD, 0)] * len(addresses))
            values = [_loaded(context, builder, kind, place) for kind, place in zip(results, outputs, strict=True)]
            return values[0] if len(results) == 1 else context.make_tuple(builder, made, values)

        return made(types.StarArgTuple(wanted)), generate

    return call


@lru_cache(maxsize=1024)
def core_call(loop: Loop, cores: tuple[tuple[str, ...], ...], results: tuple[types.Type, ...] = ()) -> Callable[..., Any]:
    """``(*inputs, *outputs) -> results``: a generalised ufunc over stacks, which broadcast to that of the last array.

    Args:
        loop: what is called.
        cores: the names of the core axes of each operand; a name with ``?`` stands for an axis that is absent, of size 1.
        results: the types of outputs that are numbers; they come last among the outputs, and are returned.
    """
    made = types.none if not results else results[0] if len(results) == 1 else types.Tuple(results)

    @intrinsic
    def call(typing_context: Any, *arrays: Any) -> Any:
        kinds = tuple(arrays[0]) if len(arrays) == 1 and isinstance(arrays[0], types.BaseTuple) else tuple(arrays)
        if len(kinds) + len(results) != len(cores):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = cgutils.unpack_tuple(builder, args[0], len(kinds))
            operands = [_Operand.of(context, builder, k, v, core) for k, v, core in zip(kinds, values, cores, strict=False)]
            outputs = [_place(context, builder, kind) for kind in results]
            operands += [_Operand(builder.bitcast(place, POINTER), (), (), ()) for place in outputs]
            _over_stacks(builder, loop, operands, cores)
            found = [_loaded(context, builder, kind, place) for kind, place in zip(results, outputs, strict=True)]
            if not results:
                return context.get_dummy_value()
            return found[0] if len(found) == 1 else context.make_tuple(builder, made, found)

        return made(types.StarArgTuple(kinds)), generate

    return call


@lru_cache(maxsize=256)
def reduce_call(loop: Loop) -> Callable[..., Any]:
    """``(initial, array, first, count, stride) -> number``: a binary ufunc over elements of an array, as its ``reduce`` does it.

    Where the first element is and how far the elements lie apart is told in bytes.
    """
    item = _item(loop.dtypes[0])

    @intrinsic
    def call(typing_context: Any, initial: Any, array: Any, first: Any, count: Any, stride: Any) -> Any:
        if not isinstance(array, types.Array):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _stored(context, builder, item, args[0])
            total = builder.bitcast(place, POINTER)
            data = builder.bitcast(context.make_array(array)(context, builder, args[1]).data, POINTER)
            zero = ir.Constant(WORD, 0)
            _invoke(builder, loop, [total, builder.gep(data, [args[2]]), total], [args[3]], [zero, args[4], zero])
            return _loaded(context, builder, item, place)

        return item(item, array, types.int64, types.int64, types.int64), generate

    return call


@dataclass(frozen=True, slots=True)
class _Operand:
    """The address of an operand, the sizes and strides of its stack, and those of its core."""

    address: Any
    sizes: Sequence[Any]
    strides: Sequence[Any]
    core: Sequence[tuple[str, Any, Any]]

    @classmethod
    def of(cls, context: Any, builder: Any, kind: Any, value: Any, labels: Sequence[str]) -> _Operand:
        if not isinstance(kind, types.Array):
            place = builder.bitcast(_stored(context, builder, kind, value), POINTER)
            return cls(place, (), (), [(label, None, ir.Constant(WORD, 0)) for label in labels])
        array = context.make_array(kind)(context, builder, value)
        sizes, strides = (cgutils.unpack_tuple(builder, t, kind.ndim) for t in (array.shape, array.strides))
        split = kind.ndim - sum(not label.endswith("?") for label in labels)
        known = iter(zip(sizes[split:], strides[split:], strict=True))
        absent = ir.Constant(WORD, 1), ir.Constant(WORD, 0)
        core = [(label, *(absent if label.endswith("?") else next(known))) for label in labels]
        return cls(builder.bitcast(array.data, POINTER), sizes[:split], strides[:split], core)


def _over_stacks(builder: Any, loop: Loop, operands: Sequence[_Operand], cores: Sequence[Sequence[str]]) -> None:
    """Call a loop for each place in all axes of the stack but the last, over which it goes itself."""
    stack = max((x.sizes for x in operands), key=len)
    if any(len(x.sizes) == len(stack) for x in operands[loop.nin :]):
        stack = next(x.sizes for x in operands[loop.nin :] if len(x.sizes) == len(stack))
    core = {label.rstrip("?"): size for x in operands[::-1] for label, size, _ in x.core[::-1]}
    labels = list(dict.fromkeys(label.rstrip("?") for labels in cores for label in labels))
    steps = [[_step(builder, x, k - len(stack)) for k in range(len(stack))] for x in operands]
    inner = [step for x in operands for _, _, step in x.core]
    sizes = [stack[-1] if stack else ir.Constant(WORD, 1), *(core[label] for label in labels)]
    strides = [s[-1] if stack else ir.Constant(WORD, 0) for s in steps] + inner
    with cgutils.loop_nest(builder, list(stack[:-1]), WORD) as index:
        places = []
        for x, own in zip(operands, steps, strict=True):
            offset = ir.Constant(WORD, 0)
            for i, step in zip(index, own[:-1], strict=True):
                offset = builder.add(offset, builder.mul(i, step))
            places.append(builder.gep(x.address, [offset]))
        _invoke(builder, loop, places, sizes, strides)


def _step(builder: Any, operand: _Operand, k: int) -> Any:
    """The stride of an operand along an axis of the stack, counted from the end: 0 where it is repeated."""
    zero = ir.Constant(WORD, 0)
    if -k > len(operand.sizes):
        return zero
    return builder.select(builder.icmp_signed("==", operand.sizes[k], ir.Constant(WORD, 1)), zero, operand.strides[k])


def _invoke(builder: Any, loop: Loop, places: Sequence[Any], sizes: Sequence[Any], strides: Sequence[Any]) -> None:
    function = cgutils.get_or_insert_function(builder.module, LOOP, f"hybrid.{loop.name}")
    data = ir.Constant(POINTER, None)
    if loop.has_data:
        name = f"hybrid.{loop.name}.data"
        found = builder.module.globals.get(name) or ir.GlobalVariable(builder.module, POINTER.pointee, name)
        data = builder.bitcast(found, POINTER)
    lists = [_list(builder, values) for values in (places, sizes, strides)]
    builder.call(function, [*lists, data])


def _list(builder: Any, values: Sequence[Any]) -> Any:
    """Values one after the other on the stack."""
    place = cgutils.alloca_once(builder, values[0].type, size=len(values))
    for i, value in enumerate(values):
        builder.store(value, builder.gep(place, [ir.Constant(WORD, i)]))
    return place


# -- numbers --------------------------------------------------------------------------------------------------------
def _item(dtype: np.dtype) -> types.Type:
    return types.boolean if dtype.kind == "b" else getattr(types, dtype.name)


def _place(context: Any, builder: Any, kind: types.Type) -> Any:
    return cgutils.alloca_once(builder, context.get_data_type(kind))


def _stored(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    place = _place(context, builder, kind)
    builder.store(context.data_model_manager[kind].as_data(builder, value), place)
    return place


def _loaded(context: Any, builder: Any, kind: types.Type, place: Any) -> Any:
    return context.data_model_manager[kind].from_data(builder, builder.load(place))
