"""One conversion under way: the function being converted, where in it we are, and what converters use together."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeAlias

from hybrid.frontend.binding import Binding, binding, unbound_in
from hybrid.frontend.quote import expression, quote
from hybrid.frontend.scope import Jump, Scope, Scopes

__all__ = ["RETURN_VALUE", "Compound", "Conversion", "Converter"]

RETURN_VALUE: Final = "return_value__"
COMPOUND: Final = (ast.If, ast.For, ast.While, ast.Try, ast.TryStar, ast.With)

Compound: TypeAlias = "tuple[list[ast.stmt], ast.Call]"
"""A compound statement converted: the functions of its bodies, and the call of its run-time function."""


@dataclass
class Frame:
    """A user's function (or comprehension) whose statements are being converted.

    Attributes:
        is_nested: whether they go into a function inside it, where a jump is a signal.
        in_thunk: whether they go into a lambda inside it, where nothing can be bound.
        states: the functions that read and bind variables, for the start of the function: by the names, and those possibly unbound.
    """

    scope: Scope
    binding: Binding
    is_nested: bool = False
    in_thunk: bool = False
    states: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[str, str, list[ast.stmt]]] = field(default_factory=dict)

    def state_functions(self) -> list[ast.stmt]:
        """Their definitions."""
        return [statement for _, _, made in self.states.values() for statement in made]


@dataclass
class Conversion:
    """The state of a conversion.

    Attributes:
        keeps_annotations: whether annotations are text, so that they stay as written.
        hoisted: definitions to put before the statement being converted.
        siblings: where the continuations of a block go, so that they stand beside each other.
    """

    scopes: Scopes
    taken: set[str]
    has_class: bool = False
    keeps_annotations: bool = False
    frames: list[Frame] = field(default_factory=list)
    hoisted: list[ast.stmt] = field(default_factory=list)
    siblings: list[ast.stmt] | None = None
    count: int = 0
    shown_as: dict[str, str | None] = field(default_factory=dict)
    users_lambdas: set[ast.Lambda] = field(default_factory=set)
    global_functions: set[str] = field(default_factory=set)
    visitors: dict[type, Callable[..., Any]] = field(default_factory=dict)

    @property
    def frame(self) -> Frame:
        """The innermost user's function."""
        return self.frames[-1]

    @property
    def scope(self) -> Scope:
        """Its scope."""
        return self.frames[-1].scope

    def jumps(self, nodes: Iterable[ast.AST]) -> frozenset[Jump]:
        """The jumps that may leave statements."""
        return self.scopes.jumps(nodes)

    # -- names
    def new(self, prefix: str, shown_as: str | None = None) -> str:
        """A readable name that the function doesn't use; a function of that name is part of the one around it in tracebacks."""
        self.count += 1
        while f"{prefix}_{self.count}" in self.taken:
            self.count += 1
        name = f"{prefix}_{self.count}"
        self.shown_as[name] = shown_as
        return name

    def box(self, name: str) -> str | None:
        """The name of the box of a variable, if it has one."""
        return self.scopes.box(self.scope, name)

    # -- parts
    def expr(self, node: ast.expr) -> Any:
        """An expression converted."""
        visitor = self.visitors.get(type(node))
        made = self.rebuilt(node) if visitor is None else visitor(node)
        return _at(made, node)

    def owner(self, node: ast.expr) -> Any:
        """An expression whose attribute or item is read, or which is called: what that does with arrays from outside is seen to there."""
        if isinstance(node, ast.Name) and node not in self.frame.binding.unsure:
            return _at(self.read(node.id), node)
        return self.expr(node)

    def exprs(self, nodes: Iterable[ast.expr]) -> list[Any]:
        """Expressions converted."""
        return [self.expr(node) for node in nodes]

    def rebuilt(self, node: ast.AST) -> Any:
        """The same node with its expressions converted."""
        made = node.__class__.__new__(node.__class__)
        for name in node._fields:
            setattr(made, name, self._rebuilt_field(getattr(node, name, None)))
        return _at(made, node)

    def _rebuilt_field(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._rebuilt_field(item) for item in value]
        if isinstance(value, ast.expr):
            return self.expr(value)
        if isinstance(value, ast.AST) and value._fields:
            return self.rebuilt(value)
        return value

    def thunk(self, node: ast.expr) -> ast.Lambda:
        """An expression as a function without parameters."""
        outer, self.frame.in_thunk = self.frame.in_thunk, True
        made = expression("lambda: body", body=self.expr(node))
        self.frame.in_thunk = outer
        return _at(made, node)

    # -- statements
    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Statements converted; what comes after a statement that may leave becomes its continuation."""
        made: list[ast.stmt] = []
        for i, statement in enumerate(statements):
            if isinstance(statement, ast.Match):
                return made + self._match(statement, statements[i + 1 :])
            if isinstance(statement, COMPOUND):
                leaves = bool(self.jumps([statement]))
                made += self._compound(statement, statements[i + 1 :] if leaves else [], leaves)
                if leaves:
                    return made
                continue
            made += self._simple(statement)
            if isinstance(statement, ast.Return | ast.Break | ast.Continue):
                return made
        return made

    def _match(self, statement: ast.Match, after: Sequence[ast.stmt]) -> list[ast.stmt]:
        """``match`` becomes a chain of ``if``, which is converted in its place."""
        with self.hoisting() as hoisted:
            prepared, chain = self.visitors[ast.Match](statement)
        before = self.frame.binding.before
        for part in chain:
            before.setdefault(part, before.get(statement, frozenset()))
        return [*(_at(part, statement) for part in (*hoisted, *prepared)), *self.block([*chain, *after])]

    def _simple(self, statement: ast.stmt) -> list[ast.stmt]:
        with self.hoisting() as hoisted:
            visitor = self.visitors.get(type(statement))
            made = self.rebuilt(statement) if visitor is None else visitor(statement)
        statements = made if isinstance(made, list) else [made]
        return [_at(part, statement) for part in (*hoisted, *statements)]

    def _compound(self, statement: ast.stmt, after: Sequence[ast.stmt], leaves: bool) -> list[ast.stmt]:
        with self.hoisting() as hoisted:
            made, call = self.compound(statement, after)
        made = [*hoisted, *made]
        if after:
            is_first = self.siblings is None
            siblings = self.siblings = [] if self.siblings is None else self.siblings
            place = len(siblings)
            rest = self.body("rest", after, is_rest=True)
            siblings.insert(place, rest)
            call.keywords.append(ast.keyword("rest", ast.Name(rest.name, ast.Load())))
            if is_first:
                made, self.siblings = [*made, *siblings], None
        return [_at(part, statement) for part in (*made, self.ended(call) if leaves else _at(ast.Expr(call), call))]

    def compound(self, statement: ast.stmt, after: Sequence[ast.stmt]) -> Compound:
        """A compound statement as functions and a call; ``after`` is what its continuation will run."""
        made, call = self.visitors[type(statement)](statement, after)
        return [_at(part, statement) for part in made], _at(call, statement)

    def ended(self, call: ast.expr) -> ast.stmt:
        """Hand the signal of the last statement on: to the next function outside, or as the user's function's result."""
        if not self.frame.is_nested:
            call = _at(expression("hy__.result(call, lambda: value)", call=call, value=RETURN_VALUE), call)
        return _at(ast.Return(call), call)

    def body(
        self, prefix: str, statements: Sequence[ast.stmt], parameters: Sequence[str] = (), *, is_rest: bool = False
    ) -> ast.FunctionDef:
        """The function of a body; it shares the variables of the function around it."""
        frame, siblings = self.frame, self.siblings
        outer = frame.is_nested, frame.in_thunk
        name = self.new(prefix)
        frame.is_nested, frame.in_thunk = True, False
        self.siblings = siblings if is_rest else None
        made = self.block(statements)
        self.siblings = siblings
        frame.is_nested, frame.in_thunk = outer
        return self.nested(name, parameters, statements, made)

    def nested(self, name: str, parameters: Sequence[str], bound: Sequence[ast.AST], made: list[ast.stmt]) -> ast.FunctionDef:
        """A function inside the user's: ``bound`` are the user's statements whose variables it may bind."""
        template = "def name():\n nonlocal names\n body"
        (definition,) = quote(template, name=name, names=self.rebound(bound), body=made or [ast.Pass()])
        assert isinstance(definition, ast.FunctionDef)
        definition.args.args = [ast.arg(parameter) for parameter in parameters]
        return definition

    def rebound(self, nodes: Iterable[ast.AST]) -> list[str]:
        """The variables that a nested function must declare ``nonlocal`` to bind what the user's statements bind."""
        nodes = list(nodes)
        names = [name for name in self.scopes.bound_in(nodes) if self.box(name) is None]
        return names + [RETURN_VALUE] * ("return" in self.jumps(nodes))

    @contextmanager
    def hoisting(self) -> Iterator[list[ast.stmt]]:
        """Collect the definitions that expressions need before their statement."""
        outer, self.hoisted = self.hoisted, []
        try:
            yield self.hoisted
        finally:
            self.hoisted = outer

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[Frame]:
        """Convert a user's function inside the present one."""
        siblings, self.siblings = self.siblings, None
        self.frames.append(Frame(scope, binding(scope, self.scopes) if scope.kind == "function" else self._inherited(scope)))
        try:
            yield self.frame
        finally:
            self.frames.pop()
            self.siblings = siblings

    def _inherited(self, scope: Scope) -> Binding:
        return Binding(unsure=self.frame.binding.unsure)

    # -- states
    def state(self, nodes: Sequence[ast.AST]) -> list[ast.expr]:
        """Three arguments: the functions that read and bind the variables that nodes may bind, and the names."""
        names = (*self.scopes.bound_in(nodes), *[RETURN_VALUE] * ("return" in self.jumps(nodes)))
        if not names:
            return expression("f(hy__.get_nothing, hy__.set_nothing, ())").args
        sure = self.frame.binding.before.get(nodes[0], frozenset())  # type: ignore[arg-type]
        unbound = unbound_in(nodes) | self.scope.deleted
        unsure = tuple(name for name in names if name not in sure or name in unbound)
        if (names, unsure) not in self.frame.states:
            self.frame.states[names, unsure] = self._state_functions(names, unsure)
        get, put, _ = self.frame.states[names, unsure]
        return expression("f(get, put, (names,))", get=get, put=put, names=[ast.Constant(name) for name in names]).args

    def _state_functions(self, names: Sequence[str], unsure: Sequence[str]) -> tuple[str, str, list[ast.stmt]]:
        get, put = self.new("get_state"), self.new("set_state")
        made = quote(
            """
            def get():
                return (reads,)
            def put(state__):
                nonlocal outer
                (writes,) = state__
                unbind
            """,
            get=get,
            put=put,
            reads=[self.peek(name) if name in unsure else self.read(name) for name in names],
            writes=[self.write(name) for name in names],
            outer=[name for name in names if self.box(name) is None],
            unbind=[self._unbind(name) for name in unsure],
        )
        return get, put, made

    def read(self, name: str) -> ast.expr:
        """A variable, or what is in its box."""
        box = self.box(name)
        return ast.Name(name, ast.Load()) if box is None else ast.Attribute(ast.Name(box, ast.Load()), "value", ast.Load())

    def write(self, name: str, context: ast.expr_context | None = None) -> Any:
        """A variable, or what is in its box, as a target."""
        box, context = self.box(name), context or ast.Store()
        return ast.Name(name, context) if box is None else ast.Attribute(ast.Name(box, ast.Load()), "value", context)

    def peek(self, name: str) -> ast.expr:
        """The value of a variable, or that it has none."""
        return expression("hy__.peek(name, lambda: read)", name=ast.Constant(name), read=self.read(name))

    def _unbind(self, name: str) -> ast.stmt:
        box = self.box(name)
        if box is not None:
            return quote("box.drop_undefined()", box=box)[0]
        return quote("if hy__.is_undefined(read):\n del target", read=self.read(name), target=self.write(name, ast.Del()))[0]

    def walrus_state(self, nodes: Sequence[ast.expr]) -> list[ast.keyword]:
        """The keyword ``state`` of an expression whose parts may bind something and may not be evaluated."""
        if not self.scopes.bound_in(nodes):
            return []
        return [ast.keyword("state", ast.Tuple(self.state(nodes), ast.Load()))]


class Converter:
    """Converts one construct: a method ``visit_NODE`` for each kind of node that it takes.

    An expression gives an expression, a statement gives statements, a compound statement is given the statements after it
    too and gives the functions of its bodies and a call.
    """

    def __init__(self, conversion: Conversion) -> None:
        self.c = conversion

    def visitors(self) -> dict[type, Callable[..., Any]]:
        """The methods by the kinds of node."""
        return {kind: getattr(self, name) for kind, name in _visitor_names(type(self))}


@cache
def _visitor_names(converter: type[Converter]) -> list[tuple[type, str]]:
    return [(getattr(ast, name[6:]), name) for name in dir(converter) if name.startswith("visit_")]


def _at(made: Any, origin: ast.AST) -> Any:
    """A new node stands where the user's node does: the one place that says so."""
    if getattr(made, "lineno", None) is None and "lineno" in made._attributes and getattr(origin, "lineno", None) is not None:
        ast.copy_location(made, origin)
    return made
