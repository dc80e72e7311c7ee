"""Comprehensions and generator expressions."""

from __future__ import annotations

import ast
import sys
from typing import Any, Final

from hybrid.frontend.conversion import Converter
from hybrid.frontend.converters.functions import function_body
from hybrid.frontend.quote import expression, quote

__all__ = ["Comprehensions"]

HAS_FRAME: Final = sys.version_info < (3, 12)
"""Whether list, set and dict comprehensions have a frame of their own in Python's eyes."""


class Comprehensions(Converter):
    """A comprehension becomes a function with an ordinary loop, called with the first iterable."""

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._collected(node, "listcomp", "[]", [expression("hy__.append(result__, item)", item=node.elt)])

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return self._collected(node, "setcomp", "hy__.set()", [expression("hy__.add(result__, item)", item=node.elt)])

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        item = expression("hy__.store(result__, key, item)", key=node.key, item=node.value)
        return self._collected(node, "dictcomp", "{}", [item])

    def _collected(self, node: Any, prefix: str, empty: str, item: list[ast.expr]) -> ast.expr:
        statements = [*quote(f"result__ = {empty}"), *_loops(node, item[0]), *quote("return result__")]
        iterable = self.c.expr(node.generators[0].iter)
        name = self.c.new(prefix, f"<{prefix}>" if HAS_FRAME else None)
        body = function_body(self.c, self.c.scopes.of[node], statements)
        self.c.hoisted.append(_definition(node, "def name(iterable__):\n body", name=name, body=body))
        return expression("name(iterable)", name=name, iterable=iterable)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        """Twice: as a generator, and as a loop that hands the items on."""
        iterable = self.c.expr(node.generators[0].iter)
        lazily, loop = self.c.new("genexpr", "<genexpr>"), self.c.new("genloop", "<genexpr>")
        body = function_body(self.c, self.c.scopes.of[node], _loops(node, expression("emit__(item)", item=node.elt)))
        generator = self.c.nested(lazily, ["iterable__"], [node], self._generator(node))
        self.c.hoisted += [
            ast.copy_location(generator, node),
            _definition(node, "def name(iterable__, emit__):\n body", name=loop, body=body),
        ]
        call = expression("hy__.generator(iterable, lazily, loop)", iterable=iterable, lazily=lazily, loop=loop)
        call.keywords = self.c.walrus_state([node])
        return call

    def _generator(self, node: ast.GeneratorExp) -> list[ast.stmt]:
        """The loops as they are, over converted expressions."""
        with self.c.inside(self.c.scopes.of[node]) as frame:
            made = self._native(node, 0)
        return [*frame.state_functions(), *made]

    def _native(self, node: ast.GeneratorExp, depth: int) -> list[ast.stmt]:
        if depth == len(node.generators):
            with self.c.hoisting() as hoisted:
                item = ast.Expr(ast.Yield(self.c.expr(node.elt)))
            return [*hoisted, item]
        generator = node.generators[depth]
        inner = self._native(node, depth + 1)
        for condition in reversed(generator.ifs):
            with self.c.hoisting() as hoisted:
                test = self.c.expr(condition)
            inner = [*hoisted, ast.If(test, inner, [])]
        store = self.c.visitors[ast.Assign].__self__.stored(generator.target, ast.Name("item__", ast.Load()))  # type: ignore[attr-defined]
        with self.c.hoisting() as hoisted:
            iterable = ast.Name("iterable__", ast.Load()) if depth == 0 else self.c.expr(generator.iter)
        return [*hoisted, ast.For(ast.Name("item__", ast.Store()), iterable, [*store, *inner], [])]


def _definition(node: ast.AST, template: str, **parts: Any) -> ast.stmt:
    return ast.copy_location(quote(template, **parts)[0], node)


def _loops(node: Any, item: ast.expr) -> list[ast.stmt]:
    """The loops of a comprehension as statements of the user's."""
    inner: list[ast.stmt] = [ast.copy_location(ast.Expr(ast.copy_location(item, node)), node)]
    for i, generator in reversed(list(enumerate(node.generators))):
        for condition in reversed(generator.ifs):
            inner = [ast.copy_location(ast.If(condition, inner, []), condition)]
        first = ast.copy_location(ast.Name("iterable__", ast.Load()), generator.iter)
        inner = [ast.copy_location(ast.For(generator.target, generator.iter if i else first, inner, []), generator.iter)]
    return inner
