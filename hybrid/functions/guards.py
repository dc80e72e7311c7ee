"""Guards as one expression: everything that a trace took for granted, checked in a few nanoseconds each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hybrid.staging.state import Guard

__all__ = ["checker"]


def checker(guards: Sequence[Guard]) -> Callable[[], bool] | None:
    """A function that tells whether all guards hold; ``None`` if there are none.

    What can be compared by identity is; a guard that isn't the same object any more is asked itself.
    """
    if not guards:
        return None
    names: dict[str, Any] = {}
    terms = []
    for i, guard in enumerate(guards):
        names |= {f"g{i}": guard, f"v{i}": guard.value, f"r{i}": guard.read}
        terms.append(f"(r{i}() is v{i} or g{i}.holds())")
    source = f"def check():\n    try:\n        return {' and '.join(terms)}\n    except Exception:\n        return False\n"
    exec(compile(source, "<hybrid guards>", "exec"), names)
    return names["check"]
