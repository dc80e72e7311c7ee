"""Random programs of NumPy calls, run on arrays, on tensors, and traced; and the verdict on what comes of each.

A program is a list of statements. It grows by trial: a random statement stays if NumPy runs it on the arrays (or, as the last
one, if NumPy refuses it). All choices come from a seed. By hand, with shrunk programs in the output::

    PYTHONPATH=tests python -m robustness.random_programs 0 20000
"""

from __future__ import annotations

import itertools
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import hybrid
from hybrid.core.dim import symbol
from hybrid.core.dtypes import DTYPES
from hybrid.core.spec import Spec, spec_of
from hybrid.core.table import NUMPY
from hybrid.errors import StagingError, UnsupportedError
from hybrid.ir.parser import parse
from hybrid.ir.trace import Program, Tracer, program_of

__all__ = ["Written", "faults", "written"]

VALUES = """
    {x} + {y} | {x} - {y} | {x} * {y} | {x} / {y} | {x} // {y} | {x} % {y} | {x} ** {small} | {x} @ {y} | -{x} | abs({x}) | ~{x} | +{x}
    {x} < {y} | {x} == {y} | {x} >= {s} | {x} != {y} | {x} & {y} | {x}.__or__({y}) | {x} ^ {y} | {x} << {small} | {x} >> {small}
    {s} - {x} | {s} / {x} | {s} // {x} | {x} * {s} | {x} + {s} | {small} ** {x} | divmod({x}, {y})[1] | {x} % {s} | np.add({x}, {y})
    np.maximum({x}, {y}) | np.minimum({x}, {s}) | np.hypot({x}, {y}) | np.arctan2({x}, {y}) | np.fmax({x}, {y}) | np.copysign({x}, {y})
    np.logical_and({x}, {y}) | np.logical_not({x}) | np.exp({x}) | np.sqrt({x}) | np.sin({x}) | np.log1p({x}) | np.floor({x})
    np.trunc({x}) | np.sign({x}) | np.square({x}) | np.isnan({x}) | np.isfinite({x}) | np.conj({x}) | np.angle({x})
    np.add({x}, {y}, dtype={dtype}) | np.multiply({x}, {y}, dtype={dtype}) | np.power({x}, {small}) | np.gcd({x}, {y})
    np.fmod({x}, {y}) | np.ldexp({x}, {small}) | np.frexp({x})[0] | np.modf({x})[1] | np.divmod({x}, {y})[0] | np.heaviside({x}, {y})
    np.spacing({x}) | np.sum({x}, axis={axes}) | np.sum({x}, axis={axis}, keepdims=True) | np.prod({x}, axis={axes})
    np.mean({x}, axis={axes}) | np.max({x}, axis={axes}) | np.min({x}, axis={axis}, keepdims=True) | np.any({x}, axis={axes})
    np.all({x}) | np.var({x}, axis={axis}) | np.std({x}, axis={axes}, ddof=1) | np.sum({x}, dtype={dtype}) | np.sum({x}, where={m})
    np.max({x}, initial={s}, where={m}) | np.argmax({x}, axis={axis}) | np.argmin({x}) | np.cumsum({x}, axis={axis}) | np.cumprod({x})
    np.median({x}, axis={axis}) | np.ptp({x}) | np.nansum({x}, axis={axis}) | np.nanmax({x}) | np.count_nonzero({x}, axis={axis})
    np.average({x}, axis={axis}) | np.quantile({x}, 0.25) | np.add.reduce({x}, axis={axis}) | np.maximum.accumulate({x}, axis={axis})
    np.multiply.outer({x}, {y}) | np.logical_or.reduce({x}) | np.add.reduceat({x}, [0, 1]) | np.subtract.accumulate({x})
    np.bitwise_xor.reduce({x}, axis={axes}) | np.hypot.reduce({x}, axis=None) | {x}.sum(axis={axes}) | {x}.mean({axis}) | {x}.max()
    {x}.all({axis}) | {x}.cumsum() | {x}.argsort({axis}) | {x}.prod(keepdims=True) | {x}.astype({dtype}) | {x}.copy() | {x}.round(1)
    {x}.clip(0, 2) | {x}.repeat(2, {axis}) | {x}.take([0, -1], {axis}) | {x}.dot({y}) | {x}.flatten() | {x}.conj() | {x}.nonzero()[0]
    {x}.trace() | {x}.std() | {x}.searchsorted({s}) | {x}.argmin() | {x}.min({axis}) | np.where({m}, {x}, {y}) | np.where({m}, {x}, {s})
    np.clip({x}, {s}, {y}) | np.select([{m}], [{x}], {s}) | np.choose({m} * 1, [{x}, {y}]) | np.concatenate([{x}, {y}], axis={axis})
    np.stack([{x}, {y}]) | np.vstack([{x}, {y}]) | np.hstack([{x}, {y}]) | np.append({x}, {y}) | np.tile({x}, (2, 1))
    np.repeat({x}, 2) | np.roll({x}, 1, axis={axis}) | np.pad({x}, 1) | np.diff({x}, axis={axis}) | np.kron({x}, {y})
    np.sort({x}, axis={axis}) | np.argsort({x}, kind="stable") | np.unique({x}) | np.flatnonzero({x}) | np.argwhere({x}) | np.tril({x})
    np.outer({x}, {y}) | np.inner({x}, {y}) | np.tensordot({x}, {y}, 1) | np.einsum("ij->ji", {x}) | np.trace({x}) | np.dot({x}, {y})
    np.zeros_like({x}) | np.full_like({x}, {s}) | np.ones({x}.shape) | np.zeros({x}.shape, {dtype}) | np.arange({x}.size)
    np.full({x}.shape, {s}) | np.array({x}) | np.array([{x}, {y}]) | np.asarray({x}, {dtype}) | np.isclose({x}, {y})
    np.array_equal({x}, {y}) | np.nan_to_num({x}) | np.take({x}, {i}) | np.take_along_axis({x}, {x}.argsort(0), 0)
    np.compress([True, False], {x}) | np.digitize({x}, [0, 1]) | np.interp({x}, [0, 1, 2], [1, 0, 3]) | np.convolve({x}, [1, 2])
    np.bincount({x}) | np.histogram({x}, 3)[0] | np.cross({x}, {y}) | np.insert({x}, 0, {s}) | np.delete({x}, 0)
    np.meshgrid({x}, {y})[0] | np.cov({x}) | np.round({x}, 1) | np.around({x}, -1) | np.linalg.norm({x})
    np.linalg.matrix_power({x}, 2) | np.triu({x}, 1) | np.eye(3) @ {x} | np.ix_({x}, {x})[0] | np.float32(2) * {x} | np.fft.fft({x})
    np.polyval([1, 2, 3], {x}) | np.result_type({x}, {y}) | np.shape({x}) | np.ndim({x}) | np.iscomplexobj({x}) | {x}[{m}]
    {x}[[0, -1]] | {x}[{i}] | {x}[[0, 0], ...] | {x}[np.array([0])] | {x}[..., [0]] | {x}.size | {x}.ndim | {x}.dtype | {x}.shape
    np.piecewise({x}, [{m}], [1, 2]) | np.apply_along_axis(np.sum, 0, {x}) | {x}.ravel("F") | np.linspace({s}, {x}, 3)
    np.logaddexp({x}, {y}) | np.signbit({x}) | np.nextafter({x}, {y}) | np.vdot({x}, {y}) | np.partition({x}, 0)
    np.lexsort(({x}, {y})) | np.isin({x}, {y}) | np.union1d({x}, {y}) | np.setdiff1d({x}, {y}) | np.rot90({x}) * 1 | np.trim_zeros({x})
    float({x}.shape[0]) * {x} | sum({x}) | max({x}) | min({x}, {y}) | [*{x}][0] | {x}[0] + {x}[-1] | np.vander({x}, 3) | np.sinc({x})
"""
"""Expressions that make a new array."""

