"""Exceptions that a graph raises while it runs."""

from __future__ import annotations

import builtins
from typing import Any

from hybrid.core.op import op
from hybrid.core.pattern import Slot
from hybrid.core.spec import Spec
from hybrid.ops._samples import given, sample

__all__ = ["fail"]


def _nothing(*_: Spec, **__: Any) -> tuple[Spec, ...]:
    return ()


@op(
    infer=_nothing,
    effects=True,
    samples=[sample(given(3), error="ValueError", message=("bad ", Slot(0)))],
    no_gradient="nothing comes out",
)
def fail(*values, error: str | type[BaseException], message: tuple[Any, ...]) -> Any:
    """Raise an exception with a message that holds run-time values.

    Args:
        values: Python numbers, NumPy scalars or arrays that the message shows.
        error: the name of a built-in exception, or an exception class.
        message: text, and ``Slot(i)`` for the text of value ``i``; no parts for an exception without arguments.

    Raises:
        BaseException: the exception.

    >>> from hybrid.core.pattern import Slot
    >>> try:
    ...     hybrid.ops.OPS["fail"](3, error="ValueError", message=("bad ", Slot(0)))
    ... except ValueError as problem:
    ...     print(str(problem).splitlines()[0])
    bad 3
    """
    kind = getattr(builtins, error) if isinstance(error, str) else error
    text = "".join(str(values[part.number]) if isinstance(part, Slot) else part for part in message)
    raise kind(text) if message else kind()
