"""What a compiled function did so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hybrid.functions.guards import broken

__all__ = ["Stats"]


@dataclass
class Stats:
    """Counts and reasons.

    Attributes:
        traces: how often the function was traced.
        seconds: how long tracing and compiling took altogether.
        reasons: why each trace was made, in order.
    """

    traces: int = 0
    seconds: float = 0.0
    reasons: list[str] = field(default_factory=list)

    def add_trace(self, name: str, seconds: float, pattern: Any, older: Sequence[Any], values: tuple[Any, ...]) -> None:
        """Take note of a new trace."""
        self.traces += 1
        self.seconds += seconds
        if older:
            what = next((text for trace in older if (text := broken(trace.guards))), "what it reads")
            reason = f"{what} changed"
        elif values:
            reason = f"tracing needs the values {values} of arguments"
        else:
            reason = "first call" if self.traces == 1 else f"new kinds of arguments: {pattern.shapes}"
        self.reasons.append(reason)

    def storm(self, name: str) -> str:
        """A warning for a function that is traced again and again."""
        return (
            f"{name} was traced {self.traces} times, which takes longer than running it; the last reasons: {'; '.join(self.reasons[-3:])}"
        )
