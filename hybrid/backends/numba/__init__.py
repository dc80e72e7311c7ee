"""Graphs as native code, through Numba."""

from hybrid.backends.numba.compile import compile_graph

__all__ = ["compile_graph"]