VIEWS = """
    {x}[{key}] | {x}[{key}] | {x}[{key}] | {x}[{key}][{tail}] | {x}.T | np.transpose({x}) | {x}.reshape(-1) | {x}.ravel()
    {x}.reshape({shape}) | np.reshape({x}, {shape}, order="F") | np.swapaxes({x}, 0, -1) | np.moveaxis({x}, 0, -1)
    np.expand_dims({x}, {axis}) | np.squeeze({x}) | {x}.real | {x}.imag | np.real({x}) | np.flip({x}, {axis}) | np.rot90({x})
    np.broadcast_to({x}, (2, *{x}.shape)) | {x}.diagonal() | np.diagonal({x}) | np.atleast_2d({x}) | np.split({x}, [1])[1]
    np.array_split({x}, 2)[0] | {x}.view() | {x}[...] | {x}[()] | {x}.mT | np.asarray({x}) | {x}.squeeze() | {x}.swapaxes(0, 1)
    {x}.transpose(-1, 0) | np.ravel({x}, "F") | {x}.T.reshape(-1) | {x}[None] | {x} | {x}.astype({x}.dtype, copy=False)
    np.vsplit({x}, 1)[0] | np.fliplr({x}) | np.atleast_1d({x}) | np.broadcast_arrays({x}, {y})[0] | {x}.view(np.{bits})
    np.unstack({x})[0] | np.matrix_transpose({x}) | np.rollaxis({x}, -1) | np.diag({x}) | {x}.reshape({shape}).T
"""
"""Expressions that make another view of the same memory."""

