"""One trace: a function specialised to the kinds of its arguments, and how to call what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hybrid._util.sharing import unflatten_once
from hybrid._util.tracebacks import places_of
from hybrid._util.tree import Structure, containers_of
from hybrid.backends import Executable, Options, Shortcut, compile
from hybrid.config import config
from hybrid.control.host import keeping_objects
from hybrid.control.progress import following
from hybrid.control.scope import StagedRaise
from hybrid.core.interpreter import interpreting
from hybrid.core.spec import spec_of
from hybrid.core.tensor import Tensor
from hybrid.errors import StagingError, UnsupportedError
from hybrid.frontend.runtime.staging import staging
from hybrid.functions.guards import checker
from hybrid.functions.kinds import KEYS, Pattern, shares_memory
from hybrid.functions.strict import refuse_calls, refuse_kernels
from hybrid.ir.graph import Graph
from hybrid.ir.traced import Traced
from hybrid.ir.verify import verify
from hybrid.passes.simplify import simplify
from hybrid.staging.recipe import Changes, Output, Part, Run, Thrown
from hybrid.staging.stager import Stager
from hybrid.staging.state import Guard, Lifted
from hybrid.staging.tracer import FunctionTracer

__all__ = ["NeedsValues", "Specialisation", "new_trace"]


@dataclass(slots=True)
class Specialisation:
    """A graph, what it takes for granted, and what it does to the world.

    Attributes:
        graph: its inputs are the arguments, then what was lifted from outside.
        lifted: the inputs from outside.
        guards: what must hold for the trace to be valid.
        result: what the function returns.
        written: the positions of the inputs whose arrays are changed.
        apart: the positions of arrays that must not share memory, since one of them is written.
        changes: what is set in objects, and which outputs are the new values of arrays.
        is_followed: whether an exception may leave changes half done.
        keeps_objects: whether calls of Python make objects that the graph holds by number.
        executable: the compiled graph.
        in_place: the outputs that are written into inputs.
        compile_seconds: how long it took to make it.
        check: tells whether the guards hold; ``None`` if there are none.
        shortcut: runs a trace that only computes one array or number; ``None`` for others.
    """

    graph: Graph
    lifted: tuple[Lifted, ...]
    guards: tuple[Guard, ...]
    result: Part
    written: tuple[int, ...]
    apart: tuple[tuple[int, int], ...]
    changes: Changes
    is_followed: bool
    keeps_objects: bool
    executable: Executable
    in_place: dict[int, int]
    compile_seconds: float
    check: Callable[[], bool] | None
    shortcut: Shortcut | None

    def run(self, arguments: Sequence[Any], containers: Sequence[Any] = ()) -> Any:
        """Call the function on the leaves of its arguments, and on the lists, dicts and objects among them."""
        inputs = [*(_plain(a) for a in arguments), *(_plain(x.read()) for x in self.lifted)]
        for i, j in self.apart:
            if shares_memory(inputs[i], inputs[j]):
                raise UnsupportedError(OVERLAP)
        for position in self.written:
            if not inputs[position].flags.writeable:
                raise ValueError("assignment destination is read-only")
        if not self.keeps_objects:
            return self._called(inputs, arguments, containers)
        with keeping_objects():
            return self._called(inputs, arguments, containers)

    def _called(self, inputs: Sequence[Any], arguments: Sequence[Any], containers: Sequence[Any]) -> Any:
        """The result; an exception leaves what was changed before it."""
        if not self.is_followed:
            return self._finished(self.executable(*inputs), inputs, arguments, containers)
        with following() as progress:
            try:
                outputs = self.executable(*inputs)
            except BaseException:
                if progress.latest is not None:
                    changes, values = progress.latest
                    changes.carry_out(Run(values, arguments, containers), inputs)
                raise
        return self._finished(outputs, inputs, arguments, containers)

    def _finished(self, outputs: Sequence[Any], inputs: Sequence[Any], arguments: Sequence[Any], containers: Sequence[Any]) -> Any:
        """The result, after what the call changes was changed."""
        run = Run(outputs, arguments, containers)
        result = self.changes.carry_out(run, inputs, self.result)
        if isinstance(self.result, Thrown):
            raise result
        return result


def new_trace(
    function: Callable[..., Any],
    converted: Callable[..., Any],
    structure: Structure,
    leaves: Sequence[Any],
    is_input: Sequence[bool],
    pattern: Pattern,
    static: set[Any],
    strict: bool = False,
    options: Options | None = None,
) -> Specialisation:
    """Trace a converted function for arguments like these.

    Args:
        function: the user's function.
        converted: the same, its constructs being calls of the front end's run-time functions.
        structure: of ``(args, kwargs)``.
        leaves: the leaves of the arguments.
        is_input: for each leaf, whether it is an input of the graph; the others are constants.
        pattern: which sizes of the arrays are symbols.
        static: attributes and items that are to be constants.
        strict: refuse what only Python can do.
        options: for the back end.
    """
    tracer = FunctionTracer()
    tracer.outside.static |= static
    stager = Stager(tracer)
    args, kwargs = _stand_ins(stager, structure, leaves, is_input, pattern)
    with interpreting(tracer), staging(stager):
        stager.enters(function)
        try:
            graph, result, changes = _staged(stager, converted, args, kwargs)
        except (StagingError, UnsupportedError) as error:
            raise _needs_values(tracer, leaves, is_input, error) from error
        finally:
            stager.put_back()
    in_place = {output: i for i, output in changes.arrays}
    executable, seconds = _compiled(graph, _readable(function), in_place, strict, options)
    guards = (*tracer.outside.guards, *stager.guards_of_entered(), *([ONCE] if tracer.is_single else []))
    lifted, written, followed = tuple(tracer.outside.lifted), tuple(in_place.values()), stager.progress.has_noted
    is_pure = not (lifted or written or changes.writes or followed or tracer.keeps_objects or tracer.is_identity_asked)
    shortcut = _shortcut(result, executable, leaves, is_input) if is_pure else None
    return Specialisation(
        graph,
        lifted,
        guards,
        result,
        written,
        _apart(graph, written),
        changes,
        followed,
        tracer.keeps_objects,
        executable,
        in_place,
        seconds,
        checker(guards),
        shortcut,
    )


def _stand_ins(stager: Stager, structure: Structure, leaves: Sequence[Any], is_input: Sequence[bool], pattern: Pattern) -> Any:
    """The arguments that the function is traced with, and the keyword arguments."""
    tracer = stager.tracer
    arguments = [
        tracer.lifted_input(_plain(x), *_kind(x), pattern.spec(i, spec_of(_plain(x)))) if given else x
        for i, (x, given) in enumerate(zip(leaves, is_input, strict=True))
    ]
    stager.progress.given = [a for a in arguments if isinstance(a, Traced)]
    made = unflatten_once(structure, arguments)
    for container in containers_of(made):
        tracer.outside.argument(container)
    for leaf in leaves:
        tracer.outside.met(leaf)
    return made


def _simplified(graph: Graph) -> Graph:
    made = simplify(graph)
    return verify(made) if config().verify else made


def _staged(stager: Stager, converted: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Graph, Part, Changes]:
    """The graph of a call, what is returned, and what is changed."""
    tracer = stager.tracer
    value, error = _run(stager, converted, args, kwargs)
    if tracer.refused:
        raise tracer.refused[-1]  # something in between took the refusal for an exception of the user's
    maker = stager.progress.maker()
    result = maker.part(value) if error is None else Thrown(maker.part(error), places_of(error.__traceback__))
    changes = stager.progress.changes(maker)
    return _simplified(tracer.root.graph(maker.operands)), result, changes


def _compiled(graph: Graph, name: str, in_place: dict[int, int], strict: bool, options: Options | None) -> tuple[Executable, float]:
    """The executable, and how many seconds it took to make it."""
    if strict:
        refuse_calls(graph)
    start = time.perf_counter()
    executable = compile(graph, name=name, in_place=in_place, options=options)
    seconds = time.perf_counter() - start
    if strict:
        refuse_kernels(executable.kernels)
    return executable, seconds


OVERLAP: Final = (
    "wanted arrays that don't share memory, since the function writes into one of them, received arrays that overlap: give it a copy of one"
)


def _apart(graph: Graph, written: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The pairs of arrays among the inputs one of which is written."""
    arrays = [i for i, value in enumerate(graph.inputs) if not value.spec.weak]
    return tuple((i, j) for i in written for j in arrays if j not in written or i < j)


