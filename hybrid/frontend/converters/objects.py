"""Attributes, subscripts and slices."""

from __future__ import annotations

import ast

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression

__all__ = ["Objects"]


class Objects(Converter):
    """Reading goes through ``hy__.getattr`` and ``hy__.getitem``; see ``Assignments`` for writing."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return expression("hy__.getattr(owner, name)", owner=self.c.owner(node.value), name=ast.Constant(node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return expression("hy__.getitem(owner, index)", owner=self.c.owner(node.value), index=self.c.expr(node.slice))

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        bounds = [node.lower, node.upper, *([node.step] if node.step else [])]
        return expression("hy__.slice(bounds)", bounds=[ast.Constant(None) if bound is None else self.c.expr(bound) for bound in bounds])
