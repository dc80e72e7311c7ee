"""What element-wise operations are for one element: the text of an expression, by the kind of number it works on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
import scipy

from hybrid.backends.numba.complex_numbers import PRODUCT
from hybrid.backends.numba.formulas import FORMULAS, Expression
from hybrid.backends.numba.loops import Loop, loop_of, scalar_call
from hybrid.backends.numba.native import HALF
from hybrid.backends.numba.program import cast, literal
from hybrid.core.spec import Spec
from hybrid.ir.graph import Const, Node

__all__ = ["Expression", "closeness", "expression_of", "template_of", "ufunc_of"]

EXPRESSIONS: Final[dict[str, dict[str, str]]] = {
    "add": {"iufc": "{0} + {1}", "b": "{0} | {1}"},
    "subtract": {"iufc": "{0} - {1}"},
    "multiply": {"iufc": "{0} * {1}", "b": "{0} & {1}"},
    "divide": {"f": "{0} / {1}", "c": "divide_complex({0}, {1})"},
    "floor_divide": {"f": "floor_div({0}, {1})", "i": "int_div({0}, {1})", "u": "uint_div({0}, {1})"},
    "remainder": {"f": "floor_mod({0}, {1})", "i": "int_mod({0}, {1})", "u": "uint_mod({0}, {1})"},
    "fmod": {"f": "float_rem({0}, {1})", "i": "int_fmod({0}, {1})", "u": "uint_mod({0}, {1})"},
    "pow": {"f": "math.pow({0}, {1})"},
    "negative": {"iufc": "-{0}"},
    "positive": {"iufc": "{0}"},
    "abs": {"iuf": "abs({0})", "b": "{0}"},
    "fabs": {"f": "abs({0})"},
    "sign": {"f": "sign_float({0})", "i": "int64({0} > 0) - int64({0} < 0)", "u": "int64({0} > 0)"},
    "reciprocal": {"f": "1 / {0}"},
    "square": {"iufc": "{0} * {0}", "b": "{0}"},
    "gcd": {"iu": "int_gcd({0}, {1})"},
    "maximum": {"f": "maximum_float({0}, {1})", "iu": "max({0}, {1})", "b": "{0} | {1}"},
    "minimum": {"f": "minimum_float({0}, {1})", "iu": "min({0}, {1})", "b": "{0} & {1}"},
    "fmax": {"f": "fmax_float({0}, {1})", "iu": "max({0}, {1})", "b": "{0} | {1}"},
    "fmin": {"f": "fmin_float({0}, {1})", "iu": "min({0}, {1})", "b": "{0} & {1}"},
    "equal": {"biufc": "{0} == {1}"},
    "not_equal": {"biufc": "{0} != {1}"},
    "less": {"biuf": "{0} < {1}"},
    "less_equal": {"biuf": "{0} <= {1}"},
    "greater": {"biuf": "{0} > {1}"},
    "greater_equal": {"biuf": "{0} >= {1}"},
    "logical_and": {"b": "{0} & {1}", "iufc": "({0} != 0) & ({1} != 0)"},
    "logical_or": {"b": "{0} | {1}", "iufc": "({0} != 0) | ({1} != 0)"},
    "logical_xor": {"b": "{0} != {1}", "iufc": "({0} != 0) != ({1} != 0)"},
    "logical_not": {"b": "not {0}", "iufc": "{0} == 0"},
    "bitwise_and": {"biu": "{0} & {1}"},
    "bitwise_or": {"biu": "{0} | {1}"},
    "bitwise_xor": {"biu": "{0} ^ {1}"},
    "bitwise_invert": {"iu": "~{0}", "b": "not {0}"},
    "bitwise_left_shift": {"iu": "shift_left({0}, {1}, {bits})"},
    "bitwise_right_shift": {"iu": "shift_right({0}, {1}, {bits})"},
    "isnan": {"f": "{0} != {0}", "biu": "False", "c": "({0}.real != {0}.real) | ({0}.imag != {0}.imag)"},
    "isinf": {"f": "math.isinf({0})", "biu": "False", "c": "math.isinf({0}.real) | math.isinf({0}.imag)"},
    "isfinite": {"f": "math.isfinite({0})", "biu": "True", "c": "math.isfinite({0}.real) & math.isfinite({0}.imag)"},
    "copysign": {"f": "math.copysign({0}, {1})"},
    "floor": {"f": "np.floor({0})", "biu": "{0}"},
    "ceil": {"f": "np.ceil({0})", "biu": "{0}"},
    "trunc": {"f": "np.trunc({0})", "biu": "{0}"},
    "rint": {"f": "np.rint({0})"},
    "signbit": {"f": "math.copysign(1.0, float64({0})) < 0"},
    "atan2": {"f": "math.atan2({0}, {1})"},
    "hypot": {"f": "math.hypot({0}, {1})"},
    "deg2rad": {"f": "{0} * {dtype}(0.017453292519943295)"},
    "rad2deg": {"f": "{0} * {dtype}(57.29577951308232)"},
    "conj": {"iuf": "{0}", "c": "{0}.conjugate()"},
    "sqrt": {"f": "math.sqrt({0})"},
    **{
        name: {"f": f"math.{name}({{0}})"}
        for name in (
            "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
            "asinh", "acosh", "atanh",
        )
    },
}  # fmt: skip
"""Operation → kinds of dtypes → expression; ``{0}`` and ``{1}`` are the operands as numbers of the ufunc's dtype."""

