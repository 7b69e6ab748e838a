"""`chlo-expand-scan`: expresses the scans that `chlo-legalize-to-stablehlo` gets wrong by other ops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..interpreter.chlo import expand_scans
from .base import Pass


@dataclass(frozen=True)
class ChloExpandScan(Pass):
    """Replace scans of static shape by loops, and make the others forward."""

    name: ClassVar[str] = "chlo-expand-scan"
    summary: ClassVar[str] = "Express chlo.scan by a loop, or by a forward scan where shapes are dynamic"
    anchor: ClassVar[str] = "any"

    def run(self, op: ir.Operation) -> None:
        expand_scans(op)
