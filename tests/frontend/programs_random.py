"""Draws of NumPy's generators, in order and of the same stream."""

# ruff: noqa - programs as users may write them

import numpy as np
from frontend.table import program


@program((7, 5), (7, 0))
def walks(seed, n):
    rng = np.random.default_rng(seed)
    place, path = 0.0, np.zeros(n)
    for i in range(n):
        place += rng.normal(0.0, 1.0)
        if rng.integers(0, 10) > 6:
            place = rng.uniform(-1, place + 5)
        path[i] = place
    return path, place, rng.random()


@program((1, 4, 0.5))
def scalars_of_every_kind(seed, n, p):
    rng = np.random.default_rng(seed)
    whole = rng.integers(n), rng.integers(1, n), rng.integers(0, n, endpoint=True), rng.poisson(p), rng.binomial(n, p), rng.geometric(p)
    real = rng.random(), rng.standard_normal(), rng.exponential(p), rng.exponential(), rng.gamma(p, 2.0), rng.beta(1.0, p), rng.lognormal()
    return whole, real, rng.random(dtype=np.float32), rng.integers(n, dtype=np.uint8), rng.triangular(0.0, 0.5, 1.0), rng.standard_t(3)


@program((1, np.arange(4.0)), (2, np.array([0.5, 2.0])))
def arrays(seed, x):
    rng = np.random.default_rng(seed)
    n = len(x)
    noise = rng.normal(size=n) + rng.standard_normal((n, 2))[:, 0]
    picked = rng.choice(x, n + 1), rng.choice(n), rng.choice(x), rng.choice(n, size=2, replace=False)
    rng.shuffle(x)
    return x + noise, picked, rng.permutation(n), rng.permutation(x), rng.uniform(0, 1, (2, n)), rng.integers(0, 5, n)


@program((1, np.arange(1.0, 4.0)))
def parameters_in_arrays(seed, x):
    rng = np.random.default_rng(seed)
    return rng.normal(x, 1.0), rng.normal(x[0], x[1]), rng.exponential(x).sum(), rng.multivariate_normal(np.zeros(2), np.eye(2))


@program((1, -1.0), (1, 2.0))
def draws_that_fail(seed, scale):
    rng = np.random.default_rng(seed)
    before = rng.random()
    try:
        return rng.normal(0.0, scale), before
    except ValueError as error:
        return str(error), rng.random()


@program((3,))
def old_generators(seed):
    rng = np.random.RandomState(seed)
    draw = rng.random_sample
    np.random.seed(seed)
    return rng.rand(3), rng.randn(), rng.randint(0, 5), draw(), np.random.random(), np.random.normal(1.0, 2.0), np.random.randint(0, 9, 4)


@program((3, 50))
def estimates_pi(seed, n):
    rng = np.random.default_rng(seed)
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / n


def given(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.random()
    rng.shuffle(np.arange(3))
    return total, rng.standard_normal(2), rng


@program((5, 4))
def passes_generators_on(seed, n):
    rng = np.random.default_rng(seed)
    total, noise, same = given(rng, n)
    return total, noise, same is rng, isinstance(rng, np.random.Generator), rng.random()
