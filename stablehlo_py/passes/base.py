"""What a pass written in Python is: a frozen dataclass whose fields are its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir


@dataclass(frozen=True)
class Pass:
    """A transformation of one op of kind `anchor`, and of all that it contains.

    A field `fold_op_element_limit: int = 65536` is the option `fold-op-element-limit` of the flag `--<name>`; fields
    are of type bool, int, str or tuple[str, ...] (comma-separated) and always have a default.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    anchor: ClassVar[str] = "builtin.module"

    def run(self, op: ir.Operation) -> None:
        """Transforms `op` in place. Raises `StablehloError` with a location where it cannot; then `op` must be left
        as it was, or in a state that verifies."""
        raise NotImplementedError


@dataclass(frozen=True)
class PassPipeline(Pass):
    """A name for a sequence of other passes; they run in its place, each with its own instrumentation."""

    def pipeline(self) -> str:
        """The textual pipeline that the flag stands for, without an anchor around it."""
        raise NotImplementedError

    def run(self, op: ir.Operation) -> None:
        """Runs the passes of `pipeline` on `op`."""
        from .pipeline import run_pipeline

        run_pipeline(op, f"{op.name}({self.pipeline()})")
