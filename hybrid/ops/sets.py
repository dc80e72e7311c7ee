"""Unique values and set operations."""