WRITES = """
    {x}[{key}] = {s} | {x}[{key}] = {y} | {x}[{key}] = {x}[{key}] | {x}[{m}] = {s} | {x}[[0, -1]] = {y} | {x}[...] = {y}
    {x}[{i}] = {s} | {x}[{key}] += {s} | {x}[{key}] *= {y} | {x}[{m}] -= {y} | {x}[[0, 0]] += 1 | {x}[1:] += {x}[:-1]
    {x}[:-1] = {x}[1:] | {x}[::-1] = {x} | {x} += {y} | {x} -= {s} | {x} *= {y} | {x} /= {y} | {x} //= {s} | {x} **= {small}
    {x} |= {y} | {x} &= {y} | {x} ^= {y} | {x} %= {y} | {x} <<= {small} | {x} >>= 1 | {x} += {x}.T | {x} -= {x}[::-1] | {x} @= {y}
    {x}.T[{tail}] = {s} | {x}.real[...] = {y} | {x}.imag = {s} | np.add({x}, {y}, out={x}) | np.multiply({x}, {y}, {z})
    np.exp({x}, out={z}) | np.sqrt({x}, out={z}, where={m}) | np.negative({x}, {x}) | np.add({x}, {y}, out={z}, where={m})
    np.add({x}, {y}, out={z}, casting="unsafe") | np.subtract({x}[:-1], {x}[1:], out={x}[1:]) | np.sum({x}, axis=0, out={z})
    np.cumsum({x}, axis=0, out={x}) | np.mean({x}, axis=0, out={z}) | np.maximum.accumulate({x}, out={x}) | np.clip({x}, 0, 1, out={x})
    np.take({x}, [0, 0], out={z}) | np.round({x}, out={z}) | np.max({x}, 0, {z})
    np.add.at({x}, [0, 0], {s}) | np.add.at({x}, {m}, 1) | np.multiply.at({x}, (0, [0, 1]), {y}) | np.negative.at({x}, [0]) | {x}.sort()
    {x}.sort(axis=0) | {x}.partition(0) | {x}.fill({s}) | {x}.put([0, -1], {y}) | np.put({x}, [0], {s}) | np.copyto({x}, {y})
    np.place({x}, {m}, {y}) | np.copyto({x}, {y}, where={m}) | np.copyto({x}, {y}, casting="unsafe") | np.putmask({x}, {m}, {y})
    np.fill_diagonal({x}, {s}) | np.put_along_axis({x}, {x}.argmax(0, keepdims=True), {s}, 0) | {x}[0], {x}[-1] = {x}[-1], {x}[0]
    {x}[0], {x}[-1] = {x}[-1].copy(), {x}[0] | {x}, {y} = {y}, {x} | {x}.flat = {s} | {x}.reshape(-1)[0] = {s} | {x}[0][...] = {s}
    {x}[{key}][{tail}] = {y} | {x}[{key}].T[...] = {s} | np.divmod({x}, {y}, out=({z}, {x})) | np.frexp({x}, {z})
    np.modf({x}, out=({x}, {z})) | {x}.cumsum(0, out={x}) | {x}[{key}][{m}] = {s} | np.concatenate([{x}, {y}], out={z})
    np.stack([{x}, {y}], out={z}) | np.matmul({x}, {y}, out={x}) | np.einsum("i,i->i", {x}, {y}, out={x})
    np.add.reduce({x}, axis=0, out={z}) | {x}[{key}].sort() | {x}.T.sort() | {x}[::2] = {x}[::-2] | np.nan_to_num({x}, copy=False)
"""
"""Statements that write."""

LAYOUTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "C": lambda x: x,
    "F": lambda x: np.array(x, order="F"),
    "reversed": lambda x: np.flip(np.array(np.flip(x))),
    "with gaps": lambda x: np.moveaxis(np.repeat(x[..., None], 2, -1), -1, 0)[0, ...],
    "axes moved": lambda x: np.moveaxis(np.array(np.moveaxis(x, 0, -1)), -1, 0) if x.ndim else x,
}  # fmt: skip

SHAPES = ((), (3,), (2,), (1,), (0,), (2, 3), (3, 3), (3, 1), (1, 3), (2, 0), (2, 2), (2, 3, 2), (3, 2, 3), (1, 2, 1))
NUMBERS = (
    "0",
    "1",
    "2",
    "-1",
    "3",
    "0.5",
    "-2.5",
    "True",
    "np.float32(1.5)",
    "np.int8(2)",
    "1j",
    "k",
    "k",
    "300",
    "float('nan')",
    "np.inf",
)
DTYPE_TEXTS = ("float", "int", "bool", "complex", "np.float32", "np.int8", "np.uint16", "'f2'", "np.complex64")


def alternatives(table: str) -> list[str]:
    """The entries of a table."""
    return [text.strip() for line in table.strip().splitlines() for text in line.split(" | ")]


KINDS = [(6, alternatives(VALUES)), (5, alternatives(VIEWS)), (6, alternatives(WRITES))]


@dataclass(frozen=True)
class Written:
    """A program and its arguments.

    Attributes:
        seed: what it was made from.
        arrays: the arguments ``a``, ``b``, …; the last one, ``k``, is a Python number.
        lines: its statements.
    """

    seed: int
    arrays: tuple[np.ndarray, ...]
    number: Any
    layouts: tuple[str, ...]
    lines: tuple[str, ...] = ()

    def arguments(self) -> list[Any]:
        """Fresh arguments, laid out."""
        return [*(LAYOUTS[layout](x.copy()) for x, layout in zip(self.arrays, self.layouts, strict=True)), self.number]

    @property
    def names(self) -> list[str]:
        """The names of arguments and variables."""
        names = [*"abcdef"[: len(self.arrays)], "k"]
        return list(dict.fromkeys([*names, *(name for line in self.lines if (name := line.partition(" = ")[0])[1:].isdigit())]))

    @property
    def source(self) -> str:
        """The text of a function that returns all its variables."""
        parameters = ", ".join([*"abcdef"[: len(self.arrays)], "k"])
        names = ", ".join(self.names)
        return "\n    ".join([f"def f({parameters}):", *self.lines, f"return {{n: v for n, v in zip({self.names}, ({names},))}}"]) + "\n"

    def function(self, numpy: Any = np) -> Callable[..., Any]:
        """The function; ``numpy`` is what it knows as ``np``."""
        scope = {"np": numpy}
        exec(compile(self.source, f"<program {self.seed}>", "exec"), scope)
        return scope["f"]

    def __str__(self) -> str:
        arguments = [f"{x.dtype}{list(x.shape)} {layout}" for x, layout in zip(self.arrays, self.layouts, strict=True)]
        return f"program {self.seed} of {', '.join([*arguments, repr(self.number)])}\n{self.source}"


def written(seed: int, plain_layouts: bool = False) -> Written:
    """The program of a seed, 3 to 8 statements long."""
    rng = random.Random(seed)
    count = rng.randint(1, 3)
    shapes = [rng.choice(SHAPES) for _ in range(count)]
    if rng.random() < 0.6:
        shapes = [shapes[0]] * count
    arrays = tuple(random_array(rng, shape) for shape in shapes)
    layouts = tuple("C" if plain_layouts or rng.random() < 0.5 else rng.choice(list(LAYOUTS)) for _ in arrays)
    program = Written(seed, arrays, rng.choice([3, -2, 1.5, True, 2j, 1]), layouts)
    for _ in range(rng.randint(3, 8)):
        program = extended(program, rng)
    return program


