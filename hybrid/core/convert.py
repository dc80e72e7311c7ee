"""Making tensors of other things."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.dtypes import as_dtype
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.kinds import NUMBERS, SUPPORTED
from hybrid.core.operators import Operators
from hybrid.core.refusal import described, is_foreign, refusal, refuse_mask
from hybrid.core.table import OPS
from hybrid.core.tensor import CPU, Eager, Tensor, unwrap, wrap
from hybrid.errors import DTypeError

__all__ = ["asarray", "constant", "from_dlpack"]


def asarray(obj: Any, /, *, dtype: Any = None, device: str | None = None, copy: bool | None = None) -> Any:
    """A tensor of an array, a number, a buffer or nested sequences of them.

    Args:
        obj: what to convert; memory is shared with NumPy arrays and tensors unless ``copy`` or a dtype asks for new memory.
        dtype: the dtype of the result; NumPy's choice if not given.
        device: ``"cpu"`` or ``None``.
        copy: ``True`` always copies, ``False`` raises ``ValueError`` where a copy would be needed, ``None`` copies if needed.

    Raises:
        TypeError: for text, dates and objects.
        ValueError: for ragged sequences.
        OverflowError: for integers that don't fit.

    >>> asarray([[1, 2], [3, 4]], dtype="float32")
    Tensor([[1., 2.],
            [3., 4.]], dtype=float32)
    """
    if device not in (None, CPU):
        raise ValueError(f"wanted the device 'cpu', received {device!r}")
    wanted = None if dtype is None else as_dtype(dtype)
    if INTERPRETER.get() is not None and _holds_arrays(obj):
        return _interpreted(obj, wanted, copy)
    if isinstance(obj, Tensor) and not copy and (wanted is None or wanted == obj.dtype):
        return obj
    try:
        return wrap(_array_of(obj, wanted, copy))
    except Exception as error:
        if is_foreign(error):
            raise
        raise refusal(error, "hybrid.asarray", (obj,), {} if dtype is None else {"dtype": dtype}, names=("obj",)) from None


def _array_of(obj: Any, dtype: np.dtype | None, copy: bool | None) -> np.ndarray:
    """NumPy's array of an object, if it is one of numbers."""
    if obj is None or isinstance(obj, (str, bytes)):
        raise DTypeError(f"wanted numbers, received {described(obj)}")
    if isinstance(obj, np.ndarray) and type(obj) is not np.ndarray:
        refuse_mask(obj)
    if dtype is not None and isinstance(obj, (list, tuple)):
        _check_leaves(obj)  # NumPy would read numbers out of text, and NaN out of None
    array = np.array(obj._array if isinstance(obj, Eager) else obj, dtype=dtype, copy=copy)
    if array.dtype in SUPPORTED:
        return array
    native = array.dtype.newbyteorder("=")
    if native not in SUPPORTED or copy is False:
        _refuse(obj, array)
    return array.astype(native)


def _refuse(obj: Any, array: np.ndarray) -> None:
    """Say what keeps an object from becoming an array of numbers."""
    if isinstance(obj, (list, tuple)):
        _check_leaves(obj)
    if array.dtype.newbyteorder("=") in SUPPORTED:
        raise ValueError(f"wanted no copy, but one is needed to change the byte order, received {array.dtype!r}")
    if array.dtype == object and not array.shape and not isinstance(obj, int | np.ndarray):
        raise DTypeError(f"wanted numbers or arrays of them, received {described(obj)}")
    if array.dtype == object and all(isinstance(item, int) for item in array.flat):
        for item in array.flat:
            unwrap(item)  # finds the one that has more than 64 bits
    as_dtype(array.dtype)


def _check_leaves(items: Any, place: str = "") -> None:
    """Refuse the first item of nested sequences that is no number and no array."""
    if NUMBERS.issuperset(map(type, items)):
        return
    for i, item in enumerate(items):
        if isinstance(item, (list, tuple)):
            _check_leaves(item, f"{place}[{i}]")
        elif not (isinstance(item, (int, float, complex, range, memoryview)) or hasattr(item, "__array__")):
            raise DTypeError(f"wanted numbers, received {described(item)} at {place}[{i}]")


def _holds_arrays(obj: Any) -> bool:
    """Whether an object is, or a nested sequence contains, what the interpreter in charge must know of."""
    return any(map(_holds_arrays, obj)) if isinstance(obj, list | tuple) else isinstance(obj, Operators)


def _interpreted(obj: Any, dtype: np.dtype | None, copy: bool | None) -> Any:
    """``asarray`` in terms of operations. A Python number becomes an array, that doesn't give way to other dtypes any more."""
    if isinstance(obj, list | tuple):
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested: wanted no copy of a sequence")
        made = OPS["stack"]([_interpreted(x, None, None) if _holds_arrays(x) else asarray(x) for x in obj])
        return made if dtype is None or dtype == made.dtype else OPS["astype"](made, dtype)
    is_scalar = not obj._is_writable
    same = (dtype is None or dtype == obj.dtype) and not is_scalar  # "in (None, …)" is wrong: float64 equals None
    if copy is False and not same:
        raise ValueError(f"Unable to avoid copy while creating an array as requested: wanted {dtype or obj.dtype}, received {obj!r}")
    if is_scalar:  # NumPy makes an array without axes of it
        return OPS["full"]((), obj, dtype=dtype or obj.dtype)
    return obj if same and not copy else OPS["astype"](obj, dtype or obj.dtype, copy=bool(copy))


def constant(value: Any, dtype: Any = None, shape: tuple[int, ...] | None = None) -> Any:
    """A tensor with memory of its own.

    Args:
        value: anything that ``hybrid.asarray`` takes.
        dtype: the dtype of the result; NumPy's choice if not given.
        shape: the shape of the result: ``value`` is reshaped, or repeated if it is a single number.

    >>> constant(7, dtype="int32", shape=(2, 2))
    Tensor([[7, 7],
            [7, 7]], dtype=int32)
    """
    made = asarray(value, dtype=dtype, copy=True)
    if shape is None or tuple(shape) == tuple(made.shape):
        return made
    return OPS["full"](shape, made, dtype=made.dtype) if made.size == 1 else made.reshape(shape)


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Any:
    """A tensor that shares the memory of an array of another library, through DLPack.

    Raises ``BufferError`` where the array isn't in main memory or can't be shared.

    >>> from_dlpack(np.arange(3))
    Tensor([0, 1, 2], dtype=int64)
    """
    if device not in (None, CPU):
        raise ValueError(f"wanted the device 'cpu', received {device!r}")
    try:
        return wrap(np.from_dlpack(x, device=device, copy=copy))
    except Exception as error:
        if is_foreign(error):
            raise
        raise refusal(error, "hybrid.from_dlpack", (x,), names=("x",)) from None
