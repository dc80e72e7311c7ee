"""What a compiled function did so far: its traces, why each was made, and how long that took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from hybrid.functions.tables import Column, Row, Table, seconds_told
from hybrid.functions.words import Leaf, short
from hybrid.staging.state import Guard

__all__ = ["Change", "History", "Made", "Stats", "TraceRecord", "broken"]

MANY: Final = 12
"""The number of traces of one function at which its user is warned."""

SHOWN: Final = 3
"""Values shown from each end of a long list."""

ORIGINS: Final = {
    "compiled": "compiled",
    "disk": "found on disk",
    "process": "the same code as before",
    "interpreted": "interpreted",
}


class Change(NamedTuple):
    """Something that is different from an earlier trace, before and now, in words."""

    what: str
    before: str
    now: str


class Made(Protocol):
    """What is to be known of a new trace."""

    guards: tuple[Guard, ...]
    compile_seconds: float
    executable: Any


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One trace.

    Attributes:
        reason: why it was made.
        arguments: what it belongs to: for each argument, by its place, the kind or, of a constant, the value.
        changes: what is different from an earlier trace.
        trace_seconds, compile_seconds: how long it took to make it.
        origin: where its native code comes from: "compiled", "disk", "process" (another trace has the same), "interpreted".
    """

    reason: str
    arguments: Mapping[str, str]
    changes: tuple[Change, ...]
    trace_seconds: float
    compile_seconds: float
    origin: str


