"""Reading and writing items: every kind of key, as NumPy does it."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from ops.calls import check, check_graph, observed, same

import hybrid
from hybrid.core.dim import DimLike, evaluate, symbol, symbols_of
from hybrid.core.pattern import Slice, Slot, encode, fill, parse, text
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.trace import trace_program
from hybrid.ops.index import getitem, item_strides, setitem, sliced

MASK = np.array([[True, False, True], [False, True, True]])

READS = [
    lambda a: a[1],
    lambda a: a[-1, 2],
    lambda a: a[1:],
    lambda a: a[:, ::-1],
    lambda a: a[..., 0],
    lambda a: a[None, :, None, 1],
    lambda a: a[()],
    lambda a: a[...],
    lambda a: a[5:9],
    lambda a: a[np.int64(1), np.uint8(2)],
    lambda a: a[[0, 1, 1]],
    lambda a: a[[]],
    lambda a: a[:, [2, 0]],
    lambda a: a[[[0], [1]], [0, 2]],
    lambda a: a[(0, 1), (1, 2)],
    lambda a: a[np.array([0, 1]), None, [1, 2]],
    lambda a: a[a > 3],
    lambda a: a[MASK],
    lambda a: a[MASK[:, 0]],
    lambda a: a[:, MASK[0]],
    lambda a: a[MASK[:, 0], 1],
    lambda a: a[True],
    lambda a: a[False, 1],
    lambda a: a[..., np.array(True)],
    lambda a: a[np.array(1)],
    lambda a: a[np.array(1), 0],
    lambda a: a[range(2)],
    lambda a: a[2],
    lambda a: a[0, -4],
    lambda a: a[0, 0, 0],
    lambda a: a[..., ...],
    lambda a: a[1.0],
    lambda a: a["x"],
    lambda a: a[[0, 3]],
    lambda a: a[[0.5]],
    lambda a: a[np.array([0.5])],
    lambda a: a[np.zeros((2, 2), bool)],
    lambda a: a[[0, 1], [0, 1, 2]],
    lambda a: a[::0],
    lambda a: a[1.5:],
    lambda a: a[np.array([1]) :],
    lambda a: a[True:],
]


@pytest.mark.parametrize("call", READS)
def test_reading(call: Any) -> None:
    check(call, np.arange(6).reshape(2, 3))
    check_graph(call, np.arange(6).reshape(2, 3))


WRITES = [
    lambda a: operator.setitem(a, 1, 9),
    lambda a: operator.setitem(a, (slice(None), 0), [7, 8]),
    lambda a: operator.setitem(a, (0, 0), 2.9),
    lambda a: operator.setitem(a, ..., [[1.9], [2.9]]),
    lambda a: operator.setitem(a, [0, 0], [[1, 2, 3], [4, 5, 6]]),
    lambda a: operator.setitem(a, MASK, 0),
    lambda a: operator.setitem(a, MASK, [1, 2, 3, 4]),
    lambda a: operator.setitem(a, MASK[:, 0], [[1, 2, 3]]),
    lambda a: operator.setitem(a, True, 5),
    lambda a: operator.setitem(a, (slice(None), slice(None, None, -1)), a + 10),
    lambda a: operator.setitem(a, slice(0), 1),
    lambda a: operator.setitem(a, 0, [1, 2]),
    lambda a: operator.setitem(a, (0, 0), [1]),
    lambda a: operator.setitem(a, MASK, [1, 2, 3]),
    lambda a: operator.setitem(a, MASK, [[1]]),
    lambda a: operator.setitem(a, [0, 1], [1, 2]),
    lambda a: operator.setitem(a, 2, 1),
    lambda a: operator.setitem(a, 0, 1j),
    lambda a: operator.setitem(a, 0, np.complex128(1j)),
    lambda a: operator.setitem(a, 0, np.nan),
    lambda a: operator.setitem(a, 0, "x"),
]


@pytest.mark.parametrize("call", WRITES)
def test_writing(call: Any) -> None:
    check(call, np.arange(6).reshape(2, 3))
    check_graph(call, np.arange(6).reshape(2, 3))


def test_writing_to_other_dtypes() -> None:
    for dtype in ("bool", "uint8", "float32", "complex64"):
        for key in (0, ..., [0, 1]):
            for value in (1, 1.5, 1j, [1], 300, -1, np.float64(1.5), np.complex64(1j), np.ones(1), np.ones(2)):
                check(lambda a, key=key, value=value: operator.setitem(a, key, value), np.zeros(2, dtype))
                check_graph(lambda a, key=key, value=value: operator.setitem(a, key, value), np.zeros(2, dtype))


def test_a_scalar_takes_only_new_axes() -> None:
    x = hybrid.asarray([3.0])[0]
    same(np.float64(3.0)[None, ...], x[None, ...])
    same(np.float64(3.0)[()], x[()])
    with pytest.raises(IndexError, match="invalid index to scalar variable"):
        x[0]
    with pytest.raises(TypeError, match="does not support item assignment"):
        x[...] = 1


def test_messages_are_numpys_with_the_call() -> None:
    x = hybrid.asarray(np.zeros(3))
    with pytest.raises(IndexError, match=r"index 6 is out of bounds for axis 0 with size 3\n  in indexing, received \(float64\[3\], 6\)"):
        x[6]
    with pytest.raises(IndexError, match="too many indices for array: array is 1-dimensional, but 2 were indexed"):
        x[0, 0]
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(2,\) into shape \(3,\)"):
        x[:] = np.ones(2)
    with pytest.raises(OverflowError):
        x.astype(int)[0] = 2**70


def test_views_share_memory_and_copies_do_not() -> None:
    base = hybrid.asarray(np.zeros((2, 3)))
    view, copy, masked = base[1:, ::2], base[[1]], base[base == 0]
    view[...] = 5
    copy[...] = masked[...] = 7
    np.testing.assert_array_equal(base.numpy(), [[0, 0, 0], [5, 0, 5]])
    base[1, 2] = 6
    assert view[0, 1].item() == 6


def test_writing_a_shifted_view_onto_itself() -> None:
    check(lambda a: operator.setitem(a, slice(1, None), a[:-1]), np.arange(5.0))
    check(lambda a: operator.setitem(a, slice(None), a[::-1]), np.arange(5.0))


def write_through_slice(a: Any, i: Any) -> Any:
    view = a[i:, ::2]
    view[...] = 9
    return view


def write_through_integer(a: Any, i: Any) -> Any:
    row = a[i]
    row[...] = 9
    return row


def write_through_chain(a: Any) -> Any:
    inner = a.T[1:][::-1, 0]
    inner += 10
    a[0, 2] = 5
    return inner


def write_after_reading_an_element(a: Any) -> Any:
    element, point = a[0, 0], a[0, 0, ...]
    a[0, 0] = 7
    return element, point


def test_writes_through_what_was_selected() -> None:
    """A slice with an array without axes as bound is a view; an item at such an array is a copy."""
    for call in (write_through_slice, write_through_integer):
        check(call, np.arange(6).reshape(2, 3), np.array(1))
        check_graph(call, np.arange(6).reshape(2, 3), np.array(1))
    for call in (write_through_chain, write_after_reading_an_element, lambda a: write_through_integer(a, 1)):
        check(call, np.arange(6).reshape(2, 3))
        check_graph(call, np.arange(6).reshape(2, 3))


def test_write_back_is_what_a_write_through_the_view_does() -> None:
    base = np.arange(12.0).reshape(3, 4)
    wanted = base.copy()
    wanted[1:, ::2] = -1
    got = getitem.write_back(hybrid.asarray(base), hybrid.asarray(np.full((2, 2), -1.0)), index=(Slice(1), Slice(None, None, 2)))
    np.testing.assert_array_equal(got.numpy(), wanted)


# -- patterns -------------------------------------------------------------------------------------------------------
def test_patterns_print_and_read_back() -> None:
    for pattern in [(), (1,), (-2, None, ...), (Slice(),), (Slice(1, Slot(0), -1), Slot(1)), (Slice(None, None, Slot(2)), Slice(-3))]:
        assert parse(text(pattern)) == pattern
        hash(pattern)
    assert text((Slice(0, 3, 2), Slot(0), Slice(None, -1), ..., None)) == "[0:3:2, $0, :-1, ..., None]"
    for wrong in ("", "[a]", "[1:2:3:4]", "[$]", "[1,]", "[1.5]", "1"):
        with pytest.raises(ValueError, match="wanted an index such as"):
            parse(wrong)


def test_encoding_keys() -> None:
    x = hybrid.asarray([1, 2])
    pattern, indices = encode((x, slice(x[0], np.int8(3)), [True], 5, np.int64(-1), True, None, ...))
    assert pattern == (Slot(0), Slice(Slot(1), 3), Slot(2), 5, -1, Slot(3), None, ...)
    assert indices[0] is x and indices[3] is np.True_
    assert [type(part) for part in pattern[3:5]] == [int, int]
    assert fill((Slice(Slot(0), 3), Slot(1)), [1, 2]) == (slice(1, 3, None), 2)
    for wrong in (1.5, "a", {}, np.float32(1), [0.5], [None], object()):
        with pytest.raises(IndexError, match="only integers, slices"):
            encode(wrong)
    for wrong in (np.array(["a"]), np.array([None]), np.array([])):
        with pytest.raises(IndexError, match="arrays used as indices must be of integer"):
            encode((0, wrong))
    for bound in (1.5, "a", np.True_, np.ones(2)):
        with pytest.raises(TypeError):
            encode(slice(bound))


# -- sizes ----------------------------------------------------------------------------------------------------------
BOUNDS = [None, *range(-5, 6)]


@pytest.mark.parametrize("step", [None, 1, 2, 3, -1, -2, -3])
def test_sizes_of_slices_are_exact_for_symbols(step: int | None) -> None:
    n = symbol("n")
    for start in BOUNDS:
        for stop in BOUNDS:
            length = sliced(n, start, stop, step)
            for size in range(8):
                assert evaluate(length, {"n": size}) == len(range(size)[start:stop:step]), f"[{start}:{stop}:{step}] of {size}: {length}"


def test_slices_of_a_stencil_have_one_size() -> None:
    n = symbol("n")
    assert sliced(n, None, None, None) == n == sliced(n, None, None, -1)
    assert (
        sliced(n, 2, None, None) == sliced(n, None, -2, None) == sliced(n, 1, -1, None) == sliced(sliced(n, 1, None, None), 1, None, None)
    )
    assert sliced(n + 1, 1, None, None) == n
    assert sliced(n, 3, 3, None) == 0


# -- random keys ----------------------------------------------------------------------------------------------------
BOUND = st.none() | st.integers(-6, 6)
SLICES = st.builds(slice, BOUND, BOUND, st.none() | st.sampled_from([1, 2, 3, -1, -2]))
KINDS = ["int", "slice", "slice", "new", "dots", "array", "array", "list", "mask", "bool"]
RARELY = st.integers(0, 19).map(lambda i: i == 7)


@st.composite
def keys(draw: Any, shape: tuple[int, ...]) -> Any:
    """A key for arrays of a shape: any mixture of its kinds, now and then one that doesn't fit."""
    m, n = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    parts: list[Any] = []
    axis = 0
    for kind in draw(st.lists(st.sampled_from(KINDS), max_size=6)):
        left = shape[axis:]
        if kind == "dots" and any(part is ... for part in parts) and not draw(RARELY):
            continue
        if not left and kind in ("int", "slice", "array", "list", "mask") and not draw(RARELY):
            continue
        part, used = draw(key_parts(kind, left or (1,), [(n,), (1,), (m, 1), (m, n), (), (n,)]))
        parts.append(part)
        axis += used
    return parts[0] if len(parts) == 1 and draw(st.booleans()) else tuple(parts)


