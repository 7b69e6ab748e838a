"""Replaces ops by the others that express them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..abstract.library import active_library
from ..abstract.refinement.decomposition import decompose
from ..bindings import ir
from .abstract_transaction import transformed
from .base import Pass


@dataclass(frozen=True)
class Decompose(Pass):
    """Apply the decompositions of the abstract interpretation library until no op is left that has one.

    `ops` names the ops to replace, all if empty. An instance that cannot be decomposed, such as a batch_norm_training
    of unknown extents, stays.
    """

    name: ClassVar[str] = "stablehlo-decompose"
    summary: ClassVar[str] = "Express ops by others, as the decompositions of the library say"

    ops: tuple[str, ...] = ()

    def run(self, op: ir.Operation) -> None:
        def apply(module: ir.Operation) -> None:
            while decompose(module, active_library(), self.ops):
                pass

        transformed(op, apply)
