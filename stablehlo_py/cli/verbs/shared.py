"""Options and output that several verbs share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import ArgumentError, InputError

if TYPE_CHECKING:
    import numpy as np

    from ...bindings import ir
    from ...debug.program import Subject
    from ...engines import Limits

Command = TypeVar("Command", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
seed_option = click.option("--seed", default=0, show_default=True, help="Where drawing starts.")


def engine_limits(command: Command) -> Command:
    """Add --timeout and --max-memory."""
    command = click.option(
        "--max-memory", type=click.IntRange(1), metavar="BYTES", help="Memory of an engine's process."
    )(command)
    return click.option(
        "--timeout", type=click.FloatRange(0, min_open=True), default=600.0, metavar="SECONDS", help="Time of a run."
    )(command)


def input_options(command: Command) -> Command:
    """Add --inputs, --args, --input-distribution and --seed."""
    command = click.option("--inputs", "archive", metavar="FILE.npz", help="Arguments, instead of drawn ones.")(command)
    command = click.option("--args", "attributes", default="", metavar="[…]", help="Arguments as dense attributes.")(
        command
    )
    command = click.option(
        "--input-distribution",
        "distributions",
        multiple=True,
        metavar="[N=]KIND",
        help="How to draw: normal, uniform(L,H), log, special, zeros, ones; +special mixes in special values.",
    )(command)
    return seed_option(command)


def load_module(path: str) -> ir.Module:
    """The StableHLO program in a file of any form."""
    from ...bindings import make_context
    from ..compat import load_program

    return load_program(path, make_context())


def limits(timeout: float, max_memory: int | None) -> Limits:
    """The limits that the options give."""
    from ...engines import Limits

    return Limits(timeout, max_memory)


def given_arguments(subject: Subject, archive: str | None, attributes: str) -> list[np.ndarray] | None:
    """The arguments in a file or on the command line; None where neither is given."""
    if archive is None and not attributes:
        return None
    from ...bindings.types import TensorType, TypeReader
    from ...reference.storage import from_stored, load_arrays
    from ..interpret import args_from_text

    if archive is not None and attributes:
        raise click.UsageError("--args and --inputs exclude each other")
    arrays = args_from_text(attributes, subject.module.context) if archive is None else load_arrays(archive)
    types = TypeReader()
    parameters = [types[argument.type] for argument in subject.block.arguments]
    if len(arrays) != len(parameters):
        raise ArgumentError(f"expected {len(parameters)} arguments, found {len(arrays)}")
    return [
        from_stored(array, type_.dtype) if isinstance(type_, TensorType) else array
        for array, type_ in zip(arrays, parameters, strict=True)
    ]


def one_sample(
    subject: Subject, archive: str | None, attributes: str, distributions: Sequence[str], seed: int
) -> list[np.ndarray]:
    """The given arguments, or drawn ones."""
    from ...debug.compare import draw_samples
    from ...debug.inputs import read_distributions

    given = given_arguments(subject, archive, attributes)
    return draw_samples(subject, 1, seed, read_distributions(distributions))[0] if given is None else given


def print_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, indent=2))


def write_reproducer(path: str, module: ir.Module, arguments: Sequence[np.ndarray]) -> str:
    """Write a program as FILE.mlir and its arguments beside it as FILE.npz; return what to say about it."""
    from ...reference.storage import save_arrays
    from ..common import write_whole

    program = Path(path)
    archive = program.with_suffix(".npz")
    try:
        write_whole(str(program), str(module.operation).encode())
        write_whole(str(archive), save_arrays(archive.name, list(arguments)))
    except OSError as error:
        raise InputError(f"cannot write '{error.filename}': {error.strerror}") from None
    return f"wrote {program} and its arguments {archive}"
