"""Margins around arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from hybrid.core.convert import asarray
from hybrid.core.dim import Dim, DimLike
from hybrid.core.dtypes import DTYPES
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.ops._samples import given, sample

__all__ = ["pad"]

Widths = int | tuple[int, ...] | tuple[tuple[int, ...], ...]
Mode = Literal["constant", "edge", "empty", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"]

_MODES = {
    "constant": "constant_values",
    "edge": "",
    "empty": "",
    "linear_ramp": "end_values",
    "maximum": "stat_length",
    "mean": "stat_length",
    "median": "stat_length",
    "minimum": "stat_length",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
    "wrap": "",
}
"""The modes, and the argument that each of them takes."""


def _check_mode(mode: Any, **arguments: Any) -> dict[str, Any]:
    """The arguments that were given; ``ValueError`` for a mode that doesn't exist and arguments that it doesn't take."""
    if not isinstance(mode, str) or mode not in _MODES:
        raise ValueError(f"mode '{mode}' is not supported, wanted one of {', '.join(_MODES)}")
    present = {name: value for name, value in arguments.items() if value is not None}
    unsupported = set(present) - {_MODES[mode]}
    if unsupported:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unsupported}")
    return present


def width_pairs(pad_width: Any, ndim: int) -> list[tuple[DimLike, DimLike]]:
    """The widths before and after each axis."""
    widths = np.asarray(_listed(pad_width, ndim), dtype=object)
    if any(isinstance(width, bool | np.bool) or not isinstance(width, int | Dim | np.signedinteger) for width in widths.flat):
        raise TypeError("`pad_width` must be of integral type.")
    pairs = np.broadcast_to(widths, (ndim, 2)).tolist()
    if any(isinstance(width, int) and width < 0 for pair in pairs for width in pair):
        raise ValueError("index can't contain negative values")
    return pairs


def _listed(pad_width: Any, ndim: int) -> Any:
    """Widths given by axis, for all axes."""
    if not isinstance(pad_width, Mapping):
        return pad_width
    pairs = [(0, 0)] * ndim
    for axis, width in pad_width.items():
        pairs[axis] = tuple(width) if isinstance(width, tuple | list) else (width, width)
    return tuple(pairs)


def _padded(x: Spec, constant_values: Spec | None, end_values: Spec | None, *, pad_width: Any, mode: Any, stat_length: Any,
            reflect_type: Any) -> Spec:  # fmt: skip
    pairs = width_pairs(pad_width, x.ndim)
    _check_mode(mode, constant_values=constant_values, end_values=end_values, stat_length=stat_length, reflect_type=reflect_type)
    if mode not in ("constant", "empty") and 0 in x.shape:
        axis = next((i for i, pair in enumerate(pairs) if x.shape[i] == 0 and pair != [0, 0]), None)
        if axis is not None:
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    return x.with_shape(size + before + after for size, (before, after) in zip(x.shape, pairs, strict=True))


@op(
    infer=_padded,
    tensors=("constant_values", "end_values"),
    dtypes=DTYPES,
    samples=[
        sample((2, 3), None, None, pad_width=1),
        sample((2, 3), given(2), None, pad_width=((1, 0), (0, 2))),
        sample((4,), given([1, 0]), None, pad_width=(2, 3)),
        sample((3, 2), None, None, pad_width=2, mode="edge"),
        sample((3,), None, given(0), pad_width=2, mode="linear_ramp"),
        sample((4, 3), None, None, pad_width=((1, 5), (0, 2)), mode="reflect"),
        sample((3,), None, None, pad_width=4, mode="symmetric", reflect_type="even"),
        sample((3, 2), None, None, pad_width=(2, 3), mode="wrap"),
        sample((5,), None, None, pad_width=2, mode="mean", stat_length=2),
        sample((0, 2), None, None, pad_width=((0, 0), (1, 1)), mode="maximum"),
        sample((2,), None, None, pad_width=1, mode="empty"),
        sample((), None, None, pad_width=1),
    ],
    onnx="Pad",
)
def pad(
    x,
    /,
    pad_width: Widths | Mapping[int, Any],
    *,
    mode: Mode = "constant",
    constant_values=None,
    end_values=None,
    stat_length: Widths | None = None,
    reflect_type: Literal["even", "odd"] | None = None,
):
    """The array with a margin.

    Args:
        x: any shape and dtype.
        pad_width: how many elements: a number for all sides, ``(before, after)`` for all axes, one such pair for each axis,
            or a dict from axes to numbers or pairs.
        mode: what is in the margin: a ``"constant"``, the ``"edge"`` repeated, a ``"linear_ramp"`` to ``end_values``, the
            ``"maximum"``, ``"mean"``, ``"median"`` or ``"minimum"`` of each row, the row mirrored with its edge
            (``"symmetric"``) or without (``"reflect"``), or its other end (``"wrap"``). ``"empty"`` is for margins to be filled.
        constant_values: for ``"constant"``: numbers in the form of ``pad_width``; 0 if not given.
        end_values: for ``"linear_ramp"``: numbers in the form of ``pad_width``; 0 if not given.
        stat_length: for statistics: of how many elements from the edge, in the form of ``pad_width``; all if not given.
        reflect_type: for mirrors: ``"odd"`` subtracts what is mirrored from twice the edge.

    Returns:
        An array of the dtype of ``x``.

    Raises:
        ValueError: for negative widths, another mode, arguments that the mode doesn't take, and axes without elements to repeat.
        TypeError: for widths that are no integers.

    >>> hybrid.pad(hybrid.asarray([1, 2, 3]), (1, 2), constant_values=9)
    Tensor([9, 1, 2, 3, 9, 9], dtype=int64)
    """
    given_ = _check_mode(mode, constant_values=constant_values, end_values=end_values, stat_length=stat_length, reflect_type=reflect_type)
    return np.pad(x, pad_width, "constant" if mode == "empty" else mode, **given_)


@pad.from_numpy(np.pad)
def _(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    return pad(array, _listed(pad_width, asarray(array).ndim), mode=mode, **kwargs)
