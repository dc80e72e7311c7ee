"""``return``."""

from __future__ import annotations

import ast

from hybrid.frontend.conversion import RETURN_VALUE, Converter
from hybrid.frontend.quote import quote

__all__ = ["Returns"]


class Returns(Converter):
    """Inside the function of a body, ``return`` puts the value aside and ends with a signal."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        value = None if node.value is None else self.c.expr(node.value)
        if not self.c.frame.is_nested:
            return [ast.Return(value)]
        return quote("value__ = value\nreturn hy__.RETURN", value__=RETURN_VALUE, value=value or ast.Constant(None))
