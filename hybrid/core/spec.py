"""What is known of a value before it exists: its dtype and its shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hybrid.core.dim import DimLike, evaluate, parse_dim, product, symbol, symbols_of
from hybrid.core.dtypes import SHORT_NAMES, as_dtype

__all__ = ["Spec", "TensorSpec", "spec_of", "split_outside", "weak_spec"]

_WEAK: Final = {"bool": np.dtype("bool"), "int": np.dtype("int64"), "float": np.dtype("float64"), "complex": np.dtype("complex128")}


@dataclass(frozen=True, slots=True)
class Spec:
    """A dtype and a shape of numbers and symbols.

    ``weak`` marks a Python number: it has the dtype NumPy would give it alone, and gives way to the dtypes it meets
    (NEP 50). Prints as ``float32[3, n]``, or ``float`` for a Python float.

    >>> str(Spec.parse("f32[3, n]")), str(Spec.parse("float"))
    ('float32[3, n]', 'float')
    """

    dtype: np.dtype
    shape: tuple[DimLike, ...] = ()
    weak: bool = False

    @staticmethod
    def parse(text: str) -> Spec:
        """Read ``"f64[3, n]"``, ``"int32[]"`` or ``"float"``; ``ValueError`` or ``TypeError`` if it is not a spec."""
        name, bracket, rest = text.strip().partition("[")
        if not bracket and name in _WEAK:
            return Spec(_WEAK[name], (), True)
        if not rest.endswith("]"):
            raise ValueError(f"wanted a spec such as 'float64[3, n]' or 'float', received {text!r}")
        return Spec(SHORT_NAMES.get(name) or as_dtype(name), tuple(parse_dim(d) for d in split_outside(rest[:-1])))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> DimLike:
        """The number of elements."""
        return product(self.shape)

    @property
    def promotes_as(self) -> np.dtype | type:
        """What a ufunc's resolver is to be given for it: the dtype, or the Python type of a Python number (but for ``bool``)."""
        return type(self.dtype.type(0).item()) if self.weak and self.dtype.kind != "b" else self.dtype

    def with_shape(self, shape: Iterable[DimLike]) -> Spec:
        """The same dtype with another shape."""
        return Spec(self.dtype, tuple(shape))

    def with_dtype(self, dtype: np.dtype) -> Spec:
        """The same shape with another dtype."""
        return Spec(dtype, self.shape)

    def at(self, sizes: Mapping[str, DimLike]) -> Spec:
        """The spec with sizes in place of symbols."""
        return Spec(self.dtype, tuple(evaluate(d, sizes) for d in self.shape), self.weak)

    @property
    def symbols(self) -> set[str]:
        """The names of sizes it mentions."""
        return set().union(*map(symbols_of, self.shape))

    def __str__(self) -> str:
        if self.weak:
            return next(name for name, dtype in _WEAK.items() if dtype == self.dtype)
        return f"{self.dtype.name}[{', '.join(map(str, self.shape))}]"


def spec_of(value: Any) -> Spec:
    """The spec of an array, a NumPy scalar, a Python number or what stands for one.

    >>> str(spec_of(np.zeros((2, 3), "f4"))), str(spec_of(1.5)), str(spec_of(True))
    ('float32[2, 3]', 'float', 'bool')
    """
    weak = weak_spec(value)
    if weak is not None:
        return weak
    if isinstance(known := getattr(value, "spec", None), Spec):
        return known
    dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if dtype is None or shape is None:
        value = np.asarray(value)
        dtype, shape = value.dtype, value.shape
    return Spec(as_dtype(dtype), tuple(shape))


def weak_spec(value: Any) -> Spec | None:
    """The spec of a Python number, else ``None``."""
    return Spec(_WEAK[type(value).__name__], (), True) if type(value) in (bool, int, float, complex) else None


class TensorSpec:
    """The description of a tensor: a shape whose unknown sizes are ``None``, a dtype and perhaps a name.

    Args:
        shape: sizes; ``None`` for one that may differ from call to call, a string for one that is the same wherever its name occurs.
        dtype: any supported dtype.
        name: the name of the argument that it describes.

    >>> TensorSpec((None, 28, 28), "float32", name="images")
    TensorSpec(shape=(None, 28, 28), dtype=float32, name='images')
    """

    __slots__ = ("_dtype", "_name", "_shape")

    def __init__(self, shape: Iterable[int | str | None], dtype: Any = "float32", name: str | None = None):
        self._shape = tuple(_checked_size(d) for d in shape)
        self._dtype = as_dtype(dtype)
        self._name = name

    @property
    def shape(self) -> tuple[int | str | None, ...]:
        """The sizes; ``None`` where any will do."""
        return self._shape

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return self._dtype

    @property
    def name(self) -> str | None:
        """The name of the argument it describes."""
        return self._name

    def to_spec(self, prefix: str = "d") -> Spec:
        """The spec with symbols ``{prefix}0``, ``{prefix}1``, … for the unknown sizes."""
        dims = (symbol(d) if isinstance(d, str) else symbol(f"{prefix}{i}") if d is None else d for i, d in enumerate(self.shape))
        return Spec(self.dtype, tuple(dims))

    def is_compatible_with(self, value: Any) -> bool:
        """Whether a value has this dtype, and a shape that fits."""
        spec = spec_of(value)
        return spec.dtype == self.dtype and spec.ndim == len(self.shape) and _sizes_fit(self.shape, spec.shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        name = f", name={self.name!r}" if self.name is not None else ""
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype.name}{name})"

    def _key(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name


def _checked_size(size: Any) -> int | str | None:
    if size is None or (isinstance(size, str) and size.isidentifier()):
        return size
    if isinstance(size, int | np.integer) and not isinstance(size, bool) and size >= 0:
        return int(size)
    raise ValueError(f"wanted a size that is None, a name or a whole number ≥ 0, received {size!r}")


def _sizes_fit(wanted: tuple[int | str | None, ...], sizes: tuple[DimLike, ...]) -> bool:
    names: dict[str, DimLike] = {}
    for want, size in zip(wanted, sizes, strict=True):
        if isinstance(want, str):
            want = names.setdefault(want, size)  # type: ignore[assignment]
        if want is not None and want != size:
            return False
    return True


def split_outside(text: str) -> list[str]:
    """Split at the commas that stand outside brackets and quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for i, char in enumerate(text):
        if quote or char in "'\"":
            quote = "" if char == quote else quote or char
            continue
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]] if text.strip() else []
