"""Every ufunc of NumPy and SciPy on tensors: all loops, methods, and keywords."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special
from ops.calls import observed, same

import hybrid

NUMPY_UFUNCS = [u for name, u in sorted(vars(np).items()) if isinstance(u, np.ufunc) and u.__name__ == name]
SCIPY_UFUNCS = [u for name, u in sorted(vars(scipy.special).items()) if isinstance(u, np.ufunc)]
ELEMENTWISE = [u for u in [*NUMPY_UFUNCS, *SCIPY_UFUNCS] if u.signature is None]
PAIRS = [u for u in NUMPY_UFUNCS if u.nin == 2 and u.nout == 1 and u.signature is None]
CHARS = set("?bhilqBHILQefdFD")
"""The types of loops whose arrays can be tensors."""


def name_of(ufunc: np.ufunc) -> str:
    return ufunc.__name__


def loops(ufunc: np.ufunc) -> list[str]:
    """The dtypes of the inputs of each loop."""
    return [inputs for inputs, _, outputs in (t.partition("->") for t in ufunc.types) if set(inputs + outputs) <= CHARS]


def arrays(chars: str) -> list[np.ndarray]:
    return [(np.arange(1, 7).reshape(2, 3) / (1 if c in "?bhilqBHILQ" else 8) + i).astype(c) for i, c in enumerate(chars)]


def tensors(values: list[np.ndarray]) -> list[Any]:
    return [hybrid.constant(v) for v in values]


def compare(call: Any, values: list[np.ndarray]) -> None:
    given = tensors(values)
    same(observed(call, values), observed(call, given))


@pytest.mark.parametrize("ufunc", ELEMENTWISE, ids=name_of)
def test_every_loop(ufunc: np.ufunc) -> None:
    assert loops(ufunc) or ufunc in (np.isnat, scipy.special.gdtrix) or all(set(t) - CHARS - set("->") for t in ufunc.types)
    for chars in loops(ufunc):
        compare(ufunc, arrays(chars))


@pytest.mark.parametrize("ufunc", [u for u in ELEMENTWISE if loops(u)], ids=name_of)
@pytest.mark.filterwarnings("ignore")
def test_out(ufunc: np.ufunc) -> None:
    values = arrays(loops(ufunc)[-1])
    with np.errstate(all="ignore"):
        want = ufunc(*values)
    wants = want if ufunc.nout > 1 else (want,)
    for make in (np.array, hybrid.constant, hybrid.Variable):
        outs = tuple(make(np.zeros_like(w)) for w in wants)
        with np.errstate(all="ignore"):
            got = ufunc(*tensors(values), out=outs)
        assert all(g is o for g, o in zip(got if ufunc.nout > 1 else (got,), outs, strict=True))
        for w, o in zip(wants, outs, strict=True):
            np.testing.assert_array_equal(np.asarray(o), w)


@pytest.mark.parametrize("ufunc", [u for u in NUMPY_UFUNCS if u.nout == 2], ids=name_of)
def test_one_of_two_outputs_given(ufunc: np.ufunc) -> None:
    values = arrays("d" * ufunc.nin)
    want = ufunc(*values)
    for place in (0, 1):
        outs: list[Any] = [None, None]
        outs[place] = hybrid.constant(np.zeros_like(want[place]))
        got = ufunc(*tensors(values), out=tuple(outs))
        assert got[place] is outs[place]
        same(want, got)


@pytest.mark.parametrize("ufunc", PAIRS, ids=name_of)
@pytest.mark.parametrize("chars", ["dd", "ll", "??"])
def test_methods(ufunc: np.ufunc, chars: str) -> None:
    x, y = arrays(chars)
    compare(lambda x: ufunc.reduce(x), [x])
    compare(lambda x: ufunc.reduce(x, axis=1, keepdims=True), [x])
    compare(lambda x: ufunc.reduce(x, axis=None, initial=1), [x])
    compare(lambda x, m: ufunc.reduce(x, axis=0, where=m, initial=1), [x, x > 2])
    compare(lambda x: ufunc.accumulate(x, axis=1), [x])
    compare(lambda x, i: ufunc.reduceat(x, i, axis=1), [x, np.array([0, 2])])
    compare(ufunc.outer, [x, y[0]])
    compare(lambda x, y: (ufunc.at(x, (0, slice(None)), y), x)[1], [x, y[0]])


@pytest.mark.parametrize("ufunc", [np.matmul, np.vecdot, np.matvec, np.vecmat], ids=name_of)
def test_products(ufunc: np.ufunc) -> None:
    x, y = np.arange(4.0).reshape(2, 2), np.eye(2) * 2
    compare(ufunc, [x, y])
    compare(ufunc, [x[:1], y])
    compare(lambda x, y: ufunc(x, y, axes=[(0, 1), (1, 0), (0, 1)]), [x, y])
    compare(ufunc, [x[0], y[1]])


@pytest.mark.parametrize(
    "call",
    [
        lambda x, m: np.add(x, 1, where=m, out=np.zeros_like(x)),
        lambda x, m: np.add(x, 1, dtype="f4"),
        lambda x, m: np.add(x, 1, dtype="f4", casting="unsafe", order="F", subok=False),
        lambda x, m: np.add(x, 1, dtype=int),
        lambda x, m: np.add(x, x, signature="ff->f", casting="same_kind"),
        lambda x, m: np.add(x, m, out=np.zeros_like(x[0])),
        lambda x, m: np.add(x, x, out=np.zeros_like(x, dtype=int)),
        lambda x, m: np.add(x, x, out=np.zeros_like(x, dtype=int), casting="unsafe"),
        lambda x, m: np.add(x, x, np.zeros_like(x)),
        lambda x, m: np.add(x, x, x),
        lambda x, m: np.modf(x, None, np.zeros_like(x)),
        lambda x, m: np.add(x),
        lambda x, m: np.add(x, x, whre=m),
        lambda x, m: np.invert(x),
        lambda x, m: np.multiply(x, 2.0, out=x)[0],
    ],
)
def test_keywords(call: Any) -> None:
    x = np.arange(6.0).reshape(2, 3)
    compare(call, [x, x > 2])


def test_masks_and_outs_of_every_kind() -> None:
    x, mask = hybrid.asarray([1.0, 2.0, 3.0]), hybrid.asarray([True, False, True])
    tensor, array, variable = hybrid.constant([0.0] * 3), np.zeros(3), hybrid.Variable([0.0] * 3)
    for out in (tensor, array, variable):
        assert np.sqrt(x, out=out, where=mask) is out
        np.testing.assert_array_equal(np.asarray(out), [1.0, 0.0, np.sqrt(3.0)])
    assert np.sum(x, out=(total := hybrid.constant(0.0))) is total
    assert total.item() == 6
    assert np.cumsum(x, out=variable) is variable
    assert variable.numpy().tolist() == [1, 3, 6]


def test_a_failed_call_writes_nothing() -> None:
    out, variable = hybrid.constant([0, 0]), hybrid.Variable([0, 0])
    for target in (out, variable):
        with pytest.raises(TypeError, match="Cannot cast"):
            np.add(hybrid.asarray([1.5, 2.5]), 1, out=target)
        assert target.tolist() == [0, 0]


def test_scalars_are_no_place_for_results() -> None:
    scalar = hybrid.asarray([1.0])[0]
    with pytest.raises(TypeError, match="return arrays must be of ArrayType"):
        np.add(scalar, 1, out=scalar)


def test_ufuncs_made_of_python_functions_give_numpys_objects() -> None:
    got = np.frompyfunc(lambda x: f"<{x}>", 1, 1)(hybrid.asarray([1, 2]))
    assert isinstance(got, np.ndarray) and got.tolist() == ["<1>", "<2>"]


def test_variables_take_what_at_writes() -> None:
    variable = hybrid.Variable([0.0, 0.0])
    before = variable.value
    np.add.at(variable, [0, 0, 1], [1.0, 2.0, 5.0])
    assert variable.tolist() == [3, 5] and before.tolist() == [0, 0]
