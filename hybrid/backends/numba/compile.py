"""A graph becomes a native function, and that a callable."""

from __future__ import annotations

import keyword
import linecache
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numba import njit
from numba.core import types

from hybrid.backends.executable import Executable, Options
from hybrid.backends.numba.cache import key_of, load, store
from hybrid.backends.numba.calling import Entry, caller, shortcut
from hybrid.backends.numba.control import write_graph
from hybrid.backends.numba.helpers import HELPERS
from hybrid.backends.numba.host import Host
from hybrid.backends.numba.indexing import selects_view
from hybrid.backends.numba.lower import lower
from hybrid.backends.numba.memory import MEMORY
from hybrid.backends.numba.moves import PIECES
from hybrid.backends.numba.native import HALF, array_type, is_contiguous, native_type, null_result
from hybrid.backends.numba.pipeline import ProgramCompiler
from hybrid.backends.numba.program import BASE, Program
from hybrid.backends.numba.routines import KEY
from hybrid.backends.numba.shapes import VIEWS
from hybrid.core.dim import Dim
from hybrid.core.spec import Spec
from hybrid.ir.graph import Const, Graph, Node, Value
from hybrid.passes.buffers import Plan, plan_buffers

__all__ = ["compile_graph"]


def compile_graph(graph: Graph, name: str, in_place: dict[int, int], options: Options) -> Executable:
    """Compile a graph to native code."""
    native = _Native(graph, identifier(name), in_place, options)
    entry = native.entry(options)
    p = native.program
    kernels, checks = tuple(p.kernels), tuple(p.guards)
    names = tuple(node.op.name for node in kernels)
    allocations = tuple(_allocations(p, p.plan, graph))
    return Executable(caller(entry), native.source, names, native.origin, kernels, checks, allocations, partial(shortcut, entry))


def _allocations(p: Program, plan: Plan, graph: Graph) -> Iterator[Node]:
    """The operations of a graph, and of those inside it, whose results get memory of their own."""
    for node in graph.nodes:
        inside = [(name, value) for name, value in node.attrs if (node, name) in plan.children]
        for name, child in inside:
            yield from _allocations(p, plan.children[node, name], child)
        is_shared = (
            inside
            or node.op.name == "extent"
            or node in plan.in_place
            or node in plan.views
            or all(value in p.fused for value in node.outputs)
        )
        if not is_shared and any(value.spec.shape for value in node.outputs):
            yield node


def identifier(name: str) -> str:
    """A name that a function of the generated program can have."""
    plain = re.sub(r"\W", "_", name)
    return plain if plain.isidentifier() and not keyword.iskeyword(plain) else f"f_{plain}"


def can_view(node: Node) -> bool:
    """Whether the result of an operation can share memory with its first operand."""
    if node.op.name in VIEWS | PIECES:
        return node.operands[0].spec.dtype != HALF  # type: ignore[union-attr]
    return selects_view(node)


