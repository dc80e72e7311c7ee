"""Arrays made from sizes, ranges and grids."""
