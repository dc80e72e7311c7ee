"""How Numba compiles generated programs: without the passes that they don't need, which take a third of its time."""

from __future__ import annotations

from typing import Any, Final

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, TranslateByteCode

__all__ = ["ProgramCompiler"]

PASSES: Final = (
    (TranslateByteCode, "read the byte code"),
    (FixupArgs, "give arguments their names"),
    (IRProcessing, "find blocks and lifetimes"),
    (GenericRewrites, "constants in selections"),
    (NopythonTypeInference, "find types"),
    (IRLegalization, "end lifetimes"),
    (AnnotateTypes, "note types"),
    (NativeLowering, "write LLVM"),
    (NoPythonBackend, "make machine code"),
)
"""What is left out: closures, ``with``, pruning, literals, array expressions, and static single assignment. A variable of a program has
the same type everywhere, since each comes from one value of the graph."""


class ProgramCompiler(CompilerBase):
    """Numba's compiler with the passes above."""

    def define_pipelines(self) -> list[Any]:
        manager = PassManager("hybrid")
        for kind, what in PASSES:
            manager.add_pass(kind, what)
        manager.finalize()
        return [manager]
