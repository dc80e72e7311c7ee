"""The one table of operations: name → operation. It is filled by ``@op`` and read by everybody."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["CHECKS", "NUMPY", "OPS", "Functions"]

Adapter: TypeAlias = Callable[..., Any]

OPS: dict[str, Any] = {}
"""Every operation by its name, in the order of declaration."""


class Functions(dict[Callable[..., Any], Adapter]):
    """NumPy (or SciPy) function → what does its work on tensors; called with that function's own signature.

    Functions of modules that take long to import are declared by name. They enter the table when somebody looks for a function
    that isn't in it: who calls one has imported its module.
    """

    def __init__(self) -> None:
        super().__init__()
        self._later: dict[str, dict[str, Callable[[Any], Adapter]]] = {}

    def later(self, name: str, adapt: Callable[[Any], Adapter]) -> None:
        """Declare a function by its name, as in ``"scipy.special.erf"``; ``adapt`` makes what does its work out of the function."""
        module, _, attribute = name.rpartition(".")
        self._later.setdefault(module, {})[attribute] = adapt

    def __missing__(self, function: Callable[..., Any]) -> Adapter:
        self._catch_up()
        if dict.__contains__(self, function):
            return dict.__getitem__(self, function)
        raise KeyError(function)

    def __contains__(self, function: object) -> bool:
        if dict.__contains__(self, function):
            return True
        self._catch_up()
        return dict.__contains__(self, function)

    def get(self, function: Any, default: Any = None) -> Any:
        """What does the work of a function; ``default`` if nothing does."""
        return self[function] if function in self else default

    def _catch_up(self) -> None:
        """Enter the functions of the modules that have been imported meanwhile."""
        for name, functions in list(self._later.items()):
            module = sys.modules.get(name)
            found: dict[Any, Adapter] = {getattr(module, attribute, None): adapt for attribute, adapt in functions.items()}
            if None not in found:  # the module has been imported, to its end
                self.update({function: adapt(function) for function, adapt in found.items()})
                self._later.pop(name, None)


NUMPY = Functions()
"""The functions of NumPy and SciPy that operations stand for."""

CHECKS: dict[Callable[..., Any], Callable[..., None]] = {}
"""What looks at the arguments of a NumPy function before it runs: for functions that some arguments make crash or run forever."""
