"""From plain Python to Python whose constructs can meet staged values."""

from hybrid.frontend.convert import convert, converted_source
from hybrid.frontend.entry import run
from hybrid.frontend.origin import rewrite_traceback
from hybrid.frontend.runtime.callees import do_not_convert

__all__ = ["convert", "converted_source", "do_not_convert", "rewrite_traceback", "run"]
