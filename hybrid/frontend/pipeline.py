"""The converters, in the order in which to read them: what rewrites a construct into others stands before those."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from hybrid.frontend.conversion import Conversion, Converter
from hybrid.frontend.converters.assignments import Assignments
from hybrid.frontend.converters.boolean import Boolean
from hybrid.frontend.converters.branches import Branches
from hybrid.frontend.converters.calls import Calls
from hybrid.frontend.converters.comprehensions import Comprehensions
from hybrid.frontend.converters.functions import Functions, function_body, without_defaults
from hybrid.frontend.converters.loops import Loops
from hybrid.frontend.converters.match import Matches
from hybrid.frontend.converters.names import Names
from hybrid.frontend.converters.objects import Objects
from hybrid.frontend.converters.operators import Operators
from hybrid.frontend.converters.returns import Returns
from hybrid.frontend.converters.text import Text
from hybrid.frontend.converters.try_ import Blocks
from hybrid.frontend.quote import Ready, quote
from hybrid.frontend.scope import FunctionNode, Scopes, parameters

__all__ = ["CONVERTERS", "FACTORY", "Converted", "converted"]

CONVERTERS: Final[tuple[type[Converter], ...]] = (
    Matches,  # into branches
    Comprehensions,  # into functions and loops
    Functions,
    Branches,
    Loops,
    Blocks,  # try, with, raise, assert
    Returns,
    Boolean,
    Operators,
    Calls,
    Objects,  # attributes and subscripts
    Text,
    Assignments,
    Names,
)

FACTORY: Final = "factory__"


class Converted:
    """A function converted.

    Attributes:
        tree: a module with a function that would make the converted one: its parameters are the variables of the closure.
        name: the name of the converted function in it.
        boxes: the boxes among those variables, each with the name of the variable in it.
        shown_as: the functions that the conversion added, and their names in the user's eyes (``None``: part of the one around).
        users_lambdas: the lambdas that are the user's own.
        global_functions: the functions and classes defined under a name that is declared global.
    """

    def __init__(self, tree: ast.Module, name: str, c: Conversion) -> None:
        self.tree, self.name, scopes = tree, name, c.scopes
        self.shown_as, self.users_lambdas, self.global_functions = c.shown_as, c.users_lambdas, c.global_functions
        self.cells = {f"{name}__box": name for name in sorted(scopes.shared_cells)}
        self.globals = {f"{name}__global": name for name in scopes.boxed_globals()}


def converted(node: FunctionNode, cells: Iterable[str], has_class: bool, keeps_annotations: bool) -> Converted:
    """Convert the syntax of a function whose closure has these variables."""
    scopes = Scopes(node, cells)
    nodes = list(ast.walk(node))
    loaded = {child.id for child in nodes if isinstance(child, ast.Name)}
    others = {child.name for child in nodes if isinstance(child, ast.FunctionDef | ast.ClassDef)}
    taken = loaded | others | {name for child in nodes for name in _parameters(child)}
    c = Conversion(scopes, taken, has_class, keeps_annotations)
    for converter in CONVERTERS:
        c.visitors |= converter(c).visitors()
    c.visitors[Ready] = lambda ready: ready.make()
    statements = [ast.copy_location(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else node.body
    name = c.new("lambda", "<lambda>") if isinstance(node, ast.Lambda) else node.name
    if name in loaded and scopes.owner(scopes.root, name) == "global":
        name = c.new(name, name)  # the function calls itself by its global name
    body = function_body(c, scopes.root, statements)
    made = Converted(ast.Module([], []), name, c)
    outer = ["hy__", *made.cells, *made.globals, *sorted(cell for cell in scopes.cells if cell not in scopes.shared_cells)]
    factory, function = quote("def factory():\n return name\ndef name():\n body", factory=FACTORY, name=name, body=body)
    assert isinstance(factory, ast.FunctionDef) and isinstance(function, ast.FunctionDef)
    function.args = without_defaults(node.args)
    factory.args.args = [ast.arg(variable) for variable in outer]
    factory.body.insert(0, function)
    made.tree.body = [ast.copy_location(factory, node)]
    return made


def _parameters(node: ast.AST) -> list[str]:
    return [arg.arg for arg in parameters(node)] if isinstance(node, ast.arguments) else []
