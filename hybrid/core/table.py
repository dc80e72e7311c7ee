"""The one table of operations: name → operation. It is filled by ``@op`` and read by everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

OPS: dict[str, Any] = {}
"""Every operation by its name, in the order of declaration."""

NUMPY: dict[Callable[..., Any], Callable[..., Any]] = {}
"""NumPy (and SciPy) function → what does its work on tensors; called with that function's own signature."""
