"""The table of constructs: every program with every kind of value, compiled and as plain Python.

``EVERY_CONSTRUCT=1`` runs all of them in native code, which takes an hour; otherwise graphs are interpreted, but for a few.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from staging.constructs.driver import CONSTRUCTS, KINDS, SECTIONS, assert_as_plain, seen
from staging.constructs.known import DIFFERENT, REFUSED, kinds_of
from staging.constructs.page import FILE, page
from staging.constructs.table import Construct

from hybrid.config import config
from hybrid.errors import StagingError, UnsupportedError
from hybrid.functions.function import function

EVERYTHING = bool(os.environ.get("EVERY_CONSTRUCT"))
NATIVE = ["if_else", "arms_with_different_dtypes", "for_over_the_value", "exit_of_nested_loops", "nonlocal_variable", "try_except", "sieve"]
"""Programs that are run in native code in any case, with one kind of value each."""

OTHER_ORDER = 1e-12
"""How far sums in another order may be from NumPy's."""

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda construct: construct.name)
def test_construct(construct: Construct, kind: str) -> None:
    with config(jit=EVERYTHING):
        check(construct, kind, OTHER_ORDER if EVERYTHING else 0.0)


def check(construct: Construct, kind: str, rtol: float) -> None:
    """Fail unless the program does what is known of it."""
    compiled = function(construct.function)
    if kind in kinds_of(REFUSED, construct.name):
        assert_refused(construct, kind, compiled)
    elif kind in kinds_of(DIFFERENT, construct.name):
        with pytest.raises(AssertionError):
            assert_as_plain(construct, kind, compiled, rtol)
    else:
        assert_as_plain(construct, kind, compiled, rtol)


def assert_refused(construct: Construct, kind: str, compiled: Any) -> None:
    """Some value of the kind is refused with an error of ours; no other exception than Python's comes of any."""
    errors = [seen(compiled, value).error for value in KINDS[kind]]
    assert any(isinstance(error, StagingError | UnsupportedError) for error in errors), errors


@pytest.mark.parametrize("name", NATIVE)
def test_construct_in_native_code(name: str) -> None:
    construct = next(construct for construct in CONSTRUCTS if construct.name == name)
    assert_as_plain(construct, "vector", function(construct.function), OTHER_ORDER)


def test_the_table_is_large() -> None:
    assert len(CONSTRUCTS) >= 150
    assert len({construct.name for construct in CONSTRUCTS}) == len(CONSTRUCTS)
    assert {construct.function.__module__.rpartition("_")[2] for construct in CONSTRUCTS} == set(SECTIONS)


def test_lists_of_what_is_not_as_in_python_name_programs() -> None:
    assert {*REFUSED, *DIFFERENT} <= {construct.name for construct in CONSTRUCTS}


def test_the_page_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == page(), "python tests/staging/constructs/page.py writes it anew"
