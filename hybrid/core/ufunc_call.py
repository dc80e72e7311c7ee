"""Calls of ufuncs, for operations: ``np.add(a, b, out=o, where=m, dtype=d)``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim
from hybrid.core.operators import refuse_overlap
from hybrid.core.refusal import described
from hybrid.core.spec import spec_of, weak_spec
from hybrid.core.table import OPS
from hybrid.errors import UnsupportedError

__all__ = ["adapt_ufunc", "fill_out"]


def adapt_ufunc(ufunc: np.ufunc, op: Any) -> Callable[..., Any]:
    """A function with a ufunc's parameters that calls the operation.

    ``dtype``, ``signature`` and ``casting`` choose the loop: the inputs are cast to its dtypes first. ``out`` is written to
    afterwards, where ``where`` is true; without ``out``, a mask would leave elements undefined and is refused.
    """

    def call(
        *args: Any,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        signature: Any = None,
        casting: str = "same_kind",
        order: str = "K",
        subok: bool = True,
        **others: Any,
    ) -> Any:
        inputs, outs = args[: ufunc.nin], _targets(ufunc, args[ufunc.nin :], out)
        if dtype is not None or signature is not None or casting != "same_kind":
            inputs = _cast(ufunc, inputs, outs, signature if dtype is None else (None,) * ufunc.nin + (dtype,) * ufunc.nout, casting)
        result = op(*inputs, **others)
        if len(outs) > 1:
            refuse_overlap(f"numpy.{ufunc.__name__} with two outputs", *outs)
        results = result if ufunc.nout > 1 else (result,)
        values = [_fitting(o, r, where, casting, ufunc.__name__) for o, r in zip(outs, results, strict=True)]  # before any is written
        written = tuple(map(_write, outs, values))
        return written if ufunc.nout > 1 else written[0]

    return call


def fill_out(out: Any, result: Any, name: str) -> Any:
    """Write a result where ``out=`` of the ufunc called ``name`` says, and return that; the result itself if ``out`` is ``None``.

    Raises ``TypeError`` where a cast within the same kind isn't possible, ``ValueError`` where the shapes don't fit.
    """
    return _write(out, _fitting(out, result, True, "same_kind", name))


def _fitting(out: Any, result: Any, where: Any, casting: str, name: str) -> Any:
    """What is to be written into ``out``: the result, or where a mask is false what ``out`` has already."""
    is_masked = where is not True and where is not np.True_
    if out is None and is_masked:
        raise UnsupportedError(
            f"where= without out= leaves the other elements of numpy.{name}(…) undefined: give out=, or choose with np.where; "
            f"received where={described(where)}"
        )
    if out is None:
        return result
    if not np.can_cast(result.dtype, out.dtype, casting):  # type: ignore[arg-type]
        raise TypeError(f"Cannot cast ufunc '{name}' output from {result.dtype!r} to {out.dtype!r} with casting rule {casting!r}")
    value = _masked(where, result, out) if is_masked else result
    if not _broadcasts(value.shape, out.shape):
        shapes = f"{_text(out.shape)} doesn't match the broadcast shape {_text(value.shape)}"
        raise ValueError(f"non-broadcastable output operand with shape {shapes}")
    return value


def _write(out: Any, value: Any) -> Any:
    if out is None:
        return value
    try:
        out[...] = value
    except ValueError as error:
        raise ValueError("output array is read-only") if str(error) == "assignment destination is read-only" else error from None
    return out


def _targets(ufunc: np.ufunc, positional: Sequence[Any], out: Any) -> tuple[Any, ...]:
    """One place for each output, ``None`` for a new array."""
    if positional and out is not None:
        raise TypeError("cannot specify 'out' as both a positional and keyword argument")
    given = tuple(positional) if positional else out if isinstance(out, tuple) else (out,)
    if len(given) > ufunc.nout:
        raise ValueError(f"wanted {ufunc.nout} outputs for {ufunc.__name__}, received {len(given)}")
    return given + (None,) * (ufunc.nout - len(given))


def _cast(ufunc: np.ufunc, inputs: Sequence[Any], outs: Sequence[Any], signature: Any, casting: str) -> list[Any]:
    """The inputs in the dtypes of the loop that NumPy chooses; ``TypeError`` if there is none.

    A Python number that isn't known yet stays one where an array says the dtype: only running tells whether it fits.
    """
    dtypes = (*(spec_of(x).promotes_as for x in inputs), *(None if o is None else o.dtype for o in outs))
    chosen = {} if signature is None else {"signature": _dtypes_of(signature)}
    loop = ufunc.resolve_dtypes(dtypes, casting=casting, **chosen)  # type: ignore[arg-type]
    is_said = not all(spec_of(x).weak for x in inputs)
    stays = [is_said and spec_of(x).weak and weak_spec(x) is None for x in inputs]
    return [x if kept else _as_dtype(x, dtype) for x, dtype, kept in zip(inputs, loop, stays, strict=False)]


def _dtypes_of(signature: Any) -> tuple[Any, ...]:
    """A signature as a tuple of dtypes; NumPy also takes text such as ``"ff->f"``."""
    parts = signature.replace("->", "") if isinstance(signature, str) else signature
    return tuple(None if part is None else np.dtype(part) for part in parts)


def _as_dtype(x: Any, dtype: np.dtype) -> Any:
    if weak_spec(x) is not None:
        return np.asarray(x, dtype)[()]
    array = asarray(x)
    return array if array.dtype == dtype else OPS["astype"](array, dtype)


def _masked(where: Any, result: Any, out: Any) -> Any:
    """The result where the mask is true, what ``out`` has elsewhere."""
    mask = asarray(where)
    if mask.dtype.kind != "b":
        raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
    return OPS["where"](mask, _as_dtype(result, out.dtype), out)


def _broadcasts(shape: Sequence[Any], to: Sequence[Any]) -> bool:
    """Whether a shape fits into another by broadcasting, as far as numbers tell."""
    pairs = zip(reversed(shape), reversed(to), strict=False)
    return len(shape) <= len(to) and all(a in (1, b) or isinstance(a, Dim) or isinstance(b, Dim) for a, b in pairs)


def _text(shape: Sequence[Any]) -> str:
    return f"({','.join(map(str, shape))}{',' * (len(shape) == 1)})"
