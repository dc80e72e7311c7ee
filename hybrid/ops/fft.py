"""Discrete Fourier transforms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import numpy as np

from hybrid.core.dim import Dim, DimLike
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, as_dtype
from hybrid.core.info import check_device
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec
from hybrid.errors import DTypeError
from hybrid.ops._infer import Rule, axis_of, broadcast, dtype_as_run
from hybrid.ops._samples import given, sample

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2", "irfftn",
    "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Norm = Literal["backward", "ortho", "forward"] | None

REAL: Final = BOOL + INTEGERS + FLOATS

ONE_AXIS: Final = [
    sample((5,)), sample((4, 6)), sample((3, 4), axis=0), sample((2, 6), n=4), sample((2, 3), n=5, axis=-2, norm="ortho"),
    sample((4,), norm="forward"), sample((0, 3)), sample((2, 2, 2), axis=1),
]  # fmt: skip
"""Vectors of odd and even size along any axis, cut and padded, in each normalisation."""

SEVERAL_AXES: Final = [
    sample((4, 6)), sample((2, 3, 4), axes=(0, 2)), sample((4, 3), s=(2, 5), axes=(0, 1)), sample((5,), norm="ortho"),
    sample((2, 3, 4), s=(3, -1), axes=(-1, 1), norm="forward"), sample((2, 3, 4), axes=(1,)), sample((0, 3), axes=(-1,)),
    sample((3, 4, 2), s=(2, 3)),
]  # fmt: skip
"""Grids transformed along all and some axes, cut and padded, in each normalisation."""


# -- sizes ----------------------------------------------------------------------------------------------------------
def _whole(size: DimLike) -> DimLike:
    return size


def _half(points: DimLike) -> DimLike:
    """How many frequencies of a real signal there are: the others are their conjugates."""
    return points // 2 + 1


def _doubled(size: DimLike) -> DimLike:
    """How many points half a spectrum stands for, if that isn't said."""
    return (size - 1) * 2


def _whole_number(points: Any) -> DimLike:
    return points if isinstance(points, Dim) else operator.index(points)


def _few(points: DimLike) -> int:
    """A small number of points that NumPy takes or refuses as it does this one: odd, even, or fewer than one."""
    if not isinstance(points, int):
        return 2
    return points if points < 1 else 2 - points % 2


def _along_one(kernel: Callable[..., Any], default: Callable[[DimLike], DimLike], result: Callable[[DimLike], DimLike]) -> Rule:
    """The rule of a transform along one axis: ``default`` gives the number of points, ``result`` the size for that number."""

    def rule(x: Spec, *, n: Any, axis: int, norm: Norm) -> Spec:
        points = default(x.shape[axis]) if n is None else _whole_number(n)
        dtype = dtype_as_run(kernel, x, n=_few(points), axis=axis, norm=norm)
        place = axis_of(axis, x.ndim)
        return Spec(dtype, (*x.shape[:place], result(points), *x.shape[place + 1 :]))

    return rule


def _along_several(kernel: Callable[..., Any], last: Callable[[DimLike], DimLike] = _whole, inverse: bool = False) -> Rule:
    """The rule of a transform along several axes: ``last`` gives the size of the last axis for its number of points."""

    def rule(x: Spec, *, s: Any, axes: Any, norm: Norm) -> Spec:
        axes = tuple(axes) if axes is not None else _last_axes(s) if s is not None else tuple(range(x.ndim))
        points = _points(x, s, axes, inverse)
        dtype = dtype_as_run(kernel, x, s=tuple(map(_few, points)), axes=axes, norm=norm)
        sizes = [*points[:-1], *map(last, points[-1:])]
        pairs = [(axis_of(axis, x.ndim), size) for axis, size in zip(axes, sizes, strict=True)]
        shape = list(x.shape)
        for place, size in pairs if inverse else reversed(pairs):  # an axis named twice is transformed twice
            shape[place] = size
        return Spec(dtype, tuple(shape))

    return rule


