"""Reading and writing items and slices, with NumPy's whole index language.

An index is a static pattern (``hybrid.core.pattern``) and the arrays, masks and numbers that go into its slots. How NumPy
combines them is described in its user guide under "Indexing on ndarrays"; the rules here follow its C code (mapping.c),
which is more exact on where the axes of index arrays go: integers count as index arrays as soon as there is one, and an
ellipsis separates index arrays even where it stands for no axis.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from hybrid.core.dim import Dim, DimLike, dim_max, dim_min, unknown
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.operators import Operators, refuse_overlap
from hybrid.core.pattern import NOT_A_BOUND, NOT_AN_INDEX, NOT_AN_INDEX_ARRAY, Pattern, Slice, Slot, encode, fill, has_operators
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import NUMPY, OPS
from hybrid.ops._infer import Shape, broadcast
from hybrid.ops._samples import given, sample

__all__ = ["getitem", "setitem"]

MOST_AXES: Final = 64

NO_COMPLEX: Final = (
    "int() argument must be a string, a bytes-like object or a real number, not 'complex'",
    "float() argument must be a string or a real number, not 'complex'",
)
"""What Python says to a complex number for an integer, and for a float."""


# -- shapes ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Entry:
    """What one part of an index does.

    Attributes:
        kind: ``"keep"`` for slices, new axes and ellipses, ``"point"`` for integers, ``"fancy"`` for index arrays and masks.
        axes: the number of axes it uses up.
        shape: the axes it puts into the result, alone ("keep") or broadcast with the other index arrays.
        steps: for "keep", the step along each of its axes: 0 for a new axis, ``None`` if only running tells.
        mask: for a mask, the label of the number of its true elements.
    """

    kind: Literal["keep", "point", "fancy"]
    axes: int
    shape: Shape
    steps: tuple[int | None, ...] = ()
    mask: str = ""


def entries_of(shape: Shape, indices: Sequence[Spec], pattern: Pattern) -> list[Entry]:
    """The parts of an index for an array of a shape, ellipsis and missing axes filled in; ``IndexError`` if it doesn't fit."""
    used = sum(_axes_used(part, indices) for part in pattern)
    if pattern.count(...) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > len(shape):
        raise IndexError(f"too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed")
    parts = pattern if ... in pattern or used == len(shape) else (*pattern, ...)
    entries: list[Entry] = []
    axis = 0
    for position, part in enumerate(parts):
        count = len(shape) - used if part is ... else _axes_used(part, indices)
        entries.append(_entry(part, position, axis, shape[axis : axis + count], indices))
        axis += count
    return entries


def selected_shape(entries: Sequence[Entry]) -> Shape:
    """The shape of what an index selects: index arrays together stay in place, separated ones move to the front."""
    places = [i for i, entry in enumerate(entries) if entry.kind != "keep"]
    kept = [entry.shape for entry in entries]
    if any(entry.kind == "fancy" for entry in entries):
        is_together = places[-1] - places[0] == len(places) - 1
        for i in places:
            kept[i] = ()
        kept.insert(places[0] if is_together else 0, _met([entries[i] for i in places]))
    shape = tuple(size for sizes in kept for size in sizes)
    if len(shape) > MOST_AXES:
        raise IndexError(f"number of dimensions must be within [0, {MOST_AXES}], indexing result would have {len(shape)}")
    return shape


def sliced(size: DimLike, start: int | None, stop: int | None, step: int | None) -> DimLike:
    """The number of elements that a slice takes from an axis, exactly, also where the size is a symbol.

    >>> from hybrid.core.dim import symbol
    >>> sliced(10, 1, -1, 2), str(sliced(symbol("n"), 1, -1, None)), str(sliced(symbol("n"), None, None, -1))
    (4, 'max(0, n - 2)', 'n')
    """
    step = 1 if step is None else step
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if isinstance(size, int):
        return len(range(*slice(start, stop, step).indices(size)))
    if step < 0 and stop == -1:
        return 0
    if step < 0:  # the elements after stop up to start
        start, stop = None if stop is None else stop + 1, None if start in (None, -1) else start + 1
    length = _between(size, start or 0, stop)
    return length if abs(step) == 1 else (length + (abs(step) - 1)) // abs(step)


def _axes_used(part: Any, indices: Sequence[Spec]) -> int:
    if part is None or part is ...:
        return 0
    if isinstance(part, Slot):
        spec = indices[part.number]
        return spec.ndim if spec.dtype.kind == "b" else 1
    return 1


