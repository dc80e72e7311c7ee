"""Convolution, interpolation, polynomials, differences and integrals."""
