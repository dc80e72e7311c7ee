"""The tracer of functions with control flow: it also knows what was read from outside, and what was written there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from hybrid._util.source import Location, user_location
from hybrid.core.cell import root, roots
from hybrid.core.table import OPS
from hybrid.core.tensor import Eager
from hybrid.errors import HybridError
from hybrid.frontend.origin import SOURCES, location_of
from hybrid.ir.fallible import never_fails
from hybrid.ir.graph import Const
from hybrid.ir.trace import Tracer
from hybrid.ir.traced import Traced
from hybrid.staging.sizes import Size
from hybrid.staging.state import Outside

__all__ = ["FunctionTracer"]


def _as_raised(error: Exception) -> BaseException:
    """What NumPy or Python raised, without what our refusals add to its message."""
    original = error.__context__
    is_ours = error.__suppress_context__ and error.__cause__ is None and original is not None
    return original if is_ours and not isinstance(original, HybridError) and not isinstance(error, HybridError) else error  # type: ignore[return-value]


class FunctionTracer(Tracer):
    """A tracer for which arrays from outside are inputs, not constants."""

    def __init__(self) -> None:
        super().__init__()
        self.outside = Outside(self)
        self.watching: list[Any] = []
        self.stager: Any = None
        self.keeps_objects = False
        self.is_single = False
        self._place: Location | None = None
        self.is_identity_asked = False

    def bind(self, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Write an operation down; in the body of a ``try``, after what an exception would leave behind."""
        if self.watching:
            self.watching[-1].checkpoint()
        if not never_fails(op.name, kwargs, args):
            self.may_fail_now()
        try:
            return super().bind(op, args, kwargs)
        except Exception as error:
            problem = _as_raised(error)
        raise problem

    def raises(self, error: BaseException) -> None:
        """Write down that the run raises an exception here."""
        self.stager.raises(error)

    def emit_failure(self, operands: list[Any], raised: Any) -> None:
        """Raise what is made of operands."""
        if self.watching:
            self.watching[-1].checkpoint()
        self.may_fail_now()
        self.builder.emit(OPS["fail"], operands, {"error": raised, "message": ()}, self.location())

    def is_from_outside(self, value: Any) -> bool:
        """Whether a value is an array that others than the traced function see."""
        if isinstance(value, np.ndarray | Eager):
            return True
        if not isinstance(value, Traced) or value.is_scalar:
            return False
        given = [root(handle.storage) for handle in self.stager.progress.handles()]
        return any(cell is other for cell in roots(value.storage) for other in given)

    def may_fail_now(self) -> None:
        """Note what was changed so far: an exception would leave it half done."""
        if self.stager is not None:
            self.stager.progress.note()

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Write operations down that belong to no body, for the duration of a block."""
        watching, self.watching = self.watching, []
        try:
            yield
        finally:
            self.watching = watching

    def truth_of(self, value: Any) -> Any:
        """The truth value of what isn't traced."""
        return self.stager.truth_of(value)

    def operand(self, value: Any) -> Any:
        """What stands for a value in the graph."""
        if isinstance(value, np.ndarray | Eager):
            return self.outside.array(value).value
        return super().operand(value)

    def location(self) -> Location | None:
        """Where the user's code is, in the user's own file."""
        if self._place is not None:
            return self._place
        found = user_location()
        source = SOURCES.get(found.file) if found is not None else None
        if found is None or source is None:
            return found
        return source.user_location((found.line, found.end_line, found.column or 0, found.end_column), found.line)

    @contextmanager
    def standing_at(self, error: BaseException) -> Iterator[None]:
        """What is written down comes from the line that raised an exception, for the duration of a block."""
        around, traceback = self._place, error.__traceback__
        while traceback is not None:
            self._place = location_of(traceback.tb_frame, traceback.tb_lasti) or self._place
            traceback = traceback.tb_next
        try:
            yield
        finally:
            self._place = around

    def static(self, value: Any) -> Any:
        """An attribute; an integer that only running tells may be a size."""
        if isinstance(value, Size):
            return value.dim
        if isinstance(value, Traced) and isinstance(value.value, Const):
            return value.value.value.tolist()
        if isinstance(value, Traced) and value.dtype.kind in "iu" and not value.shape:
            number = value if value.spec.weak else OPS["item"](value)
            self.may_fail_now()
            return self.builder.emit(OPS["extent"], [self.operand(number)], {})[0].spec.shape[0]
        return super().static(value)

    def roots(self, value: Any) -> set[int]:
        """The positions of the inputs of the outermost graph that a value was made of."""
        seen: set[Any] = set()
        waiting = [value]
        while waiting:
            item = waiting.pop()
            if item not in seen:
                seen.add(item)
                waiting += self.builder.sources.get(item, ())
        return {i for i, given in enumerate(self.root.inputs) if given in seen}

    def stand_in(self, value: Any) -> Traced:
        """The stand-in for an array from outside, for writing to it."""
        return value if isinstance(value, Traced) else self.outside.array(value)
