"""Choosing elements by conditions and positions."""
