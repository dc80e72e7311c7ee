"""Operators that mean something for lists: ``+``, ``*`` and comparisons."""

from __future__ import annotations

import ast
from typing import Final

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression

__all__ = ["Operators", "is_number"]

NEVER_LISTS: Final = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.Mod, ast.MatMult)


MOST_NESTED: Final = 20


class Operators(Converter):
    """Sums and products go through ``hy__.plus`` and ``hy__.times``, but for those that are seen to be none of lists."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if not self._concerns_lists(node) or _is_long(node):
            return self.c.rebuilt(node)
        name = "plus" if isinstance(node.op, ast.Add) else "times"
        return expression("hy__.f(left, right)", f=name, left=self.c.expr(node.left), right=self.c.expr(node.right))

    def _concerns_lists(self, node: ast.BinOp) -> bool:
        """Whether this may be the sum of two lists, or a list so many times."""
        if isinstance(node.op, ast.Add):
            return not is_number(node.left) and not is_number(node.right)
        return isinstance(node.op, ast.Mult) and not any(map(_is_fraction, (node.left, node.right)))


def _is_long(node: ast.expr) -> bool:
    """Whether more operators follow each other than calls can be nested; no list is summed up so."""
    for _ in range(MOST_NESTED):
        if not isinstance(node, ast.BinOp):
            return False
        node = node.left
    return True


def is_number(node: ast.expr) -> bool:
    """Whether an expression is seen to give no list."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float | complex)
    if isinstance(node, ast.UnaryOp):
        return True
    if isinstance(node, ast.BinOp):
        has_number = is_number(node.left) or is_number(node.right)
        is_sum = isinstance(node.op, ast.Add) and has_number
        return isinstance(node.op, NEVER_LISTS) or is_sum or (isinstance(node.op, ast.Mult) and _is_product(node))
    return False


def _is_product(node: ast.BinOp) -> bool:
    return any(map(_is_fraction, (node.left, node.right))) or (is_number(node.left) and is_number(node.right))


def _is_fraction(node: ast.expr) -> bool:
    """Whether an expression is seen to be neither a list nor how often to repeat one."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float | complex)
    if isinstance(node, ast.UnaryOp):
        return _is_fraction(node.operand)
    return isinstance(node, ast.BinOp) and (isinstance(node.op, ast.Div) or any(map(_is_fraction, (node.left, node.right))))
