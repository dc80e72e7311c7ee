"""Control flow as operations: their attributes are closed graphs."""

from hybrid.control import cond, failure, item, loops

__all__ = ["cond", "failure", "item", "loops"]
