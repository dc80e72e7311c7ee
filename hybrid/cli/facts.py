"""``hybrid info`` and ``hybrid cache``: what is installed, set and kept on disk."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from hybrid.backends.kept import entries, place, problem_of
from hybrid.cli.status import EQUAL, writing
from hybrid.config import config
from hybrid.functions.tables import bytes_told

__all__ = ["cache", "info"]

PACKAGES: Final = ("hybrid", "numpy", "scipy", "numba", "llvmlite", "matplotlib", "rich")


def cache(options: argparse.Namespace) -> int:
    """Tell where native code is kept, and how much, or remove it."""
    folder = place()
    files = entries(folder)
    found = {"folder": str(folder), "problem": problem_of(folder) if folder.exists() else None}
    found |= {"entries": len(files), "bytes": sum(file.stat().st_size for file in files)}
    if options.clear:
        with writing():
            for file in files:
                file.unlink(missing_ok=True)
        found |= {"removed": found["entries"], "entries": 0, "bytes": 0}
    if options.json:
        print(json.dumps(found, indent=2))
        return EQUAL
    rows = [("folder", found["folder"]), ("entries", f"{found['entries']:,} ({bytes_told(found['bytes'])})")]
    rows += [("removed", f"{found['removed']:,}")] if options.clear else []
    rows += [("not used", found["problem"])] if found["problem"] else []
    _print_rows(rows)
    return EQUAL


def _print_rows(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:<{width}}  {value}" for name, value in rows))


def info(options: argparse.Namespace) -> int:
    """Print what matters for speed and for reports of bugs."""
    found = _facts()
    if options.json:
        print(json.dumps(found, indent=2, default=str))
        return EQUAL
    rows = [(name, _told(value)) for name, value in found.items() if name != "settings"]
    rows += [(name, str(value)) for name, value in found["settings"].items()]
    _print_rows(rows)
    return EQUAL


def _facts() -> dict[str, Any]:
    """What matters for speed and for reports of bugs; no package is imported for it."""
    return {
        "python": f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})",
        **{name: _version(name) for name in PACKAGES},
        "system": platform.platform(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "blas": _blas(),
        "settings": dataclasses.asdict(config()),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed, run from its source" if package == "hybrid" else None


def _told(value: Any) -> str:
    return "not installed" if value is None else str(value)


def _processor() -> str:
    """The name that the processor gives itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _blas() -> str:
    """The library behind NumPy's linear algebra."""
    built = np.show_config(mode="dicts")
    blas = built.get("Build Dependencies", {}).get("blas", {}) if built else {}
    return " ".join(filter(None, [blas.get("name"), blas.get("version")])) or "unknown"
