"""Functions that call themselves as often as only running tells: they become graphs that call themselves."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from hybrid._util.tree import flatten, unflatten
from hybrid.control.call import Routine
from hybrid.control.carry import Carry
from hybrid.control.scope import RAISED, Scope, StagedRaise, Variables
from hybrid.control.variant import Variant, is_liftable
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.frontend.runtime.calls import plain_call
from hybrid.ir.traced import Traced

__all__ = ["Recursion"]

MOST_DEPTH = 40
"""Calls of one function inside each other that are traced one by one, as long as no run-time condition lies between them."""
MOST_ATTEMPTS = 6
NOTHING = Variables(lambda: (), lambda state: None, ())


class Recursive(BaseException):
    """Goes back to the outermost call of a function that turned out to call itself under a run-time condition."""

    def __init__(self, code: Any):
        self.code = code


class _Active:
    """A call of a function under way: the depth of tracing where it began and, for one being made a routine, that routine."""

    def __init__(self, depth: int):
        self.depth = depth
        self.building: _Building | None = None


class _Building:
    """A routine under construction.

    Attributes:
        routine: what calls name.
        result: how to carry what it returns; ``None`` as long as only the calls that end are known.
        calls: the operands of the calls, to be completed by what the routine captures.
    """

    def __init__(self, name: str, result: Carry | None):
        self.routine = Routine(name, tuple(result.specs) if result else ())
        self.result = result


class Recursion:
    """The calls of the user's functions that are under way."""

    def __init__(self, stager: Any):
        self._stager = stager
        self._active: dict[Any, list[_Active]] = {}

    def call(self, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of the user's."""
        stack = self._active.setdefault(plain.__code__, [])
        depth = self._stager.tracer.journal.depth
        if stack and stack[-1].building is not None:
            return self._call_again(stack[-1].building, plain, function, args, kwargs)
        if stack and (depth > stack[-1].depth or len(stack) > MOST_DEPTH) and _is_staged(args, kwargs):
            raise Recursive(plain.__code__)
        stack.append(_Active(depth))
        try:
            return plain_call(function, args, kwargs)
        except Recursive as signal:
            if signal.code is not plain.__code__ or len(stack) > 1:
                raise
            return self._as_routine(stack[-1], plain, function, args, kwargs)
        finally:
            stack.pop()

    def _as_routine(self, active: _Active, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Trace the function on stand-ins for its arguments, as a graph of its own, and call that."""
        tracer, result = self._stager.tracer, None
        leaves, structure = _bound(plain, function, args, kwargs)
        for _ in range(MOST_ATTEMPTS):
            building = active.building = _Building(plain.__name__, result)
            scope, value = self._traced(plain, function, leaves, structure)
            active.building = None
            if value is RAISED:
                raise StagingError(f"wanted a call of {plain.__name__} that returns, received only calls that go on")
            found = scope.within(lambda value=value: Carry.of(tracer, value))
            if result is not None and found.same_as(result):
                return self._emit(building, scope, value, found, leaves)
            result = found if result is None else scope.within(lambda value=value, r=result: r.meets(tracer, value, tracer.names))
        raise StagingError(f"wanted {plain.__name__} to return one kind of value, received several")

    def _traced(self, plain: Any, function: Any, leaves: Sequence[Any], structure: Any) -> tuple[Scope, Any]:
        tracer, box = self._stager.tracer, [RAISED]
        scope = Scope(tracer, NOTHING)

        def body() -> None:
            stand_ins = [tracer.fresh(scope.builder.input(tracer.operand(x).spec), *_flags(x)) if is_liftable(x) else x for x in leaves]
            arguments, keywords = unflatten(structure, stand_ins)
            box[0] = self._stager.settled(plain_call(plain, arguments, keywords))

        with self._stager.progress.paused():  # what was changed before is noted where the routine is called
            scope.run(body)
        if scope.changes:
            raise StagingError(f"wanted a recursive function that changes nothing outside of itself, received {plain.__name__}")
        return scope, box[0]

    def _emit(self, building: _Building, scope: Scope, value: Any, carry: Carry, leaves: Sequence[Any]) -> Any:
        """The graph of the routine, and the call of it."""
        tracer = self._stager.tracer
        outputs = [scope.builder.owned(o) for o in scope.within(lambda: carry.operands(tracer, value))]
        if scope.builder.captured:
            raise StagingError(f"wanted a recursive function that takes all arrays as arguments: {building.routine.name} uses others too")
        building.routine.graph = scope.builder.graph(outputs)
        operands = [tracer.operand(x) for x in leaves if is_liftable(x)]
        tracer.may_fail_now()
        results = tracer.builder.emit(OPS["call"], operands, {"routine": building.routine})
        return carry.rebuilt(tracer, iter(results))

    def _call_again(self, building: _Building, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call inside of the routine itself."""
        if building.result is None:
            raise StagedRaise
        tracer = self._stager.tracer
        leaves, _ = _bound(plain, function, args, kwargs)
        operands = [tracer.operand(x) for x in leaves if is_liftable(x)]
        results = tracer.builder.emit(OPS["call"], operands, {"routine": building.routine})
        return building.result.rebuilt(tracer, iter(results))


def _bound(plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Any]:
    """The leaves of all arguments, in the order of the parameters."""
    if function is not plain:
        args = (function.__self__, *args)
    bound = inspect.signature(plain).bind(*args, **kwargs)
    bound.apply_defaults()
    return flatten((bound.args, bound.kwargs))


def _is_staged(args: Any, kwargs: Any) -> bool:
    return any(isinstance(leaf, Traced | Variant) for leaf in flatten((args, kwargs))[0])


def _flags(leaf: Any) -> tuple[bool, bool]:
    return (leaf.is_scalar, leaf.is_tensor) if isinstance(leaf, Traced) else (True, False)
