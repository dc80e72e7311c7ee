"""The special functions of SciPy, called on tensors as on arrays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy
from ops.calls import check, check_graph, observed, same

import hybrid
from hybrid.core.table import NUMPY, OPS, Functions
from hybrid.ir.trace import trace_program
from hybrid.ops import gamma, special

X = np.array([[0.25, 0.5, 0.75], [0.0, 1.0, 0.125]])
ARRAYS = {
    "float64": X,
    "float32": X.astype("float32"),
    "float16": X.astype("float16"),
    "int8": np.array([0, 1, 3], "int8"),
    "bool": np.array([True, False]),
    "complex": X + 0.5j,
    "beyond": np.array([np.nan, np.inf, -np.inf, -2.0, 1e300]),
    "empty": np.ones((0, 3)),
    "0-d": np.array(0.5),
}
NAMES = [name for module in (special, gamma) for name in module.__all__]
UFUNCS = [name for name in NAMES if isinstance(getattr(scipy.special, name), np.ufunc)]
FUNCTIONS = [name for name in NAMES if name not in UFUNCS]
ONE = [name for name in UFUNCS if getattr(scipy.special, name).nin == 1]
TWO = [name for name in UFUNCS if name not in ONE]


@pytest.mark.parametrize("dtype", ARRAYS)
@pytest.mark.parametrize("name", ONE)
def test_ufunc_of_one(name: str, dtype: str) -> None:
    ufunc = getattr(scipy.special, name)
    check(lambda x: ufunc(x), ARRAYS[dtype])
    check_graph(lambda x: ufunc(x), ARRAYS[dtype])
    same(observed(ufunc, [ARRAYS[dtype]]), observed(OPS[f"special.{name}"], [ARRAYS[dtype]]))


@pytest.mark.parametrize("dtype", [*ARRAYS, "number"])
@pytest.mark.parametrize("name", TWO)
def test_ufunc_of_two(name: str, dtype: str) -> None:
    ufunc = getattr(scipy.special, name)
    if dtype == "number":
        check(lambda x: ufunc(x, 2), X.astype("float32"))
        check_graph(lambda x: ufunc(0.5, x), X.astype("float32"))
        return
    for call in (lambda x, y: ufunc(x, y), lambda x, y: ufunc(y, x)):
        check(call, ARRAYS[dtype], np.array(0.5))
        check_graph(call, ARRAYS[dtype], np.array(0.5))


@pytest.mark.parametrize("name", ["erf", "expit", "gammaln"])
def test_keywords_of_ufuncs(name: str) -> None:
    ufunc = getattr(scipy.special, name)
    out, mask = np.ones((2, 3)), np.array([True, False, True])
    for call in (lambda x, out: ufunc(x, out=out), lambda x, out: ufunc(x, out)):
        check(call, X, out)
        check_graph(call, X, out)
    check_graph(lambda x: ufunc(x, dtype="float32"), X.astype("float32"))
    masked = trace_program(lambda x, out, mask: ufunc(x, out=out, where=mask), "f64[2, 3]", "f64[2, 3]", "bool[3]")
    np.testing.assert_array_equal(masked(X, out, mask), np.where(mask, ufunc(X), 1.0))  # SciPy itself skips wrong elements here


CALLS: dict[str, tuple[Any, ...]] = {
    "polygamma": (lambda f, x: f.polygamma(1, x + 1), X),
    "polygamma orders": (lambda f, n, x: f.polygamma(n, x + 1), np.array([[0], [2]]), X),
    "polygamma complex": (lambda f, x: f.polygamma(1, x), X + 1j),
    "zeta": (lambda f, x: f.zeta(x + 2), X),
    "zeta below 1": (lambda f, x: f.zeta(x), X),
    "zeta complex": (lambda f, x: f.zeta(x), X + 2j),
    "zeta two": (lambda f, x, q: f.zeta(x + 2, q), X, np.array([1.0, 2.0, 0.5])),
    "zeta two complex": (lambda f, x: f.zeta(x, 1.0), np.array([2j])),
    "logsumexp": (lambda f, x: f.logsumexp(x), X),
    "logsumexp axis": (lambda f, x: f.logsumexp(x, axis=0, keepdims=True), X),
    "logsumexp axes": (lambda f, x: f.logsumexp(x, axis=(0, 1)), X.astype("float32")),
    "logsumexp no axis": (lambda f, x: f.logsumexp(x, axis=3), X),
    "logsumexp factors": (lambda f, x, b: f.logsumexp(x, b=b, axis=1), X, np.array([1.0, 0.0, 2.0])),
    "logsumexp factor": (lambda f, x: f.logsumexp(x, b=2), X.astype("float32")),
    "logsumexp negative": (lambda f, x: f.logsumexp(x, b=-1.0), X),
    "logsumexp signs": (lambda f, x, b: f.logsumexp(x, b=b, axis=0, return_sign=True), X, np.array([1.0, -1.0, 2.0])),
    "logsumexp complex": (lambda f, x: f.logsumexp(x, axis=1), X + 1j),
    "logsumexp complex signs": (lambda f, x: f.logsumexp(x, axis=1, return_sign=True), X + 1j),
    "logsumexp infinities": (lambda f, x: f.logsumexp(x, axis=1), np.array([[-np.inf, -np.inf], [np.inf, 1.0]])),
    "logsumexp int": (lambda f, x: f.logsumexp(x), np.array([1000, 1000])),
    "logsumexp nothing": (lambda f, x: f.logsumexp(x, axis=0), np.ones((0, 3))),
    "softmax": (lambda f, x: f.softmax(x), X),
    "softmax axis": (lambda f, x: f.softmax(x * 1000, axis=-1), X.astype("float32")),
    "softmax axes": (lambda f, x: f.softmax(x, axis=(0, 1)), X),
    "softmax complex": (lambda f, x: f.softmax(x, axis=0), X + 1j),
    "softmax int": (lambda f, x: f.softmax(x), np.array([1, 2, 3])),
    "softmax int8": (lambda f, x: f.softmax(x), np.array([1, 2, 3], "int8")),
    "softmax bool": (lambda f, x: f.softmax(x), np.array([True, False])),
    "softmax nothing": (lambda f, x: f.softmax(x), np.ones((0, 3))),
    "softmax infinities": (lambda f, x: f.softmax(x, axis=1), np.array([[-np.inf, 0.0], [np.inf, 0.0]])),
    "log_softmax": (lambda f, x: f.log_softmax(x), X),
    "log_softmax axis": (lambda f, x: f.log_softmax(x * 1000, axis=0), X),
    "log_softmax complex": (lambda f, x: f.log_softmax(x, axis=0), X + 1j),
    "log_softmax infinities": (lambda f, x: f.log_softmax(x, axis=1), np.array([[-np.inf, 0.0], [np.inf, 0.0]])),
}


class Operations:
    """The operations by the names that SciPy's functions have."""

    def __getattr__(self, name: str) -> Any:
        return OPS[f"special.{name}"]


