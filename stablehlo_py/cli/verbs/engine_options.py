"""The options of verbs that hold one engine against another."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from .shared import Inputs, Named, OutputFile, with_options

if TYPE_CHECKING:
    from ...debug.measures import Tolerance
    from ...engines import Engine

reproducer_option = click.option(
    "--reproducer", metavar="FILE.mlir", type=OutputFile(), help="Write the wrong op as a program, and its arguments."
)
profile_option = click.option(
    "--profile",
    type=click.Choice(["strict", "default", "xla"]),
    default="default",
    show_default=True,
    help="How accurate functions have to be.",
)
_OPTIONS = (
    click.option(
        "--engine", "name", type=Named("ENGINE"), default="xla", show_default=True, help="The engine that may be wrong."
    ),
    click.option(
        "--reference", type=Named("ENGINE"), default="reference", show_default=True, help="The engine that is right."
    ),
    click.option("--tolerance", metavar="AMOUNT", help="What values may differ by: 4ulp, 1e-3rel, 1e-6abs."),
)


@dataclass(frozen=True)
class Pair:
    """The options of a pair of engines: their names, and the difference that their values may have, as text."""

    reference: str
    engine: str
    amount: str | None

    @property
    def tolerance(self) -> Tolerance | None:
        """The tolerance, or None for the default."""
        return read_tolerance(self.amount)

    @contextmanager
    def opened(self, inputs: Inputs) -> Generator[tuple[Engine, Engine]]:
        """Both engines, the reference first."""
        with inputs.engine(self.reference) as reference, inputs.engine(self.engine) as engine:
            yield reference, engine


def read_tolerance(text: str | None) -> Tolerance | None:
    """The tolerance that an option gives, or None."""
    from ...debug.tolerances import read_tolerances

    if text is None:
        return None
    found = read_tolerances([text])
    if "" not in found:
        raise click.UsageError(f"--tolerance takes one amount for all values, not '{text}'")
    return found[""]


def pair_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --engine, --reference and --tolerance; the command gets them as `pair`. Stands below `input_options`."""

    @wraps(command)
    def wrapped(name: str, reference: str, tolerance: str | None, inputs: Inputs, **options: Any) -> int:
        first, second = inputs.named([reference, name])
        pair = Pair(first, second, tolerance)
        _ = pair.tolerance  # a mistake in it is told before anything runs
        return command(pair=pair, inputs=inputs, **options)

    return with_options(_OPTIONS, wrapped)
