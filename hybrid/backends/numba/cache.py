"""Native code kept on disk, so that another process needs no compiler.

An entry is a file named by the SHA-256 of all that its code depends on. It holds a checksum, a short JSON header, and the
object code and bitcode that LLVM wrote; nothing in it is unpickled or evaluated. The folder belongs to the user alone, or it
isn't used. What goes wrong with the cache costs a compilation, never more.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
import scipy
from numba import _dynfunc
from numba.core import registry
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys

from hybrid.backends.kept import folder

__all__ = ["folder", "key_of", "load", "store"]

MAGIC: Final = b"hybrid native 1\n"
LARGEST: Final = 64 * 2**20
"""Bytes; a larger entry is none of ours."""

FIELDS: Final = ("library", "wrapper", "environments", "object", "bitcode")


# -- keys and places ------------------------------------------------------------------------------------------------
def key_of(source: str, signature: str) -> str:
    """The name of the entry for a program with a signature, on this machine, with these versions."""
    parts = [source, signature, *_surroundings()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@lru_cache(maxsize=1)
def _surroundings() -> tuple[str, ...]:
    """What native code depends on besides its program."""
    own = [hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(Path(__file__).parent.glob("*.py"))]
    versions = [sys.version, np.__version__, numba.__version__, llvmlite.__version__, scipy.__version__, platform.machine()]
    return (*versions, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), *own)


# -- reading --------------------------------------------------------------------------------------------------------
def load(key: str) -> Callable[..., Any] | None:
    """The native function of an entry; ``None`` if there is none that is whole."""
    place = folder()
    content = _read(place / key) if place else None
    if content is None:
        return None
    try:
        return _linked(content)
    except (RuntimeError, ValueError, TypeError, OSError):
        return None


def _read(path: Path) -> dict[str, Any] | None:
    """The fields of a file, if it is one of ours and undamaged."""
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return None
    head = len(MAGIC) + 32
    if len(data) > LARGEST or not data.startswith(MAGIC) or hashlib.sha256(data[head:]).digest() != data[len(MAGIC) : head]:
        return None
    try:
        size = int.from_bytes(data[head : head + 4], "little")
        fields = json.loads(data[head + 4 : head + 4 + size])
        rest = data[head + 4 + size :]
        fields["object"], fields["bitcode"] = rest[: fields["object"]], rest[fields["object"] :]
    except (ValueError, TypeError, KeyError):
        return None
    return fields if all(name in fields for name in FIELDS) else None


@global_compiler_lock
def _linked(fields: dict[str, Any]) -> Callable[..., Any]:
    """Bring object code into the process; what Numba does for functions of its own cache."""
    context = registry.cpu_target._toplevel_target_context
    rtsys.initialize(context)
    codegen = context.codegen()
    library = codegen.unserialize_library((fields["library"], "object", (fields["object"], fields["bitcode"])))
    made = [_environment(names) for _, names in fields["environments"]]
    address = library.get_pointer_to_function(fields["wrapper"])
    function = _dynfunc.make_function(sys.modules[__name__], fields["library"], "compiled earlier", address, made[0], (library,))
    for (name, _), environment in zip(fields["environments"], made, strict=True):
        if not codegen._engine.get_global_value_address(name):
            raise RuntimeError(f"no symbol {name}")
        codegen.set_env(name, environment)
    KEPT.extend(made[1:])
    return function


KEPT: Final[list[Any]] = []
"""Environments of functions inside of others, which nothing else keeps alive."""


def _environment(dtypes: Sequence[str]) -> Any:
    made = _dynfunc.Environment({"__name__": __name__})
    made.consts.extend(np.dtype(name) for name in dtypes)
    return made


# -- writing --------------------------------------------------------------------------------------------------------
def store(key: str, compiled: Any, inner: Sequence[Any] = ()) -> None:
    """Keep the result of a compilation, if it holds nothing that a file can't; ``inner``: of the functions that it calls."""
    used = [compiled, *(one for one in inner if one.environment.consts)]
    place, constants = folder(), [constant for one in used for constant in one.environment.consts]
    if place is None or compiled.library.has_dynamic_globals or not all(isinstance(constant, np.dtype) for constant in constants):
        return
    name, _, (code, bitcode) = compiled.library.serialize_using_object_code()
    context = registry.cpu_target._toplevel_target_context
    fields = {
        "library": name,
        "wrapper": compiled.fndesc.llvm_cpython_wrapper_name,
        "environments": [(context.get_env_name(one.fndesc), [dtype.name for dtype in one.environment.consts]) for one in used],
        "object": len(code),
        "bitcode": len(bitcode),
    }
    header = json.dumps(fields).encode()
    body = len(header).to_bytes(4, "little") + header + code + bitcode
    _write(place / key, MAGIC + hashlib.sha256(body).digest() + body)


def _write(path: Path, data: bytes) -> None:
    """Write a file so that others see all of it or nothing."""
    try:
        number, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new")
        try:
            with open(number, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError as error:
        _warn_unwritable(str(error))


@lru_cache(maxsize=1)
def _warn_unwritable(problem: str) -> None:
    warnings.warn(f"compiled code is not kept on disk: {problem}", stacklevel=2)
