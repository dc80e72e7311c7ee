"""Special functions of SciPy."""
