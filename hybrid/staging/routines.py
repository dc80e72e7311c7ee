"""Making a graph that calls itself: what it is given, what it changes and what it returns is found by tracing it again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass
from types import FunctionType
from typing import Any, Final

import numpy as np

from hybrid._util.tree import Leaf, Structure, flatten, unflatten
from hybrid.control._infer import joined
from hybrid.control.call import Routine
from hybrid.control.carry import Carry, filler, flags
from hybrid.control.choice import NOTHING, without_undefined
from hybrid.control.scope import RAISED, Scope, StagedRaise
from hybrid.control.variant import Variant, alternatives, is_liftable
from hybrid.core.cell import Cell, OneOf, Slot, roots
from hybrid.core.dim import symbols_of, unknown
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.errors import StagingError
from hybrid.frontend.runtime.calls import plain_call
from hybrid.ir.fallible import may_fail
from hybrid.ir.graph import Value
from hybrid.ir.traced import Traced
from hybrid.staging.lists import Rows
from hybrid.staging.opaque import Opaque
from hybrid.staging.text import Text

__all__ = ["Making"]

MOST_ATTEMPTS: Final = 24
MOST_KINDS: Final = 6


class Grown(BaseException):
    """Goes back to the making of a routine that turned out to be given something new."""

    def __init__(self, making: Making):
        self.making = making


class _Known:
    """Stands for an argument among what is returned, or for an object of which only the identity matters."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any):
        self.thing = thing


@dataclass(frozen=True)
class _List:
    """A list that is passed by its content.

    Attributes:
        content: a tuple of items, rows, an object of the run, or one of several of these.
    """

    content: Any


@dataclass(frozen=True)
class _Dict:
    """A dict or set that is passed by its content, an object of the run."""

    content: Any
    kind: type = field(metadata={"static": True})


