"""Inputs on which an operation is tried by everything that can run it: samples stand beside the kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np

__all__ = ["Sample", "given", "pairs", "sample", "singles"]


@dataclass(frozen=True)
class Given:
    """Values that are passed as they are, whatever dtype is being tried."""

    value: Any


def given(value: Any, dtype: Any = None) -> Given:
    """Exactly these values (a nested list becomes an array), not random ones of the dtype being tried."""
    return Given(np.array(value, dtype=dtype) if isinstance(value, list) else value)


@dataclass(frozen=True)
class Sample:
    """The arguments of one call.

    Attributes:
        args: for each tensor a shape, filled with random values of the dtype being tried, or ``given(...)`` values; a list
            of those for a sequence of tensors; ``None`` for one left out.
        attrs: the attributes.
        low, high: the range of the random values.
        dtypes: the dtypes to try, if not those of the operation.
    """

    args: tuple[Any, ...]
    attrs: dict[str, Any] = field(default_factory=dict)
    low: float = -3.0
    high: float = 3.0
    dtypes: tuple[np.dtype, ...] | None = None

    def tensors(self, *dtypes: np.dtype) -> list[Any]:
        """The tensors of the call; the dtypes are given to the random ones in turn, again and again."""
        rng = np.random.default_rng(crc32(repr((self.args, sorted(self.attrs))).encode()))
        turn = [0]

        def make(arg: Any) -> Any:
            if arg is None:
                return None
            if isinstance(arg, Given):
                return arg.value
            if isinstance(arg, list):
                return [make(a) for a in arg]
            turn[0] += 1
            return self._random(rng, arg, dtypes[(turn[0] - 1) % len(dtypes)])

        return [make(arg) for arg in self.args]

    @property
    def is_shaped(self) -> bool:
        """Whether any tensor takes the dtype being tried."""
        return any(isinstance(a, tuple) or (isinstance(a, list) and any(isinstance(x, tuple) for x in a)) for a in self.args)

    def _random(self, rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        low, high = (max(self.low, 0.0) if dtype.kind == "u" else self.low), self.high
        if dtype.kind == "b":
            return rng.integers(0, 2, shape).astype(bool)[...]
        if dtype.kind in "iu":
            return np.asarray(rng.integers(int(np.ceil(low)), int(np.floor(high)) + 1, shape)).astype(dtype)
        values = rng.uniform(low, high, shape) + (1j * rng.uniform(low, high, shape) if dtype.kind == "c" else 0)
        return np.asarray(values).astype(dtype)

    def __str__(self) -> str:
        parts = [_text(arg) for arg in self.args] + [f"{k}={v!r}" for k, v in self.attrs.items()]
        return ", ".join(parts)


def sample(*args: Any, low: float = -3.0, high: float = 3.0, dtypes: tuple[np.dtype, ...] | None = None, **attrs: Any) -> Sample:
    """One call: shapes (or ``given`` values) of its tensors, and its attributes."""
    return Sample(args, attrs, low, high, dtypes)


def singles(low: float = -3.0, high: float = 3.0) -> list[Sample]:
    """One operand of several ranks, without elements and with axes of size 1; its values between ``low`` and ``high``."""
    return [sample(shape, low=low, high=high) for shape in ((3, 4), (), (5,), (0, 3), (2, 1, 3))]


def pairs(low: float = -3.0, high: float = 3.0, numbers: tuple[float, ...] = (2, 2.5)) -> list[Sample]:
    """Two operands that agree, that broadcast, without elements, and with Python numbers."""
    shapes = (((3, 4), (3, 4)), ((3, 1), (4,)), ((), (2, 3)), ((0, 3), (3,)), ((2, 1, 3), (4, 1)))
    with_numbers = [sample((3,), given(number), low=low, high=high) for number in numbers]
    return [*(sample(*two, low=low, high=high) for two in shapes), *with_numbers, sample(given(numbers[0]), (3,), low=low, high=high)]


def _text(arg: Any) -> str:
    if isinstance(arg, Given):
        return f"{arg.value.dtype}{list(arg.value.shape)}" if isinstance(arg.value, np.ndarray) else repr(arg.value)
    return f"[{', '.join(map(_text, arg))}]" if isinstance(arg, list) else str(arg)
