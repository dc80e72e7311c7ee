"""The patterns of ``match`` on values that only running tells."""

from __future__ import annotations

from typing import Any

from hybrid.control.choice import each, is_staged, truth
from hybrid.control.variant import Variant
from hybrid.frontend.runtime import patterns

__all__ = ["fits"]


def fits(stager: Any, pattern: Any, subject: Any, captures: dict[str, Any]) -> Any:
    """Whether a subject fits a pattern: a Python bool or a traced one."""
    if isinstance(subject, Variant):
        return each(stager.tracer, lambda option: fits(stager, pattern, option, captures), subject)
    if isinstance(pattern, patterns.Equal):
        value = pattern.value()
        if is_staged(subject) and not isinstance(value, int | float | complex) and not is_staged(value):
            return False
        return truth(stager.tracer, subject == value)
    if isinstance(pattern, patterns.Same):
        return stager.is_(subject, pattern.value)
    if isinstance(pattern, patterns.OneOf):
        return stager.or_(False, *(lambda p=p: fits(stager, p, subject, captures) for p in pattern.patterns))
    if isinstance(pattern, patterns.Named):
        captures[pattern.name] = subject
        return fits(stager, pattern.pattern, subject, captures)
    if isinstance(pattern, patterns.Sequence) and isinstance(subject, list | tuple) and pattern.star is None:
        if len(subject) != len(pattern.patterns):
            return False
        return stager.and_(True, *(lambda p=p, x=x: fits(stager, p, x, captures) for p, x in zip(pattern.patterns, subject, strict=True)))
    return pattern.match(subject, captures)
