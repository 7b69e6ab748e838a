"""Descriptions of op functions from the tables, for `help` and for the stubs."""

from __future__ import annotations

from ..dialect.catalog import contract
from .parameters import OpParameters


def description(op: OpParameters) -> str:
    """Return the doc string of an op's function: its attributes and constraints."""
    dialect, _, name = op.name.partition(".")
    known = contract(name) if dialect == "stablehlo" else None
    lines = [f"Evaluate {op.name} on arrays, or add it to the function that is being built."]
    described = [each for each in op.parameters if each.type or each.default]
    if described:
        lines += ["", "Args:"]
    for each in described:
        default = "" if each.is_required or not each.default else f"; by default {each.default}"
        part = f"{each.field} of " if each.part_of else ""
        lines.append(f"    {each.name}: {part}{each.type}{default}")
    if known is not None and known.constraints:
        lines += ["", "Constraints:", *[f"    {each.number}: {each.label}" for each in known.constraints]]
    return "\n".join(lines)