BY_LOOP: Final = {
    "f": {
        "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
        "acosh", "atanh", "atan2", "hypot", "pow",
    },
    "c": {"multiply", "divide", "square"},
}  # fmt: skip
"""Operations for which NumPy's loop is faster and nearer to its results than the expression, where arrays are there anyway."""


def expression_of(node: Node) -> Expression | None:
    """The expression of an element-wise operation; ``None`` if there is none for its dtypes."""
    special = SPECIAL.get(node.op.name)
    if special is not None and (found := special(node)) is not None:
        return found
    if len(node.outputs) != 1 or any(x is None or isinstance(x, tuple) for x in node.operands):
        return None
    specs = [x.spec for x in node.operands]  # type: ignore[union-attr]
    ufunc = ufunc_of(node)
    dtypes = _loop_dtypes(ufunc, specs)
    if ufunc is None or dtypes is None or HALF in (*dtypes, node.outputs[0].spec.dtype, *(s.dtype for s in specs)):
        return None
    if not _can_cast(node, dtypes):
        return None
    template = next((t for kinds, t in EXPRESSIONS.get(node.op.name, {}).items() if dtypes[0].kind in kinds), None)
    loop = loop_of(ufunc, (*dtypes, node.outputs[0].spec.dtype))
    if template is not None:
        if PRODUCT and dtypes[0].kind == "c" and node.outputs[0].spec.shape and node.op.name in ("multiply", "square"):
            fused = _filled("multiply_fused({0}, {1})" if len(dtypes) == 2 else "multiply_fused({0}, {0})", node, dtypes)
            return replace(fused, loop=loop, names=PRODUCT)
        loop = loop if node.op.name in BY_LOOP.get(dtypes[0].kind, ()) else None
        return replace(_filled(template, node, dtypes), loop=loop)
    return _by_loop(node, dtypes, loop)


def template_of(name: str, dtype: np.dtype) -> str | None:
    """The expression of an operation of two operands of a dtype, by the name of the operation."""
    return next((t for kinds, t in EXPRESSIONS.get(name, {}).items() if dtype.kind in kinds and "{bits}" not in t), None)


def _by_loop(node: Node, dtypes: Sequence[np.dtype], loop: Loop | None) -> Expression | None:
    """An element by a call of the ufunc's own loop; not where that raises exceptions."""
    if loop is None or node.attrs or node.outputs[0].spec.weak or (node.op.name == "pow" and dtypes[0].kind in "iu"):
        return None
    name = f"each_{loop.name}"
    template = f"{name}({', '.join(f'{{{k}}}' for k in range(loop.nin))})"
    return replace(_filled(template, node, dtypes), loop=loop, names={name: scalar_call(loop)})


def ufunc_of(node: Node) -> np.ufunc | None:
    """The ufunc that does an operation's work, element by element."""
    found = (*node.op.numpy, *map(_scipy_function, node.op.scipy))
    return next((f for f in found if isinstance(f, np.ufunc) and f.nin == len(node.operands) and f.signature is None), None)


