"""What the array namespace can do, as the array API standard's inspection functions tell it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hybrid.core.dtypes import BOOL, COMPLEX, FLOATS, SIGNED, UNSIGNED

__all__ = ["CPU", "NamespaceInfo", "check_device", "namespace_info"]

CPU: Final = "cpu"

_STANDARD_FLOATS: Final = tuple(dtype for dtype in FLOATS if dtype.itemsize > 2)
_KINDS: Final[dict[str, tuple[np.dtype, ...]]] = {
    "bool": BOOL,
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": SIGNED + UNSIGNED,
    "real floating": _STANDARD_FLOATS,
    "complex floating": COMPLEX,
    "numeric": SIGNED + UNSIGNED + _STANDARD_FLOATS + COMPLEX,
}


def check_device(device: Any) -> None:
    """``ValueError`` for any device but ``"cpu"`` and ``None``, which means the same."""
    if device not in (None, CPU):
        raise ValueError(f"wanted the device 'cpu', received {device!r}")


class NamespaceInfo:
    """The answers of ``hybrid.__array_namespace_info__()``.

    >>> NamespaceInfo().default_device(), NamespaceInfo().devices()
    ('cpu', ['cpu'])
    """

    __slots__ = ()

    def capabilities(self) -> dict[str, Any]:
        """What is supported beyond the minimum: boolean indices, shapes that depend on data, and how many axes there can be."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """The device of tensors for which none was asked."""
        return CPU

    def devices(self) -> list[str]:
        """Every device."""
        return [CPU]

    def default_dtypes(self, *, device: str | None = None) -> dict[str, np.dtype]:
        """The dtypes of tensors for which none was asked, by kind; ``ValueError`` for another device."""
        check_device(device)
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype(np.intp),
        }

    def dtypes(self, *, device: str | None = None, kind: str | tuple[str, ...] | None = None) -> dict[str, np.dtype]:
        """The dtypes of the array API standard, by name; those of a kind or of any of several kinds, if asked for.

        ``float16``, which is supported too, isn't part of the standard.

        Raises:
            ValueError: for a kind that doesn't exist, or another device.

        >>> list(NamespaceInfo().dtypes(kind=("bool", "real floating")))
        ['bool', 'float32', 'float64']
        """
        check_device(device)
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        unknown = [k for k in kinds if k not in _KINDS]
        if unknown:
            raise ValueError(f"wanted kinds among {', '.join(_KINDS)}, received {unknown[0]!r}")
        return {dtype.name: dtype for k in kinds for dtype in _KINDS[k]}


def namespace_info() -> NamespaceInfo:
    """The inspection functions of the array API standard; the namespace offers this as ``__array_namespace_info__``."""
    return NamespaceInfo()
