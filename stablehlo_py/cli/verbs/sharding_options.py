"""The options of verbs that partition a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...syntax.source import printable_name
from .shared import with_options

if TYPE_CHECKING:
    from ...bindings import ir
    from ...spmd import Partition

_OPTIONS = (
    click.option("--mesh", metavar="AXIS=N,…", help="The devices, in place of the program's mesh: x=4,y=2."),
    click.option("--in-sharding", "inputs", multiple=True, metavar="N=[…]", help='Of an argument: 0=[{"x"}, {}].'),
    click.option("--out-sharding", "outputs", multiple=True, metavar="N=[…]", help="Of a result, in the same form."),
)


def sharding_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --mesh, --in-sharding and --out-sharding; the command gets `partitioned`, which partitions a module."""

    @wraps(command)
    def wrapped(mesh: str | None, inputs: Sequence[str], outputs: Sequence[str], **options: Any) -> int:
        axes = None if mesh is None else _axes(mesh)
        chosen = [_numbered(texts) for texts in (inputs, outputs)]

        def partitioned(
            module: ir.Module, after_step: Callable[[str, ir.Module], None] | None = None
        ) -> Partition:  # fmt: skip
            from ...spmd import partition

            ins, outs = chosen
            return partition(module, mesh=axes, in_shardings=ins, out_shardings=outs, after_step=after_step)

        return command(partitioned=partitioned, **options)

    return with_options(_OPTIONS, wrapped)


def _axes(text: str) -> dict[str, int]:
    """`x=4,y=2` as sizes by name."""
    axes: dict[str, int] = {}
    for part in printable_name(text).split(","):
        name, _, size = part.strip().partition("=")
        if not name or name in axes or not size.isdecimal() or not int(size):
            raise click.UsageError(f"--mesh takes AXIS=N,…, each axis once, found '{text}'")
        axes[name] = int(size)
    return axes


def _numbered(texts: Sequence[str]) -> dict[int, str]:
    """`0=[{"x"}, {}]` as text by number."""
    found: dict[int, str] = {}
    for text in texts:
        number, equals, sharding = text.partition("=")
        if not equals or not number.strip().isdecimal():
            raise click.UsageError(f"a sharding is given as NUMBER=[…], found '{text}'")
        found[int(number)] = printable_name(sharding.strip())
    return found
