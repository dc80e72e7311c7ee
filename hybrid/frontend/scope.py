"""Who owns which name: the functions, classes and comprehensions inside a function, and what they bind."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from hybrid.frontend.quote import Ready, children

__all__ = ["COMPREHENSIONS", "FUNCTIONS", "Jump", "Scope", "Scopes", "is_generator", "parameters"]

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Kind: TypeAlias = Literal["function", "comprehension", "class"]
Owner: TypeAlias = "Scope | Literal['cell', 'global']"
Jump: TypeAlias = Literal["break", "continue", "return"]


@dataclass(eq=False)
class Scope:
    """A part of the source with names of its own.

    Attributes:
        bound: the names that statements inside bind, in their order, also those declared ``global`` or ``nonlocal``.
        shared: own names that functions inside write.
        is_plain: whether the code inside stays as it is: generators, coroutines and what is in them.
    """

    node: ast.AST
    kind: Kind
    parent: Scope | None
    parameters: tuple[str, ...] = ()
    bound: dict[str, None] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    is_plain: bool = False
    inner: list[Scope] = field(default_factory=list)

    def owns(self, name: str) -> bool:
        """Whether a name is a local variable here."""
        return name in self.parameters or (name in self.bound and name not in self.globals and name not in self.nonlocals)

    @property
    def locals(self) -> tuple[str, ...]:
        """The local variables, parameters first."""
        return (*self.parameters, *(name for name in self.bound if name not in self.parameters and self.owns(name)))

    @property
    def function(self) -> Scope:
        """The function (or class) whose code this is part of, for comprehensions the one around them."""
        scope = self
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        return scope


class Scopes:
    """The scopes inside one function, and what can be asked about its names."""

    def __init__(self, root: FunctionNode, cells: Iterable[str] = ()) -> None:
        self.cells = frozenset(cells)
        self.shared_cells: set[str] = set()
        self.of: dict[ast.AST, Scope] = {}
        self._bound: dict[ast.AST, tuple[str, ...]] = {}
        self._jumps: dict[ast.AST, frozenset[Jump]] = {}
        _Collector(self.of).function(root, None)
        self.root = self.of[root]
        for scope in self.of.values():
            self._note_shared(scope)

    def _note_shared(self, scope: Scope) -> None:
        if scope.parent is None:
            self.shared_cells |= scope.nonlocals
            return
        around = scope.parent
        while around.kind == "class" and around.parent is not None:
            around = around.parent
        for name in scope.nonlocals:
            owner = self.owner(around, name)
            if isinstance(owner, Scope):
                if not owner.is_plain:
                    owner.shared.add(name)
                if name in scope.deleted:
                    owner.deleted.add(name)
            elif owner == "cell":
                self.shared_cells.add(name)

    def owner(self, scope: Scope, name: str) -> Owner:
        """The scope that a name belongs to as seen from a scope, ``"cell"`` for the closure's, ``"global"`` else."""
        at: Scope | None = scope
        while at is not None:
            if at.kind != "class" or at is scope:
                if name in at.globals:
                    return "global"
                if at.owns(name):
                    return at
            at = at.parent
        return "cell" if name in self.cells else "global"

    def box(self, scope: Scope, name: str) -> str | None:
        """The name of the box that holds a variable, if it has one."""
        at: Scope | None = scope
        while at is not None:
            if at.kind != "class" or at is scope:
                if name in at.globals:
                    return None if at.is_plain else f"{name}__global"
                if at.owns(name):
                    return f"{name}__box" if name in at.shared else None
            at = at.parent
        return f"{name}__box" if name in self.shared_cells else None

    def boxed_globals(self) -> list[str]:
        """The global variables that something here may write."""
        return sorted({name for scope in self.of.values() if not scope.is_plain for name in scope.globals})

    def bound_in(self, nodes: Iterable[ast.AST]) -> tuple[str, ...]:
        """The variables that statements or expressions may bind or unbind, through functions defined in them too, in order."""
        return tuple(dict.fromkeys(name for node in nodes for name in self._bound_in(node)))

    def _bound_in(self, node: ast.AST) -> tuple[str, ...]:
        if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
            return ()
        if node not in self._bound:
            self._bound[node] = tuple(dict.fromkeys(self._names_bound(node)))
        return self._bound[node]

    def _names_bound(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
            return
        yield from _own_bindings(node)
        if node in self.of:
            scope = self.of[node]
            if scope.kind == "comprehension":
                yield from _walrus_targets(node)
            else:
                yield from self._written_outside(scope)
                yield from self.bound_in(_around(node))
            return
        for child in children(node):
            yield from self._bound_in(child)

    def jumps(self, nodes: Iterable[ast.AST]) -> frozenset[Jump]:
        """The jumps that may leave statements."""
        return frozenset(jump for node in nodes for jump in self._jumps_of(node))

    def _jumps_of(self, node: ast.AST) -> frozenset[Jump]:
        if isinstance(node, ast.expr | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return frozenset()
        if node not in self._jumps:
            self._jumps[node] = self._found_jumps(node)
        return self._jumps[node]

    def _found_jumps(self, node: ast.AST) -> frozenset[Jump]:
        match node:
            case ast.Break():
                return frozenset({"break"})
            case ast.Continue():
                return frozenset({"continue"})
            case ast.Return():
                return frozenset({"return"})
            case ast.For() | ast.AsyncFor() | ast.While():
                return self.jumps(node.body) & {"return"} | self.jumps(node.orelse)
        return self.jumps(children(node))

    def _written_outside(self, scope: Scope) -> Iterator[str]:
        """The variables of functions around a scope that it and scopes inside it write."""
        yield from sorted(scope.nonlocals)
        for inner in scope.inner:
            yield from (name for name in self._written_outside(inner) if not scope.owns(name))


class _Collector(ast.NodeVisitor):
    """Fills a table of scopes."""

    def __init__(self, table: dict[ast.AST, Scope]) -> None:
        self.table = table
        self.scope: Scope | None = None

    def _enter(self, node: ast.AST, kind: Kind, names: tuple[str, ...] = (), is_plain: bool = False) -> Scope:
        is_plain = is_plain or (self.scope is not None and self.scope.is_plain)
        scope = self.table[node] = Scope(node, kind, self.scope, names, is_plain=is_plain)
        if self.scope is not None:
            self.scope.inner.append(scope)
        return scope

    def _inside(self, scope: Scope, nodes: Iterable[ast.AST]) -> None:
        outer, self.scope = self.scope, scope
        for node in nodes:
            self.visit(node)
        self.scope = outer

    def function(self, node: FunctionNode, parent: Scope | None) -> None:
        """A function itself, not what is evaluated around it."""
        names = tuple(arg.arg for arg in parameters(node.args))
        scope = self._enter(node, "function", names, parent is not None and is_generator(node))
        self._inside(scope, [node.body] if isinstance(node, ast.Lambda) else node.body)

    def _bind(self, name: str) -> None:
        assert self.scope is not None
        self.scope.bound[name] = None

    def _function(self, node: FunctionNode) -> None:
        for outside in _around(node):
            self.visit(outside)
        if not isinstance(node, ast.Lambda):
            self._bind(node.name)
        self.function(node, self.scope)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for outside in _around(node):
            self.visit(outside)
        self._bind(node.name)
        self._inside(self._enter(node, "class"), node.body)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)
        scope = self._enter(node, "comprehension")
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for i, generator in enumerate(node.generators):
            later = [] if i == 0 else [generator.iter]
            self._inside(scope, [generator.target, *later, *generator.ifs])
        self._inside(scope, elements)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        assert self.scope is not None and isinstance(node.target, ast.Name)
        self.scope.function.bound[node.target.id] = None

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id)
        if isinstance(node.ctx, ast.Del):
            assert self.scope is not None
            self.scope.deleted.add(node.id)

    def visit_Global(self, node: ast.Global) -> None:
        assert self.scope is not None
        self.scope.globals |= set(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        assert self.scope is not None
        self.scope.nonlocals |= set(node.names)

    def generic_visit(self, node: ast.AST) -> None:
        for name in _own_bindings(node):
            self._bind(name)
        for child in children(node):
            self.visit(child)


def parameters(args: ast.arguments) -> list[ast.arg]:
    """All parameters of a function in the order of its frame."""
    star = [args.vararg] if args.vararg else []
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *star, *([args.kwarg] if args.kwarg else [])]


