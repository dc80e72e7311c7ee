"""Windows: weights that fade a signal in and out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid.core.dim import Dim
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._samples import sample

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]

SIZES = [sample(M=6), sample(M=1), sample(M=0), sample(M=5.5)]
CONSTANT = "the result depends on no value"


def _points(offset: float) -> Callable[..., Spec]:
    """The rule of a window; one of M points that is no whole number has ⌈M - offset⌉."""

    def rule(*, M: Any, **_: Any) -> Spec:
        count = M if isinstance(M, Dim) else 0 if M < 1 else 1 if M == 1 else math.ceil(M - offset)
        return Spec(np.dtype("float64"), (count,))

    return rule


@op(infer=_points(0.5), numpy=[np.bartlett], samples=SIZES, no_gradient=CONSTANT)
def bartlett(M: int):
    """The triangular window, 0 at both ends.

    Args:
        M: the number of points; below 1, there are none.

    Returns:
        M numbers between 0 and 1, of dtype ``float64``.

    >>> hybrid.bartlett(5)
    Tensor([0. , 0.5, 1. , 0.5, 0. ], dtype=float64)
    """
    return np.bartlett(M)


@op(infer=_points(0.5), numpy=[np.blackman], samples=SIZES, no_gradient=CONSTANT)
def blackman(M: int):
    """The Blackman window: 0.42 - 0.5 cos(2πn / (M-1)) + 0.08 cos(4πn / (M-1)).

    Source: R. B. Blackman and J. W. Tukey, The Measurement of Power Spectra, Dover 1958.

    Args:
        M: the number of points; below 1, there are none.

    Returns:
        M numbers between 0 and 1, of dtype ``float64``.

    >>> hybrid.blackman(5).round(2)
    Tensor([-0.  ,  0.34,  1.  ,  0.34, -0.  ], dtype=float64)
    """
    return np.blackman(M)


@op(infer=_points(0.5), numpy=[np.hamming], samples=SIZES, no_gradient=CONSTANT, onnx="HammingWindow")
def hamming(M: int):
    """The Hamming window: 0.54 - 0.46 cos(2πn / (M-1)).

    Source: R. B. Blackman and J. W. Tukey, The Measurement of Power Spectra, Dover 1958.

    Args:
        M: the number of points; below 1, there are none.

    Returns:
        M numbers between 0 and 1, of dtype ``float64``.

    >>> hybrid.hamming(5)
    Tensor([0.08, 0.54, 1.  , 0.54, 0.08], dtype=float64)
    """
    return np.hamming(M)


@op(infer=_points(0.5), numpy=[np.hanning], samples=SIZES, no_gradient=CONSTANT, onnx="HannWindow")
def hanning(M: int):
    """The Hann window: 0.5 - 0.5 cos(2πn / (M-1)).

    Source: R. B. Blackman and J. W. Tukey, The Measurement of Power Spectra, Dover 1958.

    Args:
        M: the number of points; below 1, there are none.

    Returns:
        M numbers between 0 and 1, of dtype ``float64``.

    >>> hybrid.hanning(5)
    Tensor([0. , 0.5, 1. , 0.5, 0. ], dtype=float64)
    """
    return np.hanning(M)


@op(infer=_points(0.0), numpy=[np.kaiser], samples=[sample(M=m, beta=8.6) for m in (6, 1, 0, 5.5)], no_gradient=CONSTANT)
def kaiser(M: int, beta: float):
    """The Kaiser window: I₀(β √(1 - (2n / (M-1) - 1)²)) / I₀(β), with I₀ the modified Bessel function of order 0.

    Source: J. F. Kaiser, Digital Filters, in: Systems Analysis by Digital Computer, Wiley 1966.

    Args:
        M: the number of points; below 1, there are none.
        beta: the shape: 0 is a rectangle, larger ones are narrower.

    Returns:
        M numbers between 0 and 1, of dtype ``float64``.

    >>> hybrid.kaiser(3, 0.0)
    Tensor([1., 1., 1.], dtype=float64)
    """
    return np.kaiser(M, beta)
