"""What two branches leave behind, made one: equal things stay, numbers and arrays become results, the rest becomes a variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hybrid._util.tree import flatten, unflatten
from hybrid.control.carry import filler, flags
from hybrid.control.scope import RAISED, Scope
from hybrid.control.variant import Kind, Variant, alternatives, chosen, kind_of, same_constant
from hybrid.core.cell import Cell, OneOf, Slot, root
from hybrid.core.table import OPS
from hybrid.ir.graph import Const, Value
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["branch"]


def branch(tracer: Tracer, pred: Any, arms: Sequence[Scope]) -> Any:
    """Emit the branch over two scopes, leave its results in the variables and slots, and return the joined signal."""
    alive = [arm for arm in arms if arm.signal is not RAISED]
    join = _Join(tracer, arms)
    signal: Any = RAISED if not alive else join.plan([arm.signal for arm in alive])
    slots = list(dict.fromkeys(slot for arm in alive for slot in arm.changes))
    contents = [join.plan_slot(slot, [arm.changes.get(slot, slot.read()) for arm in alive]) for slot in slots]
    states = [join.plan(values) for values in zip(*(arm.state or () for arm in alive), strict=True)]
    results = iter(join.emit(pred))
    if not alive:
        return RAISED
    signal = signal(results)
    for slot, rebuild in zip(slots, contents, strict=True):
        tracer.journal.note(slot)
        slot.restore(rebuild(results))
    arms[0].variables.set([rebuild(results) for rebuild in states])
    return signal


Rebuild = Callable[[Iterator[Any]], Any]


class _Join:
    """Collects, for each arm, what its graph must return; every plan says how to make one value of the results."""

    def __init__(self, tracer: Tracer, arms: Sequence[Scope]):
        self._tracer, self._arms = tracer, arms
        self._alive = [i for i, arm in enumerate(arms) if arm.signal is not RAISED]
        self._outputs: list[list[Any]] = [[] for _ in arms]
        self._shared: dict[tuple[int, ...], Traced] = {}
        self._leaves: dict[tuple[int, ...], Rebuild] = {}
        self._planned: dict[tuple[int, ...], tuple[Rebuild, Sequence[Any]]] = {}

    def emit(self, pred: Any) -> tuple[Value, ...]:
        """The branch over the graphs of the arms."""
        tracer = self._tracer
        self._fill()
        owned = [[arm.builder.owned(o) for o in outputs] for arm, outputs in zip(self._arms, self._outputs, strict=True)]
        captures = list(dict.fromkeys(value for arm in self._arms for value in arm.builder.captured))
        then, orelse = (arm.builder.graph(outputs, captures) for arm, outputs in zip(self._arms, owned, strict=True))
        return tracer.builder.emit(OPS["cond"], [tracer.operand(pred), *captures], {"then": then, "orelse": orelse})

    def plan(self, values: Sequence[Any]) -> Rebuild:
        """One value of what the arms that go on have."""
        first = values[0]
        if len(values) > 1 and all(same_constant(first, other) for other in values[1:]):
            return lambda _: first
        key = tuple(map(id, values))
        if key not in self._planned:
            kinds = list(dict.fromkeys(kind for arm, value in zip(self._alive, values, strict=True) for kind in self._kinds(arm, value)))
            plan = self._plan_leaves(kinds[0], values) if len(kinds) == 1 else self._plan_variant(kinds, values)
            self._planned[key] = _once(plan), values  # the values stay, so that their identities stay theirs
        return self._planned[key][0]

    def _kinds(self, arm: int, value: Any) -> list[Kind]:
        """The kinds of the alternatives of a value where the arm ended: containers hold there what the arm put into them."""
        return self._arms[arm].within(lambda: [kind_of(option) for option in alternatives(value)])

    def _parts(self, arm: int, value: Any) -> list[Any]:
        """The leaves of a value where the arm ended."""
        return self._arms[arm].within(lambda: flatten(value)[0])

    def plan_slot(self, slot: Slot, contents: Sequence[Any]) -> Rebuild:
        """The content of a slot: a value of the graph for a cell, anything for others."""
        if not isinstance(slot, Cell):
            common = slot.common(contents)
            if common is not None:
                arms = (self._arms[arm] for arm in self._alive)
                contents = [
                    arm.within(lambda content=content, common=common: common(content)) for arm, content in zip(arms, contents, strict=True)
                ]
            return self.plan(contents)
        if len(contents) > 1 and all(content is contents[0] for content in contents):
            return lambda _: contents[0]
        self._add(contents)
        return next

    def _plan_leaves(self, kind: Kind, values: Sequence[Any]) -> Rebuild:
        parts = [self._parts(arm, value) for arm, value in zip(self._alive, values, strict=True)]
        rebuilds = [self._plan_leaf(leaves) for leaves in zip(*parts, strict=True)]
        return lambda results: unflatten(kind.structure, [rebuild(results) for rebuild in rebuilds])

    def _plan_leaf(self, leaves: Sequence[Any]) -> Rebuild:
        is_inner = len(leaves) == 1 and isinstance(leaves[0], Traced)  # what the only arm that goes on has made
        if not is_inner and all(same_constant(leaves[0], other) for other in leaves[1:]):
            return lambda _: leaves[0]
        key = tuple(id(leaf.storage) if isinstance(leaf, Traced) else id(leaf) for leaf in leaves)
        if key in self._leaves:
            return self._leaves[key]
        self._add([self._operand(arm, leaf) for arm, leaf in zip(self._alive, leaves, strict=True)])
        is_scalar, is_tensor = flags(leaves[0])
        outer = [leaf.storage for leaf in leaves if isinstance(leaf, Traced) and not is_scalar and self._is_outer(leaf.storage)]

        def rebuild(results: Iterator[Any]) -> Traced:
            if key not in self._shared:
                made = self._tracer.fresh(next(results), is_scalar, is_tensor)
                self._shared[key] = Traced(self._tracer, OneOf(made.storage, outer), None, False, is_tensor) if outer else made
            return self._shared[key]

        self._leaves[key] = rebuild
        return rebuild

    def _plan_variant(self, kinds: Sequence[Kind], values: Sequence[Any]) -> Rebuild:
        """A tag that says which kind it is, and for each kind its leaves, with fillers where an arm has another kind."""
        self._add([self._tag(arm, value, kinds) for arm, value in zip(self._alive, values, strict=True)])
        plans = [
            self._plan_option(kind, [self._option(arm, value, kind) for arm, value in zip(self._alive, values, strict=True)])
            for kind in kinds
        ]

        def rebuild(results: Iterator[Any]) -> Variant:
            tag = self._tracer.fresh(next(results), is_scalar=True)
            return Variant(tag, tuple(plan(results) for plan in plans))  # type: ignore[arg-type]

        return rebuild

    def _plan_option(self, kind: Kind, options: Sequence[Any]) -> Rebuild:
        parts = [self._parts(arm, o) for arm, o in zip(self._alive, options, strict=True) if o is not _ABSENT]
        columns = list(zip(*parts, strict=True))
        rebuilds = []
        for column in columns:
            leaves = iter(column)
            rebuilds.append(self._plan_leaf_orfiller([_ABSENT if option is _ABSENT else next(leaves) for option in options]))
        return lambda results: unflatten(kind.structure, [rebuild(results) for rebuild in rebuilds])

    def _plan_leaf_orfiller(self, leaves: Sequence[Any]) -> Rebuild:
        present = [leaf for leaf in leaves if leaf is not _ABSENT]
        if not isinstance(present[0], Traced) and all(same_constant(present[0], other) for other in present[1:]):
            return lambda _: present[0]
        operands = [None if leaf is _ABSENT else self._operand(arm, leaf) for arm, leaf in zip(self._alive, leaves, strict=True)]
        spec = next(operand.spec for operand in operands if operand is not None)
        self._add([self._filler(arm, spec) if operand is None else operand for arm, operand in zip(self._alive, operands, strict=True)])
        is_scalar, is_tensor = flags(present[0])
        return lambda results: self._tracer.fresh(next(results), is_scalar, is_tensor)

    def _tag(self, arm: int, value: Any, kinds: Sequence[Kind]) -> Any:
        positions = [kinds.index(kind) for kind in self._kinds(arm, value)]
        if not isinstance(value, Variant):
            return Const(positions[0])
        return self._arms[arm].within(lambda: self._tracer.operand(chosen(value.tag, positions)))

    def _operand(self, arm: int, leaf: Any) -> Any:
        """The leaf's value where the arm ended."""
        return self._arms[arm].within(lambda: self._tracer.operand(leaf))

    def _option(self, arm: int, value: Any, kind: Kind) -> Any:
        """The alternative of a kind, if the arm has it."""
        return next((o for o, k in zip(alternatives(value), self._kinds(arm, value), strict=True) if k == kind), _ABSENT)

    def _is_outer(self, storage: Any) -> bool:
        """Whether memory was there before the branch, so that it may be written under another name."""
        return root(storage).birth <= self._tracer.journal.depth

    def _add(self, operands: Sequence[Any]) -> None:
        """One more result: what each arm that goes on returns for it."""
        for arm, operand in zip(self._alive, operands, strict=True):
            self._outputs[arm].append(operand)

    def _fill(self) -> None:
        """An arm that raises returns fillers in place of the results that it doesn't reach."""
        for arm in range(len(self._arms)):
            if arm not in self._alive:
                wanted = self._outputs[self._alive[0]] if self._alive else []
                self._outputs[arm] = [self._filler(arm, operand.spec) for operand in wanted]

    def _filler(self, arm: int, spec: Any) -> Any:
        return self._arms[arm].within(lambda: filler(self._tracer, spec))


_ABSENT = object()
"""Stands where an arm has no such alternative."""


def _once(plan: Rebuild) -> Rebuild:
    """The plan of a value that several names may hold: it is made once."""
    made: list[Any] = []

    def rebuild(results: Iterator[Any]) -> Any:
        if not made:
            made.append(plan(results))
        return made[0]

    return rebuild