@pytest.mark.parametrize("case", CALLS)
def test_function_gives_what_scipy_gives(case: str) -> None:
    call, *arrays = CALLS[case]
    want = observed(lambda *a: call(scipy.special, *a), arrays)
    same(want, observed(lambda *a: call(Operations(), *a), list(map(hybrid.asarray, arrays))))
    specs = [f"{a.dtype}{list(a.shape)}" for a in arrays]
    same(want, observed(lambda *a: trace_program(lambda *t: call(Operations(), *t), *specs)(*a), arrays))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_scipy_call_forms_reach_the_operation(name: str) -> None:
    calls: dict[str, Callable[..., Any]] = {
        "polygamma": lambda f, x: f(2, x=x),
        "zeta": lambda f, x: f(x, q=2.0),
        "logsumexp": lambda f, x: f(x, 1, None, True),
        "softmax": lambda f, x: f(x, 1),
        "log_softmax": lambda f, x: f(x, axis=0),
    }
    function = getattr(scipy.special, name)
    program = trace_program(lambda x: calls[name](NUMPY[function], x), "f64[2, 3]")
    assert [node.op.name for node in program.graph.nodes] == [f"special.{name}"]
    np.testing.assert_array_equal(program(X + 2), calls[name](function, X + 2))


# -- values from elsewhere than SciPy -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("erf", (1.0,), 0.84270079294971486934),
        ("erfc", (10.0,), 2.0884875837625447570e-45),
        ("erfinv", (0.5,), 0.47693627620446987338),
        ("gamma", (5.0,), 24.0),
        ("gammaln", (0.5,), np.log(np.pi) / 2),
        ("digamma", (1.0,), -np.euler_gamma),
        ("polygamma", (1, 1.0), np.pi**2 / 6),
        ("zeta", (2.0,), np.pi**2 / 6),
        ("beta", (2.0, 3.0), 1 / 12),
        ("ndtri", (0.975,), 1.9599639845400542355),
        ("logit", (0.75,), np.log(3)),
        ("expit", (-np.inf,), 0.0),
        ("log_expit", (-1000.0,), -1000.0),
        ("entr", (0.0,), 0.0),
        ("xlogy", (0.0, 0.0), 0.0),
        ("xlogy", (0.0, np.nan), np.nan),
        ("kl_div", (0.0, 0.5), 0.5),
        ("rel_entr", (0.0, 0.0), 0.0),
        ("logsumexp", ([-np.inf, -np.inf],), -np.inf),
        ("logsumexp", ([1000.0, 1000.0],), 1000 + np.log(2)),
        ("i0", (0.0,), 1.0),
        ("gammainc", (1.0, 2.0), 1 - np.exp(-2)),
    ],
)
def test_value(name: str, arguments: tuple[Any, ...], value: float) -> None:
    np.testing.assert_allclose(OPS[f"special.{name}"](*arguments).numpy(), value, rtol=1e-14)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint64"])
def test_integers_do_not_wrap_in_softmax(dtype: str) -> None:
    x = np.array([0, 1, 127], dtype)
    for name in ("softmax", "log_softmax"):
        op = OPS[f"special.{name}"]
        np.testing.assert_allclose(op(x).numpy(), op(x.astype("float64")).numpy(), rtol=1e-3, atol=1e-7)
    low = hybrid.asarray(np.array([-128, 127], "int8"))
    assert OPS["special.softmax"](low).tolist() == [0.0, 1.0]


# -- SciPy is imported when it is needed ----------------------------------------------------------------------------
def test_importing_hybrid_imports_no_scipy_function() -> None:
    code = "import sys, hybrid; print([m for m in ('scipy.special', 'scipy.linalg') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_functions_enter_the_table_when_their_module_has_been_imported() -> None:
    table = Functions()
    table.later("fractions.gcd_of_nothing", lambda function: function)
    table.later("colorsys.rgb_to_hsv", lambda function: "adapted")
    sys.modules.pop("colorsys", None)
    import colorsys

    assert colorsys.rgb_to_hsv in table and table[colorsys.rgb_to_hsv] == "adapted"
    assert table.get(len) is None
    with pytest.raises(KeyError):
        table[len]