class _Native:
    """One graph on its way to native code."""

    def __init__(self, graph: Graph, name: str, in_place: dict[int, int], options: Options):
        self.graph, self.name, self.in_place = graph, name, in_place
        owned = [k in in_place.values() for k in range(len(graph.inputs))]
        self.program = Program(plan_buffers(graph, owned, can_view), options.bounds_checks, can_view)
        self.arguments = [f"x{k}" for k in range(len(graph.inputs))]
        self.returned: list[Spec] = []
        self.origin = ""
        self.source = self._write()

    # -- source -----------------------------------------------------------------------------------------------------
    def _write(self) -> str:
        p, graph = self.program, self.graph
        for value, text in zip(graph.inputs, self.arguments, strict=True):
            p.names[value] = text
        self._check_arguments()
        outputs = write_graph(p, graph, self.arguments, [False] * len(graph.inputs), lower)
        if outputs is not None:
            self._write_back()
            p.emit(f"return {self._results()}")
        self._collect_returned()
        head = f"def {self.name}({', '.join(['host', *self.arguments, *p.constants])}):"
        return "\n".join([*p.functions, head, "    failed = no_result()", *p.lines, ""])

    def _check_arguments(self) -> None:
        """Arguments of other sizes or layouts than those that the graph is for make the program leave at once."""
        p, sizes, conditions = self.program, {}, []
        for value, text in zip(self.graph.inputs, self.arguments, strict=True):
            if value.spec.shape:
                conditions.append(f"not is_contiguous({text})")
            for k, dim in enumerate(value.spec.shape):
                if isinstance(dim, Dim) and str(dim).isidentifier() and str(dim) not in sizes:
                    sizes[str(dim)] = f"{text}.shape[{k}]"
        p.sizes = sizes
        for value, text in zip(self.graph.inputs, self.arguments, strict=True):
            for k, dim in enumerate(value.spec.shape):
                if (wanted := p.dim(dim)) != f"{text}.shape[{k}]":
                    conditions.append(f"{text}.shape[{k}] != {wanted}")
        if conditions:
            with p.block(f"if {' or '.join(conditions)}:"):
                p.emit("return failed")

    def _write_back(self) -> None:
        """Bring the outputs that belong into arguments there, if they aren't there already."""
        p, pending = self.program, []
        for o, i in self.in_place.items():
            value, target = self.graph.outputs[o], self.graph.inputs[i]
            if not target.spec.shape or value is target:
                continue
            memory = p.plan.of(target)
            is_there = isinstance(value, Value) and p.plan.of(value) is memory and memory.is_one and value not in p.views
            if not is_there:
                is_own = isinstance(value, Value) and not p.plan.of(value).sources
                pending.append((p.text(target), p.text(value) if is_own else f"copied({p.text(value)})"))
        news = []
        for _, text in pending:
            news.append(p.new("new"))
            p.emit(f"{news[-1]} = {text}")
        for (target, _), new in zip(pending, news, strict=True):
            p.emit(f"copy_into({target}, {new})")

    def _results(self) -> str:
        p, texts, seen = self.program, ["True"], set()
        for o, value in enumerate(self.graph.outputs):
            if not self.is_native(o):
                continue
            text = p.text(value)
            if value.spec.shape:
                memory = p.plan.of(value)
                if memory.sources or memory in seen or value in p.views or not memory.owned:
                    text = f"copied({text})"
                seen.add(memory)
            texts.append(text)
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})"

    def is_native(self, o: int) -> bool:
        """Whether an output comes from the program: not an argument itself, and no constant."""
        value = self.graph.outputs[o]
        if o in self.in_place and value.spec.shape:
            return False
        return not isinstance(value, Const) and value not in self.graph.inputs

    def _collect_returned(self) -> None:
        self.returned = [value.spec for o, value in enumerate(self.graph.outputs) if self.is_native(o)]

    # -- native code ------------------------------------------------------------------------------------------------
    def entry(self, options: Options) -> Entry:
        p = self.program
        host = Host(p.sites)
        results = tuple(map(native_type, self.returned))
        inputs = [native_type(v.spec) for v in self.graph.inputs] + [array_type(c.dtype, c.ndim) for c in p.constants.values()]
        signature = types.Tuple((types.boolean, *results))(types.intp, *inputs)
        namespace = BASE | HELPERS | MEMORY | p.namespace | {"no_result": null_result(results), "is_contiguous": is_contiguous}
        entry, self.origin = _compiled(
            self.source, self.name, namespace, signature, options, [name for name in p.routines.values() if name]
        )
        constants = [c.view(np.uint16) if c.dtype == HALF else c for c in p.constants.values()]
        is_native = [self.is_native(o) for o in range(len(self.graph.outputs))]
        return Entry(entry, host, constants, self.graph, self.in_place, is_native)


NATIVE: Final[dict[str, Any]] = {"error_model": "numpy", "no_cfunc_wrapper": True, "pipeline_class": ProgramCompiler}
"""How functions are compiled."""

_LOADED: Final[dict[str, Callable[..., Any]]] = {}
"""Native functions of this process, by their keys: symbols must not be defined twice."""


def _compiled(
    source: str, name: str, namespace: dict[str, Any], signature: Any, options: Options, routines: Sequence[str]
) -> tuple[Callable[..., Any], str]:
    """The native function of a program: known in this process, kept on disk, or compiled now; and which of these it is."""
    key = key_of(source, str(signature))
    if key in _LOADED:
        return _LOADED[key], "process"
    found, origin = load(key) if options.cache else None, "disk"
    if found is None:
        origin = "compiled"
        unique = f"{name}_{key[:16]}"
        text = source.replace(f"def {name}(", f"def {unique}(", 1).replace(KEY, f"_{key[:16]}")
        file = f"<hybrid {unique}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        namespace |= {made.replace(KEY, f"_{key[:16]}"): thing for made, thing in namespace.items() if KEY in made}
        exec(compile(text, file, "exec"), namespace)
        inner = [made.replace(KEY, f"_{key[:16]}") for made in routines]
        for made in inner:
            namespace[made] = njit(no_cpython_wrapper=True, **NATIVE)(namespace[made])
        result = njit(signature, **NATIVE)(namespace[unique]).overloads[signature.args]
        if options.cache:
            store(key, result, [one for made in inner for one in namespace[made].overloads.values()])
        found = result.entry_point
    return _LOADED.setdefault(key, found), origin
