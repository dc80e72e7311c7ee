"""One trace: a function specialised to the kinds of its arguments, and how to call what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybrid._util.tree import Structure, unflatten
from hybrid.backends import compile
from hybrid.control.carry import Carry
from hybrid.control.scope import StagedRaise, raise_staged
from hybrid.core.interpreter import interpreting
from hybrid.core.spec import spec_of
from hybrid.core.tensor import Tensor, wrap
from hybrid.errors import StagingError, UnsupportedError
from hybrid.frontend.runtime.staging import staging
from hybrid.function.guards import checker
from hybrid.function.kinds import Pattern
from hybrid.ir.graph import Graph
from hybrid.ir.traced import Traced
from hybrid.staging.stager import Stager
from hybrid.staging.state import Guard, Lifted
from hybrid.staging.tracer import FunctionTracer

__all__ = ["NeedsValues", "Trace", "new_trace"]


@dataclass(frozen=True, slots=True)
class Result:
    """How to make a Python value of outputs of the graph.

    Attributes:
        carry: what the outputs stand for.
        arguments: for each leaf of the only alternative, the position of the argument that it is, or ``None``.
    """

    carry: Carry
    arguments: tuple[int | None, ...]

    @property
    def count(self) -> int:
        """The number of outputs that it takes."""
        return len(self.carry.specs)

    @property
    def is_single(self) -> bool:
        """Whether it is one new number or array."""
        return len(self.carry.kinds) == 1 and self.carry.kinds[0].structure.kind is None and self.count == 1 and self.arguments == (None,)

    def made(self, outputs: Sequence[Any], arguments: Sequence[Any]) -> Any:
        """The value."""
        kept = iter(self.arguments)

        def leaf(value: Any, is_tensor: bool) -> Any:
            position = next(kept, None)
            if position is not None:
                return arguments[position]
            return wrap(value) if is_tensor else value

        return self.carry.decoded(outputs, leaf)


@dataclass(frozen=True, slots=True)
class Write:
    """Something to be set after the call: ``put(owner, name, value)``."""

    put: Callable[[Any, Any, Any], None]
    owner: Any
    name: Any
    result: Result


@dataclass(slots=True)
class Trace:
    """A graph, what it takes for granted, and what it does to the world.

    Attributes:
        graph: its inputs are the arguments, then what was lifted from outside.
        lifted: the inputs from outside.
        guards: what must hold for the trace to be valid.
        result: what the function returns.
        written: the positions of the inputs whose arrays are changed, in the order of the outputs after the result's.
        writes: what is set in objects, from the outputs after those.
        executable: the compiled graph.
        check: tells whether the guards hold; ``None`` if there are none.
        quick: runs a trace that only computes; ``None`` for others.
    """

    graph: Graph
    lifted: tuple[Lifted, ...]
    guards: tuple[Guard, ...]
    result: Result
    written: tuple[int, ...]
    writes: tuple[Write, ...]
    executable: Callable[..., tuple[Any, ...]]
    check: Callable[[], bool] | None
    quick: Callable[[Sequence[Any]], Any] | None

    def run(self, arguments: Sequence[Any]) -> Any:
        """Call the function on the leaves of its arguments."""
        inputs = [*(_plain(a) for a in arguments), *(_plain(x.read()) for x in self.lifted)]
        for position in self.written:
            if not inputs[position].flags.writeable:
                raise ValueError("assignment destination is read-only")
        outputs = self.executable(*inputs)
        at = self.result.count
        for position, new in zip(self.written, outputs[at:], strict=False):
            if inputs[position] is not new:
                inputs[position][...] = new
        at += len(self.written)
        made = []
        for write in self.writes:
            made.append(write.result.made(outputs[at : at + write.result.count], arguments))
            at += write.result.count
        result = self.result.made(outputs[: self.result.count], arguments)
        for write, value in zip(self.writes, made, strict=True):
            write.put(write.owner, write.name, value)
        return result


def new_trace(
    function: Callable[..., Any],
    converted: Callable[..., Any],
    structure: Structure,
    leaves: Sequence[Any],
    is_input: Sequence[bool],
    pattern: Pattern,
    static: set[Any],
) -> Trace:
    """Trace a converted function for arguments like these.

    Args:
        function: the user's function.
        converted: the same, its constructs being calls of the front end's run-time functions.
        structure: of ``(args, kwargs)``.
        leaves: the leaves of the arguments.
        is_input: for each leaf, whether it is an input of the graph; the others are constants.
        pattern: which sizes of the arrays are symbols.
        static: attributes and items that are to be constants.
    """
    tracer = FunctionTracer()
    tracer.outside.static |= static
    stager = Stager(tracer)
    arguments = [
        tracer.lifted_input(_plain(x), *_kind(x), pattern.spec(i, spec_of(_plain(x)))) if given else x
        for i, (x, given) in enumerate(zip(leaves, is_input, strict=True))
    ]
    given = [a for a in arguments if isinstance(a, Traced)]
    args, kwargs = unflatten(structure, arguments)
    with interpreting(tracer), staging(stager):
        stager.enters(function)
        try:
            value = _run(converted, args, kwargs)
        except StagingError as error:
            raise _needs_values(tracer, is_input, error) from error
        result, outputs = _result(tracer, stager, value, given)
        handles = [*given, *(x.traced for x in tracer.outside.lifted)]
        written = tuple(i for i, handle in enumerate(handles) if handle.is_written)
        outputs += [tracer.operand(handles[i]) for i in written]
        writes = []
        for put, owner, name, content in stager.pending():
            made, more = _result(tracer, stager, content, given)
            writes.append(Write(put, owner, name, made))
            outputs += more
    graph = tracer.root.graph(outputs)
    in_place = {result.count + k: i for k, i in enumerate(written)}
    guards = (*tracer.outside.guards, *stager.guards_of_entered())
    executable = compile(graph, name=_readable(function), in_place=in_place)
    lifted = tuple(tracer.outside.lifted)
    quick = _quick(result, executable) if not (lifted or written or writes) else None
    return Trace(graph, lifted, guards, result, written, tuple(writes), executable, checker(guards), quick)


def _readable(function: Any) -> str:
    """A name for generated code."""
    name = getattr(function, "__name__", "")
    return name if name.isidentifier() else "f"


def _quick(result: Result, executable: Callable[..., Any]) -> Callable[[Sequence[Any]], Any] | None:
    """The run of a trace that computes one array or number, if it is one."""
    if not result.is_single:
        return None
    if result.carry.leaves[0][0].is_tensor:  # type: ignore[union-attr]
        return lambda arguments: wrap(executable(*map(_plain, arguments))[0])
    return lambda arguments: executable(*arguments)[0]


class NeedsValues(Exception):
    """Tracing needs numbers as they are.

    Attributes:
        leaves: their positions among the leaves of the arguments.
        outside: their places in objects outside.
    """

    def __init__(self, leaves: set[int], outside: set[Any]):
        self.leaves, self.outside = leaves, outside


def _needs_values(tracer: FunctionTracer, is_input: Sequence[bool], error: StagingError) -> Exception:
    """The numbers on which the value depends that tracing asked for; the error itself if there are none."""
    if tracer.needed is None:
        return error
    positions = [i for i, given in enumerate(is_input) if given]
    leaves, outside = set(), set()
    for root in tracer.roots(tracer.needed):
        if not tracer.root.inputs[root].spec.weak:
            continue
        if root < len(positions):
            leaves.add(positions[root])
        else:
            outside.add(tracer.outside.lifted[root - len(positions)].place)
    return NeedsValues(leaves, outside) if leaves or outside else error


def _run(converted: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """What the function returns; ``None`` after an exception that the graph raises."""
    try:
        return converted(*args, **kwargs)
    except StagedRaise:
        return None
    except (StagingError, UnsupportedError):
        raise
    except Exception as error:
        raise_staged(error)
        return None


def _result(tracer: FunctionTracer, stager: Stager, value: Any, given: Sequence[Traced]) -> tuple[Result, list[Any]]:
    value = stager.settled(value)
    carry = Carry.of(tracer, value)
    arguments = tuple(_position(leaf, given) for leaf in carry.flat_leaves(value)) if len(carry.kinds) == 1 else ()
    return Result(carry, arguments), carry.operands(tracer, value)


def _position(leaf: Any, given: Sequence[Traced]) -> int | None:
    return next((i for i, handle in enumerate(given) if handle is leaf and not handle.spec.weak), None)


def _plain(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def _kind(value: Any) -> tuple[bool, bool]:
    """Whether NumPy has a scalar here, and whether the function sees a tensor."""
    return not isinstance(_plain(value), np.ndarray), isinstance(value, Tensor)
