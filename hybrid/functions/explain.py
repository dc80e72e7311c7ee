"""``hybrid.explain``: what became of each line of a function."""

from __future__ import annotations

import html
import inspect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hybrid.functions.function import Function
from hybrid.ir.graph import Graph, Node

__all__ = ["Explanation", "Line", "explain"]

CREATES = frozenset({"zeros", "ones", "empty", "full", "arange", "linspace", "eye", "copy", "concat", "stack", "astype"})
"""Operations that are called for the memory they make."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the user's source.

    Attributes:
        number: in its file.
        text: the source.
        operations: the names of the operations that come from it, each with its number of uses.
        kernels: those among them that run through their NumPy kernels.
        allocates: whether it makes new arrays.
        checks: the number of places where an exception may be raised when it runs.
    """

    number: int
    text: str
    operations: dict[str, int]
    kernels: tuple[str, ...]
    allocates: bool
    checks: int

    @property
    def verdict(self) -> str:
        """What became of it, in a few words."""
        if not self.text.strip() or self.text.strip().startswith(("#", "@", "def ")):
            return ""
        if not self.operations:
            return "constant: done while tracing"
        parts = ["NumPy kernel" if self.kernels else "native"]
        parts += [f"calls {', '.join(self.kernels)}"] if self.kernels else []
        parts += ["allocates"] if self.allocates else []
        parts += [f"{self.checks} checks"] if self.checks else []
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of each line of a function.

    Attributes:
        name: the function's name.
        file: where it is.
        lines: its lines in order.
        kernels: the operations that run through their NumPy kernels, altogether.
        elsewhere: the number of operations that come from lines of other functions.
    """

    name: str
    file: str
    lines: tuple[Line, ...]
    kernels: tuple[str, ...]
    elsewhere: int

    def __str__(self) -> str:
        width = max((len(line.text) for line in self.lines), default=0)
        rows = [f"{line.number:5d}  {line.text:<{width}}  {line.verdict}".rstrip() for line in self.lines]
        tail = f"{self.elsewhere} operations come from other functions" if self.elsewhere else ""
        return "\n".join([f"{self.name} ({self.file})", *rows, *([tail] if tail else [])])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{x.number}</td><td><pre>{html.escape(x.text)}</pre></td><td>{html.escape(x.verdict)}</td></tr>" for x in self.lines
        )
        return f"<table><caption>{html.escape(self.name)}</caption>{rows}</table>"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain lists and dicts."""
        lines = [{"line": x.number, "text": x.text, "operations": x.operations, "verdict": x.verdict} for x in self.lines]
        return {"name": self.name, "file": self.file, "kernels": list(self.kernels), "lines": lines}


def explain(f: Function, *args: Any, **kwargs: Any) -> Explanation:
    """What became of each line of a compiled function, for arguments like these.

    Args:
        f: a function decorated with ``hybrid.function``.
        args, kwargs: arguments; the function is traced for them, but not run.

    Raises:
        TypeError: for a function that isn't compiled.

    >>> f = hybrid.function(lambda x: x * 2)
    >>> hybrid.explain(f, 1.0).kernels
    ()
    """
    if not isinstance(f, Function):
        raise TypeError(f"wanted a function decorated with hybrid.function, received {f!r}")
    trace = f.trace(*args, **kwargs)
    source, first = inspect.getsourcelines(f.python_function)
    file = f.python_function.__code__.co_filename
    nodes = list(_all_nodes(trace.graph))
    kernels = set(trace.executable.fallbacks)
    own = range(first, first + len(source))
    by_line: dict[int, list[Node]] = {number: [] for number in own}
    elsewhere = 0
    for node in nodes:
        if node.location is not None and node.location.file == file and node.location.line in by_line:
            by_line[node.location.line].append(node)
        else:
            elsewhere += node.location is not None
    lines = tuple(_line(number, text.rstrip(), by_line[number], kernels) for number, text in zip(own, source, strict=True))
    return Explanation(f.__qualname__, file, lines, tuple(sorted(kernels)), elsewhere)


def _line(number: int, text: str, nodes: list[Node], kernels: set[str]) -> Line:
    names = Counter(node.op.name for node in nodes)
    checks = sum(bool(node.op.effects) or node.op.name in ("call_python", "getitem", "setitem") for node in nodes)
    allocates = any(node.op.name in CREATES for node in nodes)
    return Line(number, text, dict(names), tuple(sorted(kernels & set(names))), allocates, checks)


def _all_nodes(graph: Graph) -> Iterator[Node]:
    """The operations of a graph and of the graphs inside it."""
    for node in graph.nodes:
        yield node
        for _, value in node.attrs:
            if isinstance(value, Graph):
                yield from _all_nodes(value)
