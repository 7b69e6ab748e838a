"""Error guards: what the calculations demand and nobody has proven is checked when the program runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..abstract.library import active_library
from ..abstract.refinement import reification
from ..abstract.refinement.application import refine
from ..abstract.refinement.context import Program
from ..abstract.refinement.guards import insert_guards
from ..bindings import ir
from .abstract_transaction import transformed
from .base import Pass


@dataclass(frozen=True)
class InsertShapeGuards(Pass):
    """Put a `stablehlo.custom_call @shape_assertion` in front of every op whose shape calculation has assertions that
    cannot be proven. Those that are proven vanish; one that is refuted is an error at its op.

    Works on reified calculations where the program has them, and on those of the library where it has not; shapes are
    refined on the way, and calculations dropped."""

    name: ClassVar[str] = "stablehlo-insert-shape-guards"
    summary: ClassVar[str] = "Check at runtime what shape calculations demand and nobody has proven"

    max_iterations: int = 10

    def run(self, op: ir.Operation) -> None:
        def guard(module: ir.Operation) -> None:
            insert_guards(refine(Program(module, active_library(), direct=True, max_iterations=self.max_iterations)))
            reification.drop(module)

        transformed(op, guard)
