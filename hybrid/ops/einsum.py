"""Sums of products in Einstein's notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import DimLike
from hybrid.core.dtypes import DTYPES
from hybrid.core.numpy_call import write_out
from hybrid.core.op import op
from hybrid.core.operators import Operators
from hybrid.core.refusal import described, explained
from hybrid.core.spec import Spec
from hybrid.core.table import CHECKS, NUMPY
from hybrid.ops._cores import sizes_differ
from hybrid.ops._infer import Shape, broadcast, dtype_as_run
from hybrid.ops._samples import given, sample
from hybrid.ops._views import Strides, known
from hybrid.ops.axes import permute_dims
from hybrid.ops.create import arange

__all__ = ["einsum", "einsum_path"]

Label = str | int
Path = bool | str | Sequence[Any]

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""What NumPy calls the integers 0 to 51 of its sublist form; in the order in which it sorts implicit outputs."""


# -- what subscripts say --------------------------------------------------------------------------------------------
def parsed(subscripts: str, ndims: Sequence[int]) -> tuple[list[tuple[Label, ...]], tuple[Label, ...]]:
    """The labels of each operand's axes, and those of the result's; axes under an ellipsis are -1, -2, … from the right.

    The subscripts are ones that NumPy accepts for operands with these numbers of axes.
    """
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    inputs = [_labels(term, ndim) for term, ndim in zip(left.split(","), ndims, strict=True)]
    flat = [label for labels in inputs for label in labels]
    hidden = sorted({label for label in flat if isinstance(label, int)})
    if arrow:
        return inputs, _labels(right, len(right.replace("...", "")) + len(hidden))
    letters = sorted(label for label in flat if isinstance(label, str))
    return inputs, (*hidden, *(label for label in letters if letters.count(label) == 1))


def _labels(term: str, ndim: int) -> tuple[Label, ...]:
    before, dots, after = term.partition("...")
    hidden = ndim - len(before) - len(after) if dots else 0
    return (*before, *range(-hidden, 0), *after)


def _shape(subscripts: str, *shapes: Shape, is_view: bool = False) -> Shape:
    inputs, output = parsed(subscripts, [len(shape) for shape in shapes])
    sizes: dict[Label, DimLike] = {}
    for i, (labels, shape) in enumerate(zip(inputs, shapes, strict=True)):
        for label, size in _sizes_within("single operand" if is_view else f"operand {i}", labels, shape).items():
            (sizes[label],) = broadcast((sizes.get(label, 1),), (size,))
    return tuple(sizes[label] for label in output)


def _sizes_within(what: str, labels: Sequence[Label], shape: Shape) -> dict[Label, DimLike]:
    """The sizes of one operand's labels: axes that share a label must have equal sizes, without broadcasting."""
    sizes: dict[Label, DimLike] = {}
    for label, size in zip(labels, shape, strict=True):
        known = sizes.setdefault(label, size)
        if sizes_differ(known, size):
            raise ValueError(f"dimensions in {what} for collapsing index '{label}' don't match ({known} != {size})")
        sizes[label] = size if isinstance(size, int) else known
    return sizes


def check_diagonals(subscripts: str, *operands: Any) -> None:
    """``ValueError`` for axes of different sizes with one label, where one has no elements: NumPy reads beyond the array's end.

    ``TypeError`` for subscripts that aren't text.
    """
    if not isinstance(subscripts, str):
        raise TypeError(f"wanted subscripts such as 'ij,jk->ik', received {described(subscripts)}")
    if any(0 in np.shape(operand) for operand in operands):
        _shape(subscripts, *map(np.shape, operands), is_view=len(operands) == 1)


def _keeps_every_element(subscripts: str, ndim: int) -> bool:
    """Whether nothing is summed: NumPy then returns a view of the operand."""
    if "," in subscripts:
        return False
    try:
        (labels,), output = parsed(subscripts, [ndim])
    except ValueError:
        return False
    return len(labels) == ndim and set(labels) == set(output)


# -- operations -----------------------------------------------------------------------------------------------------
def _rule(*operands: Spec, subscripts: str, **options: Any) -> Spec:
    dtype = dtype_as_run(_einsum, *operands, subscripts=subscripts, **options)
    return Spec(dtype, _shape(subscripts, *(operand.shape for operand in operands)))


def _einsum(*operands: Any, subscripts: str, **options: Any) -> Any:
    return np.einsum(subscripts, *operands, **options)