class Making:
    """A routine under construction.

    Each attempt traces the function on stand-ins for what is known so far. It is done when nothing new turns up.

    Attributes:
        carries: for each argument how it is given.
        state: what is changed outside, and how that is given and returned.
        captured: values from around that are used.
        written: the arguments that are changed.
        result: how what it returns is returned; ``None`` as long as no way to return is known.
        never: it doesn't return, but raises or goes on for ever.
    """

    def __init__(self, stager: Any, plain: Any, leaves: list[Any], structure: Structure, keywords: tuple[str, ...]):
        self._stager, self._tracer, self._plain = stager, stager.tracer, plain
        self._leaves, self._structure, self._keywords = leaves, structure, keywords
        self._identities: dict[int, _Known] = {}
        self._by_content: set[int] = set()
        self.carries: list[Carry] = [Carry.of(self._tracer, self._packed(i, leaf)) for i, leaf in enumerate(leaves)]
        self.state: dict[Slot, Carry] = {}
        self._starts: dict[Slot, Any] = {}
        self._changed: set[Slot] = set()
        self.captured: list[Value] = []
        self.written: set[int] = set()
        self.result: Carry | None = None
        self.never = False
        self._shares = False
        self._asked = 0
        self._given: list[Any] = []
        self._arguments = tuple(_Known(i) for i in range(len(leaves)))
        self._can_fail = True
        self._results: list[Spec] = []
        self._routine: Routine | None = None

    # -- attempts ---------------------------------------------------------------------------------------------------
    def run(self) -> Any:
        """Make the routine, and call it."""
        tracer, was_same = self._tracer, False
        for _ in range(MOST_ATTEMPTS):
            before = self._knowledge()
            with tracer.labelling() as labels:
                try:
                    scope, value = self._attempt()
                except Grown as signal:
                    if signal.making is not self:
                        raise
                    continue
                unsure = self._learn(scope, value)
            is_same = _same(before, self._knowledge())
            if is_same and (was_same or not unsure) and (self.result is not None or self.never):
                tracer.labels[-1] = labels
                return self._emit(scope, value)
            was_same = is_same
        raise StagingError(f"wanted {self._plain.__name__} to take and return few kinds of values, received more with each call")

    def _knowledge(self) -> tuple[Any, ...]:
        carries = [*self.carries, *self.state.values(), *([] if self.result is None else [self.result])]
        return (
            carries,
            list(self.state),
            list(self.captured),
            set(self.written),
            self.never,
            self.result is None,
            set(self._by_content),
            list(self._results),
        )

    def _attempt(self) -> tuple[Scope, Any]:
        tracer, box = self._tracer, [RAISED]
        scope = Scope(tracer, NOTHING)
        inputs = [spec for carry in [*self.carries, *self.state.values()] for spec in carry.specs]
        specs = (*inputs, *(value.spec for value in self.captured))
        self._routine = Routine(self._plain.__name__, tuple(self._results), specs)
        self._asked = len(self._stager.recursion.unknown)

        def body() -> None:
            values = [scope.builder.input(spec) for spec in inputs]
            stand_ins = self._stand_ins(iter(values))
            for value in self.captured:
                scope.builder.own(value)
            args, kwargs = unflatten(self._structure, stand_ins)
            returned = plain_call(self._plain, args, dict(zip(self._keywords, kwargs, strict=True)))
            box[0] = without_undefined(returned)

        handling, self._stager.handling = self._stager.handling, []
        try:
            with tracer.unwatched(), self._stager.progress.paused():  # what was changed before is noted where the routine is called
                scope.run(body)
        finally:
            self._stager.handling = handling
        return scope, RAISED if scope.signal is RAISED else box[0]

    def _specs_out(self) -> list[Any]:
        written = [spec for i in sorted(self.written) for spec in self.carries[i].specs]
        state = [spec for carry in self.state.values() for spec in carry.specs]
        return [*(self.result.specs if self.result else []), *state, *written]

    def _stand_ins(self, values: Iterator[Value]) -> list[Any]:
        """What stands for the arguments; the state is put where it belongs."""
        tracer, found = self._tracer, []
        self._given = []
        for i, carry in enumerate(self.carries):
            given = carry.rebuilt(tracer, values)
            self._given.append(given)
            found.append(self._unpacked(given, self._leaves) if i not in self._by_content else self._new_list(given))
        self._stand_in_leaves = found
        self._before = [leaf.value if _is_array(leaf) else None for leaf in found]
        for slot, carry in self.state.items():
            self._set(slot, carry.rebuilt(tracer, values))
        return found

    def _new_list(self, given: Any) -> list[Any]:
        """A list for content that is given."""
        made: list[Any] = []
        self._stager.lists.become(made, _content_of(given))
        return made

    def _set(self, slot: Slot, value: Any) -> None:
        self._tracer.journal.note(slot)
        slot.restore(value.value if isinstance(slot, Cell) else value)

    # -- learning ---------------------------------------------------------------------------------------------------
    def _learn(self, scope: Scope, value: Any) -> bool:
        """Take note of what an attempt showed; whether some change may belong to something outside or not."""
        tracer = self._tracer
        self._can_fail = any(map(may_fail, scope.builder.nodes_since(0)))
        self.captured = list(dict.fromkeys([*self.captured, *scope.builder.captured]))
        if value is RAISED:
            if any(making is not self for making in self._stager.recursion.unknown[self._asked :]):
                raise StagedRaise  # what those return decides
            self.never = self.result is None
            self._learn_specs(scope, value)
            return False
        self.never = False
        changed = set(scope.changes)
        for slot, content in scope.changes.items():
            if slot in self.state or slot in self._changed:
                self._grow_state(scope, slot, content)
        unsure = not changed <= set(self.state)
        self._changed = changed
        self.written |= set(scope.within(lambda: list(self._written_now())))
        packed = scope.within(lambda: self._packed_result(value, scope))
        found = scope.within(lambda: Carry.of(tracer, packed))
        if self.result is None:
            self.result = found
        else:
            self.result = self._met(scope, self.result, packed)
        self._learn_specs(scope, value)
        return unsure

    def _learn_specs(self, scope: Scope, value: Any) -> None:
        """What is known of the results: sizes in terms of those of the inputs, or none, where calls differ."""
        assert self._routine is not None and self._routine.inputs is not None
        known = {str(dim) for spec in self._routine.inputs for dim in spec.shape}
        found = [_in_terms(o.spec, known, i) for i, o in enumerate(scope.within(lambda: self._outputs(scope, value)))]
        is_alike = len(found) == len(self._results) and all(map(_is_like, found, self._results))
        self._results = [joined(a, b, str(i)) for i, (a, b) in enumerate(zip(found, self._results, strict=True))] if is_alike else found

    def _grow_state(self, scope: Scope, slot: Slot, content: Any) -> None:
        held = self._starts[slot] if slot in self._starts else self._content(slot, slot.read())
        start = held if isinstance(slot, Cell) else slot.generalised(held, content)
        self._starts[slot] = start
        carry = self.state.get(slot)
        if start is not held or carry is None:
            carry = Carry.of(self._tracer, start)
        self.state[slot] = self._met(scope, carry, self._content(slot, content))

    def _met(self, scope: Scope, carry: Carry, value: Any) -> Carry:
        met = scope.within(lambda: carry.meets(self._tracer, value, self._tracer.names))
        return self._checked(met)

    def _checked(self, carry: Carry) -> Carry:
        if len(carry.kinds) > MOST_KINDS:
            raise StagingError(f"wanted {self._plain.__name__} to take and return few kinds of values, received more with each call")
        return carry

    def _content(self, slot: Slot, content: Any) -> Any:
        """A cell holds a value of the graph: a stand-in for it."""
        return self._tracer.fresh(content, is_scalar=content.spec.weak) if isinstance(slot, Cell) else content

    def _written_now(self) -> Iterator[int]:
        """The arguments that the attempt changed."""
        for i, (leaf, before) in enumerate(zip(self._stand_in_leaves, self._before, strict=True)):
            if _is_array(leaf) and leaf.value is not before:
                yield i
            elif isinstance(leaf, Variant) and any(_is_array(o) and o.is_written for o in leaf.options):
                raise StagingError(f"wanted an array that {self._plain.__name__} writes to be of one kind, received one of several")
            elif i in self._by_content and self._list_content(leaf) is not _content_of(self._given[i]):
                yield i

    # -- what is passed ---------------------------------------------------------------------------------------------
    def _packed(self, i: int, leaf: Any) -> Any:
        """An argument as it is carried."""
        if isinstance(leaf, list) and i in self._by_content:
            return _List(self._list_content(leaf, self._rows_of(i)))
        return self._known(leaf) if _is_identity(leaf) else leaf

    def _known(self, thing: Any) -> _Known:
        return self._identities.setdefault(id(thing), _Known(thing))

    def _rows_of(self, i: int) -> Any:
        """The rows among what an argument is known to be."""
        content = _content_of(self._given[i]) if self._given else None
        return next((option for option in alternatives(content) if isinstance(option, Rows)), None)

    def _list_content(self, owner: list[Any], like: Any = None) -> Any:
        """What a list holds: rows, where it can be."""
        content = self._stager.lists.content(owner)
        if content is not None:
            return content
        items = tuple(owner)
        if items and Rows.can_hold(items):
            return Rows.of(items, items[-1])
        return Rows.of((), like.example) if not items and like is not None else items

    def _packed_result(self, value: Any, scope: Scope) -> Any:
        """What is returned, as it is carried: arguments and objects from outside by identity, other lists by content."""
        if isinstance(value, Variant):
            return Variant(value.tag, tuple(self._packed_result(option, scope) for option in value.options))
        if isinstance(value, Traced) or is_liftable(value):
            given = self._argument_of(value)
            self._shares |= given is None and _is_array(value) and self._is_outer(value)
            return given or value
        if isinstance(value, list | dict | set):
            return self._packed_container(value, scope)
        if type(value) is tuple:
            return tuple(self._packed_result(item, scope) for item in value)
        return value

    def _packed_container(self, value: Any, scope: Scope) -> Any:
        for leaf, given in zip(self._stand_in_leaves, self._arguments, strict=True):
            if leaf is value:
                return given
        if any(getattr(slot, "owner", None) is value for slot in self.state) or self._tracer.outside.is_outside(value):
            return self._known(value)
        if isinstance(value, list):
            content = self._stager.lists.content(value)
            return [self._packed_result(item, scope) for item in value] if content is None else _List(content)
        content = self._stager.dicts.content(value)
        if content is not None:
            return _Dict(content, type(value))
        return {key: self._packed_result(item, scope) for key, item in value.items()} if isinstance(value, dict) else value

    def _argument_of(self, value: Any) -> _Known | None:
        """Which argument an array is, if it is one."""
        if not _is_array(value):
            return None
        for leaf, given in zip(self._stand_in_leaves, self._arguments, strict=True):
            if _is_array(leaf) and leaf.storage is value.storage:
                return given
        return None

    def _is_outer(self, value: Any) -> bool:
        """Whether an array may share memory with an argument or with something outside."""
        mine = [roots(leaf.storage) for leaf in self._stand_in_leaves if isinstance(leaf, Traced)]
        depth = self._tracer.journal.depth
        return any(cell.birth < depth or any(cell in m for m in mine) for cell in roots(self._tracer.stand_in(value).storage))

    def _unpacked(self, value: Any, leaves: Sequence[Any]) -> Any:
        """What a caller gets."""
        if isinstance(value, Variant):
            return Variant(value.tag, tuple(self._unpacked(option, leaves) for option in value.options))
        if isinstance(value, _Known):
            return leaves[value.thing] if any(value is given for given in self._arguments) else value.thing
        if isinstance(value, _List):
            return self._new_list(value)
        if isinstance(value, _Dict):
            made: Any = value.kind()
            self._stager.dicts.become(made, value.content)
            return made
        if type(value) in (tuple, list):
            return type(value)(self._unpacked(item, leaves) for item in value)
        return {key: self._unpacked(item, leaves) for key, item in value.items()} if type(value) is dict else value

    # -- calls ------------------------------------------------------------------------------------------------------
    def call(self, leaves: Sequence[Any], frames: int) -> Any:
        """A call inside of the routine itself; ``frames``: how many calls of Python's it stands for."""
        if self.result is None and not self.never:
            self._stager.recursion.unknown.append(self)
            raise StagedRaise
        return self._called(leaves, frames)

    def _called(self, leaves: Sequence[Any], frames: int) -> Any:
        tracer = self._tracer
        if tracer.watching:
            self._refuse_watching()
            tracer.watching[-1].checkpoint()
        tracer.may_fail_now()
        operands = [*self._operands(leaves), *self.captured]
        self._refuse_shared(leaves)
        attrs = {"routine": self._routine, "frames": frames}
        results = iter(tracer.builder.emit(OPS["call"], operands, attrs, tracer.location()))
        if self.result is None:
            raise StagedRaise
        result = self.result.rebuilt(tracer, results)
        for slot, carry in self.state.items():
            self._set(slot, carry.rebuilt(tracer, results))
        for i in sorted(self.written):
            self._write(leaves[i], self.carries[i].rebuilt(tracer, results))
        return self._unpacked(self._sharing(result, leaves), leaves)

    def _write(self, leaf: Any, value: Any) -> None:
        """Give an argument what it holds after the call."""
        if isinstance(leaf, list):
            self._stager.lists.slot(leaf).write(_content_of(value))
        else:
            self._tracer.stand_in(leaf).storage.write(value.value)

    def _operands(self, leaves: Sequence[Any]) -> list[Any]:
        tracer, found = self._tracer, []
        for i, leaf in enumerate(leaves):
            if (
                isinstance(leaf, list)
                and leaf is not self._stand_in_leaves[i]
                and leaf is not self._leaves[i]
                and i not in self._by_content
            ):
                self._by_content.add(i)
                self.carries[i] = Carry.of(tracer, self._packed(i, leaf))
                raise Grown(self)
            packed = self._packed(i, leaf)
            met = self._checked(self.carries[i].meets(tracer, packed, tracer.names))
            if not met.same_as(self.carries[i]):
                self.carries[i] = met
                raise Grown(self)
            found += met.operands(tracer, packed)
        for slot, carry in self.state.items():
            found += self._state_operands(slot, carry)
        return found

    def _state_operands(self, slot: Slot, carry: Carry) -> list[Any]:
        content = slot.read()
        if not isinstance(slot, Cell) and not isinstance(content, Variant):
            content = slot.generalised(content, self._starts[slot])
        value = self._content(slot, content)
        met = self._checked(carry.meets(self._tracer, value, self._tracer.names))
        if not met.same_as(carry):
            self.state[slot] = met
            raise Grown(self)
        return met.operands(self._tracer, value)

    def _refuse_watching(self) -> None:
        """An exception of the call would hide what the call had changed until then."""
        if self._can_fail and (self.state or self.written):
            raise StagingError(f"wanted a call of {self._plain.__name__} outside of try: it changes something, and calls itself")

    def _refuse_shared(self, leaves: Sequence[Any]) -> None:
        """Arrays that are changed must not be seen under another name."""
        if not self.written:
            return
        memory = [roots(self._tracer.stand_in(leaf).storage) if _is_array(leaf) else frozenset() for leaf in leaves]
        others = {root for root in self.state if isinstance(root, Cell)}
        for i in self.written:
            seen = others.union(*(m for j, m in enumerate(memory) if j != i))
            if not memory[i].isdisjoint(seen) or any(cell.read() in self.captured for cell in memory[i]):
                raise StagingError(f"wanted arrays that share no memory for {self._plain.__name__}, which changes them and calls itself")

    def _sharing(self, result: Any, leaves: Sequence[Any]) -> Any:
        """Mark arrays that may be views of others."""
        if not self._shares:
            return result
        arrays = [self._tracer.stand_in(leaf).storage for leaf in leaves if _is_array(leaf)]
        return self._marked(result, [*arrays, *(slot for slot in self.state if isinstance(slot, Cell))])

    def _marked(self, value: Any, others: Sequence[Any]) -> Any:
        if isinstance(value, Variant):
            return Variant(value.tag, tuple(self._marked(option, others) for option in value.options))
        found, structure = flatten(value)
        made = [Traced(self._tracer, OneOf(x.storage, others), None, False, x.is_tensor) if _is_array(x) else x for x in found]
        return unflatten(structure, made)

    # -- the end ----------------------------------------------------------------------------------------------------
    def _emit(self, scope: Scope, value: Any) -> Any:
        """The graph of the routine, and the call of it."""
        outputs = [scope.builder.owned(o) for o in scope.within(lambda: self._outputs(scope, value))]
        routine = self._routine
        assert routine is not None
        routine.graph = scope.builder.graph(outputs, self.captured)
        return self._called(self._leaves, 1)

    def _outputs(self, scope: Scope, value: Any) -> list[Any]:
        tracer = self._tracer
        if value is RAISED:
            return [filler(tracer, spec, may_capture=False) for spec in self._specs_out()]
        assert self.result is not None
        found = self.result.operands(tracer, self._packed_result(value, scope), may_capture=False)
        for slot, carry in self.state.items():
            found += carry.operands(tracer, self._content(slot, slot.read()), may_capture=False)
        for i in sorted(self.written):
            leaf = self._stand_in_leaves[i]
            now = _List(self._list_content(leaf, self._rows_of(i))) if isinstance(leaf, list) else tracer.fresh(leaf.value, *flags(leaf))
            found += self.carries[i].operands(tracer, now, may_capture=False)
        return found


