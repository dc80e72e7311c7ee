"""``hybrid.py_function``: calls of Python from compiled functions, with a result type that is stated."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hybrid._util.tree import Structure, flatten, unflatten
from hybrid.core.dim import Dim, unknown
from hybrid.core.spec import Spec, TensorSpec, spec_of
from hybrid.core.tensor import Tensor

__all__ = ["PyFunction", "py_function"]

NUMBERS: Final = {bool: "bool", int: "int", float: "float", complex: "complex"}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One stated result: a number, a NumPy scalar, an array or a tensor; ``None`` has no spec.

    Attributes:
        spec: its dtype and shape; names for sizes that may differ from call to call.
        is_scalar: NumPy has a scalar here, or Python a number.
        is_tensor: it is a ``Tensor``.
    """

    spec: Spec | None
    is_scalar: bool = True
    is_tensor: bool = False

    @staticmethod
    def of(stated: Any) -> _Leaf:
        """What an example or a description says."""
        if stated is None:
            return _Leaf(None)
        if isinstance(stated, type) and stated in NUMBERS:
            stated = NUMBERS[stated]
        if isinstance(stated, TensorSpec):
            return _Leaf(stated.to_spec(), False, True)
        if isinstance(stated, str | Spec):
            spec = Spec.parse(stated) if isinstance(stated, str) else stated
            return _Leaf(spec, not spec.shape)
        if isinstance(stated, Tensor):
            return _Leaf(spec_of(stated), isinstance(stated._array, np.generic), True)
        if isinstance(stated, np.ndarray | np.generic) or type(stated) in NUMBERS:
            return _Leaf(spec_of(stated), not isinstance(stated, np.ndarray))
        raise TypeError(f"wanted an example or a description of a result, such as 1.0, np.zeros(3) or 'float64[n]', received {stated!r}")

    def takes(self, value: Any, sizes: dict[str, Any]) -> bool:
        """Whether a value is what is stated; ``sizes`` are those of the names so far."""
        if self.spec is None or value is None:
            return self.spec is None and value is None
        array = value._array if isinstance(value, Tensor) else value
        if isinstance(value, Tensor) is not self.is_tensor or isinstance(array, np.ndarray) is self.is_scalar:
            return False
        if not isinstance(array, np.ndarray | np.generic) and type(array) not in NUMBERS:
            return False
        spec = spec_of(array)
        if (spec.dtype, spec.ndim, spec.weak) != (self.spec.dtype, self.spec.ndim, self.spec.weak):
            return False
        pairs = zip(self.spec.shape, spec.shape, strict=True)
        return all(sizes.setdefault(str(want), size) == size if isinstance(want, Dim) else want == size for want, size in pairs)

    @property
    def unknown_spec(self) -> Spec:
        """The spec for a graph, in which sizes with names are known at run time only."""
        assert self.spec is not None
        return Spec(self.spec.dtype, tuple(unknown(str(d)) if isinstance(d, Dim) else d for d in self.spec.shape), self.spec.weak)

    def __str__(self) -> str:
        return "None" if self.spec is None else f"{'a tensor ' if self.is_tensor else ''}{self.spec}"


class PyFunction:
    """A function that Python runs, each time, and what it returns.

    Attributes:
        function: the function itself.
        leaves: the stated results.
        structure: of the containers that they are in.
    """

    def __init__(self, function: Callable[..., Any], result: Any):
        if not callable(function):
            raise TypeError(f"wanted a function, received {function!r}")
        stated, self.structure = flatten(result)
        self.function, self.leaves = function, tuple(map(_Leaf.of, stated))
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.function(*args, **kwargs)
        self.values(result)
        return result

    def values(self, result: Any) -> list[Any]:
        """The leaves of a result; ``TypeError`` if it isn't what was stated."""
        leaves, structure = flatten(result)
        sizes: dict[str, Any] = {}
        if structure != self.structure or not all(leaf.takes(value, sizes) for leaf, value in zip(self.leaves, leaves, strict=True)):
            wanted = unflatten(self.structure, [_Shown(str(leaf)) for leaf in self.leaves])
            name = getattr(self.function, "__name__", repr(self.function))
            raise TypeError(f"wanted {wanted!r} from {name}, as its py_function says, received {_shown(leaves, structure)!r}")
        return leaves

    def __repr__(self) -> str:
        return f"py_function({getattr(self.function, '__name__', self.function)})"


class _Shown:
    def __init__(self, text: str):
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _shown(leaves: Sequence[Any], structure: Structure) -> Any:
    """A result with specs in the place of arrays."""
    return unflatten(structure, [_Shown(str(_Leaf.of(x))) if isinstance(x, np.ndarray | np.generic | Tensor) else x for x in leaves])


def py_function(function: Callable[..., Any] | None = None, /, *, result: Any) -> Any:
    """Make a function one that compiled functions call in Python: when they run, in order, each time.

    Args:
        function: what to call; left out where this is a decorator: ``@hybrid.py_function(result=...)``.
        result: what it returns: an example (``1.0``, ``np.zeros(3)``), a description (``float``, ``"float64[n]"``, a ``TensorSpec``),
            ``None``, or a tuple, list or dict of such.

    Returns:
        A function that checks what it returns, eagerly too, and raises ``TypeError`` if it is something else.

    Raises:
        TypeError: for a result that is none of these.

    >>> readings = iter([1.5, 2.5])
    >>> sensor = hybrid.py_function(lambda: next(readings), result=float)
    >>> measured = hybrid.function(lambda x: x * sensor())
    >>> measured(10.0), measured(10.0)
    (15.0, 25.0)
    """
    if function is None:
        return lambda f: PyFunction(f, result)
    return PyFunction(function, result)
