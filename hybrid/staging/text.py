"""Text with values in it that only running tells: f-strings, printing, messages."""

from __future__ import annotations

import builtins
from typing import Any

from hybrid.control.choice import each
from hybrid.control.scope import StagedRaise
from hybrid.control.variant import Variant
from hybrid.core.pattern import Slot
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.ir.traced import Traced

__all__ = ["Text", "Texts"]


class Text:
    """A text in parts: known text, and traced values with how they are to be written."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Any, ...]):
        self.parts = parts

    def __add__(self, other: Any) -> Any:
        return Text((*self.parts, *other.parts)) if isinstance(other, Text) else Text((*self.parts, other))

    def __radd__(self, other: str) -> Any:
        return Text((other, *self.parts))


class Formatted:
    """A traced value and how it is to be written."""

    __slots__ = ("conversion", "spec", "value")

    def __init__(self, value: Traced, conversion: str, spec: str):
        self.value, self.conversion, self.spec = value, conversion, spec


class Texts:
    """The part of the stager that makes text, prints and raises."""

    tracer: Any

    def format(self, value: Any, conversion: str | None = None, spec: Any = "") -> Any:
        """``{value!conversion:spec}``."""
        if isinstance(value, Variant):
            return each(self.tracer, lambda option: self.format(option, conversion, spec), value)
        if isinstance(value, Traced):
            return Text((Formatted(value, conversion or "", spec),))
        if isinstance(value, Text) and not spec and conversion in (None, "s"):
            return value
        if conversion is not None:
            value = {"s": str, "r": repr, "a": ascii}[conversion](value)
        return builtins.format(value, spec)

    def fstring(self, *parts: Any) -> Any:
        """The pieces of an f-string."""
        if any(isinstance(part, Variant) for part in parts):
            return each(self.tracer, self.fstring, *parts)
        if not any(isinstance(part, Text) for part in parts):
            return "".join(parts)
        return Text(tuple(piece for part in parts for piece in (part.parts if isinstance(part, Text) else (part,))))

    def print_(self, *values: Any, sep: str | None = " ", end: str | None = "\n", **rest: Any) -> None:
        """``print``, when the function runs."""
        if rest:
            raise StagingError(f"wanted print with sep= and end= only in a compiled function, received {', '.join(rest)}=")
        if any(isinstance(value, Variant) for value in values):
            each(self.tracer, lambda *options: self.print_(*options, sep=sep, end=end), *values)
            return
        template, operands = self._template([self.format(v, "s") for v in values], " " if sep is None else sep)
        OPS["print_text"](*operands, template=(*template, "\n" if end is None else end))

    def raise_stmt(self, error: Any, cause: Any = None) -> None:
        """``raise``, when the function runs."""
        raised = error() if isinstance(error, type) else error
        parts = [self.format(a, "s") for a in raised.args]
        if len(parts) > 1 and any(isinstance(part, Text) for part in parts):
            raise StagingError(f"wanted an exception with one message in a compiled function, received {raised!r}")
        template, operands = self._template(parts[:1], "") if parts else ((), [])
        kind = type(raised)
        name = kind.__name__ if getattr(builtins, kind.__name__, None) is kind else kind
        OPS["fail"](*operands, error=name, message=template)
        raise StagedRaise

    def assert_stmt(self, test: Any, message: Any = None) -> None:
        """``assert``."""

        def fails() -> None:
            self.raise_stmt(AssertionError() if message is None else AssertionError(message()))

        self.if_stmt(test, lambda: None, fails, lambda: (), lambda state: None, ())  # type: ignore[attr-defined]

    def _template(self, texts: list[Any], separator: str) -> tuple[tuple[Any, ...], list[Any]]:
        """Texts as known pieces and places for values, and the values."""
        template: list[Any] = []
        operands: list[Any] = []
        for i, text in enumerate(texts):
            pieces = (
                (text.parts if isinstance(text, Text) else (text,))
                if not i
                else (separator, *(text.parts if isinstance(text, Text) else (text,)))
            )
            for piece in pieces:
                if isinstance(piece, Formatted):
                    template.append((Slot(len(operands)), piece.conversion, piece.spec))
                    operands.append(piece.value)
                else:
                    template.append(piece)
        return tuple(template), operands
