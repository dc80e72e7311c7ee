"""Other dtypes, copies, and questions about dtypes and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike, never_one
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, as_dtype
from hybrid.core.info import check_device
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.operators import Operators
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import NUMPY
from hybrid.ops import _infer
from hybrid.ops._infer import axes_of, like_first, scalar_ints
from hybrid.ops._samples import sample
from hybrid.ops._views import Strides, contiguous, is_contiguous, known

__all__ = [
    "ascontiguousarray", "asfortranarray", "astype", "broadcast_shapes", "can_cast", "copy", "finfo",
    "iinfo", "isdtype", "min_scalar_type", "promote_types", "result_type", "view_as",
]  # fmt: skip

Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
SHAPES = [sample((3, 4)), sample(()), sample((0, 2)), sample((2, 1, 3))]


# -- values ---------------------------------------------------------------------------------------------------------
def _cast_spec(x: Spec, *, dtype: Any, copy: bool = True, device: Any = None) -> Spec:
    check_device(device)
    return Spec(as_dtype(dtype), x.shape)


def _cast_view(strides: Any, x: Spec, *, dtype: Any, copy: bool, device: Any = None) -> Strides:
    """The array itself, if it has the dtype already and no copy was asked for."""
    if copy or x.weak or x.dtype != as_dtype(dtype):
        return False
    return True if strides is None else strides


CASTS = [
    sample((3, 4), dtype="f4", dtypes=BOOL + INTEGERS + FLOATS),
    sample((), dtype="i8", dtypes=BOOL + INTEGERS + FLOATS),
    sample((2, 3), dtype="u1", low=0.0, dtypes=BOOL + INTEGERS + FLOATS),
    sample((3,), dtype="bool"),
    sample((0, 3), dtype="c8"),
    sample((5,), dtype="c16", copy=False),
]


@op(infer=_cast_spec, view=_cast_view, dtypes=DTYPES, samples=CASTS, onnx="Cast")
def astype(x, /, dtype: Any, *, copy: bool = True, device: str | None = None):
    """The array with another dtype.

    Args:
        x: any shape and dtype.
        dtype: the dtype of the result. Floats become integers by dropping the fraction, complex numbers become real ones by
            dropping the imaginary part (with a warning); anything that isn't 0 becomes ``True``.
        copy: ``False`` returns ``x`` itself where it has the dtype already.
        device: ``"cpu"`` or ``None``.

    Returns:
        An array of the shape of ``x``.

    Raises:
        TypeError: for a dtype that is no number and no boolean.
        ValueError: for another device.

    >>> hybrid.astype(hybrid.asarray([1.9, -1.9]), "int32")
    Tensor([ 1, -1], dtype=int32)
    """
    check_device(device)
    array = x if isinstance(x, np.generic) else np.asarray(x)
    return array.astype(as_dtype(dtype), copy=copy)


@astype.writes_back
def _(base, new, *, dtype, copy, device):
    return new


@astype.from_numpy(np.astype)
def _(x: Any, dtype: Any, /, *, copy: bool = True, device: str | None = None) -> Any:
    return astype(x, dtype, copy=copy, device=device)


@op(infer=like_first, numpy=[np.copy], dtypes=DTYPES, samples=[*SHAPES, sample((2, 3), order="F")], onnx="Identity")
def copy(x, /, *, order: Literal["C", "F", "A", "K"] = "K"):
    """An array of the same values with memory of its own.

    Args:
        x: any shape and dtype.
        order: how the elements are laid out in memory: rows first, columns first, or as in ``x``.

    Returns:
        An array of the shape and dtype of ``x``.

    >>> hybrid.copy(hybrid.asarray([1, 2]))
    Tensor([1, 2], dtype=int64)
    """
    return x.copy() if isinstance(x, np.generic) else np.array(x, order=order)


# -- memory ---------------------------------------------------------------------------------------------------------
def _viewed(x: Spec, *, dtype: Any) -> Spec:
    wanted = as_dtype(dtype)
    old, new = x.dtype.itemsize, wanted.itemsize
    if old == new:
        return Spec(wanted, x.shape)
    if not x.shape:
        raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    *rest, last = x.shape
    if isinstance(last, int) and last * old % new:
        raise ValueError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
        )
    return Spec(wanted, (*rest, last * old // new))


@known
def _reinterpreted(strides: tuple[DimLike, ...], x: Spec, *, dtype: Any) -> Strides:
    old, new = x.dtype.itemsize, as_dtype(dtype).itemsize
    if old == new:
        return strides
    if isinstance(strides[-1], int) and strides[-1] != 1 and never_one(x.shape[-1]) and 0 not in x.shape:
        raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
    scaled = [s * old // new for s in strides[:-1]]
    return (*scaled, 1) if all((a * new == b * old) for a, b in zip(scaled, strides, strict=False)) else True


@op(
    infer=_viewed,
    view=_reinterpreted,
    dtypes=DTYPES,
    samples=[
        sample((3, 4), dtype="uint8"),
        sample((2, 16), dtype="f8"),
        sample((0, 2), dtype="i2"),
        sample((), dtype="u4"),
    ],
    no_gradient="the bits are read as another type",
)
def view_as(x, /, dtype: Any):
    """The same memory read as elements of another dtype: bits, not values.

    Args:
        x: any shape and dtype; for an element of another size, the last axis must be contiguous in memory.
        dtype: the dtype of the result.

    Returns:
        A view; its last axis has as many bytes as that of ``x``.

    Raises:
        ValueError: if the last axis doesn't have a whole number of new elements or isn't contiguous; for a 0-d array, if the
            new elements have another size.

    >>> view_as(hybrid.asarray([1.0], dtype="float32"), "int32")
    Tensor([1065353216], dtype=int32)
    """
    array = x if isinstance(x, np.generic) else np.asarray(x)
    return array.view(as_dtype(dtype))


@view_as.writes_back
def _(base, new, *, dtype):
    return view_as(new, base.dtype)


def _at_least_1d(x: Spec) -> Spec:
    return Spec(x.dtype, x.shape or (1,))


def _laid_out(order: str) -> Any:
    """The array itself if it is laid out like this, else a copy."""

    def view(strides: Any, x: Spec) -> Strides:
        if x.weak:
            return False
        if not x.shape:
            return (1,)
        answer = None if strides is None else is_contiguous(strides, x.shape, order)
        return contiguous(x.shape, order) if answer else answer

    return view


@op(infer=_at_least_1d, view=_laid_out("C"), dtypes=DTYPES, samples=SHAPES)
def ascontiguousarray(x, /):
    """The array laid out in memory row by row: itself if it is so already.

    Args:
        x: any shape and dtype.

    Returns:
        An array of the dtype and shape of ``x``, but with one axis if that has none.

    >>> hybrid.ascontiguousarray(hybrid.asarray([[1, 2], [3, 4]]).T).strides
    (16, 8)
    """
    return np.ascontiguousarray(x)


@op(infer=_at_least_1d, view=_laid_out("F"), dtypes=DTYPES, samples=SHAPES)
def asfortranarray(x, /):
    """The array laid out in memory column by column: itself if it is so already.

    Args:
        x: any shape and dtype.

    Returns:
        An array of the dtype and shape of ``x``, but with one axis if that has none.

    >>> hybrid.asfortranarray(hybrid.asarray([[1, 2], [3, 4]])).strides
    (8, 16)
    """
    return np.asfortranarray(x)


@ascontiguousarray.writes_back
@asfortranarray.writes_back
def _(base, new):
    return new.reshape(base.shape)


# -- NumPy's forms --------------------------------------------------------------------------------------------------
def _array(object: Any, dtype: Any = None, *, copy: bool | None = True, order: Any = "K", subok: bool = False, ndmin: int = 0,
           ndmax: int = 0, like: Any = None) -> Any:  # fmt: skip
    made = asarray(object, dtype=dtype, copy=copy)
    return made if made.ndim >= ndmin else made.reshape((1,) * (ndmin - made.ndim) + tuple(made.shape))


def _asarray(a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: bool | None = None, like: Any = None) -> Any:
    made = asarray(a, dtype=dtype, device=device, copy=copy)
    return made if order not in ("C", "F") or made.ndim == 0 else _in_order(made, order)


def _in_order(x: Any, order: str) -> Any:
    return asfortranarray(x) if order == "F" else ascontiguousarray(x)


def _ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    return ascontiguousarray(asarray(a, dtype=dtype))


def _asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    return asfortranarray(asarray(a, dtype=dtype))


_LAYOUTS = {"C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F"}


def _require(a: Any, dtype: Any = None, requirements: str | Sequence[str] | None = None, *, like: Any = None) -> Any:
    wanted = [name.upper() for name in requirements or ()]
    orders = {_LAYOUTS[name] for name in wanted if name in _LAYOUTS}
    if len(orders) == 2:
        raise ValueError('Cannot specify both "C" and "F" order')
    made = asarray(a, dtype=dtype, copy=True if {"O", "OWNDATA"}.intersection(wanted) else None)
    return _in_order(made, *orders) if orders and made.ndim else made


def _shape(a: Any) -> tuple[DimLike, ...]:
    return tuple(spec_of(a).shape)


def _ndim(a: Any) -> int:
    return spec_of(a).ndim


def _size(a: Any, axis: int | tuple[int, ...] | None = None) -> DimLike:
    shape = spec_of(a).shape
    return Spec(np.dtype("bool"), tuple(shape[i] for i in axes_of(axis, len(shape)))).size


def _iscomplexobj(x: Any) -> bool:
    return spec_of(x).dtype.kind == "c"


def _isrealobj(x: Any) -> bool:
    return spec_of(x).dtype.kind != "c"


NUMPY.update(
    {
        np.array: _array,
        np.asarray: _asarray,
        np.asanyarray: _asarray,
        np.ascontiguousarray: _ascontiguousarray,
        np.asfortranarray: _asfortranarray,
        np.require: _require,
        np.shape: _shape,
        np.ndim: _ndim,
        np.size: _size,
        np.iscomplexobj: _iscomplexobj,
        np.isrealobj: _isrealobj,
    }
)


# -- questions about dtypes -----------------------------------------------------------------------------------------
def _dtype_of(value: Any) -> np.dtype:
    """The dtype that an array has or a dtype argument means."""
    is_array = isinstance(value, Operators | np.ndarray | np.generic)
    return as_dtype(value.dtype) if is_array else as_dtype(value)


def _promotes_as(value: Any) -> Any:
    """What NumPy is to promote for an array, a dtype, or a Python number, that gives way."""
    if isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic):
        return value
    return spec_of(value).dtype.type(1).item() if isinstance(value, Operators) and spec_of(value).weak else _dtype_of(value)


@stands_for(np.result_type)
@explained
def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """The dtype that arrays, dtypes and Python numbers promote to.

    Raises ``TypeError`` for what is none of them, and ``ValueError`` for no argument at all.

    >>> hybrid.result_type(hybrid.asarray([1, 2]), "float32"), hybrid.result_type("float32", 1.0)
    (dtype('float64'), dtype('float32'))
    """
    return np.result_type(*map(_promotes_as, arrays_and_dtypes))


@stands_for(np.promote_types)
@explained
def promote_types(type1: Any, type2: Any, /) -> np.dtype:
    """The smallest dtype to which both dtypes can be cast safely; ``TypeError`` for dtypes that aren't supported.

    >>> hybrid.promote_types("int32", "float32")
    dtype('float64')
    """
    return np.promote_types(as_dtype(type1), as_dtype(type2))


@explained
def can_cast(from_: Any, to: Any, /, casting: Casting = "safe") -> bool:
    """Whether arrays of one dtype can be cast to another by a rule: by default, if no value changes.

    ``from_`` may be an array, that stands for its dtype. Raises ``TypeError`` for dtypes that aren't supported and Python
    numbers, ``ValueError`` for a rule that doesn't exist.

    >>> hybrid.can_cast("int32", "float64"), hybrid.can_cast("int64", "int32"), hybrid.can_cast("f8", "f4", "same_kind")
    (True, False, True)
    """
    source = from_ if type(from_) in (int, float, complex) else _dtype_of(from_)  # NumPy says why Python numbers are refused
    return np.can_cast(source, as_dtype(to), casting)


@explained
def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind.

    Args:
        dtype: a dtype.
        kind: ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``, ``"real floating"``,
            ``"complex floating"``, ``"numeric"``, a dtype, or a tuple of those.

    Raises:
        TypeError: for dtypes that aren't supported.
        ValueError: for a kind that doesn't exist.

    >>> hybrid.isdtype("float32", "real floating"), hybrid.isdtype("int8", ("bool", "unsigned integer"))
    (True, False)
    """
    return np.isdtype(as_dtype(dtype), kind)


