"""Python's own numbers in native code: arithmetic that never wraps, and Python's exceptions.

Each function writes the lines of one call and returns the texts of its results, or ``None`` if only Python can do it. Where
the fast way doesn't apply (an infinity comes out, a number is large), the program asks Python for the result or the exception.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from hybrid.backends.numba.bounds import learn_arithmetic, range_of
from hybrid.backends.numba.program import Program
from hybrid.ir.graph import Const, Node

__all__ = ["lower_call_python"]

FLOAT, INT, BOOL, COMPLEX = "f", "i", "b", "c"
EXACT: Final = 2**53
"""The integers up to which a float64 is exact."""

LARGEST_POWER: Final = 100
"""The integer up to which Python multiplies."""

COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
BITS: Final = {"and_": "&", "or_": "|", "xor": "^"}
OPERATORS: Final = {"add": "+", "sub": "-", "mul": "*"}
FLOAT_MATH: Final = {
    name: f"math.{name}({{}})"
    for name in (
        "sqrt", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "asinh", "acosh", "atanh", "fabs", "degrees", "radians", "erf", "erfc", "gamma", "lgamma",
    )
}  # fmt: skip
TESTS: Final = ("isnan", "isinf", "isfinite")
ROUNDINGS: Final = {"floor": "np.floor", "ceil": "np.ceil", "trunc": "np.trunc"}


def lower_call_python(p: Program, node: Node) -> bool:
    """Write a call of a Python function of numbers."""
    function = node.attributes["function"]
    rule = RULES.get(function) or RULES.get(function.partition(".")[0] + ".")
    kinds = "".join(x.spec.dtype.kind for x in node.operands)
    texts = [p.text(x) for x in node.operands]
    results = rule(p, node, function, kinds, texts) if rule else None
    if results is None:
        return False
    for value, text in zip(node.outputs, [results] if isinstance(results, str) else results, strict=True):
        if text.isidentifier():
            p.names[value] = text
        else:
            p.assign(value, text, function.removeprefix("math."))
    if len(texts) == 2:
        learn_arithmetic(p, node, texts, p.names[node.outputs[0]])
    return True


def _as(kind: str, texts: Sequence[str], kinds: str) -> list[str]:
    """The texts as numbers of one kind."""
    name = {FLOAT: "float64", INT: "int64", COMPLEX: "complex128"}[kind]
    return [text if k == kind else f"{name}({text})" for text, k in zip(texts, kinds, strict=True)]


def _highest(kinds: str) -> str:
    return COMPLEX if COMPLEX in kinds else FLOAT if FLOAT in kinds else INT


def _checked(p: Program, node: Node, text: str, base: str) -> str:
    """A float that comes from Python where it is no finite number."""
    name = p.new(base)
    p.emit(f"{name} = {text}")
    with p.block(f"if not math.isfinite({name}):"):
        p.kernel_value(node, [name])
    return name


def _must_fit(p: Program, node: Node, call: str, base: str) -> str:
    """An integer whose computation tells whether it overflowed."""
    name = p.new(base)
    p.emit(f"{name}, over = {call}")
    p.guard("over", node)
    return name


# -- operators ------------------------------------------------------------------------------------------------------
def _arithmetic(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    kind = _highest(kinds)
    a, b = _as(kind, texts, kinds)
    if kind != INT:
        return f"{a} {OPERATORS[function]} {b}"
    if _is_small(p, function, texts):
        return f"{a} {OPERATORS[function]} {b}"
    return _must_fit(p, node, f"{function}_checked({a}, {b})", function)


def _is_small(p: Program, function: str, texts: Sequence[str]) -> bool:
    """Whether the ranges of two integers show that a result fits."""
    ranges = [range_of(p, text) for text in texts]
    if None in ranges:
        return False
    (a, b), (c, d) = ranges  # type: ignore[misc]
    corners = {"add": (a + c, b + d), "sub": (a - d, b - c), "mul": (a * c, a * d, b * c, b * d)}[function]
    return all(-(2**63) <= corner < 2**63 for corner in corners)


def _true_division(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    kind = _highest(kinds)
    a, b = _as(COMPLEX if kind == COMPLEX else FLOAT, texts, kinds)
    if kind == COMPLEX:
        return _finite_complex(p, node, f"python_quotient({a}, {b})", "truediv")
    if not _is_nonzero(node.operands[1]):
        p.guard(f"{texts[1]} == 0", node)
    large = [f"abs({t}) > {EXACT}" for t, k, x in zip(texts, kinds, node.operands, strict=True) if k == INT and not isinstance(x, Const)]
    if kind == INT and large:
        name = p.new("truediv")
        p.emit(f"{name} = {a} / {b}")
        with p.block(f"if {' or '.join(large)}:"):
            p.kernel_value(node, [name])
        return name
    return f"{a} / {b}"


def _floor_division(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    kind = _highest(kinds)
    if kind == COMPLEX:
        return None
    a, b = _as(kind, texts, kinds)
    if not _is_nonzero(node.operands[1]):
        p.guard(f"{b} == 0", node)
    if kind == FLOAT:
        div, mod = f"floor_div({a}, {b})", f"floor_mod({a}, {b})"
    else:
        may_be_minus_one = not isinstance(node.operands[1], Const) or node.operands[1].value == -1
        if may_be_minus_one and function != "mod":
            p.guard(f"{b} == -1 and {a} == {-(2**63)}", node)
        div = f"{a} // {b}"
        mod = f"int_mod({a}, {b})" if may_be_minus_one else f"{a} % {b}"
    return {"floordiv": div, "mod": mod, "divmod": [div, mod]}[function]


def _is_nonzero(operand: Any) -> bool:
    return isinstance(operand, Const) and operand.value != 0


def _power(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    kind, result = _highest(kinds), node.outputs[0].spec.dtype.kind
    if len(texts) == 2 and kinds[0] == COMPLEX:
        return _complex_power(p, node, texts[0])
    if len(texts) != 2 or COMPLEX in kinds or result == COMPLEX:
        return None
    if kind == INT and result == INT:
        a, b = _as(INT, texts, kinds)
        exponent = node.operands[1]
        if not (isinstance(exponent, Const) and exponent.value >= 0):
            p.guard(f"{b} < 0", node)
        if isinstance(exponent, Const) and exponent.value == 2:
            return _must_fit(p, node, f"mul_checked({a}, {a})", "pow")
        return _must_fit(p, node, f"pow_checked({a}, {b})", "pow")
    if result != FLOAT or kind != FLOAT:
        return None
    a, b = _as(FLOAT, texts, kinds)
    return _checked(p, node, f"c_pow({a}, {b})", "pow")


def _complex_power(p: Program, node: Node, base: str) -> str | None:
    """A power with a small constant exponent, by squares as Python does it; infinities and NaN are Python's."""
    exponent = node.operands[1]
    if not isinstance(exponent, Const) or isinstance(exponent.value, complex) or exponent.value not in range(1, LARGEST_POWER + 1):
        return None
    rest, power, result = int(exponent.value), base, "complex(1.0, 0.0)"
    while True:
        if rest & 1:
            total = p.new("pow")
            p.emit(f"{total} = {result} * {power}")
            result = total
        rest >>= 1
        if not rest:
            return _finite_complex(p, node, result, "pow")
        square = p.new("square")
        p.emit(f"{square} = {power} * {power}")
        power = square


