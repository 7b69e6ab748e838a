"""`stablehlo trace`: every op measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import Inputs, input_options, json_option, load_module, print_json, read_tolerance, write_reproducer

if TYPE_CHECKING:
    from ...debug.measures import Difference
    from ...debug.trace import Row, Trace


@click.command("trace")
@click.argument("file")
@click.option("--engine", "name", default="xla", show_default=True, help="The engine to measure.")
@click.option("--reference", default="reference", show_default=True, help="The engine to measure it against.")
@click.option("--tolerance", metavar="AMOUNT", help="What one op may differ by: 4ulp, 1e-3rel, 1e-6abs.")
@click.option("--memory", default=256, show_default=True, metavar="MIB", help="Memory for values at a time.")
@click.option("--all", "show_all", is_flag=True, help="Print a line for every op.")
@click.option("--reproducer", metavar="FILE.mlir", help="Write the wrong op as a program, and its arguments.")
@json_option
@input_options
def command(
    file: str,
    name: str,
    reference: str,
    tolerance: str | None,
    memory: int,
    show_all: bool,
    reproducer: str | None,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Measure every op of FILE in one engine against another, and name the first and the worst.

    Local: the op gets the reference's operands. Accumulated: the engine goes on from its own values. As compiled: the
    program up to the op, compiled as a whole. Exit code 1 where an op is wrong."""
    from ...debug.program import examine
    from ...debug.trace import trace
    from ...engines import open_engine

    subject = examine(load_module(file))
    arguments = inputs.sample(subject)
    allowed = read_tolerance(tolerance)
    bounds = inputs.limits
    with open_engine(reference, bounds) as first, open_engine(name, bounds) as second:
        found = trace(subject, arguments, first, second, tolerance=allowed, cap=memory << 20)
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(_text(found, show_all), nl=False)
    if reproducer is not None and found.program is not None:
        click.echo(write_reproducer(reproducer, found.program, found.arguments), err=True)
    return 0 if found.first is None else 1


def _ulp(found: Difference | None) -> str:
    return "-" if found is None else f"{found.max_ulp:.4g}"


def _line(row: Row) -> str:
    columns = "".join(f"{_ulp(found):>12}" for found in (row.local, row.accumulated, row.compiled))
    mark = "!" if row.wrong else " "
    return f"{mark}{columns}  {row.place if not row.failure else f'{row.place}: {row.failure}'}"


def _text(found: Trace, show_all: bool) -> str:
    head = f" {'local':>12}{'accumulated':>12}{'as compiled':>12}  op (differences in ULP)"
    chosen = list(found.rows) if show_all else _worst(found)
    lines = [f"{found.engine} measured against {found.reference}", head, *map(_line, chosen)]
    for engine, spot in found.first_nonfinite.items():
        lines.append(f"first NaN or infinity in {engine}: {spot}")
    if found.note:
        lines.append(f"note: {found.note}")
    culprit = found.culprit
    lines.append("no op is wrong by itself" if culprit is None else f"first wrong op: {culprit}")
    return "\n".join(lines) + "\n"


def _worst(found: Trace) -> list[Row]:
    """The first wrong ops and the worst ones of each kind, in program order."""
    wrong = [row for row in found.rows if row.wrong][:5]
    chosen = {id(row): row for kind in ("local", "accumulated", "compiled") for row in found.worst(kind)}
    chosen |= {id(row): row for row in wrong}
    return [row for row in found.rows if id(row) in chosen]