@lru_cache(maxsize=512)
def _scipy_function(name: str) -> Any:
    """A function of SciPy by its name, such as ``"scipy.special.erf"``."""
    _, *path, last = name.split(".")
    return getattr(getattr(scipy, path[0]), last, None) if len(path) == 1 else None


def _loop_dtypes(ufunc: np.ufunc | None, specs: Sequence[Spec]) -> tuple[np.dtype, ...] | None:
    """The dtypes that NumPy casts the operands to."""
    if ufunc is None:
        return None
    if ufunc in COMPARISONS and any(s.weak for s in specs) and all(s.dtype.kind in "iu" for s in specs):
        return tuple(np.dtype("int64") for s in specs) if not any(s.dtype == np.uint64 for s in specs) else None
    try:
        dtypes = ufunc.resolve_dtypes((*(spec.promotes_as for spec in specs), *(None,) * ufunc.nout))[: ufunc.nin]
    except TypeError:
        return None
    return None if len({d.kind for d in dtypes} & {"i", "u"}) == 2 else dtypes


COMPARISONS: Final = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)


def _can_cast(node: Node, dtypes: Sequence[np.dtype]) -> bool:
    """Constants must fit the dtype that NumPy casts them to."""
    for x, dtype in zip(node.operands, dtypes, strict=True):
        if isinstance(x, Const) and x.spec.weak and dtype.kind in "iu":
            info = np.iinfo(dtype)
            if not info.min <= x.value <= info.max:
                return False
    return True


def _guards(node: Node, dtypes: Sequence[np.dtype]) -> tuple[Callable[[Sequence[str]], str], ...]:
    found = []
    for k, (x, dtype) in enumerate(zip(node.operands, dtypes, strict=True)):
        is_variable = x.spec.weak and x.spec.dtype.kind == "i" and not isinstance(x, Const)  # type: ignore[union-attr]
        if is_variable and dtype.kind in "iu" and dtype != np.int64:
            info = np.iinfo(dtype)
            upper = "" if dtype == np.uint64 else f" <= {info.max}"
            found.append(lambda texts, k=k, info=info, upper=upper: f"not ({info.min} <= {texts[k]}{upper})")
    return tuple(found)


def _filled(template: str, node: Node, dtypes: Sequence[np.dtype], is_guarded: bool = True) -> Expression:
    """An expression by a template for operands of some dtypes."""
    given, result = [x.spec.dtype for x in node.operands], node.outputs[0].spec.dtype  # type: ignore[union-attr]

    def text(operands: Sequence[str]) -> str:
        numbers = [cast(t, g, d) for t, g, d in zip(operands, given, dtypes, strict=True)]
        made = template.format(*numbers, dtype=dtypes[0].name, bits=dtypes[0].itemsize * 8)
        if result.kind == "b":
            return made
        is_exact = result == dtypes[0] and result in (np.int64, np.float64, np.complex128)
        return made if is_exact else f"{result.name}({made})"

    return Expression(text, _guards(node, dtypes) if is_guarded else ())


# -- operations that are no ufuncs, or depend on more than dtypes ---------------------------------------------------
def _plain(node: Node) -> bool:
    return not any(x is None or isinstance(x, tuple) or x.spec.dtype == HALF for x in (*node.operands, *node.outputs))


def _where(node: Node) -> Expression | None:
    if not _plain(node) or len(node.operands) != 3:
        return None
    condition, *rest = (x.spec for x in node.operands)  # type: ignore[union-attr]
    out = node.outputs[0].spec.dtype
    if not _can_cast(node, (np.dtype("bool"), out, out)):
        return None

    def text(t: Sequence[str]) -> str:
        a, b = (cast(x, s.dtype, out) for x, s in zip(t[1:], rest, strict=True))
        return f"{a} if {cast(t[0], condition.dtype, np.dtype('bool'))} else {b}"

    return Expression(text, _guards(node, (np.dtype("bool"), out, out)))


def _astype(node: Node) -> Expression | None:
    given, wanted = node.operands[0].spec.dtype, node.outputs[0].spec.dtype  # type: ignore[union-attr]
    if not _plain(node):
        return None
    return Expression(lambda t: cast(t[0], given, wanted))


