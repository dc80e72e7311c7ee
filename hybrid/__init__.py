"""Write NumPy, run it eagerly, make what is hot native.

The functions carry the names of the Python array API standard, and NumPy's names where the standard has none.
"""

import typing as _typing
from importlib import import_module as _import_module

import numpy as np

from hybrid import errors, fft, linalg, special
from hybrid.config import config
from hybrid.core.convert import asarray, constant, from_dlpack
from hybrid.core.info import namespace_info as __array_namespace_info__  # noqa: F401 - the standard looks here
from hybrid.core.spec import TensorSpec
from hybrid.core.tensor import Tensor
from hybrid.core.variable import Variable
from hybrid.ops.arithmetic import (
    abs,
    add,
    divide,
    divmod,
    fabs,
    float_power,
    floor_divide,
    fmod,
    gcd,
    lcm,
    multiply,
    negative,
    positive,
    pow,
    reciprocal,
    remainder,
    sign,
    square,
    subtract,
)
from hybrid.ops.axes import flip, fliplr, flipud, matrix_transpose, moveaxis, permute_dims, rot90, swapaxes, unstack
from hybrid.ops.bits import (
    bitwise_and,
    bitwise_count,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    packbits,
    unpackbits,
)
from hybrid.ops.choose import argwhere, choose, compress, extract, flatnonzero, nonzero, select, take, take_along_axis, where
from hybrid.ops.compare import (
    allclose,
    array_equal,
    array_equiv,
    equal,
    greater,
    greater_equal,
    isclose,
    isfinite,
    isinf,
    isnan,
    isneginf,
    isposinf,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from hybrid.ops.complex_numbers import angle, complex, conj, imag, iscomplex, isreal, real, real_if_close
from hybrid.ops.convert import (
    ascontiguousarray,
    asfortranarray,
    astype,
    broadcast_shapes,
    can_cast,
    copy,
    finfo,
    iinfo,
    isdtype,
    min_scalar_type,
    promote_types,
    result_type,
)
from hybrid.ops.create import (
    arange,
    empty,
    empty_like,
    eye,
    full,
    full_like,
    geomspace,
    linspace,
    logspace,
    ones,
    ones_like,
    tri,
    zeros,
    zeros_like,
)
from hybrid.ops.diagonal import diag, diagflat, diagonal, tril, triu
from hybrid.ops.differences import diff, ediff1d, gradient, interp, trapezoid
from hybrid.ops.edit import delete, insert, repeat, roll, tile, trim_zeros
from hybrid.ops.einsum import einsum, einsum_path
from hybrid.ops.extremes import clip, fmax, fmin, maximum, minimum
from hybrid.ops.floating import copysign, frexp, ldexp, nan_to_num, nextafter, signbit, spacing
from hybrid.ops.grid import (
    diag_indices,
    diag_indices_from,
    fromfunction,
    indices,
    ix_,
    meshgrid,
    mgrid,
    ogrid,
    ravel_multi_index,
    tril_indices,
    tril_indices_from,
    triu_indices,
    triu_indices_from,
    unravel_index,
)
from hybrid.ops.histogram import bincount, digitize, histogram, histogram2d, histogram_bin_edges, histogramdd
from hybrid.ops.join import append, block, column_stack, concat, dstack, hstack, stack, vstack
from hybrid.ops.math import cbrt, exp, exp2, expm1, hypot, log, log1p, log2, log10, logaddexp, logaddexp2, sinc, sqrt, unwrap
from hybrid.ops.nan import (
    nanargmax,
    nanargmin,
    nancumprod,
    nancumsum,
    nanmax,
    nanmean,
    nanmedian,
    nanmin,
    nanpercentile,
    nanprod,
    nanquantile,
    nanstd,
    nansum,
    nanvar,
)
from hybrid.ops.pad import pad
from hybrid.ops.polynomial import convolve, correlate, polyadd, polyder, polyfit, polyint, polymul, polysub, polyval, roots, vander
from hybrid.ops.products import cross, dot, inner, kron, matmul, matvec, outer, tensordot, trace, vdot, vecdot, vecmat
from hybrid.ops.put import copyto, fill_diagonal, place, put, put_along_axis, putmask
from hybrid.ops.reduce import all, any, argmax, argmin, count_nonzero, max, mean, min, prod, ptp, std, sum, var
from hybrid.ops.rounding import ceil, floor, heaviside, modf, rint, round, trunc
from hybrid.ops.scan import cumulative_prod, cumulative_sum
from hybrid.ops.sets import (
    intersect1d,
    isin,
    setdiff1d,
    setxor1d,
    union1d,
    unique,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
)
from hybrid.ops.shape import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_arrays,
    broadcast_to,
    expand_dims,
    ravel,
    reshape,
    resize,
    squeeze,
)
from hybrid.ops.sort import argpartition, argsort, lexsort, partition, searchsorted, sort
from hybrid.ops.split import array_split, dsplit, hsplit, split, vsplit
from hybrid.ops.statistics import average, corrcoef, cov, median, percentile, quantile
from hybrid.ops.trigonometry import acos, acosh, asin, asinh, atan, atan2, atanh, cos, cosh, deg2rad, rad2deg, sin, sinh, tan, tanh
from hybrid.ops.windows import bartlett, blackman, hamming, hanning, kaiser

