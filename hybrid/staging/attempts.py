"""``try`` while a function is traced: the state at each place where an exception may come is noted in the graph."""

from __future__ import annotations

import copy
import dis
import functools
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, Final

import numpy as np

from hybrid.control.attempt import begin_handler, caught, end_handler
from hybrid.control.branches import go_on, stage_if
from hybrid.control.carry import Carry, filler
from hybrid.control.iteration import Hidden
from hybrid.control.scope import RAISED, Scope, StagedRaise, Variables
from hybrid.control.variant import Variant, same_constant
from hybrid.core.cell import Cell, Slot
from hybrid.core.table import OPS
from hybrid.errors import StagingError, UnsupportedError
from hybrid.frontend.runtime.blocks import catches
from hybrid.ir.fallible import may_fail
from hybrid.ir.traced import Traced
from hybrid.staging.opaque import Opaque
from hybrid.staging.seen import example_of, seen_type

__all__ = ["Attempts"]

MOST_ATTEMPTS = 20


class Watched:
    """The body of a ``try`` being traced: what it changes, and the places where an exception may come."""

    def __init__(self, tracer: Any, variables: Variables, carried: dict[Any, Carry]):
        self.tracer, self.variables, self.carried = tracer, variables, carried
        self.start = tuple(variables.get())
        self.grown = dict(carried)
        self._needed: dict[int, Carry] = {}
        self._last: tuple[Any, ...] | None = None

    def checkpoint(self) -> None:
        """Note the present state, unless it was noted already."""
        with self.tracer.unwatched():
            state = self.note(self.variables.get(), {})
            operands = tuple(o for value, carry in state for o in carry.operands(self.tracer, value))
        key = (self.tracer.builder, *operands)
        if key != self._last:
            self._last = key
            self.tracer.builder.emit(OPS["checkpoint"], operands, {})

    @property
    def needs_all(self) -> bool:
        """Whether all that is carried must be, each in all of its kinds."""
        numbers = [key for key in self.carried if isinstance(key, int)]
        return all(key in self._needed and set(self._needed[key].kinds) == set(self.carried[key].kinds) for key in numbers)

    def forget_last(self) -> None:
        """The last checkpoint may have been taken back."""
        self._last = None

    def note(self, state: Sequence[Any], changes: dict[Slot, Any]) -> list[tuple[Any, Carry]]:
        """What is carried now, after taking note of anything new that changed."""
        for i, (before, after) in enumerate(zip(self.start, state, strict=True)):
            if i in self.grown or not same_constant(before, after):
                self._meet(i, before, after)
            if i in self._needed or not same_constant(before, after):
                self._needed[i] = (self._needed.get(i) or Carry.of(self.tracer, before)).meets(self.tracer, after, self.tracer.names)
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
    """The part of the stager that catches exceptions.

    A body is first traced as it stands: if nothing in it can fail at run time, Python's own ``try`` has the exact meaning.
    Otherwise it is undone and becomes the graph of an attempt.
    """

    tracer: Any
    handling: list[Any]
    unsure: set[CodeType]
    settled_before: dict[CodeType, dict[Any, Carry]]

    def try_stmt(
        self, body: Any, handlers: Any, orelse: Any, final: Any, get_state: Any, set_state: Any, names: Any, *, rest: Any = None
    ) -> Any:
        """``try``."""
        variables = Variables(get_state, set_state, names)
        inner = lambda: self._handled(body, handlers, orelse, variables)  # noqa: E731
        signal = inner() if final is None else self._finished(inner, final, variables)
        return signal if rest is None else go_on(self.tracer, signal, rest, variables)

    def _handled(self, body: Any, handlers: Any, orelse: Any, variables: Variables) -> Any:
        """The body and the handlers."""
        if not handlers and has_groups(body.__code__):
            return self._in_groups(body, orelse, variables)
        if not handlers:
            signal = body()
            return signal if orelse is None else go_on(self.tracer, signal, orelse, variables)

        def handle(error: BaseException) -> Any:
            for classes, handler in handlers:
                if classes is None or catches(classes(), error):
                    return self._while_handling(None, lambda handler=handler: handler(error))
            raise

        outcome = self._as_it_stands(body, variables, handle, body.__code__)
        if outcome is UNSURE:
            return self._staged(body, handlers, orelse, variables)
        signal, is_done = outcome
        return signal if is_done or orelse is None else go_on(self.tracer, signal, orelse, variables)

    def _in_groups(self, body: Any, orelse: Any, variables: Variables) -> Any:
        """``except*``, which the body itself has: it must be known what happens."""
        mark = Mark(self.tracer, variables)
        try:
            signal = body()
        finally:
            is_certain = mark.is_certain
            mark.drop()
        if not is_certain:
            raise StagingError("wanted a body of try … except* in which nothing depends on run-time values: use except instead")
        return signal if orelse is None else go_on(self.tracer, signal, orelse, variables)

    def _as_it_stands(self, body: Any, variables: Variables, handle: Callable[[BaseException], Any], code: CodeType) -> Any:
        """Run a body that may raise while it is traced: the signal, and whether it was handled; ``UNSURE`` if only running tells.

        What turned out so once does so again when a ``try`` around it is traced once more.
        """
        if self.tracer.watching and code in self.unsure:
            return UNSURE
        outcome = self._tried(body, variables, handle)
        if outcome is UNSURE:
            self.unsure.add(code)
        return outcome

    def _tried(self, body: Any, variables: Variables, handle: Callable[[BaseException], Any]) -> Any:
        mark = Mark(self.tracer, variables)
        try:
            signal = body()
        except StagedRaise:
            mark.undo()
            return UNSURE
        except (StagingError, UnsupportedError):
            mark.drop()
            raise
        except Exception as error:
            if not mark.is_certain:
                mark.undo()
                return UNSURE
            mark.drop()
            self.refuse_stand_ins(error)  # type: ignore[attr-defined]
            return handle(error), True
        if not mark.is_certain:
            mark.undo()
            return UNSURE
        mark.drop()
        return signal, False

    def _staged(self, body: Any, handlers: Any, orelse: Any, variables: Variables) -> Any:
        """A body that may fail at run time."""
        found = tuple(_classes(self.tracer, classes) for classes, _ in handlers)
        if self.tracer.watching and BaseException not in found[-1]:
            # what passes these handlers reaches one outside, which must see what the variables held when it was raised
            found, handlers = (*found, (BaseException,)), (*handlers, (None, self.raise_stmt))  # type: ignore[attr-defined]
        code, signal = self._attempted(body, variables, found, body.__code__)

        def handled(k: int) -> Any:
            handler = lambda: self._handle_at_run(handlers[k][1])  # noqa: E731
            if k == len(handlers) - 1:
                return handler()
            return stage_if(self.tracer, code != k + 1, lambda: handled(k + 1), handler, variables)

        def passed() -> Any:
            return signal if orelse is None else go_on(self.tracer, signal, orelse, variables)

        return stage_if(self.tracer, code != 0, lambda: handled(0), passed, variables)

    def _handle_at_run(self, handler: Callable[[Any], Any]) -> Any:
        """A handler of an exception of the run."""
        error = self.host(caught, ())  # type: ignore[attr-defined]
        self.host_statement("begin handler", begin_handler, error)  # type: ignore[attr-defined]
        signal = self._while_handling(error, lambda: handler(error))
        self.host_statement("end handler", end_handler)  # type: ignore[attr-defined]
        return signal

    def _while_handling(self, error: Any, handler: Callable[[], Any]) -> Any:
        self.handling.append(error)
        try:
            return handler()
        finally:
            self.handling.pop()

    def reraise(self) -> None:
        """``raise`` on its own."""
        if self.handling and self.handling[-1] is not None:
            self.raise_stmt(self.handling[-1])  # type: ignore[attr-defined]
        raise

    def _finished(self, inner: Callable[[], Any], final: Any, variables: Variables) -> Any:
        """What always comes last, whether there was an exception or not."""

        def handle(error: BaseException) -> Any:
            return go_on(self.tracer, final(), lambda: _again(error), variables)

        outcome = self._as_it_stands(inner, variables, handle, final.__code__)
        if outcome is UNSURE:
            return self._finished_at_run(inner, final, variables)
        signal, is_done = outcome
        if is_done:
            return signal
        return go_on(self.tracer, final(), lambda: signal, variables)

    def _finished_at_run(self, inner: Callable[[], Any], final: Any, variables: Variables) -> Any:
        code, signal = self._attempted(inner, variables, ((BaseException,),), final.__code__)

        def fails() -> Any:
            def last(error: Any) -> Any:
                jump = final()
                return go_on(self.tracer, jump, lambda: self.raise_stmt(error), variables)  # type: ignore[attr-defined]

            return self._handle_at_run(last)

        def passes() -> Any:
            jump = final()
            return go_on(self.tracer, jump, lambda: signal, variables)

        return stage_if(self.tracer, code != 0, fails, passes, variables)

    # -- with -------------------------------------------------------------------------------------------------------
    def with_stmt(self, manager: Any, body: Any, get_state: Any, set_state: Any, names: Any, *, rest: Any = None) -> Any:
        """``with``."""
        if isinstance(manager, Variant):
            raise StagingError("wanted a context manager that is known, received one of several")
        if isinstance(manager, np.errstate):
            _refuse_raising(manager)
        variables = Variables(get_state, set_state, names)
        enter, leave = self._protocol(manager)
        value = enter()
        signal = self._guarded(lambda: body(value), leave, variables, body.__code__)
        return signal if rest is None else go_on(self.tracer, signal, rest, variables)

    def _protocol(self, manager: Any) -> tuple[Callable[[], Any], Callable[..., Any]]:
        """How to enter and leave a context manager."""
        if isinstance(manager, Opaque):
            enter = lambda: self.host(enter_manager, (manager,))  # type: ignore[attr-defined]  # noqa: E731
            return enter, lambda error: self.host(leave_manager, (manager, error))  # type: ignore[attr-defined]
        kind = seen_type(manager) if isinstance(manager, Traced) else type(manager)
        if not (hasattr(kind, "__enter__") and hasattr(kind, "__exit__")):
            with example_of(manager) if isinstance(manager, Traced) else manager:  # raises as it should
                pass
        enter = lambda: self.call(kind.__enter__, (manager,), {})  # type: ignore[attr-defined]  # noqa: E731

        def leave(error: Any) -> Any:
            kinds = (None, None, None) if error is None else (self.type_(error), error, _traceback(error))  # type: ignore[attr-defined]
            return self.call(kind.__exit__, (manager, *kinds), {})  # type: ignore[attr-defined]

        return enter, leave

    def _guarded(self, body: Callable[[], Any], leave: Callable[[Any], Any], variables: Variables, code_of_body: CodeType) -> Any:
        def handle(error: BaseException) -> Any:
            return self.if_stmt(leave(error), lambda: None, lambda: _again(error), *_of(variables))  # type: ignore[attr-defined]

        outcome = self._as_it_stands(body, variables, handle, code_of_body)
        if outcome is not UNSURE:
            signal, is_done = outcome
            if not is_done:
                leave(None)
            return signal
        code, signal = self._attempted(body, variables, ((BaseException,),), code_of_body)

        def passes() -> Any:
            leave(None)
            return signal

        def fails() -> Any:
            def last(error: Any) -> Any:
                return self.if_stmt(leave(error), lambda: None, lambda: self.raise_stmt(error), *_of(variables))  # type: ignore[attr-defined]

            return self._handle_at_run(last)

        return stage_if(self.tracer, code != 0, fails, passes, variables)

    # -- attempts at run time ---------------------------------------------------------------------------------------
    def _attempted(self, body: Callable[[], Any], variables: Variables, catches: tuple[Any, ...], code: CodeType) -> tuple[Any, Any]:
        """Emit the attempt; a traced number that is 0 or tells which handler, and the body's signal in case of 0."""
        hidden = Hidden(variables)
        carried = guess = self._guess(code, hidden.variables)
        for _ in range(MOST_ATTEMPTS):
            with self.tracer.labelling() as labels:
                scope, watched = self._watched(body, hidden, carried)
                same = watched.grown.keys() == carried.keys() and all(watched.grown[k].same_as(carried[k]) for k in carried)
                outputs = self._outputs(scope, watched) if same else []
            watched.carried = watched.grown
            if same and (carried is not guess or watched.needs_all):
                self.tracer.labels[-1] = labels
                self.settled_before[code] = carried
                return self._emit(scope, watched, hidden, catches, outputs)
            carried = watched.grown if carried is not guess or not guess else {}
        raise StagingError(f"the body of a try changes the kinds of its variables ({', '.join(variables.names)}) again and again")

    def _guess(self, code: CodeType, variables: Variables) -> dict[Any, Carry]:
        """What a body is likely to carry that was traced before, for a ``try`` around it: if it is right, one more time is enough."""
        before, state = self.settled_before.get(code, {}), variables.get()
        if not self.tracer.watching or not all(isinstance(key, int) or key.birth == 0 for key in before):
            return {}
        fits = (set(Carry.of(self.tracer, state[key]).kinds) <= set(carry.kinds) for key, carry in before.items() if isinstance(key, int))
        return dict(before) if all(fits) else {}

    def _watched(self, body: Callable[[], Any], hidden: Hidden, carried: dict[Any, Carry]) -> tuple[Scope, Watched]:
        scope = Scope(self.tracer, hidden.variables)
        watched = Watched(self.tracer, hidden.variables, carried)

        def watching() -> None:
            self.tracer.watching.append(watched)
            try:
                watched.checkpoint()
                hidden.signal = body()
            except (StagingError, UnsupportedError):
                raise
            except Exception:  # becomes an exception of the run, which leaves what there is now
                watched.checkpoint()
                raise
            finally:
                self.tracer.watching.pop()

        scope.run(watching)
        with self.tracer.unwatched():
            scope.within(lambda: watched.note(scope.state or (), scope.changes))
        return scope, watched

    def _outputs(self, scope: Scope, watched: Watched) -> list[Any]:
        """What the body leaves behind; anything, if it always raises."""
        tracer = self.tracer
        with tracer.unwatched():
            if scope.signal is RAISED:
                return scope.within(lambda: [filler(tracer, spec) for carry in watched.carried.values() for spec in carry.specs])
            return scope.within(
                lambda: [o for value, carry in watched.note(scope.state or (), scope.changes) for o in carry.operands(tracer, value)]
            )

    def _emit(self, scope: Scope, watched: Watched, hidden: Hidden, catches: tuple[Any, ...], outputs: list[Any]) -> tuple[Any, Any]:
        tracer = self.tracer
        owned = [scope.builder.owned(o) for o in outputs]
        captures = list(scope.builder.captured)
        graph = scope.builder.graph(owned, captures)
        tracer.keeps_objects = True
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