def _finite_complex(p: Program, node: Node, text: str, base: str) -> str:
    """A complex number that comes from Python where a part is no finite number."""
    name = p.new(base)
    p.emit(f"{name} = {text}")
    with p.block(f"if not (math.isfinite({name}.real) and math.isfinite({name}.imag)):"):
        p.kernel_value(node, [name])
    return name


def _negate(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if kinds in (FLOAT, COMPLEX):
        return f"-{texts[0]}"
    (a,) = _as(INT, texts, kinds)
    known = range_of(p, texts[0])
    return f"-{a}" if known and known[0] > -(2**63) else _must_fit(p, node, f"sub_checked(0, {a})", "neg")


def _positive(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    return f"int64({texts[0]})" if kinds == BOOL else texts[0]


def _absolute(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if kinds == FLOAT:
        return f"abs({texts[0]})"
    if kinds == COMPLEX:
        return _checked(p, node, f"abs({texts[0]})", "abs")
    (a,) = _as(INT, texts, kinds)
    if kinds == INT:
        p.guard(f"{a} == {-(2**63)}", node)
    return f"abs({a})"


def _invert(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    return f"~{_as(INT, texts, kinds)[0]}"


def _bits(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if kinds == "bb":
        return f"{texts[0]} {BITS[function]} {texts[1]}"
    a, b = _as(INT, texts, kinds)
    return f"{a} {BITS[function]} {b}"


def _shift(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    a, b = _as(INT, texts, kinds)
    amount = node.operands[1]
    if not (isinstance(amount, Const) and amount.value >= 0):
        p.guard(f"{b} < 0", node)
    if function == "rshift":
        return f"{a} >> {min(amount.value, 63)}" if isinstance(amount, Const) else f"{a} >> min({b}, 63)"
    return _must_fit(p, node, f"shift_checked({a}, {b})", "lshift")


def _comparison(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    kind, sign = _highest(kinds), COMPARISONS[function]
    if kind == FLOAT and kinds != "ff":
        return _mixed_comparison(p, node, function, kinds, texts)
    if kind == COMPLEX and kinds != "cc":
        return _complex_comparison(p, node, function, kinds, texts)
    if kinds == "bb":
        return f"{texts[0]} {sign} {texts[1]}"
    a, b = _as(kind, texts, kinds)
    return f"{a} {sign} {b}"


def _complex_comparison(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> str | None:
    """A complex number against a real one."""
    i = 0 if kinds[0] != COMPLEX else 1
    x = node.operands[i]
    if function not in ("eq", "ne") or (kinds[i] == INT and not (isinstance(x, Const) and abs(x.value) <= EXACT)):
        return None
    real, other = _as(FLOAT, texts[i : i + 1], kinds[i])[0], texts[1 - i]
    text = f"({other}.real == {real} and {other}.imag == 0.0)"
    return text if function == "eq" else f"not {text}"


def _mixed_comparison(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    """An integer against a float: exact as long as the integer is."""
    a, b = _as(FLOAT, texts, kinds)
    text = f"{a} {COMPARISONS[function]} {b}"
    i = 0 if kinds[0] != FLOAT else 1
    x = node.operands[i]
    if kinds[i] == BOOL or (isinstance(x, Const) and abs(x.value) <= EXACT):
        return text
    name = p.new(function)
    p.emit(f"{name} = {text}")
    with p.block(f"if abs({texts[i]}) > {EXACT}:"):
        p.kernel_value(node, [name])
    return name


def _truth(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if kinds == BOOL:
        return f"not {texts[0]}" if function == "not_" else texts[0]
    return f"{texts[0]} {'==' if function == 'not_' else '!='} 0"


# -- built-ins ------------------------------------------------------------------------------------------------------
def _extreme(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if len(set(kinds)) != 1 or len(texts) < 2 or COMPLEX in kinds:
        return None
    sign, best = ">" if function == "max" else "<", texts[0]
    for i, text in enumerate(texts[1:]):
        choice = f"{text} if {text} {sign} {best} else {best}"
        if i < len(texts) - 2:
            best = p.new(function)
            p.emit(f"{best} = {choice}")
    return choice


def _choose(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    return f"{texts[1]} if {texts[0]} else {texts[2]}" if kinds[0] == BOOL and kinds[1] == kinds[2] else None


def _to_int(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if len(texts) != 1 or kinds == COMPLEX:
        return None
    return texts[0] if kinds == INT else f"int64({texts[0]})" if kinds == BOOL else _truncated(p, node, texts[0])


def _truncated(p: Program, node: Node, text: str) -> str:
    """A float as an integer; Python raises for what is too large, infinite or NaN."""
    p.guard(f"not (abs({text}) < {2.0**63})", node)
    return f"int64({text})"


def _to_float(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    return None if len(texts) != 1 or kinds == COMPLEX else texts[0] if kinds == FLOAT else f"float64({texts[0]})"


def _to_complex(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if COMPLEX in kinds:
        return texts[0] if len(texts) == 1 else None
    parts = _as(FLOAT, texts, kinds)
    return f"complex({parts[0]}, {parts[1] if len(parts) > 1 else 0.0})"


def _round(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    if len(texts) != 1:
        return None
    if kinds == FLOAT:
        return _truncated(p, node, f"np.rint({texts[0]})")
    return _as(INT, texts, kinds)[0]


# -- math -----------------------------------------------------------------------------------------------------------
def _math(p: Program, node: Node, function: str, kinds: str, texts: list[str]) -> Any:
    name = function.removeprefix("math.")
    if COMPLEX in kinds:
        return None
    if name in ROUNDINGS and len(texts) == 1:
        return _truncated(p, node, f"{ROUNDINGS[name]}({texts[0]})") if kinds == FLOAT else _as(INT, texts, kinds)[0]
    if name in TESTS:
        return f"math.{name}({_as(FLOAT, texts, kinds)[0]})"
    if name in FLOAT_MATH and len(texts) == 1 and not (name.startswith("log") and kinds != FLOAT):
        return _checked(p, node, FLOAT_MATH[name].format(*_as(FLOAT, texts, kinds)), name)
    if name in ("atan2", "copysign", "fmod", "hypot") and len(texts) == 2:
        call = "float_rem" if name == "fmod" else f"math.{name}"
        return _checked(p, node, f"{call}({', '.join(_as(FLOAT, texts, kinds))})", name)
    return _power(p, node, "pow", "ff", _as(FLOAT, texts, kinds)) if name == "pow" else None


RULES: Final[dict[str, Callable[..., Any]]] = {
    **dict.fromkeys(OPERATORS, _arithmetic),
    **dict.fromkeys(COMPARISONS, _comparison),
    **dict.fromkeys(BITS, _bits),
    **dict.fromkeys(("floordiv", "mod", "divmod"), _floor_division),
    **dict.fromkeys(("lshift", "rshift"), _shift),
    **dict.fromkeys(("not_", "truth", "bool"), _truth),
    **dict.fromkeys(("max", "min"), _extreme),
    "truediv": _true_division,
    "pow": _power,
    "neg": _negate,
    "pos": _positive,
    "abs": _absolute,
    "invert": _invert,
    "choose": _choose,
    "int": _to_int,
    "float": _to_float,
    "complex": _to_complex,
    "round": _round,
    "math.": _math,
}
"""How each function is written; ``math.`` stands for all of that module."""
