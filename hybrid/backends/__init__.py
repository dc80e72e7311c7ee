"""Back ends: a graph becomes something that can be called."""

from hybrid.backends.executable import Executable, Options
from hybrid.backends.table import BACK_ENDS, compile, default_back_end

__all__ = ["BACK_ENDS", "Executable", "Options", "compile", "default_back_end"]
