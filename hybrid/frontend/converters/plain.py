"""Code that stays as it is: bodies of classes, generators, coroutines.

Only variables in boxes are rewritten, and f-strings, which can't always be printed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from hybrid.frontend.conversion import Conversion
from hybrid.frontend.converters.text import formatted, joined
from hybrid.frontend.quote import expression, quote
from hybrid.frontend.scope import COMPREHENSIONS, FUNCTIONS, Scope, parameters

__all__ = ["Plain"]


class Plain:
    """Copies nodes as seen from a scope."""

    def __init__(self, conversion: Conversion, scope: Scope) -> None:
        self.c, self.scope = conversion, scope

    def box(self, name: str) -> str | None:
        """The name of the box of a variable, if it has one."""
        return self.c.scopes.box(self.scope, name)

    def _is_around_class(self, name: str) -> bool:
        """Whether the body of a class, which is here, reads a variable of the function around it."""
        owner = self.c.scopes.owner(self.scope, name)
        return self.scope.function.kind == "class" and isinstance(owner, Scope) and owner.kind == "function" and not owner.is_plain

    def statements(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        """Statements copied, one or several for each."""
        return [made for statement in statements for made in self.statement(statement)] or [ast.Pass()]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """One statement copied."""
        match node:
            case ast.Global() | ast.Nonlocal():
                names = [name for name in node.names if self.box(name) is None]
                return [ast.copy_location(type(node)(names), node)] if names else []
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not self.c.scopes.of[node].is_plain:
                return self.c.visitors[ast.FunctionDef].__self__.defined(node, self.copy, self.scope)  # type: ignore[attr-defined]
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return [self.copy(node), *self._boxed([node.name])]
            case ast.Import() | ast.ImportFrom():
                return [node, *self._boxed(alias.asname or alias.name.partition(".")[0] for alias in node.names)]
        return [self.copy(node)]

    def _boxed(self, names: Iterable[str]) -> list[ast.stmt]:
        boxes = [(name, box) for name in names if (box := self.box(name)) is not None]
        return [made for name, box in boxes for made in quote("box.value = name", box=box, name=name)]

    def copy(self, node: Any) -> Any:
        """One node copied."""
        match node:
            case ast.Name():
                return self._name(node)
            case ast.NamedExpr(target=ast.Name(id=name)) if (box := self.box(name)) is not None:
                return ast.copy_location(expression("box.set(value)", box=box, value=self.copy(node.value)), node)
            case ast.ExceptHandler(name=str(name)) if (box := self.box(name)) is not None:
                return self._handler(node, name, box)
            case ast.match_case():
                return self._case(node)
            case ast.JoinedStr():
                return ast.copy_location(joined(node, self.copy), node)
            case ast.FormattedValue():
                return ast.copy_location(formatted(node, self.copy), node)
        if isinstance(node, ast.Lambda) and self.scope.kind == "class" and not self.c.scopes.of[node].is_plain:
            made = self.c.visitors[ast.Lambda].__self__.lambda_(node, self.copy, self.scope)  # type: ignore[attr-defined]
            return ast.copy_location(made, node)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            return self._definition(node)
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node)
        return self._copied(node, {})

    def _name(self, node: ast.Name) -> ast.expr:
        box = self.box(node.id)
        if box is not None:
            return ast.copy_location(ast.Attribute(ast.Name(box, ast.Load()), "value", node.ctx), node)
        if isinstance(node.ctx, ast.Load) and self._is_around_class(node.id):
            return ast.copy_location(expression("hy__.load_free(name, lambda: read)", name=ast.Constant(node.id), read=node), node)
        return node

    def _copied(self, node: ast.AST, inside: dict[str, Plain]) -> Any:
        """A copy whose fields are seen from the scopes given for them."""
        made = node.__class__.__new__(node.__class__)
        for field in node._fields:
            value, view = getattr(node, field, None), inside.get(field, self)
            if isinstance(value, list):
                is_code = bool(value) and isinstance(value[0], ast.stmt)
                value = view.statements(value) if is_code else [view.copy(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST) and value._fields:
                value = view.copy(value)
            setattr(made, field, value)
        return ast.copy_location(made, node) if "lineno" in node._attributes else made

    def _definition(self, node: ast.AST) -> Any:
        made: Any = self._copied(node, {"body": Plain(self.c, self.c.scopes.of[node])})
        if isinstance(made, ast.Lambda):
            self.c.users_lambdas.add(made)
        elif self.c.keeps_annotations and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            made.returns, made.args = node.returns, _with_annotations(made.args, node.args)
        return made

    def _comprehension(self, node: Any) -> Any:
        inner = Plain(self.c, self.c.scopes.of[node])
        made = inner._copied(node, {})
        made.generators[0].iter = self.copy(node.generators[0].iter)
        return made

    def _handler(self, node: ast.ExceptHandler, name: str, box: str) -> ast.ExceptHandler:
        body = quote(
            """
            box.value = caught
            try:
                body
            finally:
                box.value = None
                del box.value
            """,
            box=box,
            caught=f"{name}__caught",
            body=self.statements(node.body),
        )
        return ast.copy_location(ast.ExceptHandler(node.type and self.copy(node.type), f"{name}__caught", body), node)

    def _case(self, node: ast.match_case) -> ast.match_case:
        """Captures of variables in boxes go there before the guard is evaluated."""
        names: list[tuple[str, str]] = []
        pattern = self._pattern(node.pattern, names)
        guard = node.guard and self.copy(node.guard)
        if names:
            sets = [expression("box.set(name)", box=box, name=f"{name}__case") for name, box in names]
            guard = expression("(sets, guard)[-1]", sets=sets, guard=guard or ast.Constant(True))
        return ast.match_case(pattern, guard, self.statements(node.body))

    def _pattern(self, node: Any, names: list[tuple[str, str]]) -> Any:
        made = node.__class__.__new__(node.__class__)
        for field in node._fields:
            setattr(made, field, self._pattern_field(field, getattr(node, field, None), names))
        return ast.copy_location(made, node)

    def _pattern_field(self, field: str, value: Any, names: list[tuple[str, str]]) -> Any:
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [self._pattern_field(field, item, names) for item in value]
        if isinstance(value, ast.pattern):
            return self._pattern(value, names)
        if isinstance(value, ast.expr):
            return self.copy(value)
        if field in ("name", "rest") and isinstance(value, str) and (box := self.box(value)) is not None:
            names.append((value, box))
            return f"{value}__case"
        return value


def _with_annotations(made: ast.arguments, original: ast.arguments) -> ast.arguments:
    """Parameters whose annotations are text, so that they stay as written."""
    for parameter, written in zip(parameters(made), parameters(original), strict=True):
        parameter.annotation = written.annotation
    return made
