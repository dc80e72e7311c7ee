"""The rounds of a loop: finding what they carry, by tracing until nothing new turns up, and emitting the loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hybrid._util.tree import flatten
from hybrid.control.carry import Carry, filler
from hybrid.control.scope import RAISED, Scope, Variables
from hybrid.control.variant import alternatives, same_constant
from hybrid.core.cell import Cell, Slot
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.ir.builder import Builder
from hybrid.ir.graph import Value
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["Changing", "Rounds"]

MOST_ATTEMPTS = 12
MOST_KINDS = 6
INDEX = Spec.parse("int")
GO = Spec.parse("bool")


class Changing(BaseException):
    """What a loop carries is one number or array before the first round and another kind after it.

    No exception of the user's code: it passes through the scopes of branches.
    """


class Rounds:
    """One loop.

    Args:
        tracer: who traces.
        variables: what a round may change.
        one_round: traces a round, given the index of a ``for`` (``None`` for a ``while``); returns whether to go on: a traced
            bool, or a Python one.
        may_change: whether kinds may become variants; if not, numbers and arrays that change their kind raise ``Changing``.
        may_vary: whether they may be variants all the time; if not, those raise ``Changing`` too.
        guess: what an earlier attempt at the same loop found that it carries; a good guess saves rounds of tracing.
    """

    def __init__(
        self,
        tracer: Tracer,
        variables: Variables,
        one_round: Callable[[Any], Any],
        *,
        has_index: bool,
        may_change: bool = True,
        may_vary: bool = True,
        guess: Mapping[int, Carry] | None = None,
    ):
        self._tracer, self._variables, self._one_round = tracer, variables, one_round
        self._has_index, self._may_change = has_index, may_change
        self._start = tuple(variables.get())
        self._starts: dict[Slot, Any] = {}
        self._carried: dict[Any, Carry] = dict(guess or {})
        self._goes_on: Any = False
        self._stand_ins: dict[int, Any] = {}
        self._scope = self._settled()
        if not may_vary and any(sum(map(any, carry.leaves)) > 1 for carry in self._carried.values()):
            raise Changing

    @property
    def found(self) -> dict[int, Carry]:
        """What variables carry, as far as it says nothing about objects of this attempt: a guess for the next one."""
        return {i: carry for i, carry in self._carried.items() if isinstance(i, int) and carry.is_plain}

    def emit_while(self, go: Any) -> None:
        """Emit the loop that runs while ``go``, and leave its results in the variables."""
        operands = [self._tracer.operand(go), *self._operands()]
        test, body = Builder(), self._body(with_go=True)
        inputs = [test.input(value.spec) for value in body.inputs[: len(operands)]]
        captures = list(self._scope.builder.captured)
        attrs = {"test": _with_inputs(test, inputs[0], captures), "body": body, "carried": len(operands)}
        results = self._tracer.builder.emit(OPS["while_loop"], [*operands, *captures], attrs)
        self._leave(results[1:])

    def emit_for(self, start: Any, stop: Any, step: Any) -> None:
        """Emit the loop over a range, and leave its results in the variables."""
        tracer, operands = self._tracer, self._operands()
        exits = self._goes_on is not True
        attrs = {"body": self._body(with_go=exits), "carried": len(operands), "exits": exits}
        bounds = [tracer.operand(bound) for bound in (start, stop, step)]
        if not isinstance(step, int):
            tracer.may_fail_now()
        results = tracer.builder.emit(OPS["for_range"], [*bounds, *operands, *self._scope.builder.captured], attrs)
        self._leave(results)

    # -- finding what is carried ------------------------------------------------------------------------------------
    def _settled(self) -> Scope:
        for _ in range(MOST_ATTEMPTS):
            scope, carried = Scope(self._tracer, self._variables), self._carried
            with self._tracer.labelling() as labels:
                scope.run(lambda scope=scope: self._traced(scope))
                self._carried = self._grown(scope)
            if self._carried.keys() == carried.keys() and all(self._carried[k].same_as(carried[k]) for k in carried):
                self._tracer.labels[-1] = labels
                self._refuse_lost_writes(scope)
                return scope
        raise StagingError(f"a loop changes the kinds of its variables ({', '.join(self._variables.names)}) again and again")

    def _refuse_lost_writes(self, scope: Scope) -> None:
        """A variable that is an array from outside in some round, and another one in others, can't be written into in a loop."""
        outside = self._from_outside(scope)
        for key, value in self._stand_ins.items():
            if key in outside and any(isinstance(leaf, Traced) and leaf.is_written for leaf in _leaves(value)):
                name = self._variables.names[key]
                raise StagingError(f"wanted no write into {name} in a loop that makes {name} another array: give one of them another name")

    def _from_outside(self, scope: Scope) -> set[int]:
        """The variables that are arrays from outside before some round: at first, or since a round gives them one, or another's."""
        after = {key: list(_leaves((scope.state or self._start)[key])) for key in self._stand_ins}
        given = {key: [x for x in (*_leaves(self._start[key]), *after[key]) if not self._is_stand_in(x)] for key in after}
        found = {key for key, leaves in given.items() if any(map(self._tracer.is_from_outside, leaves))}
        while True:
            held = [x.storage for key in found for x in _leaves(self._stand_ins[key]) if isinstance(x, Traced)]
            more = {key for key in after if any(isinstance(x, Traced) and any(x.storage is h for h in held) for x in after[key])} - found
            if not more:
                return found
            found |= more

    def _is_stand_in(self, leaf: Any) -> bool:
        stand_ins = (x for value in self._stand_ins.values() for x in _leaves(value) if isinstance(x, Traced))
        return isinstance(leaf, Traced) and any(leaf.storage is x.storage for x in stand_ins)

    def _traced(self, scope: Scope) -> Any:
        """One round, on new stand-ins for all that is carried."""
        tracer, builder = self._tracer, scope.builder
        index = tracer.fresh(builder.input(INDEX), is_scalar=True) if self._has_index else builder.input(GO)
        state, self._stand_ins = list(self._start), {}
        for key, carry in self._carried.items():
            value = carry.rebuilt(tracer, iter([builder.input(spec) for spec in carry.specs]))
            if isinstance(key, int):
                state[key] = self._stand_ins[key] = value
            else:
                tracer.journal.note(key)
                key.restore(value.value if isinstance(key, Cell) else value)
        self._variables.set(state)
        self._goes_on = False
        self._goes_on = self._one_round(index if self._has_index else None)
        return None

    def _grown(self, scope: Scope) -> dict[Any, Carry]:
        """What must be carried, after what a round turned out to change."""
        if scope.signal is RAISED:
            return self._carried
        grown = dict(self._carried)
        for i, (before, after) in enumerate(zip(self._start, scope.state or (), strict=True)):
            if i in grown or not same_constant(before, after):
                grown[i] = self._met(scope, grown.get(i) or Carry.of(self._tracer, before), after)
        for slot, content in scope.changes.items():
            held = self._starts[slot] if slot in self._starts else self._content(slot, slot.read())
            self._starts[slot] = _started(slot, content, held)
            if self._starts[slot] is not held:
                grown[slot] = Carry.of(self._tracer, self._starts[slot])
                continue
            before, after = self._starts[slot], self._content(slot, content)
            grown[slot] = self._met(scope, grown.get(slot) or Carry.of(self._tracer, before), after)
        return grown

    def _met(self, scope: Scope, carry: Carry, after: Any) -> Carry:
        met = scope.within(lambda: carry.meets(self._tracer, after, self._tracer.names))
        if len(met.kinds) > MOST_KINDS:
            raise StagingError(f"a loop changes the kinds of its variables ({', '.join(self._variables.names)}) again and again")
        if len(met.kinds) > len(carry.kinds) and not self._may_change and all(any(leaves) for leaves in met.leaves):
            raise Changing
        return met

    def _content(self, slot: Slot, content: Any) -> Any:
        """A cell holds a value of the graph: a stand-in for it."""
        return self._tracer.fresh(content, is_scalar=content.spec.weak) if isinstance(slot, Cell) else content

    # -- emitting ---------------------------------------------------------------------------------------------------
    def _operands(self) -> list[Any]:
        """What the first round is given."""
        found: list[Any] = []
        for key, carry in self._carried.items():
            value = self._start[key] if isinstance(key, int) else self._starts[key]
            found += carry.operands(self._tracer, value)
        return found

    def _body(self, with_go: bool) -> Any:
        """The graph of a round."""
        scope, tracer = self._scope, self._tracer
        go = [scope.within(lambda: tracer.operand(self._goes_on))] if with_go else []
        after = self._fillers() if scope.signal is RAISED else self._after()
        outputs = [scope.builder.owned(o) for o in ([*after, *go] if self._has_index else [*go, *after])]
        return scope.builder.graph(outputs, list(scope.builder.captured))

    def _fillers(self) -> list[Any]:
        """What a round that always raises gives to the next, which there is not."""
        specs = [spec for carry in self._carried.values() for spec in carry.specs]
        return self._scope.within(lambda: [filler(self._tracer, spec) for spec in specs])

    def _after(self) -> list[Any]:
        """What a round gives to the next."""
        scope, found = self._scope, []
        for key, carry in self._carried.items():
            value = (scope.state or ())[key] if isinstance(key, int) else self._content(key, scope.changes.get(key, key.read()))
            found += scope.within(lambda carry=carry, value=value: carry.operands(self._tracer, value))
        return found

    def _leave(self, results: Sequence[Value]) -> None:
        """Give variables and slots what the loop leaves in them."""
        values, state = iter(results), list(self._start)
        for key, carry in self._carried.items():
            value = carry.rebuilt(self._tracer, values)
            if isinstance(key, int):
                state[key] = value
            else:
                self._tracer.journal.note(key)
                key.restore(value.value if isinstance(key, Cell) else value)
        self._variables.set(state)


def _leaves(value: Any) -> list[Any]:
    """All that a value may hold."""
    return [leaf for option in alternatives(value) for leaf in flatten(option)[0]]


def _started(slot: Slot, after: Any, before: Any) -> Any:
    """The content to start with, in the form that a round needs."""
    return before if isinstance(slot, Cell) else slot.generalised(before, after)


def _with_inputs(builder: Builder, output: Value, captures: Sequence[Value]) -> Any:
    """A graph that returns one of its inputs, and takes as many more as there are captures."""
    for capture in captures:
        builder.input(capture.spec)
    return builder.graph([output])
