"""``bind``: the only way into an operation."""

from __future__ import annotations

from typing import Any

from hybrid.core.interpreter import INTERPRETER
from hybrid.core.refusal import refusal
from hybrid.core.tensor import Eager, Tensor, unwrap, wrap

__all__ = ["bind"]


def bind(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operation with NumPy, or hand it to the interpreter in charge."""
    interpreter = INTERPRETER.get()
    if interpreter is not None:
        return interpreter.bind(op, args, kwargs)
    try:
        arrays = [x._array if type(x) is Tensor else unwrap(x) for x in args]
        if kwargs:
            kwargs = {name: unwrap(x) if name in op.tensors or isinstance(x, Eager) else x for name, x in kwargs.items()}
        return wrap(op.kernel(*arrays, **kwargs))
    except Exception as error:
        raise refusal(error, f"hybrid.{op.name}", args, kwargs) from None
