"""Asking questions of staged values: truth, alternatives, and one answer for several of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hybrid._util.undefined import Undefined
from hybrid.control.branches import narrowed, stage_if
from hybrid.control.scope import RAISED, StagedRaise, Variables
from hybrid.control.variant import Variant
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.table import OPS
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced

__all__ = ["NOTHING", "each", "is_staged", "one_of", "switch", "truth", "without_undefined"]

NOTHING = Variables(lambda: (), lambda state: None, ())
"""No variables that an expression may change."""


def is_staged(value: Any) -> bool:
    """Whether only running tells the value."""
    return isinstance(value, Traced | Variant)


def one_of(tracer: Tracer, test: Any, then: Callable[[], Any], orelse: Callable[[], Any], variables: Variables = NOTHING) -> Any:
    """The value of one of two expressions, only one of which is evaluated; the test is a traced bool."""
    box: list[Any] = [None]

    def get() -> tuple[Any, ...]:
        return (*variables.get(), box[0])

    def put(state: Any) -> None:
        *outer, box[0] = state
        variables.set(tuple(outer))

    def side(expression: Callable[[], Any]) -> Callable[[], None]:
        def evaluate() -> None:
            box[0] = expression()

        return evaluate

    signal = stage_if(tracer, test, side(then), side(orelse), Variables(get, put, (*variables.names, "value")))
    if signal is RAISED:
        raise StagedRaise
    return box[0]


def switch(tracer: Tracer, variant: Variant, question: Callable[[Any], Any], variables: Variables = NOTHING) -> Any:
    """The answer to a question asked of the alternative that a variant turns out to be.

    A name that may be unbound is asked for by ``load``; where it isn't, it is bound.
    """
    places = [i for i, option in enumerate(variant.options) if not isinstance(option, Undefined)]

    def ask(k: int) -> Any:
        i = places[k]
        if k == len(places) - 1:
            return question(variant.options[i])
        return one_of(tracer, variant.tag == i, lambda: question(variant.options[i]), lambda: ask(k + 1), variables)

    return ask(0)


def without_undefined(value: Any) -> Any:
    """A value that is known to be bound."""
    if not isinstance(value, Variant):
        return value
    refuse_unbound(value.tag.tracer, value)
    for option in value.options:
        if isinstance(option, Undefined) and isinstance(value, Variant):
            value = narrowed(value, option)
    return value


def each(tracer: Tracer, function: Callable[..., Any], *values: Any) -> Any:
    """The function of the values, where variants among them stand for each of their alternatives."""
    for i, value in enumerate(values):
        if isinstance(value, Variant):
            refuse_unbound(tracer, value)
            return switch(tracer, value, lambda option, i=i: each(tracer, function, *values[:i], option, *values[i + 1 :]))
    return function(*values)


def refuse_unbound(tracer: Tracer, variant: Variant) -> None:
    """Raise at run time where a name turns out to be unbound that a function inside reads."""

    def fails(name: str) -> None:
        raise NameError(f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope", name=name)

    for i, option in enumerate(variant.options):
        if isinstance(option, Undefined) and str(option.name).isidentifier():
            stage_if(tracer, variant.tag == i, lambda option=option: fails(option.name), lambda: None, NOTHING)


def truth(tracer: Tracer, value: Any) -> Any:
    """The truth value of anything: a Python bool, or a traced one; ``ValueError`` for arrays of several elements."""
    if isinstance(value, Variant):
        return switch(tracer, value, lambda option: truth(tracer, option))
    if not isinstance(value, Traced):
        return tracer.truth_of(value)
    if value.spec.weak:
        return value if value.dtype.kind == "b" else OPS["call_python"](value, function="truth")
    if not all(isinstance(size, int) for size in value.shape):
        return tracer.truth_of(value)
    if value.size != 1:
        return bool(np.empty(value.shape))  # raises as it should
    flat = value.reshape(()) if value.shape else value
    return OPS["item"](flat if value.dtype.kind == "b" else flat != 0)


Variant.ask = staticmethod(lambda function, *values: each(INTERPRETER.get(), function, *values))  # type: ignore[arg-type]
