"""Functions that call themselves as often as only running tells: they become graphs that call themselves."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType, MethodType
from typing import Any, Final

from hybrid._util.tree import Structure
from hybrid.control.choice import NOTHING
from hybrid.control.variant import Variant, alternatives, is_liftable, kind_of, same_constant
from hybrid.errors import StagingError
from hybrid.frontend.runtime.calls import plain_call
from hybrid.ir.traced import Traced
from hybrid.staging.attempts import Mark
from hybrid.staging.opaque import Opaque
from hybrid.staging.routines import Making

__all__ = ["Recursion"]

MOST_DEPTH: Final = 40
"""Calls of one function inside each other that are traced one by one, as long as no run-time condition lies between them."""
MOST_CALLS: Final = 64
"""Calls of one function inside one of its calls that are traced one by one."""
MOST_FORMS: Final = 4
"""Calls inside each other whose arguments are of different kinds, before the kinds are taken for alternatives."""


class Recursive(BaseException):
    """Goes back to a call of a function that turned out to call itself as often as only running tells."""

    def __init__(self, active: _Active):
        self.active = active


class _Active:
    """A call of a function under way.

    Attributes:
        depth: of tracing, where it began.
        frames: the number of calls under way around it.
        calls: the number of calls of the same function inside it.
        making: builds its graph, if it is to be one.
    """

    def __init__(self, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], depth: int, frames: int):
        self.plain, self.depth, self.frames, self.calls = plain, depth, frames, 0
        self._call = plain, function, args, kwargs
        self._bound: Any = None
        self.making: Making | None = None

    @property
    def bound(self) -> tuple[list[Any], Structure, tuple[str, ...]]:
        """The leaves of all arguments in the order of the parameters, their structure, and the names of those by keyword."""
        if self._bound is None:
            self._bound = _bound(*self._call)
        return self._bound


class Recursion:
    """The calls of the user's functions that are under way.

    Attributes:
        unknown: graphs that were called when it wasn't known yet what they return.
    """

    def __init__(self, stager: Any):
        self._stager = stager
        self._active: dict[Any, list[_Active]] = {}
        self._frames = 0
        self.unknown: list[Making] = []

    def call(self, plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of the user's."""
        stack = self._active.setdefault(plain.__code__, [])
        new = _Active(plain, function, args, kwargs, self._stager.tracer.journal.depth, self._frames)
        known = _like(new, stack) if stack and _fits(plain, function, args, kwargs) else None
        if known is not None and known.making is not None:
            return known.making.call(new.bound[0], self._frames - known.frames)
        if known is not None:
            known.calls += 1
            if new.depth > known.depth or ((len(stack) > MOST_DEPTH or known.calls > MOST_CALLS) and _is_staged(new.bound[0])):
                raise Recursive(known)
        elif len(stack) > MOST_DEPTH:
            raise StagingError(f"wanted calls of {plain.__name__} on the same objects and texts again, received new ones in each call")
        return self._traced(new, stack, function, args, kwargs)

    def _traced(self, new: _Active, stack: list[_Active], function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call, traced where it stands; as a graph of its own, if it turns out to need one."""
        mark = Mark(self._stager.tracer, NOTHING)
        stack.append(new)
        self._frames += 1
        try:
            return plain_call(function, args, kwargs)
        except Recursive as signal:
            if signal.active is not new:
                raise
            mark.undo()
            new.making = Making(self._stager, new.plain, *new.bound)
            return new.making.run()
        finally:
            mark.drop()
            self._frames -= 1
            stack.pop()


def _like(new: _Active, stack: Sequence[_Active]) -> _Active | None:
    """The innermost call under way that one graph can stand for together with a new one."""
    fitting = [a for a in reversed(stack) if _same_closure(a.plain, new.plain) and a.bound[1:] == new.bound[1:]]
    for is_exact in (True, False) if len(stack) >= MOST_FORMS else (True,):
        for active in fitting:
            if all(_alike(a, b, is_exact) for a, b in zip(active.bound[0], new.bound[0], strict=True)):
                return active
    return None


def _same_closure(a: Any, b: Any) -> bool:
    pairs = zip(a.__closure__ or (), b.__closure__ or (), strict=True)
    return a is b or all(x is y or _contents_same(x, y) for x, y in pairs)


def _contents_same(a: Any, b: Any) -> bool:
    try:
        return a.cell_contents is b.cell_contents
    except ValueError:
        return False


def _alike(a: Any, b: Any, is_exact: bool) -> bool:
    """Whether two arguments can be values of one input of a graph; ``is_exact``: of one kind."""
    if a is b or (isinstance(a, list) and isinstance(b, list)):
        return True
    if _is_value(a) and _is_value(b):
        return not is_exact or set(map(kind_of, alternatives(a))) == set(map(kind_of, alternatives(b)))
    if isinstance(a, FunctionType) and isinstance(b, FunctionType) and a.__code__ is b.__code__:
        return _same_closure(a, b)
    return same_constant(a, b) or (not is_exact and all(x is None or _is_value(x) for x in (a, b)))


def _is_value(leaf: Any) -> bool:
    return is_liftable(leaf) or isinstance(leaf, Opaque | Variant)


def _with_owner(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments as the plain function gets them: a bound method's owner first."""
    return (function.__self__, *args) if isinstance(function, MethodType) else args


def _fits(plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the function takes the arguments; if not, calling it says so."""
    try:
        _signature(plain).bind(*_with_owner(function, args), **kwargs)
    except TypeError:
        return False
    return True


def _signature(plain: Any) -> inspect.Signature:
    return inspect.signature(plain, follow_wrapped=False)


def _bound(plain: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Structure, tuple[str, ...]]:
    bound = _signature(plain).bind(*_with_owner(function, args), **kwargs)
    bound.apply_defaults()
    leaves: list[Any] = []
    structure = _split((bound.args, tuple(bound.kwargs.values())), leaves)
    return leaves, structure, tuple(bound.kwargs)


def _split(value: Any, leaves: list[Any]) -> Structure:
    """Take tuples apart; whatever can change is a leaf."""
    if not isinstance(value, tuple):
        leaves.append(value)
        return Structure(None)
    return Structure(type(value), (), tuple(_split(item, leaves) for item in value))


def _is_staged(leaves: Sequence[Any]) -> bool:
    return any(isinstance(leaf, Traced | Variant | Opaque) for leaf in leaves)
