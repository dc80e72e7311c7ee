"""The eager tensor: a NumPy array, or a NumPy scalar, that operations, interpreters and NumPy itself know."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from hybrid.core.dtypes import as_dtype, is_supported
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.operators import Operators
from hybrid.core.picture import html
from hybrid.core.refusal import refusal
from hybrid.core.table import NUMPY
from hybrid.errors import DTypeError, UnsupportedError

__all__ = ["Eager", "Tensor", "call_numpy", "unwrap", "wrap"]

CPU: Final = "cpu"
ARRAYS: Final = (np.ndarray, np.generic)
API_VERSIONS: Final = ("2022.12", "2023.12", "2024.12")


class Eager(Operators):
    """What has its values at hand: ``Tensor`` and ``Variable``."""

    __slots__ = ("__weakref__", "_array")
    __array_priority__ = 1000
    _array: np.ndarray | np.generic

    # -- what it is -------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis."""
        return self._array.shape

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return self._array.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._array.size

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next along each axis."""
        return self._array.strides

    @property
    def device(self) -> str:
        """Where the values are: ``"cpu"``."""
        return CPU

    @property
    def data(self) -> memoryview:
        """The memory of the values, as a buffer."""
        return self._array.data

    @property
    def flat(self) -> Any:
        """The elements one by one, as NumPy's flat iterator."""
        return self.numpy().flat

    def numpy(self) -> np.ndarray:
        """The values as a NumPy array that shares memory with this object."""
        return np.asarray(self._array)

    def item(self, *index: Any) -> Any:
        """One element as a Python number; without an index, the only one."""
        return self._array.item(*index)

    def tolist(self) -> Any:
        """The values as (nested lists of) Python numbers."""
        return self._array.tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """The bytes of the elements in C order, or the order given."""
        return self._array.tobytes(order)

    def to_device(self, device: str, /, *, stream: None = None) -> Any:
        """The tensor on a device; ``ValueError`` for any but ``"cpu"`` and for a stream."""
        if device != CPU or stream is not None:
            raise ValueError(f"wanted the device 'cpu' and no stream, received device={device!r}, stream={stream!r}")
        return self

    # -- items ------------------------------------------------------------------------------------------------------
    def __getitem__(self, key: Any) -> Any:
        if INTERPRETER.get() is not None:
            return NUMPY[operator.getitem](self, key)
        try:
            return wrap(self._array[_plain_index(key)])  # type: ignore[index]
        except (IndexError, TypeError, ValueError) as error:
            raise refusal(error, "indexing", (self, key)) from None

    def __len__(self) -> int:
        return len(self._array)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError(f"iteration over a 0-d tensor, received {self!r}")
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool((self._array == unwrap(value)).any())

    # -- Python numbers ---------------------------------------------------------------------------------------------
    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        return operator.index(self._array)  # type: ignore[arg-type]

    # -- protocols --------------------------------------------------------------------------------------------------
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._array, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__":
            return call_numpy(ufunc, inputs, kwargs)
        return call_numpy(getattr(np.ufunc, method), (ufunc, *inputs), kwargs)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not all(issubclass(t, Operators | np.ndarray) for t in types):
            return NotImplemented
        return call_numpy(function, args, kwargs)

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.numpy().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.numpy().__dlpack_device__()  # type: ignore[return-value]

    def __buffer__(self, flags: int) -> memoryview:
        return self._array.data

    def _numpy(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return call_numpy(function, args, kwargs)

    def _out(self) -> Any:
        """The array that NumPy may write results into."""
        return self._array

    def _written(self, array: Any) -> None:
        """Take note of what was written into ``_out()``."""

    # -- text -------------------------------------------------------------------------------------------------------
    def __str__(self) -> str:
        return str(self._array)

    def __format__(self, spec: str) -> str:
        return format(self._array.item() if spec and not self.shape else self._array, spec)

    def _repr_html_(self) -> str:
        return html(self)


class Tensor(Eager):
    """An array with eager operations: NumPy's meaning, names and results.

    Make one with ``hybrid.asarray``, which shares memory with a NumPy array, or ``hybrid.constant``, which copies. Basic
    slices are views; ``x[i] = v`` and ``x += 1`` write in place; operators follow NumPy's promotion (NEP 50).

    Args:
        array: a NumPy array or scalar of a supported dtype; anything else is a ``TypeError``.

    >>> import hybrid
    >>> x = hybrid.asarray([1.0, 2.0, 3.0])
    >>> x[1:] *= 10
    >>> x
    Tensor([ 1., 20., 30.], dtype=float64)
    """

    __slots__ = ()

    def __init__(self, array: np.ndarray | np.generic):
        if not isinstance(array, ARRAYS) or not is_supported(array.dtype):
            raise DTypeError(f"wanted a NumPy array of numbers (hybrid.asarray converts other things), received {array!r:.80}")
        self._array = array

    @property
    def _is_writable(self) -> bool:
        return isinstance(self._array, np.ndarray)

    def __setitem__(self, key: Any, value: Any) -> None:
        if INTERPRETER.get() is not None:
            NUMPY[operator.setitem](self, key, value)
            return
        try:
            self._array[_plain_index(key)] = unwrap(value)  # type: ignore[index]
        except (IndexError, TypeError, ValueError, OverflowError) as error:
            raise refusal(error, "item assignment", (self, key, value)) from None

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        if api_version not in (None, *API_VERSIONS):
            raise ValueError(f"wanted an array API version among {', '.join(API_VERSIONS)}, received {api_version!r}")
        return sys.modules["hybrid"]

    def __repr__(self) -> str:
        return described_array("Tensor", self._array)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (self._array,)

    def __copy__(self) -> Tensor:
        return wrap(self._array.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return wrap(self._array.copy())


_new = object.__new__


def described_array(name: str, array: np.ndarray | np.generic, extra: str = "") -> str:
    """The text of an array, with its dtype and, where the values don't show it, its shape."""
    if isinstance(array, np.generic):
        text = repr(array.item())
    else:
        text = np.array2string(array, separator=", ", prefix=name + "(")
    shape = f", shape={array.shape}" if array.size == 0 or "..." in text else ""
    return f"{name}({text}{shape}, dtype={array.dtype.name}{extra})"


# -- between tensors and NumPy --------------------------------------------------------------------------------------
def wrap(result: Any) -> Any:
    """What NumPy returned, with tensors for its arrays and scalars, in the same containers."""
    if isinstance(result, ARRAYS):
        tensor = _new(Tensor)
        tensor._array = result
        return tensor
    if isinstance(result, tuple | list):
        items = map(wrap, result)
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    return result


def unwrap(value: Any) -> Any:
    """What NumPy is to be given for an argument: the array of a tensor, also inside lists and tuples.

    Raises ``TypeError`` for arrays of objects, text or dates and ``OverflowError`` for integers beyond 64 bits.
    """
    if isinstance(value, Eager):
        return value._array
    if isinstance(value, ARRAYS):
        return _checked(value)
    if isinstance(value, int):
        return _checked_int(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_unwrap_item, value)) if not hasattr(value, "_fields") else tuple(map(_unwrap_item, value))
    if hasattr(value, "__array__") and not isinstance(value, type):
        return _checked(np.asarray(value))
    return value


def call_numpy(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a NumPy function on tensors: at once, or through the operations where an interpreter is in charge."""
    if INTERPRETER.get() is None:
        return _run_numpy(function, args, kwargs)
    if function not in NUMPY:
        raise UnsupportedError(f"numpy.{function.__name__} has no operation that could be traced, batched or differentiated")
    return NUMPY[function](*args, **kwargs)


def _run_numpy(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    out = kwargs.get("out")
    try:
        if out is None:
            return wrap(function(*_unwrap_tree(args), **_unwrap_tree(kwargs)))
        outs = out if isinstance(out, tuple) else (out,)
        arrays = tuple(o._out() if isinstance(o, Eager) else o for o in outs)
        keywords = kwargs | {"out": arrays if isinstance(out, tuple) else arrays[0]}
        result = function(*_unwrap_tree(args), **_unwrap_tree(keywords))
    except Exception as error:
        raise refusal(error, f"numpy.{function.__name__}", args, kwargs) from None
    for target, array in zip(outs, arrays, strict=True):
        if isinstance(target, Eager):
            target._written(array)
    results = result if isinstance(result, tuple) else (result,)
    written = tuple(wrap(r) if o is None else o for o, r in zip(outs, results, strict=True))
    return written[0] if len(written) == 1 else written


def _unwrap_tree(value: Any) -> Any:
    """Tensors replaced by their arrays in nested lists, tuples and dicts; everything else as it is."""
    if isinstance(value, Eager):
        return value._array
    if isinstance(value, list | tuple):
        return type(value)(map(_unwrap_tree, value)) if not hasattr(value, "_fields") else value
    if isinstance(value, dict):
        return {key: _unwrap_tree(item) for key, item in value.items()}
    return value


def _unwrap_item(value: Any) -> Any:
    """An item of a sequence must be something that arrays can hold."""
    if value is None or isinstance(value, str | bytes):
        raise DTypeError(f"wanted numbers or arrays in a sequence, received {value!r}")
    return unwrap(value)


def _checked(array: Any) -> Any:
    if not is_supported(array.dtype):
        as_dtype(array.dtype)
    return array


def _checked_int(value: int) -> int:
    if not -(2**63) <= value < 2**64:
        raise OverflowError(f"wanted an integer of at most 64 bits, received {value}")
    return value


def _plain_index(key: Any) -> Any:
    """An index with arrays in place of tensors."""
    if isinstance(key, Eager):
        return key._array
    if isinstance(key, tuple):
        return tuple(map(_plain_index, key))
    return [_plain_index(k) for k in key] if isinstance(key, list) else key
