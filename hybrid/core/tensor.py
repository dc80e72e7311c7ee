"""The eager tensor: a NumPy array, or a NumPy scalar, that operations, interpreters and NumPy itself know."""

from __future__ import annotations

import copy
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from hybrid.core.dtypes import as_dtype, is_number, is_supported
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.kinds import KINDS, LEAVES, NUMBERS, SUPPORTED
from hybrid.core.operators import Operators
from hybrid.core.picture import html
from hybrid.core.refusal import described, is_foreign, refusal, refuse_mask
from hybrid.core.shortcuts import Shortcuts
from hybrid.core.table import CHECKS, NUMPY
from hybrid.errors import DTypeError, UnsupportedError

__all__ = ["Eager", "Tensor", "call_numpy", "described_array", "element", "only_tensors", "plain", "unwrap", "wrap"]

CPU: Final = "cpu"
ARRAYS: Final = (np.ndarray, np.generic)
CONTAINERS: Final = (list, tuple)
API_VERSIONS: Final = ("2022.12", "2023.12", "2024.12")

_in_charge = INTERPRETER.get
_new = object.__new__
_ndarray = np.ndarray


class Eager(Operators):
    """What has its values at hand: ``Tensor`` and ``Variable``.

    The values are a NumPy array, or a NumPy scalar where NumPy gives one: ``x[0]`` and ``x.sum()`` don't share memory, and
    ``s += 1`` makes a new one of them.

    Consumers get the values through ``__array__``, DLPack and, from Python 3.12 on, the buffer protocol. There is no
    ``__array_interface__``: NumPy would ask for it first, and build an array from a description five times as slowly.
    """

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
    def T(self) -> Any:
        """A view with the axes in reverse order."""
        return wrap(self._array.T) if _in_charge() is None else super().T

    @property
    def flags(self) -> Any:
        """NumPy's record of the memory: contiguous or not, writeable or not."""
        return self._array.flags

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
        """The elements one by one, as NumPy's flat iterator over the same memory; assign to it to set them all."""
        return self.numpy().flat

    @flat.setter
    def flat(self, value: Any) -> None:
        array = self._out()
        array.flat = unwrap(value)
        self._written(array)

    def numpy(self) -> np.ndarray:
        """The values as a NumPy array that shares memory with this object."""
        return np.asarray(self._array)

    def item(self, *index: Any) -> Any:
        """One element as a Python number; without an index, the only one."""
        return self._array.item(*map(plain, index))

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
        if _in_charge() is not None:
            return NUMPY[operator.getitem](self, key)
        try:
            item = self._array[plain(key)]  # type: ignore[index]
        except Exception as error:
            raise refusal(error, "indexing", (self, key)) from None
        tensor = _new(Tensor)
        tensor._array = item
        return tensor

    def __len__(self) -> int:
        return len(self._array)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError(f"iteration over a 0-d array\n  in iteration, received {self!r}")
        return map(self.__getitem__, range(len(self))) if _in_charge() is not None else map(wrap, self._array)  # type: ignore[call-overload]

    def __contains__(self, value: Any) -> bool:
        return bool((self._array == plain(value)).any())

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

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(self._array, ndigits) if ndigits is None else wrap(round(self._array, ndigits))  # type: ignore[call-overload]

    # -- protocols --------------------------------------------------------------------------------------------------
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if dtype is None and not copy and type(self._array) is _ndarray:
            return self._array
        return np.array(self._array, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__":
            return call_numpy(getattr(np.ufunc, method), (ufunc, *inputs), kwargs)
        if _in_charge() is not None or len(inputs) > 2 or (kwargs and not _writes_into_tensor(kwargs)):
            return call_numpy(ufunc, inputs, kwargs)
        try:
            if kwargs:
                ufunc(*map(plain, inputs), out=kwargs["out"][0]._array)
                return kwargs["out"][0]
            if len(inputs) == 2:
                return wrap(ufunc(plain(inputs[0]), plain(inputs[1])))
            return wrap(ufunc(self._array))
        except Exception as error:
            raise _explained(error, ufunc, inputs, kwargs) from None

    def __array_function__(self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for kind in types:
            if kind is not Tensor and not issubclass(kind, (Operators, np.ndarray)):
                return NotImplemented
        return call_numpy(function, args, kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        if api_version not in (None, *API_VERSIONS):
            raise ValueError(f"wanted an array API version among {', '.join(API_VERSIONS)}, received {api_version!r}")
        return sys.modules["hybrid"]

    def __dlpack__(
        self, *, stream: None = None, max_version: tuple[int, int] | None = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        return self.numpy().__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.numpy().__dlpack_device__()  # type: ignore[return-value]

    def __buffer__(self, flags: int) -> memoryview:
        return self._array.__buffer__(flags) if sys.version_info >= (3, 12) else self._array.data

    def _numpy(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return only_tensors(call_numpy(function, args, kwargs))

    def _out(self) -> Any:
        """The array that NumPy may write results into."""
        return self._array

    def _written(self, array: Any) -> None:
        """Take note of what was written into ``_out()``."""

    # -- text -------------------------------------------------------------------------------------------------------
    def __str__(self) -> str:
        return str(self._array)

    def __format__(self, spec: str) -> str:
        return format(self._array, spec)

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
        self._array = _checked(array)

    @property
    def _is_writable(self) -> bool:
        return isinstance(self._array, np.ndarray)

    def __setitem__(self, key: Any, value: Any) -> None:
        if _in_charge() is not None:
            NUMPY[operator.setitem](self, key, value)
            return
        try:
            self._array[plain(key)] = element(value)  # type: ignore[index]
        except Exception as error:
            raise refusal(error, "item assignment", (self, key, value)) from None

    def setflags(self, write: bool | None = None, align: bool | None = None) -> None:
        """Forbid or allow writing, as ``numpy.ndarray.setflags``."""
        self._array.setflags(write=write, align=align)

    def sort(self, axis: int = -1, kind: Any = None, order: None = None, *, stable: bool | None = None) -> None:
        """Sort in place, as ``numpy.ndarray.sort``."""
        if _in_charge() is not None or not isinstance(self._array, np.ndarray):
            return super().sort(axis, kind, order, stable=stable)
        self._array.sort(axis, kind, order, stable=stable)

    def __repr__(self) -> str:
        return described_array("Tensor", self._array)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (self._array,)

    def __copy__(self) -> Tensor:
        return wrap(copy.copy(self._array))

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        return wrap(copy.copy(self._array))


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
    """What NumPy returned, with tensors for its arrays and scalars, in the same containers.

    Arrays that can't be tensors (text, objects, subclasses of ``ndarray``) stay what they are.
    """
    kind = type(result)
    if kind in KINDS and (kind is not _ndarray or result.dtype in SUPPORTED):
        tensor = _new(Tensor)
        tensor._array = result
        return tensor
    if isinstance(result, (tuple, list)):
        items = map(wrap, result)
        return kind(*items) if hasattr(result, "_fields") else kind(items)  # type: ignore[arg-type]
    return result


def only_tensors(made: Any) -> Any:
    """Results that were wrapped; ``TypeError`` if there is an array of objects, text or dates among them."""
    if isinstance(made, ARRAYS) and not is_number(made.dtype):
        raise DTypeError(f"wanted arguments of which numbers can be made, the result would have the dtype {made.dtype}")
    for item in made if isinstance(made, CONTAINERS) else ():
        only_tensors(item)
    return made


def unwrap(value: Any) -> Any:
    """What NumPy is to be given for an array or number: the array of a tensor, also inside lists and tuples.

    Raises ``TypeError`` for what isn't numbers and ``OverflowError`` for integers beyond 64 bits.
    """
    kind = type(value)
    if kind is Tensor:
        return value._array
    if kind is int:
        return _checked_int(value)
    if kind in NUMBERS:
        return value
    if isinstance(value, Eager):
        return value._array
    if isinstance(value, (list, tuple)):
        return _checked_items(value)
    if isinstance(value, ARRAYS):
        return _checked(value)
    array = None if value is None or isinstance(value, (str, bytes, type)) else np.asarray(value)
    if array is None or not is_number(array.dtype):
        raise DTypeError(f"wanted numbers or an array of them, received {described(value)}")
    return _checked(array)


def call_numpy(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a NumPy function on tensors: at once, or through the operations where an interpreter is in charge."""
    if _in_charge() is not None:
        if function not in NUMPY:
            raise UnsupportedError(f"numpy.{function.__name__} has no operation that could be traced, batched or differentiated")
        return NUMPY[function](*args, **kwargs)
    try:
        if function in CHECKS:
            CHECKS[function](*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
        if kwargs or function in WRITES:
            return _run_with_targets(function, args, kwargs)
        if len(args) == 1:
            return wrap(function(plain(args[0])))
        return wrap(function(*map(plain, args)))
    except Exception as error:
        if is_foreign(error):
            raise
        raise _explained(error, function, args, kwargs) from None


def _writes_into_tensor(kwargs: dict[str, Any]) -> bool:
    """Whether the keywords of a ufunc are nothing but ``out=`` with one tensor."""
    out = kwargs.get("out", ())
    return len(kwargs) == len(out) == 1 and type(out[0]) is Tensor


WRITES: Final = {
    np.copyto: 0, np.fill_diagonal: 0, np.place: 0, np.put: 0, np.put_along_axis: 0, np.putmask: 0, np.ufunc.at: 1,
}  # fmt: skip
"""The functions that write into an argument, and its position."""


def _run_with_targets(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that may write into arguments; where NumPy returns one of these, the caller gets back what it gave."""
    out, place = kwargs.get("out"), WRITES.get(function)
    targets = out if isinstance(out, tuple) else (out,) if place is None else args[place : place + 1]
    arrays = [target._out() if isinstance(target, Eager) else target for target in targets]
    if out is not None:
        kwargs = kwargs | {"out": tuple(arrays) if isinstance(out, tuple) else arrays[0]}
    elif place is not None:
        args = (*args[:place], *arrays, *args[place + 1 :])
    result = function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
    for target, array in zip(targets, arrays, strict=True):
        if isinstance(target, Eager):
            target._written(array)
    if type(result) is tuple:
        return tuple(_as_given(r, targets, arrays) for r in result)
    return _as_given(result, targets, arrays)


def _as_given(result: Any, targets: Sequence[Any], arrays: Sequence[Any]) -> Any:
    for target, array in zip(targets, arrays, strict=True):
        if array is result:
            return target
    return wrap(result)


def _explained(error: Exception, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
    """The refusal of a NumPy function; a ufunc's method has the ufunc as its first argument here."""
    module = getattr(function, "__module__", None) or ("numpy" if hasattr(np, function.__name__) else "scipy.special")
    name = f"{module}.{function.__name__}"
    if args and isinstance(args[0], np.ufunc):
        name, function, args = f"numpy.{args[0].__name__}.{function.__name__}", getattr(args[0], function.__name__), args[1:]
    return refusal(error, name, args, kwargs, names=function)


# -- arguments ------------------------------------------------------------------------------------------------------
def plain(value: Any) -> Any:
    """Tensors replaced by their arrays, in nested lists, tuples and dicts too; everything else as it is."""
    kind = type(value)
    if kind is Tensor:
        return value._array
    if kind in LEAVES:
        return value
    if kind is tuple:
        return tuple(map(plain, value))
    if kind is list:
        has_numbers = value and type(value[0]) in NUMBERS and NUMBERS.issuperset(map(type, value))
        return value if has_numbers else list(map(plain, value))
    if isinstance(value, Eager):
        return value._array
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return kind(*map(plain, value)) if hasattr(value, "_fields") else value


def element(value: Any) -> Any:
    """What NumPy is to be given for a value that is written into an array: it makes numbers of more things, and of any integer."""
    kind = type(value)
    if kind is Tensor:
        return value._array
    return unwrap(value) if kind not in NUMBERS and (isinstance(value, CONTAINERS) or hasattr(value, "__array__")) else value


def _checked_items(items: Any) -> Any:
    """A sequence without tensors, of what arrays can hold."""
    kinds = set(map(type, items))
    if kinds == {int}:
        _checked_int(min(items))
        _checked_int(max(items))
        return items
    if kinds <= NUMBERS and int not in kinds:
        return items
    checked = map(unwrap, items)
    return list(checked) if isinstance(items, list) else tuple(checked)


def _checked(array: Any) -> Any:
    """A plain array of a supported dtype in the machine's byte order."""
    if type(array) not in KINDS:
        refuse_mask(array)
        array = np.asarray(array)
    if array.dtype in SUPPORTED:
        return array
    return array.astype(array.dtype.newbyteorder("=") if is_number(array.dtype) else as_dtype(array.dtype))


def _checked_int(value: int) -> int:
    if not -(2**63) <= value < 2**64:
        raise OverflowError(f"wanted an integer of at most 64 bits, received {described(value)}")
    return value


# -- hot paths ------------------------------------------------------------------------------------------------------
Shortcuts(Tensor, wrap, unwrap, only_tensors).attach(Eager)
