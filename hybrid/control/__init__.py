"""Control flow as operations: their attributes are closed graphs."""

from hybrid.control import call, cond, extent, failure, item, loops

__all__ = ["call", "cond", "extent", "failure", "item", "loops"]
