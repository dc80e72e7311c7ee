"""Calls."""

from __future__ import annotations

import ast
from typing import Final

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression
from hybrid.frontend.scope import Scope

__all__ = ["Calls"]

IN_FRAME: Final = frozenset({"dir", "eval", "exec", "globals", "locals", "vars"})
"""Builtins that look at the frame that calls them."""


STOPS: Final = frozenset({"breakpoint", "set_trace"})
"""Functions that stop in a debugger, in the frame that calls them."""


class Calls(Converter):
    """A call becomes a call of ``hy__.call``, which decides what runs; with unpacked arguments one of ``hy__.callee(f)``."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_ours(node.func):
            return ast.Call(node.func, self.c.exprs(node.args), [])
        keywords = [ast.copy_location(ast.keyword(keyword.arg, self.c.expr(keyword.value)), keyword) for keyword in node.keywords]
        function, args = self.c.owner(node.func), self.c.exprs(node.args)
        if any(isinstance(arg, ast.Starred) for arg in args) or any(keyword.arg is None for keyword in keywords):
            return ast.Call(expression("hy__.callee(function)", function=function), args, keywords)
        if self._stops(node.func):
            return ast.Call(function, args, keywords)
        call = self._plain(node, function, args)
        call.keywords = keywords
        return call

    def _plain(self, node: ast.Call, function: ast.expr, args: list[ast.expr]) -> ast.Call:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        is_builtin = name in IN_FRAME or name == "super"
        if not is_builtin or self.c.scopes.owner(self.c.scope, name) != "global":
            return expression("hy__.call(function, args)", function=function, args=args)
        if name != "super":
            return expression("hy__.call_in_frame(function, lambda: names, args)", function=function, names=self._frame(), args=args)
        if args or node.keywords:
            return expression("hy__.call(function, args)", function=function, args=args)
        return expression("hy__.call_super(function, names)", function=function, names=self._class_and_self())

    def _stops(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in STOPS
        return isinstance(node, ast.Name) and node.id in STOPS and self.c.scopes.owner(self.c.scope, node.id) == "global"

    def _class_and_self(self) -> ast.expr:
        """What ``super()`` takes from the frame: ``None`` without a class, ``()`` without parameters."""
        scope = self.c.scope.function
        if not scope.parameters:
            return ast.Tuple([], ast.Load())
        if not (self.c.has_class or _is_in_class(scope)):
            return ast.Constant(None)
        return expression("lambda: (__class__, first)", first=self.c.read(scope.parameters[0]))

    def _frame(self) -> ast.expr:
        """The variables of the function by name."""
        scope = self.c.scope
        names = [*scope.locals, *(name for name in self._free(scope.node, scope) if name not in scope.locals)]
        return ast.Dict([ast.Constant(name) for name in names], [self.c.peek(name) for name in names])

    def _free(self, node: ast.AST, scope: Scope) -> list[str]:
        """The variables of functions around that the function uses."""
        loaded = [name.id for name in ast.walk(node) if isinstance(name, ast.Name)]
        return [name for name in dict.fromkeys(loaded) if self.c.scopes.owner(scope, name) != "global"]


def is_ours(node: ast.expr) -> bool:
    """Whether a function is one of ``hy__``."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "hy__"


def _is_in_class(scope: Scope) -> bool:
    at: Scope | None = scope
    while at is not None and at.kind != "class":
        at = at.parent
    return at is not None