def _same(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    return (
        before[1:] == after[1:] and len(before[0]) == len(after[0]) and all(a.same_as(b) for a, b in zip(before[0], after[0], strict=True))
    )


def _is_like(a: Spec, b: Spec) -> bool:
    return (a.dtype, a.ndim, a.weak) == (b.dtype, b.ndim, b.weak)


def _in_terms(spec: Spec, known: set[str], i: int) -> Spec:
    """A spec without the sizes that nothing known tells."""
    dims = (dim if symbols_of(dim) <= known else unknown(f"{i}_{axis}") for axis, dim in enumerate(spec.shape))
    return Spec(spec.dtype, tuple(dims), spec.weak)


def _content_of(given: Any) -> Any:
    """The content of a list that is passed by it: one of several, where the list is."""
    if isinstance(given, Variant):
        return Variant(given.tag, tuple(map(_content_of, given.options)))
    return given.content if isinstance(given, _List) else given


def _is_array(leaf: Any) -> bool:
    """Whether an argument is memory that can be written."""
    if isinstance(leaf, Traced):
        return not leaf.is_scalar and not leaf.spec.weak
    return isinstance(leaf, np.ndarray | Eager)


def _is_identity(leaf: Any) -> bool:
    """Whether only the identity of an argument counts."""
    if isinstance(leaf, Variant | Opaque | Text | FunctionType | type | Leaf) or is_liftable(leaf):
        return False
    return isinstance(leaf, list | dict | set) or hasattr(leaf, "__dict__") or is_dataclass(leaf)