@stands_for(np.min_scalar_type)
@explained
def min_scalar_type(a: Any, /) -> np.dtype:
    """The smallest dtype that holds a number; for an array with axes, its own dtype.

    Raises ``TypeError`` for what is no number and for numbers that no dtype holds.

    >>> hybrid.min_scalar_type(300), hybrid.min_scalar_type(-1), hybrid.min_scalar_type(hybrid.asarray([1]))
    (dtype('uint16'), dtype('int8'), dtype('int64'))
    """
    return as_dtype(a.dtype if isinstance(a, Operators) and a.ndim else np.min_scalar_type(a))


NUMPY[np.can_cast] = can_cast
NUMPY[np.isdtype] = isdtype


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """The limits of a floating-point dtype, as Python numbers; for a complex dtype, those of its parts.

    Attributes:
        bits: the size of a number.
        eps: the distance from 1 to the next larger number.
        max, min: the largest and the smallest (most negative) finite number.
        smallest_normal: the smallest positive number with full precision.
        dtype: the real dtype.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """The limits of an integer dtype, as Python numbers.

    Attributes:
        bits: the size of a number.
        max, min: the largest and the smallest number.
        dtype: the dtype.
    """

    bits: int
    max: int
    min: int
    dtype: np.dtype


@explained
def finfo(type: Any, /) -> FloatInfo:
    """The limits of a floating-point or complex dtype, or of an array's.

    Raises ``TypeError`` for dtypes that aren't supported, ``ValueError`` for integers and booleans.

    >>> hybrid.finfo("float32").max, hybrid.finfo(hybrid.asarray([1j])).eps
    (3.4028234663852886e+38, 2.220446049250313e-16)
    """
    found = np.finfo(_dtype_of(type))
    return FloatInfo(found.bits, float(found.eps), float(found.max), float(found.min), float(found.smallest_normal), found.dtype)


@explained
def iinfo(type: Any, /) -> IntegerInfo:
    """The limits of an integer dtype, or of an array's.

    Raises ``TypeError`` for dtypes that aren't supported, ``ValueError`` for those that are no integers.

    >>> hybrid.iinfo("int8")
    IntegerInfo(bits=8, max=127, min=-128, dtype=dtype('int8'))
    """
    found = np.iinfo(_dtype_of(type))
    return IntegerInfo(found.bits, int(found.max), int(found.min), found.dtype)


NUMPY[np.finfo] = lambda dtype: np.finfo(_dtype_of(dtype))
NUMPY[np.iinfo] = lambda int_type: np.iinfo(_dtype_of(int_type))


# -- questions about shapes -----------------------------------------------------------------------------------------
@stands_for(np.broadcast_shapes)
@explained
def broadcast_shapes(*shapes: int | tuple[int, ...]) -> tuple[int, ...]:
    """The common shape of arrays of these shapes; ``ValueError`` if they don't broadcast or a size is negative.

    >>> hybrid.broadcast_shapes((3, 1), 4)
    (3, 4)
    """
    wanted = [scalar_ints(shape) for shape in shapes]
    if any(isinstance(size, Dim) for shape in wanted for size in shape):
        return _infer.broadcast(*wanted)  # type: ignore[return-value]
    return np.broadcast_shapes(*wanted)  # type: ignore[arg-type]
