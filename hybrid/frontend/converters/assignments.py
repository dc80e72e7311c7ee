"""Assignment in all forms, and ``del``."""

from __future__ import annotations

import ast
from typing import Final

from hybrid.frontend.conversion import Converter
from hybrid.frontend.quote import expression, quote

__all__ = ["AUGMENTED", "Assignments"]

AUGMENTED: Final = {
    ast.Add: "iadd",
    ast.BitAnd: "iand",
    ast.FloorDiv: "ifloordiv",
    ast.LShift: "ilshift",
    ast.MatMult: "imatmul",
    ast.Mod: "imod",
    ast.Mult: "imul",
    ast.BitOr: "ior",
    ast.Pow: "ipow",
    ast.RShift: "irshift",
    ast.Sub: "isub",
    ast.Div: "itruediv",
    ast.BitXor: "ixor",
}


class Assignments(Converter):
    """Values are evaluated first and targets stored from left to right, as Python does."""

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        value = self.c.expr(node.value)
        if all(_binds_names(target) for target in node.targets):
            return [ast.Assign(self.c.exprs(node.targets), value)]
        if len(node.targets) == 1:
            return self.stored(node.targets[0], value)
        name = self.c.new("value")
        made = quote("name = value", name=name, value=value)
        for target in node.targets:
            made += self.stored(target, ast.Name(name, ast.Load()))
        return made

    def stored(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """Store an evaluated value."""
        made = self._stored(target, value)
        for statement in made:
            if getattr(statement, "lineno", None) is None:
                ast.copy_location(statement, target)
        return made

    def _stored(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        if _binds_names(target):
            return [ast.Assign([self.c.expr(target)], value)]
        if isinstance(target, ast.Tuple | ast.List):
            return self._unpacked(target, value)
        assert isinstance(target, ast.Attribute | ast.Subscript)
        parts = [target.value] if isinstance(target, ast.Attribute) else [target.value, target.slice]
        if self._is_ours(value) or all(self._is_steady(part, value) for part in parts):
            return [ast.Expr(self._store(target, value))]
        name = self.c.new("value")
        return [*quote("name = value", name=name, value=value), ast.Expr(self._store(target, ast.Name(name, ast.Load())))]

    def _is_ours(self, value: ast.expr) -> bool:
        """Whether nothing can change what a value means: constants and names of ours."""
        if isinstance(value, ast.Name):
            return value.id in self.c.shown_as or value.id in ("item__", "value__")
        return isinstance(value, ast.Constant)

    def _is_steady(self, node: ast.expr, value: ast.expr) -> bool:
        """Whether it doesn't matter if an expression is evaluated before or after a value."""
        if isinstance(node, ast.Constant):
            return True
        if not isinstance(node, ast.Name) or node in self.c.frame.binding.unsure or self.c.box(node.id) is not None:
            return False
        is_local = self.c.scopes.owner(self.c.scope, node.id) is self.c.scope
        return is_local and not any(isinstance(part, ast.NamedExpr) for part in ast.walk(value))

    def _store(self, target: ast.Attribute | ast.Subscript, value: ast.expr) -> ast.expr:
        owner = self.c.expr(target.value)
        if isinstance(target, ast.Attribute):
            return expression("hy__.setattr(owner, name, value)", owner=owner, name=ast.Constant(target.attr), value=value)
        return expression("hy__.setitem(owner, index, value)", owner=owner, index=self.c.expr(target.slice), value=value)

    def _unpacked(self, target: ast.Tuple | ast.List, value: ast.expr) -> list[ast.stmt]:
        """Unpack into names of ours, then store one after the other."""
        places: list[ast.expr] = []
        later: list[tuple[ast.expr, str]] = []
        for item in target.elts:
            inner = item.value if isinstance(item, ast.Starred) else item
            place = self.c.new("item")
            later.append((inner, place))
            name = ast.Name(place, ast.Store())
            places.append(ast.Starred(name, ast.Store()) if isinstance(item, ast.Starred) else name)
        made: list[ast.stmt] = [ast.Assign([ast.Tuple(places, ast.Store())], value)]
        for inner, place in later:
            made += self.stored(inner, ast.Name(place, ast.Load()))
        return made

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        """Functions don't evaluate the annotations of their variables."""
        if node.value is not None:
            return self.stored(node.target, self.c.expr(node.value))
        if isinstance(node.target, ast.Attribute):
            return [ast.Expr(self.c.expr(node.target.value))]
        if isinstance(node.target, ast.Subscript):
            return [ast.Expr(self.c.expr(node.target.value)), ast.Expr(self.c.expr(node.target.slice))]
        return []

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        operation, target = AUGMENTED[type(node.op)], node.target
        if isinstance(target, ast.Name):
            read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            if target in self.c.frame.binding.unsure:
                self.c.frame.binding.unsure.add(read)
            value = expression("hy__.f(read, value)", f=operation, read=self.c.expr(read), value=self.c.expr(node.value))
            return [ast.Assign([self.c.write(target.id)], value)]
        if isinstance(target, ast.Attribute):
            template, place = "hy__.augment_attribute(owner, place, hy__.f, value)", ast.Constant(target.attr)
        else:
            template, place = "hy__.augment_item(owner, place, hy__.f, value)", self.c.expr(target.slice)
        return quote(template, owner=self.c.expr(target.value), place=place, f=operation, value=self.c.thunk(node.value))

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        return [statement for target in node.targets for statement in self._deleted(target)]

    def _deleted(self, target: ast.expr) -> list[ast.stmt]:
        match target:
            case ast.Name():
                gone = ast.Delete([self.c.write(target.id, ast.Del())])
                read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
                if target in self.c.frame.binding.unsure:
                    self.c.frame.binding.unsure.add(read)
                    return [ast.Expr(self.c.expr(read)), gone]
                return [gone] if self.c.box(target.id) is None else [ast.Expr(self.c.expr(read)), gone]
            case ast.Tuple() | ast.List():
                return [statement for item in target.elts for statement in self._deleted(item)]
            case ast.Attribute():
                return quote("hy__.delattr(owner, name)", owner=self.c.expr(target.value), name=ast.Constant(target.attr))
            case ast.Subscript():
                return quote("hy__.delitem(owner, index)", owner=self.c.expr(target.value), index=self.c.expr(target.slice))
        raise AssertionError(target)


def _binds_names(target: ast.expr) -> bool:
    """Whether a target stores into variables only."""
    if isinstance(target, ast.Tuple | ast.List):
        return all(_binds_names(item) for item in target.elts)
    return isinstance(target, ast.Name) or (isinstance(target, ast.Starred) and _binds_names(target.value))
