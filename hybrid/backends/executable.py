"""What a back end makes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from hybrid.ir.graph import Node

__all__ = ["MISS", "Executable", "Options", "Shortcut"]

MISS: Final = object()
"""What a shortcut gives for arguments that aren't exactly those that it is for."""

Shortcut: TypeAlias = Callable[..., Any]
"""Arguments in, the only result out; ``MISS`` where it can't be had that way, with nothing done."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may choose.

    Attributes:
        cache: keep the native code on disk, and look for it there.
        bounds_checks: check the indices of items; without it, an index out of bounds reads and writes memory that isn't the array's.
    """

    cache: bool = True
    bounds_checks: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class Executable:
    """A graph made ready to be called: arrays and Python numbers in, a tuple of them out.

    Attributes:
        call: does the work; what calling the executable means.
        source: the generated program, empty where there is none.
        shortcut: makes a shortcut for graphs with one result; given for each argument whether it is a tensor, and for the result whether it
            becomes an array where NumPy has a scalar, and whether it becomes a tensor. ``None`` where there is none.
        fallbacks: the names of the operations that run through their NumPy kernels, each as often as it occurs.
        origin: where the native code comes from: "compiled", "disk", or "process" where it had the same already; "interpreted" without.
        kernels: the operations of ``fallbacks`` themselves.
        checks: operations before which the program makes sure that they don't fail, each as often as it does.
        allocations: operations whose results get memory of their own.
    """

    call: Callable[..., tuple[Any, ...]]
    source: str = ""
    fallbacks: tuple[str, ...] = ()
    origin: str = "interpreted"
    kernels: tuple[Node, ...] = ()
    checks: tuple[Node, ...] = ()
    allocations: tuple[Node, ...] = ()
    shortcut: Callable[[Sequence[bool], bool, bool], Shortcut | None] = lambda *_: None

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        return self.call(*arrays)
