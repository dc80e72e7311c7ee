"""Every program of the front end's table, plain and compiled."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from frontend.table import PROGRAMS, Program, assert_same, observe

from hybrid.errors import StagingError, UnsupportedError
from hybrid.functions.function import function

for _name in ("blocks", "branches", "calls", "data", "functions", "later", "lists", "loops", "match", "objects", "random"):
    importlib.import_module(f"frontend.programs_{_name}")

REFUSED = {
    "programs_functions.generator_writes_outside": "a generator that writes a variable of the function around it isn't converted",
}
"""Programs that can't be compiled, and why: they are refused when they are traced, and never wrong."""

SLOW = {
    "programs_blocks.all_of_it": "try in with in for in try: each is traced as it stands first, then as a graph, inside of the other",
}
"""Programs whose tracing takes many seconds."""


pytestmark = pytest.mark.usefixtures("interpreted")


def compared(program: Program, arguments: tuple[Any, ...]) -> None:
    """Fail unless a compiled program does what the plain one does."""
    if program.is_maker:
        assert_same(observe(program.function, (lambda f: f,)), observe(program.function, (function,)))
    else:
        assert_same(observe(program.function, arguments), observe(function(program.function), arguments))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.name not in REFUSED and p.name not in SLOW], ids=lambda program: program.name)
def test_compiled_is_as_plain(program: Program) -> None:
    for arguments in program.calls:
        compared(program, arguments)


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.name in REFUSED], ids=lambda program: program.name)
def test_refused_programs_are_refused(program: Program) -> None:
    with pytest.raises((StagingError, UnsupportedError), match="wanted"):
        compared(program, program.calls[0])