def _entry(part: Any, position: int, axis: int, sizes: Shape, indices: Sequence[Spec]) -> Entry:
    if part is None:
        return Entry("keep", 0, (1,), (0,))
    if part is ...:
        return Entry("keep", len(sizes), sizes, (1,) * len(sizes))
    if isinstance(part, Slice):
        return Entry("keep", 1, (_slice_size(part, position, sizes[0], indices),), (_step(part),))
    if isinstance(part, Slot):
        return _dynamic_entry(part, axis, sizes, indices[part.number])
    if isinstance(sizes[0], int) and not -sizes[0] <= part < sizes[0]:
        raise IndexError(f"index {part} is out of bounds for axis {axis} with size {sizes[0]}")
    return Entry("point", 1, ())


def _dynamic_entry(slot: Slot, axis: int, sizes: Shape, spec: Spec) -> Entry:
    if spec.dtype.kind == "b":
        for i, (size, wanted) in enumerate(zip(spec.shape, sizes, strict=True)):
            if isinstance(size, int) and isinstance(wanted, int) and size not in (0, wanted):  # NumPy lets 0 pass
                sides = f"size of axis is {wanted} but size of corresponding boolean axis is {size}"
                raise IndexError(f"boolean index did not match indexed array along axis {axis + i}; {sides}")
        return Entry("fancy", len(sizes), (0 if 0 in spec.shape else 1,), mask=f"mask{slot.number}")
    if spec.dtype.kind not in "iu":
        raise IndexError(NOT_AN_INDEX_ARRAY if spec.shape else NOT_AN_INDEX)
    return Entry("fancy", 1, spec.shape) if spec.shape else Entry("point", 1, ())


def _met(entries: Sequence[Entry]) -> Shape:
    """The common shape of index arrays; a mask stands for arrays of as many indices as it has true elements."""
    shapes = [entry.shape for entry in entries]
    try:
        shape = broadcast(*shapes)
    except ValueError:
        texts = " ".join(_text(s) for s in shapes if s)
        raise IndexError(f"shape mismatch: indexing arrays could not be broadcast together with shapes {texts} ") from None
    masks = [entry.mask for entry in entries if entry.mask and entry.shape == (1,)]
    return (*shape[:-1], unknown("_".join(masks))) if masks and shape[-1] == 1 else shape


def _slice_size(part: Slice, position: int, size: DimLike, indices: Sequence[Spec]) -> DimLike:
    bounds = [indices[b.number] for b in part.bounds if isinstance(b, Slot)]
    if any(bound.dtype.kind not in "iu" for bound in bounds):
        raise TypeError(NOT_A_BOUND)
    if any(bound.shape for bound in bounds):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    if not bounds:
        return sliced(size, *part.bounds)  # type: ignore[arg-type]
    return 0 if size == 0 else unknown(f"slice{position}")


def _step(part: Slice) -> int | None:
    return 1 if part.step is None else None if isinstance(part.step, Slot) else part.step


def _between(size: Dim, start: int, stop: int | None) -> DimLike:
    """The number of elements from ``start`` up to ``stop``, each counted from the front, or from the back if negative."""
    if stop is None or (start >= 0 > stop):
        length = size - start + (stop or 0)
        return dim_max(length, 0) if start >= 0 else dim_min(size, -start)
    if (start < 0) == (stop < 0):
        return 0 if stop <= start else dim_max(dim_min(size, stop) - start, 0) if start >= 0 else dim_max(dim_min(size, -start) + stop, 0)
    return 0 if stop == 0 else dim_max(dim_min(size, stop) - dim_max(size + start, 0), 0)


# -- rules ----------------------------------------------------------------------------------------------------------
def item_rule(x: Spec, *indices: Spec, index: Pattern) -> Spec:
    """The shape that NumPy's index language selects, and the array's dtype."""
    if x.weak:
        raise TypeError(f"'{x}' object is not subscriptable")
    return Spec(x.dtype, selected_shape(entries_of(x.shape, indices, index)))


def written_rule(x: Spec, value: Spec, *indices: Spec, index: Pattern) -> Spec:
    """Like ``x``, if the value can go where the index says."""
    if x.weak:
        raise TypeError(f"'{x}' object does not support item assignment")
    entries = entries_of(x.shape, indices, index)
    check_cast(x, value)
    if all(entry.kind == "point" for entry in entries):
        _check_element(x, value)
    elif _is_whole_mask(x, entries):
        _check_masked(value)
    else:
        check_fits(value.shape, selected_shape(entries), any(entry.kind == "fancy" for entry in entries))
    return Spec(x.dtype, x.shape)