@st.composite
def key_parts(draw: Any, kind: str, left: tuple[int, ...], shapes: list[tuple[int, ...]]) -> tuple[Any, int]:
    """One part of a key, and the number of axes it uses up."""
    size = max(left[0], 1)
    position = st.integers(-size, size - 1) if not draw(RARELY) else st.integers(-6, 6)
    if kind == "mask":
        sizes = left[: draw(st.integers(1, 2))]
        return draw(hnp.arrays(bool, sizes if not draw(RARELY) else (2,) * len(sizes))), len(sizes)
    if kind == "array":
        array = draw(hnp.arrays("int64", draw(st.sampled_from(shapes)), elements=position))
        return array.astype(draw(st.sampled_from(["int64", "int8"]))), 1
    strategies = {
        "int": position,
        "slice": SLICES,
        "list": st.lists(position, max_size=3),
        "new": st.none(),
        "dots": st.just(...),
        "bool": st.booleans() | st.booleans().map(np.array),
    }
    return draw(strategies[kind]), int(kind in ("int", "slice", "list"))


SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


@st.composite
def reads(draw: Any) -> tuple[np.ndarray, Any]:
    shape = draw(SHAPES)
    dtype = draw(st.sampled_from(["int32", "float64", "complex64", "bool"]))
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    basic = hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True)
    return x, draw(keys(shape) | basic)


