"""``bind``: the only way into an operation."""

from __future__ import annotations

from itertools import count, repeat
from typing import Any

import numpy as np

from hybrid.core.dtypes import is_number
from hybrid.core.interpreter import INTERPRETER
from hybrid.core.kinds import NUMBERS
from hybrid.core.refusal import described, is_foreign, refusal, refuse_mask, told
from hybrid.core.tensor import Eager, Tensor, only_tensors, plain, unwrap, wrap
from hybrid.errors import DTypeError

__all__ = ["bind"]

_in_charge = INTERPRETER.get


def bind(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an operation with NumPy, or hand it to the interpreter in charge."""
    interpreter = _in_charge()
    if interpreter is not None:
        return interpreter.bind(op, args, kwargs)
    try:
        if kwargs:
            kwargs = {name: x if type(x) in NUMBERS else _given(op, name, x) for name, x in kwargs.items()}
        if op.mutates:
            return _write(op, args, kwargs)
        if len(args) == 1:
            (x,) = args
            result = op.kernel(x._array if type(x) is Tensor else _given(op, 0, x), **kwargs)
        elif len(args) == 2:
            x, y = args
            arrays = x._array if type(x) is Tensor else _given(op, 0, x), y._array if type(y) is Tensor else _given(op, 1, y)
            result = op.kernel(*arrays, **kwargs)
        else:
            result = op.kernel(*map(_given, repeat(op), count(), args), **kwargs)
        made = wrap(result)
        return made if type(made) is Tensor else only_tensors(made)
    except Exception as error:
        if is_foreign(error):
            raise
        raise refusal(told(error), f"hybrid.{op.name}", args, kwargs, names=op) from None


def _given(op: Any, place: int | str, value: Any) -> Any:
    """What a kernel is to be given for the argument at a position or of a name: plain arrays and numbers for tensors."""
    if type(value) in NUMBERS:
        return unwrap(value)
    name = place if isinstance(place, str) else op.positional[place] if place < len(op.positional) else op.rest
    if name not in op.tensors or (value is None and name in op.optional):
        refuse_mask(value)
        return plain(value)
    array = unwrap(value)
    if not isinstance(array, (list, tuple)):
        return array
    return list(map(_array, array)) if name in op.sequences else np.asarray(array)


def _array(item: Any) -> Any:
    """An item of a sequence of arrays; one that is a sequence itself, as an array."""
    return np.asarray(item) if isinstance(item, (list, tuple)) else item


def _write(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operation that writes into its first argument."""
    target, *others = args or (None,)
    arrays = map(_given, repeat(op), count(1), others)
    if isinstance(target, Eager):
        array = target._out()
        result = op.kernel(array, *arrays, **kwargs)
        target._written(array)
        return wrap(result)
    if not isinstance(target, np.ndarray) or not is_number(target.dtype):
        raise DTypeError(f"wanted a tensor or an array of numbers to write into, received {described(target)}")
    refuse_mask(target)
    return wrap(op.kernel(np.asarray(target), *arrays, **kwargs))
