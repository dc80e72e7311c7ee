"""Sorting, partitioning, searching, counting."""