def _in_order(node: Node) -> Expression | None:
    """A copy: what layout it has doesn't show in native code. A number becomes an array with one axis."""
    return _astype(node) if next(node.inputs).spec.shape == node.outputs[0].spec.shape else None


def _power(node: Node) -> Expression | None:
    dtypes = _loop_dtypes(ufunc_of(node), [x.spec for x in node.operands])  # type: ignore[union-attr]
    exponent = node.operands[1]
    if not _plain(node) or dtypes is None:
        return None
    number = exponent.value if isinstance(exponent, Const) and not exponent.spec.shape else None
    if dtypes[0].kind in "iuf" and number == 2:
        return _filled("{0} * {0}", node, dtypes, is_guarded=False)
    if dtypes[0].kind in "iu" and number is not None and number >= 0 and _can_cast(node, dtypes):
        return _filled("int_pow({0}, {1})", node, dtypes, is_guarded=False)
    return _filled("int_pow({0}, {1})", node, dtypes) if dtypes[0].kind == "u" else None


def _scalar_power(node: Node) -> Expression | None:
    """C's pow, for float64 and what becomes one."""
    specs = [x.spec for x in node.operands]  # type: ignore[union-attr]
    is_exact = all(s.dtype == np.float64 or (s.weak and isinstance(x, Const)) for s, x in zip(specs, node.operands, strict=True))
    return (
        Expression(lambda t: f"c_pow(float64({t[0]}), float64({t[1]}))") if is_exact and node.outputs[0].spec.dtype == np.float64 else None
    )


def _part(name: str) -> Callable[[Node], Expression | None]:
    def expression(node: Node) -> Expression | None:
        kind = node.operands[0].spec.dtype.kind  # type: ignore[union-attr]
        if not _plain(node):
            return None
        if kind == "c":
            return Expression(lambda t: f"{t[0]}.{name}")
        return Expression(lambda t: t[0] if name == "real" else literal(0, node.outputs[0].spec.dtype))

    return expression


def _angle(node: Node) -> Expression | None:
    """The angle of a number in the complex plane, by the arc tangent that NumPy takes."""
    given, out = node.operands[0].spec.dtype, node.outputs[0].spec.dtype  # type: ignore[union-attr]
    loop = loop_of(np.arctan2, (out,) * 3)
    if not _plain(node) or loop is None or not isinstance(node.attributes["deg"], bool):
        return None
    name = f"each_{loop.name}"

    def text(t: Sequence[str]) -> str:
        parts = (f"{t[0]}.imag", f"{t[0]}.real") if given.kind == "c" else ("0.0", cast(t[0], given, out))
        found = f"{name}({', '.join(f'{out.name}({part})' for part in parts)})"
        return f"{out.name}({found} * {out.name}({180 / np.pi!r}))" if node.attributes["deg"] else found

    return Expression(text, names={name: scalar_call(loop)})


def _of_one(templates: Mapping[str, str]) -> Callable[[Node], Expression | None]:
    """An operation that isn't a ufunc, by kinds of dtypes; its result is a boolean."""

    def expression(node: Node) -> Expression | None:
        kind = node.operands[0].spec.dtype.kind  # type: ignore[union-attr]
        template = next((t for kinds, t in templates.items() if kind in kinds), None)
        return Expression(lambda t: template.format(*t)) if template and _plain(node) else None

    return expression


def _round(node: Node) -> Expression | None:
    """The nearest number with so many decimals, the even one of two."""
    dtype, decimals = node.outputs[0].spec.dtype, node.attributes["decimals"]
    if not _plain(node) or not isinstance(decimals, int) or abs(decimals) > LARGEST_EXACT or node.operands[0].spec.dtype != dtype:  # type: ignore[union-attr]
        return None
    if dtype.kind in "iu" and decimals >= 0:
        return Expression(lambda t: t[0])
    if dtype.kind != "f":
        return None
    scale, (up, down) = f"{dtype.name}({10.0 ** abs(decimals)!r})", "*/" if decimals > 0 else "/*"
    template = f"np.rint({{0}} {up} {scale}) {down} {scale}" if decimals else "np.rint({0})"
    return Expression(lambda t: f"{dtype.name}({template.format(*t)})")


