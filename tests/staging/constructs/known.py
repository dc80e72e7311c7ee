"""What isn't as in plain Python yet: each entry says why, and is to go away."""

from __future__ import annotations

from typing import Final

from staging.constructs.table import KINDS

ALL: Final = tuple(KINDS)

REFUSED: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "one_of_two_arrays": (ALL, "a write into an array of which only running tells which one it is: copy it before"),
    "powers": (("int", "float"), "a negative Python float to the power of a fraction is complex: make one of them complex before"),
}
"""Programs that are refused with an error of ours: the kinds, and what is refused."""

DIFFERENT: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "dtype_in_place": (("tensor", "0-d tensor"), "the exception is NumPy's own subclass of TypeError"),
}
"""Programs that do something else: the kinds, and what."""


def kinds_of(known: dict[str, tuple[tuple[str, ...], str]], name: str) -> tuple[str, ...]:
    """The kinds for which a program is among these."""
    return known[name][0] if name in known else ()
