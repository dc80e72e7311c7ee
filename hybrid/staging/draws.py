"""Random numbers of NumPy's generators: each draw is a call of Python, in order, whose kind of result is known beforehand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from hybrid.control.host import HostCall, held
from hybrid.core.spec import Spec, spec_of
from hybrid.ir.traced import Number, Traced
from hybrid.staging.making import Maker
from hybrid.staging.opaque import Method
from hybrid.staging.recipe import Held, Known, Output, Part, Run

__all__ = ["Draws", "made_kind"]

GENERATORS: Final = (np.random.Generator, np.random.RandomState)

MAKERS: Final[dict[Any, type]] = {
    np.random.default_rng: np.random.Generator,
    np.random.Generator: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
}
"""Functions that make generators."""

LOCATED: Final = ("loc", "scale", "size")
PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "beta": ("a", "b", "size"),
    "binomial": ("n", "p", "size"),
    "chisquare": ("df", "size"),
    "choice": ("a", "size", "replace", "p"),
    "exponential": ("scale", "size"),
    "f": ("dfnum", "dfden", "size"),
    "gamma": ("shape", "scale", "size"),
    "geometric": ("p", "size"),
    "gumbel": LOCATED,
    "integers": ("low", "high", "size", "dtype", "endpoint"),
    "laplace": LOCATED,
    "logistic": LOCATED,
    "lognormal": ("mean", "sigma", "size"),
    "normal": LOCATED,
    "pareto": ("a", "size"),
    "permutation": ("x",),
    "poisson": ("lam", "size"),
    "power": ("a", "size"),
    "randint": ("low", "high", "size", "dtype"),
    "random": ("size", "dtype"),
    "random_sample": ("size",),
    "rayleigh": ("scale", "size"),
    "standard_cauchy": ("size",),
    "standard_exponential": ("size", "dtype", "method"),
    "standard_gamma": ("shape", "size", "dtype"),
    "standard_normal": ("size", "dtype"),
    "standard_t": ("df", "size"),
    "triangular": ("left", "mode", "right", "size"),
    "uniform": ("low", "high", "size"),
    "vonmises": ("mu", "kappa", "size"),
    "wald": ("mean", "scale", "size"),
    "weibull": ("a", "size"),
}
"""Methods whose results have a kind that their arguments tell, and the names of the arguments."""

STATIC: Final = frozenset({"dtype", "endpoint", "replace", "method"})
"""Arguments that decide the kind, but for the size."""


def made_kind(function: Any) -> type | None:
    """The class of what a function gives, if it makes a generator."""
    return MAKERS.get(function) if type(function).__hash__ is not None else None


class Draws:
    """The part of the stager that draws random numbers."""

    tracer: Any

    def generator_method(self, function: Any) -> tuple[Any, type, str] | None:
        """The generator of a method, its class, and the method's name."""
        if isinstance(function, Method):
            return function.owner, function.owner.kind, function.name
        owner = getattr(function, "__self__", None)
        return (owner, type(owner), function.__name__) if type(owner) in GENERATORS else None

    def draw(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a method of a generator at run time."""
        owner, kind, name = self.generator_method(function)  # type: ignore[misc]
        if name == "shuffle" and args and isinstance(args[0], Traced) and not args[0].is_scalar:
            self.host_change(_shuffle, args[0], owner, *args[1:], *kwargs.values())  # type: ignore[attr-defined]
            return None
        named = _named(name, args, kwargs)
        spec = None if named is None else self._spec_of_draw(kind, name, named)
        if spec is None:
            called = function if not isinstance(function, Method) else self.host(getattr, (owner, name))  # type: ignore[attr-defined]
            return self.host(called, args, kwargs, changes=True)  # type: ignore[attr-defined]
        maker = Maker(self)
        parts = [maker.part(a) for a in (owner, *args)]
        keywords = {key: maker.part(value) for key, value in kwargs.items()}
        run = _quick(parts, keywords, owner, name) or _slow(parts, keywords, name)
        result = self._called(HostCall(f"{kind.__name__}.{name}", run, (spec,)), maker, False)  # type: ignore[attr-defined]
        return result if not spec.shape else self._as_array(result)

    def _as_array(self, result: Traced) -> Traced:
        return self.tracer.fresh(result.value, in_c_order=True)

    def _spec_of_draw(self, kind: type, name: str, named: dict[str, Any]) -> Spec | None:
        """The kind of what is drawn, as a trial with small numbers of the same kinds tells."""
        size = named.pop("size", None)
        if not all(key in STATIC or _is_number(value) or ((name, key) in ARRAYS_TOO and _axes(value) == 1) for key, value in named.items()):
            return None
        if name == "permutation":
            return self._permuted(named.get("x"))
        shape = () if size is None else self._shape(size)
        if shape is None:
            return None
        trial = {} if size is None else {"size": (1,) * len(shape)}
        made = next((spec_of(m) for m in _trials(kind, name, named, trial)), None)
        return made if made is None or size is None else Spec(made.dtype, shape)

    def _permuted(self, x: Any) -> Spec | None:
        if _axes(x):
            return Spec(x.dtype, self.tracer.operand(x).spec.shape)
        shape = self._shape(x)
        return None if shape is None else Spec(np.dtype("int64"), shape)

    def _shape(self, size: Any) -> tuple[Any, ...] | None:
        """The sizes of the axes; ``None`` if they aren't all integers."""
        sizes = size if isinstance(size, tuple | list) else (size,)
        return tuple(self.tracer.static(n) for n in sizes) if all(map(_is_integer, sizes)) else None


ARRAYS_TOO: Final = frozenset({("choice", "a"), ("choice", "p"), ("permutation", "x")})
"""Arguments that may be arrays of one axis."""


def _named(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments by name; ``None`` if the method isn't one of those that are known, or gets others."""
    names = PARAMETERS.get(name)
    if names is None or len(args) > len(names) or not kwargs.keys() <= set(names[len(args) :]):
        return None
    return {**dict(zip(names, args, strict=False)), **kwargs}


def _is_integer(value: Any) -> bool:
    return type(value) is int or (isinstance(value, Traced) and value.shape == () and value.dtype.kind in "iu")


def _axes(value: Any) -> int:
    return len(value.shape) if isinstance(value, np.ndarray | Traced) else 0


def _is_number(value: Any) -> bool:
    return type(value) in (bool, int, float) or isinstance(value, np.generic) or (isinstance(value, Traced) and value.shape == ())


def _trials(kind: type, name: str, values: dict[str, Any], size: dict[str, Any]) -> Iterator[Any]:
    """What the method gives for some small numbers in place of those that aren't known."""
    for number in (1, 0.5, 2, 0.25):
        generator = np.random.default_rng(0) if kind is np.random.Generator else np.random.RandomState(0)
        given = {key: value if key in STATIC else _example(value, number, place) for place, (key, value) in enumerate(values.items())}
        if name == "choice":
            given.pop("p", None)
        try:
            yield getattr(generator, name)(**given, **size)
        except (ValueError, TypeError, OverflowError):
            continue


def _example(value: Any, number: float, place: int) -> Any:
    """A number of the type of another one; later arguments are larger, as upper bounds must be."""
    if _axes(value):
        return np.ones(2, value.dtype)
    dtype = value.dtype if isinstance(value, Traced | np.generic) else np.dtype(type(value))
    made = dtype.type(math.ceil(number) if dtype.kind in "iu" else number) + dtype.type(place)
    is_python = isinstance(value, Number) or not isinstance(value, Traced | np.generic)
    return made.item() if is_python else made if getattr(value, "is_scalar", True) else np.asarray(made)


def _quick(parts: Sequence[Part], keywords: dict[str, Part], owner: Any, name: str) -> Callable[[Sequence[Any]], tuple[Any, ...]] | None:
    """The call, where its arguments are numbers of the run, in order, and constants."""
    if not all(isinstance(part, Known) or (isinstance(part, Output) and not part.is_tensor and not part.is_array) for part in parts[1:]):
        return None
    if any(not isinstance(part, Known) for part in keywords.values()):
        return None
    named = {key: part.constant for key, part in keywords.items()}  # type: ignore[attr-defined]
    first = int(isinstance(parts[0], Held))
    if all(isinstance(part, Output) for part in parts[1:]):
        given = lambda values: values[first:]  # noqa: E731
    else:
        template = [part.constant if isinstance(part, Known) else None for part in parts[1:]]
        places = [(place, part.position) for place, part in enumerate(parts[1:]) if isinstance(part, Output)]

        def given(values: Sequence[Any]) -> Sequence[Any]:
            filled = template.copy()
            for place, position in places:
                filled[place] = values[position]
            return filled

    if first:
        return lambda values: (getattr(held(values[0]), name)(*given(values), **named),)
    method = getattr(owner, name)
    return lambda values: (method(*given(values), **named),)


def _slow(parts: Sequence[Part], keywords: dict[str, Part], name: str) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    def run(values: Any) -> tuple[Any, ...]:
        made = Run(values)
        owner, *args = (part.make(made) for part in parts)
        return (getattr(owner, name)(*args, **{key: part.make(made) for key, part in keywords.items()}),)

    return run


def _shuffle(x: np.ndarray, generator: Any, *rest: Any) -> None:
    generator.shuffle(x, *rest)
