"""Native functions of numbers that generated programs call where one expression doesn't do."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic

from hybrid.backends.numba.native import CHECKED
from hybrid.backends.numba.sums import pairwise

__all__ = ["HELPERS"]

LOWEST: Final = -(2**63)
add_checked, sub_checked, mul_checked = CHECKED["add"], CHECKED["sub"], CHECKED["mul"]


@njit(error_model="numpy")
def pow_checked(base: Any, exponent: Any) -> Any:
    """base ** exponent of Python integers, exponent ≥ 0, and whether it overflowed."""
    result, over = 1, False
    while exponent > 0:
        if exponent & 1:
            result, flag = mul_checked(result, base)
            over |= flag
        exponent >>= 1
        if exponent:
            base, flag = mul_checked(base, base)
            over |= flag
    return result, over


@njit(error_model="numpy")
def shift_checked(a: Any, b: Any) -> Any:
    """a << b of Python integers, b ≥ 0, and whether it overflowed."""
    if a == 0:
        return 0, False
    if b > 62:
        return 0, True
    result = a << b
    return result, (result >> b) != a


llvm.add_symbol("hybrid.pow", ctypes.cast(ctypes.CDLL(None).pow, ctypes.c_void_p).value)


@intrinsic
def c_pow(typing_context: Any, base: Any, exponent: Any) -> Any:
    """C's ``pow``, as Python and NumPy's scalars use it, under a name that LLVM knows nothing about: it would write squares instead."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        double = ir.DoubleType()
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(double, [double, double]), "hybrid.pow")
        function.attributes.add("readnone")
        function.attributes.add("nounwind")
        return builder.call(function, args)

    return types.float64(types.float64, types.float64), generate


@intrinsic
def float_rem(typing_context: Any, a: Any, b: Any) -> Any:
    """The exact remainder of floats that has the sign of a, as C's fmod."""
    if a != b or a not in (types.float32, types.float64):
        return None
    return a(a, b), lambda context, builder, signature, args: builder.frem(*args)


@njit(error_model="numpy")
def floor_mod(a: Any, b: Any) -> Any:
    """a % b of floats, with the sign of b, as Python and NumPy define it."""
    mod = float_rem(a, b)
    if b == 0.0:
        return mod
    if mod != 0.0:
        if (b < 0.0) != (mod < 0.0):
            mod += b
    else:
        mod = math.copysign(type_like(0.0, a), b)
    return mod


@njit(error_model="numpy")
def floor_div(a: Any, b: Any) -> Any:
    """a // b of floats, as Python and NumPy define it."""
    if b == 0.0:
        return a / b
    mod = float_rem(a, b)
    div = (a - mod) / b
    if mod != 0.0 and (b < 0.0) != (mod < 0.0):
        div -= type_like(1.0, a)
    if div != 0.0:
        floor = np.floor(div)
        if div - floor > 0.5:
            floor += type_like(1.0, a)
        return floor
    return math.copysign(type_like(0.0, a), a / b)


@intrinsic
def type_like(typing_context: Any, number: Any, like: Any) -> Any:
    """A float as the type of another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], number, like)

    return like(number, like), generate


@njit(error_model="numpy")
def int_div(a: Any, b: Any) -> Any:
    """a // b of signed NumPy integers: 0 for b = 0, wrapped for b = -1."""
    if b == 0:
        return 0
    if b == -1:
        return -a
    return a // b


@njit(error_model="numpy")
def int_mod(a: Any, b: Any) -> Any:
    """a % b of signed NumPy integers: 0 for b = 0."""
    if b == 0 or b == -1:
        return 0
    return a % b


@njit(error_model="numpy")
def uint_div(a: Any, b: Any) -> Any:
    """a // b of unsigned NumPy integers: 0 for b = 0."""
    return a // b if b != 0 else a - a


@njit(error_model="numpy")
def uint_mod(a: Any, b: Any) -> Any:
    """a % b of unsigned NumPy integers: 0 for b = 0."""
    return a % b if b != 0 else a - a


@njit(error_model="numpy")
def int_fmod(a: Any, b: Any) -> Any:
    """The remainder of NumPy integers that has the sign of a."""
    if b == 0 or b == -1:
        return 0
    rest = a % b
    if rest != 0 and (a < 0) != (b < 0):
        rest -= b
    return rest


