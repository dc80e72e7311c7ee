"""Methods, operators and items of tensors and variables with something wrong in the arguments."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from robustness.bad import ARRAYS, ATTRIBUTES, GOOD_ARRAYS, NUMBERS, OBJECTS, SEQUENCES, TENSORS, things
from robustness.calls import Call, Pick, Reference

from hybrid.core.tensor import Eager, plain

__all__ = ["METHODS", "OPERATORS", "bad_item", "bad_item_assignment", "bad_method", "bad_operator", "on_arrays"]

RECEIVERS: Final = things("""
    np.arange(12.0).reshape(3, 4)
    np.arange(3, dtype=np.int8)
    np.ones((2, 3), np.uint16)
    np.array([True, False])
    np.ones((2, 2), np.complex64)
    np.arange(8)
    np.array(2.5)
    np.ones((0, 3))
    np.arange(24, dtype=np.float32).reshape(2, 3, 4)[:, ::-1]
    np.arange(5)[::2]
""")
"""Arrays of the tensors and variables whose methods are called."""

PLACES: Final = ("tensors", "variables")

PRINTABLE: Final = [thing for thing in TENSORS if thing.text != "Unprintable()"]
"""Without what fails if a message is to tell what it is: that is the caller's own error."""

METHODS: Final = """
    all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum diagonal dot fill flatten
    item max mean min nonzero partition prod put ravel repeat reshape round searchsorted sort squeeze std sum swapaxes take tobytes
    tolist trace transpose var view
""".split()

HAVE_RULES: Final = ("np.ma.", "np.matrix(", "NoArray()", "Fraction(")
"""What decides itself, or in NumPy's stead, what an operator means."""

SCALARS: Final = ("memoryview(", "np.longdouble(", "np.datetime64(", "np.timedelta64(", "np.str_(")
OPERANDS: Final = [thing for thing in TENSORS if not thing.text.startswith(HAVE_RULES)]
UNRELATED: Final = [thing for thing in OPERANDS if thing not in ARRAYS and not thing.text.startswith(SCALARS)]
"""What has no operators of its own that would come first on the left."""

IN_PLACE: Final = {"fill", "partition", "put", "sort"}

KEYWORDS: Final = ("axis", "dtype", "out", "keepdims", "initial", "ddof", "order", "kind", "mode", "offset", "copy", "colour")


def reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its operands the other way round."""
    return lambda x, y: function(y, x)


OPERATORS: Final = {
    **{name: getattr(operator, name) for name in """
        add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le eq ne gt ge
        iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift
    """.split()},
    "divmod": divmod,
    **{f"reflected {name}": reflected(getattr(operator, name)) for name in """
        add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt eq
    """.split()},
}  # fmt: skip

KEYS: Final = (
    things("""
        ...
        None
        slice(None)
        slice(1, None)
        slice(None, None, -1)
        slice(None, None, 0)
        slice(0.5)
        slice("a", None)
        slice(2**100)
        slice(None, None, 2**62)
        slice(hybrid.asarray(1), np.int8(2))
        slice(hybrid.ones(2))
        hybrid.asarray([True, False])
        hybrid.asarray([0, 1])
        hybrid.Variable([0, 1])
        hybrid.asarray(1)
        np.array([[0], [1]])
        [[0, 1], [1, 0]]
        [True, False, True]
        np.array([], int)
        (slice(None), ..., ...)
        (None,) * 65
        (0, 0, 0, 0, 0)
        ([0, 1], slice(None), [0, 1, 2])
        "field"
        ["a"]
        (0, "a")
        {"a": 1}
    """)
    + NUMBERS
    + SEQUENCES
    + ARRAYS
    + GOOD_ARRAYS
    + OBJECTS
)
"""What may stand in brackets."""


def bad_method(pick: Pick, name: str) -> Call:
    """A call of a method with arguments that may be anything."""
    args = [pick(PRINTABLE if pick((True, False)) else ATTRIBUTES) for _ in range(pick((0, 0, 1, 1, 1, 2, 3)))]
    kwargs = {pick(KEYWORDS): pick(ATTRIBUTES) for _ in range(pick((0, 0, 1, 2)))}
    return Call("\n  in ", [pick(RECEIVERS).make(), *args], kwargs, pick(PLACES))


def bad_operator(pick: Pick, name: str) -> Call:
    """An operator with anything beside a tensor."""
    return Call("", [pick(RECEIVERS).make(), pick(UNRELATED if name.startswith("reflected") else OPERANDS)], {}, pick(PLACES))


def bad_item(pick: Pick) -> Call:
    """Reading items with any key."""
    return Call("indexing", [pick(RECEIVERS).make(), key(pick)], {}, pick(PLACES))


def bad_item_assignment(pick: Pick) -> Call:
    """Writing anything to items with any key."""
    return Call("item assignment", [pick(RECEIVERS).make(), key(pick), pick(TENSORS)], {}, pick(PLACES))


def key(pick: Pick) -> Any:
    """A key, or a pair of them."""
    if pick((True, True, False)):
        return pick(KEYS)
    first, second = pick(KEYS), pick(KEYS)
    return type(first)(f"({first}, {second})", lambda: (first.make(), second.make()))


def call_method(name: str) -> Callable[..., Any]:
    """A function that calls the method; one that works in place gives back what it worked on."""

    def function(x: Any, *args: Any, **kwargs: Any) -> Any:
        result = getattr(x, name)(*args, **kwargs)
        return x if name in IN_PLACE else result

    return function


def set_item(x: Any, key: Any, value: Any) -> Any:
    """What an object is after an item assignment."""
    x[key] = value
    return x


def on_arrays(function: Callable[..., Any]) -> Reference:
    """What a function does with arrays in the place of tensors."""

    def reference(args: list[Any], kwargs: dict[str, Any]) -> Any:
        first = args[0]._array if isinstance(args[0], Eager) else args[0]
        receiver = first.copy() if isinstance(first, np.ndarray) else first
        return function(receiver, *map(plain, args[1:]), **{name: plain(x) for name, x in kwargs.items()})

    return reference
