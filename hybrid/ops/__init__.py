"""The table of operations, one file for each family; importing this package fills it."""

from hybrid.ops import (
    arithmetic,
    bits,
    choose,
    compare,
    convert,
    create,
    fft,
    index,
    join,
    linalg,
    math,
    polynomial,
    products,
    reduce,
    scan,
    sets,
    shape,
    sort,
    special,
    statistics,
)

__all__ = [
    "arithmetic", "bits", "choose", "compare", "convert", "create", "fft", "index", "join", "linalg", "math", "polynomial",
    "products", "reduce", "scan", "sets", "shape", "sort", "special", "statistics",
]  # fmt: skip
