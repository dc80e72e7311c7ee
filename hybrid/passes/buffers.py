"""What happens in place: which writes go into the memory of their operand, which selections are views, what loops copy first.

In a graph an array never changes: ``setitem`` makes a new one. Here it is decided where the new one may take the memory of
the old: where the old one is *owned* (made by the graph, or given up by the caller) and nobody looks at it, or at a view of
it, any more. The memory of a loop's state is owned from round to round; then it is copied before the loop, if at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hybrid.ir.graph import Const, Graph, Node, Operand, Value

__all__ = ["Plan", "plan_buffers"]

LOOPS = {"while_loop": 0, "for_range": 3}
"""Loops, and the number of operands before those that the body gets."""


SIZES = {"dimension"}
"""Operations that don't look into the memory of their operand."""

GROWING = {"append_row", "drop_row"}
"""Operations whose result has another length than their operand, and may stand in its memory."""


class Memory:
    """What may share memory: values with one ``Memory`` do or may.

    Attributes:
        owned: it may be overwritten once nobody looks at it.
        sources: the numbers of the graph's inputs whose memory it is or may be.
        written: something is written into it in place.
        is_one: it is one memory for sure, and not one of several that only running tells.
    """

    __slots__ = ("_into", "is_one", "owned", "sources", "written")

    def __init__(self, owned: bool, sources: frozenset[int] = frozenset()):
        self.owned, self.sources, self.written, self.is_one = owned, sources, False, True
        self._into: Memory | None = None

    def last(self) -> Memory:
        """What it has been merged into, in the end."""
        return self if self._into is None else self._into.last()

    def merge(self, other: Memory) -> None:
        """From now on the two are one, which nobody owns."""
        a, b = self.last(), other.last()
        if a is not b:
            b._into = a
            a.sources |= b.sources
            a.written |= b.written
            a.is_one = False
        a.owned = False


@dataclass(eq=False)
class Plan:
    """The decisions for one graph, given which inputs it owns.

    Attributes:
        in_place: operations that write into the memory of their first operand.
        views: operations whose result shares memory with their first operand.
        copied: operands that are copied before a loop: the loop, and the number of the carried value.
        returned: carried values that are copied at the end of each round: the loop, and the number.
        memory: of each value with axes.
        children: the plans of graphs in attributes.
    """

    in_place: set[Node] = field(default_factory=set)
    views: set[Node] = field(default_factory=set)
    copied: set[tuple[Node, int]] = field(default_factory=set)
    returned: set[tuple[Node, int]] = field(default_factory=set)
    memory: dict[Any, Memory] = field(default_factory=dict)
    children: dict[tuple[Node, str], Plan] = field(default_factory=dict)

    def of(self, value: Any) -> Memory:
        """The memory of a value or constant."""
        if isinstance(value, Const):
            return self.memory.setdefault(value, Memory(False))
        return self.memory[value].last()

    def of_input(self, graph: Graph, memory: Memory) -> int | None:
        """The number of the input whose memory it is for sure."""
        return next((k for k, value in enumerate(graph.inputs) if value in self.memory and self.of(value) is memory), None)

    @property
    def overwritten(self) -> set[int]:
        """The inputs into whose memory something is written."""
        return {source for memory in self.memory.values() if memory.last().written for source in memory.last().sources}

    def text(self, graph: Graph) -> str:
        """The decisions, a line for each operation that has one."""
        return "\n".join(_lines(self, graph, ""))


def plan_buffers(graph: Graph, owned: Sequence[bool] = (), can_view: Callable[[Node], bool] = lambda node: False) -> Plan:
    """Decide what happens in place.

    Args:
        graph: what is to be run.
        owned: for each input whether its memory may be overwritten; none, if left out.
        can_view: whether the back end can make the result of an operation a view of its first operand.
    """
    owned = tuple(owned) or (False,) * len(graph.inputs)
    copies: set[Node] = set()
    while True:
        analysis = _Analysis(graph, owned, can_view, copies)
        analysis.run()
        if not analysis.culprits:
            return analysis.plan
        copies |= analysis.culprits


