"""``bind``: the only way into an operation."""

from __future__ import annotations

from typing import Any

from hybrid.core.interpreter import INTERPRETER
from hybrid.core.refusal import refusal
from hybrid.core.tensor import Eager, Tensor, unwrap, wrap

__all__ = ["bind"]

_in_charge = INTERPRETER.get


def bind(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an operation with NumPy, or hand it to the interpreter in charge."""
    interpreter = _in_charge()
    if interpreter is not None:
        return interpreter.bind(op, args, kwargs)
    try:
        if kwargs:
            kwargs = {name: unwrap(x) if name in op.tensors or isinstance(x, Eager) else x for name, x in kwargs.items()}
        elif len(args) == 2:  # the common case, without a loop
            x, y = args
            return wrap(op.kernel(x._array if type(x) is Tensor else unwrap(x), y._array if type(y) is Tensor else unwrap(y)))
        return wrap(op.kernel(*map(unwrap, args), **kwargs))
    except Exception as error:
        raise refusal(error, f"hybrid.{op.name}", args, kwargs) from None