UNSURE: Final = object()
"""The outcome of a body that may fail at run time."""


class Mark:
    """A point of the trace to which it can go back."""

    def __init__(self, tracer: Any, variables: Variables):
        self._tracer, self._builder, self._variables = tracer, tracer.builder, variables
        self._count, self._refused = tracer.builder.count, len(tracer.refused)
        self._state = variables.get()
        self._saved = tracer.journal.save()

    @property
    def is_certain(self) -> bool:
        """Whether nothing that was written down since can fail."""
        return not any(may_fail(node) for node in self._builder.nodes_since(self._count))

    def drop(self) -> None:
        """Forget the point."""
        self._tracer.journal.drop(self._saved)

    def undo(self) -> None:
        """Go back."""
        self._tracer.journal.undo(self._saved)
        self._builder.forget_since(self._count)
        for watched in self._tracer.watching:
            watched.forget_last()
        del self._tracer.refused[self._refused :]
        self._variables.set(self._state)


def _refuse_raising(manager: np.errstate) -> None:
    """Compiled functions know no floating-point exceptions."""
    with copy.copy(manager):
        modes = np.geterr()
    if not set(modes.values()) <= {"ignore", "warn"}:
        raise StagingError(f"wanted np.errstate with 'ignore' or 'warn' in a compiled function, received {modes}: check with np.isfinite")


