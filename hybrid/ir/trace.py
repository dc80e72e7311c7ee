"""Tracing: running a Python function on stand-ins for arrays, and writing down the operations it calls.

Straight-line code only: what needs a value (a branch, a loop count) is refused with the name of the unknown. Writes have
NumPy's meaning: an array is a cell with the present value, a slice of it a view into that cell.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybrid._util.source import Location, user_location
from hybrid._util.tree import Structure, flatten, unflatten
from hybrid.config import config
from hybrid.core.cell import Ambiguous, Cell, Journal, Storage, View
from hybrid.core.dim import Dim, Undecided
from hybrid.core.interpreter import interpreting
from hybrid.core.op import Op
from hybrid.core.operators import Operators
from hybrid.core.refusal import described, refusal
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager, unwrap, wrap
from hybrid.errors import StagingError
from hybrid.ir.builder import Builder
from hybrid.ir.graph import Graph, Operand, Value, map_operand
from hybrid.ir.interpret import interpret
from hybrid.ir.traced import Number, Traced
from hybrid.ir.verify import verify
from hybrid.ops._views import contiguous, is_contiguous, read_only

__all__ = ["Label", "Program", "Tracer", "program_of", "trace", "trace_program"]


@dataclass(frozen=True, slots=True)
class Program:
    """A traced function: its graph, and what its caller gets.

    Attributes:
        graph: the outputs are the leaves of the result, then the new values of the arguments that were written.
        structure: the containers of the result.
        plain: for each leaf, the Python object that it is (no tensor), or ``None``.
        written: the positions of the arguments that were written.
    """

    graph: Graph
    structure: Structure
    plain: tuple[Any, ...]
    written: tuple[int, ...]

    def __call__(self, *arrays: Any) -> Any:
        """Interpret the graph on tensors or NumPy arrays: the result of the function, after its writes into the arguments."""
        outputs = list(interpret(self.graph, *map(unwrap, arrays)))
        leaves = [outputs.pop(0) if leaf is _TENSOR else leaf for leaf in self.plain]
        for i, new in zip(self.written, outputs, strict=True):
            arrays[i][...] = new
        return unflatten(self.structure, [wrap(leaf) if isinstance(leaf, np.ndarray | np.generic) else leaf for leaf in leaves])


_TENSOR = object()
"""Stands in ``Program.plain`` for a leaf that the graph computes."""


def trace(function: Callable[..., Any], *specs: Spec | str) -> Graph:
    """The graph of a function of arrays.

    Args:
        function: called once, with a stand-in for each argument.
        specs: the arguments' dtypes and shapes, as ``Spec`` or as text such as ``"f64[3, n]"`` or ``"float"``.

    Returns:
        A graph whose outputs are the leaves of the function's result, then the new values of the arguments it wrote into.

    >>> print(trace(lambda x: (x + x).sum(), "f64[n]"))
    graph(%0: float64[n]):
      %1: float64[n] = add(%0, %0)
      %2: float64[] = sum(%1, None, None)
      return %2
    """
    return trace_program(function, *specs).graph


def trace_program(function: Callable[..., Any], *specs: Spec | str) -> Program:
    """Like ``trace``, and how to call the result like the function."""
    tracer = Tracer()
    return program_of(tracer, function, [tracer.argument(Spec.parse(s) if isinstance(s, str) else s) for s in specs])


def program_of(tracer: Tracer, function: Callable[..., Any], arguments: Sequence[Traced]) -> Program:
    """The program of a function of stand-ins that a tracer has made."""
    with interpreting(tracer):
        leaves, structure = flatten(function(*arguments))
        for leaf in leaves:
            if isinstance(leaf, Dim):
                raise Undecided(f"the size {leaf} isn't known while tracing: it can't be among the results")
        traced = [leaf if isinstance(leaf, Operators) else None for leaf in leaves]
        results = [tracer.operand(leaf) for leaf in traced if leaf is not None]
    written = tuple(i for i, a in enumerate(arguments) if a.is_written)
    graph = tracer.builder.graph([*results, *(arguments[i].value for i in written)])  # type: ignore[list-item]
    plain = tuple(_TENSOR if t is not None else leaf for t, leaf in zip(traced, leaves, strict=True))
    return Program(verify(graph) if config().verify else graph, structure, plain, written)


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a function or class that a traced function makes.

    Attributes:
        code: what it is made of.
        number: which of those that are made of it.
    """

    code: Any
    number: int


