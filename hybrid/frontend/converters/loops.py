"""``for`` and ``while``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hybrid.frontend.conversion import Compound, Converter
from hybrid.frontend.quote import expression

__all__ = ["Loops"]


class Loops(Converter):
    """A loop becomes a call of ``hy__.for_stmt`` or ``hy__.while_stmt``; the body of a ``for`` binds the target first."""

    def visit_For(self, node: ast.For, after: Sequence[ast.stmt]) -> Compound:
        iterable = self.c.expr(node.iter)
        target = ast.copy_location(ast.Assign([node.target], ast.Name("item__", ast.Load())), node.target)
        body = self.c.body("body", [target, *node.body], ["item__"])
        state = self.c.state([node, *after])
        call = expression("hy__.for_stmt(iterable, body, state)", iterable=iterable, body=body.name, state=state)
        made = [body, *self._orelse(node, call)]
        return made, ast.copy_location(call, node.iter)

    def visit_While(self, node: ast.While, after: Sequence[ast.stmt]) -> Compound:
        test = self._test(node.test)
        body = self.c.body("body", node.body)
        state = self.c.state([node, *after])
        call = expression("hy__.while_stmt(test, body, state)", test=test.name, body=body.name, state=state)
        return [test, body, *self._orelse(node, call)], ast.copy_location(call, node.test)

    def _test(self, node: ast.expr) -> ast.FunctionDef:
        """The test of ``while`` as a function that evaluates it anew each time."""
        returned = ast.copy_location(ast.Expr(node), node)
        test = self.c.body("test", [returned])
        last = test.body[-1]
        assert isinstance(last, ast.Expr)
        test.body[-1] = ast.copy_location(ast.Return(last.value), last)
        return test

    def _orelse(self, node: ast.For | ast.While, call: ast.Call) -> list[ast.stmt]:
        if not node.orelse:
            return []
        orelse = self.c.body("orelse", node.orelse)
        call.keywords.append(ast.keyword("orelse", ast.Name(orelse.name, ast.Load())))
        return [orelse]

    def visit_Break(self, node: ast.Break) -> ast.stmt:
        return ast.Return(expression("hy__.BREAK"))

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        return ast.Return(expression("hy__.CONTINUE"))
