"""The program that a graph becomes: its lines, its names, and what it needs from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba.core import types

from hybrid.backends.numba.memory import allocator
from hybrid.backends.numba.native import HALF, array_type, host_call, native_type
from hybrid.backends.numba.sites import Site
from hybrid.core.dim import Dim, DimLike, symbols_of
from hybrid.core.spec import Spec
from hybrid.ir.graph import Const, Node, Operand, Value, leaves_of
from hybrid.passes.buffers import Plan

__all__ = ["BASE", "Program", "Window", "cast", "literal"]

INDENT: Final = "    "
BASE: Final[dict[str, Any]] = {
    "np": np,
    "inf": float("inf"),
    "nan": float("nan"),
    **{f"{kind}{n}": getattr(types, f"{kind}{n}") for kind in ("int", "uint") for n in (8, 16, 32, 64)},
    **{name: getattr(types, name) for name in ("float32", "float64", "complex64", "complex128")},
    "boolean": types.boolean,
}
"""The names that every program knows."""


@dataclass(frozen=True, slots=True)
class Window:
    """A view that is not made unless something asks for it as an array: elements are read where they are.

    Attributes:
        base: the variable of the array behind it.
        places: for each axis of the base the text of a position, or ``(start, step)`` of an axis of the view.
        selection: the text that makes the view.
    """

    base: str
    places: tuple[str | tuple[int, int], ...]
    selection: str

    def item(self, index: Sequence[str]) -> str:
        """The text of the element at an index of the view."""
        own = iter(index)
        texts = (place if isinstance(place, str) else _stepped(next(own), *place) for place in self.places)
        return f"{self.base}[{', '.join(texts)}]"


def _stepped(index: str, start: int, step: int) -> str:
    if index.isdigit():
        return str(start + int(index) * step)
    scaled = index if step == 1 else f"{index} * {step}"
    return scaled if start == 0 else f"{start} + {scaled}" if step != -1 else f"{start} - {index}"


class Program:
    """Collects the lines of one native function.

    Attributes:
        plan: what happens in place in the graph that is being written.
        names: the text of each value: a variable or a literal.
        sizes: the text of each symbol of the graph that is being written.
        views: values whose memory isn't in C order for sure.
        windows: views that aren't variables.
        ranges: of variables, the least and the greatest number they can be.
        below: of variables, texts and offsets: they are at most the number of the text plus the offset.
        sites: the places where the program calls Python.
        constants: arrays that the program gets as arguments, by name.
        kernels: the operations that run through their kernels.
        guards: the operations that are checked before they run, each as often as it is.
        checks_bounds: indices of items are checked.
        is_dead: the present block has left the function.
        can_view: whether the result of an operation can share memory with its first operand.
        routines: the functions of routines; an empty name for those that the interpreter runs.
        functions: their texts.
        left: the variable that tells how many more calls inside each other are allowed; empty in the outermost function.
        noted: what had been changed at the present place, to be kept in case of an exception.
    """

    def __init__(self, plan: Plan, checks_bounds: bool = True, can_view: Callable[[Node], bool] = lambda node: False):
        self.plan, self.checks_bounds, self.can_view = plan, checks_bounds, can_view
        self.names: dict[Any, str] = {}
        self.sizes: dict[str, str] = {}
        self.views: set[Value] = set()
        self.windows: dict[Value, Window] = {}
        self.ranges: dict[str, tuple[int, int]] = {}
        self.below: dict[str, dict[str, int]] = {}
        self.sites: list[Any] = []
        self.constants: dict[str, np.ndarray] = {}
        self.kernels: list[Node] = []
        self.guards: list[Node] = []
        self.namespace: dict[str, Any] = {}
        self.fused: dict[Value, Node] = {}
        self.lines: list[str] = []
        self.is_dead = False
        self.noted: Node | None = None
        self.routines: dict[Any, str] = {}
        self.functions: list[str] = []
        self.left = ""
        self._depth = 1
        self._count = 0

    def beside(self, plan: Plan) -> Program:
        """The program of another function, which belongs to this one: it shares what both need from outside."""
        made = Program(plan, self.checks_bounds, self.can_view)
        made.sites, made.kernels, made.guards, made.namespace = self.sites, self.kernels, self.guards, self.namespace
        made.routines, made.functions, made.left = self.routines, self.functions, "left"
        return made

    # -- lines ------------------------------------------------------------------------------------------------------
    def emit(self, line: str) -> None:
        self.lines.append(INDENT * self._depth + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines that belong to a head such as ``if x:``."""
        self.emit(head)
        self._depth += 1
        start = len(self.lines)
        try:
            yield
        finally:
            if len(self.lines) == start:
                self.emit("pass")
            self._depth -= 1

    @contextmanager
    def aside(self, deeper: int = 1) -> Iterator[list[str]]:
        """Lines that are kept apart, to be put in later."""
        outer, self.lines = self.lines, []
        self._depth += deeper
        try:
            yield self.lines
        finally:
            self._depth -= deeper
            self.lines = outer

    def new(self, base: str) -> str:
        """A name that is not taken."""
        self._count += 1
        return f"{base.replace('.', '_')}_{self._count}"

    def assign(self, value: Value, text: str, base: str) -> str:
        """A new variable for a value."""
        name = self.names[value] = self.new(base)
        self.emit(f"{name} = {text}")
        return name

    def use(self, name: str, thing: Any) -> str:
        """Make something known to the program under a name."""
        self.namespace[name] = thing
        return name

    # -- values -----------------------------------------------------------------------------------------------------
    def text(self, operand: Operand) -> str:
        """What stands for an operand: a variable or a literal."""
        if isinstance(operand, Const):
            return self._constant(operand)
        if operand in self.windows:
            name = self.new("view")
            self.emit(f"{name} = {self.windows[operand].selection}")
            return name
        return self.names[operand]

    def item(self, operand: Operand, index: Sequence[str]) -> str:
        """The text of an array's element."""
        window = self.windows.get(operand)  # type: ignore[arg-type]
        return f"{self.text(operand)}[{', '.join(index)}]" if window is None else window.item(index)

    def _constant(self, const: Const) -> str:
        if not const.spec.shape:
            return literal(const.value, const.spec.dtype)
        if const not in self.names:
            self.names[const] = f"constant_{len(self.constants)}"
            self.constants[self.names[const]] = np.ascontiguousarray(const.value)
        return self.names[const]

    def cast(self, operand: Any, dtype: np.dtype) -> str:
        """The text of a scalar operand as a number of a dtype."""
        return cast(self.text(operand), operand.spec.dtype, dtype)

    def dim(self, dim: DimLike) -> str:
        """The text of a size."""
        if not isinstance(dim, Dim):
            return str(dim)
        if str(dim) in self.sizes:
            return self.sizes[str(dim)]
        terms = [(" * ".join([*([str(n)] if n != 1 or not atoms else []), *(self._atom(a) for a in atoms)])) for atoms, n in dim.terms]
        return terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"

    def _atom(self, atom: Any) -> str:
        if not atom.args:
            return self.sizes[atom.name]
        a, b = map(self.dim, atom.args)
        if atom.name in ("max", "min"):
            return f"{atom.name}({a}, {b})"
        return f"(({a}) {'//' if atom.name == 'floordiv' else '%'} ({b}))"

    def dims(self, value: Value | Const) -> list[str]:
        """The texts of a value's sizes."""
        known = set(self.sizes)
        shape = value.spec.shape
        return [self.dim(d) if symbols_of(d) <= known else f"{self.text(value)}.shape[{k}]" for k, d in enumerate(shape)]

    def learn_sizes(self, value: Value) -> None:
        """Remember where the sizes that a value introduces can be read."""
        for k, dim in enumerate(value.spec.shape):
            if isinstance(dim, Dim) and str(dim).isidentifier() and str(dim) not in self.sizes:
                self.sizes[str(dim)] = f"{self.names[value]}.shape[{k}]"

    def empty(self, value: Value, base: str) -> str:
        """A new array without content for a value."""
        return self.assign(value, self.allocation(value.spec), base)

    def filled(self, value: Value, base: str, number: str | None = None) -> str:
        """A new array for a value, with the same number everywhere: zero without one."""
        name = self.empty(value, base)
        self.emit(f"fill({name}, {number})" if number else f"clear({name})")
        return name

    def allocation(self, spec: Spec, dims: Sequence[str] = ()) -> str:
        """The text that makes an array without content; with sizes of its own if given."""
        dims = dims or [self.dim(d) for d in spec.shape]
        empty = self.use(f"empty_{spec.dtype.name}_{spec.ndim}", allocator(array_type(spec.dtype, spec.ndim)))
        return f"{empty}(({', '.join(dims)}{',' * (len(dims) == 1)}))"

    def contiguous(self, operand: Any) -> str:
        """The text of an array in C order; copied if need be."""
        text = self.text(operand)
        return f"in_order({text})" if operand in self.views else text

    # -- calls of Python --------------------------------------------------------------------------------------------
    def fail(self, node: Node, run: Callable[..., Any] | None = None) -> None:
        """Raise what the operation's kernel raises for the present operands, and leave."""
        number, arguments = self._site(node, run, must_raise=True)
        call = self.use("fail", host_call(()))
        self.emit(f"{call}(host, {number}, {arguments})")
        self.leave()

    def leave(self) -> None:
        """Leave after an exception, which leaves behind what had been changed."""
        if self.noted is not None:
            number, arguments = self._site(self.noted, None, must_raise=False)
            self.emit(f"{self.use('fail', host_call(()))}(host, {number}, {arguments})")
        self.emit("return failed")

    def guard(self, condition: str, node: Node, run: Callable[..., Any] | None = None) -> None:
        """Fail if a condition holds."""
        self.guards.append(node)
        with self.block(f"if {condition}:"):
            self.fail(node, run)

    def guard_index(self, condition: str, node: Node) -> None:
        """Fail if an index is out of bounds, unless nobody wants to know."""
        if self.checks_bounds:
            self.guard(condition, node)

    def call_kernel(self, node: Node) -> None:
        """Compute an operation by its NumPy kernel."""
        number, arguments = self._site(node, None, must_raise=False)
        specs = tuple(value.spec for value in node.outputs)
        call = self.use(f"kernel_{'_'.join(map(_short, specs))}", host_call(tuple(map(native_type, specs))))
        names = [self.new(node.op.name) for _ in specs]
        for value, name in zip(node.outputs, names, strict=True):
            self.names[value] = name
        self.emit(f"{', '.join(['done', *names])}{'' if names else ','} = {call}(host, {number}, {arguments})  # {node.op.name}")
        with self.block("if not done:"):
            self.leave()
        if node in self.plan.in_place:
            self._put_back(node, names[0])

    def _put_back(self, node: Node, changed: str) -> None:
        """Bring what a kernel made of a copy into the memory that the operation is to write."""
        target, out = node.operands[0], node.outputs[0]
        self.emit(f"copy_into({self.text(target)}, {changed})")
        self.names[out] = self.text(target)
        if target in self.views:
            self.views.add(out)  # type: ignore[arg-type]

    def kernel_value(self, node: Node, names: Sequence[str]) -> None:
        """Give variables the results of a kernel, where the fast way doesn't apply."""
        number, arguments = self._site(node, None, must_raise=False)
        specs = tuple(value.spec for value in node.outputs)
        call = self.use(f"kernel_{'_'.join(map(_short, specs))}", host_call(tuple(map(native_type, specs))))
        self.emit(f"{', '.join(['done', *names])} = {call}(host, {number}, {arguments})")
        with self.block("if not done:"):
            self.leave()

    def _site(self, node: Node, run: Callable[..., Any] | None, must_raise: bool) -> tuple[int, str]:
        symbols = tuple(s for s in self.sizes if s in _symbols_of(node))
        operands = [x for x in leaves_of(node.operands) if isinstance(x, Value)]
        texts = [*(self.sizes[s] for s in symbols), *map(self.text, operands)]
        self.sites.append(Site(node, symbols, must_raise, run))
        return len(self.sites) - 1, f"({', '.join(texts)}{',' * (len(texts) == 1)})"


