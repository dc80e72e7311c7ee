"""Adaptive quadrature (numerical analysis): Simpson's rule, halved by recursion where the integrand asks for it.

Source: W. M. McKeeman, Algorithm 145: adaptive numerical integration by Simpson's rule, Comm. ACM 5 (1962),
https://doi.org/10.1145/355580.369102; the correction by a fifteenth is Richardson's.
"""

import math


def adaptive_simpson(a: float, b: float, width: float, tolerance: float) -> float:
    """The integral of a resonance of the given width at 1/3, times a wave, from a to b."""
    middle = 0.5 * (a + b)
    fa, fm, fb = integrand(a, width), integrand(middle, width), integrand(b, width)
    whole = (b - a) / 6 * (fa + 4 * fm + fb)
    return refined(a, b, fa, fm, fb, whole, width, tolerance, 40)


def integrand(x: float, width: float) -> float:
    """A Lorentz curve times a cosine."""
    return math.cos(x) * width / ((x - 1 / 3) ** 2 + width**2)


def refined(a: float, b: float, fa: float, fm: float, fb: float, whole: float, width: float, tolerance: float, depth: int) -> float:
    """The integral over one interval, whose values at the ends and in the middle are known."""
    middle = 0.5 * (a + b)
    fl, fr = integrand(0.5 * (a + middle), width), integrand(0.5 * (middle + b), width)
    left = (middle - a) / 6 * (fa + 4 * fl + fm)
    right = (b - middle) / 6 * (fm + 4 * fr + fb)
    error = left + right - whole
    if depth == 0 or abs(error) <= 15 * tolerance:
        return left + right + error / 15
    first = refined(a, middle, fa, fl, fm, left, width, tolerance / 2, depth - 1)
    return first + refined(middle, b, fm, fr, fb, right, width, tolerance / 2, depth - 1)


def example() -> tuple[float, float, float, float]:
    """A sharp resonance."""
    return -10.0, 10.0, 1e-4, 1e-12
