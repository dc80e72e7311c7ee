"""Types of values, as sets: on hot paths one look-up tells what needs no closer look."""

from __future__ import annotations

from typing import Final

import numpy as np

from hybrid.core.dtypes import DTYPES

__all__ = ["KINDS", "LEAVES", "NUMBERS", "PLAIN", "SUPPORTED"]

SUPPORTED: Final = frozenset(DTYPES)

KINDS: Final = frozenset({np.ndarray, np.longlong, np.ulonglong, *(dtype.type for dtype in DTYPES)})
"""The types of what a tensor holds: arrays and NumPy's scalars."""

NUMBERS: Final = frozenset({bool, int, float, complex, *KINDS}) - {np.ndarray}

PLAIN: Final = NUMBERS | {str, slice, type, type(None), type(Ellipsis)}
"""The types of arguments that are no arrays and hold none."""

LEAVES: Final = PLAIN | {np.ndarray}
