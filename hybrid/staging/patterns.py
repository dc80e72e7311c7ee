"""The patterns of ``match`` on values that only running tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hybrid.control.choice import each, is_staged, one_of, truth
from hybrid.control.variant import Variant
from hybrid.errors import StagingError
from hybrid.frontend.runtime import patterns
from hybrid.ir.traced import Traced
from hybrid.staging.opaque import Opaque

__all__ = ["fits"]

Captures = dict[str, Any]


def fits(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    """Whether a subject fits a pattern: a Python bool or a traced one; what the pattern captures is added to ``captures``."""
    if isinstance(subject, Variant):
        return _each_fits(stager, pattern, subject, captures)
    rule = RULES.get(type(pattern))
    return pattern.match(subject, captures) if rule is None else rule(stager, pattern, subject, captures)


def _each_fits(stager: Any, pattern: Any, subject: Variant, captures: Captures) -> Any:
    """One of several things inside of the subject: what it captures can't be told before it is known which."""
    found: Captures = {}
    taken = each(stager.tracer, lambda option: fits(stager, pattern, option, found), subject)
    if any(value is not subject for value in found.values()):
        raise StagingError(f"wanted a pattern that captures nothing of what is one of several things, received {subject!r}")
    captures.update(found)
    return taken


def _equal(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    value = pattern.value()
    if isinstance(subject, Traced) and not isinstance(value, int | float | complex) and not is_staged(value):
        return False
    return truth(stager.tracer, subject == value)


def _same(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    return stager.is_(subject, pattern.value)


def _named(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    taken = fits(stager, pattern.pattern, subject, captures)
    captures[pattern.name] = subject
    return taken


def _one_of(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    """Each alternative may capture the same names from other places."""

    def attempt(k: int, found: Captures) -> Any:
        if k == len(pattern.patterns):
            return False
        here: Captures = {}
        taken = fits(stager, pattern.patterns[k], subject, here)
        if not isinstance(taken, Traced):
            if not taken:
                return attempt(k + 1, found)
            found.update(here)
            return True
        later: Captures = {}
        either = stager.or_(taken, lambda: attempt(k + 1, later))
        for name, value in here.items():
            found[name] = one_of(stager.tracer, taken, lambda v=value: v, lambda n=name, v=value: later.get(n, v))
        return either

    return attempt(0, captures)


def _all(stager: Any, pairs: Iterable[tuple[Any, Any]], captures: Captures) -> Any:
    """Whether each of several parts fits its pattern."""
    tests: list[Callable[[], Any]] = [lambda p=p, x=x: fits(stager, p, x, captures) for p, x in pairs]
    return stager.and_(True, *tests)


def _sequence(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    if isinstance(subject, Opaque):
        raise subject._unknown("be matched with a sequence")
    if not type(subject).__flags__ & patterns.SEQUENCE:
        return False
    if stager.lists.content(subject) is not None:
        raise StagingError("wanted a sequence of known length to match, received a list whose length only running tells")
    stager.reads_all_of(subject)
    if not _has_length(pattern, len(subject)):
        return False
    return _all(stager, list(pattern.parts(subject)), captures)


def _has_length(pattern: Any, length: int) -> bool:
    return length == len(pattern.patterns) if pattern.star is None else length >= len(pattern.patterns) - 1


def _keys(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    if isinstance(subject, Opaque) or stager.dicts.content(subject) is not None:
        raise StagingError("wanted a mapping with known keys to match, received one whose keys only running tells")
    if not type(subject).__flags__ & patterns.MAPPING:
        return False
    keys = [key() for key in pattern.keys]
    if pattern.rest is not None or not isinstance(subject, dict) or len(set(keys)) < len(keys):
        stager.reads_all_of(subject)
        return pattern.match(subject, captures)
    if not all(key in subject for key in keys):
        return False
    return _all(stager, [(p, stager.getitem(subject, key)) for p, key in zip(pattern.patterns, keys, strict=True)], captures)


def _instance(stager: Any, pattern: Any, subject: Any, captures: Captures) -> Any:
    cls = pattern.cls()
    if not isinstance(cls, type):
        return pattern.match(subject, captures)  # refuses what is no class
    taken = stager.isinstance_(subject, cls)
    if isinstance(subject, Opaque):
        taken = truth(stager.tracer, taken)
    if taken is False:
        return False

    def parts() -> Any:
        values = pattern.attributes(subject, cls, stager.getattr_)
        if values is None:
            return False
        return _all(stager, zip((*pattern.positional, *pattern.named.values()), values, strict=True), captures)

    return stager.and_(taken, parts)


RULES: dict[type, Callable[..., Any]] = {
    patterns.Equal: _equal,
    patterns.Same: _same,
    patterns.Named: _named,
    patterns.OneOf: _one_of,
    patterns.Sequence: _sequence,
    patterns.Keys: _keys,
    patterns.Instance: _instance,
}
"""How each kind of pattern that decides something is tested; the others always fit."""
