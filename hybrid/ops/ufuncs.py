"""The methods of ufuncs: ``np.hypot.reduce(t)``, ``np.add.at(t, i, v)`` and so on, for any of NumPy's ufuncs."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim
from hybrid.core.dtypes import BOOL, DTYPES, FLOATS, INTEGERS, as_dtype
from hybrid.core.numpy_call import write_out
from hybrid.core.op import op
from hybrid.core.pattern import Pattern, Slice, Slot, encode, fill
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import CHECKS, NUMPY, OPS
from hybrid.errors import UnsupportedError
from hybrid.ops._infer import axis_of, broadcast, dtype_as_run, reduction
from hybrid.ops._samples import given, sample
from hybrid.ops.index import entries_of, selected_shape

__all__ = ["ufunc_accumulate", "ufunc_at", "ufunc_reduce", "ufunc_reduceat"]

OMITTED: Final = np._NoValue  # type: ignore[attr-defined]  # NumPy's mark for an argument that was not given
MASK: Final = given([[True], [False], [True]])

REDUCTIONS: Final = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
"""Ufuncs whose ``reduce`` is an operation of its own."""

RUNNING: Final = {"add": "cumulative_sum", "multiply": "cumulative_prod"}
"""Ufuncs whose ``accumulate`` is an operation of its own."""


def named(ufunc: str) -> np.ufunc:
    """NumPy's ufunc of a name; ``ValueError`` if there is none."""
    found = vars(np).get(ufunc)
    if not isinstance(found, np.ufunc):
        raise ValueError(f"wanted the name of one of NumPy's ufuncs, received {ufunc!r}")
    return found


def name_of(ufunc: np.ufunc) -> str:
    """The name of one of NumPy's ufuncs; ``TypeError`` for another's."""
    if getattr(np, ufunc.__name__, None) is not ufunc:
        raise UnsupportedError(f"wanted one of NumPy's ufuncs for its methods on tensors, received {ufunc!r}")
    return ufunc.__name__


def checked_dtype(dtype: Any) -> np.dtype | None:
    """The dtype asked for; ``TypeError`` if tensors can't have it."""
    return None if dtype is None else as_dtype(dtype)


# -- reduce ---------------------------------------------------------------------------------------------------------
def reduced_by(
    x: Spec, where: Spec | None = None, initial: Spec | None = None, *, ufunc: str, axis: Any, dtype: Any, keepdims: bool
) -> Spec:
    """The rule of reductions, after NumPy's own refusals."""
    function = named(ufunc)
    dtype_as_run(function.reduce, x, axis=axis, dtype=checked_dtype(dtype))
    rule = reduction(function.reduce, identity=function.identity is not None)
    return rule(x, where, initial, axis=axis, keepdims=keepdims, dtype=dtype)


@op(
    infer=reduced_by,
    tensors=("where", "initial"),
    dtypes=DTYPES,
    samples=[
        sample((3, 4), ufunc="add"),
        sample((3, 4), ufunc="hypot", axis=None),
        sample((2, 3, 4), ufunc="logical_xor", axis=(0, -1)),
        sample((3, 1, 2), ufunc="subtract", axis=1, keepdims=True),
        sample((), ufunc="bitwise_or"),
        sample((0, 3), ufunc="fmax", axis=1),
        sample((0, 3), ufunc="fmin"),
        sample((2, 3), ufunc="multiply", axis=(), dtype=np.dtype("float32")),
        sample((3, 4), MASK, given(2), ufunc="maximum"),
        sample((3, 4), MASK, ufunc="logaddexp"),
    ],
)
def ufunc_reduce(
    x, /, *, ufunc: str, axis: int | tuple[int, ...] | None = 0, dtype: Any = None, keepdims: bool = False, where=None, initial=None
):
    """Combine the elements over axes with a ufunc of two operands: what ``np.hypot.reduce(x)`` means.

    Args:
        x: any shape and dtype.
        ufunc: the name of one of NumPy's ufuncs.
        axis: the axes to reduce; all for ``None``.
        dtype: in which the elements are combined; NumPy's choice if not given.
        keepdims: keep those axes, with size 1.
        where: a boolean mask that broadcasts to the shape of ``x``: the elements to include.
        initial: a number to start with.

    Returns:
        The shape without those axes; of the dtype in which the elements were combined.

    Raises:
        TypeError: if the ufunc can't combine numbers of that dtype.
        ValueError: for nothing to reduce where the ufunc has no identity, several axes where their order matters, or a ufunc
            that doesn't make one result of two operands.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> ufunc_reduce(hybrid.asarray([3.0, 4.0, 12.0]), ufunc="hypot")
    Tensor(13.0, dtype=float64)
    """
    start = OMITTED if initial is None else initial
    return named(ufunc).reduce(x, axis, checked_dtype(dtype), None, keepdims, start, True if where is None else where)


