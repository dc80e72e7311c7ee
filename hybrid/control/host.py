"""Calls of Python while a graph runs, and the Python objects that such calls give: graphs hold their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from hybrid.control.attempt import HANDLED, in_context
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._samples import given, sample

__all__ = ["HostCall", "held", "hold", "host", "keeping_objects"]

OBJECTS: ContextVar[list[Any] | None] = ContextVar("hybrid_objects", default=None)

HANDLE = Spec.parse("int")


class HostCall:
    """What to call.

    Attributes:
        name: for people.
        run: gets the values of the operands.
        results: the specs of what it returns, a tuple of values; ``None`` if it returns an object, for which a number stands.
    """

    __slots__ = ("name", "results", "run")

    def __init__(self, name: str, run: Callable[[Sequence[Any]], Any], results: tuple[Spec, ...] | None = None):
        self.name, self.run, self.results = name, run, results

    def __repr__(self) -> str:
        return self.name


@contextmanager
def keeping_objects() -> Iterator[None]:
    """Keep the objects of one run, for the duration of a block."""
    token, handled = OBJECTS.set([]), HANDLED.set(())
    try:
        yield
    except BaseException as error:
        in_context(error)
        raise
    finally:
        HANDLED.reset(handled)
        OBJECTS.reset(token)


def hold(value: Any) -> int:
    """The number of an object, as long as the run lasts."""
    objects = OBJECTS.get()
    if objects is None:
        OBJECTS.set(objects := [])
    objects.append(value)
    return len(objects) - 1


def held(number: int) -> Any:
    """The object of a number."""
    objects = OBJECTS.get()
    assert objects is not None
    return objects[number]


def _results(*operands: Spec, call: HostCall) -> tuple[Spec, ...]:
    return (HANDLE,) if call.results is None else call.results


@op(
    infer=_results,
    effects=True,
    dtypes=(),
    samples=[sample(given(2.0), call=HostCall("double", lambda values: (values[0] * 2,), (Spec.parse("float"),)))],
    no_gradient="a call of Python",
)
def host(*operands, call: HostCall) -> tuple[Any, ...]:
    """Call a Python function.

    Args:
        operands: what it gets; any dtypes and shapes.
        call: the function, and what it returns.

    Returns:
        The results, or the number of the object that it returned.

    Raises:
        Exception: what the function raises.

    >>> from hybrid.control.host import HostCall
    >>> shout = HostCall("shout", lambda values: print("value", values[0]), ())
    >>> hybrid.ops.OPS["host"](3, call=shout)
    value 3
    ()
    """
    result = call.run(operands)
    return (hold(result),) if call.results is None else tuple(result or ())
