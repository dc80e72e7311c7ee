"""Arrays that a loop's body binds first, when sizes are symbols: what stands for them before the first round has their size."""

from __future__ import annotations

import numpy as np
import pytest

import hybrid


def _sums(x):
    for i in range(x.shape[0]):
        row = x[i] * 1
        s = x[i].sum()
    return s, row


def _best(x):
    best = None
    for i in range(3):
        c = x * i
        if best is None or c.sum() > best.sum():
            best = c
    return best, c


@pytest.mark.parametrize("function", [_sums, _best])
@pytest.mark.parametrize("shapes", [[(4, 5), (3, 6), (2, 2)], [(4, 4), (3, 3), (2, 6)]])
def test_arrays_first_bound_in_a_loop_keep_their_sizes(function, shapes):
    compiled = hybrid.function(function)
    for shape in shapes:
        x = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
        for mine, wanted in zip(compiled(x), function(x), strict=True):
            np.testing.assert_array_equal(mine, wanted)