@op(
    name="einsum",
    infer=_rule,
    dtypes=DTYPES,
    onnx="Einsum",
    samples=[
        sample((2, 3), (3, 4), subscripts="ij,jk->ik"), sample((2, 3), (3, 4), (4,), subscripts="ij,jk,k", optimize=True),
        sample((2, 3), subscripts="ij->j"), sample((3, 3), subscripts="ii"), sample((2, 1, 3), (4, 3), subscripts="...i,...i->..."),
        sample((2, 3), (1, 4), subscripts="bA,Ac"), sample((0, 3), (3,), subscripts="ij,j->"), sample((3,), given(2.5), subscripts="i,"),
    ],
)  # fmt: skip
def contract(*operands, subscripts: str, optimize: Path = False, dtype: Any = None, casting: str = "safe"):
    """The sum of products that subscripts name; ``hybrid.einsum`` in the form of an operation.

    Args:
        operands: any dtype; as many axes as their subscripts say.
        subscripts: such as ``"ij,jk->ik"``.
        optimize, dtype, casting: as in ``hybrid.einsum``.

    Returns:
        An array with an axis for each label of the output.

    Raises:
        ValueError: for subscripts that aren't well formed or don't fit the operands.

    >>> hybrid.einsum("ij,j->i", hybrid.asarray([[1, 2], [3, 4]]), hybrid.asarray([1, 10]))
    Tensor([21, 43], dtype=int64)
    """
    check_diagonals(subscripts, *operands)
    return np.einsum(subscripts, *operands, optimize=optimize, dtype=dtype, casting=casting)


def _view_rule(x: Spec, *, subscripts: str) -> Spec:
    return Spec(dtype_as_run(_einsum, x, subscripts=subscripts), _shape(subscripts, x.shape, is_view=True))


def _view_strides(strides: tuple[DimLike, ...], x: Spec, *, subscripts: str) -> Strides:
    """A step along a label is a step along each of its axes; of no axes, NumPy makes a scalar."""
    (labels,), output = parsed(subscripts, [x.ndim])
    if not output:
        return False
    steps: dict[Label, DimLike] = dict.fromkeys(output, 0)
    for label, stride in zip(labels, strides, strict=True):
        steps[label] = steps[label] + stride
    return tuple(steps[label] for label in output)


@op(
    name="einsum_view",
    infer=_view_rule,
    dtypes=DTYPES,
    view=known(_view_strides),
    samples=[
        sample((2, 3), subscripts="ij->ji"), sample((3, 3), subscripts="ii->i"), sample((2, 3, 3), subscripts="...jj->j..."),
        sample((), subscripts="->"), sample((0, 2), subscripts="ba"),
    ],
)  # fmt: skip
def rearrange(x, /, *, subscripts: str):
    """A view with the axes in another order, or of diagonals: ``hybrid.einsum`` of one operand where nothing is summed.

    Args:
        x: any dtype; as many axes as its subscripts say.
        subscripts: such as ``"ij->ji"`` or ``"ii->i"``.

    Returns:
        A view of ``x`` that can be written to.

    Raises:
        ValueError: for subscripts that aren't well formed or don't fit the operand.

    >>> hybrid.einsum("ii->i", hybrid.asarray([[1, 2], [3, 4]]))
    Tensor([1, 4], dtype=int64)
    """
    check_diagonals(subscripts, x)
    return np.einsum(subscripts, x)


@rearrange.writes_back
def _(base: Any, new: Any, *, subscripts: str) -> Any:
    """Put new values where the view is; ``base`` is the caller's own."""
    (labels,), output = parsed(subscripts, [base.ndim])
    places = [output.index(label) for label in labels]
    if len(output) == base.ndim:
        return permute_dims(new, tuple(places))
    base[tuple(_positions(base.shape[i], place, len(output)) for i, place in enumerate(places))] = new
    return base


def _positions(size: DimLike, place: int, ndim: int) -> Any:
    """The positions along one axis, as an array with the axes of the view."""
    return arange(size).reshape((1,) * place + (size,) + (1,) * (ndim - place - 1))  # type: ignore[arg-type]


