"""Reports on the facts that refinement has about a module; the module itself does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..bindings import ir
from ..bindings.build import detached_copy
from ..shapes.library import active_library
from ..shapes.refinement.application import refine
from ..shapes.refinement.context import AnalyzedProgram
from ..shapes.refinement.reports import RefinementReport


def _reported(module: ir.Operation, lines: Callable[[RefinementReport], Iterator[str]]) -> str:
    """Return the lines of a report on a refined copy of the module."""
    copy = detached_copy(module)
    with ir.Location.unknown(module.context):
        refinement = refine(AnalyzedProgram(copy, active_library(), direct=True))
        return "".join(f"{line}\n" for line in lines(RefinementReport(refinement)))


def symbolic_shapes(module: ir.Operation) -> str:
    """Return a line for each value with its shape in terms of the arguments' dimension sizes. Raises `RefutedError`."""
    return _reported(module, RefinementReport.symbolic_shapes)


def why_dynamic(module: ir.Operation) -> str:
    """For each unknown dimension size: its value, its origin, and the remedy. Raises `RefutedError`."""
    text = _reported(module, RefinementReport.reasons)
    return text if text else "every size is known\n"
