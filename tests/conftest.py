"""Settings of all tests, made before hybrid is imported."""

import os

os.environ.setdefault("HYBRID_VERIFY", "1")
