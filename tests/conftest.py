"""Settings of all tests, made before hybrid is imported."""

import os

from hypothesis import settings

os.environ.setdefault("HYBRID_VERIFY", "1")

settings.register_profile("shared machine", parent=settings(), deadline=None)
settings.load_profile("shared machine")
