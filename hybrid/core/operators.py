"""The operators and methods of NumPy arrays, for everything that stands for one: tensors, variables, traced values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np

from hybrid.core.refusal import described, refuse_mask
from hybrid.core.table import OPS
from hybrid.errors import UnsupportedError

__all__ = ["Operators", "is_operand", "refuse_overlap"]


def _binary(name: str) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """A binary operator and its reflection; ``NotImplemented`` for operands that are no arrays or numbers."""

    def forward(self: Operators, other: Any) -> Any:
        return OPS[name](self, other) if is_operand(other) else NotImplemented

    def reflected(self: Operators, other: Any) -> Any:
        return OPS[name](other, self) if is_operand(other) else NotImplemented

    return forward, reflected


def _equality(name: str, constant: str) -> Callable[[Any, Any], Any]:
    """``==`` or ``!=``; no element is equal to a text, or to an object that doesn't say so."""
    ufunc, special = getattr(np, name), {"equal": "__eq__", "not_equal": "__ne__"}[name]

    def method(self: Operators, other: Any) -> Any:
        if is_operand(other):
            return OPS[name](self, other)
        if isinstance(other, Number):
            return self._numpy(ufunc, self, other)  # a fraction, say: NumPy compares one by one
        reply = getattr(type(other), special)(other, self)
        return OPS[constant](self, dtype=bool) if reply is NotImplemented else reply

    return method


def _unary(name: str) -> Callable[[Any], Any]:
    def method(self: Operators) -> Any:
        return OPS[name](self)

    return method


def _in_place(ufunc: np.ufunc) -> Callable[[Any, Any], Any]:
    """An augmented assignment: writes into the array, as in NumPy; a scalar is replaced."""

    def method(self: Operators, other: Any) -> Any:
        if not is_operand(other) and not isinstance(other, np.ndarray):
            return NotImplemented
        refuse_mask(other)
        return self._numpy(ufunc, self, other, out=self) if self._is_writable else self._numpy(ufunc, self, other)

    return method


