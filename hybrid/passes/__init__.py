"""Passes: graph in, graph or facts about it out."""
