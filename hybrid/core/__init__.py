"""Tensors, the specs that describe them, and the one way into an operation."""
