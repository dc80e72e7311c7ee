"""Every name of the Python array API standard 2024.12 is there, with the standard's signature."""

from __future__ import annotations

import inspect
import math
import tomllib
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hybrid
from hybrid.core.op import Op
from hybrid.core.table import OPS

UNARY = """
    abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log log1p log2
    log10 logical_not negative positive real reciprocal round sign signbit sin sinh square sqrt tan tanh trunc
    matrix_transpose nonzero unique_all unique_counts unique_inverse unique_values finfo iinfo
"""

BINARY = """
    add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal floor_divide greater
    greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal pow
    remainder subtract matmul can_cast
"""

FUNCTIONS = """
    arange(start, /, stop=None, step=1, *, dtype=None, device=None)
    asarray(obj, /, *, dtype=None, device=None, copy=None)
    empty(shape, *, dtype=None, device=None)
    empty_like(x, /, *, dtype=None, device=None)
    eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)
    from_dlpack(x, /, *, device=None, copy=None)
    full(shape, fill_value, *, dtype=None, device=None)
    full_like(x, /, fill_value, *, dtype=None, device=None)
    linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True)
    meshgrid(*arrays, indexing='xy')
    ones(shape, *, dtype=None, device=None)
    ones_like(x, /, *, dtype=None, device=None)
    tril(x, /, *, k=0)
    triu(x, /, *, k=0)
    zeros(shape, *, dtype=None, device=None)
    zeros_like(x, /, *, dtype=None, device=None)
    astype(x, dtype, /, *, copy=True, device=None)
    isdtype(dtype, kind)
    result_type(*arrays_and_dtypes)
    clip(x, /, min=None, max=None)
    take(x, indices, /, *, axis=None)
    take_along_axis(x, indices, /, *, axis=-1)
    tensordot(x1, x2, /, *, axes=2)
    vecdot(x1, x2, /, *, axis=-1)
    broadcast_arrays(*arrays)
    broadcast_to(x, /, shape)
    concat(arrays, /, *, axis=0)
    expand_dims(x, /, axis)
    flip(x, /, *, axis=None)
    moveaxis(x, source, destination, /)
    permute_dims(x, /, axes)
    repeat(x, repeats, /, *, axis=None)
    reshape(x, /, shape, *, copy=None)
    roll(x, /, shift, *, axis=None)
    squeeze(x, /, axis)
    stack(arrays, /, *, axis=0)
    tile(x, repetitions, /)
    unstack(x, /, *, axis=0)
    argmax(x, /, *, axis=None, keepdims=False)
    argmin(x, /, *, axis=None, keepdims=False)
    count_nonzero(x, /, *, axis=None, keepdims=False)
    searchsorted(x1, x2, /, *, side='left', sorter=None)
    where(condition, x1, x2, /)
    argsort(x, /, *, axis=-1, descending=False, stable=True)
    sort(x, /, *, axis=-1, descending=False, stable=True)
    cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False)
    cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False)
    max(x, /, *, axis=None, keepdims=False)
    mean(x, /, *, axis=None, keepdims=False)
    min(x, /, *, axis=None, keepdims=False)
    prod(x, /, *, axis=None, dtype=None, keepdims=False)
    std(x, /, *, axis=None, correction=0.0, keepdims=False)
    sum(x, /, *, axis=None, dtype=None, keepdims=False)
    var(x, /, *, axis=None, correction=0.0, keepdims=False)
    all(x, /, *, axis=None, keepdims=False)
    any(x, /, *, axis=None, keepdims=False)
    diff(x, /, *, axis=-1, n=1, prepend=None, append=None)
    __array_namespace_info__()
    linalg.cholesky(x, /, *, upper=False)
    linalg.cross(x1, x2, /, *, axis=-1)
    linalg.det(x, /)
    linalg.diagonal(x, /, *, offset=0)
    linalg.eigh(x, /)
    linalg.eigvalsh(x, /)
    linalg.inv(x, /)
    linalg.matmul(x1, x2, /)
    linalg.matrix_norm(x, /, *, keepdims=False, ord='fro')
    linalg.matrix_power(x, n, /)
    linalg.matrix_rank(x, /, *, rtol=None)
    linalg.matrix_transpose(x, /)
    linalg.outer(x1, x2, /)
    linalg.pinv(x, /, *, rtol=None)
    linalg.qr(x, /, *, mode='reduced')
    linalg.slogdet(x, /)
    linalg.solve(x1, x2, /)
    linalg.svd(x, /, *, full_matrices=True)
    linalg.svdvals(x, /)
    linalg.tensordot(x1, x2, /, *, axes=2)
    linalg.trace(x, /, *, offset=0, dtype=None)
    linalg.vecdot(x1, x2, /, *, axis=-1)
    linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2)
    fft.fft(x, /, *, n=None, axis=-1, norm='backward')
    fft.ifft(x, /, *, n=None, axis=-1, norm='backward')
    fft.fftn(x, /, *, s=None, axes=None, norm='backward')
    fft.ifftn(x, /, *, s=None, axes=None, norm='backward')
    fft.rfft(x, /, *, n=None, axis=-1, norm='backward')
    fft.irfft(x, /, *, n=None, axis=-1, norm='backward')
    fft.rfftn(x, /, *, s=None, axes=None, norm='backward')
    fft.irfftn(x, /, *, s=None, axes=None, norm='backward')
    fft.hfft(x, /, *, n=None, axis=-1, norm='backward')
    fft.ihfft(x, /, *, n=None, axis=-1, norm='backward')
    fft.fftfreq(n, /, *, d=1.0, dtype=None, device=None)
    fft.rfftfreq(n, /, *, d=1.0, dtype=None, device=None)
    fft.fftshift(x, /, *, axes=None)
    fft.ifftshift(x, /, *, axes=None)
    Tensor.__array_namespace__(self, /, *, api_version=None)
    Tensor.__dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)
    Tensor.__dlpack_device__(self, /)
    Tensor.__getitem__(self, key, /)
    Tensor.__setitem__(self, key, value, /)
    Tensor.to_device(self, device, /, *, stream=None)
"""

