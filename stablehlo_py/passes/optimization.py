"""The optimization passes that apply patterns: folding, simplification, and both together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from ..bindings import ir
from ..errors import UsageError
from .base import Pass
from .report import current_report
from .rewriting import Pattern, RewriteOptions, apply_patterns
from .users_patterns import users_patterns


def _run(name: str, op: ir.Operation, patterns: Iterable[Pattern], options: RewriteOptions) -> None:
    """Apply the package's patterns and those that users added."""
    limit = options.fold_op_element_limit
    if limit < 0:
        raise UsageError(f"option fold-op-element-limit of --{name} must not be negative, but is {limit}")
    apply_patterns(op, (*patterns, *users_patterns(name)), options, current_report(name))


_LIMIT = {"summary": "do not make constants of more elements, unless all are equal"}
_PURE = {"summary": "remove unused loops that never run if nothing in them declares an effect; calls declare none"}
_FOLD_FLOATS = {"summary": "fold floating-point ops that other implementations may round differently"}
_DROP_ZEROS = {"summary": "let x + 0.0 be x also where x may be -0.0, and use unspecified values"}
_BOTH = {"summary": f"{_FOLD_FLOATS['summary']}; {_DROP_ZEROS['summary']}"}


@dataclass(frozen=True)
class AggressiveFolder(Pass):
    """Replace ops of constant operands by constants, which the reference interpreter computes.

    Branches of a constant selector, loops that never run and dynamic ops of constant shapes are simplified as well.
    """

    name: ClassVar[str] = "stablehlo-aggressive-folder"
    summary: ClassVar[str] = "Replace what depends on constants only by constants, computed by the interpreter"
    anchor: ClassVar[str] = "func.func"

    assume_no_undeclared_side_effects: bool = field(default=False, metadata=_PURE)
    fold_op_element_limit: int = field(default=65536, metadata=_LIMIT)
    optimize_float: bool = field(default=True, metadata=_FOLD_FLOATS)

    def run(self, op: ir.Operation) -> None:
        from .folding import FOLDS

        _run(self.name, op, FOLDS, self.options())

    def options(self) -> RewriteOptions:
        """Return the options as the patterns see them."""
        return RewriteOptions(
            fold_op_element_limit=self.fold_op_element_limit,
            optimize_float=self.optimize_float,
            assume_no_undeclared_side_effects=self.assume_no_undeclared_side_effects,
        )


@dataclass(frozen=True)
class AggressiveSimplification(Pass):
    """Rewrite by algebraic identities and known shapes, without computing anything."""

    name: ClassVar[str] = "stablehlo-aggressive-simplification"
    summary: ClassVar[str] = "Simplify by identities, chains of movement, known shapes and unused results"
    anchor: ClassVar[str] = "func.func"

    fold_op_element_limit: int = field(default=65536, metadata=_LIMIT)
    optimize_float: bool = field(default=True, metadata=_DROP_ZEROS)

    def run(self, op: ir.Operation) -> None:
        from .simplification import SIMPLIFICATIONS

        options = RewriteOptions(fold_op_element_limit=self.fold_op_element_limit, optimize_float=self.optimize_float)
        _run(self.name, op, SIMPLIFICATIONS, options)


@dataclass(frozen=True)
class TargetIndependentOptimization(AggressiveFolder):
    """Fold and simplify until neither changes anything."""

    name: ClassVar[str] = "stablehlo-target-independent-optimization"
    summary: ClassVar[str] = "Fold and simplify until neither finds anything"

    optimize_float: bool = field(default=True, metadata=_BOTH)

    def run(self, op: ir.Operation) -> None:
        from .folding import FOLDS
        from .simplification import SIMPLIFICATIONS

        _run(self.name, op, dict.fromkeys((*FOLDS, *SIMPLIFICATIONS)), self.options())
