"""``if`` statements and conditional expressions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hybrid.frontend.conversion import Compound, Converter
from hybrid.frontend.quote import expression

__all__ = ["Branches"]


class Branches(Converter):
    """An ``if`` statement becomes a call of ``hy__.if_stmt`` over the functions of its branches."""

    def visit_If(self, node: ast.If, after: Sequence[ast.stmt]) -> Compound:
        test = self.c.expr(node.test)
        then = self.c.body("then", node.body)
        made: list[ast.stmt] = [then]
        orelse: str | ast.expr = ast.Constant(None)
        if node.orelse:
            inner, other = self._orelse(node, after)
            made += [*inner, other]
            orelse = other.name
        state = self.c.state([node, *after])
        call = expression("hy__.if_stmt(test, then, orelse, state)", test=test, then=then.name, orelse=orelse, state=state)
        return made, ast.copy_location(call, node.test)

    def _orelse(self, node: ast.If, after: Sequence[ast.stmt]) -> tuple[list[ast.stmt], ast.FunctionDef]:
        """The function of ``else``; those of an ``elif`` go beside it, so that long chains stay flat."""
        inner = node.orelse[0]
        if len(node.orelse) > 1 or not isinstance(inner, ast.If):
            return [], self.c.body("orelse", node.orelse)
        name = self.c.new("orelse")
        made, call = self.c.compound(inner, after)
        last = ast.Return(call) if self.c.jumps([inner]) else ast.Expr(call)
        return made, self.c.nested(name, (), [inner.test], [ast.copy_location(last, call)])

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return expression(
            "hy__.if_exp(test, then, orelse, state)",
            test=self.c.expr(node.test),
            then=self.c.thunk(node.body),
            orelse=self.c.thunk(node.orelse),
            state=[keyword.value for keyword in self.c.walrus_state([node.body, node.orelse])],
        )
