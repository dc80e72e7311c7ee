"""How an array looks in a notebook: its shape and dtype, and a small picture of the values."""

from __future__ import annotations

from typing import Any

__all__ = ["html"]


def html(tensor: Any) -> str:
    """An HTML fragment for a tensor."""
    return f"<pre>{tensor!r}</pre>"
