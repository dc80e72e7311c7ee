"""Guards as one expression: everything that a trace took for granted, checked in a few nanoseconds each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from hybrid.staging.state import Guard

__all__ = ["checker"]

OWNER: Final = re.compile(r"\bo\b(?=[.\[]|$)")
"""The owner in the expression of a guard."""


def checker(guards: Sequence[Guard]) -> Callable[[], bool] | None:
    """A function that tells whether all guards hold; ``None`` if there are none.

    What can be compared by identity is; a guard that isn't the same object any more is asked itself.
    """
    if not guards:
        return None
    names: dict[str, Any] = {}
    terms = []
    for i, guard in enumerate(guards):
        names |= {f"g{i}": guard, f"v{i}": guard.value, f"o{i}": guard.owner if guard.source else guard.read}
        term = OWNER.sub(f"o{i}", guard.source) if guard.source else f"o{i}()"
        terms.append(f"(({term}) is v{i} or g{i}.holds())")
    source = f"def check():\n    try:\n        return {' and '.join(terms)}\n    except Exception:\n        return False\n"
    exec(compile(source, "<hybrid guards>", "exec"), names)
    return names["check"]
