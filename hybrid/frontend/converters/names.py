"""Names: reading what may be unbound, variables in boxes, ``:=``, imports, declarations."""

from __future__ import annotations

import ast
import builtins

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression, quote

__all__ = ["Names"]


class Names(Converter):
    """Names stay names where that means the same; ``hy__.load`` reads those that may be unbound."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return self.c.write(node.id, node.ctx)
        if node in self.c.frame.binding.unsure:
            return expression("hy__.load(name, lambda: read)", name=ast.Constant(node.id), read=self.c.read(node.id))
        return self._outer(node) if self._may_be_outer_array(node.id) else self.c.read(node.id)

    def _may_be_outer_array(self, name: str) -> bool:
        """Whether a name belongs to code outside, which may change what is in an array while its name stays bound to it."""
        if name.endswith("__") or hasattr(builtins, name):  # of generated code, or of Python
            return False
        return self.c.scopes.owner(self.c.scope, name) in ("cell", "global") and self.c.box(name) is None

    def _outer(self, node: ast.Name) -> ast.expr:
        return expression("hy__.outer(read)", read=self.c.read(node.id))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        """Inside a lambda of ours a function binds the name, because a lambda can't."""
        assert isinstance(node.target, ast.Name)
        name, value = node.target.id, self.c.expr(node.value)
        if (box := self.c.box(name)) is not None:
            return expression("box.set(value)", box=box, value=value)
        if not self.c.frame.in_thunk:
            return ast.NamedExpr(ast.Name(name, ast.Store()), value)
        setter = self.c.new(f"set_{name}")
        self.c.hoisted += quote(
            """
            def setter(value__):
                nonlocal name
                name = value__
                return value__
            """,
            setter=setter,
            name=name,
        )
        return expression("setter(value)", setter=setter, value=value)

    def _import(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        bound = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        return [node, *(statement for name in bound for statement in self.boxed(name))]

    visit_Import = visit_ImportFrom = _import

    def boxed(self, name: str) -> list[ast.stmt]:
        """Put what a statement just bound to a name into its box, if it has one."""
        box = self.c.box(name)
        return [] if box is None else quote("box.value = name", box=box, name=name)

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> list[ast.stmt]:
        return []

    visit_Nonlocal = visit_Global
