"""``hybrid.function``: functions traced into graphs, kept by the kinds of their arguments, and run by a back end."""
