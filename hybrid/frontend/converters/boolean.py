"""``and``, ``or``, ``not`` and comparisons."""

from __future__ import annotations

import ast
from typing import Final

from hybrid.frontend.conversion import Converter
from hybrid.frontend.converters.operators import is_number
from hybrid.frontend.quote import expression

__all__ = ["Boolean"]

SYMBOLS: Final = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
LISTS_TOO: Final = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
FUNCTIONS: Final = {ast.Is: "is_", ast.IsNot: "is_not", ast.In: "in_", ast.NotIn: "not_in"}


class Boolean(Converter):
    """Operands that may not be evaluated become functions; single comparisons with a number return what they like."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        first, *others = node.values
        call = expression(
            "hy__.f(first, others)",
            f="and_" if isinstance(node.op, ast.And) else "or_",
            first=self.c.expr(first),
            others=[self.c.thunk(other) for other in others],
        )
        call.keywords = self.c.walrus_state(others)
        return call

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return expression("hy__.not_(operand)", operand=self.c.expr(node.operand))
        return self.c.rebuilt(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) > 1:
            return self._chain(node)
        operands, operator = (node.left, node.comparators[0]), type(node.ops[0])
        name = FUNCTIONS.get(operator)
        if name is None and not any(isinstance(operand, ast.Constant) or is_number(operand) for operand in operands):
            name = LISTS_TOO[operator]
        if name is None:
            return self.c.rebuilt(node)
        return expression("hy__.f(left, right)", f=name, left=self.c.expr(node.left), right=self.c.expr(node.comparators[0]))

    def _chain(self, node: ast.Compare) -> ast.expr:
        links: list[ast.expr] = []
        for operator, right in zip(node.ops, node.comparators, strict=True):
            links += [ast.Constant(SYMBOLS[type(operator)]), self.c.thunk(right)]
        call = expression("hy__.compare(left, links)", left=self.c.expr(node.left), links=links)
        call.keywords = self.c.walrus_state(node.comparators)
        return call