class Operators:
    """What NumPy arrays can do, said in operations.

    A subclass says how to reach NumPy's functions (``_numpy``), what its ``shape`` and ``dtype`` are, and how its items are
    read and written.
    """

    __slots__ = ()

    # -- what a subclass says ---------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[Any, ...]:
        """The size of each axis."""
        raise NotImplementedError(type(self))

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        raise NotImplementedError(type(self))

    @property
    def _is_writable(self) -> bool:
        """Whether augmented assignment writes in place (an array) or makes a new value (a scalar)."""
        raise NotImplementedError(type(self))

    @property
    def _memory(self) -> frozenset[Any]:
        """What stands for the memory that it may share with others, if it stands for an array."""
        return frozenset()

    def _numpy(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a NumPy function on tensors."""
        raise NotImplementedError(type(self))

    def __getitem__(self, key: Any) -> Any:
        raise NotImplementedError(type(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        raise NotImplementedError(type(self))

    # -- operators --------------------------------------------------------------------------------------------------
    __add__, __radd__ = _binary("add")
    __sub__, __rsub__ = _binary("subtract")
    __mul__, __rmul__ = _binary("multiply")
    __truediv__, __rtruediv__ = _binary("divide")
    __floordiv__, __rfloordiv__ = _binary("floor_divide")
    __mod__, __rmod__ = _binary("remainder")
    __divmod__, __rdivmod__ = _binary("divmod")
    __matmul__, __rmatmul__ = _binary("matmul")
    __and__, __rand__ = _binary("bitwise_and")
    __or__, __ror__ = _binary("bitwise_or")
    __xor__, __rxor__ = _binary("bitwise_xor")
    __lshift__, __rlshift__ = _binary("bitwise_left_shift")
    __rshift__, __rrshift__ = _binary("bitwise_right_shift")
    __lt__, __gt__ = _binary("less")[0], _binary("greater")[0]
    __le__, __ge__ = _binary("less_equal")[0], _binary("greater_equal")[0]
    __eq__, __ne__ = _equality("equal", "zeros_like"), _equality("not_equal", "ones_like")  # type: ignore[assignment]
    __hash__ = object.__hash__

    _pow, _rpow = _binary("pow")

    def __pow__(self, other: Any, modulo: None = None) -> Any:
        if modulo is not None:
            return NotImplemented
        quick = _quick_power(self, other)
        if quick:
            return OPS[quick](self)
        return OPS["scalar_power"](self, other) if _are_scalars(self, other) else self._pow(other)

    def __rpow__(self, other: Any, modulo: None = None) -> Any:
        if modulo is not None:
            return NotImplemented
        return OPS["scalar_power"](other, self) if _are_scalars(self, other) else self._rpow(other)

    __neg__ = _unary("negative")
    __pos__ = _unary("positive")
    __abs__ = _unary("abs")
    __invert__ = _unary("bitwise_invert")

    __iadd__ = _in_place(np.add)
    __isub__ = _in_place(np.subtract)
    __imul__ = _in_place(np.multiply)
    __itruediv__ = _in_place(np.true_divide)
    __ifloordiv__ = _in_place(np.floor_divide)
    __imod__ = _in_place(np.remainder)
    _ipow = _in_place(np.power)
    __iand__ = _in_place(np.bitwise_and)
    __ior__ = _in_place(np.bitwise_or)
    __ixor__ = _in_place(np.bitwise_xor)
    __ilshift__ = _in_place(np.left_shift)
    __irshift__ = _in_place(np.right_shift)

    def __ipow__(self, other: Any) -> Any:
        quick = _quick_power(self, other)
        return self._numpy(getattr(np, quick), self, out=self) if quick else self._ipow(other)

    def __imatmul__(self, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        if self._is_writable and (self.ndim < 1 or np.ndim(other) < 2):
            raise ValueError(MATMUL_IN_PLACE)
        return _in_place(np.matmul)(self, other)

    # -- attributes -------------------------------------------------------------------------------------------------
    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Any:
        """The number of elements."""
        total = 1
        for n in self.shape:
            total = total * n
        return total

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> Any:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def T(self) -> Any:
        """A view with the axes in reverse order."""
        return self._numpy(np.transpose, self)

    @property
    def mT(self) -> Any:
        """A view with the last two axes swapped; ``ValueError`` below two axes."""
        if self.ndim < 2:
            raise ValueError(f"matrix transpose with ndim < 2 is undefined, received {described(self)}")
        return OPS["matrix_transpose"](self)

    @property
    def real(self) -> Any:
        """The real part, as a view; the array itself where it is real."""
        return OPS["real"](self)

    @real.setter
    def real(self, value: Any) -> None:
        self.real[...] = _as_array(value)

    @property
    def imag(self) -> Any:
        """The imaginary part, as a view; zeros where the array is real."""
        return OPS["imag"](self)

    @imag.setter
    def imag(self, value: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError(f"wanted a complex array to set the imaginary part of, received {self.dtype.name}")
        self.imag[...] = _as_array(value)

    # -- methods: reductions ----------------------------------------------------------------------------------------
    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """The sum over axes, as ``numpy.sum``."""
        return self._numpy(np.sum, self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, **rest)

    def prod(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """The product over axes, as ``numpy.prod``."""
        return self._numpy(np.prod, self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, **rest)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """The mean over axes, as ``numpy.mean``."""
        return self._numpy(np.mean, self, axis=axis, dtype=dtype, out=out, keepdims=keepdims, **rest)

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False, **rest: Any) -> Any:
        """The standard deviation over axes, as ``numpy.std``."""
        return self._numpy(np.std, self, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims, **rest)

    def var(self, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False, **rest: Any) -> Any:
        """The variance over axes, as ``numpy.var``."""
        return self._numpy(np.var, self, axis=axis, dtype=dtype, out=out, ddof=ddof, keepdims=keepdims, **rest)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """The largest element over axes, as ``numpy.max``."""
        return self._numpy(np.max, self, axis=axis, out=out, keepdims=keepdims, **rest)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """The smallest element over axes, as ``numpy.min``."""
        return self._numpy(np.min, self, axis=axis, out=out, keepdims=keepdims, **rest)

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """Whether all elements are true, as ``numpy.all``."""
        return self._numpy(np.all, self, axis=axis, out=out, keepdims=keepdims, **rest)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False, **rest: Any) -> Any:
        """Whether any element is true, as ``numpy.any``."""
        return self._numpy(np.any, self, axis=axis, out=out, keepdims=keepdims, **rest)

    def argmax(self, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        """The position of the largest element, as ``numpy.argmax``."""
        return self._numpy(np.argmax, self, axis=axis, out=out, keepdims=keepdims)

    def argmin(self, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
        """The position of the smallest element, as ``numpy.argmin``."""
        return self._numpy(np.argmin, self, axis=axis, out=out, keepdims=keepdims)

    def cumsum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Running sums, as ``numpy.cumsum``."""
        return self._numpy(np.cumsum, self, axis=axis, dtype=dtype, out=out)

    def cumprod(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Running products, as ``numpy.cumprod``."""
        return self._numpy(np.cumprod, self, axis=axis, dtype=dtype, out=out)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
        """The sum of a diagonal, as ``numpy.trace``."""
        return self._numpy(np.trace, self, offset=offset, axis1=axis1, axis2=axis2, dtype=dtype, out=out)

    # -- methods: values --------------------------------------------------------------------------------------------
    def astype(self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True) -> Any:
        """The array with another dtype; ``TypeError`` where ``casting`` forbids it."""
        if order not in ("K", "A", "C", "F"):
            raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        if not np.can_cast(self.dtype, dtype, casting):  # type: ignore[arg-type]
            raise TypeError(f"Cannot cast array data from {self.dtype!r} to {np.dtype(dtype)!r} according to the rule {casting!r}")
        return OPS["astype"](self, dtype, copy=copy)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        """The elements kept within bounds, as ``numpy.clip``."""
        return self._numpy(np.clip, self, min=min, max=max, out=out)

    def round(self, decimals: int = 0, out: Any = None) -> Any:
        """The elements rounded half to even, as ``numpy.round``."""
        return self._numpy(np.round, self, decimals=decimals, out=out)

    def conj(self) -> Any:
        """The complex conjugate of each element; the array itself where it is real, as ``numpy.ndarray.conj``."""
        return OPS["conj"](self) if self.dtype.kind == "c" else self

    def conjugate(self) -> Any:
        """The complex conjugate of each element; the array itself where it is real, as ``numpy.ndarray.conjugate``."""
        return self.conj()

    def dot(self, b: Any, out: Any = None) -> Any:
        """The dot product, as ``numpy.dot``."""
        return self._numpy(np.dot, self, b, out=out)

    def copy(self, order: str = "C") -> Any:
        """An array of the same values with memory of its own."""
        return OPS["copy"](self, order=order)

    def view(self, dtype: Any = None) -> Any:
        """The same memory, read as elements of another dtype if one is given."""
        return OPS["view_as"](self, self.dtype if dtype is None else dtype)

    # -- methods: shape ---------------------------------------------------------------------------------------------
    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        """The elements in another shape, as ``numpy.reshape``: a view where NumPy makes one."""
        return self._numpy(np.reshape, self, shape[0] if len(shape) == 1 else shape, order, copy=copy)

    def transpose(self, *axes: Any) -> Any:
        """A view with the axes in another order, as ``numpy.transpose``."""
        return self._numpy(np.transpose, self, axes[0] if len(axes) == 1 else axes or None)

    def swapaxes(self, axis1: int, axis2: int) -> Any:
        """A view with two axes swapped."""
        return self._numpy(np.swapaxes, self, axis1, axis2)

    def squeeze(self, axis: Any = None) -> Any:
        """A view without axes of size 1, as ``numpy.squeeze``."""
        return self._numpy(np.squeeze, self, axis=axis)

    def ravel(self, order: str = "C") -> Any:
        """The elements on one axis: a view where NumPy makes one."""
        return self._numpy(np.ravel, self, order=order)

    def flatten(self, order: str = "C") -> Any:
        """The elements on one axis, copied."""
        return self._numpy(np.ravel, self, order=order).copy()

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
        """A diagonal, as ``numpy.diagonal``: a view that can't be written to."""
        return self._numpy(np.diagonal, self, offset=offset, axis1=axis1, axis2=axis2)

    def repeat(self, repeats: Any, axis: int | None = None) -> Any:
        """Each element several times, as ``numpy.repeat``."""
        return self._numpy(np.repeat, self, repeats, axis=axis)

    # -- methods: choosing and ordering -----------------------------------------------------------------------------
    def take(self, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
        """The elements at positions, as ``numpy.take``."""
        return self._numpy(np.take, self, indices, axis=axis, out=out, mode=mode)

    def compress(self, condition: Any, axis: int | None = None, out: Any = None) -> Any:
        """The slices where a condition holds, as ``numpy.compress``."""
        return self._numpy(np.compress, condition, self, axis=axis, out=out)

    def choose(self, choices: Any, out: Any = None, mode: str = "raise") -> Any:
        """Elements of the arrays that the values name, as ``numpy.choose``."""
        return self._numpy(np.choose, self, choices, out=out, mode=mode)

    def nonzero(self) -> Any:
        """The positions of the elements that are not zero, one array for each axis."""
        return self._numpy(np.nonzero, self)

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None) -> Any:
        """Where values would go into a sorted array, as ``numpy.searchsorted``."""
        return self._numpy(np.searchsorted, self, v, side=side, sorter=sorter)

    def argsort(self, axis: int | None = -1, kind: Any = None, order: None = None, *, stable: bool | None = None) -> Any:
        """The positions that sort the array, as ``numpy.argsort``."""
        return self._numpy(np.argsort, self, axis=axis, kind=kind, order=order, stable=stable)

    def argpartition(self, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None) -> Any:
        """The positions that partition the array, as ``numpy.argpartition``."""
        return self._numpy(np.argpartition, self, kth, axis=axis, kind=kind, order=order)

    # -- methods: in place ------------------------------------------------------------------------------------------
    def sort(self, axis: int = -1, kind: Any = None, order: None = None, *, stable: bool | None = None) -> None:
        """Sort in place, as ``numpy.ndarray.sort``."""
        self[...] = self._numpy(np.sort, self, operator.index(axis), kind, order, stable=stable)

    def partition(self, kth: Any, axis: int = -1, kind: str = "introselect", order: None = None) -> None:
        """Partition in place, as ``numpy.ndarray.partition``."""
        self[...] = self._numpy(np.partition, self, kth, operator.index(axis), kind, order)

    def fill(self, value: Any) -> None:
        """Set every element to a number; ``ValueError`` for an array or a sequence."""
        if isinstance(value, list | tuple | range | memoryview) or getattr(value, "ndim", 0):
            raise ValueError(f"wanted a number to set every element to, received {described(value)}")
        self[...] = value

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """Set elements by their flat positions, as ``numpy.put``."""
        self._numpy(np.put, self, indices, values, mode=mode)


def refuse_overlap(what: str, target: Any, *values: Any) -> None:
    """``UnsupportedError`` where values that are written may lie in the memory that they are written to.

    This is for the functions of NumPy that don't look out for that: their answer depends on the order in which elements are read and
    written, which a graph doesn't have.
    """
    for value in values:
        if isinstance(target, Operators) and isinstance(value, Operators) and not target._memory.isdisjoint(value._memory):
            raise UnsupportedError(
                f"{what}: what is written shares memory with where it is written, and NumPy's answer depends on the order in which it "
                f"reads and writes: use .copy(); received {described(value)} for {described(target)}"
            )


def _quick_power(x: Operators, exponent: Any) -> str:
    """The operation that ``**`` means for an array and some exponents: the dtype for booleans and the zeros differ from ``power``'s."""
    if type(exponent) is int and exponent == 2 and x._is_writable:
        return "square"
    if type(exponent) not in (int, float) or x.dtype.kind not in "fc" or not x._is_writable:
        return ""
    return "sqrt" if type(exponent) is float and exponent == 0.5 else "reciprocal" if type(exponent) is int and exponent == -1 else ""


def _are_scalars(x: Operators, other: Any) -> bool:
    """Whether both are numbers for NumPy, not arrays, and one is real and inexact: such powers are C's."""
    if x._is_writable or x.shape or isinstance(other, np.ndarray) or (isinstance(other, Operators) and (other._is_writable or other.shape)):
        return False
    kinds = {x.dtype.kind, other.dtype.kind if isinstance(other, Operators | np.generic) else np.dtype(type(other)).kind}
    return isinstance(other, Operators | np.generic | int | float) and "f" in kinds and kinds <= set("fiu")


def _as_array(value: Any) -> Any:
    """A Python complex number as an array, of which NumPy takes the real part where only that fits."""
    if isinstance(value, Operators) and not value._is_writable and value.dtype.kind == "c":
        return OPS["full"]((), value, dtype=value.dtype)
    return np.asarray(value) if type(value) is complex else value


MATMUL_IN_PLACE = "inplace matrix multiplication requires the first operand to have at least one and the second at least two dimensions."
OPERANDS = (Operators, np.ndarray, np.generic, int, float, complex, list, tuple, range, memoryview)


def is_operand(other: Any) -> bool:
    """Whether an operator works with it; subclasses of ``ndarray`` that claim priority (matrices, masked arrays) come first."""
    if not isinstance(other, OPERANDS):
        return False
    return not isinstance(other, np.ndarray) or type(other) is np.ndarray or other.__array_priority__ <= 0
