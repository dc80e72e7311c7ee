"""``try``: a graph whose exceptions are caught, and what it had done until then."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from hybrid.control._infer import check_inputs, joined, outputs_outside
from hybrid.control.progress import present
from hybrid.core.op import op
from hybrid.core.spec import Spec
from hybrid.errors import StagingError
from hybrid.ir.graph import Graph, Node
from hybrid.ir.interpret import interpret
from hybrid.ir.parser import parse
from hybrid.ops._samples import given, sample

__all__ = ["attempt", "begin_handler", "caught", "checkpoint", "checkpoints_in", "end_handler", "in_context", "reraise"]

LATEST: ContextVar[list[Any] | None] = ContextVar("hybrid_latest_checkpoint", default=None)
HANDLED: ContextVar[tuple[BaseException, ...]] = ContextVar("hybrid_handled", default=())
CAUGHT: ContextVar[BaseException | None] = ContextVar("hybrid_caught", default=None)


def caught() -> BaseException | None:
    """The exception that was caught last."""
    return CAUGHT.get()


def begin_handler(error: BaseException) -> None:
    """The handler of an exception runs from here on: an exception in it has this one as its context."""
    HANDLED.set((*HANDLED.get(), error))


def end_handler() -> None:
    """The handler is done."""
    HANDLED.set(HANDLED.get()[:-1])


def in_context(error: BaseException, outer: int = 0) -> None:
    """Give an exception that leaves a handler its context, and leave the handlers inside the one of a number."""
    handled = HANDLED.get()
    if len(handled) > outer:
        if error.__context__ is None and error is not handled[-1]:
            error.__context__ = handled[-1]
        HANDLED.set(handled[:outer])


def _nothing(*_: Spec, **__: Any) -> tuple[Spec, ...]:
    return ()


@op(infer=_nothing, effects=True, dtypes=(), samples=[sample(given(3))])
def checkpoint(*values) -> Any:
    """Note what the variables hold, in case of an exception.

    Args:
        values: what the body of ``try`` would return if an exception came now.

    Returns:
        Nothing.

    >>> hybrid.ops.OPS["checkpoint"](3)
    ()
    """
    latest = LATEST.get()
    if latest is not None:
        latest[0] = values
    return ()


def _code_and_results(*operands: Spec, body: Graph, catches: tuple[Any, ...]) -> tuple[Spec, ...]:
    check_inputs(body, operands, "the body of try")
    results = outputs_outside(body, operands)
    for node in checkpoints_in(body):
        if len(list(node.inputs)) != len(results):
            raise StagingError(f"wanted checkpoints of {len(results)} values in the body of try, received {len(list(node.inputs))}")
        results = [joined(a, leaf.spec, f"t{i}") for i, (a, leaf) in enumerate(zip(results, node.inputs, strict=True))]
    return (Spec.parse("int"), *results)


def checkpoints_in(graph: Graph) -> Iterator[Node]:
    """The checkpoints of a body, also in its branches and loops, but not those of a ``try`` inside."""
    for node in graph.nodes:
        if node.op.name == "checkpoint":
            yield node
        if node.op.name != "attempt":
            for _, value in node.attrs:
                if isinstance(value, Graph):
                    yield from checkpoints_in(value)


BODY = parse("graph(%0: float64[3], %1: int):\n  checkpoint(float64[](0.0))\n  %2: float64[] = getitem(%0, %1, index=at[$0,])\n  return %2")


@op(
    infer=_code_and_results,
    effects=True,
    dtypes=(),
    samples=[
        sample(given([1.0, 2.0, 3.0]), given(1), body=BODY, catches=((IndexError,),)),
        sample(given([1.0, 2.0, 3.0]), given(7), body=BODY, catches=((KeyError,), (IndexError,))),
    ],
)
def attempt(*operands, body: Graph, catches: tuple[tuple[type[BaseException], ...], ...]) -> tuple[Any, ...]:
    """Run a graph and catch its exceptions.

    Args:
        operands: its arguments.
        body: the graph; its checkpoints have as many values as it has results.
        catches: the classes of each handler, in order.

    Returns:
        0 and the results, or the number of the handler (from 1) and the values of the last checkpoint before the exception.

    Raises:
        BaseException: what no handler catches.
        TypeError: if the body doesn't take the operands.

    >>> from hybrid.control.attempt import BODY
    >>> hybrid.ops.OPS["attempt"](np.ones(3), 7, body=BODY, catches=((IndexError,),))
    (1, Tensor(0.0, dtype=float64))
    """
    latest: list[Any] = [()]
    token, depth, progress = LATEST.set(latest), len(HANDLED.get()), present()
    noted = progress and progress.latest
    try:
        results = (0, *interpret(body, *operands))
    except BaseException as error:
        in_context(error, depth)
        results = next(((i + 1, *latest[0]) for i, classes in enumerate(catches) if isinstance(error, classes)), None)
        if results is None:
            raise
        CAUGHT.set(error)
    finally:
        LATEST.reset(token)
    if progress is not None:
        progress.latest = noted
    return results


@op(infer=_nothing, effects=True, dtypes=(), samples=[sample()], no_gradient="nothing comes out")
def reraise() -> Any:
    """Raise the exception that was caught last once more.

    Raises:
        BaseException: the exception; ``RuntimeError`` if there is none.

    >>> try:
    ...     hybrid.ops.OPS["reraise"]()
    ... except RuntimeError as error:
    ...     print(str(error).splitlines()[0])
    No active exception to reraise
    """
    error = CAUGHT.get()
    raise RuntimeError("No active exception to reraise") if error is None else error
