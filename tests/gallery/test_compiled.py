"""Every program of the gallery compiled: what it returns and what it writes is as of the plain function."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import hybrid
from hybrid.gallery import PROGRAMS, Program

SMALLER: Final[dict[str, Callable[..., tuple[Any, ...]]]] = {
    "adaptive_simpson": lambda a, b, width, tolerance: (a, b, 0.3, 1e-6),
    "attention": lambda q, k, v: (q[:2, :5, :4], k[:2, :5, :4], v[:2, :5, :4]),
    "barrier_option": lambda spot, strike, barrier, rate, volatility, years, days, paths, seed: (
        (spot, strike, barrier, rate, volatility, years, 12, 4, seed)
    ),
    "bilateral_filter": lambda image, radius, space, level: (image[:5, 45:52], 1, space, level),
    "binary_search": lambda values, wanted: (values[::10_000], wanted[:6]),
    "black_scholes": lambda *columns: tuple(x[:40] if isinstance(x, np.ndarray) else x for x in columns),
    "cholesky": lambda matrix: (matrix[:5, :5],),
    "collatz": lambda limit: (25,),
    "connected_components": lambda picture: (picture[:9, :12],),
    "convex_hull": lambda points: (points[:25],),
    "crc32": lambda data: (data[:12],),
    "edit_distance": lambda a, b: (a[:9], b[:8]),
    "escape_time": lambda width, height, limit: (8, 6, 12),
    "fft": lambda signal: (signal[:16],),
    "fir_filter": lambda signal, taps: (signal[:20], taps[28:35]),
    "floyd_warshall": lambda lengths: (lengths[:7, :7],),
    "game_of_life": lambda world, generations: (world[:6, :7], 2),
    "gauss_seidel": lambda u, f, h, omega, rounds: (u[:7, :7], f[14:21, 17:24], h, omega, 3),
    "gillespie": lambda susceptible, infected, contact, recovery, uniform: (20, 2, contact, recovery, uniform[:200]),
    "heat": lambda u, rate, steps: (u[20:60, 20:60], rate, 5),
    "histogram_equalization": lambda image: (image[:12, :16],),
    "iir_filter": lambda signal, sections: (signal[:30], sections),
    "ising": lambda spins, beta, uniform: (spins[:5, :6].copy(), beta, uniform[:3, :5, :6]),
    "jacobi": lambda u, tolerance, rounds: (u[:7, :7], tolerance, 5),
    "julia_set": lambda z, c, limit: (z[::30, ::40], c, 12),
    "kalman": lambda measured, step, jerk, noise: (measured[:30], step, jerk, noise),
    "kmeans": lambda points, centres, rounds: (points[:40], centres[:3], 6),
    "knapsack": lambda weights, values, capacity: (weights[:5], values[:5], 90),
    "lattice_boltzmann": lambda ux, uy, tau, steps: (ux[:8, :8], uy[:8, :8], tau, 4),
    "logistic_regression": lambda x, y, ridge, rounds: (x[:300], y[:300], ridge, rounds),
    "lorenz": lambda start, step, steps: (start, step, 20),
    "lstm": lambda sequence, *weights: (sequence[:5, :2], *weights),
    "lu": lambda matrix: (matrix[:6, :6],),
    "matrix_chain": lambda sizes: (sizes[:7],),
    "metropolis_hastings": lambda data, start, scale, steps, uniform: (data[:20], start, scale, steps[:30], uniform[:30]),
    "mlp": lambda inputs, layers, batch: (inputs[:21], layers, batch),
    "nbody": lambda positions, velocities, masses, step, steps: (positions[:4].copy(), velocities[:4].copy(), masses[:4], step, 4),
    "newton_fractal": lambda size, limit: (5, 12),
    "pagerank": lambda sources, targets, pages, damping, tolerance: (sources[:60] % 12, targets[:60] % 12, 12, damping, 1e-4),
    "queens": lambda size: (5,),
    "ray_tracer": lambda centres, radii, colours, light, size: (centres, radii, colours, light, 6),
    "runge_kutta_fehlberg": lambda start, mu, end, tolerance: (start, mu, 0.5, 1e-4),
    "sieve": lambda limit: (60,),
    "smith_waterman": lambda a, b, *scores: (a[100:108], b[50:59], *scores),
    "sparse_matvec": lambda data, indices, indptr, x: (data, indices, indptr[:20], x),
    "viterbi": lambda start, transition, emission, observed: (start, transition, emission, observed[:8]),
    "wireworld": lambda world, generations: (world, 3),
}
"""From the arguments of the example to a few of them, since graphs are interpreted slowly."""

SLOW: Final = frozenset({"adaptive_simpson", "queens"})
"""Programs that call themselves: each depth is a graph that is interpreted in another one."""

NATIVE: Final = ("cholesky", "convex_hull", "gillespie", "mlp", "ray_tracer")
"""Programs that are compiled to native code here: exceptions, lists that shrink, lists that grow, batches, what may be ``None``."""


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """The result, and the arguments after the call."""
    given = copy.deepcopy(arguments)
    return function(*given), given


def assert_same(got: Any, want: Any, tolerance: float = 1e-14) -> None:
    """The same kinds of results, dtypes, shapes and values; the last bits of powers and complex products depend on NumPy's inner loops."""
    assert type(got) is type(want)
    if isinstance(want, list | tuple):
        assert len(got) == len(want)
        for a, b in zip(got, want, strict=True):
            assert_same(a, b, tolerance)
    elif isinstance(want, np.ndarray | np.generic):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    else:
        assert got == want or got == pytest.approx(want, rel=tolerance, nan_ok=True)


def small(program: Program) -> tuple[Any, ...]:
    return copy.deepcopy(SMALLER[program.name](*program.example()))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.name not in SLOW], ids=lambda program: program.name)
def test_interpreted(program: Program) -> None:
    arguments = small(program)
    assert_same(outcome(hybrid.function(program.function), arguments), outcome(program.function, arguments))


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.name in NATIVE], ids=lambda program: program.name)
def test_native(program: Program) -> None:
    pytest.importorskip("numba")
    arguments = program.example()
    tolerance = 1e-5 if program.name == "mlp" else 1e-12
    assert_same(outcome(hybrid.function(program.function), arguments), outcome(program.function, arguments), tolerance)
