"""From plain Python to Python whose constructs can meet staged values.

``convert`` rewrites a function so that every construct that could meet a staged value is a call of a run-time function,
which decides by its values; on ordinary values the function does exactly what it did. How to read the generated code:

* ``hy__`` is ``hybrid.frontend.runtime``.
* The bodies of a compound statement are functions (``then_1``, ``body_2``, ``handler_3``) that share the variables of the
  function around them through ``nonlocal``. Beside them go ``get_state`` and ``set_state`` for the variables that the statement
  may change, in the order of the names given: so a stager can run a body, see what changed, and take it back.
* The function of a body returns ``None`` at its end, or the signal ``hy__.BREAK``, ``hy__.CONTINUE`` or ``hy__.RETURN`` (the value
  is in ``return_value__``). What follows a statement that may end with a signal is its continuation, ``rest``.
* ``x: hy__.Unbound`` makes ``x`` a local variable without a value; ``hy__.load`` reads one that may have none.
* ``x__box.value`` is a variable that several functions write; ``x__global.value`` a global one that this function writes.
* Expressions that may not be evaluated are lambdas. What they bind (``:=``) is bound by a function ``set_x``, and such calls
  are given ``state=`` too.

Where things are: ``parse`` finds the source, ``fence`` refuses, ``scope`` and ``binding`` answer questions about names,
``conversion`` holds what converters share, ``pipeline`` lists them, ``origin`` prints, compiles and maps back to the user's
lines, ``entry`` is how converted code is called from outside.
"""

from hybrid.frontend.convert import convert, converted_source
from hybrid.frontend.entry import run
from hybrid.frontend.origin import rewrite_traceback
from hybrid.frontend.runtime.callees import do_not_convert

__all__ = ["convert", "converted_source", "do_not_convert", "rewrite_traceback", "run"]
