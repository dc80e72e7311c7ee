"""Sizes that are not known yet: polynomials with integer coefficients over named sizes.

A dimension is an ``int`` or a ``Dim``. Arithmetic normalises, so that equal expressions are equal objects to ``==``
and ``hash``: ``(n + 1) * 2 == 2 * n + 2``. What is not a polynomial (``//``, ``%``, ``max``, ``min``) is kept as an opaque factor.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import total_ordering
from typing import Final, TypeAlias

from hybrid._util.tree import Leaf
from hybrid.errors import StagingError

__all__ = [
    "Dim", "DimLike", "Undecided", "dim_max", "dim_min", "evaluate", "never_one", "parse_dim", "product", "symbol", "symbols_of", "unknown",
]  # fmt: skip

DimLike: TypeAlias = "int | Dim"


class Undecided(StagingError):
    """A number was needed where only a symbol is known."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Atom:
    """A named size, or a function of sizes that is not a polynomial."""

    name: str
    args: tuple[DimLike, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})" if self.args else self.name

    def __lt__(self, other: Atom) -> bool:
        return str(self) < str(other)


_DATA_DEPENDENT: Final = re.compile(r"\?|u\d+$")
"""The names of sizes that depend on data: those may be 1."""

Monomial: TypeAlias = tuple[Atom, ...]

FUNCTIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "max": max,
    "min": min,
}


