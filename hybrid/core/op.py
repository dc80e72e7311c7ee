"""Operations: one decorated NumPy function each, with everything that is known of it hung on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

import numpy as np

from hybrid.core.dispatch import bind
from hybrid.core.dtypes import NUMERIC
from hybrid.core.numpy_call import adapt
from hybrid.core.table import NUMPY, OPS

__all__ = ["Op", "op"]

F = TypeVar("F", bound=Callable[..., Any])
_VARIADIC = inspect.Parameter.VAR_POSITIONAL
_POSITIONAL = inspect.Parameter.POSITIONAL_ONLY
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Op:
    """An operation: call it like the NumPy function that it wraps.

    Positional-only parameters of the kernel are tensors; all others are static attributes.

    Attributes:
        name: unique; with its namespace, as in ``linalg.solve``.
        kernel: the NumPy function: arrays and numbers in, arrays out.
        infer: the shape-and-dtype rule: one ``Spec`` for each tensor (a list of them for a sequence, ``None`` for one left
            out) and every attribute by keyword → the ``Spec`` of the result, or a tuple of them.
        samples: arguments on which tests compare everything that can run the operation.
        dtypes: the dtypes that tests give to the shaped arguments of samples.
        numpy: the NumPy functions that do the same.
        scipy: the names of the SciPy functions that do the same, as in ``"scipy.special.erf"``: SciPy is imported when first used.
        tensors: the names of the tensors in canonical order; ``keywords`` are those that the kernel gets by keyword: it takes them
            only so, or an attribute stands before them.
        positional: the parameters that can be given by position, ``rest`` the one that takes all further ones.
        optional: the parameters that are ``None`` if left out.
        mutates: the kernel writes into its first argument; in a graph the result is that argument's new value.
        effects: it does more than compute: each call counts, in order, whether its results are used or not.
        sequences: the tensors among the parameters that are sequences of arrays.
        view: ``True`` if the result always shares memory with the first argument; or a function ``(strides, *specs, **attrs)``,
            strides counted in elements or ``None``, → the strides of the view, ``True`` for a view whose strides aren't known,
            ``False`` for a copy, ``None`` if that can't be told.
        returns: the type that packs several results.
        write_back: for a view: ``(base, new, *operands, **attrs)`` → ``base`` with the view's elements replaced by ``new``, a list
            where the operation gives several views.
        vjp_rule, no_gradient: the gradient rule, or the reason why there is none.
        batch_rule, emit, onnx: batching, native text, and name in ONNX; empty until somebody needs them.
    """

    def __init__(
        self,
        kernel: Callable[..., Any],
        *,
        infer: Callable[..., Any],
        samples: Sequence[Any],
        dtypes: Iterable[np.dtype] = NUMERIC,
        name: str = "",
        namespace: str = "",
        tensors: Sequence[str] = (),
        sequences: Sequence[str] = (),
        numpy: Sequence[Callable[..., Any]] = (),
        scipy: Sequence[str] = (),
        mutates: bool = False,
        effects: bool = False,
        view: bool | Callable[..., Any] = False,
        returns: type = tuple,
        no_gradient: str = "",
        emit: str = "",
        onnx: str = "",
    ):
        self.__name__ = name or kernel.__name__
        self.__doc__ = kernel.__doc__
        self.__signature__ = inspect.signature(kernel)
        self.namespace, self.module = namespace, kernel.__module__
        self.name = f"{namespace}.{self.__name__}" if namespace else self.__name__
        self.sequences = tuple(sequences)
        self.kernel, self.infer, self.samples = kernel, infer, tuple(samples)
        self.dtypes, self.numpy, self.scipy = tuple(dtypes), tuple(numpy), tuple(scipy)
        self.mutates, self.effects, self.view, self.returns = mutates, effects, view, returns
        self.no_gradient, self.emit, self.onnx = no_gradient, emit, onnx
        self.vjp_rule = self.batch_rule = self.write_back = None
        parameters = self.__signature__.parameters.values()
        self.tensors = tuple(p.name for p in parameters if p.kind in (_POSITIONAL, _VARIADIC) or p.name in tensors)
        leading = {p.name for p in takewhile(lambda p: p.name in self.tensors and p.kind is not _KEYWORD, parameters)}
        self.keywords = tuple(name for name in self.tensors if name not in leading)
        self.positional = tuple(p.name for p in parameters if p.kind not in (_VARIADIC, _KEYWORD))
        self.rest = next((p.name for p in parameters if p.kind is _VARIADIC), "")
        self.optional = frozenset(p.name for p in parameters if p.default is None)
        self.variadic = bool(self.rest)
        self.attributes = {p.name: p.default for p in parameters if p.name not in self.tensors}

    __call__ = bind

    def split(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call in canonical form: tensors in order (``None`` for one left out), every attribute by name."""
        if len(args) == len(self.tensors) and not (self.variadic or self.keywords or any(name in kwargs for name in self.tensors)):
            tensors, attributes = tuple(args), self.attributes | kwargs
            if len(attributes) == len(self.attributes) and all(value is not inspect.Parameter.empty for value in attributes.values()):
                return tensors, attributes
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        values, tensors = bound.arguments, []
        for name in self.tensors:
            is_rest = self.__signature__.parameters[name].kind is _VARIADIC
            tensors.extend(values[name] if is_rest else (values[name],))
        return tuple(tensors), {name: values[name] for name in self.attributes}

    def run(self, *tensors: Any, **attributes: Any) -> Any:
        """Call the kernel with arguments in canonical form; an operation that mutates works on a copy and returns it."""
        if self.mutates:
            target = np.array(tensors[0], copy=True)
            self.kernel(target, *tensors[1:], **attributes)
            return target
        if self.keywords:
            named = {name: x for name, x in zip(self.tensors, tensors, strict=False) if name in self.keywords}
            tensors = tuple(x for name, x in zip(self.tensors, tensors, strict=False) if name not in named)
            return self.kernel(*tensors, **named, **attributes)
        return self.kernel(*tensors, **attributes)

    def pack(self, results: Sequence[Any]) -> Any:
        """Several results in the container that the kernel returns."""
        return self.returns(*results) if hasattr(self.returns, "_fields") else self.returns(results)

    def vjp(self, rule: F) -> F:
        """Declare the gradient: ``rule(g, y, *tensors, **attrs)`` → one cotangent (or ``None``) for each tensor."""
        self.vjp_rule = rule
        return rule

    def batch(self, rule: F) -> F:
        """Declare the batching rule."""
        self.batch_rule = rule
        return rule

    def writes_back(self, rule: F) -> F:
        """Declare how a write into the result (a view) reaches the first argument."""
        self.write_back = rule
        return rule

    def from_numpy(self, *functions: Callable[..., Any]) -> Callable[[F], F]:
        """Declare a function that takes a NumPy function's own arguments and calls this operation with them."""

        def register(adapter: F) -> F:
            self.numpy += functions
            NUMPY.update(dict.fromkeys(functions, adapter))
            return adapter

        return register

    def __repr__(self) -> str:
        return f"<operation {self.name}{self.__signature__}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return OPS.__getitem__, (self.name,)


def op(**facts: Any) -> Callable[[Callable[..., Any]], Op]:
    """Make an operation of a NumPy function and put it into the table; the keywords are those of ``Op``.

    >>> @op(infer=lambda x: x, samples=[])                                      # doctest: +SKIP
    ... def sqrt(x, /):
    ...     return np.sqrt(x)
    """

    def declare(kernel: Callable[..., Any]) -> Op:
        made = Op(kernel, **facts)
        if made.name in OPS:
            raise ValueError(f"the operation {made.name!r} is declared twice: in {OPS[made.name].module} and in {made.module}")
        OPS[made.name] = made
        NUMPY.update({function: adapt(function, made) for function in made.numpy})
        for function in made.scipy:
            NUMPY.later(function, partial(adapt, op=made))
        return made

    return declare
