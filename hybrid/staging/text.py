"""Text with values in it that only running tells: f-strings, printing, messages."""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import AsyncGeneratorType, CellType, CoroutineType, FunctionType, GeneratorType
from typing import Any, ClassVar, Final

import numpy as np

from hybrid.control.choice import each
from hybrid.control.variant import Variant
from hybrid.core.pattern import Slot
from hybrid.core.table import OPS
from hybrid.frontend.runtime.callees import is_users_file
from hybrid.ir.traced import Traced
from hybrid.staging.opaque import Opaque
from hybrid.staging.seen import example_of

__all__ = ["Formatted", "Text", "TextMethod", "Texts", "content_of"]

CONVERSIONS: Final = {"s": str, "r": repr, "a": ascii}


def _asked(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *others: Opaque.ask(function, self, *others)


@dataclass(frozen=True, eq=False, repr=False)
class Text:
    """A text in parts: known text, and run-time values with how they are to be written."""

    parts: tuple[Any, ...]
    __array_ufunc__: ClassVar[None] = None

    def __add__(self, other: Any) -> Any:
        if isinstance(other, str | Text):
            return Text((*self.parts, *(other.parts if isinstance(other, Text) else (other,))))
        return Opaque.ask(operator.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return Text((other, *self.parts)) if isinstance(other, str) else Opaque.ask(operator.add, other, self)

    __mul__, __mod__, __getitem__ = _asked(operator.mul), _asked(operator.mod), _asked(operator.getitem)
    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = map(
        _asked, (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
    )
    __rmul__ = _asked(lambda text, times: times * text)

    def __hash__(self) -> int:
        raise next(p for p in self.parts if isinstance(p, Formatted)).unknown("be a key or an item of a set")

    def __bool__(self) -> bool:
        raise next(p for p in self.parts if isinstance(p, Formatted)).unknown("decide a Python branch")

    def __iter__(self) -> Any:
        raise next(p for p in self.parts if isinstance(p, Formatted)).unknown("be iterated over by code that isn't converted")

    def __str__(self) -> str:
        raise next(p for p in self.parts if isinstance(p, Formatted)).unknown("become text for code that isn't converted")

    def __repr__(self) -> str:
        return "<a text of the run>"


@dataclass(frozen=True, eq=False)
class Formatted:
    """A run-time value and how it is to be written."""

    value: Traced | Opaque
    conversion: str = field(metadata={"static": True})
    spec: str = field(metadata={"static": True})

    def unknown(self, what: str) -> Exception:
        """The refusal to do what needs the value now."""
        return self.value._unknown(what)


class TextMethod:
    """A method of a text that has values in it."""

    def __init__(self, text: Text, name: str):
        self.text, self.name = text, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Opaque.ask(lambda text, *rest: getattr(text, self.name)(*rest, **kwargs), self.text, *args)


class Texts:
    """The part of the stager that makes text and prints."""

    tracer: Any

    def format(self, value: Any, conversion: str | None = None, spec: Any = "") -> Any:
        """``{value!conversion:spec}``."""
        if isinstance(value, Variant) or isinstance(spec, Variant):
            return each(self.tracer, lambda option, how: self.format(option, conversion, how), value, spec)
        if isinstance(spec, Text | Opaque):
            converted = value if conversion is None else self.format(value, conversion)
            return self.host(builtins.format, (converted, spec))  # type: ignore[attr-defined]
        if isinstance(value, Traced):
            return self._format_traced(value, conversion or "", spec)
        if isinstance(value, Opaque):
            return Text((Formatted(value, conversion or "", spec),))
        if isinstance(value, Text):
            return value if not spec and conversion in (None, "s") else self._format_at_run(value, conversion, spec)
        if (
            isinstance(value, BaseException)
            and self.is_staged(value.args)
            and conversion in (None, "s")
            and len(value.args) == 1
            and not spec
        ):  # type: ignore[attr-defined]
            return self.format(value.args[0], "r" if isinstance(value, KeyError) else "s")
        return self._format_known(value, conversion, spec)

    def _format_traced(self, value: Traced, conversion: str, spec: str) -> Text:
        """A number, or what an array holds now."""
        shown = example_of(value)
        builtins.format(CONVERSIONS[conversion](shown) if conversion else shown, spec)  # refuses what can't be written like this
        snapshot = self.tracer.fresh(value.value, value.is_scalar, value.is_tensor) if value.shape else value
        return Text((Formatted(snapshot, conversion, spec),))

    def _format_known(self, value: Any, conversion: str | None, spec: str) -> Any:
        """An object whose own methods may be the user's."""
        name = {None: "__format__", "s": "__str__", "r": "__repr__", "a": "__repr__"}[conversion]
        method = getattr(type(value), name, None)
        if method is object.__format__ and not spec:
            method = type(value).__str__
        if method is object.__str__:
            method = type(value).__repr__
        if isinstance(method, FunctionType) and conversion != "a" and not hasattr(type(value), "__dataclass_fields__"):
            text = self.call(method, (value, spec) if name == "__format__" and method.__name__ == "__format__" else (value,), {})  # type: ignore[attr-defined]
            return text if conversion is None else self.format(text, None, spec)
        if self.is_staged(value.args if isinstance(value, BaseException) else value):  # type: ignore[attr-defined]
            return self._format_at_run(value, conversion, spec)
        if conversion is not None:
            value = CONVERSIONS[conversion](value)
        return builtins.format(value, spec)

    def _format_at_run(self, value: Any, conversion: str | None, spec: str) -> Any:
        if conversion is not None:
            value = self.host(CONVERSIONS[conversion], (value,))  # type: ignore[attr-defined]
        return self.host(builtins.format, (value, spec)) if spec or conversion is None else value  # type: ignore[attr-defined]

    def fstring(self, *parts: Any) -> Any:
        """The pieces of an f-string."""
        if any(isinstance(part, Variant) for part in parts):
            return each(self.tracer, self.fstring, *parts)
        if not any(isinstance(part, Text | Opaque) for part in parts):
            return "".join(parts)
        pieces: list[Any] = []
        for part in parts:
            pieces += part.parts if isinstance(part, Text) else [Formatted(part, "", "")] if isinstance(part, Opaque) else [part]
        return Text(tuple(pieces))

    def print_(self, *values: Any, sep: Any = " ", end: Any = "\n", **rest: Any) -> None:
        """``print``, when the function runs."""
        if any(isinstance(value, Variant) for value in values):
            each(self.tracer, lambda *options: self.print_(*options, sep=sep, end=end, **rest), *values)
            return
        texts = [self.format(v, "s") for v in values]
        separators = all(isinstance(x, str | None) for x in (sep, end))
        if rest or not separators or any(isinstance(t, Variant) for t in texts) or not all(map(_is_native, texts)):
            self.host_print(texts, sep=sep, end=end, **rest)
            return
        template, operands = template_of(texts, " " if sep is None else sep)
        OPS["print_text"](*operands, template=(*template, "\n" if end is None else end))

    def host_print(self, texts: list[Any], **options: Any) -> None:
        """``print`` of objects of the run."""
        self.host_statement("print", lambda options, *given: print(*given, **options), options, *texts)  # type: ignore[attr-defined]

    def is_staged(self, value: Any) -> bool:
        """Whether anything in nested containers or in an object is known at run time only."""
        return _has_staged(self, value, set())


def _has_staged(stager: Any, value: Any, seen: set[int]) -> bool:
    if isinstance(value, Traced | Opaque | Text | Variant):
        return True
    if isinstance(value, str | int | float | complex | bytes | np.ndarray | np.generic | type | None) or id(value) in seen:
        return False
    seen.add(id(value))
    if isinstance(value, list | dict | set) and any(kind.content(value) is not None for kind in (stager.lists, stager.dicts)):
        return True
    if isinstance(value, slice):
        return any(_has_staged(stager, part, seen) for part in (value.start, value.stop, value.step))
    if isinstance(value, GeneratorType | CoroutineType | AsyncGeneratorType):
        frame = next(getattr(value, name) for name in ("gi_frame", "cr_frame", "ag_frame") if hasattr(value, name))
        return frame is not None and _has_staged(stager, dict(frame.f_locals), seen)
    if isinstance(value, FunctionType):
        inside = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *map(content_of, value.__closure__ or ())]
        return any(_has_staged(stager, item, seen) for item in inside)
    inner = list(vars(value).values()) if _may_hold(value) else []
    if isinstance(value, dict):
        inner += value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        inner += value
    return any(_has_staged(stager, item, seen) for item in inner)


def _may_hold(value: Any) -> bool:
    """Whether the attributes of an object may have been set by the traced function."""
    if isinstance(value, BaseException):
        return True
    kind = type(value)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    return type(getattr(value, "__dict__", None)) is dict and is_users_file(str(file), kind.__module__)


def content_of(cell: CellType) -> Any:
    """What is in the cell of a closure, if anything is."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _is_native(text: Any) -> bool:
    """Whether a graph can write a text without calling Python."""
    return isinstance(text, str) or (isinstance(text, Text) and all(isinstance(p, str) or isinstance(p.value, Traced) for p in text.parts))


def template_of(texts: list[Any], separator: str) -> tuple[tuple[Any, ...], list[Any]]:
    """Texts as known pieces and places for values, and the values."""
    template: list[Any] = []
    operands: list[Any] = []
    for i, text in enumerate(texts):
        pieces = text.parts if isinstance(text, Text) else (text,)
        for piece in pieces if not i else (separator, *pieces):
            if isinstance(piece, Formatted):
                template.append((Slot(len(operands)), piece.conversion, piece.spec))
                operands.append(piece.value)
            else:
                template.append(piece)
    return tuple(template), operands