def _is_whole_mask(x: Spec, entries: Sequence[Entry]) -> bool:
    """One mask over all axes and nothing else: NumPy writes through it in another way than through index arrays."""
    return len(entries) == 1 and bool(entries[0].mask) and entries[0].axes == x.ndim


def _check_element(x: Spec, value: Spec) -> None:
    """One element takes a value without axes; a boolean also the truth of a single element."""
    if not value.shape:
        return
    if x.dtype.kind == "c":
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    if x.dtype.kind != "b" or any(isinstance(size, int) and size != 1 for size in value.shape):
        raise ValueError("setting an array element with a sequence.")


def _check_masked(value: Spec) -> None:
    if value.ndim > 1:
        raise TypeError(f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {value.ndim} dimensions")


def check_cast(x: Spec, value: Spec) -> None:
    """A Python number must be one that elements of ``x`` can be made of; arrays are cast, whatever they hold."""
    if value.weak and value.dtype.kind == "c" and x.dtype.kind in "iuf":
        raise TypeError(NO_COMPLEX[x.dtype.kind == "f"])


def check_fits(value: Shape, shape: Shape, is_fancy: bool) -> None:
    """The value must broadcast to what is selected; leading axes of size 1 don't matter."""
    extra = max(len(value) - len(shape), 0)
    sizes, wanted = value[extra:], shape[len(shape) - len(value) + extra :]
    is_deeper = any(isinstance(size, int) and size != 1 for size in value[:extra])
    if not is_deeper and all(isinstance(a, Dim) or isinstance(b, Dim) or a in (1, b) for a, b in zip(sizes, wanted, strict=True)):
        return
    if is_fancy:
        raise ValueError(
            f"shape mismatch: value array of shape {_text(value)} could not be broadcast to indexing result of shape {_text(shape)}"
        )
    raise ValueError(f"could not broadcast input array from shape {_text(value if is_deeper else sizes)} into shape {_text(shape)}")


def _text(shape: Shape) -> str:
    """A shape as NumPy's C code prints it."""
    return f"({','.join(map(str, shape))}{',' * (len(shape) == 1)})"


def item_strides(strides: Sequence[DimLike] | None, x: Spec, *indices: Spec, index: Pattern) -> Any:
    """The strides of a view: ``True`` if they aren't known, ``False`` where NumPy copies (index arrays, masks, single elements)."""
    entries = entries_of(x.shape, indices, index)
    if any(entry.kind == "fancy" for entry in entries) or (... not in index and not selected_shape(entries)):
        return False
    steps = [step for entry in entries for step in entry.steps]
    if strides is None or None in steps:
        return True
    found: list[DimLike] = []
    axis = 0
    for entry in entries:
        of_entry = strides[axis : axis + entry.axes] or (0,)
        found += [stride * step for stride, step in zip(of_entry, entry.steps, strict=False)]  # type: ignore[operator]
        axis += entry.axes
    return tuple(found)


# -- operations -----------------------------------------------------------------------------------------------------
READS = [
    sample((5,), index=(2,)),
    sample((5, 4), index=(Slice(1, None), Slice(None, -1))),
    sample((3, 4), index=(Slice(None, None, -1), ..., None)),
    sample((3, 4), given([0, 2, 2]), index=(Slot(0),)),
    sample((2, 3, 4), given([[0], [1]]), given([1, 3]), index=(Slot(0), Slice(), Slot(1))),
    sample((2, 3), given([[True, False, True], [False, False, True]]), index=(Slot(0),)),
    sample((2, 3), given(1), given(True), index=(Slice(), Slot(0), Slot(1))),
    sample((0, 3), index=(Slice(), 1)),
    sample((), index=(None, ...)),
    sample((6,), given(1), given(4), index=(Slice(Slot(0), Slot(1)),)),
]  # fmt: skip

WRITES = [
    sample((5,), given(2), index=(2,)),
    sample((5, 4), (4,), index=(Slice(1, None),)),
    sample((3, 4), (3, 1), index=(Slice(None, None, -1), Slice(None, None, 2))),
    sample((3, 4), (4,), given([0, 2]), index=(Slot(0),)),
    sample((2, 3, 4), (2, 3), given([0, 1]), given([1, 3]), index=(Slot(0), Slice(), Slot(1))),
    sample((2, 3), given(1), given([[True, False, True], [False, False, True]]), index=(Slot(0),)),
    sample((0, 3), (3,), index=(...,)),
    sample((), (), index=()),
]  # fmt: skip


@op(infer=item_rule, view=item_strides, dtypes=DTYPES, samples=READS)
def getitem(x, /, *indices, index: Pattern):
    """The elements that an index selects: what ``x[key]`` means.

    Args:
        x: any shape and dtype.
        indices: the dynamic parts of the index: arrays of integers, masks, integers and bounds of slices.
        index: the static pattern; its slots say where the dynamic parts go.

    Returns:
        The selection, of the dtype of ``x``: a view for integers, slices, new axes and ellipses, a copy for arrays and masks,
        a scalar where an integer is given for every axis.

    Raises:
        IndexError: for positions out of bounds, too many indices, index arrays that don't broadcast, masks that don't fit.

    >>> from hybrid.core.pattern import Slice, Slot
    >>> getitem(hybrid.asarray([[1, 2, 3], [4, 5, 6]]), np.array([0, 2]), index=(Slice(), Slot(0)))
    Tensor([[1, 3],
            [4, 6]], dtype=int64)
    """
    return x[fill(index, indices)]


@op(infer=written_rule, mutates=True, dtypes=DTYPES, samples=WRITES)
def setitem(x, value, /, *indices, index: Pattern):
    """Write into the elements that an index selects: what ``x[key] = value`` means.

    Args:
        x: any shape and dtype; it is changed.
        value: broadcasts to the shape of the selection; it is cast to the dtype of ``x``.
        indices, index: as in ``getitem``. Of elements selected twice, the last value stays.

    Returns:
        Nothing; in a graph, the new value of ``x``.

    Raises:
        IndexError: as ``getitem``.
        ValueError: if the value doesn't broadcast.
        TypeError: for a Python complex number where ``x`` is real.

    >>> x = hybrid.asarray([1, 2, 3])
    >>> setitem(x, 0, index=(-1,))
    >>> x
    Tensor([1, 2, 0], dtype=int64)
    """
    x[fill(index, indices)] = value


@getitem.writes_back
def write_item(base: Any, new: Any, *indices: Any, index: Pattern) -> Any:
    """Put new values where the view is; ``base`` is the caller's own."""
    setitem(base, new, *indices, index=index)
    return base


# -- Python's own operators -----------------------------------------------------------------------------------------
def read_key(x: Any, key: Any) -> Any:
    """``x[key]`` for any key that NumPy takes."""
    pattern, indices = encode(key)
    item = getitem(x, *indices, index=pattern)
    is_copied = any(isinstance(part, Slot) and _is_axisless_array(indices[part.number]) for part in pattern)
    return OPS["copy"](item) if is_copied or _is_scalar(x) else item


def write_key(x: Any, key: Any, value: Any) -> None:
    """``x[key] = value`` for any key that NumPy takes."""
    pattern, indices = encode(key)
    value = as_elements(x, value, is_one=_is_element(x, pattern, indices))
    if len(indices) == len(pattern) == 1 and spec_of(indices[0]).dtype.kind == "b" and spec_of(indices[0]).ndim == x.ndim:
        refuse_overlap("writing where a mask is true", x, value)
    setitem(x, value, *indices, index=pattern)


def as_elements(x: Any, value: Any, is_one: bool = False) -> Any:
    """What NumPy makes of a list that is written into ``x``: each number is cast on its own, and must fit.

    Written to one element, a list is refused as NumPy does, or is a truth value.
    """
    if isinstance(value, Operators | np.ndarray | np.generic | int | float | complex) or has_operators(value):
        return value
    if not is_one:
        return np.array(value, dtype=x.dtype)
    element = np.zeros(1, x.dtype)
    element[0] = value
    return element[0]


def _is_element(x: Any, pattern: Pattern, indices: Sequence[Any]) -> bool:
    specs = [spec_of(index) for index in indices]
    return len(pattern) == x.ndim and all(isinstance(p, int) or (isinstance(p, Slot) and _is_number(specs[p.number])) for p in pattern)


def _is_number(spec: Spec) -> bool:
    return not spec.shape and spec.dtype.kind != "b"


def _is_scalar(x: Any) -> bool:
    return isinstance(x, Operators) and not x._is_writable


def _is_axisless_array(index: Any) -> bool:
    """An integer as an array without axes makes NumPy copy, where a number makes a view."""
    if isinstance(index, Operators):
        return not index.shape and index._is_writable and index.dtype.kind != "b"
    return isinstance(index, np.ndarray) and not index.shape and index.dtype.kind != "b"


NUMPY[operator.getitem] = read_key
NUMPY[operator.setitem] = write_key
