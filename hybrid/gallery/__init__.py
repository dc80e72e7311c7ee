"""Programs of many fields in plain Python and NumPy, as they were written before there was anything to compile them.

``hybrid compare`` runs them with no file given. Each module has one function of its own name, which is measured, and ``example()``, which
makes its arguments: the same ones each time.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NamedTuple

from hybrid.gallery import (
    adaptive_simpson,
    attention,
    barrier_option,
    bilateral_filter,
    binary_search,
    black_scholes,
    cholesky,
    collatz,
    connected_components,
    convex_hull,
    crc32,
    edit_distance,
    escape_time,
    fft,
    fir_filter,
    floyd_warshall,
    game_of_life,
    gauss_seidel,
    gillespie,
    heat,
    histogram_equalization,
    iir_filter,
    ising,
    jacobi,
    julia_set,
    kalman,
    kmeans,
    knapsack,
    lattice_boltzmann,
    logistic_regression,
    lorenz,
    lstm,
    lu,
    matrix_chain,
    metropolis_hastings,
    mlp,
    nbody,
    newton_fractal,
    pagerank,
    queens,
    ray_tracer,
    runge_kutta_fehlberg,
    sieve,
    smith_waterman,
    sparse_matvec,
    viterbi,
    wireworld,
)

__all__ = ["PROGRAMS", "Program"]


class Program(NamedTuple):
    """One program of the gallery.

    Attributes:
        name: of the function.
        function: the plain function.
        example: makes the arguments.
        field: where such programs are written.
        module: the name of its module.
    """

    name: str
    function: Callable[..., Any]
    example: Callable[[], tuple[Any, ...]]
    field: str
    module: str


def _program(module: ModuleType, field: str) -> Program:
    name = module.__name__.rpartition(".")[2]
    return Program(name, getattr(module, name), module.example, field, module.__name__)


PROGRAMS: Final = (
    _program(escape_time, "computer graphics"),
    _program(julia_set, "computer graphics"),
    _program(ray_tracer, "computer graphics"),
    _program(game_of_life, "cellular automata"),
    _program(wireworld, "cellular automata"),
    _program(edit_distance, "bioinformatics"),
    _program(smith_waterman, "bioinformatics"),
    _program(viterbi, "bioinformatics"),
    _program(sieve, "number theory"),
    _program(collatz, "number theory"),
    _program(queens, "combinatorics"),
    _program(convex_hull, "geometry"),
    _program(crc32, "coding"),
    _program(binary_search, "searching"),
    _program(floyd_warshall, "graphs"),
    _program(pagerank, "graphs"),
    _program(knapsack, "optimisation"),
    _program(matrix_chain, "optimisation"),
    _program(lu, "linear algebra"),
    _program(cholesky, "linear algebra"),
    _program(sparse_matvec, "linear algebra"),
    _program(newton_fractal, "numerical analysis"),
    _program(adaptive_simpson, "numerical analysis"),
    _program(jacobi, "differential equations"),
    _program(gauss_seidel, "differential equations"),
    _program(heat, "differential equations"),
    _program(lorenz, "dynamical systems"),
    _program(runge_kutta_fehlberg, "dynamical systems"),
    _program(nbody, "astronomy"),
    _program(ising, "statistical physics"),
    _program(lattice_boltzmann, "fluid dynamics"),
    _program(gillespie, "epidemiology"),
    _program(black_scholes, "finance"),
    _program(barrier_option, "finance"),
    _program(fir_filter, "signal processing"),
    _program(iir_filter, "signal processing"),
    _program(fft, "signal processing"),
    _program(kalman, "control"),
    _program(histogram_equalization, "image processing"),
    _program(bilateral_filter, "image processing"),
    _program(connected_components, "image processing"),
    _program(kmeans, "machine learning"),
    _program(mlp, "machine learning"),
    _program(lstm, "machine learning"),
    _program(attention, "machine learning"),
    _program(logistic_regression, "statistics"),
    _program(metropolis_hastings, "statistics"),
)