@njit(error_model="numpy")
def int_pow(base: Any, exponent: Any) -> Any:
    """base ** exponent of NumPy integers, exponent ≥ 0; wraps around."""
    result = base - base + type(base)(1)
    while exponent > 0:
        if exponent & type(exponent)(1):
            result *= base
        exponent >>= type(exponent)(1)
        base *= base
    return result


@njit(error_model="numpy")
def int_gcd(a: Any, b: Any) -> Any:
    """The greatest common divisor of the absolute values."""
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, a % b
    return a


@njit(error_model="numpy")
def shift_left(a: Any, b: Any, bits: Any) -> Any:
    """a << b; 0 where b isn't below the number of bits."""
    return a << b if 0 <= b < bits else a - a


@njit(error_model="numpy")
def shift_right(a: Any, b: Any, bits: Any) -> Any:
    """a >> b; only the sign where b isn't below the number of bits."""
    return a >> b if 0 <= b < bits else a >> (bits - 1)


def _ordered(compare: str) -> Any:
    """NumPy's ``maximum`` and ``minimum`` of floats: NaN wins; of equal ones, such as 0 and -0, the second."""

    @intrinsic
    def choose(typing_context: Any, a: Any, b: Any) -> Any:
        if a != b or a not in (types.float32, types.float64):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wins = builder.fcmp_ordered(compare, *args)
            is_nan = builder.fcmp_unordered("uno", args[0], args[0])
            return builder.select(builder.or_(wins, is_nan), *args)

        return a(a, b), generate

    return choose


@njit(error_model="numpy")
def fmax_float(a: Any, b: Any) -> Any:
    """NumPy's fmax: NaN loses."""
    if a >= b or b != b:
        return a
    return b


@njit(error_model="numpy")
def fmin_float(a: Any, b: Any) -> Any:
    """NumPy's fmin: NaN loses."""
    if a <= b or b != b:
        return a
    return b


@njit(error_model="numpy")
def clip_max(x: Any, low: Any) -> Any:
    """x, or the lower bound where x is below it; NaN stays."""
    return x if x >= low or x != x else low


@njit(error_model="numpy")
def clip_min(x: Any, high: Any) -> Any:
    """x, or the upper bound where x is above it; NaN stays."""
    return x if x <= high or x != x else high


@njit(error_model="numpy")
def sign_float(a: Any) -> Any:
    """-1, 0, 1 or nan."""
    if a > 0:
        return type_like(1.0, a)
    if a < 0:
        return type_like(-1.0, a)
    return type_like(0.0, a) if a == 0 else a


@njit(error_model="numpy")
def divide_complex(a: Any, b: Any) -> Any:
    """a / b by Smith's method, as NumPy does it (doi:10.1145/368637.368661)."""
    re, im = abs(b.real), abs(b.imag)
    if re >= im:
        if re == 0 and im == 0:
            return complex(a.real / re, a.imag / re)
        ratio = b.imag / b.real
        scale = type_like(1.0, re) / (b.real + b.imag * ratio)
        return complex((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
    ratio = b.real / b.imag
    scale = type_like(1.0, re) / (b.imag + b.real * ratio)
    return complex((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale)


@njit(error_model="numpy")
def python_quotient(a: Any, b: Any) -> Any:
    """a / b of Python's complex numbers; not finite where Python raises, or where its result isn't finite."""
    if abs(b.real) >= abs(b.imag):
        ratio = b.imag / b.real
        scale = b.real + b.imag * ratio
        return complex((a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale)
    ratio = b.real / b.imag
    scale = b.real * ratio + b.imag
    return complex((a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale)


HELPERS: Final[dict[str, Any]] = {
    "math": math,
    "maximum_float": _ordered(">"),
    "minimum_float": _ordered("<"),
    **{
        f.__name__: f
        for f in (
            pow_checked, shift_checked, floor_mod, floor_div, int_div, int_mod, uint_div, uint_mod, int_fmod, int_pow, int_gcd,
            shift_left, shift_right, fmax_float, fmin_float, clip_max, clip_min, sign_float, divide_complex, python_quotient,
        )
    },
    "c_pow": c_pow,
    "float_rem": float_rem,
    "pairwise": pairwise,
    "add_checked": add_checked,
    "sub_checked": sub_checked,
    "mul_checked": mul_checked,
}  # fmt: skip
"""The names of all of them."""
