"""``match``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import Ready, expression, quote

__all__ = ["Matches"]


class Matches(Converter):
    """A ``match`` becomes a chain of ``if`` whose tests are calls of ``hy__.case``."""

    def visit_Match(self, node: ast.Match) -> tuple[list[ast.stmt], list[ast.stmt]]:
        subject = self.c.new("subject")
        prepared = quote("subject = value", subject=subject, value=self.c.expr(node.subject))
        return prepared, self._chain(subject, node.cases)

    def _chain(self, subject: str, cases: Sequence[ast.match_case]) -> list[ast.stmt]:
        """The cases as user's statements."""
        if not cases:
            return []
        case, *others = cases
        if case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.pattern.name is None:
            return case.body
        parts = [case.pattern, *([case.guard] if case.guard else [])]
        test = Ready(lambda: self._test(subject, case), self.c.scopes.bound_in(parts))
        ast.copy_location(test, case.pattern)
        return [ast.copy_location(ast.If(test, case.body, self._chain(subject, others)), case.pattern)]

    def _test(self, subject: str, case: ast.match_case) -> ast.expr:
        call = expression("hy__.case(subject, pattern)", subject=subject, pattern=self.pattern(case.pattern))
        parts: list[ast.AST] = [case.pattern]
        if names := self.c.scopes.bound_in([case.pattern]):
            call.keywords.append(ast.keyword("bind", ast.Name(self._bind(names), ast.Load())))
        if case.guard is not None:
            call.keywords.append(ast.keyword("guard", self.c.thunk(case.guard)))
            parts.append(case.guard)
        call.keywords += self.c.walrus_state(parts)  # type: ignore[arg-type]
        return ast.copy_location(call, case.pattern)

    def _bind(self, names: Sequence[str]) -> str:
        """A function that binds what a pattern captured."""
        bind = self.c.new("bind")
        stores = [
            statement
            for name in names
            for statement in quote("target = captures__[name]", target=self.c.write(name), name=ast.Constant(name))
        ]
        outer = [name for name in names if self.c.box(name) is None]
        self.c.hoisted += quote("def bind(captures__):\n nonlocal outer\n stores", bind=bind, outer=outer, stores=stores)
        return bind

    def pattern(self, node: ast.pattern) -> ast.expr:
        """The expression that builds a pattern."""
        return ast.copy_location(self._pattern(node), node)

    def _pattern(self, node: ast.pattern) -> ast.expr:
        match node:
            case ast.MatchValue():
                return expression("hy__.equal(value)", value=self.c.thunk(node.value))
            case ast.MatchSingleton():
                return expression("hy__.same(value)", value=ast.Constant(node.value))
            case ast.MatchSequence():
                return expression("hy__.sequence(items)", items=[self.pattern(item) for item in node.patterns])
            case ast.MatchStar():
                return expression("hy__.star(name)", name=[ast.Constant(node.name)] if node.name else [])
            case ast.MatchAs(pattern=None):
                return expression("hy__.capture(name)", name=ast.Constant(node.name)) if node.name else expression("hy__.anything")
            case ast.MatchAs(pattern=ast.pattern() as inner):
                return expression("hy__.named(inner, name)", inner=self.pattern(inner), name=ast.Constant(node.name))
            case ast.MatchOr():
                return expression("hy__.one_of(options)", options=[self.pattern(option) for option in node.patterns])
            case ast.MatchMapping():
                return self._mapping(node)
            case ast.MatchClass():
                return self._instance(node)
        raise AssertionError(node)

    def _mapping(self, node: ast.MatchMapping) -> ast.expr:
        return expression(
            "hy__.mapping((keys,), (items,), rest)",
            keys=[self.c.thunk(key) for key in node.keys],
            items=[self.pattern(item) for item in node.patterns],
            rest=[ast.Constant(node.rest)] if node.rest else [],
        )

    def _instance(self, node: ast.MatchClass) -> ast.expr:
        positional = [self.pattern(item) for item in node.patterns]
        call = expression("hy__.instance(cls, positional)", cls=self.c.thunk(node.cls), positional=positional)
        named = zip(node.kwd_attrs, node.kwd_patterns, strict=True)
        call.keywords = [ast.keyword(name, self.pattern(item)) for name, item in named]
        return call