def with_tensors(key: Any) -> Any:
    """The key with tensors in place of arrays."""
    if isinstance(key, tuple):
        return tuple(map(with_tensors, key))
    return hybrid.asarray(key) if isinstance(key, np.ndarray) else key


@settings(max_examples=250, deadline=None)
@given(reads())
def test_random_reads(case: tuple[np.ndarray, Any]) -> None:
    x, key = case
    want = observed(lambda a: a[key], [x])
    same(want, observed(lambda t: t[with_tensors(key)], [hybrid.asarray(x)]))
    pattern, indices = encode(key)
    assert parse(text(pattern)) == pattern
    specs = [spec_of(x), *map(spec_of, indices)]
    inferred = observed(lambda: getitem.infer(*specs, index=pattern), [])
    if isinstance(want, Exception):
        assert isinstance(inferred, Spec | type(want)), f"want {want!r}, rule gave {inferred!r}"
        return
    assert agrees(inferred, want, {}), f"want {want.dtype}{want.shape}, rule gave {inferred}"
    has_masks = any(spec.dtype.kind == "b" for spec in specs[1:])
    assert has_masks or not inferred.symbols
    symbolic = Spec(x.dtype, tuple(symbol(f"n{n}") if n > 1 else n for n in x.shape))
    assert agrees(getitem.infer(symbolic, *specs[1:], index=pattern), want, {f"n{n}": n for n in range(9)})
    check_view(x, want, item_strides(elements(x), *specs, index=pattern), indices)


