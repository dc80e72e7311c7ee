"""Settings: one frozen record in a context variable. The environment (``HYBRID_*``) is read here, once, and nowhere else."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from types import TracebackType
from typing import Any, Final, overload

__all__ = ["Config", "config"]

PREFIX: Final = "HYBRID_"
WORDS: Final = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False, "": False}


@dataclass(frozen=True, slots=True)
class Config:
    """The settings, each with its default; ``HYBRID_NAME`` in the environment sets ``name`` for the whole process.

    Attributes:
        verify: check each graph after it is made, and say at once if an invariant is broken.
        jit: make native code of the functions that are compiled from now on; else their graphs are interpreted.
        cache_dir: the folder in which native code is kept for other processes; ``None`` for ``hybrid`` in the user's folder for caches.

    >>> hybrid.config()
    Config(verify=..., jit=..., cache_dir=...)
    """

    verify: bool = False
    jit: bool = True
    cache_dir: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "cache_dir":
                object.__setattr__(self, field.name, _folder(value))
            elif type(value) is not bool:
                raise TypeError(f"wanted True or False for the setting {field.name!r}, received {value!r}")


def _folder(value: Any) -> str | None:
    """The name of a folder, which a later change of the working directory doesn't change."""
    if value is None:
        return None
    name = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(name, str) or not name:
        raise TypeError(f"wanted a folder or None for the setting 'cache_dir', received {value!r}")
    return os.path.abspath(os.path.expanduser(name))


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
def config(*, verify: bool = ..., jit: bool = ..., cache_dir: str | os.PathLike[str] | None = ...) -> Change: ...
def config(**changes: Any) -> Config | Change:
    """The settings in force; with arguments, change them: from now on, or for the block of a ``with`` statement.

    A change holds for the running thread or task, as context variables do. The environment sets the same for the whole process, before
    hybrid is imported: ``HYBRID_VERIFY=1``, ``HYBRID_JIT=0``, ``HYBRID_CACHE_DIR=/a/folder``.

    Args:
        verify: check each graph after it is made.
        jit: whether functions that are traced from now on become native code; without it, and without Numba, graphs are interpreted.
        cache_dir: the folder in which native code is kept; ``None`` for the usual one.

    Raises:
        TypeError: for a setting that doesn't exist or a value that it can't have.

    >>> with hybrid.config(jit=False) as settings:
    ...     settings.jit, hybrid.function(lambda x: x + 1)(1)
    (False, 2)
    """
    if not changes:
        return _CURRENT.get()
    unknown = [name for name in changes if name not in _NAMES]
    if unknown:
        near = [match for name in unknown for match in get_close_matches(name, _NAMES, n=1)]
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise TypeError(f"wanted settings among {', '.join(_NAMES)}, received {', '.join(unknown)}{hint}")
    return Change(replace(_CURRENT.get(), **changes))


def from_environment(environment: Mapping[str, str]) -> Config:
    """The settings that environment variables ask for.

    A ``HYBRID_`` name that means nothing is a warning, since it may be somebody else's; a value that does, a ``ValueError``.

    >>> from_environment({"HYBRID_VERIFY": "on", "HYBRID_JIT": "0"})
    Config(verify=True, jit=False, cache_dir=None)
    """
    chosen: dict[str, Any] = {}
    for name, text in environment.items():
        setting = name.removeprefix(PREFIX).lower()
        if name == "HYBRID_CACHE_DIR":
            chosen[setting] = text or None
        elif setting in _NAMES and name.startswith(PREFIX):
            if text.lower() not in WORDS:
                raise ValueError(f"wanted 1 or 0 for the environment variable {name}, received {text!r}")
            chosen[setting] = WORDS[text.lower()]
        elif name.startswith(PREFIX):
            known = ", ".join(PREFIX + known.upper() for known in _NAMES)
            warnings.warn(f"the environment variable {name} is no setting of hybrid, which knows {known}", stacklevel=2)
    return Config(**chosen)


_NAMES: Final = tuple(field.name for field in fields(Config))
_DEFAULT: Final = from_environment(os.environ)
_CURRENT: Final[ContextVar[Config]] = ContextVar("hybrid_config", default=_DEFAULT)
