"""Joining, splitting, padding, tiling, rolling."""
