"""Bitwise operations, shifts, and packing of bits."""