LARGEST_EXACT: Final = 22
"""The largest power of ten that a float64 holds exactly."""


def _complex(node: Node) -> Expression | None:
    """A complex number of its parts."""
    dtype = node.outputs[0].spec.dtype
    part = np.dtype(f"float{dtype.itemsize * 4}")
    if not _plain(node) or len(node.operands) != 2:
        return None
    given = [x.spec.dtype for x in node.operands]  # type: ignore[union-attr]
    return Expression(lambda t: f"{dtype.name}(complex({', '.join(cast(x, d, part) for x, d in zip(t, given, strict=True))}))")


def closeness(node: Node) -> Expression | None:
    """Whether two real numbers are close: within tolerances, which are relative to the second one and absolute."""
    a, b = (x.spec for x in node.operands)  # type: ignore[union-attr]
    attrs = node.attributes
    tolerances = attrs["rtol"], attrs["atol"]
    is_known = all(isinstance(x, int | float) and np.isfinite(x) for x in tolerances) and isinstance(attrs["equal_nan"], bool)
    if not is_known or a.weak or any(s.dtype.kind not in "biuf" for s in (a, b)):
        return None
    second = np.result_type(a.dtype if b.weak else b.dtype, 1.0)
    dtype = np.promote_types(a.dtype, second)
    if dtype != second or dtype not in (np.float32, np.float64) or HALF in (a.dtype, b.dtype):
        return None
    rtol, atol = (f"{dtype.name}({float(x)!r})" for x in tolerances)
    nan = " or ({0} != {0} and {1} != {1})" if attrs["equal_nan"] else ""
    template = f"((abs({{0}} - {{1}}) <= {atol} + {rtol} * abs({{1}}) and math.isfinite({{1}})) or {{0}} == {{1}}{nan})"
    return Expression(lambda t: template.format(cast(t[0], a.dtype, dtype), cast(t[1], b.dtype, dtype)))


def _clip(node: Node) -> Expression | None:
    """min(max(x, low), high); either bound may be absent."""
    out = node.outputs[0].spec.dtype
    x, low, high = (*node.operands, None, None)[:3]
    given = [y for y in (x, low, high) if y is not None]
    if any(isinstance(y, tuple) or y.spec.dtype == HALF for y in given) or out.kind not in "iuf" or out == HALF:
        return None
    if any(y.spec.weak and not isinstance(y, Const) and out != np.int64 for y in given):
        return None
    if not all(_can_cast_one(y, out) for y in given):
        return None

    def text(t: Sequence[str]) -> str:
        parts = iter(cast(s, y.spec.dtype, out) for s, y in zip(t, given, strict=True))
        made = next(parts)
        for bound, name in ((low, "max"), (high, "min")):
            if bound is not None:
                made = f"clip_{name}({made}, {next(parts)})" if out.kind == "f" else f"{out.name}({name}({made}, {next(parts)}))"
        return made

    return Expression(text)


def _can_cast_one(x: Any, dtype: np.dtype) -> bool:
    return not (isinstance(x, Const) and x.spec.weak and dtype.kind in "iu") or np.iinfo(dtype).min <= x.value <= np.iinfo(dtype).max


SPECIAL: Final[dict[str, Callable[[Node], Expression | None]]] = {
    **FORMULAS,
    "where": _where,
    "astype": _astype,
    "copy": _astype,
    "ascontiguousarray": _in_order,
    "asfortranarray": _in_order,
    "pow": _power,
    "scalar_power": _scalar_power,
    "real": _part("real"),
    "imag": _part("imag"),
    "clip": _clip,
    "isreal": _of_one({"biuf": "True", "c": "({0}.imag == 0)"}),
    "iscomplex": _of_one({"biuf": "False", "c": "({0}.imag != 0)"}),
    "isposinf": _of_one({"biu": "False", "f": "({0} == inf)"}),
    "isneginf": _of_one({"biu": "False", "f": "({0} == -inf)"}),
    "angle": _angle,
    "round": _round,
    "complex": _complex,
    "isclose": closeness,
}
