"""``convert``: a function with the same behaviour whose constructs are calls of ``hy__``."""

from __future__ import annotations
import __future__

import functools
import inspect
import os
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, Final

from hybrid.frontend import fence, runtime
from hybrid.frontend.entry import room_for_frames
from hybrid.frontend.origin import SOURCES, compiled
from hybrid.frontend.parse import parse
from hybrid.frontend.pipeline import converted
from hybrid.frontend.runtime.callees import GENERATED, KEPT_AS, is_marked
from hybrid.frontend.runtime.calls import CALLEES
from hybrid.frontend.runtime.undefined import CellBox, GlobalBox

__all__ = ["convert", "converted_source"]

FUTURE: Final = functools.reduce(int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
ANNOTATIONS: Final = __future__.annotations.compiler_flag
LOCK: Final = threading.RLock()
os.register_at_fork(after_in_child=LOCK._at_fork_reinit)  # type: ignore[attr-defined]


@dataclass(eq=False)
class Template:
    """The code of a converted function, from which functions are made for each closure."""

    code: CodeType
    cells: dict[str, str]
    globals: dict[str, str]


TEMPLATES: dict[int, tuple[weakref.ref[CodeType], Template]] = {}


def convert(function: Any) -> Any:
    """The converted function of a function, method, ``partial``, ``staticmethod``, ``classmethod``, ``property`` or callable object.

    It shares globals, closure cells and defaults with the original.

    Raises:
        UnsupportedError: for generators, coroutines, and what has no Python source.
    """
    match function:
        case FunctionType():
            return _converted_function(function)
        case MethodType():
            return MethodType(convert(function.__func__), function.__self__)
        case functools.partial():
            return functools.partial(convert(function.func), *function.args, **function.keywords)
        case staticmethod() | classmethod():
            return type(function)(convert(function.__func__))
        case property():
            get, put, delete = (method and convert(method) for method in (function.fget, function.fset, function.fdel))
            return property(get, put, delete, function.__doc__)
        case functools.cached_property():
            return functools.cached_property(convert(function.func))
    method = inspect.getattr_static(type(function), "__call__", None)
    if isinstance(function, type) or type(method) is not FunctionType:
        raise fence.not_a_function(function)
    return MethodType(_converted_function(method), function)


def converted_source(function: Any) -> str:
    """The text of a converted function."""
    code = getattr(function, "__func__", function).__code__
    return SOURCES[code.co_filename].text


def _converted_function(function: FunctionType) -> FunctionType:
    if function.__code__.co_filename.startswith(GENERATED) or is_marked(function):
        return function
    return _made(_template(function), function)


def _template(function: FunctionType) -> Template:
    code = function.__code__
    known = TEMPLATES.get(id(code))
    if known is not None and known[0]() is code:
        return known[1]
    with LOCK, room_for_frames():
        known = TEMPLATES.get(id(code))
        if known is None or known[0]() is not code:
            known = TEMPLATES[id(code)] = (weakref.ref(code, _forgetter(id(code))), _new_template(function))
    return known[1]


def _forgetter(key: int) -> Callable[[weakref.ref[CodeType]], None]:
    def forget(reference: weakref.ref[CodeType]) -> None:
        if key in TEMPLATES and TEMPLATES[key][0] is reference:
            del TEMPLATES[key]

    return forget


def _new_template(function: FunctionType) -> Template:
    code = function.__code__
    parsed = parse(function)
    fence.check(parsed.node, parsed.file)
    flags = code.co_flags & FUTURE
    made = converted(parsed.node, code.co_freevars, parsed.has_class, bool(flags & ANNOTATIONS))
    file = f"{code.co_qualname} at {Path(code.co_filename).name}:{code.co_firstlineno}"
    new = compiled(made, parsed.file, file, code, flags)
    return Template(new, made.cells, made.globals)


def _made(template: Template, function: FunctionType) -> FunctionType:
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells["hy__"] = CellType(runtime)
    cells |= {box: CellType(CellBox(name, cells[name])) for box, name in template.cells.items()}
    cells |= {box: CellType(GlobalBox(name, function.__globals__)) for box, name in template.globals.items()}
    closure = tuple(cells[name] for name in template.code.co_freevars)
    made = FunctionType(template.code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__doc__, made.__module__, made.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    for name in ("__annotate__",) if hasattr(function, "__annotate__") else ("__annotations__",):
        setattr(made, name, getattr(function, name))
    if hasattr(function, "__type_params__"):
        made.__type_params__ = function.__type_params__
    made.__dict__.update({name: value for name, value in function.__dict__.items() if name != KEPT_AS})
    return made


CALLEES.convert = _converted_function