def _own_bindings(node: ast.AST) -> list[str]:
    """The names that a node other than a ``Name`` binds by itself."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.alias():
            return [node.asname or node.name.partition(".")[0]]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
        case Ready():
            return list(node.bound)
    return []


def _around(node: ast.AST) -> list[ast.AST]:
    """What a definition evaluates in the scope around it."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    assert isinstance(node, FUNCTIONS)
    values = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
    if isinstance(node, ast.Lambda):
        return [*values]
    annotations = [arg.annotation for arg in parameters(node.args) if arg.annotation is not None]
    return [*node.decorator_list, *values, *annotations, *([node.returns] if node.returns else [])]


def _walrus_targets(node: ast.AST) -> Iterator[str]:
    for child in children(node):
        if isinstance(child, ast.NamedExpr) and isinstance(child.target, ast.Name):
            yield child.target.id
        if not isinstance(child, ast.Lambda):
            yield from _walrus_targets(child)


def is_generator(node: FunctionNode) -> bool:
    """Whether calling a function makes a generator or a coroutine."""
    if isinstance(node, ast.AsyncFunctionDef):
        return True
    return any(_yields(child) for child in ([node.body] if isinstance(node, ast.Lambda) else node.body))


def _yields(node: ast.AST) -> bool:
    if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return any(_yields(child) for child in _around(node))
    return any(_yields(child) for child in children(node))
