"""``raise``, ``assert`` and how exceptions of the trace become exceptions of the run."""

from __future__ import annotations

import builtins
import re
from typing import Any, Final

from hybrid.control.failure import Raised
from hybrid.control.scope import StagedRaise
from hybrid.core.table import OPS
from hybrid.errors import StagingError
from hybrid.frontend.runtime.blocks import UNSET
from hybrid.ir.traced import Traced
from hybrid.staging.making import USERS, Maker, reasons_of
from hybrid.staging.opaque import Opaque
from hybrid.staging.recipe import Run
from hybrid.staging.text import Formatted, Text, template_of

__all__ = ["Raising"]

STAND_INS: Final = re.compile(
    r"\b(Traced|Number|Size|Variant|Opaque|Text|TextMethod|StagedRange|Combined|Rows|Dim|LazyItems|Walker)"
    r"(['\"]| object|\(\)| is not| and | to |$)"
)
"""How messages of Python show our stand-ins, where code that isn't converted met one."""


class Raising:
    """The part of the stager that raises."""

    tracer: Any

    def raise_stmt(self, error: Any, cause: Any = UNSET) -> None:
        """``raise error`` or ``raise error from cause``."""
        if isinstance(error, Opaque) or isinstance(cause, Opaque):
            self._raise_at_run(error, cause)
            return
        if isinstance(error, Traced | Text):
            raise TypeError("exceptions must derive from BaseException")
        if isinstance(error, type) and issubclass(error, BaseException):
            error = self.call(error, (), {})  # type: ignore[attr-defined]
        if isinstance(error, BaseException) and hasattr(error, "__dict__"):
            error.__dict__[USERS] = True
        if cause is UNSET:
            raise error
        raise error from cause

    def _raise_at_run(self, error: Any, cause: Any) -> None:
        """Raise an exception that is an object of the run."""

        def again(problem: Any, reason: Any = UNSET) -> None:
            if reason is UNSET:
                raise problem
            raise problem from reason

        again.__qualname__ = "raise"
        self.host_statement("raise", again, error, *(() if cause is UNSET else (cause,)))  # type: ignore[attr-defined]
        raise StagedRaise

    def assert_stmt(self, test: Any, message: Any = None) -> None:
        """``assert``."""

        def fails() -> None:
            self.raise_stmt(AssertionError() if message is None else AssertionError(message()))

        self.if_stmt(test, lambda: None, fails, lambda: (), lambda state: None, ())  # type: ignore[attr-defined]

    def refuse_stand_ins(self, error: BaseException) -> None:
        """An exception about one of our stand-ins isn't one of the user's program."""
        if isinstance(error, TypeError | AttributeError) and STAND_INS.search(str_of(error)):
            raise StagingError(f"code that isn't converted was given a value that only running tells: {error}") from error

    def raises(self, error: BaseException) -> None:
        """Write down that the run raises an exception here."""
        self.refuse_stand_ins(error)
        with self.tracer.standing_at(error):
            self._raises(error)

    def _raises(self, error: BaseException) -> None:
        kind, (cause, context, is_hidden) = type(error), reasons_of(error)
        is_builtin = getattr(builtins, kind.__name__, None) is kind
        message = error.args[0] if len(error.args) == 1 else ""
        is_short = isinstance(message, str) or (isinstance(message, Text) and all(_is_native(part) for part in message.parts))
        is_plain = not {n for n in vars(error) if n != USERS} and len(error.args) < 2 and is_short
        if is_builtin and is_plain and cause is None and context is None and not is_hidden and kind is not UnicodeDecodeError:
            template, operands = template_of([message], "") if error.args else ((), [])
            OPS["fail"](*operands, error=kind.__name__, message=template)
            return
        maker = Maker(self)
        part = maker.part(error)
        self.tracer.emit_failure(maker.operands, Raised(kind.__name__, lambda values: part.make(Run(values))))


def str_of(error: BaseException) -> str:
    """The message of an exception, if it can be known."""
    return str(error) if all(isinstance(a, str) for a in error.args) else ""


def _is_native(part: Any) -> bool:
    return isinstance(part, str) or (isinstance(part, Formatted) and isinstance(part.value, Traced))
