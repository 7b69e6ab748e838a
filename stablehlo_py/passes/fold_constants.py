"""`stablehlo-fold-constants`: folds whole subgraphs that depend on no input, in one walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import ClassVar

import numpy as np

from ..bindings import ir
from ..errors import UsageError
from .base import Pass
from .effects import is_dead
from .matching import constant_array, is_constant
from .report import PassReport, current_report
from .rewriter import RewriteOptions, Rewriter
from .rewriting import gather_constants, inner_ops, snapshot_of
from .snapshot.parts import Op, Value, children, within
from .snapshot.program import Snapshot


@dataclass(frozen=True)
class FoldConstants(Pass):
    """Run every op that depends on constants only ahead of time, loops and branches included.

    Only those results become constants that other ops need; intermediate results are never stored.
    """

    name: ClassVar[str] = "stablehlo-fold-constants"
    summary: ClassVar[str] = "Fold whole constant subgraphs, regions included"
    anchor: ClassVar[str] = "func.func"

    max_bytes: int = field(default=16 << 20, metadata={"summary": "do not compute tensors of more bytes"})

    def run(self, op: ir.Operation) -> None:
        if self.max_bytes < 0:
            raise UsageError(f"option max-bytes of --{self.name} must not be negative, but is {self.max_bytes}")
        report = current_report(self.name)
        with snapshot_of(op, report) as snapshot:
            _Folding(self.max_bytes, report).run(snapshot)


@dataclass
class _Folding:
    """One walk over a function: the known values, and how many reads of each are left."""

    max_bytes: int
    report: PassReport
    values: dict[Value, np.ndarray] = field(default_factory=dict[Value, np.ndarray])
    reads_left: dict[Value, int] = field(default_factory=dict[Value, int])
    folded: list[Op] = field(default_factory=list[Op])

    def run(self, snapshot: Snapshot) -> None:
        function, rewriter = snapshot.root, Rewriter(snapshot, RewriteOptions(), self.report)
        pending = children(function)[::-1]
        while pending:
            op = pending.pop()
            if not op.kind.is_constant and not self._fold(op):
                pending += reversed(children(op))
        for op in self.folded:
            for result in op.results:
                if result in self.values:
                    constant = rewriter.constant(self.values.pop(result), result.type, before=op)
                    result.replace_all_uses_with(constant)
        for op in reversed(self.folded):  # users before what they use
            rewriter.erase(op)
        self.report.ops_folded += len(self.folded)
        rewriter.worklist.clear()
        for op in inner_ops(function):
            if op.kind.is_constant and is_dead(op):
                rewriter.erase(op)
                self.report.ops_erased_as_dead += 1
        gather_constants(function, rewriter)

    def _value(self, value: Value) -> np.ndarray | None:
        known = self.values.get(value)
        return constant_array(value) if known is None else known

    def _is_known(self, value: Value) -> bool:
        return value in self.values or is_constant(value)

    def _fold(self, op: Op) -> bool:
        """Compute the results of an op if possible, without changing the program."""
        from .folding.evaluation import compute, follows_from
        from .folding.limits import reason_to_keep

        if not op.name.startswith(("stablehlo.", "chlo.")) or not follows_from(op, self._is_known):
            return False
        if any(result.tensor.byte_size > self.max_bytes for result in op.results):
            self._keep(op, f"more than {self.max_bytes} bytes")
            return False
        start = perf_counter()
        results = compute(op, self._value, partial(reason_to_keep, keep_suspicious=False), self._keep)
        if results is None:
            return False
        self.report.fire(f"fold {op.name}", op)
        self.report.patterns[f"fold {op.name}"].seconds += perf_counter() - start
        self.folded.append(op)
        for result, array in zip(op.results, results, strict=True):
            reads = len(result.uses)
            if reads:
                self.values[result] = array
                self.reads_left[result] = reads
        for each in within(op):
            for value in each.operands:
                self._read(value)
        return True

    def _read(self, value: Value) -> None:
        """Forget a computed value once everything that reads it has been computed too."""
        if value in self.reads_left:
            self.reads_left[value] -= 1
            if self.reads_left[value] == 0:
                del self.reads_left[value], self.values[value]

    def _keep(self, op: Op, reason: str) -> None:
        self.report.keep(op.name, reason, op.location)
