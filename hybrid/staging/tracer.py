"""The tracer of functions with control flow: it also knows what was read from outside, and what was written there."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybrid.core.tensor import Eager
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced
from hybrid.staging.state import Outside

__all__ = ["FunctionTracer"]


class FunctionTracer(Tracer):
    """A tracer for which arrays from outside are inputs, not constants."""

    def __init__(self) -> None:
        super().__init__()
        self.outside = Outside(self)

    def operand(self, value: Any) -> Any:
        """What stands for a value in the graph."""
        if isinstance(value, np.ndarray | Eager):
            return self.outside.array(value).value
        return super().operand(value)

    def stand_in(self, value: Any) -> Traced:
        """The stand-in for an array from outside, for writing to it."""
        return value if isinstance(value, Traced) else self.outside.array(value)
