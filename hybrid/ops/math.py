"""Exponentials, logarithms, trigonometric and other functions of one or two numbers, element by element."""
