"""Discrete Fourier transforms."""
