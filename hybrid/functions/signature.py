"""Input signatures: which arguments a compiled function takes, and which of their sizes are symbols from the first call on."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from hybrid._util.tree import flatten
from hybrid.core.spec import TensorSpec
from hybrid.core.tensor import Tensor
from hybrid.errors import ShapeError
from hybrid.functions.kinds import Pattern
from hybrid.functions.words import described, places

__all__ = ["InputSignature"]

POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
OWNERS: Final = ("self", "cls")
"""Parameters that signatures don't describe: the objects of methods."""


class InputSignature:
    """The specs of the first arguments of a function.

    Args:
        specs: for each argument a ``TensorSpec``, a type, or a list, tuple or dict of those.
        parameters: of the function.
        name: of the function.

    Raises:
        TypeError: for specs that are none, or that don't fit the parameters.
    """

    def __init__(self, specs: Sequence[Any], parameters: inspect.Signature, name: str):
        self._name = name
        self._specs = tuple(specs)
        known = list(parameters.parameters.values())
        self._skipped = int(bool(known) and known[0].name in OWNERS)
        self._parameters = known[self._skipped :]
        for spec in flatten(self._specs)[0]:
            if not isinstance(spec, TensorSpec | type):
                raise TypeError(
                    f"wanted hybrid.TensorSpec or types such as int and float in the input signature of {name}, received {spec!r}"
                )
        self._check_length()

    def _check_length(self) -> None:
        named = [p for p in self._parameters if p.kind in POSITIONAL]
        takes_more = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in self._parameters)
        if len(self._specs) > len(named) and not takes_more:
            raise TypeError(f"wanted an input signature of {len(named)} specs for {self._name}, received {len(self._specs)}")
        required = {inspect.Parameter.empty}
        missing = [p.name for p in named[len(self._specs) :] if p.default in required]
        missing += [p.name for p in self._parameters if p.kind is inspect.Parameter.KEYWORD_ONLY and p.default in required]
        if missing:
            raise TypeError(f"wanted an input signature with a spec for each parameter of {self._name}; {', '.join(missing)} has none")

    def check(self, args: Sequence[Any]) -> None:
        """Refuse arguments that don't fit: a ``TypeError``, or a ``ShapeError`` for shapes."""
        sizes: dict[str, int] = {}
        self._refuse_others(args)
        for spec, argument, name in self._paired(args):
            wanted, received = flatten(spec), flatten(argument)
            if wanted[1] != received[1]:
                raise TypeError(f"{self._name}: wanted {_told(spec)} for the argument {name}, received {described(argument)}")
            for leaf, (place, value) in zip(wanted[0], places(name, argument), strict=True):
                self._check_leaf(leaf, value, place, sizes)

    def _refuse_others(self, args: Sequence[Any]) -> None:
        takes_more = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in self._parameters)
        given = len(args) - self._skipped
        if takes_more and given != len(self._specs):
            raise TypeError(f"{self._name}: wanted {len(self._specs)} arguments, as its input signature says, received {given}")

    def _check_leaf(self, spec: Any, value: Any, place: str, sizes: dict[str, int]) -> None:
        wrong = f"{self._name}: wanted {_told(spec)} for the argument {place}, received {described(value)}"
        if isinstance(spec, type):
            if type(value) is not spec:
                raise TypeError(wrong)
            return
        array = value._array if isinstance(value, Tensor) else value
        if not isinstance(array, np.ndarray | np.generic) or array.dtype != spec.dtype:
            raise TypeError(wrong)
        if array.ndim != len(spec.shape):
            raise ShapeError(wrong)
        for want, size in zip(spec.shape, array.shape, strict=True):
            known = sizes.setdefault(want, size) if isinstance(want, str) else want
            if known is not None and known != size:
                raise ShapeError(wrong + (f", while {want} is {known} elsewhere" if isinstance(want, str) else ""))

    def _paired(self, args: Sequence[Any]) -> Iterator[tuple[Any, Any, str]]:
        """Each spec with its argument and that one's name."""
        rest = args[self._skipped :]
        for i, (spec, argument) in enumerate(zip(self._specs, rest, strict=False)):
            p = self._parameters[min(i, len(self._parameters) - 1)]
            yield spec, argument, p.name if p.kind in POSITIONAL else f"{p.name}[{i - self._parameters.index(p)}]"

    def pattern(self, args: Sequence[Any], leaves: Sequence[Any]) -> Pattern:
        """Which sizes are symbols: those that the signature leaves open, unless they are 0 or 1."""
        shapes = list(Pattern.exact(leaves).shapes)
        positions = {id(leaf): i for i, leaf in enumerate(leaves)}
        number = 0
        for spec, argument, _ in self._paired(args):
            for leaf, value in zip(flatten(spec)[0], flatten(argument)[0], strict=True):
                number += 1
                i = positions.get(id(value))
                if i is not None and isinstance(leaf, TensorSpec) and shapes[i] is not None:
                    sizes = zip(leaf.shape, shapes[i] or (), strict=True)
                    shapes[i] = tuple(_symbol(want, size, f"d{number}_{k}") for k, (want, size) in enumerate(sizes))
        return Pattern(tuple(shapes))


def _symbol(want: int | str | None, size: int | str, name: str) -> int | str:
    if isinstance(want, int) or isinstance(size, str) or size < 2:
        return size
    return want or name


def _told(spec: Any) -> str:
    """A spec as messages have it."""
    if isinstance(spec, type):
        return spec.__name__
    return repr(spec) if isinstance(spec, TensorSpec) else f"a {type(spec).__name__} like {_text(spec)}"


def _text(spec: Any) -> str:
    if isinstance(spec, dict):
        return "{" + ", ".join(f"{key!r}: {_text(item)}" for key, item in spec.items()) + "}"
    if isinstance(spec, list | tuple):
        return f"[{', '.join(map(_text, spec))}]"
    return spec.__name__ if isinstance(spec, type) else repr(spec)