@dataclass(frozen=True, slots=True)
class Stats:
    """What a compiled function did so far.

    Attributes:
        name: of the function.
        records: its traces in the order in which they were made.
        hits: calls for which a trace was there. Calls on the shortest way, with arrays and numbers for which there was one before, aren't
            counted, since counting would slow them down.

    >>> f = hybrid.function(lambda x: x + 1)
    >>> f(1), f(2.0)
    (2, 3.0)
    >>> f.stats().traces, f.stats().reasons
    (2, ['first call', 'the argument x is float, was int'])
    """

    name: str
    records: tuple[TraceRecord, ...] = ()
    hits: int = 0

    @property
    def traces(self) -> int:
        """How often the function was traced."""
        return len(self.records)

    @property
    def reasons(self) -> list[str]:
        """Why each trace was made."""
        return [record.reason for record in self.records]

    @property
    def disk_hits(self) -> int:
        """How many traces found their native code on disk."""
        return sum(record.origin == "disk" for record in self.records)

    @property
    def trace_seconds(self) -> float:
        """How long tracing took altogether."""
        return sum(record.trace_seconds for record in self.records)

    @property
    def compile_seconds(self) -> float:
        """How long compiling took altogether."""
        return sum(record.compile_seconds for record in self.records)

    @property
    def seconds(self) -> float:
        """How long tracing and compiling took altogether."""
        return self.trace_seconds + self.compile_seconds

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dicts and lists, for JSON."""
        records = [
            {
                "reason": record.reason,
                "arguments": dict(record.arguments),
                "trace_seconds": record.trace_seconds,
                "compile_seconds": record.compile_seconds,
                "origin": record.origin,
            }
            for record in self.records
        ]
        sums = {"trace_seconds": self.trace_seconds, "compile_seconds": self.compile_seconds}
        return {"name": self.name, "traces": self.traces, "hits": self.hits, "disk_hits": self.disk_hits, **sums, "records": records}

    def table(self) -> Table:
        """A row for each trace."""
        columns = (Column("", True), Column("tracing", True), Column("compiling", True), Column("code"), Column("reason", is_wrapped=True))
        rows = tuple(
            Row((str(i), seconds_told(r.trace_seconds), seconds_told(r.compile_seconds), ORIGINS[r.origin], r.reason))
            for i, r in enumerate(self.records, 1)
        )
        times = f"{seconds_told(self.trace_seconds)} tracing, {seconds_told(self.compile_seconds)} compiling" if rows else ""
        title = f"{self.name}: {self.traces} trace{'s' * (self.traces != 1)}, {self.disk_hits} found on disk"
        return Table(", ".join(filter(None, [title, times])), columns, rows)

    def __str__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()


class History:
    """Collects what ``Stats`` tells."""

    def __init__(self, name: str):
        self._name = name
        self._records: list[TraceRecord] = []
        self.hits = 0

    @property
    def count(self) -> int:
        """The number of traces."""
        return len(self._records)

    def stats(self) -> Stats:
        """What is known now."""
        return Stats(self._name, tuple(self._records), self.hits)

    def add(
        self, leaves: Mapping[str, Leaf], static: Sequence[int], is_symbolic: bool, older: Sequence[Made], made: Made, seconds: float
    ) -> None:
        """Take note of a new trace.

        Args:
            leaves: the leaves of its arguments.
            static: the numbers of those that are constants of it, since tracing needs their values.
            is_symbolic: whether some sizes are symbols.
            older: traces for the same kinds of arguments, which aren't valid any more.
            made: the trace.
            seconds: how long tracing took.
        """
        arguments = {place: leaf.value if i in static else leaf.kind for i, (place, leaf) in enumerate(leaves.items())}
        changes = broken(older) if older else self._changes(arguments)
        reason = self._reason(arguments, changes, [p for i, p in enumerate(arguments) if i in static], is_symbolic)
        self._records.append(TraceRecord(reason, arguments, changes, seconds, made.compile_seconds, made.executable.origin))

    def _changes(self, arguments: Mapping[str, str]) -> tuple[Change, ...]:
        """How arguments differ from those of the earlier trace that is most like them."""
        found = [_differences(record.arguments, arguments) for record in self._records]
        return min(reversed(found), key=len, default=())

    def _reason(self, arguments: Mapping[str, str], changes: Sequence[Change], static: Sequence[str], is_symbolic: bool) -> str:
        needs = ", ".join(f"{place} ({arguments[place]})" for place in static)
        needed = f"tracing needs the value of {needs}" if static else ""
        if not self._records:
            return "; ".join(filter(None, ["first call", needed]))
        parts = [_in_words(change) for change in changes] or ["an argument is another object"]
        sizes = "sizes that differ are symbols from now on" if is_symbolic and _are_sizes(changes) else ""
        return "; ".join(filter(None, [*parts, sizes, needed]))

    def storm(self) -> str | None:
        """A warning for a function that is traced again and again, when it is time for it: what changes most, and its values."""
        if len(self._records) != MANY:
            return None
        count = Counter(change.what for record in self._records for change in record.changes)
        start = f"{self._name} was traced {MANY} times, which takes longer than running it"
        if not count:
            return f"{start}; the last reason: {self._records[-1].reason}"
        what = count.most_common(1)[0][0]
        seen = [change for record in self._records for change in record.changes if change.what == what]
        values = list(dict.fromkeys([seen[0].before, *(change.now for change in seen)]))
        return f"{start}: {what} was {_listed(values)}. {ADVICE if what.startswith('the argument') else ADVICE_OUTSIDE}"


ADVICE: Final = "Each is a trace of its own; pass what differs from call to call as a number or an array"
ADVICE_OUTSIDE: Final = "What a trace reads from outside is a constant of it; pass what changes as an argument"


def _listed(values: Sequence[str]) -> str:
    shown = values if len(values) <= 2 * SHOWN else [*values[:SHOWN], "…", *values[-SHOWN:]]
    return ", ".join(shown)


def _in_words(change: Change) -> str:
    if not change.what.startswith("the argument"):
        return f"{change.what} changed from {change.before} to {change.now}"
    if not change.now:
        return f"{change.what} isn't there"
    return f"{change.what} is {change.now}, was {change.before}" if change.before else f"{change.what} is new ({change.now})"


def _are_sizes(changes: Sequence[Change]) -> bool:
    """Whether arrays differ in their sizes alone."""
    return all("[" in c.now and c.now.partition("[")[0] == c.before.partition("[")[0] for c in changes)


def _differences(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[Change, ...]:
    gone, new = _grouped(before, now), _grouped(now, before)
    places = list(dict.fromkeys([*gone, *new]))
    return tuple(Change(f"the argument {p}", gone.get(p, ""), new.get(p, "")) for p in places if gone.get(p) != new.get(p))


def _grouped(arguments: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """The arguments by place; the items of what is no container among the others as one."""
    found: dict[str, str] = {}
    for place, kind in arguments.items():
        around = next((p for p in others if place.startswith((f"{p}[", f"{p}."))), place)
        found[around] = kind if around == place else f"{found[around]}, {kind}" if around in found else f"a container of {kind}"
    return found


def broken(traces: Sequence[Made]) -> tuple[Change, ...]:
    """What isn't any more as the latest of some traces took it for granted."""
    for trace in traces:
        for guard in trace.guards:
            if not guard.holds():
                return (_broken(guard),)
    return (Change("what it reads", "what it was", "something else"),)


def _broken(guard: Guard) -> Change:
    try:
        now: Any = guard.read()
    except Exception as error:
        return Change(guard.what, _named(guard.value), f"nothing ({type(error).__name__}: {error})")
    before, after = _named(guard.value), _named(now)
    return Change(guard.what, before, after if after != before else f"another {type(now).__name__}")


def _named(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else short(value)