def random_array(rng: random.Random, shape: tuple[int, ...]) -> np.ndarray:
    """Small numbers that sums and products are exact of, among them zeros of both signs and now and then NaN and infinity."""
    dtype = rng.choice(DTYPES)
    choices = [0, 1, 2, 3, 5, 1, 2, 4]
    if dtype.kind in "ifc":
        choices += [-1, -2, -3]
    if dtype.kind in "fc":
        choices += [-0.0, 0.5, 1.5, -2.25, *([np.nan, np.inf, -np.inf] if rng.random() < 0.2 else [])]
    values = [rng.choice(choices) for _ in range(int(np.prod(shape)))]
    if dtype.kind == "c":
        values = [complex(v, rng.choice(choices)) for v in values]
    return np.array(values).reshape(shape).astype(dtype)


def extended(program: Written, rng: random.Random) -> Written:
    """The program with one more statement: one that NumPy runs if some tries find one."""
    if program.lines and isinstance(outcome(program.function(), program.arguments()), Exception):
        return program
    for _ in range(8):
        longer = replace(program, lines=(*program.lines, statement(program, rng)))
        result = outcome(longer.function(), longer.arguments())
        if not isinstance(result, Exception):
            if all(map(is_usable, result.values())):
                return longer
        elif rng.random() < 0.03 and not isinstance(result, NameError | AttributeError | UnboundLocalError):
            return longer
    return program


def is_usable(value: Any) -> bool:
    """Whether other statements can go on with a value: no objects, no large arrays."""
    return not isinstance(value, np.ndarray | np.generic) or (value.dtype in DTYPES and value.size < 200)


def statement(program: Written, rng: random.Random) -> str:
    """A random statement over the variables of a program."""
    state = outcome(program.function(), program.arguments())
    arrays = [name for name, value in state.items() if isinstance(value, np.ndarray)] or list(state)
    names = [name for name, value in state.items() if isinstance(value, np.ndarray | np.generic)] or list(state)
    template = rng.choice(rng.choices([entries for _, entries in KINDS], [weight for weight, _ in KINDS])[0])
    x = rng.choice(arrays[-2:] if rng.random() < 0.5 else arrays if rng.random() < 0.9 else names)
    if re.search(r"\.(fill|put|sort|partition)\(", template) and not isinstance(state[x], np.ndarray):
        template = "{x} += {s}"  # those do nothing to a scalar of NumPy's, and are refused here
    shape = np.shape(state[x])
    key = random_key(shape, rng)
    try:
        tail = random_key(np.shape(eval(f"x[{key}]", {"x": state[x]})), rng) if isinstance(state[x], np.ndarray) else "..."
    except (IndexError, TypeError):
        tail = "..."
    fitting = [n for n in names if np.shape(state[n]) == shape] or names
    texts = {
        "x": x, "y": rng.choice(fitting if rng.random() < 0.6 else [*names, "k"]), "z": rng.choice(fitting), "s": rng.choice(NUMBERS),
        "small": rng.choice(["2", "0", "1", "3", "k", "-1", "0.5"]), "dtype": rng.choice(DTYPE_TEXTS), "key": key, "tail": tail,
        "axis": str(rng.choice([None, 0, -1, 1, *range(len(shape))])), "m": f"({x} {rng.choice(['>', '<', '!='])} {rng.choice('012')})",
        "axes": str(rng.choice([None, 0, -1, (), (0,), (0, 1), (0, -1), (-1, 0), tuple(range(len(shape)))])),
        "shape": str(rng.choice([-1, (-1, 1), (1, -1), (2, -1), (3, -1), shape[::-1], (*shape, 1)])),
        "i": rng.choice(["0", "-1", "[[0], [-1]]", "np.array(0)", "np.int64(0)"]),
        "bits": rng.choice(["int8", "uint32", "float32", "int64"]),
    }  # fmt: skip
    line = template.format(**texts)
    is_expression = any(template in entries for _, entries in KINDS[:2])
    return f"t{len(program.lines)} = {line}" if is_expression else line


