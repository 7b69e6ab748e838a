"""The options of verbs that hold one engine against another."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from .shared import Inputs, ProgramFile, engine_option, tell, with_options, write_reproducer

if TYPE_CHECKING:
    import numpy as np

    from ...bindings import ir
    from ...debug.reduction.question import EnginePair
    from ...engines import Engine

reproducer_option = click.option(
    "--reproducer", metavar="FILE.mlir", type=ProgramFile(), help="Write the wrong op as a program, and its arguments."
)
profile_option = click.option(
    "--profile",
    type=click.Choice(["strict", "default", "xla"]),
    default="default",
    show_default=True,
    help="How accurate functions have to be.",
)
_OPTIONS = (
    engine_option("--engine", "name", summary="The engine that may be wrong.", default="xla"),
    engine_option("--reference", summary="The engine that is right."),
    click.option("--tolerance", metavar="AMOUNT", help="What values may differ by: 4ulp, 1e-3rel, 1e-6abs."),
)


def keep_reproducer(path: str | None, program: ir.Module | None, arguments: Sequence[np.ndarray]) -> None:
    """Write the wrong op as --reproducer asks, if there is one, and say so."""
    if path is not None and program is not None:
        tell(write_reproducer(path, program, arguments))


@contextmanager
def opened(pair: EnginePair, inputs: Inputs) -> Generator[tuple[Engine, Engine]]:
    """Both engines, the reference first."""
    with inputs.engine(pair.reference) as reference, inputs.engine(pair.engine) as engine:
        yield reference, engine


def pair_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --engine, --reference and --tolerance; the command gets them as `pair`. Stands below `input_options`."""

    @wraps(command)
    def wrapped(name: str, reference: str, tolerance: str | None, inputs: Inputs, **options: Any) -> int:
        from ...debug.reduction.question import EnginePair

        first, second = inputs.named([reference, name])
        pair = EnginePair(first, second, tolerance)
        _ = pair.tolerance  # a mistake in it is told before anything runs
        return command(pair=pair, inputs=inputs, **options)

    return with_options(_OPTIONS, wrapped)
