"""Building blocks of operations on SciPy's special functions, which are imported when first used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import scipy

from hybrid.core.dtypes import FLOATS
from hybrid.core.spec import Spec
from hybrid.ops._infer import Rule, elementwise
from hybrid.ops._samples import Sample, sample, singles

__all__ = ["ufunc", "within"]


def ufunc(name: str) -> Rule:
    """The rule of a ufunc of ``scipy.special``."""

    def rule(*specs: Spec, **_: Any) -> Any:
        return elementwise(getattr(scipy.special, name))(*specs)

    return rule


def within(low: float, high: float) -> list[Sample]:
    """Floats between bounds that hold few integers or none; and integers at 0 and 1, where the functions may be infinite."""
    return [*(replace(one, dtypes=FLOATS) for one in singles(low, high)), sample((3,), low=0.0, high=1.0)]
