"""What isn't as in plain Python yet: each entry says why, and is to go away."""

from __future__ import annotations

from typing import Final

from staging.constructs.table import KINDS

ALL: Final = tuple(KINDS)
ARRAYS: Final = ("vector", "int32 vector", "matrix", "empty", "one element", "tensor", "0-d tensor")
SCALARS: Final = ("float32", "int64")

REFUSED: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "one_of_two_arrays": (ALL, "a write into an array of which only running tells which one it is: copy it before"),
    "powers": (("int", "float"), "a negative Python float to the power of a fraction is complex: make one of them complex before"),
    "methods_of_lists": (ALL, "list.remove, where only running tells which items are equal"),
    "recursion_over_the_value": (ALL, "a function that calls itself with another kind of argument than it was called with"),
    "recursion_over_an_int": (("one element", "0-d tensor"), "a function that returns another kind of value than it is given"),
    "mutual_recursion": (ALL, "functions that call each other, each of which returns through the other only"),
}
"""Programs that are refused with an error of ours: the kinds, and what is refused."""

_MESSAGE: Final = "the exception is Python's, its message another one"

DIFFERENT: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "conversions": (("one element",), "float() and int() take an array of one element, as older NumPys do"),
    "copy_is_no_view": (("int", "float", "bool", *SCALARS), "np.copy of a number gives a scalar, not an array without axes"),
    "dtype_in_place": (("tensor", "0-d tensor"), "a subclass of the exception is raised"),
    "fancy_is_a_copy": (SCALARS, _MESSAGE),
    "for_over_range_of_the_value": (("float32", *ARRAYS), _MESSAGE),
    "for_over_reversed": (("int", "float", "bool", *SCALARS, "0-d tensor"), _MESSAGE),
    "for_over_zip_strict": (("matrix", "empty", "one element"), "lengths that are known to differ raise no ValueError"),
    "index_and_slice": (SCALARS, _MESSAGE),
    "index_decided_by_running": (("tensor", "0-d tensor"), "int() of a tensor remains one: the item is a tensor"),
    "index_error_is_caught": (("0-d tensor",), "int() of a tensor remains one: the item is a tensor"),
    "index_error_is_raised": (("0-d tensor",), "int() of a tensor remains one: the item is a tensor"),
    "membership_in_the_value": (SCALARS, _MESSAGE),
    "methods_in_place": ((*SCALARS, "0-d tensor"), "the exception has no text"),
    "out_is_the_argument": (("int", "float", "bool", *SCALARS), _MESSAGE),
    "overlapping_slices": (SCALARS, _MESSAGE),
    "star_unpacking": (SCALARS, _MESSAGE),
    "unpack_two": (SCALARS, _MESSAGE),
    "write_through_view": (SCALARS, _MESSAGE),
}
"""Programs that do something else: the kinds, and what."""


def kinds_of(known: dict[str, tuple[tuple[str, ...], str]], name: str) -> tuple[str, ...]:
    """The kinds for which a program is among these."""
    return known[name][0] if name in known else ()
