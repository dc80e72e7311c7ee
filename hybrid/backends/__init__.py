"""Back ends: a graph becomes something that can be called."""

from hybrid.backends.executable import MISS, Executable, Options, Shortcut
from hybrid.backends.table import BACK_ENDS, compile, default_back_end

__all__ = ["BACK_ENDS", "MISS", "Executable", "Options", "Shortcut", "compile", "default_back_end"]
