"""Functions, lambdas and classes inside the function."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from hybrid.frontend.conversion import RETURN_VALUE, Conversion, Converter
from hybrid.frontend.converters.plain import Plain
from hybrid.frontend.quote import children, expression, quote
from hybrid.frontend.scope import Scope

__all__ = ["Functions", "function_body"]


class Functions(Converter):
    """Functions are converted in their place; bodies of classes run as they are, but for the methods and lambdas in them.

    Generators, coroutines and what is inside them stay as they are, too.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
        return self.defined(node, self.c.expr, self.c.scope)

    visit_AsyncFunctionDef = visit_FunctionDef

    def defined(self, node: ast.FunctionDef | ast.AsyncFunctionDef, convert: Callable[[ast.expr], Any], around: Scope) -> list[ast.stmt]:
        """A definition whose defaults and decorators are converted by a function."""
        scope = self.c.scopes.of[node]
        made = copy.copy(node)
        made.decorator_list = [convert(decorator) for decorator in node.decorator_list]
        made.args = signature(self.c, node.args, convert, around)
        made.returns = _annotation(self.c, node.returns, around)
        made.body = Plain(self.c, scope).statements(node.body) if scope.is_plain else function_body(self.c, scope, node.body)
        return [made, *self._boxed(node.name, around)]

    def visit_ClassDef(self, node: ast.ClassDef) -> list[ast.stmt]:
        made = copy.copy(node)
        made.decorator_list, made.bases = self.c.exprs(node.decorator_list), self.c.exprs(node.bases)
        made.keywords = [ast.keyword(keyword.arg, self.c.expr(keyword.value)) for keyword in node.keywords]
        made.body = Plain(self.c, self.c.scopes.of[node]).statements(node.body)
        return [made, *self._boxed(node.name, self.c.scope)]

    def _boxed(self, name: str, around: Scope) -> list[ast.stmt]:
        box = self.c.scopes.box(around, name)
        if name in around.globals:
            self.c.global_functions.add(name)
        return [] if box is None else quote("box.value = name", box=box, name=name)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return self.lambda_(node, self.c.expr, self.c.scope)

    def lambda_(self, node: ast.Lambda, convert: Callable[[ast.expr], Any], around: Scope) -> ast.expr:
        """A lambda stays one if it can; one that needs definitions inside becomes a function before the statement."""
        scope = self.c.scopes.of[node]
        if scope.is_plain:
            return Plain(self.c, around).copy(node)
        args = signature(self.c, node.args, convert, around)
        with self.c.hoisting() as hoisted, self.c.inside(scope) as frame:
            body = self.c.expr(node.body)
        hoisted = [*frame.state_functions(), *hoisted]
        if not hoisted:
            made = ast.Lambda(args, body)
            self.c.users_lambdas.add(made)
            return made
        name = self.c.new("lambda", "<lambda>")
        (function,) = quote("def name():\n body", name=name, body=[*_declared(scope, hoisted), *hoisted, ast.Return(body)])
        assert isinstance(function, ast.FunctionDef)
        function.args = without_defaults(args)
        self.c.hoisted.append(ast.copy_location(function, node))
        return _with_defaults(name, args)


def _with_defaults(name: str, args: ast.arguments) -> ast.expr:
    if not args.defaults and not any(args.kw_defaults):
        return ast.Name(name, ast.Load())
    named = [(arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None]
    keyword_defaults = ast.Dict([ast.Constant(arg.arg) for arg, _ in named], [value for _, value in named])
    defaults = ast.Tuple(args.defaults, ast.Load())
    return expression("hy__.with_defaults(name, defaults, named)", name=name, defaults=defaults, named=keyword_defaults)


def signature(c: Conversion, args: ast.arguments, convert: Callable[[ast.expr], Any], around: Scope) -> ast.arguments:
    """The parameters of a function, their defaults converted."""

    def parameter(arg: ast.arg | None) -> Any:
        return arg and ast.copy_location(ast.arg(arg.arg, _annotation(c, arg.annotation, around)), arg)

    return ast.arguments(
        posonlyargs=[parameter(arg) for arg in args.posonlyargs],
        args=[parameter(arg) for arg in args.args],
        vararg=parameter(args.vararg),
        kwonlyargs=[parameter(arg) for arg in args.kwonlyargs],
        defaults=[convert(value) for value in args.defaults],
        kw_defaults=[None if value is None else convert(value) for value in args.kw_defaults],
        kwarg=parameter(args.kwarg),
    )


def _annotation(c: Conversion, node: ast.expr | None, around: Scope) -> ast.expr | None:
    return node if node is None or c.keeps_annotations else Plain(c, around).copy(node)


def without_defaults(args: ast.arguments) -> ast.arguments:
    """Parameters with ``...`` for every default, and without annotations."""
    made = copy.copy(args)
    made.defaults = [ast.Constant(...) for _ in args.defaults]
    made.kw_defaults = [None if value is None else ast.Constant(...) for value in args.kw_defaults]
    for field in ("posonlyargs", "args", "kwonlyargs"):
        setattr(made, field, [ast.arg(arg.arg) for arg in getattr(args, field)])
    made.vararg, made.kwarg = args.vararg and ast.arg(args.vararg.arg), args.kwarg and ast.arg(args.kwarg.arg)
    return made


def function_body(c: Conversion, scope: Scope, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a user's function converted, with what they need at the start."""
    document: list[ast.stmt] = []
    match statements:
        case [ast.Expr(value=ast.Constant(value=str())) as first, *_] if scope.kind == "function":
            document, statements = [first], statements[1:]
    with c.inside(scope) as frame, c.hoisting():
        made = c.block(statements)
    boxes = [_box(name, name in scope.parameters) for name in scope.locals if name in scope.shared]
    returns = [RETURN_VALUE] * any("return" in c.jumps([part]) for part in statements if not isinstance(part, ast.Return))
    return [*document, *boxes, *_declared(scope, made, returns), *frame.state_functions(), *made] or [ast.Pass()]


def _box(name: str, is_parameter: bool) -> ast.stmt:
    values: list[ast.expr] = [ast.Name(name, ast.Load())] if is_parameter else []
    return quote("box = hy__.Box(name, values)", box=f"{name}__box", name=ast.Constant(name), values=values)[0]


def _declared(scope: Scope, made: Iterable[ast.stmt], more: Iterable[str] = ()) -> list[ast.stmt]:
    """Annotations that make local what the functions inside bind."""
    own = [name for name in scope.locals if name not in scope.parameters and name not in scope.shared]
    bound = set(_bound_here(made))
    names = [name for name in (*own, *more) if name not in bound]
    return [statement for name in names for statement in quote("name: hy__.Unbound", name=name)]


def _bound_here(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that generated statements bind themselves, not in functions inside them."""
    for node in nodes:
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                yield node.id
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Lambda():
                pass
            case ast.alias():
                yield node.asname or node.name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)):
                yield name
                yield from _bound_here(node.body)
            case _:
                yield from _bound_here(children(node))
