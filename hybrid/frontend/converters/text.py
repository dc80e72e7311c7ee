"""F-strings."""

from __future__ import annotations

import ast
from collections.abc import Callable

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression

__all__ = ["Text", "formatted", "joined"]


class Text(Converter):
    """An f-string becomes a call over its pieces, each value formatted when its turn comes."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return joined(node, self.c.expr)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        return formatted(node, self.c.expr)


def joined(node: ast.JoinedStr, convert: Callable[[ast.expr], ast.expr]) -> ast.expr:
    """The call for an f-string whose expressions are converted by a function."""
    return expression("hy__.fstring(parts)", parts=[convert(value) for value in node.values])


def formatted(node: ast.FormattedValue, convert: Callable[[ast.expr], ast.expr]) -> ast.expr:
    """The call for one value of an f-string."""
    arguments = [convert(node.value)]
    if node.conversion != -1 or node.format_spec is not None:
        arguments.append(ast.Constant(None if node.conversion == -1 else chr(node.conversion)))
    match node.format_spec:
        case ast.JoinedStr(values=[ast.Constant() as only]):
            arguments.append(only)
        case ast.expr():
            arguments.append(convert(node.format_spec))
    return expression("hy__.format(arguments)", arguments=arguments)
