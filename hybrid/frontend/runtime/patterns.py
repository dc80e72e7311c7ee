"""The patterns of ``match``: objects that test a subject, fetch its parts and capture names.

A pattern is built anew for each test, so values inside it are functions, called when the test reaches them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from hybrid.frontend.runtime.branches import State, Thunk
from hybrid.frontend.runtime.staging import ACTIVE, stager_for

__all__ = [
    "MAPPING",
    "SEQUENCE",
    "Equal",
    "Instance",
    "Keys",
    "Named",
    "OneOf",
    "Pattern",
    "Same",
    "Sequence",
    "anything",
    "capture",
    "case",
    "equal",
    "instance",
    "mapping",
    "named",
    "one_of",
    "same",
    "sequence",
    "star",
]

SEQUENCE: Final = 1 << 5
MAPPING: Final = 1 << 6
MATCH_SELF: Final = 1 << 22
MISSING: Final = object()

Captures = dict[str, Any]


class Pattern:
    """Something that a subject may fit."""

    def match(self, subject: Any, captures: Captures) -> Any:
        """Whether the subject fits; what it captures is added to ``captures``."""
        raise NotImplementedError


def case(
    subject: Any, pattern: Pattern, bind: Callable[[Captures], None] | None = None, guard: Thunk | None = None, state: State | None = None
) -> Any:
    """Whether a case is taken: the pattern fits, and then, with its names bound, the guard holds."""
    if ACTIVE and (stager := stager_for(subject)):
        return stager.case(subject, pattern, bind, guard, state)
    captures: Captures = {}
    if not pattern.match(subject, captures):
        return False
    if bind is not None:
        bind(captures)
    return True if guard is None else guard()


class _Anything(Pattern):
    def match(self, subject: Any, captures: Captures) -> bool:
        return True


class _Capture(Pattern):
    def __init__(self, name: str) -> None:
        self.name = name

    def match(self, subject: Any, captures: Captures) -> bool:
        captures[self.name] = subject
        return True


class _Star(_Capture):
    """The starred item of a sequence; its name is empty if nothing is captured."""


class Named(Pattern):
    """A pattern whose subject gets a name."""

    def __init__(self, pattern: Pattern, name: str) -> None:
        self.pattern, self.name = pattern, name

    def match(self, subject: Any, captures: Captures) -> Any:
        if not (taken := self.pattern.match(subject, captures)):
            return taken
        captures[self.name] = subject
        return taken


class Equal(Pattern):
    """A subject that equals a value."""

    def __init__(self, value: Thunk) -> None:
        self.value = value

    def match(self, subject: Any, captures: Captures) -> Any:
        return bool(subject == self.value())


class Same(Pattern):
    """A subject that is a value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def match(self, subject: Any, captures: Captures) -> bool:
        return subject is self.value


class OneOf(Pattern):
    """The first of several patterns that fits."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = patterns

    def match(self, subject: Any, captures: Captures) -> bool:
        for pattern in self.patterns:
            found: Captures = {}
            if pattern.match(subject, found):
                captures.update(found)
                return True
        return False


class Sequence(Pattern):
    """A sequence with a pattern for each item, or for those around a starred one."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = patterns
        self.star = next((i for i, pattern in enumerate(patterns) if isinstance(pattern, _Star)), None)

    def match(self, subject: Any, captures: Captures) -> bool:
        if not type(subject).__flags__ & SEQUENCE:
            return False
        if self.star is None and len(subject) != len(self.patterns):
            return False
        if self.star is not None and len(self.patterns) > 1 and len(subject) < len(self.patterns) - 1:
            return False
        return all(pattern.match(item, captures) for pattern, item in self.parts(subject))

    def parts(self, subject: Any) -> Any:
        """Pairs of a pattern and the item that it is for, fetched as Python does: unpacked at once, or by position around a bare ``*_``."""
        if all(isinstance(pattern, _Anything) or (isinstance(pattern, _Star) and not pattern.name) for pattern in self.patterns):
            return []
        if self.star is None:
            return list(zip(self.patterns, subject, strict=True))
        after = len(self.patterns) - self.star - 1
        if not self.patterns[self.star].name:  # type: ignore[attr-defined]
            return self._by_position(subject, after)
        items = list(subject)
        middle = items[self.star : len(items) - after]
        spread = [*items[: self.star], middle, *items[len(items) - after :]]
        return list(zip(self.patterns, spread, strict=True))

    def _by_position(self, subject: Any, after: int) -> Any:
        for i, pattern in enumerate(self.patterns):
            if i == self.star or isinstance(pattern, _Anything):
                continue
            yield pattern, subject[i] if i < self.star else subject[len(subject) - after + i - self.star - 1]  # type: ignore[operator]