@dataclass(frozen=True, slots=True)
class Dim(Leaf):
    """A sum of products of atoms; never a constant (that is an ``int``)."""

    terms: tuple[tuple[Monomial, int], ...]

    def __add__(self, other: DimLike) -> DimLike:
        return _sum(_terms(self), _terms(other)) if isinstance(other, int | Dim) else NotImplemented

    def __mul__(self, other: DimLike) -> DimLike:
        if not isinstance(other, int | Dim):
            return NotImplemented
        return _sum([(tuple(sorted(a + b)), m * n) for a, m in _terms(self) for b, n in _terms(other)])

    def __neg__(self) -> DimLike:
        return self * -1

    def __sub__(self, other: DimLike) -> DimLike:
        return self + other * -1 if isinstance(other, int | Dim) else NotImplemented

    def __rsub__(self, other: DimLike) -> DimLike:
        return self * -1 + other

    def __floordiv__(self, other: DimLike) -> DimLike:
        if isinstance(other, int) and other and all(n % other == 0 for _, n in self.terms):
            return _sum([(m, n // other) for m, n in self.terms])
        return _quotient(self, other)

    def __rfloordiv__(self, other: DimLike) -> DimLike:
        return _quotient(other, self)

    def __mod__(self, other: DimLike) -> DimLike:
        if isinstance(other, int) and other and all(n % other == 0 for _, n in self.terms):
            return 0
        return _apply("mod", self, other)

    def __rmod__(self, other: DimLike) -> DimLike:
        return _apply("mod", other, self)

    __radd__ = __add__
    __rmul__ = __mul__

    def __bool__(self) -> bool:
        raise Undecided(f"the size {self} isn't known while tracing: it can't decide a Python branch")

    def __index__(self) -> int:
        raise Undecided(f"the size {self} isn't known while tracing: it can't be used as a Python integer")

    def _refuse(self, *_: object) -> bool:
        raise Undecided(f"the size {self} isn't known while tracing: no floats are made of it, and it isn't compared")

    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __float__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __str__(self) -> str:
        return " + ".join(_product_text(m, n) for m, n in self.terms).replace("+ -", "- ")

    def __repr__(self) -> str:
        return f"Dim({str(self)!r})"


def symbol(name: str) -> Dim:
    """The size called ``name``.

    >>> str(symbol("n") * 2 + 1)
    '2*n + 1'
    """
    return Dim((((Atom(name),), 1),))


def unknown(label: str = "u") -> Dim:
    """A size that only running the operation tells; the graph builder gives it a name of its own.

    Within the outputs of one operation, equal labels mean equal sizes.
    """
    return symbol("?" + label)


def dim_max(a: DimLike, b: DimLike) -> DimLike:
    """The larger of two sizes.

    >>> n = symbol("n")
    >>> str(dim_max(n, 0)), str(dim_max(dim_max(n - 1, 0) - 2, 0))
    ('n', 'max(0, n - 3)')
    """
    if _is_natural(a - b):
        return a
    if _is_natural(b - a):
        return b
    if a == 0 or b == 0:
        return _positive_part(a if b == 0 else b)
    return _apply("max", a, b)


def dim_min(a: DimLike, b: DimLike) -> DimLike:
    """The smaller of two sizes.

    >>> n = symbol("n")
    >>> dim_min(n + 3, 3), str(dim_min(n, 3))
    (3, 'min(3, n)')
    """
    if _is_natural(b - a):
        return a
    return b if _is_natural(a - b) else _apply("min", a, b)


def product(dims: Iterable[DimLike]) -> DimLike:
    """The number of elements of a shape; 1 for ``()``."""
    total: DimLike = 1
    for dim in dims:
        total = total * dim
    return total


def symbols_of(dim: DimLike) -> set[str]:
    """The names that a size depends on."""
    if isinstance(dim, int):
        return set()
    atoms = [atom for monomial, _ in dim.terms for atom in monomial]
    return {a.name for a in atoms if not a.args}.union(*(symbols_of(x) for a in atoms for x in a.args))


def evaluate(dim: DimLike, sizes: Mapping[str, DimLike]) -> DimLike:
    """Put sizes (or other expressions) in place of names; names that are not in ``sizes`` stay.

    >>> evaluate(symbol("n") * 2 + 1, {"n": 4})
    9
    """
    if isinstance(dim, int):
        return dim
    total: DimLike = 0
    for monomial, factor in dim.terms:
        total = total + product(_evaluate_atom(atom, sizes) for atom in monomial) * factor
    return total


def never_one(size: DimLike) -> bool:
    """Whether a size is known not to be 1: symbols that stand for sizes of arguments aren't, nor are sums of such and multiples.

    >>> never_one(symbol("n") * 2), never_one(symbol("n") + symbol("m")), never_one(symbol("u0") * 2)
    (True, True, True)
    >>> never_one(symbol("n") - 1), never_one(symbol("n") + 1), never_one(symbol("u0")), never_one(1)
    (False, False, False, False)
    """
    if isinstance(size, int):
        return size != 1
    return all(factor > 1 or (factor == 1 and any(map(_is_given, monomial))) for monomial, factor in size.terms)


def _is_given(atom: Atom) -> bool:
    """Whether an atom is the size of an argument: 1 is special among those, and has no symbol."""
    return not atom.args and not _DATA_DEPENDENT.match(atom.name)


def parse_dim(text: str) -> DimLike:
    """Read a size back from its text; ``ValueError`` if it is not one.

    >>> parse_dim("2*n + floordiv(m, 2)") == symbol("n") * 2 + symbol("m") // 2
    True
    """
    try:
        return _from_ast(ast.parse(text.strip().replace("?", "_unknown_"), mode="eval").body)
    except (SyntaxError, KeyError, TypeError) as error:
        raise ValueError(f"wanted a size such as 3, n or 2*n + 1, received {text!r}") from error


# -- inside ---------------------------------------------------------------------------------------------------------


def _terms(dim: DimLike) -> tuple[tuple[Monomial, int], ...]:
    return dim.terms if isinstance(dim, Dim) else (((), int(dim)),)


def _sum(*parts: Iterable[tuple[Monomial, int]]) -> DimLike:
    totals: dict[Monomial, int] = {}
    for part in parts:
        for monomial, factor in part:
            totals[monomial] = totals.get(monomial, 0) + factor
    constant = totals.pop((), 0)
    terms = sorted((item for item in totals.items() if item[1]), key=_order)
    if not terms:
        return constant
    return Dim((*terms, ((), constant)) if constant else tuple(terms))


def _positive_part(dim: DimLike) -> DimLike:
    """max(dim, 0): max(max(x, 0) - 2, 0) is max(x - 2, 0), and sizes are never negative."""
    if isinstance(dim, int):
        return max(dim, 0)
    if _is_natural(dim):
        return dim
    (monomial, factor), *rest = dim.terms
    constant = rest[0][1] if rest else 0
    if len(monomial) == factor == 1 and len(rest) <= 1 and constant < 0 and monomial[0].name == "max" and 0 in monomial[0].args:
        inner = next(arg for arg in monomial[0].args if arg != 0)
        return _positive_part(inner + constant)
    return _apply("max", dim, 0)


def _is_natural(dim: DimLike) -> bool:
    """Whether an expression can't be negative, as far as its form tells."""
    if isinstance(dim, int):
        return dim >= 0
    return all(factor > 0 and all(map(_is_natural_atom, monomial)) for monomial, factor in dim.terms)


def _is_natural_atom(atom: Atom) -> bool:
    if atom.name == "max":
        return any(map(_is_natural, atom.args))
    return all(map(_is_natural, atom.args))


def _order(term: tuple[Monomial, int]) -> tuple[int, str]:
    return -len(term[0]), "*".join(map(str, term[0]))


def _quotient(a: DimLike, b: DimLike) -> DimLike:
    """a // b, exactly where b is a factor that every term of a has."""
    if a == b:
        return 1
    if isinstance(a, Dim) and isinstance(b, Dim) and len(b.terms) == 1:
        (divisor, n), quotients = b.terms[0], []
        for monomial, m in a.terms:
            rest = list(monomial)
            if m % n or any(rest.count(atom) < divisor.count(atom) for atom in divisor):
                return _apply("floordiv", a, b)
            for atom in divisor:
                rest.remove(atom)
            quotients.append((tuple(rest), m // n))
        return _sum(quotients)
    return a if b == 1 else _apply("floordiv", a, b)


def _apply(name: str, a: DimLike, b: DimLike) -> DimLike:
    if isinstance(a, int) and isinstance(b, int):
        return FUNCTIONS[name](a, b)
    if name in ("max", "min"):
        a, b = sorted((a, b), key=str)
    return Dim((((Atom(name, (a, b)),), 1),))


def _evaluate_atom(atom: Atom, sizes: Mapping[str, DimLike]) -> DimLike:
    if not atom.args:
        return sizes.get(atom.name, Dim((((atom,), 1),)))
    a, b = (evaluate(arg, sizes) for arg in atom.args)
    if atom.name == "floordiv":
        return a // b
    return a % b if atom.name == "mod" else dim_max(a, b) if atom.name == "max" else dim_min(a, b)


def _product_text(monomial: Monomial, factor: int) -> str:
    names = "*".join(map(str, monomial))
    if not names:
        return str(factor)
    return names if factor == 1 else f"-{names}" if factor == -1 else f"{factor}*{names}"


_BINARY: Final = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b}


def _from_ast(node: ast.expr) -> DimLike:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Name(id=name):
            return symbol(name.replace("_unknown_", "?"))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _from_ast(operand) * -1
        case ast.BinOp(left=left, op=operator, right=right):
            return _BINARY[type(operator)](_from_ast(left), _from_ast(right))
        case ast.Call(func=ast.Name(id=name), args=[a, b]) if name in FUNCTIONS:
            a, b = _from_ast(a), _from_ast(b)
            return a // b if name == "floordiv" else a % b if name == "mod" else _apply(name, a, b)
    raise TypeError(ast.dump(node))
