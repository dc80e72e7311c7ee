"""The mark of a name that has no value."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid._util.tree import Leaf

__all__ = ["Undefined"]


@dataclass(frozen=True, slots=True, repr=False)
class Undefined(Leaf):
    """Stands in states for the value of a name that has none; equal for equal names."""

    name: str

    def __repr__(self) -> str:
        return f"hy__.Undefined({self.name!r})"
