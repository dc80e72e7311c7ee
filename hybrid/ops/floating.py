"""Parts of floating-point numbers: signs, exponents, neighbours, nan and infinities."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS
from hybrid.core.numpy_call import write_out
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._infer import broadcast, elementwise
from hybrid.ops._samples import given, pairs, sample, singles

__all__ = ["copysign", "frexp", "ldexp", "nan_to_num", "nextafter", "signbit", "spacing"]


def with_numbers_kept(x: Spec, nan: Spec | None = None, posinf: Spec | None = None, neginf: Spec | None = None) -> Spec:
    """The dtype and shape stay; the numbers put in must fit (NumPy looks at them only if ``x`` can hold nan)."""
    if x.dtype.kind in "fc":
        part = np.empty(0, x.dtype).real.dtype
        for spec in (nan, posinf, neginf):
            if spec is None:
                continue
            if not np.can_cast(spec.dtype, part, "same_kind"):
                raise TypeError(f"Cannot cast array data from {spec.dtype!r} to {part!r} according to the rule 'same_kind'")
            if broadcast(spec.shape, x.shape) != x.shape:
                raise ValueError(f"could not broadcast input array from shape {spec.shape} into shape {x.shape}")
    return Spec(x.dtype, x.shape)


@op(infer=elementwise(np.signbit), numpy=[np.signbit], dtypes=BOOL + INTEGERS + FLOATS, samples=singles(), no_gradient="boolean result")
def signbit(x, /):
    """Whether the sign bit is set, element by element: x < 0, and true for -0.0.

    Args:
        x: any shape, real.

    Returns:
        Booleans, of the same shape.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.signbit(hybrid.asarray([-1.5, -0.0, 0.0]))
    Tensor([ True,  True, False], dtype=bool)
    """
    return np.signbit(x)


@op(infer=elementwise(np.copysign), numpy=[np.copysign], dtypes=BOOL + INTEGERS + FLOATS, samples=pairs())
def copysign(x1, x2, /):
    """x1 with the sign of x2, element by element.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Numbers of the magnitude of ``x1``, of the broadcast shape; integers and booleans become floats.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.copysign(hybrid.asarray([1.5, -2.0]), -0.0)
    Tensor([-1.5, -2. ], dtype=float64)
    """
    return np.copysign(x1, x2)


@op(
    infer=elementwise(np.nextafter),
    numpy=[np.nextafter],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=pairs(),
    no_gradient="a step between floating-point numbers",
)
def nextafter(x1, x2, /):
    """The floating-point number next to x1 towards x2, element by element.

    Args:
        x1: any shape, real.
        x2: any shape that broadcasts with that of ``x1``.

    Returns:
        Of the broadcast shape; integers and booleans become floats; ``x2`` where both are equal.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for complex numbers.

    >>> hybrid.nextafter(hybrid.asarray([1.0, 1.0]), 2.0) - 1
    Tensor([2.22044605e-16, 2.22044605e-16], dtype=float64)
    """
    return np.nextafter(x1, x2)


@op(
    infer=elementwise(np.spacing),
    numpy=[np.spacing],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=singles(),
    no_gradient="a step between floating-point numbers",
)
def spacing(x, /):
    """The distance to the next floating-point number away from zero, element by element.

    Args:
        x: any shape, real.

    Returns:
        Distances with the sign of x, of the same shape; integers and booleans become floats.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.spacing(hybrid.asarray([1.0, 1e10]))
    Tensor([2.22044605e-16, 1.90734863e-06], dtype=float64)
    """
    return np.spacing(x)


@op(infer=elementwise(np.frexp), numpy=[np.frexp], dtypes=BOOL + INTEGERS + FLOATS, samples=singles())
def frexp(x, /):
    """Mantissas m and exponents e with x = m * 2**e, element by element.

    Args:
        x: any shape, real.

    Returns:
        Mantissas of magnitude within [0.5, 1), or 0, as floats; and exponents as int32; both of the same shape.

    Raises:
        TypeError: for complex numbers.

    >>> hybrid.frexp(hybrid.asarray([8.0, -0.75]))
    (Tensor([ 0.5 , -0.75], dtype=float64), Tensor([4, 0], dtype=int32))
    """
    return np.frexp(x)


@op(
    infer=elementwise(np.ldexp),
    numpy=[np.ldexp],
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=[sample((3, 4), (3, 4)), *(sample(s, given([1, -2, 3])) for s in ((3,), (2, 3), (), (0, 3))), sample((2, 3), given(2))],
)
def ldexp(x1, x2, /):
    """x1 * 2**x2, element by element, for integers x2.

    Args:
        x1: any shape, real.
        x2: exponents; integers, of any shape that broadcasts with that of ``x1``.

    Returns:
        Of the broadcast shape; integers and booleans in ``x1`` become floats.

    Raises:
        ValueError: if the shapes don't broadcast.
        TypeError: for exponents that aren't integers, and for complex numbers.

    >>> hybrid.ldexp(hybrid.asarray([1.0, 0.75]), hybrid.asarray([3, -1]))
    Tensor([8.   , 0.375], dtype=float64)
    """
    return np.ldexp(x1, x2)


@op(
    infer=with_numbers_kept,
    dtypes=DTYPES,
    tensors=("nan", "posinf", "neginf"),
    samples=[
        *singles(),
        sample(given([np.nan, np.inf, -np.inf, 1.5])),
        sample(given([np.nan, np.inf, -np.inf, 1.5]), given(1.0), given(2.0), given(3.0)),
        sample(given([[np.nan, 1.0], [np.inf, 2.0]]), given([7.0, 8.0])),
        sample(given([complex(np.nan, np.inf), 1j]), given(0.0), given(9.0)),
        sample((2, 3), given(0.0), given(1.0)),
    ],
)
def nan_to_num(x, /, *, nan=0.0, posinf=None, neginf=None):
    """Replace nan and infinities by numbers, element by element; complex numbers part by part.

    Args:
        x: any shape and dtype.
        nan: what stands in place of nan; a number, or an array that broadcasts to the shape of ``x``.
        posinf: the same for infinity; the largest number of the dtype if not given.
        neginf: the same for minus infinity; the smallest number of the dtype if not given.

    Returns:
        The same shape and dtype.

    Raises:
        ValueError: if an array doesn't broadcast.
        TypeError: if a number can't be cast to the dtype by the rule "same kind".

    >>> hybrid.nan_to_num(hybrid.asarray([1.0, np.nan, np.inf]), posinf=9)
    Tensor([1., 0., 9.], dtype=float64)
    """
    return np.nan_to_num(x, True, 0.0 if nan is None else nan, posinf, neginf)


@nan_to_num.from_numpy(np.nan_to_num)
def _(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """NumPy's call; without ``copy`` the numbers are written into ``x``."""
    result = nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
    return result if copy else write_out(x, result)
