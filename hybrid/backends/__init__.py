"""Back ends: what makes a graph callable."""