def random_key(shape: tuple[int, ...], rng: random.Random) -> str:
    """The text of a basic index for a shape."""
    bounds = ["", "", "1", "-1", "0", "2", "-2"]
    parts = []
    for size in shape[: rng.randint(0, len(shape))] or shape[:1]:
        step = rng.choice(["", "", "", ":-1", ":2", ":-2"])
        kept = f"{rng.choice(bounds)}:{rng.choice(bounds)}{step}"
        parts.append(rng.choice([kept, kept, kept, ":", str(rng.randrange(-size, size)) if size else ":"]))
    if rng.random() < 0.3:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(["...", "None"]))
    return ", ".join(parts) or "..."


# -- running --------------------------------------------------------------------------------------------------------
def outcome(call: Callable[..., Any], arguments: list[Any]) -> Any:
    """The result, or the exception; no warnings."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(*arguments)
        except Exception as error:
            return error


class Reached:
    """NumPy as converted code has it: functions that can't be reached through their arguments are reached all the same."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if isinstance(found, np.ufunc | type) or not callable(found) or found not in NUMPY:
            return found
        return lambda *args, **kwargs: NUMPY[found](*args, **kwargs)


def traced(function: Callable[..., Any], arguments: list[Any], symbolic: bool) -> Program:
    """The program of a function for arguments like these: their layout is known; their sizes, or names for them."""
    tracer = Tracer()
    stand_ins = []
    for x in arguments:
        spec = spec_of(x)
        sizes = tuple(symbol(f"n{d}") if d > 1 else d for d in spec.shape) if symbolic else spec.shape
        is_number = not isinstance(x, np.ndarray)
        stand_ins.append(tracer.lifted_input(x, is_number, not is_number, Spec(spec.dtype, sizes, spec.weak) if symbolic else None))
    return program_of(tracer, function, stand_ins)


def run_traced(program: Written, symbolic: bool) -> Callable[..., Any]:
    """How to run a program on tensors by way of a graph, its text and the interpreter."""

    def run(*tensors: Any) -> Any:
        made = traced(program.function(Reached()), program.arguments(), symbolic)
        text = made.graph.text()
        again = parse(text)
        if again.text() != text:
            raise AssertionError(f"the text isn't read back the same:\n{text}\n{again.text()}")
        return replace(made, graph=again)(*tensors)

    return run


REFUSALS = (StagingError, UnsupportedError)
"""What may be refused of straight-line code."""


@dataclass
class Tally:
    """How programs ended."""

    count: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)


def faults(program: Written, tally: Tally | None = None) -> Iterator[str]:
    """What is wrong with a program run on tensors, and traced with sizes and with symbols; nothing if all is well."""
    tally = tally or Tally()
    plain = program.arguments()
    want = outcome(program.function(), plain)
    for way in ("eager", "static", "symbolic"):
        arrays = program.arguments()
        tensors = [hybrid.asarray(x) if isinstance(x, np.ndarray) else x for x in arrays]
        run = program.function() if way == "eager" else run_traced(program, way == "symbolic")
        got = outcome(run, tensors)
        if way != "eager" and (isinstance(got, REFUSALS) or "read-only" in str(got)):
            tally.count["refused"] += 1
            tally.refused[f"{way} {str(got).splitlines()[0][:150]}"] += 1
            continue
        tally.count["refused by NumPy" if isinstance(want, Exception) else "equal"] += 1
        is_loose = way != "eager" and isinstance(want, Exception) and not program.lines[-1].startswith("t")  # much may be wrong
        difference = different(want, got, exact=way == "eager") if not (is_loose and isinstance(got, Exception)) else ""
        if not difference and (way == "eager" or not isinstance(want, Exception)):
            difference = "; ".join(filter(None, map(different_arrays, plain, arrays, itertools.repeat(way == "eager"))))
            difference = difference and f"changed arguments differ: {difference}"
        if not difference and way == "eager" and not isinstance(want, Exception):
            difference = different_memory(want, got)
        if difference:
            yield f"{way}: {difference}"


