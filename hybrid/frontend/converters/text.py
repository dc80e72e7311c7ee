"""F-strings."""

from __future__ import annotations

import ast

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression

__all__ = ["Text"]


class Text(Converter):
    """An f-string becomes a call over its pieces, each value formatted when its turn comes."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return expression("hy__.fstring(parts)", parts=self.c.exprs(node.values))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        arguments = [self.c.expr(node.value)]
        if node.conversion != -1 or node.format_spec is not None:
            arguments.append(ast.Constant(None if node.conversion == -1 else chr(node.conversion)))
        if node.format_spec is not None:
            arguments.append(self._spec(node.format_spec))
        return expression("hy__.format(arguments)", arguments=arguments)

    def _spec(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.JoinedStr(values=[ast.Constant() as only]):
                return only
        return self.c.expr(node)