def _symbols_of(node: Node) -> set[str]:
    found = set().union(*(value.spec.symbols for value in node.outputs))
    return found | set().union(*(_in_attribute(value) for _, value in node.attrs))


def _in_attribute(value: Any) -> set[str]:
    if isinstance(value, Dim):
        return symbols_of(value)
    return set().union(*map(_in_attribute, value)) if type(value) is tuple else set()


def _short(spec: Spec) -> str:
    return f"{spec.dtype.name}{spec.ndim or ''}"


def cast(text: str, given: np.dtype, wanted: np.dtype) -> str:
    """A number of one dtype as one of another, as NumPy casts."""
    if given == wanted:
        return text
    if wanted.kind == "b":
        return f"({text} != 0)"
    if given.kind == "c" and wanted.kind != "c":
        text, given = f"({text}).real", np.dtype(f"float{given.itemsize * 4}")
    if wanted == HALF:
        return f"to_half(float64({text}))"
    if given.kind == "f" and wanted.kind == "u":
        return UNSIGNED[wanted.itemsize].format(text)
    return f"{wanted.name}({text})"


HIGHEST_BIT: Final = 2**63
UNSIGNED: Final = {
    1: "uint8(int32({0}))",
    2: "uint16(int32({0}))",
    4: "uint32(int64({0}))",
    8: f"(uint64(int64({{0}})) if not {{0}} >= {HIGHEST_BIT}.0 else uint64(int64({{0}} - {HIGHEST_BIT}.0)) ^ uint64({HIGHEST_BIT}))",
}
"""A float as an unsigned integer of so many bytes, as C compilers do it for NumPy's scalars: what is out of range wraps.

For uint32 NumPy's loops over arrays give either this or 2**31, 0 and the like, by the place of the element."""


def literal(value: Any, dtype: np.dtype) -> str:
    """A constant number."""
    number = np.asarray(value).astype(dtype).item()
    if dtype.kind == "b":
        return str(number)
    if dtype.kind == "c":
        text = f"complex({number.real!r}, {number.imag!r})"
        return text if dtype == np.complex128 else f"{dtype.name}({text})"
    text = f"({number!r})" if number < 0 or (dtype.kind == "f" and np.signbit(number)) else repr(number)
    return text if dtype in (np.int64, np.float64) else f"{'float32' if dtype == HALF else dtype.name}({text})"
