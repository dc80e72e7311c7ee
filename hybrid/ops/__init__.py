"""The table of operations, one file for each family; importing this package fills it."""

from hybrid.ops import (
    arithmetic,
    bits,
    choose,
    compare,
    complex_numbers,
    convert,
    create,
    differences,
    einsum,
    extremes,
    fft,
    floating,
    histogram,
    index,
    join,
    linalg,
    math,
    nan,
    polynomial,
    products,
    reduce,
    rounding,
    scan,
    sets,
    shape,
    sort,
    special,
    statistics,
    trigonometry,
)

__all__ = [
    "arithmetic", "bits", "choose", "compare", "complex_numbers", "convert", "create", "differences", "einsum",
    "extremes", "fft", "floating", "histogram", "index", "join", "linalg", "math", "nan", "polynomial", "products",
    "reduce", "rounding", "scan", "sets", "shape", "sort", "special", "statistics", "trigonometry",
]  # fmt: skip
