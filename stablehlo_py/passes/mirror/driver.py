"""The pattern driver of `rewriting` on a mirror of the program, which asks fewer questions.

It changes the program once a round. Where a pattern needs what a mirror does not have, it gives up, and the driver on
the program itself goes on from there.
"""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, cast

from ...bindings import ir
from ...contracts.facts import facts
from ..effects import is_dead
from ..matching import full_name
from ..report import PassReport, PatternRecord
from ..rewriting import Pattern, PatternIndex, RewriteOptions, Rewriter, run_rounds
from .parts import BeyondMirrorError, Op
from .program import Mirror


class MirrorRewriter(Rewriter):
    """The interface through which a pattern changes a mirror."""

    def __init__(self, options: RewriteOptions, report: PassReport, mirror: Mirror) -> None:
        super().__init__(options, report)
        self.mirror = mirror

    @staticmethod
    def key(op: Any) -> Any:
        return op

    # These are called for most ops: they put ops on the worklist without asking what is known of a mirror.

    def push(self, op: Any) -> None:
        self.worklist.setdefault(op, op)

    def push_all(self, ops: Sequence[Any]) -> None:
        self.worklist.update(zip(ops, ops, strict=True))

    def erase(self, op: Any) -> bool:
        if op.regions:
            return super().erase(op)
        waiting: dict[Any, Any] = self.worklist
        waiting.pop(op, None)
        op.erase()
        self.changed = True
        for operand in op.operands:
            if type(operand.owner) is Op and len(operand.uses) <= 1:
                waiting.setdefault(operand.owner, operand.owner)
        return True

    def create(
        self,
        name: str,
        operands: Sequence[Any],
        attributes: dict[str, ir.Attribute] | None = None,
        *,
        before: Any,
        result: ir.Type | Sequence[ir.Type] | None = None,
        regions: int = 0,
    ) -> Any:
        if regions:
            raise BeyondMirrorError(name)
        types = [result] if isinstance(result, ir.Type) else None if result is None else list(result)
        op = self.mirror.create(full_name(name), list(operands), types, attributes or {}, before)
        self.push(op)
        return op

    def set_operand(self, op: Any, index: int, value: Any) -> None:
        old = op.operands[index]
        op.set_operand(index, value)
        self.push(op)
        self._push_definer(old)

    def use_instead(self, value: Any, other: Any) -> None:
        waiting = self.worklist
        for user in value.replace_all_uses_with(other):
            waiting.setdefault(user, user)

    def is_dead(self, op: Any) -> bool:
        for result in op.results:
            if result.uses:
                return False
        return is_dead(op) if op.regions or not op.results else not self.is_effectful(op)

    def is_effectful(self, op: Any) -> bool:
        """Whether the op has effects, which its name tells of most ops."""
        if op.regions or op.name == "stablehlo.custom_call":
            return super().is_effectful(op)
        if op.kind.is_effectful is None:
            op.kind.is_effectful = super().is_effectful(op)
        return op.kind.is_effectful

    def put_first(self, block: Any, ops: Sequence[Any], number: int) -> None:
        super().put_first(block.ir, [op.ir for op in ops], number)
        moved = set(ops)
        for source in {op.block for op in ops} | {block}:
            source.listed = [op for op in source.listed if op not in moved]
        block.listed = [*ops, *block.listed]
        for op in ops:
            op.block = block

    def settle(self) -> None:
        self.mirror.commit()


class _Trials(PatternIndex):
    """The patterns to try on an op, by its name and the names of the ops that compute its first two operands."""

    def __init__(self, patterns: Iterable[Pattern], mirror: Mirror, report: PassReport) -> None:
        super().__init__(patterns)
        self._mirror = mirror
        self._report = report
        self._known: dict[tuple[str, str | None, str | None], list[Pattern]] = {}
        self._types = 0  # how many there were

    def for_op(self, op: Any) -> list[Pattern]:
        if self._types != len(self._mirror.types):
            self._types = len(self._mirror.types)
            self._known.clear()
        operands = op.operands
        if len(operands) > 1:
            key = (op.name, operands[0].owner.name, operands[1].owner.name)
        else:
            key = (op.name, operands[0].owner.name if operands else None, None)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = [pattern for pattern in self.of(op.name) if self._may_match(pattern, key[1:])]
            for pattern in known:  # the report names those that never fire too
                self._report.patterns.setdefault(pattern.name, PatternRecord())
        return known

    def _may_match(self, pattern: Pattern, owners: tuple[str | None, ...]) -> bool:
        if pattern.among is not None and not any(map(pattern.among, self._mirror.types.values())):
            return False
        return all(
            owner is None
            or (facts(owner).is_constant if names == "constant" else owner in map(full_name, names.split()))
            for owner, names in ((owners[number], names) for number, names in pattern.of.items())
        )


@contextmanager
def _without_collections() -> Generator[None]:
    """Keep the garbage collector from going through a growing mirror again and again: half of the time else."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def apply_mirrored(
    root: ir.Operation, patterns: Iterable[Pattern], options: RewriteOptions, report: PassReport
) -> bool:
    """Do what `rewriting.apply_patterns` does; return whether it is all done."""
    start, own = perf_counter(), PassReport(report.pass_name)
    with root.context, ir.Location.unknown(), _without_collections():
        mirror = Mirror()
        try:
            mirror.read(root)
            rewriter = MirrorRewriter(options, own, mirror)
            run_rounds(cast(ir.Operation, mirror.root), _Trials(patterns, mirror, own), rewriter)
        except BeyondMirrorError:
            return False
        finally:
            mirror.close()
    own.seconds = perf_counter() - start
    report.add(own)
    return True