@ufunc_reduce.from_numpy(np.ufunc.reduce)
def _(
    ufunc: np.ufunc,
    array: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = OMITTED,
    where: Any = True,
) -> Any:
    """NumPy's call: by the operation for this ufunc if there is one, otherwise by the general one."""
    if initial is None and ufunc.identity is not None:
        raise UnsupportedError(f"numpy.{ufunc.__name__}.reduce on tensors doesn't take initial=None: leave it out")
    name = name_of(ufunc)
    own = OPS.get(REDUCTIONS.get(name, ""))
    dtype = dtype_of(ufunc, array, dtype, None if own is not None and "dtype" not in own.attributes else out)
    given = {"dtype": dtype, "initial": None if initial is OMITTED else initial, "where": None if where is True else where}
    given = {key: value for key, value in given.items() if value is not None}
    if own is not None and {*given} <= {*own.tensors, *own.attributes}:
        return written(out, own(array, axis=axis, keepdims=keepdims, **given))
    return written(out, ufunc_reduce(array, ufunc=name, axis=axis, keepdims=keepdims, **given))


def dtype_of(ufunc: np.ufunc, array: Any, dtype: Any, out: Any) -> np.dtype | None:
    """In which dtype elements are combined: the one asked for, or the one that they and ``out`` promote to."""
    target = out[0] if isinstance(out, tuple) else out
    if dtype is not None or target is None:
        return checked_dtype(dtype)
    return ufunc.resolve_dtypes((target.dtype, asarray(array).dtype, None), reduction=True, casting="unsafe")[2]  # type: ignore[arg-type]


def written(out: Any, result: Any) -> Any:
    """The result, or where it was to be written, by any cast: NumPy doesn't mind here."""
    target = out[0] if isinstance(out, tuple) else out
    return result if target is None else write_out(target, result, "unsafe")


# -- accumulate and reduceat ----------------------------------------------------------------------------------------
def accumulated(x: Spec, *, ufunc: str, axis: int, dtype: Any) -> Spec:
    """The shape stays."""
    return Spec(dtype_as_run(named(ufunc).accumulate, x, axis=axis, dtype=checked_dtype(dtype)), x.shape)


@op(
    infer=accumulated,
    dtypes=DTYPES,
    samples=[
        sample((5,), ufunc="add"),
        sample((3, 4), ufunc="maximum", axis=1),
        sample((2, 1, 3), ufunc="hypot", axis=-1),
        sample((0, 3), ufunc="bitwise_xor"),
        sample((2, 3), ufunc="subtract", dtype=np.dtype("complex64")),
        sample((2, 3), ufunc="less"),
    ],
)
def ufunc_accumulate(x, /, *, ufunc: str, axis: int = 0, dtype: Any = None):
    """Combine each element with all before it along an axis: what ``np.maximum.accumulate(x)`` means.

    Args:
        x: at least one axis, any dtype.
        ufunc: the name of one of NumPy's ufuncs.
        axis: along which.
        dtype: in which the elements are combined; NumPy's choice if not given.

    Returns:
        The same shape; of the dtype in which the elements were combined.

    Raises:
        TypeError: for an array without axes, or if the ufunc can't combine numbers of that dtype.
        ValueError: for several axes, or a ufunc that doesn't make one result of two operands.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> ufunc_accumulate(hybrid.asarray([1, 3, 2, 5]), ufunc="maximum")
    Tensor([1, 3, 3, 5], dtype=int64)
    """
    return named(ufunc).accumulate(x, axis, checked_dtype(dtype))


