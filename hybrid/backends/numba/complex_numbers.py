"""Complex numbers as NumPy's loops over arrays compute them, which is not always as it computes a single one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["PRODUCT"]


@intrinsic
def multiply_fused(typing_context: Any, a: Any, b: Any) -> Any:
    """a * b, where each part is one product added to another that has been rounded before."""
    if a != b or not isinstance(a, types.Complex):
        return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        x, y = (context.make_complex(builder, a, value=value) for value in args)
        made = context.make_complex(builder, a)
        made.real = _fma(builder, x.real, y.real, builder.fneg(builder.fmul(x.imag, y.imag)))
        made.imag = _fma(builder, x.real, y.imag, builder.fmul(x.imag, y.real))
        return made._getvalue()

    return a(a, b), generate


def _fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    function = builder.module.declare_intrinsic("llvm.fma", [a.type], ir.FunctionType(a.type, [a.type] * 3))
    return builder.call(function, [a, b, c])


def _numpy_fuses() -> bool:
    """Whether NumPy's loop for products of complex numbers keeps what one of two products loses by rounding, on this machine."""
    x = np.array([complex(1 + 2.0**-30, 1.0)])
    y = np.array([complex(1 + 2.0**-30, 1 + 2.0**-29)])
    return bool(np.multiply(x, y)[0].real != 0.0)


PRODUCT: Final = {"multiply_fused": multiply_fused} if _numpy_fuses() else {}
"""What products of elements are written with, if not as ordinary products."""
