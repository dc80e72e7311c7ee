"""Control flow as operations: their attributes are closed graphs."""

from hybrid.control import cond, loops

__all__ = ["cond", "loops"]