def agrees(spec: Spec, want: Any, sizes: dict[str, DimLike]) -> bool:
    dims = [evaluate(d, sizes) for d in spec.shape]
    fits = [d == n or any(s.startswith("?") for s in symbols_of(d)) for d, n in zip(dims, want.shape, strict=False)]
    return spec.dtype == want.dtype and len(dims) == want.ndim and all(fits)


def elements(x: np.ndarray) -> tuple[int, ...]:
    return tuple(stride // x.itemsize for stride in x.strides)


def check_view(x: np.ndarray, want: Any, strides: Any, indices: list[Any]) -> None:
    """The view function tells views, their strides, and copies; an axisless array as an index makes a copy of what is a view else."""
    if any(isinstance(i, np.ndarray) and not i.shape and i.dtype.kind != "b" for i in indices):
        return
    if strides is False:
        assert not (isinstance(want, np.ndarray) and np.shares_memory(x, want))
    elif want.size:
        assert np.shares_memory(x, want)
        assert all(a == b for a, b, n in zip(strides, elements(want), want.shape, strict=True) if n > 1)


@settings(max_examples=150, deadline=None)
@given(reads(), st.booleans())
def test_random_reads_traced(case: tuple[np.ndarray, Any], is_written: bool) -> None:
    """Traced, with arrays as arguments, and written through if the selection is a view."""
    x, key = case
    pattern, indices = encode(key)
    if not x.shape or any(isinstance(i, np.ndarray) and not i.shape for i in indices):
        return

    def call(a: Any, *parts: Any) -> Any:
        item = a[fill(pattern, parts)]
        if is_written and item.shape:
            item[...] = 1
        return item, a

    want = observed(call, [x.copy(), *indices])
    specs = [spec_of(x), *map(spec_of, indices)]
    got = observed(lambda: trace_program(call, *specs)(hybrid.asarray(x.copy()), *indices), [])
    if isinstance(want, Exception):
        assert isinstance(got, type(want)), f"want {want!r}, got {got!r}"
    else:
        same(want, got)


@st.composite
def writes(draw: Any) -> tuple[np.ndarray, Any, Any]:
    x, key = draw(reads())
    selected = observed(lambda: x[key], [])
    shape = list(np.shape(selected)) if not isinstance(selected, Exception) else [1]
    for i in range(len(shape)):
        if draw(st.integers(0, 3)) == 0:
            shape[i] = draw(st.sampled_from([1, 1, 1, 2]))
    shape = ([1] * draw(st.integers(0, 2)) + shape)[draw(st.integers(0, 2)) :]
    dtype = draw(st.sampled_from(["int64", "float32", "complex128", "bool"]))
    array = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    return x, key, draw(st.sampled_from([array, array, array, array.tolist(), 3, 2.5, True, 1j]))


@settings(max_examples=250, deadline=None)
@given(writes())
def test_random_writes(case: tuple[np.ndarray, Any, Any]) -> None:
    x, key, value = case
    plain, copy, other = x.copy(), x.copy(), x.copy()
    want = observed(operator.setitem, [plain, key, value])
    same(
        want,
        observed(
            operator.setitem, [hybrid.asarray(copy), with_tensors(key), hybrid.asarray(value) if isinstance(value, np.ndarray) else value]
        ),
    )
    np.testing.assert_array_equal(copy, plain)
    if isinstance(value, list):
        return
    pattern, indices = encode(key)
    inferred = observed(lambda: setitem.infer(spec_of(x), spec_of(value), *map(spec_of, indices), index=pattern), [])
    if isinstance(want, Exception):
        # Of two faults, the rule may find the other.
        assert isinstance(inferred, Spec | IndexError | ValueError | TypeError), f"want {want!r}, rule gave {inferred!r}"
        return
    assert inferred == Spec(x.dtype, x.shape), f"{inferred!r}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(setitem.run(other, value, *indices, index=pattern), plain)
    np.testing.assert_array_equal(other, x)


def test_errors_of_shapes_are_found_before_running() -> None:
    x = Spec.parse("f64[3, n]")
    for key, error in [((0, 0, 0), IndexError), (3, IndexError), (-4, IndexError), (slice(None, None, 0), ValueError), ([0.0], IndexError)]:
        with pytest.raises(error):
            pattern, indices = encode(key)
            getitem.infer(x, *map(spec_of, indices), index=pattern)
    for shape in ("[2, n]", "[3, 3, n]", "[4]"):
        with pytest.raises(ValueError, match="could not broadcast"):
            setitem.infer(Spec.parse("f64[3, 5]"), Spec.parse("f64" + shape), index=(...,))
