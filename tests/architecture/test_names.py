"""Names come out by the door, each explained and typed."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from architecture.package import FILES, Definition, Function, definitions, tree_of

import hybrid

DOORS = [importlib.import_module(name) for name in ("hybrid", "hybrid.linalg", "hybrid.fft", "hybrid.special") if name in FILES]

RULES = {"op", "vjp", "batch", "writes_back", "from_numpy"}
"""Decorators of kernels and rules, whose types the table of operations knows."""


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_all_is_what_is_public(door: ModuleType) -> None:
    modules = {name for name in door.__all__ if isinstance(getattr(door, name), ModuleType)}  # reaches the names that come later, too
    public = {name for name, value in vars(door).items() if not name.startswith("_") and not isinstance(value, ModuleType)}
    assert set(door.__all__) == (public - {"annotations"}) | modules
    assert len(door.__all__) == len(set(door.__all__))


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_public_names_have_docstrings(door: ModuleType) -> None:
    assert door.__doc__
    assert not [name for name in door.__all__ if callable(value := getattr(door, name)) and not inspect.getdoc(value)]


def test_modules_have_docstrings() -> None:
    assert not [name for name in FILES if not ast.get_docstring(tree_of(name))]


def test_functions_and_classes_have_docstrings() -> None:
    top = [d for d in definitions() if d.is_public and "." not in d.name and not is_rule(d)]
    assert not [f"{d.place} {d.name}" for d in top if not ast.get_docstring(d.node)]


def test_functions_are_typed() -> None:
    assert not [f"{d.place} {d.name}({', '.join(names)})" for d in definitions() if d.is_public and (names := list(untyped(d)))]


def is_rule(definition: Definition) -> bool:
    """Whether the function becomes an operation or one of its rules, or a variant of an overload."""
    return any(name in RULES or name == "overload" for name in map(last_name, definition.node.decorator_list))


def last_name(node: Any) -> str:
    """``vjp`` of ``sqrt.vjp``, ``op`` of ``op(…)``."""
    match node:
        case ast.Call():
            return last_name(node.func)
        case ast.Attribute():
            return node.attr
    return node.id


def untyped(definition: Definition) -> Iterator[str]:
    """The parameters of a function that have no type, and "return" if its result has none."""
    node = definition.node
    if isinstance(node, ast.ClassDef) or RULES & set(map(last_name, node.decorator_list)):
        return
    is_method = "." in definition.name and "staticmethod" not in map(last_name, node.decorator_list)
    yield from (arg.arg for arg in parameters(node)[is_method:] if arg.annotation is None)
    if node.returns is None and node.name != "__init__":
        yield "return"


def parameters(node: Function) -> list[ast.arg]:
    spec = node.args
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *(arg for arg in (spec.vararg, spec.kwarg) if arg is not None)]


def test_the_package_says_that_it_is_typed() -> None:
    assert (FILES["hybrid"].parent / "py.typed").exists()
    assert hybrid.__doc__