@functools.cache
def has_groups(code: CodeType) -> bool:
    """Whether code has ``except*``."""
    return any(instruction.opname == "CHECK_EG_MATCH" for instruction in dis.get_instructions(code))


def _of(variables: Variables) -> tuple[Any, Any, Any]:
    return variables.get, variables.set, variables.names


def _again(error: BaseException) -> None:
    raise error


def _traceback(error: Any) -> Any:
    return error.__traceback__ if isinstance(error, BaseException) else None


def enter_manager(manager: Any) -> Any:
    """What ``with manager`` gives its body."""
    return type(manager).__enter__(manager)


def leave_manager(manager: Any, error: BaseException | None) -> bool:
    """Whether a manager swallows the exception of its body."""
    if error is None:
        return bool(type(manager).__exit__(manager, None, None, None))
    return bool(type(manager).__exit__(manager, type(error), error, error.__traceback__))


def _classes(tracer: Any, classes: Any) -> tuple[type[BaseException], ...]:
    count = tracer.builder.count
    found = BaseException if classes is None else classes()
    if tracer.builder.count != count:
        raise StagingError("wanted exception classes after except whose evaluation does nothing else, around what only running tells")
    group = found if isinstance(found, tuple) else (found,)
    if not all(isinstance(cls, type) and issubclass(cls, BaseException) for cls in group):
        raise StagingError(f"wanted exception classes after except, received {found!r}")
    return group
