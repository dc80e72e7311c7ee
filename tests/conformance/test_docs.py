"""The examples in docstrings say what happens, and no public name is without one."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from architecture.package import FILES

import hybrid
from conformance.cases import OPERATIONS
from hybrid.core.op import Op

NAMES = {"hybrid": hybrid, "np": np}
"""What every example may use without saying so."""


def check(*tests: doctest.DocTest) -> None:
    """Try the examples as a reader would."""
    texts: list[str] = []
    for test in tests:
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test, out=texts.append)
    if texts:
        pytest.fail("".join(texts), pytrace=False)


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_examples_of_operation(op: Op) -> None:
    names = vars(importlib.import_module(op.module)) | NAMES  # operations that aren't public have no other name
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(op.__doc__ or ""), names, op.name, op.module, 0)
    assert test.examples, "no example"
    check(test)


@pytest.mark.parametrize("module", [name for name in FILES if ">>> " in FILES[name].read_text(encoding="utf-8")])
def test_examples_of_module(module: str) -> None:
    found = importlib.import_module(module)
    check(*doctest.DocTestFinder().find(found, module, globs=vars(found) | NAMES))


def public() -> Iterator[tuple[str, Any]]:
    """Functions and classes that come out by the door of the package or of one of its public modules."""
    doors = [hybrid, *(value for name in hybrid.__all__ if isinstance(value := getattr(hybrid, name), ModuleType))]
    for door in doors:
        for name in door.__all__:
            value = getattr(door, name)
            if callable(value) and not (isinstance(value, type) and issubclass(value, np.generic)):  # NumPy's own types
                yield f"{door.__name__}.{name}", value


@pytest.mark.parametrize(("name", "value"), [pytest.param(*item, id=item[0]) for item in public()])
def test_public_name_has_an_example(name: str, value: Any) -> None:
    assert ">>> " in (value.__doc__ or ""), f"{name} has no example"