NUMBERS = "__bool__ __complex__ __float__ __index__ __int__ __abs__ __invert__ __neg__ __pos__"

OPERATORS = """
    __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __pow__ __matmul__ __and__ __or__ __xor__ __lshift__ __rshift__
    __eq__ __ge__ __gt__ __le__ __lt__ __ne__
"""

REFLECTED = """
    __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__ __rmatmul__ __rand__ __ror__ __rxor__ __rlshift__ __rrshift__
    __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __imod__ __ipow__ __imatmul__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__
"""

ATTRIBUTES = "dtype device mT ndim shape size T"

DTYPES = """
    bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128
"""


def standard() -> Iterator[tuple[str, str]]:
    """Each function of the standard: its dotted name in ``hybrid``, and its parameters."""
    for name in UNARY.split():
        yield name, "x, /"
    for name in BINARY.split():
        yield name, "x1, x2, /"
    for name in NUMBERS.split():
        yield f"Tensor.{name}", "self, /"
    for name in (OPERATORS + REFLECTED).split():
        yield f"Tensor.{name}", "self, other, /"
    for line in FUNCTIONS.strip().splitlines():
        name, _, rest = line.strip().partition("(")
        yield name, rest.removesuffix(")")


@pytest.mark.parametrize(("name", "parameters"), [pytest.param(*item, id=item[0]) for item in standard()])
def test_function_of_the_standard(name: str, parameters: str) -> None:
    wanted = inspect.signature(eval(f"lambda {parameters}: None"))
    ours = list(inspect.signature(found(name)).parameters.values())
    positional = [p for p in wanted.parameters.values() if p.kind is not Parameter.KEYWORD_ONLY]
    for want, got in zip(positional, ours, strict=False):
        assert got.kind in ALLOWED[want.kind], f"{want.name}: {got.kind.description}, want {want.kind.description}"
        assert got.name == want.name or want.kind in UNNAMED
        assert want.default in (got.default, Parameter.empty), f"{want.name}={got.default}, want {want.default}"
    assert len(ours) >= len(positional)
    assert all(p.default is not Parameter.empty or p.kind in UNNAMED for p in ours[len(positional) :]), "more is required"
    by_name = {p.name: p for p in ours}
    for want in wanted.parameters.values():
        if want.kind is Parameter.KEYWORD_ONLY:
            assert by_name[want.name].kind in ALLOWED[want.kind]
            assert by_name[want.name].default == want.default


ALLOWED = {
    Parameter.POSITIONAL_ONLY: {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD},
    Parameter.POSITIONAL_OR_KEYWORD: {Parameter.POSITIONAL_OR_KEYWORD},
    Parameter.VAR_POSITIONAL: {Parameter.VAR_POSITIONAL},
    Parameter.KEYWORD_ONLY: {Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD},
}
"""The kinds of parameters that can be called as one of a kind."""

UNNAMED = {Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}


def found(name: str) -> Callable[..., Any]:
    """What a dotted name in ``hybrid`` stands for."""
    value: Any = hybrid
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", ATTRIBUTES.split())
def test_attribute_of_tensors(name: str) -> None:
    assert isinstance(getattr(hybrid.Tensor, name), property)


@pytest.mark.parametrize("name", DTYPES.split())
def test_dtype(name: str) -> None:
    assert getattr(hybrid, name) == np.dtype(name)
    assert getattr(hybrid, name) == hybrid.zeros(1, dtype=name).dtype


def test_constants() -> None:
    assert (hybrid.e, hybrid.pi, hybrid.inf, hybrid.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(hybrid.nan)


def test_inspection() -> None:
    info = hybrid.__array_namespace_info__()
    assert set(info.dtypes()) == set(DTYPES.split()) - {"float16"}
    assert info.devices() == [info.default_device()] == ["cpu"]


def test_versions() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert hybrid.__version__ == project["version"]
    assert hybrid.__array_api_version__ == "2024.12"
    assert hybrid.ones(1).__array_namespace__(api_version="2024.12") is hybrid


INSIDE = {
    "call_python", "delete_at", "einsum_view", "getitem", "grid", "i0", "linalg.qr_raw", "repeat_each", "scalar_power", "setitem",
    "sort_complex",    "ufunc_accumulate", "ufunc_at", "ufunc_reduce", "ufunc_reduceat", "view_as",
}  # fmt: skip
"""Operations that only graphs, methods, or calls in NumPy's own form lead to."""


def test_operations_are_public() -> None:
    assert {op.name for op in OPS.values() if op.module.startswith("hybrid.ops.") and not is_public(op)} == INSIDE


def is_public(op: Op) -> bool:
    """Whether a door has a name for it; a function that arranges its arguments may stand there instead."""
    door = getattr(hybrid, op.namespace) if op.namespace else hybrid
    return op.__name__ in door.__all__


def test_no_name_but_the_standards_own_has_an_alias() -> None:
    names = [(id(value), name) for name in hybrid.__all__ if callable(value := getattr(hybrid, name))]
    assert len({key for key, _ in names}) == len(names)
