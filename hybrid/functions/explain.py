"""``hybrid.explain``: what became of each line of a function."""

from __future__ import annotations

import ast
import linecache
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import MethodType
from typing import Any, Final

from hybrid._util.tracebacks import function_at
from hybrid.backends import Executable
from hybrid.functions.function import Function
from hybrid.functions.kinds import plain_function
from hybrid.functions.strict import all_nodes
from hybrid.functions.tables import Column, Row, Table
from hybrid.ir.graph import Graph, Node

__all__ = ["Explanation", "Line", "explain"]

NATIVE, CONSTANT, CALL, PYTHON, INTERPRETED = "native", "constant", "call", "Python", "interpreted"
"""What a line can become: native code; nothing, since it was done while tracing; the lines of a function that it calls; something that
Python does at run time."""

TONES: Final = {NATIVE: "", INTERPRETED: "", CONSTANT: "faint", CALL: "", PYTHON: "warning", "": "faint"}
CALLS: Final = {"host": "call", "print_text": "template"}
"""Operations that are calls of Python by nature, and the attribute that says of what."""

SILENT: Final = {"half_done", "checkpoint", "left_half_done"}
"""Operations that only keep account of what was changed."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the user's source.

    Attributes:
        number: in its file.
        text: the source.
        function: whose line it is.
        kind: "native"; "constant" (done while tracing); "call" of a function whose lines are among ``elsewhere``; "Python" (something of it
            runs in Python); "interpreted" (without native code); or empty for a line without code.
        why: what runs in Python, and why.
        operations: the names of the operations that come from it, each with its number of uses.
        allocations: the number of places where it makes new arrays.
        checks: the number of places where it is checked, in native code, that it doesn't fail; those that were proven needless are gone.
    """

    number: int
    text: str
    function: str
    kind: str
    why: tuple[str, ...]
    operations: dict[str, int]
    allocations: int
    checks: int

    def to_dict(self) -> dict[str, Any]:
        """The same as a plain dict."""
        return {
            "line": self.number,
            "text": self.text,
            "function": self.function,
            "kind": self.kind,
            "why": list(self.why),
            "operations": self.operations,
            "allocations": self.allocations,
            "checks": self.checks,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of each line of a function.

    Attributes:
        name: the function's name.
        file: where it is.
        is_native: whether there is native code; else the graph is interpreted.
        lines: its lines in order.
        elsewhere: the lines of other functions that are part of it.
        kernels: the operations without a native form, which run through their NumPy kernels.
        calls: what is called in Python at run time.
    """

    name: str
    file: str
    is_native: bool
    lines: tuple[Line, ...]
    elsewhere: tuple[Line, ...]
    kernels: tuple[str, ...]
    calls: tuple[str, ...]

    def table(self) -> Table:
        """A row for each line."""
        columns = (
            Column("line", True),
            Column("", is_code=True),
            Column("becomes"),
            Column("allocates", True),
            Column("checks", True),
            Column("why", is_wrapped=True),
        )
        rows = [_row(line) for line in self.lines]
        for function in dict.fromkeys(line.function for line in self.elsewhere):
            rows.append(Row(("", f"in {function}", "", "", "", ""), "faint"))
            rows += [_row(line) for line in self.elsewhere if line.function == function]
        return Table(f"{self.name} ({self.file})", columns, tuple(rows), tuple(self._notes()))

    def _notes(self) -> Iterable[Row]:
        if not self.is_native:
            yield Row(("the graph is interpreted: there is no native code (hybrid.config(jit=False), or no Numba)",), "warning")
        elif self.kernels or self.calls:
            parts = [f"NumPy kernels: {', '.join(self.kernels)}"] if self.kernels else []
            parts += [f"calls of Python: {', '.join(self.calls)}"] if self.calls else []
            yield Row(("; ".join(parts),), "warning")
        else:
            yield Row(("all of it is native",), "good")

    def __str__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()

    def to_dict(self) -> dict[str, Any]:
        """The same as plain lists and dicts, for JSON."""
        return {
            "name": self.name,
            "file": self.file,
            "native": self.is_native,
            "kernels": list(self.kernels),
            "calls": list(self.calls),
            "lines": [line.to_dict() for line in self.lines],
            "elsewhere": [line.to_dict() for line in self.elsewhere],
        }


def explain(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Explanation:
    """What became of each line of a compiled function, for arguments like these.

    Args:
        f: a function decorated with ``hybrid.function``, or a bound method of one.
        args, kwargs: arguments; the function is traced for them, but not run.

    Returns:
        an explanation, which prints as a table, in a notebook too, and has ``to_dict()``.

    Raises:
        TypeError: for a function that isn't compiled.

    >>> f = hybrid.function(lambda x: np.sqrt((x * x).sum()))
    >>> explanation = hybrid.explain(f, np.ones(3))
    >>> explanation.kernels, explanation.calls
    ((), ())
    """
    if isinstance(f, MethodType) and isinstance(f.__func__, Function):
        f, args = f.__func__, (f.__self__, *args)
    if not isinstance(f, Function):
        raise TypeError(f"wanted a function decorated with hybrid.function, received {f!r}")
    trace = f.trace(*args, **kwargs)
    code = plain_function(f.python_function).__code__
    first, last = code.co_firstlineno, max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    view = _View(trace.graph, trace.executable)
    file, starts = code.co_filename, _starts(code.co_filename)
    lines = [view.line(file, number, f.__name__, number in starts) for number in range(first, last + 1)]
    outside = [(name, number) for name, number in view.places if name != file or not first <= number <= last]
    others = tuple(view.line(name, number, _shown(name, number), True) for name, number in outside)
    helpers = {function_at(name, number) for name, number in outside}
    lines = tuple(_with_helpers(line, helpers & starts.get(line.number, set())) for line in lines)
    return Explanation(f.__qualname__, code.co_filename, view.is_native, lines, others, view.kernels, view.calls)


class _View:
    """The operations of a graph by lines, and what became of them."""

    def __init__(self, graph: Graph, executable: Executable):
        nodes = [node for node in all_nodes(graph) if node.op.name not in SILENT]
        self.is_native = executable.origin != "interpreted"
        self._nodes = _by_place(nodes)
        self._kernels, self._checks = _by_place(executable.kernels), _by_place(executable.checks)
        self._allocations = _by_place(executable.allocations)
        self.places = sorted(place for place in self._nodes if place is not None)
        self.kernels = tuple(sorted({node.op.name for node in executable.kernels}))
        self.calls = tuple(dict.fromkeys(_called(node) for node in nodes if node.op.name in CALLS))

    def line(self, file: str, number: int, function: str, has_code: bool) -> Line:
        """A line of a file."""
        place = file, number
        nodes = self._nodes.get(place, [])
        kernels = self._kernels.get(place, [])
        why = [f"{_with_specs(node)} has no native form and calls its NumPy kernel" for node in kernels]
        why += [f"calls {_called(node)}, which only Python can" for node in nodes if node.op.name in CALLS]
        kind = "" if not has_code and not nodes else CONSTANT if not nodes else NATIVE if self.is_native else INTERPRETED
        text = linecache.getline(file, number).rstrip()
        operations = dict(Counter(node.op.name for node in nodes))
        counts = len(self._allocations.get(place, [])), len(self._checks.get(place, []))
        return Line(number, text, function, PYTHON if why else kind, tuple(dict.fromkeys(why)), operations, *counts)


def _by_place(nodes: Sequence[Node]) -> dict[tuple[str, int] | None, list[Node]]:
    found: dict[tuple[str, int] | None, list[Node]] = {}
    for node in nodes:
        place = None if node.location is None else (node.location.file, node.location.line)
        found.setdefault(place, []).append(node)
    return found


def _called(node: Node) -> str:
    return "print" if node.op.name == "print_text" else str(node.attributes[CALLS[node.op.name]])


def _with_specs(node: Node) -> str:
    return f"{node.op.name}({', '.join(str(x.spec) for x in node.inputs)})"


def _row(line: Line) -> Row:
    counts = [str(n) if n else "" for n in (line.allocations, line.checks)]
    return Row((str(line.number), line.text, line.kind, *counts, "\n".join(line.why)), TONES[line.kind])


# -- source ---------------------------------------------------------------------------------------------------------
def _shown(file: str, number: int) -> str:
    return f"{function_at(file, number)} ({file})"


def _starts(file: str) -> dict[int, set[str]]:
    """The lines of a file where code starts that runs when its function does, and the names of what each calls."""
    found: dict[int, set[str]] = {}
    for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not is_text and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.setdefault(node.lineno, set())
        if isinstance(node, ast.Lambda):
            found.setdefault(node.body.lineno, set())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            found.setdefault(node.lineno, set()).add(node.func.id if isinstance(node.func, ast.Name) else node.func.attr)
    return found


def _with_helpers(line: Line, helpers: set[str]) -> Line:
    """A line that has no operations of its own, but calls functions that have."""
    if line.kind != CONSTANT or not helpers:
        return line
    return replace(line, kind=CALL, why=(f"its operations are those of {', '.join(sorted(helpers))}, below",))
