"""Every program of the table, plain and converted."""

import pytest
from frontend import (
    programs_blocks,  # noqa: F401 - fills the table
    programs_branches,  # noqa: F401
    programs_calls,  # noqa: F401
    programs_data,  # noqa: F401
    programs_functions,  # noqa: F401
    programs_later,  # noqa: F401
    programs_lists,  # noqa: F401
    programs_loops,  # noqa: F401
    programs_match,  # noqa: F401
    programs_objects,  # noqa: F401
    programs_random,  # noqa: F401
)
from frontend.table import PROGRAMS, Program, assert_same, observe

from hybrid.frontend import convert, run


def plain(function):
    return function


def decorated(function):
    """The converted function as a decorator gives it."""
    made = convert(function)

    def call(*args, **kwargs):
        return run(made, *args, **kwargs)

    return call


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_converted_is_as_plain(program: Program):
    for arguments in program.calls:
        if program.is_maker:
            assert_same(observe(program.function, (plain,)), observe(program.function, (decorated,)))
        else:
            assert_same(observe(program.function, arguments), observe(decorated(program.function), arguments))


def test_the_table_is_large():
    assert len(PROGRAMS) >= 150
