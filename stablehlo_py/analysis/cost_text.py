"""Costs as text."""

from __future__ import annotations

from ..syntax.tables import short
from .cost import Cost


def cost_text(found: Cost, top: int, *, each: bool = False) -> str:
    """Return the cost of a program, and of the costliest kinds of ops; with `each`, of the costliest ops."""
    intensity = found.intensity
    lines = [
        f"arithmetic operations:   {short(found.flops)}",
        f"functions (exp, log, …): {short(found.transcendentals)}",
        f"bytes read and written:  {short(found.bytes, 'B')}",
        f"operations a byte:       {'depends on sizes' if intensity is None else f'{intensity:.3g}'}",
        f"peak of live values:     {short(found.peak_bytes, 'B')} at {found.peak_at}",
        f"{'runs':>10}{'operations':>12}{'functions':>12}{'bytes':>12}  op",
        *(_ops(found, top) if each else _kinds(found, top)),
        *(f"note: {note}" for note in found.notes),
    ]
    return "\n".join(lines)


def _row(runs: int, flops: object, functions: object, size: object, name: str) -> str:
    return f"{runs:>10}{_cell(flops)}{_cell(functions)}{_cell(size)}  {name}"


def _cell(amount: object) -> str:
    text = short(amount)
    return f"{text:>12}" if len(text) < 12 else f"  {text}"


def _kinds(found: Cost, top: int) -> list[str]:
    return [_row(*amounts, name) for name, amounts in list(found.by_kind().items())[:top]]


def _ops(found: Cost, top: int) -> list[str]:
    return [
        _row(one.runs, one.flops, one.transcendentals, one.bytes, f"{one.op} {one.location}".rstrip())
        for one in found.costliest(top)
    ]
