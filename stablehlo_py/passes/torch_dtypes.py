"""The refinement of dtypes for programs in the torch dialect, where the bindings are torch-mlir's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .pipeline import PassPipeline


@dataclass(frozen=True)
class TorchDtypeRefinement(PassPipeline):
    """torch-mlir's passes in the order of its document, as it registers the pipeline for shapes alone."""

    name: ClassVar[str] = "torch-dtype-refinement-pipeline"
    summary: ClassVar[str] = "Refine the dtypes of tensors in the torch dialect"

    def pipeline(self) -> str:
        steps = "func.func(torch-simplify-dtype-calculations),func.func(torch-drop-abstract-interp-calculations)"
        return f"torch-reify-dtype-calculations,inline,{steps}"
