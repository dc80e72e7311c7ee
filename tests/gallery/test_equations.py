"""Programs of numerical analysis, differential equations and physics against closed forms, conservation laws and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from hybrid.gallery.adaptive_simpson import adaptive_simpson
from hybrid.gallery.gauss_seidel import gauss_seidel
from hybrid.gallery.gillespie import gillespie
from hybrid.gallery.heat import heat
from hybrid.gallery.ising import ising
from hybrid.gallery.jacobi import jacobi
from hybrid.gallery.lattice_boltzmann import lattice_boltzmann
from hybrid.gallery.lorenz import lorenz
from hybrid.gallery.nbody import energy, example, nbody
from hybrid.gallery.newton_fractal import newton_fractal
from hybrid.gallery.runge_kutta_fehlberg import runge_kutta_fehlberg


def test_newton_fractal_has_the_symmetry_of_its_equation() -> None:
    root, steps = newton_fractal(24, 60)
    assert (root >= 0).all()
    assert (root == np.array([0, 2, 1])[root[::-1]]).all()
    assert (steps == steps[::-1]).all()


def test_newton_fractal_near_its_roots() -> None:
    axis = np.linspace(-2.0, 2.0, 24)
    z = axis[None, :] + 1j * axis[:, None]
    root, steps = newton_fractal(24, 60)
    for k in range(3):
        near = np.abs(z - np.exp(2j * np.pi * k / 3)) < 0.3
        assert near.any()
        assert (root[near] == k).all()
        assert (steps[near] <= 6).all()


def test_newton_fractal_gives_up() -> None:
    root, steps = newton_fractal(3, 40)
    assert (root[1, 1], steps[1, 1]) == (-1, 0)


def test_adaptive_simpson_against_quadpack() -> None:
    expected, _ = quad(lambda x: np.cos(x) * 0.01 / ((x - 1 / 3) ** 2 + 1e-4), -4, 5, points=[1 / 3], epsabs=1e-13, epsrel=1e-13, limit=200)
    assert adaptive_simpson(-4.0, 5.0, 0.01, 1e-10) == pytest.approx(expected, abs=1e-9)


def saddle(n: int) -> np.ndarray:
    """x² - y², which also the five-point stencil finds harmonic."""
    x = np.linspace(-1, 1, n)
    return x[:, None] ** 2 - x[None, :] ** 2


def test_jacobi_finds_the_harmonic_function() -> None:
    exact = saddle(9)
    u = exact.copy()
    u[1:-1, 1:-1] = 0
    sweeps = jacobi(u, 1e-10, 1000)
    assert 10 < sweeps < 1000
    np.testing.assert_allclose(u, exact, atol=1e-8)


def test_jacobi_stops_at_the_most_sweeps() -> None:
    assert jacobi(np.pad(np.zeros((5, 5)), 1, constant_values=1.0), 0.0, 7) == 7


def test_gauss_seidel_solves_poissons_equation() -> None:
    """x² + y² has the Laplacian 4, also that of the stencil."""
    x = np.linspace(0, 1, 10)
    exact = x[:, None] ** 2 + x[None, :] ** 2
    u = exact.copy()
    u[1:-1, 1:-1] = 0
    change = gauss_seidel(u, np.full((10, 10), 4.0), 1 / 9, 1.5, 80)
    assert 0 < change < 1e-10
    np.testing.assert_allclose(u, exact, atol=1e-9)
    assert gauss_seidel(u, np.full((10, 10), 4.0), 1 / 9, 1.5, 0) == 0.0


def test_heat_waves_decay_as_theory_says() -> None:
    n, ratio, steps = 17, 0.2, 30
    wave = np.sin(np.pi * np.arange(n) / (n - 1))
    u = 3.0 * wave[:, None] * wave[None, :]
    factor = 1 - 4 * ratio * (1 - np.cos(np.pi / (n - 1)))
    np.testing.assert_allclose(heat(u, ratio, steps), u * factor**steps, atol=1e-13)


def test_heat_refuses_unstable_steps() -> None:
    with pytest.raises(ValueError, match=r"unstable: the ratio is 0\.3, beyond 1/4"):
        heat(np.zeros((3, 3)), 0.3, 1)


def test_lorenz_against_scipy() -> None:
    path = lorenz(np.array([1.0, 1.0, 1.0]), 0.001, 1500)

    def rhs(t: float, y: np.ndarray) -> list[float]:
        return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]

    exact = solve_ivp(rhs, (0, 1.5), [1, 1, 1], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=[0.5, 1.0, 1.5])
    np.testing.assert_allclose(path[[500, 1000, 1500]].T, exact.y, rtol=1e-6)


def test_lorenz_rests_at_its_fixed_point() -> None:
    c = np.sqrt(8 / 3 * 27)
    path = lorenz(np.array([c, c, 27.0]), 0.01, 20)
    np.testing.assert_allclose(path, np.tile([c, c, 27.0], (21, 1)), rtol=1e-12)


def test_van_der_pol_against_scipy() -> None:
    times, states = runge_kutta_fehlberg(np.array([2.0, 0.0]), 2.0, 6.0, 1e-9)
    exact = solve_ivp(
        lambda t, y: [y[1], 2 * (1 - y[0] ** 2) * y[1] - y[0]], (0, 6), [2, 0], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=times
    )
    assert times[-1] == 6.0
    assert np.diff(times).max() > 3 * np.diff(times)[1:-1].min()
    np.testing.assert_allclose(states.T, exact.y, atol=1e-6)


def test_van_der_pol_reports_vanishing_steps() -> None:
    with pytest.raises(RuntimeError, match="the step vanishes at time"), np.errstate(all="ignore"):
        runge_kutta_fehlberg(np.array([2.0, 0.0]), 5.0, 1.0, 1e-300)


def test_two_bodies_come_back_after_a_period() -> None:
    """By Kepler's third law, masses of 1/2 at a distance of 1 go round in a year."""
    positions = np.array([[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]])
    velocities = np.array([[0.0, np.pi, 0.0], [0.0, -np.pi, 0.0]])
    before = positions.copy()
    end = nbody(positions, velocities, np.array([0.5, 0.5]), 0.001, 1000)
    np.testing.assert_allclose(positions, before, atol=1e-4)
    assert end == pytest.approx(-(np.pi**2) / 2, rel=1e-9)


