"""How the function of a body says why it ended: it returns ``None`` at its end, or one of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["BREAK", "CONTINUE", "RETURN", "Signal", "result"]


class Signal:
    """A jump that leaves the body of a compound statement."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"hy__.{self.name}"


BREAK: Final = Signal("BREAK")
CONTINUE: Final = Signal("CONTINUE")
RETURN: Final = Signal("RETURN")


def result(signal: Any, value: Callable[[], Any]) -> Any:
    """What a function returns whose last statement ended with this signal."""
    if ACTIVE and (stager := stager_for(signal)):
        return stager.result(signal, value)
    return value() if signal is RETURN else None
