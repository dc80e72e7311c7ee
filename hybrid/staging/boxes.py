"""Variables from outside that the traced function writes: globals, and those of functions around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hybrid.core.cell import Slot
from hybrid.frontend.runtime.undefined import Undefined, is_undefined

__all__ = ["BoxSlot", "Boxes"]


class BoxSlot(Slot):
    """A variable; other code that is traced must see it too, so it is really written, and put back after tracing."""

    __slots__ = ("before", "box")

    def __init__(self, box: Any):
        self.box, self.birth = box, 0
        self.before = self.read()

    def read(self) -> Any:
        """What is bound."""
        try:
            return self.box.read()
        except NameError:
            return Undefined(f"the variable {self.box.name}")

    def restore(self, content: Any) -> None:
        """Bind, or unbind."""
        bind(self.box, None, content)


def bind(box: Any, _: Any, content: Any) -> None:
    """Bind a variable, or unbind it."""
    if not is_undefined(content):
        box.write(content)
        return
    try:
        box.unbind()
    except NameError:
        pass


class Boxes:
    """The part of the stager that reads and writes variables from outside."""

    tracer: Any
    boxes: dict[Any, BoxSlot]

    @property
    def depth(self) -> int:
        """How many stretches of tracing that may be undone are around here."""
        return self.tracer.journal.depth

    def changes_box(self, box: Slot) -> None:
        """Take note of a variable of the traced function itself, before it changes."""
        self.tracer.journal.note(box)

    def read_box(self, box: Any, is_peek: bool) -> Any:
        """What is bound."""
        slot = self.boxes.get(box.place)
        value = box.read()
        if slot is not None and not self._is_as_before(slot, value):
            return value if is_peek else self.load_free(box.name, value)  # type: ignore[attr-defined]
        if is_peek and slot is None:
            return value
        return self._outer_value(box, value)

    def _is_as_before(self, slot: BoxSlot, value: Any) -> bool:
        return value is slot.before

    def _outer_value(self, box: Any, value: Any) -> Any:
        """A variable as it was before the call: a number is an input."""
        outside = self.tracer.outside
        if type(value) in (int, float, complex, bool) and box.place not in outside.static:
            known = self.numbers.get(box.place)  # type: ignore[attr-defined]
            if known is None:
                known = self.numbers[box.place] = outside.number(value, box.read, f"the variable {box.name}", box.place)  # type: ignore[attr-defined]
            return known
        return self.outer(outside.constant(value, box.read, f"the variable {box.name}"))  # type: ignore[attr-defined]

    def write_box(self, box: Any, value: Any) -> None:
        """Bind."""
        slot = self._slot(box)
        self.tracer.journal.note(slot)
        slot.restore(value)

    def unbind_box(self, box: Any) -> None:
        """Unbind."""
        _ = box.read()
        self.write_box(box, Undefined(f"the variable {box.name}"))

    def _slot(self, box: Any) -> BoxSlot:
        if box.place not in self.boxes:
            self.boxes[box.place] = BoxSlot(box)
        return self.boxes[box.place]

    def written_boxes(self) -> list[tuple[Callable[..., None], Any, Any, Any]]:
        """The variables to be set after the call."""
        return [(bind, slot.box, None, slot.read()) for slot in self.boxes.values() if slot.read() is not slot.before]

    def put_back_boxes(self) -> None:
        """Give every variable its old value."""
        for slot in self.boxes.values():
            slot.restore(slot.before)
