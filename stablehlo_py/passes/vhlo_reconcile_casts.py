"""Removal of conversion casts that cancel each other out; the bindings lack such a pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..bindings.walk import is_used, operations
from .base import Pass

_CAST = "builtin.unrealized_conversion_cast"


def _source(cast: ir.Operation) -> list[ir.Value] | None:
    """Return the operands of the first cast in a chain that ends in `cast`, if they have its result types, or None."""
    current = cast
    while True:
        operands = list(current.operands)
        if [value.type for value in operands] == [result.type for result in cast.results]:
            return operands
        if not operands or isinstance(operands[0].owner, ir.Block):
            return None
        previous = operands[0].owner
        if previous.name != _CAST or list(previous.results) != operands:
            return None
        current = previous


@dataclass(frozen=True)
class ReconcileUnrealizedCasts(Pass):
    """Replace the end of each chain of casts that leads back to its first type by the start of the chain.

    Unused casts are erased; other casts stay.
    """

    name: ClassVar[str] = "reconcile-unrealized-casts"
    summary: ClassVar[str] = "Simplify and eliminate unrealized conversion casts"

    def run(self, op: ir.Operation) -> None:
        """Reconcile the casts within `op`."""
        casts = [inner for inner in operations(op) if inner.name == _CAST]
        for cast in casts:
            source = _source(cast)
            if source is not None:
                for result, value in zip(cast.results, source, strict=True):
                    result.replace_all_uses_with(value)
        for cast in reversed(casts):  # a cast's user comes after it
            if not any(map(is_used, cast.results)):
                cast.erase()
