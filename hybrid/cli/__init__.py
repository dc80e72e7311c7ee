"""The command ``hybrid``: ``compare``, ``explain``, ``show``, ``cache`` and ``info``."""

from hybrid.cli.main import main

__all__ = ["main"]
