"""``try`` while a function is traced: the state at each place where an exception may come is noted in the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hybrid.control.branches import stage_if
from hybrid.control.carry import Carry, filler
from hybrid.control.iteration import Hidden, follow
from hybrid.control.scope import RAISED, Scope, StagedRaise, Variables
from hybrid.control.variant import same_constant
from hybrid.core.cell import Cell, Slot
from hybrid.core.table import OPS
from hybrid.errors import StagingError

__all__ = ["Attempts", "Caught"]

MOST_ATTEMPTS = 8


class Caught:
    """The exception of an ``except … as``; what it holds only running tells."""

    def __init__(self, classes: tuple[type[BaseException], ...]):
        self.classes = classes


class Watched:
    """The body of a ``try`` being traced: what it changes, and the places where an exception may come."""

    def __init__(self, tracer: Any, variables: Variables, carried: dict[Any, Carry]):
        self.tracer, self.variables, self.carried = tracer, variables, carried
        self.start = tuple(variables.get())
        self.grown = dict(carried)
        self._last: tuple[Any, ...] | None = None

    def checkpoint(self) -> None:
        """Note the present state, unless it was noted already."""
        state = self.note(self.variables.get(), {})
        operands = tuple(o for value, carry in state for o in carry.operands(self.tracer, value))
        key = (self.tracer.builder, *operands)
        if key != self._last:
            self._last = key
            self.tracer.builder.emit(OPS["checkpoint"], operands, {})

    def note(self, state: Sequence[Any], changes: dict[Slot, Any]) -> list[tuple[Any, Carry]]:
        """What is carried now, after taking note of anything new that changed."""
        for i, (before, after) in enumerate(zip(self.start, state, strict=True)):
            if i in self.grown or not same_constant(before, after):
                self._meet(i, before, after)
        for slot in [*self.carried, *changes]:
            if isinstance(slot, Slot):
                self._meet(slot, self.content(slot, slot.read()), self.content(slot, changes.get(slot, slot.read())))
        return [(self._present(key, state, changes), carry) for key, carry in self.carried.items() if carry.same_as(self.grown[key])]

    def content(self, slot: Slot, content: Any) -> Any:
        """A cell holds a value of the graph: a stand-in for it."""
        return self.tracer.fresh(content, is_scalar=content.spec.weak) if isinstance(slot, Cell) else content

    def _meet(self, key: Any, before: Any, after: Any) -> None:
        carry = self.grown.get(key) or Carry.of(self.tracer, before)
        self.grown[key] = carry.meets(self.tracer, after, self.tracer.names)

    def _present(self, key: Any, state: Sequence[Any], changes: dict[Slot, Any]) -> Any:
        return state[key] if isinstance(key, int) else self.content(key, changes.get(key, key.read()))


class Attempts:
    """The part of the stager that catches exceptions."""

    tracer: Any

    def try_stmt(
        self, body: Any, handlers: Any, orelse: Any, final: Any, get_state: Any, set_state: Any, names: Any, *, rest: Any = None
    ) -> Any:
        """``try``."""
        variables = Variables(get_state, set_state, names)
        inner = lambda: self._handled(body, handlers, orelse, variables)  # noqa: E731
        signal = inner() if final is None else self._finished(inner, final, variables)
        return signal if rest is None else follow(self.tracer, signal, rest, variables)

    def _handled(self, body: Any, handlers: Any, orelse: Any, variables: Variables) -> Any:
        """The body and the handlers."""
        if not handlers:
            signal = body()
            return signal if orelse is None else follow(self.tracer, signal, orelse, variables)
        catches = tuple(_classes(classes) for classes, _ in handlers)
        code, signal = self._attempted(body, variables, catches)

        def handled(k: int) -> Any:
            handler = lambda: handlers[k][1](Caught(catches[k]))  # noqa: E731
            if k == len(handlers) - 1:
                return handler()
            return stage_if(self.tracer, code == k + 1, handler, lambda: handled(k + 1), variables)

        def passed() -> Any:
            return signal if orelse is None else follow(self.tracer, signal, orelse, variables)

        return stage_if(self.tracer, code == 0, passed, lambda: handled(0), variables)

    def _finished(self, inner: Callable[[], Any], final: Any, variables: Variables) -> Any:
        """What always comes last, whether there was an exception or not."""
        code, signal = self._attempted(inner, variables, ((BaseException,),))
        last = final()
        if last is not None:
            return last

        def again() -> None:
            OPS["reraise"]()
            raise StagedRaise

        return stage_if(self.tracer, code == 0, lambda: signal, again, variables)

    def _attempted(self, body: Callable[[], Any], variables: Variables, catches: tuple[Any, ...]) -> tuple[Any, Any]:
        """Emit the attempt; a traced number that is 0 or tells which handler, and the body's signal in case of 0."""
        hidden, carried = Hidden(variables), {}
        for _ in range(MOST_ATTEMPTS):
            scope, watched = self._watched(body, hidden, carried)
            same = watched.grown.keys() == carried.keys() and all(watched.grown[k].same_as(carried[k]) for k in carried)
            if same:
                return self._emit(scope, watched, hidden, catches)
            carried = watched.grown
        raise StagingError(f"the body of a try changes the kinds of its variables ({', '.join(variables.names)}) again and again")

    def _watched(self, body: Callable[[], Any], hidden: Hidden, carried: dict[Any, Carry]) -> tuple[Scope, Watched]:
        scope = Scope(self.tracer, hidden.variables)
        watched = Watched(self.tracer, hidden.variables, carried)

        def watching() -> None:
            self.tracer.watching.append(watched)
            try:
                watched.checkpoint()
                hidden.signal = body()
            finally:
                self.tracer.watching.pop()

        scope.run(watching)
        if scope.signal is not RAISED:
            scope.within(lambda: watched.note(scope.state or (), scope.changes))
        return scope, watched

    def _emit(self, scope: Scope, watched: Watched, hidden: Hidden, catches: tuple[Any, ...]) -> tuple[Any, Any]:
        tracer = self.tracer
        if scope.signal is RAISED:
            outputs = scope.within(lambda: [filler(tracer, spec) for carry in watched.carried.values() for spec in carry.specs])
        else:
            outputs = scope.within(
                lambda: [o for value, carry in watched.note(scope.state or (), scope.changes) for o in carry.operands(tracer, value)]
            )
        owned = [scope.builder.owned(o) for o in outputs]
        captures = list(scope.builder.captured)
        graph = scope.builder.graph(owned, captures)
        code, *values = tracer.builder.emit(OPS["attempt"], captures, {"body": graph, "catches": catches})
        results, state = iter(values), list(hidden.variables.get())
        for key, carry in watched.carried.items():
            value = carry.rebuilt(tracer, results)
            if isinstance(key, int):
                state[key] = value
            else:
                tracer.journal.note(key)
                key.restore(value.value if isinstance(key, Cell) else value)
        hidden.variables.set(state)
        return tracer.fresh(code, is_scalar=True), hidden.signal


def _classes(classes: Any) -> tuple[type[BaseException], ...]:
    found = BaseException if classes is None else classes()
    return found if isinstance(found, tuple) else (found,)