def test_planets_keep_energy_and_momentum() -> None:
    positions, velocities, masses, step, _ = example()
    before, momentum = energy(positions, velocities, masses), masses @ velocities
    assert nbody(positions, velocities, masses, step, 20) == pytest.approx(before, rel=1e-6)
    np.testing.assert_allclose(masses @ velocities, momentum, atol=1e-12)


def test_ising_at_infinite_temperature_flips_everything() -> None:
    spins = np.random.default_rng(0).choice(np.array([-1, 1]), (6, 7))
    before = spins.copy()
    magnetisation = ising(spins, 0.0, np.full((3, 6, 7), 0.999))
    assert (spins == -before).all()
    np.testing.assert_allclose(magnetisation, before.mean() * np.array([-1, 1, -1]))


def test_ising_at_zero_temperature_never_gains_energy() -> None:
    rng = np.random.default_rng(1)
    spins = rng.choice(np.array([-1, 1]), (8, 8))
    energies = []
    for _ in range(5):
        energies.append(-np.sum(spins * (np.roll(spins, 1, 0) + np.roll(spins, 1, 1))))
        ising(spins, 50.0, rng.random((1, 8, 8)))
    assert (np.diff(energies) <= 0).all()
    assert energies[-1] < energies[0]


def test_ising_in_equilibrium() -> None:
    """Two spins on a torus of 2 x 2: each of the four bonds counts twice, and the 16 states can be summed."""
    beta, rng = 0.1, np.random.default_rng(2)
    states = 1 - 2 * ((np.arange(16)[:, None] >> np.arange(4)) & 1).reshape(16, 2, 2)
    bonds = 2 * (states[:, 0] * states[:, 1]).sum(axis=1) + 2 * (states[:, :, 0] * states[:, :, 1]).sum(axis=1)
    weight = np.exp(beta * bonds)
    expected = (weight * np.abs(states.mean(axis=(1, 2)))).sum() / weight.sum()
    measured = np.abs(ising(np.ones((2, 2), dtype=int), beta, rng.random((8000, 2, 2))))
    assert measured.mean() == pytest.approx(expected, abs=0.02)


def test_vortices_decay_with_the_viscosity() -> None:
    """Taylor and Green: the velocity falls by exp(-2 ν k² t)."""
    n, tau, steps = 32, 0.8, 40
    x = np.arange(n) * 2 * np.pi / n
    ux, uy = 0.01 * np.cos(x)[:, None] * np.sin(x)[None, :], -0.01 * np.sin(x)[:, None] * np.cos(x)[None, :]
    rho, vx, vy = lattice_boltzmann(ux, uy, tau, steps)
    decay = np.exp(-2 * (tau - 0.5) / 3 * (2 * np.pi / n) ** 2 * steps)
    np.testing.assert_allclose(vx, decay * ux, atol=2e-4 * decay)
    np.testing.assert_allclose(vy, decay * uy, atol=2e-4 * decay)
    assert rho.sum() == pytest.approx(n * n, rel=1e-12)


def test_epidemic_without_contact_ends_with_the_last_recovery() -> None:
    uniform = np.random.default_rng(3).random((60, 2))
    times, cases, spared = gillespie(1000, 50, 0.0, 0.5, uniform)
    assert cases.tolist() == list(range(50, -1, -1))
    waits = -np.log(1 - uniform[:50, 0]) / (0.5 * np.arange(50, 0, -1))
    np.testing.assert_allclose(times[1:], np.cumsum(waits))
    assert spared == 1000


def test_epidemic_has_the_final_size_of_the_mean_field() -> None:
    """The share that is spared solves s = exp(-R (1 - s)), R = contact / recovery, for many people and few at first."""
    uniform = np.random.default_rng(4).random((20_000, 2))
    times, cases, spared = gillespie(7900, 100, 0.6, 0.3, uniform)
    share = 0.2
    for _ in range(200):
        share = 7900 / 8000 * np.exp(-2 * (1 - share))
    assert spared / 8000 == pytest.approx(share, abs=0.02)
    assert (np.diff(times) > 0).all()
    assert set(np.diff(cases)) == {-1, 1}
    assert len(times) - 1 == 2 * (7900 - spared) + 100


def test_epidemic_says_when_random_numbers_run_out() -> None:
    with pytest.raises(ValueError, match="3 pairs of random numbers are too few"):
        gillespie(10, 10, 0.5, 0.1, np.full((3, 2), 0.5))
