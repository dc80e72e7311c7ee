"""What a back end makes of a graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Executable", "Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may choose.

    Attributes:
        cache: keep the native code on disk, and look for it there.
    """

    cache: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class Executable:
    """A graph made ready to be called: arrays and Python numbers in, a tuple of them out.

    Attributes:
        call: does the work; what calling the executable means.
        source: the generated program, empty where there is none.
        fallbacks: the names of the operations that run through their NumPy kernels, each as often as it occurs.
    """

    call: Callable[..., tuple[Any, ...]]
    source: str = ""
    fallbacks: tuple[str, ...] = field(default=())

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        return self.call(*arrays)
