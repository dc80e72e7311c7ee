"""Places in the user's source."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from types import CodeType
from typing import Final

__all__ = ["Location", "user_location", "users_level"]

OURS: Final = frozenset({"hybrid", "numpy"})
"""Packages whose frames stand between the user's line and us."""

USERS_OWN: Final = ("hybrid.gallery", "hybrid.keras")
"""Modules of ours that are written as users write theirs."""


@dataclass(frozen=True, slots=True)
class Location:
    """A span of source, with Python's own numbers: lines from 1, columns from 0 in bytes of UTF-8, as in ``ast`` nodes.

    ``None`` for what isn't known; the end is exclusive.

    >>> str(Location("user.py", 12, 4))
    'user.py:12'
    """

    file: str
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def user_location() -> Location | None:
    """Where the user's code is: in the innermost frame that belongs neither to hybrid nor to NumPy, if there is one."""
    frame = sys._getframe(1)
    while frame is not None:
        if not _is_ours(frame.f_globals.get("__name__")):
            code = frame.f_code
            return _location(code.co_filename, code, code.co_linetable, frame.f_lasti)
        frame = frame.f_back
    return None


def users_level() -> int:
    """The ``stacklevel`` with which the caller warns at the user's line."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__")):
        frame, level = frame.f_back, level + 1
    return level


@lru_cache(maxsize=1024)
def _is_ours(module: str | None) -> bool:
    """Whether a module belongs to the packages in between."""
    name = str(module)
    return name.partition(".")[0] in OURS and not name.startswith(USERS_OWN)


@lru_cache(maxsize=4096)
def _location(file: str, code: CodeType, _positions: bytes, offset: int) -> Location:
    """The span of an instruction; the file and the table of positions are in the key because equal code may differ in them."""
    line, end_line, column, end_column = next(islice(code.co_positions(), offset // 2, None), (None,) * 4)
    return Location(file, code.co_firstlineno if line is None else line, column, end_line, end_column)
