"""Pipelines that lower a program before it is written as a portable artifact, and raise it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..artifacts.versions import current_version
from .pipeline import PassPipeline


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