class Keys(Pattern):
    """A mapping with a pattern for each of some keys, and perhaps a name for the rest."""

    def __init__(self, keys: tuple[Thunk, ...], patterns: tuple[Pattern, ...], rest: str | None) -> None:
        self.keys, self.patterns, self.rest = keys, patterns, rest

    def match(self, subject: Any, captures: Captures) -> bool:
        if not type(subject).__flags__ & MAPPING:
            return False
        if self.keys and len(subject) < len(self.keys):
            return False
        keys = [key() for key in self.keys]
        values = _values(subject, keys)
        if values is None:
            return False
        if self.rest is None:
            return all(pattern.match(value, captures) for pattern, value in zip(self.patterns, values, strict=True))
        rest = dict(subject)
        for key in keys:
            del rest[key]
        if not all(pattern.match(value, captures) for pattern, value in zip(self.patterns, values, strict=True)):
            return False
        captures[self.rest] = rest
        return True


def _values(subject: Mapping[Any, Any], keys: list[Any]) -> list[Any] | None:
    seen: set[Any] = set()
    values = []
    get = subject.get if keys else None
    for key in keys:
        if key in seen:
            raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
        seen.add(key)
        value = get(key, MISSING)  # type: ignore[misc]
        if value is MISSING:
            return None
        values.append(value)
    return values


class Instance(Pattern):
    """An object of a class with a pattern for each of some attributes."""

    def __init__(self, cls: Thunk, positional: tuple[Pattern, ...], named: dict[str, Pattern]) -> None:
        self.cls, self.positional, self.named = cls, positional, named

    def match(self, subject: Any, captures: Captures) -> bool:
        cls = self.cls()
        match subject:
            case cls():  # asks Python itself, which also refuses what is no class
                pass
            case _:
                return False
        values = self.attributes(subject, cls, getattr)
        patterns = (*self.positional, *self.named.values())
        return values is not None and all(pattern.match(value, captures) for pattern, value in zip(patterns, values, strict=True))

    def attributes(self, subject: Any, cls: type, read: Callable[..., Any]) -> list[Any] | None:
        """The values for the patterns, positional ones first, read by a function like ``getattr``; ``None`` if one isn't there."""
        names, values = self._positional_names(cls), []
        if names is None:
            names, values = [], [subject]
        seen: set[str] = set()
        for name in (*names, *self.named):
            if not isinstance(name, str):
                raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
            if name in seen:
                raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
            seen.add(name)
            value = read(subject, name, MISSING)
            if value is MISSING:
                return None
            values.append(value)
        return values

    def _positional_names(self, cls: type) -> list[Any] | None:
        """The attributes that the positional patterns are for; ``None`` if the one pattern is for the subject itself."""
        wanted = len(self.positional)
        if not wanted:
            return []
        names, is_self = getattr(cls, "__match_args__", MISSING), False
        if names is MISSING:
            names, is_self = (), bool(cls.__flags__ & MATCH_SELF)
        if type(names) is not tuple:
            raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(names).__name__})")
        allowed = 1 if is_self else len(names)
        if allowed < wanted:
            plural = "" if allowed == 1 else "s"
            raise TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({wanted} given)")
        return None if is_self else list(names[:wanted])


anything: Final = _Anything()
"""The pattern ``_``."""


def capture(name: str) -> Pattern:
    """The pattern ``name``."""
    return _Capture(name)


def star(name: str = "") -> Pattern:
    """The pattern ``*name`` inside a sequence."""
    return _Star(name)


def named(pattern: Pattern, name: str) -> Pattern:
    """The pattern ``pattern as name``."""
    return Named(pattern, name)


def equal(value: Thunk) -> Pattern:
    """The pattern of a literal or a dotted name."""
    return Equal(value)


def same(value: Any) -> Pattern:
    """The pattern ``None``, ``True`` or ``False``."""
    return Same(value)


def one_of(*patterns: Pattern) -> Pattern:
    """The pattern ``first | second``."""
    return OneOf(patterns)


def sequence(*patterns: Pattern) -> Pattern:
    """The pattern ``[first, second]``."""
    return Sequence(patterns)


def mapping(keys: tuple[Thunk, ...], patterns: tuple[Pattern, ...], rest: str | None = None) -> Pattern:
    """The pattern ``{key: pattern, **rest}``."""
    return Keys(keys, patterns, rest)


def instance(cls: Thunk, /, *positional: Pattern, **named: Pattern) -> Pattern:
    """The pattern ``cls(positional, name=pattern)``."""
    return Instance(cls, positional, named)
