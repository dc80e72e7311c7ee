"""Comparisons and logic, element by element."""
