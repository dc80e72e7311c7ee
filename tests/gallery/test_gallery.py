"""The gallery as a whole: enough programs of many fields, plain, explained and reproducible."""

from __future__ import annotations

import importlib
import inspect
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hybrid.gallery
from hybrid.gallery import PROGRAMS, Program

EACH = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


def test_there_are_many_programs_of_many_fields() -> None:
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS) >= 26
    assert len({program.field for program in PROGRAMS}) >= 15


def test_every_module_is_in_the_gallery() -> None:
    files = Path(hybrid.gallery.__file__).parent.glob("*.py")
    assert {file.stem for file in files} == {program.name for program in PROGRAMS} | {"__init__"}


def test_programs_of_a_field_stand_together() -> None:
    fields = [program.field for program in PROGRAMS]
    changes = sum(one != other for one, other in pairwise(fields))
    assert changes == len(set(fields)) - 1


@EACH
def test_record(program: Program) -> None:
    module = importlib.import_module(program.module)
    assert (program.function, program.example) == (getattr(module, program.name), module.example)
    assert "Source: " in (module.__doc__ or "")


@EACH
def test_program_is_plain_python_and_numpy(program: Program) -> None:
    source = inspect.getsource(importlib.import_module(program.module))
    imports = {line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imports <= {"numpy", "math", "itertools", "__future__"}
    assert "hybrid" not in source


@EACH
def test_example_makes_the_same_arguments_each_time(program: Program) -> None:
    one, other = program.example(), program.example()
    assert isinstance(one, tuple)
    inspect.signature(program.function).bind(*one)
    assert all(map(same, one, other))
    assert not any(np.shares_memory(a, b) for a, b in zip(one, other, strict=True) if isinstance(a, np.ndarray))


def same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(np.array_equal(one, other, equal_nan=np.result_type(one).kind == "f"))
