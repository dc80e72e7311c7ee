"""Control flow as operations: their attributes are closed graphs."""

from hybrid.control import cond, failure, loops

__all__ = ["cond", "failure", "loops"]
