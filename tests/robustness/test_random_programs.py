"""Random programs of NumPy calls do on tensors, and in graphs, what they do on arrays."""

from __future__ import annotations

import pytest
from robustness.random_programs import Tally, faults, shrunk, written

PROGRAMS = 800
CHUNK = 40


@pytest.mark.parametrize("first", range(0, PROGRAMS, CHUNK))
def test_programs_agree(first: int) -> None:
    tally = Tally()
    for seed in range(first, first + CHUNK):
        program = written(seed)
        if any(faults(program, tally)):
            small = shrunk(program)
            raise AssertionError("\n".join([str(small), *faults(small)]))
    assert tally.count["refused"] < tally.count["equal"] / 4, tally.refused
