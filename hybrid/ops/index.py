"""Reading and writing items and slices."""
