"""Text that a graph makes while it runs: printed, or the message of an exception."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from hybrid.core.op import op
from hybrid.core.pattern import Slot
from hybrid.core.spec import Spec
from hybrid.ops._samples import given, sample

__all__ = ["Raised", "fail", "formatted", "print_text", "rendered"]


class Raised:
    """An exception that is more than a class and a text.

    Attributes:
        name: for people.
        make: the exception, for run-time values.
    """

    __slots__ = ("make", "name")

    def __init__(self, name: str, make: Callable[[Sequence[Any]], BaseException]):
        self.name, self.make = name, make

    def __repr__(self) -> str:
        return self.name


def _nothing(*_: Spec, **__: Any) -> tuple[Spec, ...]:
    return ()


@op(
    infer=_nothing,
    effects=True,
    samples=[sample(given(3), error="ValueError", message=("bad ", (Slot(0), "", "")))],
    no_gradient="nothing comes out",
)
def fail(*values, error: str | type[BaseException] | Raised, message: tuple[Any, ...] = ()) -> Any:
    """Raise an exception with a message that holds run-time values.

    Args:
        values: Python numbers, NumPy scalars or arrays that the message shows.
        error: the name of a built-in exception, an exception class, or what makes the exception of the values.
        message: text, and ``(Slot(i), conversion, format)`` for value ``i``; no parts for an exception without arguments.

    Raises:
        BaseException: the exception.

    >>> from hybrid.core.pattern import Slot
    >>> try:
    ...     hybrid.ops.OPS["fail"](3, error="ValueError", message=("bad ", (Slot(0), "", "")))
    ... except ValueError as problem:
    ...     print(str(problem).splitlines()[0])
    bad 3
    """
    if isinstance(error, Raised):
        raise error.make(values)
    kind = getattr(builtins, error) if isinstance(error, str) else error
    raise kind(rendered(message, values)) if message else kind()


@op(
    infer=_nothing,
    effects=True,
    samples=[sample(given(3), template=("x = ", (Slot(0), "r", ""), "\n"))],
    no_gradient="nothing comes out",
)
def print_text(*values, template: tuple[Any, ...]) -> Any:
    """Print a text that holds run-time values.

    Args:
        values: Python numbers, NumPy scalars or arrays that the text shows.
        template: text, and ``(Slot(i), conversion, format)`` for value ``i``, as ``{value!conversion:format}`` in an f-string.

    Returns:
        Nothing.

    >>> from hybrid.core.pattern import Slot
    >>> hybrid.ops.OPS["print_text"](2.5, template=("x = ", (Slot(0), "", ".2f"), "\\n"))
    x = 2.50
    ()
    """
    print(rendered(template, values), end="")
    return ()


def rendered(template: tuple[Any, ...], values: tuple[Any, ...]) -> str:
    """The text of a template."""
    return "".join(part if isinstance(part, str) else formatted(values[part[0].number], *part[1:]) for part in template)


def formatted(value: Any, conversion: str, spec: str) -> str:
    """``{value!conversion:spec}``."""
    convert = {"": lambda x: x, "s": str, "r": repr, "a": ascii}[conversion]
    return format(convert(value), spec)
