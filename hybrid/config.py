"""Settings: one frozen record in a context variable. The environment (``HYBRID_*``) is read here, once, and nowhere else."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from types import TracebackType
from typing import Final, overload

__all__ = ["Config", "config"]

PREFIX: Final = "HYBRID_"
ELSEWHERE: Final = {"HYBRID_JIT", "HYBRID_CACHE_DIR"}
"""Variables that the back ends look at themselves."""

WORDS: Final = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False, "": False}


@dataclass(frozen=True, slots=True)
class Config:
    """The settings, each with its default; ``HYBRID_NAME`` in the environment sets ``name`` for the whole process.

    Attributes:
        verify: check each graph after it is made, and say at once if an invariant is broken.

    >>> hybrid.config()
    Config(verify=...)
    """

    verify: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not bool:
                raise TypeError(f"wanted True or False for the setting {field.name!r}, received {value!r}")


class Change:
    """Settings that were changed; as a context manager, changed back at the end of the block."""

    __slots__ = ("_after", "_token")

    def __init__(self, after: Config):
        self._after = after
        self._token = _CURRENT.set(after)

    def __enter__(self) -> Config:
        return self._after

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        _CURRENT.reset(self._token)

    def __repr__(self) -> str:
        return f"<changed to {self._after}>"


@overload
def config() -> Config: ...  # pyright: ignore[reportOverlappingOverload]
@overload
def config(**changes: bool) -> Change: ...
def config(**changes: bool) -> Config | Change:
    """The settings in force; with arguments, change them: from now on, or for the block of a ``with`` statement.

    A change holds for the running thread or task, as context variables do.

    Raises:
        TypeError: for a setting that doesn't exist or a value that it can't have.

    >>> with hybrid.config(verify=False) as settings:
    ...     settings
    Config(verify=False)
    """
    if not changes:
        return _CURRENT.get()
    unknown = [name for name in changes if name not in _NAMES]
    if unknown:
        raise TypeError(f"wanted settings among {', '.join(_NAMES)}, received {', '.join(unknown)}")
    return Change(replace(_CURRENT.get(), **changes))


def from_environment(environment: Mapping[str, str]) -> Config:
    """The settings that environment variables ask for.

    A ``HYBRID_`` name that means nothing is a warning, since it may be somebody else's; a value that does, a ``ValueError``.

    >>> from_environment({"HYBRID_VERIFY": "on"})
    Config(verify=True)
    """
    chosen: dict[str, bool] = {}
    for name, text in environment.items():
        setting = name.removeprefix(PREFIX).lower()
        if setting in _NAMES and name.startswith(PREFIX):
            if text.lower() not in WORDS:
                raise ValueError(f"wanted 1 or 0 for the environment variable {name}, received {text!r}")
            chosen[setting] = WORDS[text.lower()]
        elif name.startswith(PREFIX) and name not in ELSEWHERE:
            known = ", ".join(PREFIX + known.upper() for known in _NAMES)
            warnings.warn(f"the environment variable {name} is no setting of hybrid, which knows {known}", stacklevel=2)
    return Config(**chosen)


_NAMES: Final = tuple(field.name for field in fields(Config))
_DEFAULT: Final = from_environment(os.environ)
_CURRENT: Final[ContextVar[Config]] = ContextVar("hybrid_config", default=_DEFAULT)
