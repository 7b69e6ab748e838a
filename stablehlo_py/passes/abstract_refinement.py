"""The steps of refinement by library functions, each a pass, and the pipelines made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..shapes.library import active_library
from ..shapes.refinement import reification, simplification
from ..shapes.refinement.application import refine
from ..shapes.refinement.context import AnalyzedProgram
from ..shapes.refinement.guards import insert_guards
from ..shapes.signatures import DTYPE, SHAPE
from .abstract_transaction import Transaction
from .folding.shape_values import fold_shape_values
from .report import current_report


@dataclass(frozen=True)
class ReifyShapeCalculations(Transaction):
    """Put the shape function of every op next to it."""

    name: ClassVar[str] = "stablehlo-reify-shape-calculations"
    summary: ClassVar[str] = "Wrap each op that has a shape function together with a call of it"
    kind: ClassVar[str] = SHAPE

    def change(self, module: ir.Operation) -> None:
        reification.reify(module, active_library(), self.kind)


@dataclass(frozen=True)
class ReifyDtypeCalculations(ReifyShapeCalculations):
    """Put the dtype function of every op next to it."""

    name: ClassVar[str] = "stablehlo-reify-dtype-calculations"
    summary: ClassVar[str] = "Wrap each op that has a dtype function together with a call of it"
    kind: ClassVar[str] = DTYPE


@dataclass(frozen=True)
class InlineCalculations(Transaction):
    """Inline the calls in library functions."""

    name: ClassVar[str] = "stablehlo-inline-calculations"
    summary: ClassVar[str] = "Inline the functions that reified library functions call"

    def change(self, module: ir.Operation) -> None:
        reification.inline(module)


@dataclass(frozen=True)
class SimplifyShapeCalculations(Transaction):
    """Simplify shape functions, and refine the types of the ops next to them."""

    name: ClassVar[str] = "stablehlo-simplify-shape-calculations"
    summary: ClassVar[str] = "Simplify shape functions and refine types, to a fixed point"
    kind: ClassVar[str] = SHAPE

    max_iterations: int = 10

    def change(self, module: ir.Operation) -> None:
        simplification.simplify(
            AnalyzedProgram(module, active_library(), (self.kind,), max_iterations=self.max_iterations)
        )


@dataclass(frozen=True)
class SimplifyDtypeCalculations(SimplifyShapeCalculations):
    """Simplify dtype functions, and compare them with the declared element types."""

    name: ClassVar[str] = "stablehlo-simplify-dtype-calculations"
    summary: ClassVar[str] = "Simplify dtype functions and check element types"
    kind: ClassVar[str] = DTYPE


@dataclass(frozen=True)
class DropCalculations(Transaction):
    """Remove all library functions from the program."""

    name: ClassVar[str] = "stablehlo-drop-abstract-interp-calculations"
    summary: ClassVar[str] = "Unwrap the ops with library functions, and drop the library functions"

    def change(self, module: ir.Operation) -> None:
        reification.drop(module)


@dataclass(frozen=True)
class FoldShapeValues(Transaction):
    """Replace what programs compute from known dimension sizes by constants."""

    name: ClassVar[str] = "stablehlo-fold-shape-values"
    summary: ClassVar[str] = "Replace integer tensors that are computed from known dimension sizes by constants"

    def change(self, module: ir.Operation) -> None:
        fold_shape_values(module, refine(AnalyzedProgram(module, active_library(), ())), current_report(self.name))


@dataclass(frozen=True)
class InsertShapeGuards(Transaction):
    """Put a `stablehlo.custom_call @shape_assertion` in front of every op whose shape function has assertions that
    cannot be proven. Those that are proven vanish; one that is refuted is an error at its op.

    Works on reified library functions where the program has them, and on those of the library where it has not;
    shapes are refined on the way, and library functions dropped."""

    name: ClassVar[str] = "stablehlo-insert-shape-guards"
    summary: ClassVar[str] = "Check at runtime what shape functions demand and nobody has proven"

    max_iterations: int = 10

    def change(self, module: ir.Operation) -> None:
        insert_guards(
            refine(AnalyzedProgram(module, active_library(), direct=True, max_iterations=self.max_iterations))
        )
        reification.drop(module)


@dataclass(frozen=True)
class ShapeRefinementPipeline(Transaction):
    """Refine shapes: reify, inline and simplify shape functions, fold shape values, drop the library functions.

    Unless `steps` is set, library functions are evaluated without being written into the program first. The result is
    the same, and takes much less time."""

    name: ClassVar[str] = "stablehlo-shape-refinement-pipeline"
    summary: ClassVar[str] = "Refine the shapes of a program by its shape functions, its element types too if asked for"

    shapes: bool = True
    dtypes: bool = False
    steps: bool = False
    max_iterations: int = 10

    def change(self, module: ir.Operation) -> None:
        library = active_library()
        kinds = ((SHAPE,) if self.shapes else ()) + ((DTYPE,) if self.dtypes else ())
        if self.steps:
            for kind in kinds:
                reification.reify(module, library, kind)
            reification.inline(module)
        program = AnalyzedProgram(module, library, kinds, not self.steps, self.max_iterations)
        refinement = simplification.simplify(program) if self.steps else refine(program)
        fold_shape_values(module, refinement, current_report(self.name))
        reification.drop(module)


@dataclass(frozen=True)
class DtypeRefinementPipeline(ShapeRefinementPipeline):
    """As `ShapeRefinementPipeline`, for element types."""

    name: ClassVar[str] = "stablehlo-dtype-refinement-pipeline"
    summary: ClassVar[str] = (
        "Check the element types of a program by its dtype functions, refine its shapes too if asked for"
    )

    shapes: bool = False
    dtypes: bool = True
