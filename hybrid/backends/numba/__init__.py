"""Graphs as native code, through Numba."""

from hybrid.backends.interpreter import compile_graph

__all__ = ["compile_graph"]
