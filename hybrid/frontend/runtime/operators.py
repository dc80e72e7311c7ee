"""``+``, ``*`` and comparisons, which lists have too."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = ["eq", "ge", "gt", "le", "lt", "ne", "plus", "times"]

SEQUENCES = (list, tuple, dict, set)


def plus(left: Any, right: Any) -> Any:
    """``left + right``."""
    if ACTIVE and isinstance(left, list) and (stager := stager_for(left, right)):
        return stager.plus(left, right)
    return left + right


def times(left: Any, right: Any) -> Any:
    """``left * right``."""
    if ACTIVE and (isinstance(left, list | tuple | str) or isinstance(right, list | tuple | str)) and (stager := stager_for(left, right)):
        return stager.times(left, right)
    return left * right  # pyright: ignore[reportOperatorIssue] - Python says what is wrong with it


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    operation = getattr(operator, name)

    def compared(left: Any, right: Any) -> Any:
        if ACTIVE and isinstance(left, SEQUENCES) and isinstance(right, SEQUENCES) and (stager := stager_for(left, right)):
            return stager.compared(operation, left, right)
        return operation(left, right)

    compared.__name__ = compared.__qualname__ = name
    return compared


lt, le = _comparison("lt"), _comparison("le")
gt, ge = _comparison("gt"), _comparison("ge")
eq, ne = _comparison("eq"), _comparison("ne")
