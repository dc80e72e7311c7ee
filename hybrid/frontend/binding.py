"""Which reads of local variables may find nothing bound."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from hybrid.frontend.quote import children
from hybrid.frontend.scope import COMPREHENSIONS, FUNCTIONS, Scope, Scopes

__all__ = ["Binding", "binding", "unbound_in"]

INLINED: Final = sys.version_info >= (3, 12)
"""Whether comprehensions read variables as local ones of the function around them."""

Names = set[str]


@dataclass
class Binding:
    """What is known to be bound where.

    Attributes:
        unsure: the reads of own variables that may find nothing bound.
        before: for each statement the own variables bound before it.
    """

    unsure: set[ast.Name] = field(default_factory=set)
    before: dict[ast.stmt, frozenset[str]] = field(default_factory=dict)


def binding(scope: Scope, scopes: Scopes) -> Binding:
    """Follow the statements of a function."""
    flow = _Flow(scope, scopes)
    flow.bind(scope.parameters)
    node = scope.node
    if isinstance(node, ast.Lambda):
        flow.visit(node.body)
    elif isinstance(node, ast.FunctionDef):
        flow.block(node.body)
    return flow.found


class _Flow(ast.NodeVisitor):
    """Walks in the order of execution; ``bound`` is ``None`` where execution doesn't get to."""

    def __init__(self, scope: Scope, scopes: Scopes) -> None:
        self.scope, self.scopes = scope, scopes
        self.own = frozenset(scope.locals)
        self.never = scope.deleted
        self.bound: Names | None = set()
        self.breaks: list[list[Names | None]] = []
        self.found = Binding()

    def bind(self, names: Iterable[str]) -> None:
        if self.bound is not None:
            self.bound |= {name for name in names if name in self.own and name not in self.never}

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.found.before[statement] = self.own if self.bound is None else frozenset(self.bound)
            self.visit(statement)

    def branch(self, bound: Names | None, statements: Iterable[ast.stmt]) -> Names | None:
        """What is bound after statements that start with this bound."""
        self.bound = _copy(bound)
        self.block(statements)
        return self.bound

    # -- expressions
    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bind([node.id])
        elif node.id in self.own and self.bound is not None and node.id not in self.bound:
            self.found.unsure.add(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.visit(node.target)

    def _aside(self, nodes: Iterable[ast.AST]) -> None:
        """Expressions that may not be evaluated."""
        bound = _copy(self.bound)
        for node in nodes:
            self.visit(node)
        self.bound = bound

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.visit(node.values[0])
        self._aside(node.values[1:])

    def visit_Compare(self, node: ast.Compare) -> None:
        self.visit(node.left)
        self.visit(node.comparators[0])
        self._aside(node.comparators[1:])

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        self._aside([node.body])
        self._aside([node.orelse])

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)
        if INLINED and not isinstance(node, ast.GeneratorExp):
            for child in children(node):
                self._read_inside(child, self.scopes.of[node])

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _read_inside(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and self.scopes.owner(scope, node.id) is self.scope:
                self.visit_Name(node)
        elif not isinstance(node, (*FUNCTIONS, *COMPREHENSIONS)):
            for child in children(node):
                self._read_inside(child, scope)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for value in (*node.args.defaults, *node.args.kw_defaults):
            if value is not None:
                self.visit(value)

    # -- statements
    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for value in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if value is not None:
                self.visit(value)
        self.bind([node.name])

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for value in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(value)
        self.bind([node.name])

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            read = node.target
            if read.id in self.own and self.bound is not None and read.id not in self.bound:
                self.found.unsure.add(read)
        self.visit(node.value)
        self.visit(node.target)

    def visit_alias(self, node: ast.alias) -> None:
        self.bind([node.asname or node.name.partition(".")[0]])

    def _leave(self, node: ast.Return | ast.Raise) -> None:
        self.generic_visit(node)
        self.bound = None

    visit_Return = visit_Raise = _leave

    def visit_Break(self, node: ast.Break) -> None:
        self.breaks[-1].append(self.bound)
        self.bound = None

    def visit_Continue(self, node: ast.Continue) -> None:
        self.bound = None

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        start = self.bound
        self.bound = _meet([self.branch(start, node.body), self.branch(start, node.orelse)])

    def _loop(self, node: ast.For | ast.While) -> None:
        if isinstance(node, ast.For):
            self.visit(node.iter)
        self._forget(unbound_in([node]))
        if isinstance(node, ast.While):
            self.visit(node.test)
        start = _copy(self.bound)
        self.breaks.append([])
        if isinstance(node, ast.For):
            self.visit(node.target)
        self.block(node.body)
        breaks = self.breaks.pop()
        is_endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        self.bound = _meet([self.branch(None if is_endless else start, node.orelse), *breaks])

    visit_For = visit_While = _loop

    def _forget(self, names: Names) -> None:
        if self.bound is not None:
            self.bound -= names

    def visit_With(self, node: ast.With) -> None:
        """An exception in the body may be suppressed, so nothing that the body binds is sure."""
        first, *others = node.items
        self.visit(first.context_expr)
        start = _copy(self.bound)
        if first.optional_vars is not None:
            self.visit(first.optional_vars)
        for item in others:
            self.visit(item)
        self.block(node.body)
        self.bound = start
        self._forget(unbound_in(node.body))

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        start = _copy(self.bound)
        unbound = unbound_in([node])
        ends = [self.branch(self.branch(start, node.body), node.orelse)]
        interrupted = None if start is None else start - unbound
        for handler in node.handlers:
            ends.append(self._handler(handler, interrupted))
        self.bound = _meet(ends)
        if node.finalbody:
            after = self.bound
            final = self.branch(interrupted, node.finalbody)
            self.bound = None if after is None or final is None else (after - unbound_in(node.finalbody)) | final

    visit_Try = visit_TryStar = _try

    def _handler(self, handler: ast.ExceptHandler, start: Names | None) -> Names | None:
        self.bound = _copy(start)
        if handler.type is not None:
            self.visit(handler.type)
        name = {handler.name} if handler.name else set()
        self.bind(name)
        count = len(self.breaks[-1]) if self.breaks else 0
        self.block(handler.body)
        self._forget(name)
        if self.breaks:
            left = self.breaks[-1]
            left[count:] = [None if bound is None else bound - name for bound in left[count:]]
        return self.bound

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        start = _copy(self.bound)
        ends, tested = [], start
        for case in node.cases:
            self.bound = _copy(tested)
            self.bind(self.scopes.bound_in([case.pattern]))
            if case.guard is not None:
                self.visit(case.guard)
            ends.append(self.branch(self.bound, case.body))
        last = node.cases[-1]
        is_complete = last.guard is None and _is_irrefutable(last.pattern)
        self.bound = _meet(ends if is_complete else [*ends, start])


def _is_irrefutable(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchOr):
        return any(_is_irrefutable(option) for option in pattern.patterns)
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _is_irrefutable(pattern.pattern))


def unbound_in(nodes: Iterable[ast.AST]) -> Names:
    """The names of ``except ... as name`` inside: unbound at the end of each handler."""
    names: Names = set()
    for node in nodes:
        if isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        if not isinstance(node, ast.expr | ast.FunctionDef | ast.ClassDef):
            names |= unbound_in(children(node))
    return names


def _copy(bound: Names | None) -> Names | None:
    return None if bound is None else set(bound)


def _meet(ends: Iterable[Names | None]) -> Names | None:
    """What is bound on every path that gets here."""
    reached = [end for end in ends if end is not None]
    return set.intersection(*reached) if reached else None