def _points(x: Spec, s: Any, axes: tuple[int, ...], inverse: bool) -> list[DimLike]:
    """The number of points along each axis; what can't be right is left for NumPy to refuse."""
    if s is not None:
        points = [_whole_number(count) for count in s]
        known = range(-x.ndim, x.ndim)
        return [x.shape[axis] if count == -1 and axis in known else count for count, axis in zip(points, axes, strict=False)] + points[
            len(axes) :
        ]
    np.take(np.empty(x.ndim), axes)  # refuses axes as NumPy's transforms do
    points = [x.shape[axis] for axis in axes]
    return [*points[:-1], *map(_doubled, points[-1:])] if inverse else points


def _last_axes(s: Sequence[Any]) -> tuple[int, ...]:
    """The axes that sizes without axes are for."""
    return tuple(range(-len(s), 0))


def _with_a_point(x: Any, axis: int) -> Any:
    """A zero where an axis has no elements: NumPy's transforms to real numbers would read beyond its end."""
    shape = list(np.shape(x))
    if axis not in range(-len(shape), len(shape)) or shape[axis]:
        return x
    shape[axis] = 1
    return np.zeros(shape, np.asarray(x).dtype)


# -- along one axis -------------------------------------------------------------------------------------------------
@op(namespace="fft", infer=_along_one(np.fft.fft, _whole, _whole), numpy=[np.fft.fft], dtypes=DTYPES, samples=ONE_AXIS)
def fft(x, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"):
    """The discrete Fourier transform along one axis.

    Args:
        x: one axis or more, any dtype.
        n: the number of points: the axis is cut, or padded with zeros, to it. Its size if not given.
        axis: which axis.
        norm: what is divided by ``n``: "backward" (or ``None``): the inverse transform; "forward": this one; "ortho": both, by its
            root.

    Returns:
        ``n`` frequencies along the axis; complex64 for float16, float32 and complex64, else complex128.

    Raises:
        ValueError: for fewer than one point, and for another ``norm``.
        IndexError: for an axis that isn't there.

    >>> hybrid.fft.fft(hybrid.asarray([1.0, 0.0, -1.0, 0.0]))
    Tensor([0.+0.j, 2.+0.j, 0.+0.j, 2.+0.j], dtype=complex128)
    """
    return np.fft.fft(x, n, axis, norm)


@op(namespace="fft", infer=_along_one(np.fft.ifft, _whole, _whole), numpy=[np.fft.ifft], dtypes=DTYPES, samples=ONE_AXIS)
def ifft(x, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"):
    """The inverse of ``hybrid.fft.fft``.

    Args:
        x: one axis or more, any dtype.
        n, axis, norm: as in ``hybrid.fft.fft``.

    Returns:
        ``n`` points along the axis; complex64 for float16, float32 and complex64, else complex128.

    Raises:
        ValueError: for fewer than one point, and for another ``norm``.
        IndexError: for an axis that isn't there.

    >>> hybrid.fft.ifft(hybrid.asarray([0.0, 2.0, 0.0, 2.0]))
    Tensor([ 1.+0.j,  0.+0.j, -1.+0.j,  0.+0.j], dtype=complex128)
    """
    return np.fft.ifft(x, n, axis, norm)


@op(namespace="fft", infer=_along_one(np.fft.rfft, _whole, _half), numpy=[np.fft.rfft], dtypes=REAL, samples=ONE_AXIS)
def rfft(x, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"):
    """The discrete Fourier transform of real numbers along one axis: only the frequencies that aren't negative.

    Args:
        x: one axis or more, real.
        n, axis, norm: as in ``hybrid.fft.fft``.

    Returns:
        ``n // 2 + 1`` frequencies along the axis; complex64 for float16 and float32, else complex128.

    Raises:
        ValueError: for fewer than one point, and for another ``norm``.
        IndexError: for an axis that isn't there.
        TypeError: for complex numbers.

    >>> hybrid.fft.rfft(hybrid.asarray([1.0, 0.0, -1.0, 0.0]))
    Tensor([0.+0.j, 2.+0.j, 0.+0.j], dtype=complex128)
    """
    return np.fft.rfft(x, n, axis, norm)


@op(namespace="fft", infer=_along_one(np.fft.irfft, _doubled, _whole), numpy=[np.fft.irfft], dtypes=DTYPES, samples=ONE_AXIS)
def irfft(x, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"):
    """The inverse of ``hybrid.fft.rfft``.

    Args:
        x: one axis or more, any dtype; the imaginary part of the first frequency, and of the last one if ``n`` is even, is ignored.
        n: the number of points of the result; ``2 * (m - 1)`` for m frequencies if not given.
        axis, norm: as in ``hybrid.fft.fft``.

    Returns:
        ``n`` real points along the axis; float16 for float16, float32 for float32 and complex64, else float64.

    Raises:
        ValueError: for fewer than one point, and for another ``norm``.
        IndexError: for an axis that isn't there.

    >>> hybrid.fft.irfft(hybrid.asarray([0.0, 2.0, 0.0]))
    Tensor([ 1.,  0., -1.,  0.], dtype=float64)
    """
    return np.fft.irfft(x if n is None else _with_a_point(x, axis), n, axis, norm)


@op(namespace="fft", infer=_along_one(np.fft.hfft, _doubled, _whole), numpy=[np.fft.hfft], dtypes=DTYPES, samples=ONE_AXIS)
def hfft(x, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"):
    """The discrete Fourier transform of a Hermitian signal along one axis, given by its half: the result is real.

    Args:
        x: one axis or more, any dtype: the points 0 to ``n // 2`` of the signal.
        n: the number of points of the whole signal; ``2 * (m - 1)`` for m points if not given.
        axis, norm: as in ``hybrid.fft.fft``.

    Returns:
        ``n`` real frequencies along the axis; float16 for float16, float32 for float32 and complex64, else float64.

    Raises:
        ValueError: for fewer than one point, and for another ``norm``.
        IndexError: for an axis that isn't there.

    >>> hybrid.fft.hfft(hybrid.asarray([1.0, 2.0, 1.0]))
    Tensor([ 6.,  0., -2.,  0.], dtype=float64)
    """
    return np.fft.hfft(x if n is None else _with_a_point(x, axis), n, axis, norm)


@op(namespace="fft", infer=_along_one(np.fft.ihfft, _whole, _half), numpy=[np.fft.ihfft], dtypes=REAL, samples=ONE_AXIS)
def ihfft(x, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"):
    """The inverse of ``hybrid.fft.hfft``.

    Args:
        x: one axis or more, real.
        n, axis, norm: as in ``hybrid.fft.fft``.

    Returns:
        ``n // 2 + 1`` points along the axis; complex64 for float16 and float32, else complex128.

    Raises:
        ValueError: for fewer than one point, and for another ``norm``.
        IndexError: for an axis that isn't there.
        TypeError: for complex numbers.

    >>> hybrid.fft.ihfft(hybrid.asarray([6.0, 0.0, -2.0, 0.0]))
    Tensor([1.-0.j, 2.-0.j, 1.-0.j], dtype=complex128)
    """
    return np.fft.ihfft(x, n, axis, norm)


# -- along several axes ---------------------------------------------------------------------------------------------
def _several(function: Callable[..., Any], x: Any, s: Any, axes: Any, norm: Norm) -> Any:
    """NumPy's transform; what it transforms along no axis is copied."""
    s = s if s is None else list(map(operator.index, s))
    result = function(x, s, _last_axes(s) if axes is None and s is not None else axes, norm)
    return result.copy() if result is x else result


@op(namespace="fft", infer=_along_several(np.fft.fftn), numpy=[np.fft.fftn], dtypes=DTYPES, samples=SEVERAL_AXES)
def fftn(x, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"):
    """The discrete Fourier transform along several axes.

    Args:
        x: any dtype.
        s: the number of points along each of ``axes``: they are cut, or padded with zeros, to it; -1 for the size of the axis.
        axes: which axes; if not given all, or the last ones if ``s`` is given.
        norm: as in ``hybrid.fft.fft``, for the product of the numbers of points.

    Returns:
        ``s`` frequencies along the axes; complex64 for float16, float32 and complex64, else complex128.

    Raises:
        ValueError: for fewer than one point, for another number of sizes than of axes, and for another ``norm``.
        IndexError: for an axis that isn't there.

    >>> hybrid.fft.fftn(hybrid.asarray([[1.0, 1.0], [1.0, 1.0]]))
    Tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]], dtype=complex128)
    """
    return _several(np.fft.fftn, x, s, axes, norm)


@op(namespace="fft", infer=_along_several(np.fft.ifftn), numpy=[np.fft.ifftn], dtypes=DTYPES, samples=SEVERAL_AXES)
def ifftn(x, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"):
    """The inverse of ``hybrid.fft.fftn``.

    Args:
        x: any dtype.
        s, axes, norm: as in ``hybrid.fft.fftn``.

    Returns:
        ``s`` points along the axes; complex64 for float16, float32 and complex64, else complex128.

    Raises:
        ValueError: for fewer than one point, for another number of sizes than of axes, and for another ``norm``.
        IndexError: for an axis that isn't there.

    >>> hybrid.fft.ifftn(hybrid.asarray([[4.0, 0.0], [0.0, 0.0]]))
    Tensor([[1.+0.j, 1.+0.j],
            [1.+0.j, 1.+0.j]], dtype=complex128)
    """
    return _several(np.fft.ifftn, x, s, axes, norm)


@op(namespace="fft", infer=_along_several(np.fft.rfftn, _half), numpy=[np.fft.rfftn], dtypes=REAL, samples=SEVERAL_AXES)
def rfftn(x, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"):
    """The discrete Fourier transform of real numbers along several axes: half of the frequencies along the last of them.

    Args:
        x: one axis or more, real.
        s, axes, norm: as in ``hybrid.fft.fftn``.

    Returns:
        ``s`` frequencies along the axes, but ``s[-1] // 2 + 1`` along the last; complex64 for float16 and float32, else complex128.

    Raises:
        ValueError: for fewer than one point, for another number of sizes than of axes, and for another ``norm``.
        IndexError: for an axis that isn't there, and for no axes.
        TypeError: for complex numbers.

    >>> hybrid.fft.rfftn(hybrid.asarray([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])).shape
    (2, 2)
    """
    return _several(np.fft.rfftn, x, s, axes, norm)


@op(
    namespace="fft",
    infer=_along_several(np.fft.irfftn, inverse=True),
    numpy=[np.fft.irfftn],
    dtypes=DTYPES,
    samples=SEVERAL_AXES,
)
def irfftn(x, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: Norm = "backward"):
    """The inverse of ``hybrid.fft.rfftn``.

    Args:
        x: one axis or more, any dtype.
        s: the number of points of the result along each of ``axes``; if not given, ``2 * (m - 1)`` for m frequencies along the last.
        axes, norm: as in ``hybrid.fft.fftn``.

    Returns:
        ``s`` real points along the axes; float16 for float16, float32 for float32 and complex64, else float64.

    Raises:
        ValueError: for fewer than one point, for another number of sizes than of axes, and for another ``norm``.
        IndexError: for an axis that isn't there, and for no axes.

    >>> hybrid.fft.irfftn(hybrid.asarray([[4.0, 0.0], [0.0, 0.0]]))
    Tensor([[1., 1.],
            [1., 1.]], dtype=float64)
    """
    last = -1 if axes is None else axes[-1] if len(axes) else None
    return _several(np.fft.irfftn, x if s is None or last is None else _with_a_point(x, last), s, axes, norm)


# -- along two axes -------------------------------------------------------------------------------------------------
@stands_for(np.fft.fft2)
@explained
def fft2(x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = (-2, -1), norm: Norm = "backward") -> Any:
    """``hybrid.fft.fftn`` along two axes, the last two if not said otherwise.

    >>> hybrid.fft.fft2(hybrid.asarray([[1.0, 1.0], [1.0, 1.0]]))
    Tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]], dtype=complex128)
    """
    return fftn(x, s=s, axes=axes, norm=norm)


@stands_for(np.fft.ifft2)
@explained
def ifft2(x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = (-2, -1), norm: Norm = "backward") -> Any:
    """``hybrid.fft.ifftn`` along two axes, the last two if not said otherwise.

    >>> hybrid.fft.ifft2(hybrid.asarray([[4.0, 0.0], [0.0, 0.0]]))
    Tensor([[1.+0.j, 1.+0.j],
            [1.+0.j, 1.+0.j]], dtype=complex128)
    """
    return ifftn(x, s=s, axes=axes, norm=norm)


@stands_for(np.fft.rfft2)
@explained
def rfft2(x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = (-2, -1), norm: Norm = "backward") -> Any:
    """``hybrid.fft.rfftn`` along two axes, the last two if not said otherwise.

    >>> hybrid.fft.rfft2(hybrid.asarray([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])).shape
    (2, 2)
    """
    return rfftn(x, s=s, axes=axes, norm=norm)


@stands_for(np.fft.irfft2)
@explained
def irfft2(x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = (-2, -1), norm: Norm = "backward") -> Any:
    """``hybrid.fft.irfftn`` along two axes, the last two if not said otherwise.

    >>> hybrid.fft.irfft2(hybrid.asarray([[4.0, 0.0], [0.0, 0.0]]))
    Tensor([[1., 1.],
            [1., 1.]], dtype=float64)
    """
    return irfftn(x, s=s, axes=axes, norm=norm)


# -- frequencies ----------------------------------------------------------------------------------------------------
def _frequencies(kernel: Callable[..., Any], size: Callable[[DimLike], DimLike]) -> Rule:
    def rule(d: Spec, *, n: Any, dtype: Any, device: str | None) -> Spec:
        few = 1 if isinstance(n, Dim) or (isinstance(n, int) and n > 1) else n
        return Spec(dtype_as_run(kernel, d, n=few, dtype=dtype, device=device), broadcast((size(n),), d.shape))

    return rule


def _as_float(frequencies: Any, dtype: Any) -> Any:
    if dtype is None:
        return frequencies
    if as_dtype(dtype).kind != "f":
        raise DTypeError(f"wanted a real floating-point dtype, received {dtype!r}")
    return frequencies.astype(as_dtype(dtype))


def _fftfreq(d: Any, n: int, dtype: Any = None, device: str | None = None) -> Any:
    check_device(device)
    return _as_float(np.fft.fftfreq(n, d), dtype)


def _rfftfreq(d: Any, n: int, dtype: Any = None, device: str | None = None) -> Any:
    check_device(device)
    if isinstance(n, int) and n < 0:
        raise ValueError(f"wanted a number of points that is not negative, received {n}")
    return _as_float(np.fft.rfftfreq(n, d), dtype)


FREQUENCIES: Final = [
    sample(given(1.0), n=5), sample(given(0.5), n=8), sample(given(2), n=1), sample(given(0.1), n=4, dtype="float32"),
    sample((), n=6, low=0.5), sample((2, 1), n=4, low=0.5), sample((1,), n=3, low=0.5),
]  # fmt: skip


@op(
    namespace="fft",
    infer=_frequencies(_fftfreq, _whole),
    numpy=[np.fft.fftfreq],
    tensors=["d"],
    dtypes=INTEGERS + FLOATS,
    samples=FREQUENCIES,
)
def fftfreq(n: int, *, d=1.0, dtype: Any = None, device: str | None = None):
    """The frequencies that the results of ``hybrid.fft.fft`` stand for: 0, the positive and then the negative ones.

    Args:
        n: the number of points.
        d: the distance between points, a number.
        dtype: a floating-point dtype; float64 if not given.
        device: ``"cpu"`` or ``None``.

    Returns:
        (n,): multiples of ``1 / (n * d)``.

    Raises:
        ValueError: for an ``n`` that isn't a whole number or is negative, and for other devices.
        TypeError: for a dtype that isn't a real floating-point one.

    >>> hybrid.fft.fftfreq(4, d=0.5)
    Tensor([ 0. ,  0.5, -1. , -0.5], dtype=float64)
    """
    return _fftfreq(d, n, dtype, device)


@op(
    namespace="fft",
    infer=_frequencies(_rfftfreq, _half),
    numpy=[np.fft.rfftfreq],
    tensors=["d"],
    dtypes=INTEGERS + FLOATS,
    samples=FREQUENCIES,
)
def rfftfreq(n: int, *, d=1.0, dtype: Any = None, device: str | None = None):
    """The frequencies that the results of ``hybrid.fft.rfft`` stand for.

    Args:
        n: the number of points.
        d: the distance between points, a number.
        dtype: a floating-point dtype; float64 if not given.
        device: ``"cpu"`` or ``None``.

    Returns:
        (n // 2 + 1,): the multiples of ``1 / (n * d)`` from 0.

    Raises:
        ValueError: for an ``n`` that isn't a whole number or is negative, and for other devices.
        TypeError: for a dtype that isn't a real floating-point one.

    >>> hybrid.fft.rfftfreq(4, d=0.5)
    Tensor([0. , 0.5, 1. ], dtype=float64)
    """
    return _rfftfreq(d, n, dtype, device)


def _shift_rule(kernel: Callable[..., Any]) -> Rule:
    def rule(x: Spec, *, axes: Any) -> Spec:
        places = tuple(axes) if isinstance(axes, list | tuple) else axes
        return Spec(dtype_as_run(kernel, x, axes=places), x.shape)

    return rule


SHIFTS: Final = [
    sample((5,)), sample((3, 4)), sample((3, 4), axes=0), sample((2, 3, 4), axes=(0, -1)), sample((0, 2)), sample(()), sample((1, 1)),
]  # fmt: skip


@op(namespace="fft", infer=_shift_rule(np.fft.fftshift), numpy=[np.fft.fftshift], dtypes=DTYPES, samples=SHIFTS)
def fftshift(x, /, *, axes: int | Sequence[int] | None = None):
    """The frequency 0 brought from the front to the middle.

    Args:
        x: any dtype.
        axes: along which axes; all if not given.

    Returns:
        The elements, rolled by half the size of each axis; the dtype and shape of ``x``.

    Raises:
        AxisError: for an axis that isn't there.

    >>> hybrid.fft.fftshift(hybrid.fft.fftfreq(4))
    Tensor([-0.5 , -0.25,  0.  ,  0.25], dtype=float64)
    """
    return np.fft.fftshift(x, axes)


@op(namespace="fft", infer=_shift_rule(np.fft.ifftshift), numpy=[np.fft.ifftshift], dtypes=DTYPES, samples=SHIFTS)
def ifftshift(x, /, *, axes: int | Sequence[int] | None = None):
    """The inverse of ``hybrid.fft.fftshift``; it differs from that for odd sizes.

    Args:
        x: any dtype.
        axes: along which axes; all if not given.

    Returns:
        The elements, rolled back by half the size of each axis; the dtype and shape of ``x``.

    Raises:
        AxisError: for an axis that isn't there.

    >>> hybrid.fft.ifftshift(hybrid.asarray([-1, 0, 1]))
    Tensor([ 0,  1, -1], dtype=int64)
    """
    return np.fft.ifftshift(x, axes)
