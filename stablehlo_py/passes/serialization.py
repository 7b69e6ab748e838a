"""Pipelines that lower a program before it is written as a portable artifact and raise it afterwards, and the passes in
them that the bindings lack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..artifacts.versions import current_version
from ..bindings import ir
from ..bindings.walk import is_used, operations
from .base import Pass
from .pipeline import PassPipeline

_CAST = "builtin.unrealized_conversion_cast"


@dataclass(frozen=True)
class StablehloDeserialize(PassPipeline):
    """VHLO of any version → VHLO of the current version → StableHLO."""

    name: ClassVar[str] = "stablehlo-deserialize"
    summary: ClassVar[str] = "Upgrade VHLO to the current version and legalize it to StableHLO"

    def pipeline(self) -> str:
        return f"vhlo-to-version{{target={current_version()}}},vhlo-legalize-to-stablehlo"


@dataclass(frozen=True)
class ChloPreSerialization(PassPipeline):
    """CHLO, shape and index types → StableHLO, where possible."""

    name: ClassVar[str] = "chlo-pre-serialization-pipeline"
    summary: ClassVar[str] = "Lower CHLO, the shape dialect and index types to StableHLO, as a portable artifact needs"

    def pipeline(self) -> str:
        return "func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo),reconcile-unrealized-casts"


@dataclass(frozen=True)
class ChloExpandScan(Pass):
    """Replace scans of static shape by loops, and make the others forward."""

    name: ClassVar[str] = "chlo-expand-scan"
    summary: ClassVar[str] = "Express chlo.scan by a loop, or by a forward scan where shapes are dynamic"
    anchor: ClassVar[str] = "any"

    def run(self, op: ir.Operation) -> None:
        from ..interpreter.chlo import expand_scans

        expand_scans(op)


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
