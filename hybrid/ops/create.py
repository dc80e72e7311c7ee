"""New arrays: of one value, with a diagonal, evenly spaced."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike, dim_max, unknown
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INEXACT, INTEGERS, NUMERIC, as_dtype
from hybrid.core.info import check_device
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import Rule, axis_of, broadcast, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops._shapes import check_fits, sizes

__all__ = [
    "arange", "empty", "empty_like", "eye", "full", "full_like", "geomspace", "identity", "linspace", "logspace", "ones", "ones_like",
    "tri", "zeros", "zeros_like",
]  # fmt: skip

CONSTANT = "the result depends on no value"


def _or_float(dtype: Any) -> np.dtype:
    return as_dtype(float if dtype is None else dtype)


# -- one value ------------------------------------------------------------------------------------------------------
def _new(*, shape: Any, dtype: Any = None, device: Any = None) -> Spec:
    check_device(device)
    return Spec(_or_float(dtype), sizes(shape))


NEW = [sample(shape=(2, 3)), sample(shape=3, dtype="i1"), sample(shape=(), dtype="c8"), sample(shape=(0, 2), dtype="bool", device="cpu")]


@op(infer=_new, numpy=[np.zeros], samples=NEW, no_gradient=CONSTANT)
def zeros(shape: int | tuple[int, ...], *, dtype: Any = None, device: str | None = None):
    """An array of zeros.

    Args:
        shape: the size of each axis, or a number for a single axis.
        dtype: the dtype of the result; ``float64`` if not given.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for negative sizes, sizes beyond what can be addressed, and other devices.
        MemoryError: for more elements than there is memory.
        TypeError: for sizes that are no integers.

    >>> hybrid.zeros((2, 3))
    Tensor([[0., 0., 0.],
            [0., 0., 0.]], dtype=float64)
    """
    check_device(device)
    return np.zeros(shape, _or_float(dtype))


@op(infer=_new, numpy=[np.ones], samples=NEW, no_gradient=CONSTANT)
def ones(shape: int | tuple[int, ...], *, dtype: Any = None, device: str | None = None):
    """An array of ones.

    Args:
        shape: the size of each axis, or a number for a single axis.
        dtype: the dtype of the result; ``float64`` if not given.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for negative sizes, sizes beyond what can be addressed, and other devices.
        MemoryError: for more elements than there is memory.
        TypeError: for sizes that are no integers.

    >>> hybrid.ones(3, dtype="int8")
    Tensor([1, 1, 1], dtype=int8)
    """
    check_device(device)
    return np.ones(shape, _or_float(dtype))


@op(infer=_new, numpy=[np.empty], samples=NEW, no_gradient=CONSTANT)
def empty(shape: int | tuple[int, ...], *, dtype: Any = None, device: str | None = None):
    """An array to be filled: of zeros, so that a program that forgets to fill it gives the same result every time.

    Args:
        shape: the size of each axis, or a number for a single axis.
        dtype: the dtype of the result; ``float64`` if not given.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for negative sizes, sizes beyond what can be addressed, and other devices.
        MemoryError: for more elements than there is memory.
        TypeError: for sizes that are no integers.

    >>> hybrid.empty((2, 0)).shape
    (2, 0)
    """
    check_device(device)
    return np.zeros(shape, _or_float(dtype))


def _filled(fill_value: Spec, *, shape: Any, dtype: Any = None, device: Any = None) -> Spec:
    check_device(device)
    check_fits(fill_value.shape, sizes(shape))
    return Spec(fill_value.dtype if dtype is None else as_dtype(dtype), sizes(shape))


@op(
    infer=_filled,
    tensors=("fill_value",),
    dtypes=DTYPES,
    samples=[
        sample((), shape=(2, 3)),
        sample((3,), shape=(2, 3)),
        sample((2, 1), shape=(2, 0)),
        sample(given(7), shape=3, dtype="f4"),
        sample(given(2.5), shape=()),
        sample(given(True), shape=(1, 2), device="cpu"),
    ],
)
def full(shape: int | tuple[int, ...], fill_value, *, dtype: Any = None, device: str | None = None):
    """An array filled with a value.

    Args:
        shape: the size of each axis, or a number for a single axis.
        fill_value: a number, or an array that broadcasts to ``shape``.
        dtype: the dtype of the result; that of ``fill_value`` if not given.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for negative sizes, values that don't broadcast, and other devices.
        MemoryError: for more elements than there is memory.
        TypeError: for sizes that are no integers, and for values that are no numbers.
        OverflowError: for a Python integer that doesn't fit.

    >>> hybrid.full((2, 2), 7)
    Tensor([[7, 7],
            [7, 7]], dtype=int64)
    """
    check_device(device)
    wanted = np.asarray(fill_value).dtype if dtype is None else dtype
    return np.full(shape, fill_value, as_dtype(wanted))


@full.from_numpy(np.full)
def _(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: None = None) -> Any:
    return full(shape, fill_value, dtype=dtype, device=device)


# -- one value, like another array ----------------------------------------------------------------------------------
def _new_like(x: Spec, *, dtype: Any = None, shape: Any = None, device: Any = None) -> Spec:
    check_device(device)
    return Spec(x.dtype if dtype is None else as_dtype(dtype), x.shape if shape is None else sizes(shape))


def _checked_like(dtype: Any, device: Any) -> np.dtype | None:
    check_device(device)
    return None if dtype is None else as_dtype(dtype)


LIKE = [sample((2, 3)), sample((), dtype="f4"), sample((0, 2)), sample((4,), shape=(2, 1), device="cpu"), sample(given(2))]


@op(infer=_new_like, numpy=[np.zeros_like], dtypes=DTYPES, samples=LIKE, no_gradient=CONSTANT)
def zeros_like(x, /, *, dtype: Any = None, shape: int | tuple[int, ...] | None = None, device: str | None = None):
    """An array of zeros with the shape and dtype of another.

    Args:
        x: any shape and dtype.
        dtype: another dtype for the result.
        shape: another shape for the result.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for another device.

    >>> hybrid.zeros_like(hybrid.asarray([1.5, 2.5]))
    Tensor([0., 0.], dtype=float64)
    """
    return np.zeros_like(x, _checked_like(dtype, device), shape=shape)


@op(infer=_new_like, numpy=[np.ones_like], dtypes=DTYPES, samples=LIKE, no_gradient=CONSTANT)
def ones_like(x, /, *, dtype: Any = None, shape: int | tuple[int, ...] | None = None, device: str | None = None):
    """An array of ones with the shape and dtype of another.

    Args:
        x: any shape and dtype.
        dtype: another dtype for the result.
        shape: another shape for the result.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for another device.

    >>> hybrid.ones_like(hybrid.asarray([1.5, 2.5]))
    Tensor([1., 1.], dtype=float64)
    """
    return np.ones_like(x, _checked_like(dtype, device), shape=shape)


@op(infer=_new_like, numpy=[np.empty_like], dtypes=DTYPES, samples=LIKE, no_gradient=CONSTANT)
def empty_like(x, /, *, dtype: Any = None, shape: int | tuple[int, ...] | None = None, device: str | None = None):
    """An array to be filled, with the shape and dtype of another: of zeros, as ``empty``.

    Args:
        x: any shape and dtype.
        dtype: another dtype for the result.
        shape: another shape for the result.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for another device.

    >>> hybrid.empty_like(hybrid.asarray([1.5, 2.5])).dtype
    dtype('float64')
    """
    return np.zeros_like(x, _checked_like(dtype, device), shape=shape)


def _filled_like(x: Spec, fill_value: Spec, *, dtype: Any = None, shape: Any = None, device: Any = None) -> Spec:
    made = _new_like(x, dtype=dtype, shape=shape, device=device)
    check_fits(fill_value.shape, made.shape)
    return made


@op(
    infer=_filled_like,
    numpy=[np.full_like],
    tensors=("fill_value",),
    dtypes=NUMERIC,
    samples=[
        sample((2, 3), given(7)),
        sample((2, 3), given([1, 2, 3])),
        sample((), given(True)),
        sample((0, 2), given(2), dtype="f4"),
        sample((4,), given(3), shape=(2, 1), device="cpu"),
    ],
)
def full_like(x, /, fill_value, *, dtype: Any = None, shape: int | tuple[int, ...] | None = None, device: str | None = None):
    """An array filled with a value, with the shape and dtype of another.

    Args:
        x: any shape and dtype.
        fill_value: a number, or an array that broadcasts to the shape.
        dtype: another dtype for the result.
        shape: another shape for the result.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for values that don't broadcast, and another device.
        OverflowError: for a Python integer that doesn't fit.

    >>> hybrid.full_like(hybrid.asarray([1.5, 2.5]), 7)
    Tensor([7., 7.], dtype=float64)
    """
    return np.full_like(x, fill_value, _checked_like(dtype, device), shape=shape)


# -- a diagonal or a triangle ---------------------------------------------------------------------------------------
def _matrix(*, n_rows: DimLike, n_cols: DimLike | None = None, k: int = 0, dtype: Any = None, device: Any = None) -> Spec:
    check_device(device)
    return Spec(_or_float(dtype), sizes((n_rows, n_rows if n_cols is None else n_cols)))


@op(
    infer=_matrix,
    samples=[
        sample(n_rows=3),
        sample(n_rows=2, n_cols=4, k=1, dtype="i4"),
        sample(n_rows=3, k=-2),
        sample(n_rows=0, n_cols=2, dtype="bool"),
    ],
    no_gradient=CONSTANT,
    onnx="EyeLike",
)
def eye(n_rows: int, n_cols: int | None = None, *, k: int = 0, dtype: Any = None, device: str | None = None):
    """A matrix of zeros with ones on a diagonal.

    Args:
        n_rows: the number of rows.
        n_cols: the number of columns; that of rows if not given.
        k: which diagonal: above the main one if positive, below if negative.
        dtype: the dtype of the result; ``float64`` if not given.
        device: ``"cpu"`` or ``None``.

    Raises:
        ValueError: for negative sizes and other devices.
        MemoryError: for more elements than there is memory.

    >>> hybrid.eye(2, 3, k=1)
    Tensor([[0., 1., 0.],
            [0., 0., 1.]], dtype=float64)
    """
    check_device(device)
    return np.eye(n_rows, n_cols, k, _or_float(dtype))


@eye.from_numpy(np.eye)
def _(N: Any, M: Any = None, k: int = 0, dtype: Any = float, order: str = "C", *, device: Any = None, like: None = None) -> Any:
    return eye(N, M, k=k, dtype=dtype, device=device)


@stands_for(np.identity)
def identity(n: int, *, dtype: Any = None) -> Any:
    """The square matrix with ones on the main diagonal and zeros elsewhere; ``ValueError`` for a negative size.

    >>> identity(2)
    Tensor([[1., 0.],
            [0., 1.]], dtype=float64)
    """
    return eye(n, dtype=dtype)


def _triangle(*, N: DimLike, M: DimLike | None = None, k: int = 0, dtype: Any = None) -> Spec:
    shape = tuple(dim_max(0, size) for size in (N, N if M is None else M))
    return Spec(_or_float(dtype), shape)


@op(
    infer=_triangle,
    numpy=[np.tri],
    samples=[sample(N=3), sample(N=2, M=4, k=1, dtype="i4"), sample(N=3, M=1, k=-2), sample(N=0, M=2, dtype="bool")],
    no_gradient=CONSTANT,
)
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None):
    """A matrix of ones on and below a diagonal and zeros above it.

    Args:
        N: the number of rows.
        M: the number of columns; that of rows if not given.
        k: which diagonal: above the main one if positive, below if negative.
        dtype: the dtype of the result; ``float64`` if not given.

    >>> hybrid.tri(2, 3, 1)
    Tensor([[1., 1., 0.],
            [1., 1., 1.]], dtype=float64)
    """
    return np.tri(N, M, k, _or_float(dtype))


# -- evenly spaced --------------------------------------------------------------------------------------------------
def steps_between(start: Any, stop: Any, step: Any) -> DimLike:
    """The number of values from ``start`` up to and without ``stop``, as ``np.arange`` counts them; at least 0.

    >>> steps_between(0, 10, 3), steps_between(5, 0, 1)
    (4, 0)
    """
    parts = (start, stop, step)
    if not any(isinstance(part, Dim) for part in parts):
        count = (stop - start) / step
        return _whole(min(count.real, count.imag) if isinstance(count, complex) else count)
    if not all(isinstance(part, Dim | int) for part in parts):
        return unknown("count")
    if isinstance(step, int) and step < 0:
        start, stop, step = stop, start, -step
    return dim_max(0, (stop - start + (step - 1)) // step)


def _whole(count: float) -> int:
    if math.isnan(count):
        raise ValueError("arange: cannot compute length")
    if abs(count) >= 2**63:
        raise ValueError("Maximum allowed size exceeded")
    return max(0, math.ceil(count))


def _one_like(value: Any, number: int) -> Any:
    """A small number of the type of ``value``; a size counts as an integer."""
    return number if isinstance(value, Dim) else type(value)(number)


def _counted(*, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, device: Any = None) -> Spec:
    check_device(device)
    start, stop = (0, start) if stop is None else (start, stop)
    count = steps_between(start, stop, step)
    found = np.arange(_one_like(start, 0), _one_like(stop, 0), _one_like(step, 1)).dtype if dtype is None else as_dtype(dtype)
    if found.kind == "b" and isinstance(count, int) and count > 2:
        raise TypeError("arange() is only supported for booleans when the result has at most length 2.")
    return Spec(found, (count,))


@op(
    infer=_counted,
    samples=[
        sample(start=5),
        sample(start=2, stop=9, step=3),
        sample(start=5, stop=0, step=-2, dtype="f4"),
        sample(start=0.5, stop=3),
        sample(start=3, stop=0),
        sample(start=2, dtype="bool"),
        sample(start=np.float32(3)),
    ],
    no_gradient=CONSTANT,
    onnx="Range",
)
def arange(start: float, stop: float | None = None, step: float = 1, *, dtype: Any = None, device: str | None = None):
    """The numbers from ``start`` up to, and without, ``stop``.

    Args:
        start: the first number; with no other argument, it is ``stop``, and 0 is the first number.
        stop: the bound that isn't reached; with steps that are no integers, rounding may reach it.
        step: the distance between neighbours.
        dtype: the dtype of the result; ``int64`` for integers, ``float64`` for others, if not given.
        device: ``"cpu"`` or ``None``.

    Raises:
        ZeroDivisionError: for a step of 0.
        ValueError: for a count that is not a number or too large, and for other devices.
        MemoryError: for more elements than there is memory.

    >>> hybrid.arange(3), hybrid.arange(1, 2, 0.25)
    (Tensor([0, 1, 2], dtype=int64), Tensor([1.  , 1.25, 1.5 , 1.75], dtype=float64))
    """
    check_device(device)
    return np.arange(start, stop, step, None if dtype is None else as_dtype(dtype))


@arange.from_numpy(np.arange)
def _(start: Any = None, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None, like: None = None) -> Any:
    return arange(0 if start is None else start, stop, 1 if step is None else step, dtype=dtype, device=device)


def _spaced(function: Any) -> Rule:
    """The rule of a function that puts ``num`` values between arrays of bounds, along a new axis."""

    def rule(*bounds: Spec, num: Any = 50, dtype: Any = None, axis: int = 0, device: Any = None, **_: Any) -> Spec:
        check_device(device)
        count = num if isinstance(num, Dim) else operator.index(num)
        if not isinstance(count, Dim) and count < 0:
            raise ValueError(f"Number of samples, {count}, must be non-negative.")
        shape = broadcast(*(bound.shape for bound in bounds))
        place = axis_of(axis, len(shape) + 1)
        flat = [Spec(bound.dtype, (), bound.weak) for bound in bounds]
        found = dtype_as_run(function, *flat) if dtype is None else as_dtype(dtype)
        return Spec(found, (*shape[:place], count, *shape[place:]))

    return rule


def _log_from_base(start: Any, stop: Any, base: Any) -> Any:
    return np.logspace(start, stop, 2, base=base)


SPACED = [
    sample(given(0.0), given(1.0), num=5),
    sample((2,), (2,), num=3),
    sample((2, 1), (3,), num=4, axis=-1, endpoint=False),
    sample((), (), num=1),
    sample((2,), given(3), num=0, axis=1, dtype="f4", dtypes=FLOATS),
]


@op(infer=_spaced(np.linspace), dtypes=BOOL + NUMERIC, samples=[*SPACED, sample(given(0), given(7), num=4, dtype="i8", device="cpu")])
def linspace(
    start,
    stop,
    /,
    num: int = 50,
    *,
    dtype: Any = None,
    device: str | None = None,
    endpoint: bool = True,
    axis: int = 0,
):
    """Numbers with equal distances over an interval.

    Args:
        start: the first number, or an array of them.
        stop: the last number, or an array of them that broadcasts with ``start``.
        num: how many.
        dtype: the dtype of the result; integers are rounded down. If not given, that of ``start``, ``stop`` and a float.
        device: ``"cpu"`` or ``None``.
        endpoint: whether ``stop`` is the last number; else it would be the next one.
        axis: where the result has the new axis.

    Returns:
        An array of the common shape of ``start`` and ``stop`` with an axis of size ``num`` put in.

    Raises:
        ValueError: for a negative ``num``, bounds that don't broadcast, and other devices.
        TypeError: for a ``num`` that is no integer.

    >>> hybrid.linspace(0, 1, 5)
    Tensor([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float64)
    """
    check_device(device)
    return np.linspace(start, stop, num, endpoint, dtype=None if dtype is None else as_dtype(dtype), axis=axis)


@linspace.from_numpy(np.linspace)
def _(start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0, *,
      device: Any = None) -> Any:  # fmt: skip
    numbers = linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint, axis=axis)
    if not retstep:
        return numbers
    intervals = num - 1 if endpoint else num
    return numbers, (asarray(stop) * 1.0 - asarray(start) * 1.0) / intervals if intervals > 0 else math.nan


@op(
    infer=_spaced(_log_from_base),
    numpy=[np.logspace],
    tensors=("base",),
    dtypes=INEXACT,
    samples=[
        sample(given(0.0), given(2.0), given(10.0), num=3),
        sample((2,), (2,), given(2.0), num=3, low=-1.0, high=1.0),
        sample((2,), (), (2,), num=4, axis=-1, endpoint=False, low=0.5, high=1.5),
        sample((), (), given(2), num=1, dtype="f4", dtypes=FLOATS),
        sample(given(0), given(3), given(2), num=4, dtype="i8"),
    ],
)
def logspace(start, stop, /, num: int = 50, *, endpoint: bool = True, base=10.0, dtype: Any = None, axis: int = 0):
    """Numbers with equal ratios: a base to powers with equal distances.

    Args:
        start: ``base ** start`` is the first number; a number or an array.
        stop: ``base ** stop`` is the last number; an array that broadcasts with ``start``.
        num: how many.
        endpoint: whether ``base ** stop`` is the last number; else it would be the next one.
        base: the base, or an array of bases that broadcasts with ``start`` and ``stop``.
        dtype: the dtype of the result; integers are rounded towards 0.
        axis: where the result has the new axis.

    Returns:
        An array of the common shape of ``start``, ``stop`` and ``base`` with an axis of size ``num`` put in.

    Raises:
        ValueError: for a negative ``num`` and bounds that don't broadcast.

    >>> hybrid.logspace(0, 3, 4)
    Tensor([   1.,   10.,  100., 1000.], dtype=float64)
    """
    return np.logspace(start, stop, num, endpoint, base, None if dtype is None else as_dtype(dtype), axis)


@op(
    infer=_spaced(np.geomspace),
    numpy=[np.geomspace],
    dtypes=INTEGERS + INEXACT,
    samples=[
        sample(given(1.0), given(1000.0), num=4),
        sample((2,), (2,), num=3, low=1.0, high=9.0),
        sample((2, 1), (3,), num=4, axis=-1, endpoint=False, low=1.0, high=9.0),
        sample((), (), num=1, dtype="f4", low=1.0, high=9.0, dtypes=INTEGERS + FLOATS),
        sample(given(-1), given(-8), num=4),
    ],
)
def geomspace(start, stop, /, num: int = 50, *, endpoint: bool = True, dtype: Any = None, axis: int = 0):
    """Numbers with equal ratios between two bounds.

    Args:
        start: the first number, not 0; a number or an array.
        stop: the last number, not 0; an array that broadcasts with ``start``. Real bounds must have the same sign.
        num: how many.
        endpoint: whether ``stop`` is the last number; else it would be the next one.
        dtype: the dtype of the result.
        axis: where the result has the new axis.

    Returns:
        An array of the common shape of ``start`` and ``stop`` with an axis of size ``num`` put in.

    Raises:
        ValueError: for a bound that is 0, a negative ``num``, and bounds that don't broadcast.

    >>> hybrid.geomspace(1, 8, 4)
    Tensor([1., 2., 4., 8.], dtype=float64)
    """
    return np.geomspace(start, stop, num, endpoint, None if dtype is None else as_dtype(dtype), axis)