ONCE = Guard(object, None, "a result that can't be made twice")
"""The guard of a trace that is good for one call, since its result holds an iterator or something like it."""


def _readable(function: Any) -> str:
    """A name for generated code."""
    name = getattr(function, "__name__", "")
    return name if name.isidentifier() else "f"


def _shortcut(result: Part, executable: Executable, leaves: Sequence[Any], is_input: Sequence[bool]) -> Shortcut | None:
    """The shortest way to run a trace that computes one array or number of arguments that are arrays, tensors and numbers."""
    if not isinstance(result, Output) or not all(is_input) or not all(type(x) in KEYS for x in leaves):
        return None
    return executable.shortcut([isinstance(x, Tensor) for x in leaves], result.is_array, result.is_tensor)


class NeedsValues(Exception):
    """Tracing needs numbers as they are.

    Attributes:
        leaves: their positions among the leaves of the arguments.
        outside: their places in objects outside.
    """

    def __init__(self, leaves: set[int], outside: set[Any]):
        self.leaves, self.outside = leaves, outside


def _needs_values(tracer: FunctionTracer, leaves: Sequence[Any], is_input: Sequence[bool], error: Exception) -> Exception:
    """The numbers on which the value depends that tracing asked for, or else all of them; the error itself if there are none."""
    positions = [i for i, given in enumerate(is_input) if given]
    numbers = [i for i, value in enumerate(tracer.root.inputs) if not value.spec.shape and not _is_array(i, positions, leaves)]
    wanted = set(numbers) & (tracer.roots(tracer.needed) if tracer.needed is not None else set())
    places = {i: tracer.outside.lifted[i - len(positions)].place for i in wanted or numbers if i >= len(positions)}
    inside = {positions[i] for i in wanted or numbers if i < len(positions)}
    outside = {place for place in places.values() if place is not None}
    return NeedsValues(inside, outside) if inside or outside else error


def _is_array(i: int, positions: Sequence[int], leaves: Sequence[Any]) -> bool:
    return i < len(positions) and isinstance(_plain(leaves[positions[i]]), np.ndarray)


def _run(stager: Stager, converted: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Any, Exception | None]:
    """What the function returns, or the exception that it always raises; neither if the graph raises."""
    try:
        return converted(*args, **kwargs), None
    except StagedRaise:
        return None, None
    except (StagingError, UnsupportedError):
        raise
    except Exception as error:
        stager.refuse_stand_ins(error)
        return None, error


def _plain(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def _kind(value: Any) -> tuple[bool, bool]:
    """Whether NumPy has a scalar here, and whether the function sees a tensor."""
    return not isinstance(_plain(value), np.ndarray), isinstance(value, Tensor)
