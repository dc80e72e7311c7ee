"""Calls that only Python can make: they are made while the function runs, in order, each time."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any, Final

import numpy as np

from hybrid._util.tree import flatten, unflatten
from hybrid.control.host import HostCall, hold
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.spec import Spec
from hybrid.core.table import OPS
from hybrid.core.tensor import unwrap
from hybrid.frontend.runtime.callees import GENERATED
from hybrid.ir.traced import Traced
from hybrid.staging.draws import made_kind
from hybrid.staging.making import Maker
from hybrid.staging.opaque import Opaque
from hybrid.staging.py_function import PyFunction
from hybrid.staging.recipe import Run
from hybrid.staging.text import content_of

__all__ = ["Hosts"]

FLOAT, INT, BOOL = Spec.parse("float"), Spec.parse("int"), Spec.parse("bool")

TYPED: Final[dict[Any, Spec]] = {
    **dict.fromkeys((time.time, time.perf_counter, time.monotonic, time.process_time, time.thread_time), FLOAT),
    **dict.fromkeys((time.time_ns, time.perf_counter_ns, time.monotonic_ns, time.process_time_ns), INT),
    **dict.fromkeys((random.random, random.uniform, random.gauss, random.normalvariate, random.expovariate, random.triangular), FLOAT),
    **dict.fromkeys((random.randint, random.randrange, random.getrandbits), INT),
    **dict.fromkeys((len, hash, id, ord), INT),
    **dict.fromkeys((bool, isinstance, callable, hasattr), BOOL),
    float: FLOAT,
    int: INT,
    complex: Spec.parse("complex"),
}
"""What functions return whose results are always of one type."""


class Hosts:
    """The part of the stager that calls Python at run time."""

    tracer: Any
    lists: Any
    dicts: Any

    def host(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, *, changes: bool = False) -> Any:
        """Call a function when the traced function runs; ``changes`` says that it may write into its arguments."""
        if changes and spec_of_result(function) is None and made_kind(function) is None:
            self.world_changed = True
        for container in (*captured_by((function, *args), self.tracer.outside.is_outside), *(args if changes else ())):
            self._release(container)
        maker = Maker(self, may_change=changes)
        called, given = maker.part(function), [maker.part(a) for a in args]
        named = {name: maker.part(value) for name, value in (kwargs or {}).items()}

        def run(values: Any) -> Any:
            made = Run(values)
            return called.make(made)(*(p.make(made) for p in given), **{name: p.make(made) for name, p in named.items()})

        spec = spec_of_result(function)
        call = HostCall(_name(function), run if spec is None else lambda values: (run(values),), None if spec is None else (spec,))
        result = self._called(call, maker, changes)
        return result if spec is not None else Opaque(result, _name(function), made_kind(function))

    def call_stated(self, function: PyFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function whose result is stated."""
        self.world_changed = True
        self.tracer.outside.met(function.function)
        for container in (*captured_by(args, self.tracer.outside.is_outside), *args):
            self._release(container)
        maker = Maker(self, may_change=True)
        called, given = maker.part(function.function), [maker.part(a) for a in args]
        named = {name: maker.part(value) for name, value in kwargs.items()}

        def run(values: Any) -> Any:
            made = Run(values)
            result = called.make(made)(*(p.make(made) for p in given), **{name: p.make(made) for name, p in named.items()})
            arrays = [unwrap(x) for x in function.values(result) if x is not None]
            return tuple(np.array(x) if isinstance(x, np.ndarray) else x for x in arrays)

        specs = tuple(leaf.unknown_spec for leaf in function.leaves if leaf.spec is not None)
        values = iter(self._emitted(HostCall(_name(function.function), run, specs), maker, True))
        made = [leaf.spec and self.tracer.fresh(next(values), leaf.is_scalar, leaf.is_tensor) for leaf in function.leaves]
        return unflatten(function.structure, made)

    def _release(self, container: Any) -> None:
        """Make a list, dict or set that an unknown function may change an object of the run."""
        if not isinstance(container, list | dict | set):
            return
        if self.tracer.outside.is_shared(container) and not self.is_changed(container):  # type: ignore[attr-defined]
            return
        if isinstance(container, list):
            self.lists.as_object(self.lists.slot(container))
        else:
            self.dicts.as_object(container)

    def host_method(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a method of a list: only some of them give something."""
        if function in (list.pop, list.index, list.count, list.copy):
            return self.host(function, args, kwargs)
        self.host_statement(function.__name__, functools.partial(function, **kwargs), *args)
        return None

    def host_statement(self, name: str, function: Callable[..., Any], *args: Any, changes: bool = False) -> None:
        """Call a function of whose result nothing is wanted; ``changes`` says that it writes into the first argument, an array."""
        maker = Maker(self)
        given = [maker.part(a) for a in args]

        def run(values: Any) -> tuple[()]:
            made = Run(values)
            function(*(part.make(made) for part in given))
            return ()

        self._called(HostCall(name, run, ()), maker, changes)

    def host_change(self, function: Callable[..., Any], target: Traced, *args: Any) -> Traced:
        """Call a function that writes into an array and nothing else; the array."""
        self.host_statement(function.__name__, function, target, *args, changes=True)
        return target

    def _called(self, call: HostCall, maker: Maker, changes: bool) -> Any:
        results = self._emitted(call, maker, changes)
        return self.tracer.fresh(results[0], is_scalar=True) if results else None

    def _emitted(self, call: HostCall, maker: Maker, changes: bool) -> Any:
        """Write a call down; its results, after the arrays that it may write into got what it left in them."""
        written = self._written(maker) if changes else []
        if written:
            call = _giving_back(call, [maker.operands.index(t.value) for t in written], tuple(t.spec for t in written))
        if self.tracer.watching:
            self.tracer.watching[-1].checkpoint()
        self.tracer.may_fail_now()
        self.tracer.keeps_objects = True
        results = self.tracer.builder.emit(OPS["host"], maker.operands, {"call": call}, self.tracer.location())
        count = len(results) - len(written)
        for traced, value in zip(written, results[count:], strict=True):
            traced.storage.write(value)
        return results[:count]

    def _written(self, maker: Maker) -> list[Traced]:
        """The arrays among the arguments, which the function may write into."""
        arrays = [x for x in flatten(maker.kept)[0] if isinstance(x, Traced) and not x.is_scalar and not x.spec.weak and not x.is_read_only]
        return list({id(x.storage): x for x in arrays}.values())


def spec_of_result(function: Any) -> Spec | None:
    """The type of what a function returns, where it is always one."""
    return TYPED.get(function) if isinstance(function, type) or type(function).__hash__ is not None else None


def captured_by(functions: Iterable[Any], is_outside: Callable[[Any], bool]) -> Iterator[Any]:
    """What the functions among some values, made by the traced function, have around them and may change."""
    waiting, seen = list(functions), set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or is_outside(value):
            continue
        seen.add(id(value))
        if isinstance(value, MethodType):
            waiting += (value.__func__, value.__self__)
        elif isinstance(value, functools.partial):
            waiting += (value.func, *value.args, *value.keywords.values())
        elif isinstance(value, FunctionType):
            around = [content_of(cell) for cell in value.__closure__ or ()]
            yield from around if value.__code__.co_filename.startswith(GENERATED) else ()
            waiting += around


def _giving_back(call: HostCall, positions: list[int], specs: tuple[Spec, ...]) -> HostCall:
    """The same call on copies of arrays, which are results too."""

    def run(values: Any) -> Any:
        values = list(values)
        for i in positions:
            values[i] = np.array(values[i])
        result = call.run(values)
        first = (hold(result),) if call.results is None else tuple(result or ())
        return (*first, *(values[i] for i in positions))

    return HostCall(call.name, run, ((INT,) if call.results is None else call.results) + specs)


def _name(function: Any) -> str:
    if isinstance(function, Opaque | Traced):
        return "an object"
    return getattr(function, "__qualname__", None) or type(function).__name__


def _ask(function: Callable[..., Any], *operands: Any) -> Any:
    """An operator with an object of the run among its operands."""
    stager = INTERPRETER.get().stager  # type: ignore[union-attr]
    return stager.ask(function, *operands)


Opaque.ask = staticmethod(_ask)  # type: ignore[assignment]