class Tracer:
    """The interpreter that writes operations down."""

    def __init__(self) -> None:
        self.root = self.builder = Builder()
        self.root.locate = self.location
        self.journal = Journal()
        self.needed: Any = None
        self.refused: list[Exception] = []
        self.labels: list[dict[Any, list[Any]]] = [{}]
        self.names = (f"w{i}" for i in itertools.count())

    def location(self) -> Location | None:
        """Where the user's code is."""
        return user_location()

    def label(self, code: Any, made: Any) -> Label:
        """The name of a function or class that the traced function makes: the same in each attempt to trace a stretch."""
        known = self.labels[-1].setdefault(code, [])
        if not any(other is made for other in known):
            known.append(made)
        return Label(code, next(i for i, other in enumerate(known) if other is made))

    @contextmanager
    def labelling(self) -> Iterator[dict[Any, list[Any]]]:
        """One attempt: what is made in it is named anew. The names, to become those around it if the attempt is the last one."""
        names = {code: list(known) for code, known in self.labels[-1].items()}
        self.labels.append(names)
        try:
            yield names
        finally:
            self.labels.pop()

    def is_from_outside(self, value: Any) -> bool:
        """Whether a value is an array that others than the traced function see."""
        return False

    def may_fail_now(self) -> None:
        """Something that may fail is written down next."""

    def argument(self, spec: Spec) -> Traced:
        """A stand-in for an argument: a tensor that is contiguous in C order, or a Python number."""
        return self.fresh(self.builder.input(spec), is_scalar=spec.weak, is_tensor=not spec.weak, in_c_order=True)

    def lifted_input(self, value: Any, is_scalar: bool, is_tensor: bool, spec: Spec | None = None) -> Traced:
        """A stand-in for something from outside: an argument of the outermost graph, wherever tracing is now.

        ``spec`` says which sizes are to be symbols; those of the value are numbers otherwise.
        """
        strides = _strides_of(value)
        if spec is not None and not is_scalar:
            strides = contiguous(spec.shape) if value.flags.c_contiguous else None
        spec = spec or spec_of(value)
        cell = Cell(self.root.input(spec), self.journal)
        cell.birth = 0
        storage = cell if is_scalar or value.flags.writeable else View(cell, _same, read_only, is_read_only=True)
        return (Number if spec.weak else Traced)(self, storage, strides, is_scalar, is_tensor)

    def bind(self, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Write an operation down; the results are stand-ins. One that mutates writes into its first argument's cell."""
        try:
            tensors, attrs = op.split(args, kwargs)
            operands = self._operands(op, tensors)
            attrs = {name: self.static(value) for name, value in attrs.items()}
            outputs = self.builder.emit(op, operands, attrs, self.location())
        except Exception as error:
            raise refusal(error, f"hybrid.{op.name}", args, kwargs, names=op) from None
        if op.mutates:
            _written_target(op, tensors[0]).storage.write(outputs[0])
            return None
        is_tensor = any(leaf.is_tensor if isinstance(leaf, Traced) else isinstance(leaf, Eager) for leaf in flatten(tensors)[0])
        results = [self._result(op, tensors, operands, attrs, i, value, is_tensor) for i, value in enumerate(outputs)]
        return results[0] if isinstance(op.infer(*map(_spec_tree, operands), **attrs), Spec) else op.pack(results)

    def truth_of(self, value: Any) -> Any:
        """The truth value of what isn't traced."""
        return bool(value)

    def operand(self, value: Any) -> Operand:
        """What stands for a value in the graph: the present value of a cell, or a constant."""
        if isinstance(value, Traced):
            if value.tracer is not self:
                raise StagingError(f"a traced value was used outside of the function it belongs to, received {value!r}")
            return value.value
        if value is None:
            return None
        if isinstance(value, list | tuple):
            return self.operand(_stacked(value))
        return self.builder.const(unwrap(value))

    def static(self, value: Any) -> Any:
        """An attribute that was given as a tensor, as its value; a stand-in has none and refuses."""
        if isinstance(value, Eager):
            return value.numpy().tolist()
        if isinstance(value, Traced):
            raise value._unknown("be a static attribute")
        return tuple(map(self.static, value)) if isinstance(value, list | tuple) and not hasattr(value, "_fields") else value

    def _operands(self, op: Op, tensors: Sequence[Any]) -> list[Operand]:
        """The operands of an operation; sequences stay sequences where the operation takes them."""
        if op.variadic:
            return [self.operand(t) for t in tensors]
        return [
            self.operand(t) if t is None or name not in op.sequences else tuple(map(self.operand, t))
            for name, t in zip(op.tensors, tensors, strict=True)
        ]

    def fresh(self, value: Any, is_scalar: bool = False, is_tensor: bool = False, in_c_order: bool = False) -> Traced:
        """A stand-in with memory of its own; in the order of C, or one that isn't known."""
        strides = contiguous(value.spec.shape) if in_c_order else None
        is_tensor = is_tensor and not value.spec.weak  # Python's own numbers are none
        return (Number if value.spec.weak else Traced)(self, Cell(value, self.journal), strides, is_scalar, is_tensor)

    def _result(
        self, op: Op, tensors: Sequence[Any], operands: Sequence[Operand], attrs: dict[str, Any], i: int, value: Value, is_tensor: bool
    ) -> Traced:
        """A stand-in for a result: with memory of its own, or of the first argument where NumPy makes a view."""
        base: Any = tensors[0] if tensors else None
        strides: Any = False
        if op.view and isinstance(base, Traced):
            strides = op.view(base.steps, *map(_spec_tree, operands), **attrs) if callable(op.view) else True
        if strides is False:
            is_scalar = not value.spec.shape and _makes_scalars(op, base)
            return self.fresh(value, is_scalar, is_tensor, _makes_c_order(op, attrs, value.spec, tensors))
        is_scalar = not value.spec.shape and op.name in KEEPS_ARRAYS and base.is_scalar
        if base.is_scalar and op.write_back is not read_only:  # there is no memory to look into
            return self.fresh(value, is_scalar, is_tensor, in_c_order=True)
        storage = self._view(op, base, operands, attrs, i, value, is_unsure=strides is None)
        return Traced(self, storage, None if strides is True else strides, is_scalar, is_tensor)

    def _view(
        self, op: Op, base: Traced, operands: Sequence[Operand], attrs: dict[str, Any], i: int, value: Value, is_unsure: bool
    ) -> Storage:
        rule = op.write_back
        if is_unsure or rule is None:
            reason = f"{op.name} of {base!r} may be a view or a copy, which a write would show, and which isn't known here: use .copy()"
            return Ambiguous(base.storage, value, reason)

        def apply(now: Value) -> Value:
            return self.builder.emit(op, [now, *operands[1:]], attrs, self.location())[i]

        def write_back(now: Value, new: Value) -> Any:
            rest = [Traced(self, Cell(o, self.journal)) for o in operands[1:]]
            views = self._new_views(op, [now, *operands[1:]], attrs, i, new)
            return self.operand(rule(Traced(self, Cell(now, self.journal)), views, *rest, **attrs))

        return View(base.storage, apply, write_back)

    def _new_views(self, op: Op, operands: Sequence[Operand], attrs: dict[str, Any], i: int, new: Value) -> Any:
        """The values of the views when view ``i`` is written: a list, where the operation gives several."""
        if isinstance(op.infer(*map(_spec_tree, operands), **attrs), Spec):
            return Traced(self, Cell(new, self.journal))
        views = self.builder.emit(op, operands, attrs, self.location())
        return [Traced(self, Cell(new if j == i else view, self.journal)) for j, view in enumerate(views)]


def _same(value: Value) -> Value:
    return value


def _written_target(op: Op, target: Any) -> Traced:
    if not isinstance(target, Traced):
        raise StagingError(f"{op.name} would write into a tensor from outside of the traced function, received {described(target)}")
    if target.is_scalar:
        raise TypeError(f"{op.name} wants an array to write to, received the scalar {described(target)}")
    return target


def _makes_scalars(op: Op, base: Any) -> bool:
    """Whether NumPy returns a scalar, not a 0-d array, where a result has no axes."""
    if op.name in KEEPS_ARRAYS:
        return isinstance(base, Traced) and base.is_scalar
    return bool(op.tensors) and op.name not in MAKES_ARRAYS


KEEPS_ARRAYS = frozenset({"astype", "copy", "imag", "permute_dims", "real", "reshape", "squeeze", "view_as"})
"""Operations that give a 0-d array for a 0-d array, and a scalar for a scalar."""

MAKES_ARRAYS = frozenset(
    {"cov", "cross", "empty_like", "full", "full_like", "i0", "isin", "ones_like", "pad", "resize", "roll", "select", "special.polygamma",
     "tensordot", "tile", "unique_all", "unique_inverse", "where", "zeros_like"}
)  # fmt: skip
"""Operations that always give an array, also a 0-d one."""


OTHER_ORDERS = frozenset(
    {"argwhere", "asfortranarray", "cross", "delete", "delete_at", "geomspace", "histogramdd", "linspace", "logspace", "nanpercentile",
     "nanquantile", "nonzero", "unique", "unravel_index"}
)  # fmt: skip
"""Operations whose results NumPy may leave in any order in memory; those of ``linalg`` are too."""


def _makes_c_order(op: Op, attrs: dict[str, Any], spec: Spec, tensors: Sequence[Any]) -> bool:
    """Whether a new result is known to stand in the order of C without gaps."""
    if op.name in OTHER_ORDERS or op.namespace == "linalg" or attrs.get("order", "C") not in ("C", "K"):
        return False
    return spec.ndim < 2 or all(map(_is_in_c_order, flatten(tensors)[0]))


def _is_in_c_order(operand: Any) -> bool:
    """Whether NumPy would keep the order of C for results of this operand."""
    if isinstance(operand, Traced):
        return operand.steps is not None and is_contiguous(operand.steps, operand.shape) is True
    return not isinstance(operand, np.ndarray | Eager) or operand.flags.c_contiguous


def _strides_of(value: Any) -> tuple[int, ...] | None:
    """Elements from one to the next along each axis of a real array."""
    if not isinstance(value, np.ndarray) or any(step % value.itemsize for step in value.strides):
        return () if not isinstance(value, np.ndarray) else None
    return tuple(step // value.itemsize for step in value.strides)


def _stacked(items: Any) -> Any:
    """A nested sequence as one array: a constant, or stand-ins stacked."""
    if not any(isinstance(leaf, Traced) for leaf in flatten(items)[0]):
        return np.asarray(unwrap(items))
    return OPS["stack"]([_stacked(i) if isinstance(i, list | tuple) else i for i in items])


def _spec_tree(operand: Operand) -> Any:
    """What a rule gets for an operand."""
    return map_operand(lambda leaf: leaf.spec, operand)
