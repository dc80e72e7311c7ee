"""``bind``: the only way into an operation."""

from __future__ import annotations

from typing import Any

from hybrid.core.interpreter import INTERPRETER
from hybrid.core.refusal import is_foreign, refusal
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
        if op.mutates:
            return _write(op, args, kwargs)
        if len(args) == 1:
            (x,) = args
            result = op.kernel(x._array if type(x) is Tensor else unwrap(x), **kwargs)
        elif len(args) == 2:
            x, y = args
            result = op.kernel(x._array if type(x) is Tensor else unwrap(x), y._array if type(y) is Tensor else unwrap(y), **kwargs)
        else:
            result = op.kernel(*map(unwrap, args), **kwargs)
    except Exception as error:
        if is_foreign(error):
            raise
        raise refusal(error, f"hybrid.{op.name}", args, kwargs, names=op) from None
    return wrap(result)


def _write(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operation that writes into its first argument."""
    target = args[0] if args and isinstance(args[0], Eager) else None
    if target is None:
        return wrap(op.kernel(*map(unwrap, args), **kwargs))
    array = target._out()
    result = op.kernel(array, *map(unwrap, args[1:]), **kwargs)
    target._written(array)
    return wrap(result)