__version__ = "0.1.0"
__array_api_version__ = "2024.12"

e, pi, inf, nan = np.e, np.pi, np.inf, np.nan
newaxis = None

bool = np.bool
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float16, float32, float64 = np.float16, np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128

_LATER = {
    "compare": "hybrid.functions.compare",
    "do_not_convert": "hybrid.frontend",
    "explain": "hybrid.functions.explain",
    "function": "hybrid.functions.function",
    "py_function": "hybrid.staging.py_function",
    "run_eagerly": "hybrid.functions.eagerly",
}
"""Names of the compiler, and where they are: it is imported when one of them is first used, so that eager programs start quickly."""


_LATER_MODULES = ("testing",)
"""Modules that are imported when they are first used."""

if _typing.TYPE_CHECKING:
    from hybrid import testing as testing
    from hybrid.frontend import do_not_convert as do_not_convert
    from hybrid.functions.compare import compare as compare
    from hybrid.functions.eagerly import run_eagerly as run_eagerly
    from hybrid.functions.explain import explain as explain
    from hybrid.functions.function import function as function
    from hybrid.staging.py_function import py_function as py_function


def __getattr__(name: str) -> object:
    if name in _LATER_MODULES:
        return _import_module(f"hybrid.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'hybrid' has no attribute {name!r}")
    value = globals()[name] = getattr(_import_module(_LATER[name]), name)
    return value


__all__ = [
    "Tensor", "TensorSpec", "Variable", "abs", "acos", "acosh", "add", "all", "allclose", "angle", "any", "append", "arange",
    "argmax", "argmin", "argpartition", "argsort", "argwhere", "array_equal", "array_equiv", "array_split", "asarray",
    "ascontiguousarray", "asfortranarray", "asin", "asinh", "astype", "atan", "atan2", "atanh", "atleast_1d", "atleast_2d",
    "atleast_3d", "average", "bartlett", "bincount", "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift",
    "bitwise_or", "bitwise_right_shift", "bitwise_xor", "blackman", "block", "bool", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "can_cast", "cbrt", "ceil", "choose", "clip", "column_stack", "compare", "complex", "complex64", "complex128",
    "compress", "concat", "config", "conj", "constant", "convolve", "copy", "copysign", "copyto", "corrcoef", "correlate", "cos",
    "cosh", "count_nonzero", "cov", "cross", "cumulative_prod", "cumulative_sum", "deg2rad", "delete", "diag", "diag_indices",
    "diag_indices_from", "diagflat", "diagonal", "diff", "digitize", "divide", "divmod", "do_not_convert", "dot", "dsplit",
    "dstack", "e", "ediff1d", "einsum", "einsum_path", "empty", "empty_like", "equal", "errors", "exp", "exp2", "expand_dims",
    "explain", "expm1", "extract", "eye", "fabs", "fft", "fill_diagonal", "finfo", "flatnonzero", "flip", "fliplr", "flipud",
    "float16", "float32", "float64", "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frexp", "from_dlpack",
    "fromfunction", "full", "full_like", "function", "gcd", "geomspace", "gradient", "greater", "greater_equal", "hamming",
    "hanning", "heaviside", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "hsplit", "hstack", "hypot",
    "iinfo", "imag", "indices", "inf", "inner", "insert", "int8", "int16", "int32", "int64", "interp", "intersect1d", "isclose",
    "iscomplex", "isdtype", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal", "ix_", "kaiser", "kron",
    "lcm", "ldexp", "less", "less_equal", "lexsort", "linalg", "linspace", "log", "log1p", "log2", "log10", "logaddexp",
    "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "logspace", "matmul", "matrix_transpose", "matvec",
    "max", "maximum", "mean", "median", "meshgrid", "mgrid", "min", "min_scalar_type", "minimum", "modf", "moveaxis", "multiply",
    "nan", "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin",
    "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "negative", "newaxis", "nextafter", "nonzero",
    "not_equal", "ogrid", "ones", "ones_like", "outer", "packbits", "pad", "partition", "percentile", "permute_dims", "pi",
    "place", "polyadd", "polyder", "polyfit", "polyint", "polymul", "polysub", "polyval", "positive", "pow", "prod",
    "promote_types", "ptp", "put", "put_along_axis", "putmask", "py_function", "quantile", "rad2deg", "ravel", "ravel_multi_index", "real",
    "real_if_close", "reciprocal", "remainder", "repeat", "reshape", "resize", "result_type", "rint", "roll", "roots", "rot90",
    "round", "run_eagerly", "searchsorted", "select", "setdiff1d", "setxor1d", "sign", "signbit", "sin", "sinc", "sinh", "sort",
    "spacing", "special", "split", "sqrt", "square", "squeeze", "stack", "std", "subtract", "sum", "swapaxes", "take",
    "take_along_axis", "tan", "tanh", "tensordot", "testing", "tile", "trace", "trapezoid", "tri", "tril", "tril_indices",
    "tril_indices_from", "trim_zeros", "triu", "triu_indices", "triu_indices_from", "trunc", "uint8", "uint16", "uint32",
    "uint64", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "unpackbits",
    "unravel_index", "unstack", "unwrap", "vander", "var", "vdot", "vecdot", "vecmat", "vsplit", "vstack", "where", "zeros",
    "zeros_like",
]  # fmt: skip
