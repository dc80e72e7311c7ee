"""Control flow as operations: their attributes are closed graphs."""

from hybrid.control import attempt, call, cond, dimension, extent, failure, growing, host, item, loops, progress

__all__ = ["attempt", "call", "cond", "dimension", "extent", "failure", "growing", "host", "item", "loops", "progress"]
