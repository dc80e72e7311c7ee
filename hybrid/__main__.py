"""``python -m hybrid``: the command ``hybrid``."""

import sys

from hybrid.cli import main

if __name__ == "__main__":
    sys.exit(main())
