"""Settings of all tests, made before hybrid is imported."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

os.environ.setdefault("HYBRID_VERIFY", "1")

settings.register_profile("shared machine", parent=settings(), deadline=None)
settings.load_profile("shared machine")


@pytest.fixture
def interpreted() -> Iterator[None]:
    """Graphs are interpreted: what is tested doesn't depend on native code, and costs no compiling."""
    from hybrid.config import config

    with config(jit=False):
        yield