def different(want: Any, got: Any, exact: bool) -> str:
    """How what came on tensors differs from what came on arrays."""
    if isinstance(want, Exception) or isinstance(got, Exception):
        return different_errors(want, got)
    if isinstance(want, dict):
        return "; ".join(f"{name}: {text}" for name in want if (text := different(want[name], got[name], exact)))
    if isinstance(want, np.ndarray | np.generic):
        return different_arrays(want, np.asarray(got), exact)
    if isinstance(want, list | tuple):
        if type(want) is not type(got) or len(want) != len(got):
            return f"want {want!r}, got {got!r}"
        return "; ".join(filter(None, (different(w, g, exact) for w, g in zip(want, got, strict=True))))
    return "" if type(want) is type(got) and (want == got or want != want) else f"want {want!r}, got {got!r}"


def different_errors(want: Any, got: Any) -> str:
    if not (isinstance(want, Exception) and isinstance(got, Exception)):
        return f"want {want!r:.100}, got {got!r:.500}"
    public = next(c for c in type(want).__mro__ if not c.__name__.startswith("_") and "._" not in c.__module__)
    return "" if isinstance(got, public) else f"want {want!r:.300}, got {got!r:.300}"


def different_arrays(want: Any, got: Any, exact: bool) -> str:
    """How arrays differ; where a graph computes on copies, NumPy may sum in another order."""
    if not isinstance(want, np.ndarray | np.generic):
        return ""
    got = np.asarray(got)
    if (want.dtype, want.shape) != (got.dtype, got.shape):
        return f"want {want.dtype}{list(want.shape)}, got {got.dtype}{list(got.shape)}"
    parts = [(want, got)] if want.dtype.kind != "c" else [(want.real, got.real), (want.imag, got.imag)]
    return "" if all(are_equal(w, g, exact) for w, g in parts) else f"want {want!r}, got {got!r}"


def are_equal(want: Any, got: Any, exact: bool) -> bool:
    """Whether real arrays are equal to the bit, but for the bits of NaNs, or nearly so."""
    if want.dtype.kind != "f":
        return np.array_equal(want, got)
    zeros = (want == 0) & (got == 0)
    if not np.array_equal(np.signbit(want[zeros]), np.signbit(got[zeros])):
        return False
    if exact:
        return np.array_equal(want, got, equal_nan=True)
    return np.allclose(want, got, 16 * np.finfo(want.dtype).eps, 1e-30, equal_nan=True)


def different_memory(want: dict[str, Any], got: dict[str, Any]) -> str:
    """Whether the same variables share memory, and can be written."""
    names = [name for name, value in want.items() if isinstance(value, np.ndarray)]
    for name in names:
        array = getattr(got[name], "_array", got[name])
        if isinstance(array, np.generic):
            return f"{name}: want an array without axes, got a scalar"
        if want[name].flags.writeable != array.flags.writeable:
            return f"{name} is writeable: want {want[name].flags.writeable}"
    for one, two in itertools.combinations(names, 2):
        if np.shares_memory(want[one], want[two]) != np.shares_memory(np.asarray(got[one]), np.asarray(got[two])):
            return f"{one} and {two} share memory: want {np.shares_memory(want[one], want[two])}"
    return ""


def shrunk(program: Written) -> Written:
    """The program without the statements that its faults don't need."""
    for i in reversed(range(len(program.lines))):
        shorter = replace(program, lines=program.lines[:i] + program.lines[i + 1 :])
        want = outcome(shorter.function(), shorter.arguments())
        if not isinstance(want, NameError | UnboundLocalError) and any(faults(shorter)):
            program = shorter
    return program


def main(first: int, last: int) -> None:
    """Try the programs of some seeds, and print the shrunk ones that have faults."""
    tally, seen = Tally(), Counter()
    for seed in range(first, last):
        program = written(seed)
        if any(faults(program, tally)):
            small = shrunk(program)
            texts = list(faults(small))
            key = re.sub(r"\d+", "", texts[0].partition("got")[2][:60])
            if key not in seen:
                print(small, *texts, sep="\n", end="\n\n", flush=True)
            seen[key] += 1
    print(seen)
    print(dict(tally.count))
    for message, count in tally.refused.most_common(60):
        print(count, message)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