# -- public functions -----------------------------------------------------------------------------------------------
@explained
def einsum(*operands: Any, optimize: Path = False, dtype: Any = None, casting: str = "safe") -> Any:
    """The sum of products that subscripts name, in Einstein's notation.

    Args:
        operands: the subscripts, such as ``"ij,jk->ik"``, and the arrays; or, as NumPy's sublist form, each array followed by
            the list of its labels (whole numbers below 52, or ``...``), and at the end perhaps the list of the output's labels.
            A label that is not in the output is summed over; without ``->`` the output has the labels that occur once, sorted.
            An ellipsis stands for axes that broadcast.
        optimize: the order of the contractions: ``False`` (all at once), ``True`` or ``"greedy"``, ``"optimal"``, or a path
            made by ``hybrid.einsum_path``.
        dtype: the dtype to compute in; if not given, the promoted one.
        casting: which casts to that dtype are allowed, as in ``numpy.can_cast``.

    Returns:
        An array with an axis for each label of the output; a view where there is one operand and nothing is summed.

    Raises:
        ValueError: for subscripts that aren't well formed or don't fit the operands.
        TypeError: for casts that ``casting`` forbids.

    >>> x = hybrid.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> hybrid.einsum("ij,kj->ik", x, x)
    Tensor([[ 5., 11.],
            [11., 25.]], dtype=float64)
    """
    subscripts, arrays = _text_form(operands)
    if len(arrays) == 1 and not isinstance(arrays[0], Operators):
        arrays = [asarray(arrays[0])]
    if len(arrays) == 1 and _keeps_every_element(subscripts, arrays[0].ndim):
        return rearrange(arrays[0], subscripts=subscripts)
    return contract(*arrays, subscripts=subscripts, optimize=_as_tuples(optimize), dtype=dtype, casting=casting)


def _text_form(operands: Sequence[Any]) -> tuple[str, list[Any]]:
    """Subscripts as text, and the arrays, from either form."""
    if len(operands) < 2:
        raise ValueError(
            "must specify the einstein sum subscripts string and at least one operand, or at least one operand and its subscripts list"
        )
    if isinstance(operands[0], str):
        return operands[0], list(operands[1:])
    pairs = len(operands) // 2
    terms = [_term(operands[2 * i + 1]) for i in range(pairs)]
    output = f"->{_term(operands[-1])}" if len(operands) % 2 else ""
    return ",".join(terms) + output, [operands[2 * i] for i in range(pairs)]


def _term(labels: Any) -> str:
    return "".join("..." if label is Ellipsis else LETTERS[_checked(label)] for label in labels)


def _checked(label: Any) -> int:
    if not isinstance(label, int | np.integer) or isinstance(label, bool):
        raise TypeError("each subscript must be either an integer or an ellipsis")
    if not 0 <= label < len(LETTERS):
        raise ValueError("subscript is not within the valid range [0, 52)")
    return int(label)


def _as_tuples(path: Any) -> Any:
    """A path of lists as tuples: attributes of operations are immutable."""
    return tuple(map(_as_tuples, path)) if isinstance(path, list | tuple) else path


@explained
def einsum_path(*operands: Any, optimize: Path = "greedy") -> tuple[list[Any], str]:
    """The order in which ``hybrid.einsum`` would contract its operands, found from their shapes alone.

    Args:
        operands: as those of ``hybrid.einsum``.
        optimize: ``"greedy"``, ``"optimal"``, ``True``, ``False``, or a pair of one of these names and the largest number of elements
            that a result in between may have.

    Returns:
        The path, to be given to ``hybrid.einsum(..., optimize=path)``, and a table of the contractions as text.

    >>> x, y = hybrid.asarray(np.ones((2, 3))), hybrid.asarray(np.ones((3, 4)))
    >>> hybrid.einsum_path("ij,jk,kl->il", x, y, y.T)[0]
    ['einsum_path', (1, 2), (0, 1)]
    """
    subscripts, arrays = _text_form(operands)
    shapes = [asarray(array).shape for array in arrays]
    return np.einsum_path(subscripts, *(np.broadcast_to(0.0, shape) for shape in shapes), optimize=optimize)


def _check_operands(*operands: Any, **_: Any) -> None:
    """As ``check_diagonals``, for either form."""
    if len(operands) > 1:
        subscripts, arrays = _text_form(operands)
        check_diagonals(subscripts, *arrays)


CHECKS[np.einsum] = _check_operands


@contract.from_numpy(np.einsum)
def _numpy_einsum(
    *operands: Any, out: Any = None, optimize: Path = False, dtype: Any = None, order: str = "K", casting: str = "safe"
) -> Any:
    result = einsum(*operands, optimize=optimize, dtype=dtype, casting=casting)
    return result if out is None else write_out(out, result, casting)


NUMPY[np.einsum_path] = einsum_path
