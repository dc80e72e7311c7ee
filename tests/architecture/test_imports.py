"""Imports go down the floors, in one direction, at the top of files."""

from __future__ import annotations

import subprocess
import sys
from graphlib import CycleError, TopologicalSorter

import pytest
from architecture.package import FILES, all_imports

FLOORS: list[set[str]] = [
    {"_util", "errors", "config"},
    {"core"},
    {"ops"},
    {"ir"},
    {"autodiff", "passes"},
    {"control"},
    {"frontend", "backends"},
    {"staging"},
    {"functions"},
    {"keras", "data", "image", "gallery", "testing"},
    {"saving", "export", "distributed"},
    {"linalg", "fft", "special"},
    {"hybrid"},
    {"cli"},
    {"__main__"},
]
"""The parts of the package from the ground up; a part may import itself and what is below. Below the command are doors: names, no work."""

LAZY_IMPORTS: set[str] = set()
"""Modules that may import parts of hybrid inside functions: the table of back ends, once there is one."""

PACKAGES = {"numpy": "", "scipy": "", "numba": "backends", "llvmlite": "backends", "astunparse": "frontend"}
"""What may be imported at the top of a file, and by which part alone; everything else beyond the standard library is optional."""


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def test_every_part_has_a_floor() -> None:
    assert not {part_of(module) for module in FILES}.difference(*FLOORS)


def test_imports_go_down() -> None:
    ours = [i for i in all_imports() if i.imported.split(".")[0] == "hybrid"]
    assert len(ours) > 20
    assert not [str(i) for i in ours if not goes_down(part_of(i.importer), part_of(i.imported))]


def goes_down(importer: str, imported: str) -> bool:
    """Parts on one floor don't know each other, except on the ground floor, where there is no hybrid yet."""
    above, below = floor_of(importer), floor_of(imported)
    return importer == imported or below < above or above == below == 0


def floor_of(part: str) -> int:
    return next(number for number, parts in enumerate(FLOORS) if part in parts)


def test_no_import_cycles() -> None:
    graph: dict[str, set[str]] = {module: set() for module in FILES}
    for i in all_imports():
        if i.imported in FILES and not i.is_lazy:
            graph[i.importer].add(i.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_no_lazy_imports_of_our_own() -> None:
    lazy = [i for i in all_imports() if i.is_lazy and i.imported.split(".")[0] == "hybrid"]
    assert not [str(i) for i in lazy if i.importer not in LAZY_IMPORTS]


def test_optional_packages_are_imported_inside_functions() -> None:
    outside = [i for i in all_imports() if not i.is_lazy and i.imported.split(".")[0] not in {*sys.stdlib_module_names, "hybrid"}]
    assert not [str(i) for i in outside if PACKAGES.get(i.imported.split(".")[0], "none") not in ("", part_of(i.importer))]


def test_import_is_light() -> None:
    code = "import hybrid, sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numba", "llvmlite", "rich", "astunparse", "matplotlib", "pandas", "PIL"} & set(done.stdout.split())
    assert not heavy