class _Analysis:
    """One walk through a graph; ``copies`` are selections that must not be views."""

    def __init__(self, graph: Graph, owned: Sequence[bool], can_view: Callable[[Node], bool], copies: set[Node]):
        self._graph, self._can_view, self._copies = graph, can_view, copies
        self.plan = Plan()
        self.culprits: set[Node] = set()
        self._last_use: dict[Any, int] = {}
        self._maker: dict[Value, Node] = {}
        for k, (value, is_owned) in enumerate(zip(graph.inputs, owned, strict=True)):
            self._define(value, Memory(is_owned, frozenset([k])))

    def run(self) -> None:
        for position, node in enumerate(self._graph.nodes):
            if node.op.name not in SIZES:
                self._last_use.update(dict.fromkeys(node.inputs, position))
            self._maker.update(dict.fromkeys(node.outputs, node))
        self._last_use.update(dict.fromkeys(self._graph.outputs, len(self._graph.nodes)))
        for position, node in enumerate(self._graph.nodes):
            self._visit(position, node)

    def _visit(self, position: int, node: Node) -> None:
        if node.op.name in LOOPS:
            self._loop(position, node)
        elif node.op.name == "cond":
            self._branch(position, node)
        elif node.op.name in GROWING or (node.op.mutates and node.outputs[0].spec.shape):
            self._write(position, node)
        elif self._can_view(node) and node not in self._copies and _has_axes(node.operands[0]):
            self.plan.views.add(node)
            for value in node.outputs:
                self._define(value, self.plan.of(node.operands[0]))
        else:
            self._define_all(node)

    def _define(self, value: Value, memory: Memory) -> None:
        if value.spec.shape:
            self.plan.memory[value] = memory

    def _define_all(self, node: Node) -> None:
        for value in node.outputs:
            self._define(value, Memory(True))

    def _alive(self, memory: Memory, position: int) -> list[Any]:
        """The values in a memory that somebody looks at from a position on."""
        return [v for v, m in self.plan.memory.items() if m.last() is memory and self._last_use.get(v, -1) >= position]

    def _write(self, position: int, node: Node) -> None:
        target = node.operands[0]
        memory = self.plan.of(target)
        others = [v for v in self._alive(memory, position) if v is not target]
        is_last = self._last_use[target] == position and sum(x is target for x in node.inputs) == 1
        makers = {self._maker.get(v) for v in others}
        if not (memory.owned and is_last and isinstance(target, Value) and makers <= self.plan.views):
            self._define_all(node)
            return
        self.culprits |= makers  # type: ignore[arg-type]
        memory.written = True
        self.plan.in_place.add(node)
        self._define(node.outputs[0], memory)

    def _given(self, position: int, operands: Sequence[Operand]) -> list[bool]:
        """Which operands of control flow are owned, and of no use to anybody else."""
        memories = [self.plan.of(x) if _has_axes(x) else None for x in operands]
        return [
            m is not None
            and m.owned
            and sum(m is other for other in memories) == 1
            and not any(v is not x or self._last_use[v] > position for v in self._alive(m, position))
            for x, m in zip(operands, memories, strict=True)
        ]

    # -- branches ---------------------------------------------------------------------------------------------------
    def _branch(self, position: int, node: Node) -> None:
        operands = node.operands[1:]
        given = self._given(position, operands)
        found = []
        for name in ("then", "orelse"):
            graph = node.attributes[name]
            plan = self.plan.children[node, name] = plan_buffers(graph, given, self._can_view)
            found.append([plan.of(o) if _has_axes(o) else None for o in graph.outputs])
            for k in plan.overwritten:
                self.plan.of(operands[k]).written = True
        for value, *memories in zip(node.outputs, *found, strict=True):
            if value.spec.shape:
                is_alone = all(_is_alone(m, arm) for m, arm in zip(memories, found, strict=True))
                self._define(value, self._joined(node, memories, operands, given, is_alone))

    def _joined(self, node: Node, memories: Sequence[Memory], operands: Sequence[Operand], given: Sequence[bool], is_alone: bool) -> Memory:
        """The memory of one of two results."""
        arms = zip(("then", "orelse"), memories, strict=True)
        inputs = [self.plan.children[node, name].of_input(node.attributes[name], m) for name, m in arms]
        if inputs[0] is not None and inputs[0] == inputs[1]:
            return self.plan.of(operands[inputs[0]])
        sources = [source for m in memories for source in m.sources]
        made = Memory(is_alone and all(m.owned for m in memories))
        for source in sources:
            memory = self.plan.of(operands[source])
            made.sources |= memory.sources
            if not given[source]:
                made.merge(memory)
        return made.last()

    # -- loops ------------------------------------------------------------------------------------------------------
    def _loop(self, position: int, node: Node) -> None:
        attrs, operands = node.attributes, node.operands[LOOPS[node.op.name] :]
        carried, body = attrs["carried"], attrs["body"]
        first = len(body.inputs) - len(operands)
        if "test" in attrs:
            self.plan.children[node, "test"] = plan_buffers(attrs["test"], (), self._can_view)
        owned = [first <= k < first + carried for k in range(len(body.inputs))]
        plan = self.plan.children[node, "body"] = plan_buffers(body, owned, self._can_view)
        after = [plan.of(o) if _has_axes(o) else None for o in body.outputs[:carried]]
        overwritten = _overwritten(plan, first, after)
        given = self._given(position, operands)
        for j in overwritten:
            if given[j]:
                self.plan.of(operands[j]).written = True
            else:
                self.plan.copied.add((node, j))
        self.plan.returned |= {(node, j) for j in _shared(after, overwritten, first)}
        for j, value in enumerate(node.outputs):
            if value.spec.shape:
                before = plan.memory[body.inputs[first + j]].last()
                self._define(value, self._left(j, before, after, j in overwritten, operands, given, first))

    def _left(
        self,
        j: int,
        before: Memory,
        after: Sequence[Memory | None],
        is_overwritten: bool,
        operands: Sequence[Operand],
        given: Sequence[bool],
        first: int,
    ) -> Memory:
        """The memory of a carried value after the loop."""
        memory, start = after[j], self.plan.of(operands[j])
        assert memory is not None
        if is_overwritten:
            return Memory(True, start.sources if given[j] else frozenset())
        if memory is before:
            return start
        if memory.owned and given[j] and memory.sources <= {first + j} and _is_alone(memory, after):
            return Memory(True, start.sources)
        made = Memory(False)
        made.merge(start)
        for source in memory.sources:
            made.merge(self.plan.of(operands[source - first]))
        for i, other in enumerate(after[:j]):
            if other is memory:
                made.merge(self.plan.of(operands[i]))
        return made.last()


