"""Where native code is kept on disk: a folder of the user's own, or none."""

from __future__ import annotations

import os
import re
import stat
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Final

from hybrid.config import config

__all__ = ["entries", "folder", "place", "problem_of"]

ENTRY: Final = re.compile(r"[0-9a-f]{64}|\.new\w+")
"""The names of entries, and of those that somebody is writing or didn't finish."""


def place() -> Path:
    """The folder that is to be used, whether there is one or not."""
    named = config().cache_dir or os.path.join(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "hybrid")
    return Path(named).absolute()


def entries(path: Path) -> list[Path]:
    """The files of ours in a folder."""
    try:
        return sorted(file for file in path.iterdir() if ENTRY.fullmatch(file.name) and file.is_file() and not file.is_symlink())
    except OSError:
        return []


def folder() -> Path | None:
    """The folder of the cache, made if need be; ``None`` and one warning if there can't be a safe one."""
    return _checked(str(place()))


@lru_cache(maxsize=8)
def _checked(name: str) -> Path | None:
    path = Path(name)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        problem = problem_of(path)
    except OSError as error:
        problem = str(error)
    if problem:
        warnings.warn(f"compiled code is not kept on disk: {problem}", stacklevel=2)
        return None
    return path


def problem_of(path: Path) -> str:
    """What speaks against a folder; empty if nothing does."""
    status = os.lstat(path)
    if not stat.S_ISDIR(status.st_mode):
        return f"{path} is not a folder"
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return f"{path} belongs to another user"
    if status.st_mode & 0o022:
        return f"{path} can be written by other users"
    return "" if os.access(path, os.W_OK | os.X_OK) else f"{path} can't be written"
