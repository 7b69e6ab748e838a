"""The pattern driver on a mirror of the program: what `rewriting` does, in the same order, with fewer questions.

It changes the program once a round. Where a pattern needs what a mirror does not have, it gives up, and the driver on
the program itself goes on from there.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, cast

from ...bindings import ir
from ...bindings.walk import captured_values
from ...contracts.facts import facts
from ..effects import is_dead
from ..matching import constant_bytes, full_name
from ..report import PassReport
from ..rewriting import (
    Pattern,
    PatternIndex,
    RewriteOptions,
    Rewriter,
    budget_for,
    merge_discardable_attributes,
    without_end,
)
from .parts import BeyondMirrorError, Block, Op, Value, within
from .program import Mirror


class MirrorRewriter(Rewriter):
    """The interface through which a pattern changes a mirror."""

    def __init__(self, options: RewriteOptions, report: PassReport, mirror: Mirror) -> None:
        super().__init__(options, report)
        self.mirror = mirror
        self.waiting: dict[Op, None] = {}

    def push(self, op: Any) -> None:
        self.waiting.setdefault(op)

    def push_users(self, value: Any) -> None:
        for user, _ in reversed(value.uses):
            self.waiting.setdefault(user)

    def _push_definer(self, value: Any) -> None:
        if type(value.owner) is Op and len(value.uses) <= 1:
            self.waiting.setdefault(value.owner)

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
        self.waiting[op] = None
        return op

    def set_operand(self, op: Any, index: int, value: Any) -> None:
        old = op.operands[index]
        op.set_operand(index, value)
        self.push(op)
        self._push_definer(old)

    def replace(self, op: Any, values: Sequence[Any], *, keep_attributes: bool = False) -> None:
        if keep_attributes and len(values) == 1 and op.is_annotated:
            merge_discardable_attributes(op, values[0])
        self.replace_uses(op, values)
        self.erase(op)

    def replace_uses(self, op: Any, values: Sequence[Any]) -> None:
        for result, value in zip(op.results, values, strict=True):
            if result.uses:
                for user in result.replace_all_uses_with(value):
                    self.waiting.setdefault(user)
        self.changed = True
        self.waiting.setdefault(op)

    def forward(self, op: Any, value: Any) -> bool:
        if value.tensor is not op.results[0].tensor:
            return False
        self.replace(op, [value], keep_attributes=True)
        return True

    def erase(self, op: Any) -> None:
        if op.regions:
            operands: Sequence[Any] = [*op.operands, *captured_values(op)]
            for inner in within(op):
                self.waiting.pop(inner, None)
        else:
            operands = op.operands
            self.waiting.pop(op, None)
        op.drop()
        self.changed = True
        for operand in operands:
            if type(operand.owner) is Op and len(operand.uses) <= 1:
                self.waiting.setdefault(operand.owner)


class _Trial:
    """A pattern to be tried on ops of one name, and where it is noted."""

    def __init__(self, pattern: Pattern, report: PassReport) -> None:
        self.name = pattern.name
        self.rewrite: Any = pattern.rewrite
        self.record = report.patterns[pattern.name]


class _Trials:
    """The patterns to try on an op, by its name and the names of the ops that compute its first two operands."""

    def __init__(self, index: PatternIndex, mirror: Mirror, report: PassReport) -> None:
        self._index = index
        self._mirror = mirror
        self._report = report
        self._known: dict[tuple[str, str | None, str | None], list[_Trial]] = {}
        self._types = 0  # how many there were

    def of(self, op: Op) -> list[_Trial]:
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
            patterns = [pattern for pattern in self._index.of(op.name) if self._may_match(pattern, key[1:])]
            known = self._known[key] = [_Trial(pattern, self._report) for pattern in patterns]
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
def _without_collections() -> Iterator[None]:
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
            _run_rounds(mirror, PatternIndex(patterns), options, own)
        except BeyondMirrorError:
            return False
        finally:
            mirror.close()
    own.seconds = perf_counter() - start
    report.add(own)
    return True


def _run_rounds(mirror: Mirror, index: PatternIndex, options: RewriteOptions, report: PassReport) -> None:
    rewriter = MirrorRewriter(options, report, mirror)
    ops = within(mirror.root, inner_first=True)[:-1]
    report.ops_before = len(ops)
    report.constant_bytes_before = _bytes(ops)
    budget = budget_for(len(ops))
    trials = _Trials(index, mirror, report)
    while True:
        rewriter.changed = False
        rewriter.waiting.update(dict.fromkeys(ops))
        budget = _run_worklist(rewriter, trials, budget)
        mirror.commit()
        for region in mirror.root.regions:
            for block in region.blocks:
                _gather(block, rewriter)
        mirror.commit()
        ops = within(mirror.root, inner_first=True)[:-1]
        if not rewriter.changed:
            break
    report.ops_after = len(ops)
    report.constant_bytes_after = _bytes(ops)


def _bytes(ops: list[Op]) -> int:
    return sum(constant_bytes(cast(ir.Operation, op)) for op in ops if op.kind.is_constant)


def _goes_unused(op: Op) -> bool:
    """Whether an op that nobody uses is dead, which its name tells of most ops."""
    if op.regions or not op.results or op.name == "stablehlo.custom_call":
        return is_dead(cast(ir.Operation, op))
    if op.kind.is_pure is None:
        op.kind.is_pure = is_dead(cast(ir.Operation, op))
    return op.kind.is_pure


def _run_worklist(rewriter: MirrorRewriter, trials: _Trials, budget: int) -> int:
    waiting, report = rewriter.waiting, rewriter.report
    while waiting:
        op, _ = waiting.popitem()
        for result in op.results:
            if result.uses:
                break
        else:
            if _goes_unused(op):
                rewriter.erase(op)
                report.ops_erased_as_dead += 1
                continue
        tried = trials.of(op)
        start = perf_counter() if tried else 0.0
        for trial in tried:
            fired = trial.rewrite(op, rewriter)
            end = perf_counter()
            trial.record.seconds += end - start
            start = end
            if fired:
                trial.record.fired += 1
                rewriter.changed = True
                budget -= 1
                if budget == 0:
                    rewriter.mirror.commit()
                    raise without_end(trial.name)
                break
    return budget


def _gather(home: Block, rewriter: MirrorRewriter) -> None:
    """Do what `rewriting.gather_constants` does, to a block and those within it. Nothing is left to commit before."""
    pending = [home]
    while pending:
        pending += _Gathering(pending.pop(), rewriter).gather()


class _Gathering:
    """The constants of one block, and of the branches and loops in it."""

    def __init__(self, home: Block, rewriter: MirrorRewriter) -> None:
        self.home = home
        self.rewriter = rewriter
        self.known: dict[object, Value] = {}
        self.constants: list[Op] = []

    def gather(self) -> list[Block]:
        """Move the constants; returns the blocks that keep their own."""
        closed: list[Block] = []
        opened: list[Block] = []
        in_place = True  # until an op of another kind is passed
        pending = self.home.listed[::-1]
        while pending:
            op = pending.pop()
            if op.kind.is_constant:
                self._take(op, in_place)
                continue
            in_place = False
            inner = [block for region in op.regions for block in region.blocks]
            if op.kind.is_control_flow:
                opened += inner
                pending += [one for block in reversed(inner) for one in reversed(block.listed)]
            else:
                closed += inner
        if not in_place:
            for block in (self.home, *opened):
                block.listed = [op for op in block.listed if op.erased or not op.kind.is_constant]
            self.home.listed = self.constants + self.home.listed
        return closed

    def _take(self, op: Op, in_place: bool) -> None:
        key = (op.name, op.results[0].tensor, tuple(op.attributes.items()))
        same = self.known.setdefault(key, op.results[0])
        if same is not op.results[0]:
            op.results[0].replace_all_uses_with(same)
            op.drop()
            self.rewriter.changed = True
            return
        if not in_place:
            real = cast(ir.Operation, op.ir)
            if self.constants:
                real.move_after(cast(ir.Operation, self.constants[-1].ir))
            else:
                real.move_before(cast(ir.Operation, self.home.listed[0].ir))
        op.block = self.home
        self.constants.append(op)
