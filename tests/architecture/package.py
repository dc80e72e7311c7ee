"""The package as syntax trees: its modules, what they import and what they define."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).parents[2] / "hybrid"
FILES = {".".join(("hybrid", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path for path in ROOT.rglob("*.py")}
"""The file of each module."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Import(NamedTuple):
    """One module imported by another, at a line, perhaps inside a function."""

    importer: str
    imported: str
    line: int
    is_lazy: bool

    def __str__(self) -> str:
        return f"{FILES[self.importer].relative_to(ROOT.parent)}:{self.line} imports {self.imported}"


class Definition(NamedTuple):
    """A function or class with its dotted name; ``is_public`` if no part of the name begins with an underscore."""

    place: str
    name: str
    node: Function | ast.ClassDef

    @property
    def is_public(self) -> bool:
        return not any(part.startswith("_") for part in self.name.split("."))


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


@cache
def all_imports() -> tuple[Import, ...]:
    return tuple(found for module in FILES for found in _imports(module, tree_of(module), False))


def definitions() -> Iterator[Definition]:
    """Every function and class at the top of a module or of a class."""
    for module, path in FILES.items():
        place = str(path.relative_to(ROOT.parent))
        yield from (Definition(place, *found) for found in _definitions(tree_of(module)))


def statements() -> Iterator[tuple[str, ast.AST]]:
    """Every syntax node, with its file."""
    for module, path in FILES.items():
        for node in ast.walk(tree_of(module)):
            yield str(path.relative_to(ROOT.parent)), node


def _imports(module: str, node: ast.AST, is_lazy: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        yield from (Import(module, alias.name, node.lineno, is_lazy) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, f"{module} line {node.lineno}: a relative import"
        names = {f"{node.module}.{alias.name}" for alias in node.names}
        yield from (Import(module, name if name in FILES else str(node.module), node.lineno, is_lazy) for name in sorted(names))
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for child in ast.iter_child_nodes(node):
        yield from _imports(module, child, is_lazy or is_function)


def _definitions(parent: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in parent.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{prefix}{node.name}.")
