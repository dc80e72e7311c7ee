"""What a function changes outside of itself: at its end, and noted before what may fail, since an exception leaves it half done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hybrid.core.table import OPS
from hybrid.ir.traced import Traced
from hybrid.staging.making import Maker
from hybrid.staging.recipe import Changes, Write

__all__ = ["Noted"]


class Noted:
    """The changes of one function while it is traced.

    Attributes:
        given: the stand-ins of its arguments.
        has_noted: whether anything was noted.
    """

    def __init__(self, stager: Any):
        self._stager = stager
        self._is_paused = False
        self._last: tuple[Any, int, int, Any] | None = None
        self.given: Sequence[Traced] = ()
        self.has_noted = False

    def maker(self) -> Maker:
        """What makes the parts of the function's result and of its changes."""
        return Maker(self._stager, {id(x): i for i, x in enumerate(self.given)})

    def changes(self, maker: Maker) -> Changes:
        """All that is changed at this point of the function."""
        pending = self._stager.pending()
        writes = tuple(Write(put, maker.part(owner), name, maker.part(content)) for put, owner, name, content in pending)
        arrays = tuple((i, maker.operand(handle)) for i, handle in enumerate(self.handles()) if handle.is_written)
        return Changes(arrays, writes)

    def note(self) -> None:
        """Write the present changes down, unless there are none or they were noted already."""
        tracer = self._stager.tracer
        if self._is_paused or self._is_noted():
            return
        if not self.has_noted and not self._stager.pending() and not any(handle.is_written for handle in self.handles()):
            return
        with self.paused(), tracer.unwatched():
            maker = self.maker()
            changes = self.changes(maker)
            tracer.builder.emit(OPS["half_done"], maker.operands, {"changes": changes})
        self.has_noted = True
        self._last = (tracer.builder, tracer.journal.count, tracer.builder.count, tracer.builder.nodes_since(tracer.builder.count - 1)[0])

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Note nothing, for the duration of a block."""
        outer, self._is_paused = self._is_paused, True
        try:
            yield
        finally:
            self._is_paused = outer

    def handles(self) -> list[Traced]:
        """The stand-ins for everything that the function was given or reads from outside."""
        return [*self.given, *(x.traced for x in self._stager.tracer.outside.lifted)]

    def _is_noted(self) -> bool:
        """Whether the last note is still there, and nothing was changed since."""
        if self._last is None:
            return False
        builder, changes, count, node = self._last
        tracer = self._stager.tracer
        return (
            builder is tracer.builder
            and changes == tracer.journal.count
            and count <= builder.count
            and builder.nodes_since(count - 1)[0] is node
        )
