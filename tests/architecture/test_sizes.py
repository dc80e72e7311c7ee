"""Nothing grows without being looked at, and nothing hides state."""

from __future__ import annotations

import ast

from architecture.package import FILES, ROOT, definitions, statements

FILE_LINES, FUNCTION_LINES = 600, 60

KNOWN_FILES: dict[str, int] = {}
"""Longer files, with the length at which somebody looked at them."""

KNOWN_FUNCTIONS: dict[str, int] = {}
"""Longer functions ("file name"), likewise."""


def test_files() -> None:
    lengths = {str(path.relative_to(ROOT.parent)): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES.values()}
    assert not {path: n for path, n in lengths.items() if n > max(FILE_LINES, KNOWN_FILES.get(path, 0))}


def test_functions() -> None:
    lengths = {f"{d.place} {d.name}": lines_of(d.node) for d in definitions() if not isinstance(d.node, ast.ClassDef)}
    assert len(lengths) > 100
    assert not {name: n for name, n in lengths.items() if n > max(FUNCTION_LINES, KNOWN_FUNCTIONS.get(name, 0))}


def lines_of(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_global_statements() -> None:
    assert not [f"{place}:{node.lineno}" for place, node in statements() if isinstance(node, ast.Global)]