def _is_alone(memory: Memory | None, memories: Sequence[Memory | None]) -> bool:
    return sum(m is not None and (m is memory or not m.sources.isdisjoint(memory.sources)) for m in memories) == 1  # type: ignore[union-attr]


def _overwritten(plan: Plan, first: int, after: Sequence[Memory | None]) -> set[int]:
    """The carried values whose memory a round overwrites, or hands on to one that it overwrites."""
    found = {source - first for source in plan.overwritten}
    while True:
        more = {source - first for j in found if (m := after[j]) is not None for source in m.sources} - found
        more = {s for s in more if 0 <= s < len(after)}
        if not more:
            return found
        found |= more


def _shared(after: Sequence[Memory | None], overwritten: set[int], first: int) -> set[int]:
    """The results of a round that must be copied, so that what will be overwritten belongs to one carried value alone."""
    found: set[int] = set()
    claimed: list[Memory] = []
    for j in sorted(range(len(after)), key=lambda j: j not in overwritten):
        memory = after[j]
        if memory is None:
            continue
        sources = {source - first for source in memory.sources}
        is_foreign = not memory.owned or not sources <= overwritten
        is_claimed = any(memory is other or not memory.sources.isdisjoint(other.sources) for other in claimed)
        if is_claimed or (j in overwritten and is_foreign):
            found.add(j)
        elif j in overwritten or not sources.isdisjoint(overwritten):
            claimed.append(memory)
    return found


def _has_axes(operand: Operand) -> bool:
    return isinstance(operand, Value | Const) and bool(operand.spec.shape)


def _lines(plan: Plan, graph: Graph, indent: str) -> list[str]:
    lines = []
    for i, node in enumerate(graph.nodes):
        marks = ["in place"] * (node in plan.in_place) + ["view"] * (node in plan.views)
        marks += [f"copies operand {j} before" for n, j in sorted(plan.copied, key=lambda c: c[1]) if n is node]
        marks += [f"copies result {j} in each round" for n, j in sorted(plan.returned, key=lambda c: c[1]) if n is node]
        if node.op.mutates and not marks:
            marks = ["copy"]
        inner = [
            line for (n, name), child in plan.children.items() if n is node for line in _lines(child, node.attributes[name], indent + "  ")
        ]
        if marks or inner:
            lines += [f"{indent}{i} {node.op.name}: {', '.join(marks) or 'nothing'}", *inner]
    return lines
