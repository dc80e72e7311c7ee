"""``hybrid.function``: the decorator, and the functions it makes."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid._util.tree import flatten
from hybrid.core.tensor import Tensor
from hybrid.frontend.convert import convert
from hybrid.frontend.entry import run as run_converted
from hybrid.function.trace import NeedsValues, Trace, new_trace
from hybrid.ir.interpret import interpret

__all__ = ["Function", "function"]


class Function:
    """A function that is traced for each kind of arguments and run as one compiled graph."""

    def __init__(self, python_function: Callable[..., Any]):
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._signature = inspect.signature(python_function)
        self._converted = convert(python_function)
        self._traces: dict[Any, list[Trace]] = {}
        self._static: dict[Any, tuple[int, ...]] = {}
        self._lock = threading.RLock()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        leaves, structure = flatten((bound.args, bound.kwargs))
        is_input = [_is_input(leaf) for leaf in leaves]
        kinds = (structure, tuple(map(_key, leaves, is_input)))
        trace = self._known(kinds, leaves)
        if trace is None:
            with self._lock:
                trace = self._known(kinds, leaves) or self._new(kinds, structure, leaves, is_input)
        static = self._static.get(kinds, ())
        return trace.run([x for i, (x, given) in enumerate(zip(leaves, is_input, strict=True)) if given and i not in static])

    def _known(self, kinds: Any, leaves: list[Any]) -> Trace | None:
        """The trace for arguments of these kinds, if everything that it took for granted still is so."""
        values = tuple(leaves[i] for i in self._static.get(kinds, ()))
        return next((trace for trace in self._traces.get((kinds, values), ()) if trace.holds()), None)

    def _new(self, kinds: Any, structure: Any, leaves: list[Any], is_input: list[bool]) -> Trace:
        """A new trace; numbers whose values tracing turns out to need become constants of it."""
        outside: set[Any] = set()
        while True:
            static = self._static.get(kinds, ())
            given = [yes and i not in static for i, yes in enumerate(is_input)]
            try:
                trace = new_trace(self.python_function, self._entered, structure, leaves, given, _compile, outside)
            except NeedsValues as needed:
                self._static[kinds] = tuple(sorted({*static, *needed.leaves}))
                outside |= needed.outside
                continue
            values = tuple(leaves[i] for i in static)
            self._traces.setdefault((kinds, values), []).insert(0, trace)
            return trace

    def _entered(self, *args: Any, **kwargs: Any) -> Any:
        return run_converted(self._converted, *args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def function(python_function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a function."""
    if python_function is None:
        return lambda f: function(f, **options)
    return Function(python_function)


def _compile(graph: Any, in_place: Any) -> Any:
    return functools.partial(interpret, graph)


def _is_input(leaf: Any) -> bool:
    return isinstance(leaf, np.ndarray | np.generic | Tensor) or type(leaf) in (bool, int, float, complex)


def _key(leaf: Any, is_input: bool) -> Any:
    if not is_input:
        return ("constant", leaf) if isinstance(leaf, str | bytes | None) else ("object", id(leaf))
    if type(leaf) in (bool, int, float, complex):
        return type(leaf)
    array = leaf._array if isinstance(leaf, Tensor) else leaf
    return type(leaf), type(array), array.dtype, array.shape
