"""The optimization passes that apply patterns: folding, simplification, and both together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from ..bindings import ir
from ..errors import UsageError
from .base import Pass
from .report import current_report
from .rewriting import Pattern, RewriteOptions, apply_patterns


def _require_limit(pass_name: str, limit: int) -> None:
    if limit < 0:
        raise UsageError(f"option fold-op-element-limit of --{pass_name} must not be negative, but is {limit}")


def _run(name: str, op: ir.Operation, patterns: Iterable[Pattern], options: RewriteOptions) -> None:
    _require_limit(name, options.fold_op_element_limit)
    apply_patterns(op, patterns, options, current_report(name))


@dataclass(frozen=True)
class AggressiveFolder(Pass):
    """Replaces ops of constant operands by constants, computed by the reference interpreter, and what else needs no
    running: branches of a constant selector, loops that never run, dynamic ops of constant shapes."""

    name: ClassVar[str] = "stablehlo-aggressive-folder"
    summary: ClassVar[str] = "Fold StableHLO operations"
    anchor: ClassVar[str] = "func.func"

    assume_no_undeclared_side_effects: bool = False
    """Remove dead loops whose ops declare no side effect; calls then count as pure."""
    fold_op_element_limit: int = 65536
    """Do not make constants of more elements, unless all are equal."""
    optimize_float: bool = True
    """Fold floating-point ops, whose results another implementation may round differently."""

    def run(self, op: ir.Operation) -> None:
        from .folding import FOLDS

        options = RewriteOptions(
            fold_op_element_limit=self.fold_op_element_limit,
            optimize_float=self.optimize_float,
            assume_no_undeclared_side_effects=self.assume_no_undeclared_side_effects,
        )
        _run(self.name, op, FOLDS, options)


@dataclass(frozen=True)
class AggressiveSimplification(Pass):
    """Rewrites by algebraic identities and by what is known of shapes, without computing anything."""

    name: ClassVar[str] = "stablehlo-aggressive-simplification"
    summary: ClassVar[str] = "Simplify StableHLO programs"
    anchor: ClassVar[str] = "func.func"

    fold_op_element_limit: int = 65536
    """Do not make constants of more elements, unless all are equal."""
    optimize_float: bool = True
    """Allow x + 0.0 = x, which turns 0.0 into -0.0 where x is -0.0, and results that the spec leaves open."""

    def run(self, op: ir.Operation) -> None:
        from .simplification import SIMPLIFICATIONS

        options = RewriteOptions(fold_op_element_limit=self.fold_op_element_limit, optimize_float=self.optimize_float)
        _run(self.name, op, SIMPLIFICATIONS, options)


@dataclass(frozen=True)
class TargetIndependentOptimization(Pass):
    """Folds and simplifies until neither finds anything."""

    name: ClassVar[str] = "stablehlo-target-independent-optimization"
    summary: ClassVar[str] = "Fold and simplify StableHLO programs"
    anchor: ClassVar[str] = "func.func"

    assume_no_undeclared_side_effects: bool = False
    """Remove dead loops whose ops declare no side effect; calls then count as pure."""
    fold_op_element_limit: int = 65536
    """Do not make constants of more elements, unless all are equal."""
    optimize_float: bool = True
    """Fold floating-point ops, allow x + 0.0 = x, and results that the spec leaves open."""

    def run(self, op: ir.Operation) -> None:
        from .folding import FOLDS
        from .simplification import SIMPLIFICATIONS

        options = RewriteOptions(
            fold_op_element_limit=self.fold_op_element_limit,
            optimize_float=self.optimize_float,
            assume_no_undeclared_side_effects=self.assume_no_undeclared_side_effects,
        )
        _run(self.name, op, dict.fromkeys((*FOLDS, *SIMPLIFICATIONS)), options)
