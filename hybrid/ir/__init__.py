"""The graph: an immutable list of operations on values, made by tracing, printed, verified, interpreted."""
