"""Python's own numbers: operations with Python's meaning, not NumPy's.

``7 // 0`` raises, ``1 + True`` is 2, ``-7 % 3`` is 2, ``max(1, nan)`` is 1, and integers never wrap around.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from hybrid.core.op import op
from hybrid.core.spec import Spec, spec_of
from hybrid.errors import UnsupportedError
from hybrid.ops._samples import given, sample

__all__ = ["PYTHON_FUNCTIONS", "call_python"]

_OPERATORS: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "pos", "abs", "invert", "and_", "or_", "xor", "lshift",
    "rshift", "eq", "ne", "lt", "le", "gt", "ge", "not_", "truth",
)  # fmt: skip
_BUILTINS: Final = ("int", "float", "complex", "bool", "round", "max", "min", "divmod")
_MATH: Final = tuple(name for name in dir(math) if not name.startswith("_") and callable(getattr(math, name)))
_NOT_OF_NUMBERS: Final = {"dist", "fsum", "prod", "sumprod"}


def _power(a: Any, b: Any, *modulus: Any) -> Any:
    """``a ** b``, whose type in a graph belongs to the types of ``a`` and ``b``, and not to their values."""
    result = pow(a, b, *modulus)
    if isinstance(result, float) and isinstance(a, int) and isinstance(b, int):
        raise UnsupportedError(
            f"wanted an exponent of at least 0, since int ** int is an int in a compiled function, received {a} ** {b}: "
            f"make one of them a float, as in float({a}) ** {b}"
        )
    if isinstance(result, complex) and not isinstance(a, complex) and not isinstance(b, complex):
        raise UnsupportedError(
            f"wanted a base of at least 0, since float ** float is a float in a compiled function, received {a} ** {b}: "
            f"make one of them a complex number, as in complex({a}) ** {b}"
        )
    return result


PYTHON_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    **{name: getattr(operator, name) for name in _OPERATORS},
    **{name: getattr(builtins, name) for name in _BUILTINS},
    "pow": _power,
    "choose": lambda condition, a, b: a if condition else b,
    **{f"math.{name}": getattr(math, name) for name in _MATH if name not in _NOT_OF_NUMBERS},
}
"""The functions of Python numbers that graphs may call, by the names they have there."""


def _typed_as_run(*operands: Spec, function: str) -> Spec | tuple[Spec, ...]:
    """The types that Python gives for small numbers of these types."""
    if not all(spec.weak for spec in operands):
        raise TypeError(f"wanted Python numbers for {function}, received {', '.join(map(str, operands))}")
    return _types(function, operands)


@lru_cache(maxsize=4096)
def _types(function: str, operands: tuple[Spec, ...]) -> Any:
    for number in (1, 0, 2, -1):
        try:
            result = PYTHON_FUNCTIONS[function](*(spec.dtype.type(number).item() for spec in operands))
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        return tuple(map(spec_of, result)) if isinstance(result, tuple) else spec_of(result)
    raise TypeError(f"{function} refuses {', '.join(map(str, operands))}")


@op(
    infer=_typed_as_run,
    samples=[
        sample(given(7), given(2), function="floordiv"),
        sample(given(-7), given(2.5), function="mod"),
        sample(given(True), given(1), function="add"),
        sample(given(3), given(4), function="lt"),
        sample(given(2.25), function="math.sqrt"),
        sample(given(7), given(-2), function="divmod"),
        sample(given(2.5), function="round"),
        sample(given(1), given(math.nan), function="max"),
        sample(given(1.5), given(2.0), function="complex"),
    ],
    dtypes=(),
)
def call_python(*operands, function: str) -> Any:
    """A function of Python numbers: an operator, a built-in or a function of ``math``.

    Args:
        operands: Python numbers.
        function: its name: ``"add"`` and others of ``operator``, ``"round"`` and other built-ins, ``"math.sqrt"`` and others of ``math``.

    Returns:
        What Python gives: a number, or a tuple of numbers.

    Raises:
        TypeError: for what isn't a Python number.
        Exception: what the function raises: ``ZeroDivisionError``, ``ValueError``, ``OverflowError``.

    >>> call_python(-7, 2, function="floordiv")
    -4
    """
    return PYTHON_FUNCTIONS[function](*operands)