@ufunc_accumulate.from_numpy(np.ufunc.accumulate)
def _(ufunc: np.ufunc, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """NumPy's call: by the operation for this ufunc if there is one, otherwise by the general one."""
    array, name = asarray(array), name_of(ufunc)
    dtype = dtype_of(ufunc, array, dtype, out)
    if name in RUNNING and array.ndim and axis is not None:
        return written(out, OPS[RUNNING[name]](array, axis=axis, dtype=dtype))
    return written(out, ufunc_accumulate(array, ufunc=name, axis=axis, dtype=dtype))


def first_reduceat(x: Any, *, ufunc: str, axis: int, dtype: np.dtype | None) -> Any:
    """``reduceat`` from the first element on: it tells the dtype."""
    return named(ufunc).reduceat(x, [0], axis, dtype)


def reduced_at(x: Spec, indices: Spec, *, ufunc: str, axis: int, dtype: Any) -> Spec:
    """The axis gets one element for each index."""
    found = dtype_as_run(first_reduceat, x, ufunc=ufunc, axis=axis, dtype=checked_dtype(dtype))
    if not np.can_cast(indices.dtype, np.intp, "safe"):
        raise TypeError(f"Cannot cast array data from {indices.dtype!r} to {np.dtype(np.intp)!r} according to the rule 'safe'")
    if indices.ndim != 1:
        raise ValueError(f"object {'of too small depth' if indices.ndim == 0 else 'too deep'} for desired array")
    place = axis_of(axis[0] if isinstance(axis, tuple) else 0 if axis is None else axis, x.ndim)
    if x.shape[place] == 0 and indices.shape[0] != 0:
        raise IndexError(f"index out-of-bounds in {ufunc}.reduceat [0, 0)")
    return Spec(found, (*x.shape[:place], indices.shape[0], *x.shape[place + 1 :]))


@op(
    infer=reduced_at,
    dtypes=DTYPES,
    samples=[
        sample((5,), given([0, 3, 1]), ufunc="add"),
        sample((3, 4), given([0, 2]), ufunc="maximum", axis=1),
        sample((3, 4), given([2, 2, 0, 1]), ufunc="multiply", axis=-2, dtype=np.dtype("float64")),
        sample((2, 3), given([0], "int8"), ufunc="hypot"),
        sample((0, 3), given([], "int64"), ufunc="add"),
        sample((4,), given([0.0]), ufunc="add"),
        sample((4,), given([[0]]), ufunc="add"),
    ],
)
def ufunc_reduceat(x, indices, /, *, ufunc: str, axis: int = 0, dtype: Any = None):
    """Combine the elements of stretches of an axis: what ``np.add.reduceat(x, indices)`` means.

    Args:
        x: at least one axis, any dtype.
        indices: integers on one axis: where the stretches begin. Each ends before the next begins; where the next doesn't lie
            behind it, it has one element.
        ufunc: the name of one of NumPy's ufuncs.
        axis: along which.
        dtype: in which the elements are combined; NumPy's choice if not given.

    Returns:
        The shape of ``x`` with one element for each index along the axis; of the dtype in which the elements were combined.

    Raises:
        IndexError: for an index that the axis doesn't have; negative ones count as such.
        TypeError: for an array without axes, or if the ufunc can't combine numbers of that dtype.
        ValueError: for several axes, or a ufunc that doesn't make one result of two operands.
        numpy.exceptions.AxisError: for an axis that ``x`` doesn't have.

    >>> ufunc_reduceat(hybrid.asarray([1, 2, 3, 4]), hybrid.asarray([0, 3]), ufunc="add")
    Tensor([6, 4], dtype=int64)
    """
    return named(ufunc).reduceat(x, indices, axis, checked_dtype(dtype))


@ufunc_reduceat.from_numpy(np.ufunc.reduceat)
def _(ufunc: np.ufunc, array: Any, indices: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """NumPy's call."""
    return written(out, ufunc_reduceat(array, indices, ufunc=name_of(ufunc), axis=axis, dtype=dtype_of(ufunc, array, dtype, out)))


# -- at -------------------------------------------------------------------------------------------------------------
def written_at(x: Spec, values: Spec | None, *indices: Spec, ufunc: str, index: Pattern) -> Spec:
    """Like ``x``, if the ufunc can combine it with values that broadcast to what the index selects."""
    function = named(ufunc)
    if function.nout != 1:
        raise ValueError("Only single output ufuncs supported at this time")
    if values is None and function.nin == 2:
        raise ValueError("second operand needed for ufunc")
    if values is not None and function.nin == 1:
        raise ValueError("second operand provided when ufunc is unary")
    operands = (x.dtype,) if values is None else (x.dtype, values.promotes_as)
    function.resolve_dtypes((*operands, None), casting="unsafe")  # type: ignore[arg-type]
    check_values(() if values is None else values.shape, selected_shape(entries_of(x.shape, indices, index)))
    return Spec(x.dtype, x.shape)


def check_values(shape: tuple[Any, ...], selected: tuple[Any, ...]) -> None:
    """``ValueError`` for values whose shape doesn't broadcast to that of the elements that they meet."""
    if not is_within(shape, selected):
        raise ValueError("array is not broadcastable to correct shape")


def is_within(shape: tuple[Any, ...], selected: tuple[Any, ...]) -> bool:
    """Whether a shape broadcasts to another one, as far as numbers tell."""
    if len(shape) > len(selected):
        return False
    try:
        common = broadcast(shape, selected)
    except ValueError:
        return False
    return all(a == b or isinstance(a, Dim) or isinstance(b, Dim) for a, b in zip(common, selected, strict=True))


@op(
    infer=written_at,
    mutates=True,
    dtypes=BOOL + INTEGERS + FLOATS,
    samples=[
        sample((5,), (3,), given([0, 3, 0]), ufunc="add", index=(Slot(0),)),
        sample((3, 4), (4,), given([0, 2, 2]), ufunc="subtract", index=(Slot(0),)),
        sample((3, 4), (3,), given([1, 1, 0]), ufunc="multiply", index=(Slice(None), Slot(0))),
        sample((3, 4), given(2), given([True, False, True]), ufunc="maximum", index=(Slot(0),)),
        sample((3, 4), None, given([0, 0]), given([1, 1]), ufunc="negative", index=(Slot(0), Slot(1))),
        sample((4,), given(2.5), ufunc="add", index=(1,)),
        sample((2, 3), (2, 3), ufunc="hypot", index=(...,)),
        sample((5,), (2,), given([0, 3, 0]), ufunc="add", index=(Slot(0),)),
        sample((5,), (2, 1), given([0, 3]), ufunc="add", index=(Slot(0),)),
        sample((3,), (2,), given([0, 0]), ufunc="add", index=(Slot(0),), dtypes=DTYPES[-2:]),
    ],
)
def ufunc_at(x, values, /, *indices, ufunc: str, index: Pattern):
    """Combine the elements that an index selects with values, in place: what ``np.add.at(x, key, values)`` means.

    Elements that are selected several times are combined several times, unlike with ``x[key] += values``.

    Args:
        x: any shape and dtype; it is changed.
        values: broadcasts to the shape of the selection; ``None`` for a ufunc of one operand.
        indices: the dynamic parts of the index, as in ``getitem``.
        ufunc: the name of one of NumPy's ufuncs.
        index: the static pattern, as in ``getitem``.

    Returns:
        Nothing; in a graph, the new value of ``x``. Results are cast to its dtype even where that loses digits.

    Raises:
        IndexError: as ``getitem``.
        ValueError: if the values don't broadcast, or the ufunc doesn't make one result of one or two operands.
        TypeError: if the ufunc can't combine numbers of these dtypes.

    >>> x = hybrid.asarray([0, 0, 0])
    >>> np.add.at(x, [0, 0, 2], 1)
    >>> x
    Tensor([2, 0, 1], dtype=int64)
    """
    operands = () if values is None else (values,)
    key = fill(index, indices)
    _check_at(named(ufunc), x, key, *operands)
    named(ufunc).at(x, key, *operands)


def _check_at(ufunc: np.ufunc, a: Any, indices: Any, b: Any = None, /) -> None:
    """NumPy writes elsewhere if the values have more axes than what is selected."""
    if np.ndim(b) > 1:
        pattern, parts = encode(indices)
        check_values(np.shape(b), selected_shape(entries_of(np.shape(a), list(map(spec_of, parts)), pattern)))


CHECKS[np.ufunc.at] = _check_at


@ufunc_at.from_numpy(np.ufunc.at)
def _(ufunc: np.ufunc, a: Any, indices: Any, b: Any = None, /) -> None:
    """NumPy's call."""
    pattern, parts = encode(indices)
    ufunc_at(a, b, *parts, ufunc=name_of(ufunc), index=pattern)


# -- outer ----------------------------------------------------------------------------------------------------------
def outer(ufunc: np.ufunc, a: Any, b: Any, /, **keywords: Any) -> Any:
    """A ufunc of every pair of elements: what ``np.add.outer(a, b)`` means, by broadcasting."""
    if ufunc.nin != 2:
        raise ValueError("outer product only supported for binary functions")
    if ufunc.signature is not None:
        raise TypeError("method outer is not allowed in ufunc with non-trivial signature")
    a, b = asarray(a), asarray(b)
    return NUMPY[ufunc](OPS["reshape"](a, (*a.shape, *(1,) * b.ndim)), b, **keywords)


NUMPY[np.ufunc.outer] = outer
