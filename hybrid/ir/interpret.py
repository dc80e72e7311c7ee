"""The reference evaluator: a graph run node by node with NumPy. Slow and plain, it is what everything else must agree with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

from hybrid._util.tracebacks import located
from hybrid.core.dim import Dim, evaluate, symbols_of
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.graph import Const, Graph, Node, Value, map_operand

__all__ = ["interpret", "observing"]

Observer: TypeAlias = Callable[[Node | None, Sequence[Value], Sequence[Any]], None]
"""Is told of each operation after it ran (of none, for the inputs of a graph): values of the graph, and what they are in this run."""

OBSERVER: Final[ContextVar[Observer | None]] = ContextVar("hybrid_observer", default=None)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Let somebody see the values in graphs that are interpreted, for the duration of a block."""
    token = OBSERVER.set(observer)
    try:
        yield
    finally:
        OBSERVER.reset(token)


def interpret(graph: Graph, *arrays: Any) -> tuple[Any, ...]:
    """The outputs of a graph for NumPy arrays and Python numbers; none of the arguments is changed.

    Raises ``TypeError`` or ``ValueError`` for arguments that don't have the dtypes and shapes of the graph's inputs, and
    whatever an operation raises.

    >>> from hybrid.ir.parser import parse
    >>> interpret(parse("graph(%0: float64[n]):\\n  %1: float64[] = sum(%0)\\n  return %1"), np.ones(3))
    (np.float64(3.0),)
    """
    if len(arrays) != len(graph.inputs):
        raise TypeError(f"wanted {len(graph.inputs)} arguments, received {len(arrays)}")
    sizes: dict[str, int] = {}
    values: dict[Any, Any] = {}
    for i, (value, array) in enumerate(zip(graph.inputs, arrays, strict=True)):
        _bind_sizes(sizes, value.spec, array, f"argument {i}")
        values[value] = array
    observer = OBSERVER.get()
    if observer is not None:
        observer(None, graph.inputs, arrays)

    def look_up(operand: Any) -> Any:
        return operand.value if isinstance(operand, Const) else values[operand]

    for node in graph.nodes:
        operands = [_as_lists(map_operand(look_up, operand)) for operand in node.operands]
        try:
            result = node.op.run(*operands, **{name: _numeric(value, sizes) for name, value in node.attrs})
        except BaseException as error:
            if node.location is not None and not any(isinstance(value, Graph) for _, value in node.attrs):
                error.__traceback__ = located(error.__traceback__, node.location)
            raise
        results = result if isinstance(result, tuple | list) else (result,)
        for value, array in zip(node.outputs, results, strict=True):
            _bind_sizes(sizes, value.spec, array, f"the result of {node.op.name}")
            values[value] = array
        if observer is not None:
            observer(node, node.outputs, results)
    return tuple(map(look_up, graph.outputs))


def _bind_sizes(sizes: dict[str, int], spec: Spec, array: Any, what: str) -> None:
    """Check an array against its spec, and learn the sizes whose names stand alone in it."""
    actual = spec_of(array)
    if (actual.dtype, actual.ndim, actual.weak) != (spec.dtype, spec.ndim, spec.weak):
        raise TypeError(f"wanted {spec} for {what}, received {actual}")
    for dim, size in zip(spec.shape, actual.shape, strict=True):
        if isinstance(dim, Dim) and str(dim).isidentifier():
            sizes.setdefault(str(dim), int(size))  # type: ignore[arg-type]
        if symbols_of(dim) <= sizes.keys() and evaluate(dim, sizes) != size:
            raise ValueError(f"wanted {spec} for {what}, received {actual} (sizes so far: {sizes})")


def _numeric(attribute: Any, sizes: dict[str, int]) -> Any:
    """An attribute with numbers in place of symbolic sizes."""
    if isinstance(attribute, Dim):
        return evaluate(attribute, sizes)
    return tuple(_numeric(a, sizes) for a in attribute) if type(attribute) is tuple else attribute


def _as_lists(operand: Any) -> Any:
    """Kernels take sequences of arrays as lists."""
    return [_as_lists(o) for o in operand] if isinstance(operand, tuple) else operand
