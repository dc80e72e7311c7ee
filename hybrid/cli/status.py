"""Exit statuses, and refusals."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

__all__ = ["DIFFERENT", "EQUAL", "INTERRUPTED", "MISUSED", "Refusal", "writing"]

EQUAL, DIFFERENT, MISUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""


class Refusal(Exception):
    """What was asked for can't be done; the message says why."""


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """What goes wrong with a file is a refusal."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: matplotlib's for an unknown kind of file
        raise Refusal(str(error)) from error
