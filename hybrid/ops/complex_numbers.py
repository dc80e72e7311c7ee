"""Complex numbers and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import DimLike
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.numpy_call import stands_for
from hybrid.core.op import op
from hybrid.core.operators import Operators
from hybrid.core.refusal import explained
from hybrid.core.spec import Spec, spec_of, weak_spec
from hybrid.ops._infer import elementwise, elementwise_as_run
from hybrid.ops._samples import pairs, sample, singles
from hybrid.ops.arithmetic import abs
from hybrid.ops.compare import less
from hybrid.ops.reduce import all

__all__ = ["angle", "complex", "conj", "imag", "iscomplex", "isreal", "real", "real_if_close"]


def parts(x: Spec) -> Spec:
    """The shape stays; the parts of complex numbers are floats of half the size."""
    return Spec(np.empty(0, x.dtype).real.dtype, x.shape)


def strides_of_parts(strides: Sequence[DimLike] | None, x: Spec) -> Any:
    """The parts of a complex number lie side by side."""
    if strides is None:
        return True
    return tuple(stride * 2 for stride in strides) if x.dtype.kind == "c" else tuple(strides)


def complex_of(real: Any, imag: Any) -> Any:
    """An array made of two parts."""
    if "c" in (np.result_type(real).kind, np.result_type(imag).kind):
        raise TypeError("wanted real numbers for the parts of complex ones, received complex numbers")
    joined = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), np.result_type(real, imag, np.complex64))
    joined.real, joined.imag = real, imag
    return joined[()]


@op(infer=elementwise(np.conjugate), numpy=[np.conjugate], dtypes=DTYPES, samples=singles())
def conj(x, /):
    """The complex conjugate, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        The same shape and dtype; a copy of real numbers.

    >>> hybrid.conj(hybrid.asarray([1 + 2j, 3.0]))
    Tensor([1.-2.j, 3.-0.j], dtype=complex128)
    """
    return np.conjugate(x)


@op(infer=parts, numpy=[np.real], dtypes=DTYPES, samples=singles(), view=strides_of_parts)
def real(x, /):
    """The real part, as a view; the array itself where it is real.

    Args:
        x: any shape and dtype.

    Returns:
        The same shape; for complex numbers the dtype of their parts, else that of ``x``. Writing into it writes into ``x``.

    >>> hybrid.real(hybrid.asarray([1 + 2j, 3.0]))
    Tensor([1., 3.], dtype=float64)
    """
    return x.real if isinstance(x, np.ndarray | np.generic) else np.asarray(x).real[()]


@real.writes_back
def _(base: Any, new: Any) -> Any:
    return new if base.dtype.kind != "c" else complex(new, imag(base))


@op(infer=parts, numpy=[np.imag], dtypes=DTYPES, samples=singles(), view=strides_of_parts)
def imag(x, /):
    """The imaginary part, as a view; zeros that can't be written where the array is real.

    Args:
        x: any shape and dtype.

    Returns:
        The same shape; for complex numbers the dtype of their parts, else that of ``x``. Writing into it writes into ``x``.

    >>> hybrid.imag(hybrid.asarray([1 + 2j, 3.0]))
    Tensor([2., 0.], dtype=float64)
    """
    return x.imag if isinstance(x, np.ndarray | np.generic) else np.asarray(x).imag[()]


@imag.writes_back
def _(base: Any, new: Any) -> Any:
    if base.dtype.kind != "c":
        raise ValueError("assignment destination is read-only")
    return complex(real(base), new)


def _is_real_number(value: Any) -> bool:
    """Whether something is, or stands for, a Python number without an imaginary part: NumPy asks it for its own parts."""
    spec = weak_spec(value) or (spec_of(value) if isinstance(value, Operators) else None)
    return spec is not None and spec.weak and spec.dtype.kind != "c"


@real.from_numpy(np.real)
def _(val: Any) -> Any:
    return +val if _is_real_number(val) else real(val)


@imag.from_numpy(np.imag)
def _(val: Any) -> Any:
    return spec_of(val).dtype.type(0).item() * 1 if _is_real_number(val) else imag(val)


@op(infer=elementwise_as_run(complex_of), dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def complex(real, imag, /):
    """Complex numbers of real and imaginary parts, each kept to the bit (``real + 1j * imag`` would mix infinities and signs).

    Args:
        real: any shape, real.
        imag: any shape that broadcasts with that of ``real``.

    Returns:
        Numbers of the broadcast shape, of the complex dtype that holds both.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex parts.

    >>> hybrid.complex(hybrid.asarray([1.0, 2.0]), np.inf)
    Tensor([1.+infj, 2.+infj], dtype=complex128)
    """
    return complex_of(real, imag)


@op(infer=elementwise_as_run(np.angle), numpy=[np.angle], dtypes=DTYPES, samples=[*singles(), sample((3, 4), deg=True)])
def angle(x, /, *, deg: bool = False):
    """The angle of complex numbers from the positive real axis, element by element.

    Args:
        x: any shape and dtype.
        deg: in degrees instead of radians.

    Returns:
        Angles within [-π, π], of the same shape: for real numbers 0 or π. Integers and booleans become floats.

    >>> hybrid.angle(hybrid.asarray([1j, -1.0]), deg=True)
    Tensor([ 90., 180.], dtype=float64)
    """
    return np.angle(x, deg)


@op(infer=elementwise_as_run(np.isreal), numpy=[np.isreal], dtypes=DTYPES, samples=singles(), no_gradient="boolean result")
def isreal(x, /):
    """Whether the imaginary part is zero, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Booleans, of the same shape.

    >>> hybrid.isreal(hybrid.asarray([1 + 2j, 3.0]))
    Tensor([False,  True], dtype=bool)
    """
    return np.isreal(x)


@op(infer=elementwise_as_run(np.iscomplex), numpy=[np.iscomplex], dtypes=DTYPES, samples=singles(), no_gradient="boolean result")
def iscomplex(x, /):
    """Whether the imaginary part is not zero, element by element.

    Args:
        x: any shape and dtype.

    Returns:
        Booleans, of the same shape.

    >>> hybrid.iscomplex(hybrid.asarray([1 + 2j, 3.0]))
    Tensor([ True, False], dtype=bool)
    """
    return np.iscomplex(x)


@stands_for(np.real_if_close)
@explained
def real_if_close(x: Any, /, *, tol: float = 100) -> Any:
    """The real part, if all imaginary parts are close to zero; otherwise the numbers as they are.

    The dtype of the result depends on values, so that this can't be traced for complex numbers.

    Args:
        x: any shape and dtype.
        tol: how large imaginary parts may be: above 1 in units of the dtype's epsilon, else as it is.

    Returns:
        A tensor that shares memory with ``x``.

    >>> hybrid.real_if_close(hybrid.asarray([1 + 1e-15j, 3.0]))
    Tensor([1., 3.], dtype=float64)
    """
    x = asarray(x)
    if x.dtype.kind != "c":
        return x
    bound = np.finfo(x.dtype).eps * tol if tol > 1 else tol
    return real(x) if bool(all(less(abs(imag(x)), bound))) else x
