"""Building syntax trees: copies of the user's nodes, and templates with places to fill."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

__all__ = ["Ready", "children", "clone", "expression", "mangled", "quote"]

N = TypeVar("N", bound=ast.AST)


class Ready(ast.expr):
    """An expression among the user's nodes that knows how it is converted, and which names evaluating it binds."""

    _fields = ()

    def __init__(self, make: Callable[[], ast.expr], bound: Sequence[str]) -> None:
        super().__init__()
        self.make = make
        self.bound = tuple(bound)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, without those that only say load or store."""
    found: list[ast.AST] = []
    for field in node._fields:
        value: Any = getattr(node, field, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields:
            found.append(value)
    return found


def mangled(name: str, class_name: str | None) -> str:
    """The name that ``__name`` stands for inside a class."""
    if class_name is None or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    prefix = class_name.lstrip("_")
    return f"_{prefix}{name}" if prefix else name


def clone(node: N, class_name: str | None = None) -> N:
    """A deep copy with positions, private names spelled out as the class around them makes them."""
    inner = node.name if isinstance(node, ast.ClassDef) else class_name
    made = node.__class__.__new__(node.__class__)
    for field in node._fields:
        outside = isinstance(node, ast.ClassDef) and field in ("name", "bases", "keywords", "decorator_list")
        setattr(made, field, _clone_field(node, getattr(node, field, None), class_name if outside else inner))
    _keep_names(node, made)
    return ast.copy_location(made, node) if "lineno" in node._attributes else made


def _keep_names(node: Any, made: Any) -> None:
    """Undo what mangling mustn't touch: what is imported, and the names of methods, which Python mangles where it stores them."""
    if isinstance(node, ast.alias) and made.name != node.name:
        made.asname, made.name = made.asname or made.name, node.name
    elif isinstance(node, ast.ClassDef):
        for method, copied in zip(node.body, made.body, strict=True):
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                copied.name = method.name


def _clone_field(node: ast.AST, value: Any, class_name: str | None) -> Any:
    if isinstance(value, list):
        return [_clone_field(node, item, class_name) for item in value]
    if isinstance(value, ast.expr_context | ast.operator | ast.unaryop | ast.cmpop | ast.boolop):
        return value
    if isinstance(value, ast.AST):
        return clone(value, class_name)
    if type(value) is str and class_name is not None and not isinstance(node, ast.Constant):
        return mangled(value, class_name)
    return value


def quote(template: str, **parts: Any) -> list[ast.stmt]:
    """The statements of a template, with names replaced.

    A name given as text is renamed wherever it stands; an expression takes the place of the name; a list takes it in a
    list of arguments, elements, statements or ``nonlocal`` names. A ``nonlocal`` without names is left out.

    >>> print(ast.unparse(ast.Module(quote("f(args)", f="print", args=[ast.Constant(1), ast.Constant(2)]), [])))
    print(1, 2)
    """
    return _fill_list(_parsed(template), parts)


def expression(template: str, **parts: Any) -> Any:
    """The expression of a template; see ``quote``."""
    (statement,) = quote(template, **parts)
    assert isinstance(statement, ast.Expr)
    return statement.value


@cache
def _parsed(template: str) -> list[ast.stmt]:
    return ast.parse(textwrap.dedent(template).strip()).body


def _fill(node: Any, parts: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id in parts:
        part = parts[node.id]
        return ast.Name(part, node.ctx) if isinstance(part, str) else part
    if isinstance(node, ast.expr_context | ast.operator | ast.unaryop | ast.cmpop | ast.boolop):
        return node
    made = node.__class__.__new__(node.__class__)
    for field in node._fields:
        setattr(made, field, _fill_field(getattr(node, field, None), parts))
    return made


def _fill_field(value: Any, parts: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return _fill_list(value, parts)
    if isinstance(value, ast.AST):
        return _fill(value, parts)
    if type(value) is str and isinstance(part := parts.get(value), str):
        return part
    return value


def _fill_list(values: Sequence[Any], parts: dict[str, Any]) -> list[Any]:
    filled: list[Any] = []
    for value in values:
        inner = value.value if isinstance(value, ast.Expr) else value
        name = inner.id if isinstance(inner, ast.Name) else inner if isinstance(inner, str) else None
        if name is not None and isinstance(parts.get(name), list):
            filled += parts[name]
        elif isinstance(value, ast.Nonlocal):
            made = ast.Nonlocal(_fill_list(value.names, parts))
            filled += [made] if made.names else []
        else:
            filled.append(_fill_field(value, parts))
    return filled
