"""The tracer of functions with control flow: it also knows what was read from outside, and what was written there."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced
from hybrid.staging.sizes import Size
from hybrid.staging.state import Outside

__all__ = ["FunctionTracer"]


class FunctionTracer(Tracer):
    """A tracer for which arrays from outside are inputs, not constants."""

    def __init__(self) -> None:
        super().__init__()
        self.outside = Outside(self)
        self.watching: list[Any] = []

    def bind(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Write an operation down; in the body of a ``try``, after what an exception would leave behind."""
        if self.watching:
            self.watching[-1].checkpoint()
        return super().bind(op, args, kwargs)

    def operand(self, value: Any) -> Any:
        """What stands for a value in the graph."""
        if isinstance(value, np.ndarray | Eager):
            return self.outside.array(value).value
        return super().operand(value)

    def static(self, value: Any) -> Any:
        """An attribute; an integer that only running tells may be a size."""
        if isinstance(value, Size):
            return value.dim
        if isinstance(value, Traced) and value.dtype.kind in "iu" and not value.shape:
            number = value if value.spec.weak else OPS["item"](value)
            return self.builder.emit(OPS["extent"], [self.operand(number)], {})[0].spec.shape[0]
        return super().static(value)

    def roots(self, value: Any) -> set[int]:
        """The positions of the inputs of the outermost graph that a value was made of."""
        seen: set[Any] = set()
        waiting = [value]
        while waiting:
            item = waiting.pop()
            if item not in seen:
                seen.add(item)
                waiting += self.builder.sources.get(item, ())
        return {i for i, given in enumerate(self.root.inputs) if given in seen}

    def stand_in(self, value: Any) -> Traced:
        """The stand-in for an array from outside, for writing to it."""
        return value if isinstance(value, Traced) else self.outside.array(value)
