"""``try``, ``with``, ``raise`` and ``assert``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hybrid.frontend.conversion import Compound, Converter
from hybrid.frontend.quote import expression, quote

__all__ = ["Blocks"]


class Blocks(Converter):
    """Blocks become calls of ``hy__.try_stmt`` and ``hy__.with_stmt`` over the functions of their parts."""

    def visit_Try(self, node: ast.Try, after: Sequence[ast.stmt]) -> Compound:
        body = self.c.body("body", node.body)
        handlers = [self._handler(handler) for handler in node.handlers]
        made, other = self._optional("orelse", node.orelse)
        last, final = self._optional("final", node.finalbody)
        state = self.c.state([node, *after])
        call = expression(
            "hy__.try_stmt(body, (handlers,), orelse, final, state)",
            body=body.name,
            handlers=[pair for _, pair in handlers],
            orelse=other,
            final=final,
            state=state,
        )
        return [body, *(definition for definition, _ in handlers), *made, *last], call

    def _optional(self, prefix: str, statements: list[ast.stmt]) -> tuple[list[ast.stmt], ast.expr]:
        if not statements:
            return [], ast.Constant(None)
        body = self.c.body(prefix, statements)
        return [body], ast.Name(body.name, ast.Load())

    def _handler(self, node: ast.ExceptHandler) -> tuple[ast.stmt, ast.expr]:
        """The function of a handler, and the pair of a function that gives its classes and of it."""
        classes = ast.Constant(None) if node.type is None else self.c.thunk(node.type)
        body = self.c.body("handler", node.body, ["error__"])
        if node.name is not None:
            body = self._named(node, body)
        pair = expression("(classes, handler)", classes=classes, handler=body.name)
        return ast.copy_location(body, node), ast.copy_location(pair, node)

    def _named(self, node: ast.ExceptHandler, body: ast.FunctionDef) -> ast.FunctionDef:
        """The name is bound for the duration of the handler."""
        assert node.name is not None
        inner = body.body[1:] if isinstance(body.body[0], ast.Nonlocal) else body.body
        made = quote(
            """
            target = error__
            try:
                inner
            finally:
                target = None
                unbind
            """,
            target=self.c.write(node.name),
            inner=inner,
            unbind=[ast.Delete([self.c.write(node.name, ast.Del())])],
        )
        return self.c.nested(body.name, ["error__"], [node], made)

    def visit_TryStar(self, node: ast.TryStar, after: Sequence[ast.stmt]) -> Compound:
        """The statement stays, around calls of the functions of its parts; ``else`` and ``finally`` are those of ``try``."""
        name = self.c.new("attempt")
        body = self.c.body("body", node.body)
        handlers = [self._star_handler(handler) for handler in node.handlers]
        made, other = self._optional("orelse", node.orelse)
        last, final = self._optional("final", node.finalbody)
        attempt = quote("def attempt():\n signal__ = body()\n return signal__", attempt=name, body=body.name)[0]
        assert isinstance(attempt, ast.FunctionDef)
        orelse = quote("if signal__ is None:\n signal__ = orelse()", orelse=other) if node.orelse else []
        first, end = attempt.body
        attempt.body = [*quote("signal__ = None"), ast.TryStar([first], [clause for _, clause in handlers], orelse, []), end]
        state = self.c.state([node, *after])
        call = expression("hy__.try_stmt(attempt, (), None, final, state)", attempt=name, final=final, state=state)
        return [body, *(definition for definition, _ in handlers), *made, attempt, *last], call

    def _star_handler(self, node: ast.ExceptHandler) -> tuple[ast.stmt, ast.ExceptHandler]:
        definition, pair = self._handler(node)
        assert isinstance(pair, ast.Tuple) and isinstance(pair.elts[0], ast.Lambda) and isinstance(definition, ast.FunctionDef)
        call = quote("handler(error__)", handler=definition.name)
        return definition, ast.copy_location(ast.ExceptHandler(pair.elts[0].body, "error__", call), node)

    def visit_With(self, node: ast.With, after: Sequence[ast.stmt]) -> Compound:
        first, *others = node.items
        manager = self.c.expr(first.context_expr)
        inner: list[ast.stmt] = node.body
        if others:
            inner = [ast.copy_location(ast.With(others, node.body), others[0].context_expr)]
        if first.optional_vars is not None:
            target = ast.Assign([first.optional_vars], ast.Name("value__", ast.Load()))
            inner = [ast.copy_location(target, first.optional_vars), *inner]
        body = self.c.body("body", inner, ["value__"])
        state = self.c.state([node, *after])
        call = expression("hy__.with_stmt(manager, body, state)", manager=manager, body=body.name, state=state)
        return [body], ast.copy_location(call, first.context_expr)

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt]:
        if node.exc is None:
            return quote("hy__.reraise()")
        cause = [] if node.cause is None else [self.c.expr(node.cause)]
        return quote("hy__.raise_stmt(error, cause)", error=self.c.expr(node.exc), cause=cause)

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        if not __debug__:
            return [ast.Pass()]
        message = [] if node.msg is None else [self.c.thunk(node.msg)]
        return quote("hy__.assert_stmt(test, message)", test=self.c.expr(node.test), message=message)
