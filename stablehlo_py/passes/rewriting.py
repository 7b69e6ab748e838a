"""Application of patterns to an op until none matches.

The bindings have a greedy driver too. It is not used: it does not see ops that Python creates and operands that Python
sets. So it finds follow-up matches only by walking everything again, at most ten times, and it cannot tell the time of
each pattern. This one keeps the C++ driver's habits that show in the result: it visits ops from the last to the first,
then the ops that a rewrite touched; dead ops go at once; constants move to the start of their block, each once.

Patterns work on a snapshot of the program, which changes once, when they are done. They are looked up by the name of
their root op. A rewrite puts only ops on the worklist that it could have given a new match, so the time is linear in
the size of the module for patterns with a bounded neighbourhood.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypedDict, Unpack

from ..bindings import ir
from ..bindings.types import ElementType
from ..dialect.facts import OpFacts, facts
from ..errors import StablehloError
from .matching import constant_bytes, full_name, holds_for_elements
from .report import PassReport, PatternRecord
from .rewriter import RewriteOptions, Rewriter
from .snapshot.facts import TypeFacts
from .snapshot.parts import Block, Op, blocks, children, within
from .snapshot.program import Snapshot

_REWRITES_PER_OP = 200  # far more than any program needs; beyond it two patterns undo each other


RewriteFunction = Callable[[Op, Rewriter], bool]


@dataclass(frozen=True)
class Pattern:
    """A rewrite of the ops called `roots`, or, without `roots`, of every op that satisfies `where`.

    `rewrite` returns whether it changed anything; when it returns False or raises it must have changed nothing. Of
    several patterns of one op those with more `benefit` are tried first, then those with `roots`.

    The driver calls `rewrite` only where `of` and `among` hold. `of` names the ops that may compute an operand, by its
    number, 0 or 1, with spaces between, or `constant` for any constant; an argument of a block is none of them. `among`
    holds for one of the program's types. `folds` says that folding shares the pattern: it needs no running either.

    The driver tries a pattern only where it keeps the program's meaning. `needs` holds for each element type of the
    op's operands and results, none of which is quantized then. An op with effects, its own or those of its regions,
    is left to patterns that keep effects: as many, in their order, as often as they happened before.
    """

    name: str
    roots: tuple[str, ...]
    rewrite: RewriteFunction
    benefit: int = 1
    where: Callable[[OpFacts], bool] = lambda known: known.dialect == "stablehlo"
    of: Mapping[int, str] = field(default_factory=dict[int, str], compare=False)
    among: Callable[[TypeFacts], bool] | None = None
    folds: bool = False
    needs: Callable[[ElementType], bool] | None = None
    keeps_effects: bool = False

    def is_for(self, name: str) -> bool:
        """Return whether ops of this name can be a root of the pattern."""
        return name in self.roots if self.roots else self.where(facts(name))


class PatternFields(TypedDict, total=False):
    """The fields of a pattern that have a default."""

    benefit: int
    where: Callable[[OpFacts], bool]
    of: Mapping[int, str]
    among: Callable[[TypeFacts], bool]
    folds: bool
    needs: Callable[[ElementType], bool]
    keeps_effects: bool


def plain(_: ElementType) -> bool:
    """Need nothing but elements that are not quantized: the types of those can depend on their position."""
    return True


def pattern(
    patterns: list[Pattern], *roots: str, **fields: Unpack[PatternFields]
) -> Callable[[RewriteFunction], RewriteFunction]:
    """Add the decorated function to a list of patterns, under its own name.

    Args:
        patterns: The list to add to.
        roots: The ops to rewrite: `add` stands for `stablehlo.add`, a name with a dot for itself.
        fields: The other fields of the pattern, where they are not as by default.
    """

    def add(function: RewriteFunction) -> RewriteFunction:
        patterns.append(Pattern(function.__name__, tuple(map(full_name, roots)), function, **fields))
        return function

    return add


class PatternIndex:
    """Patterns by the name of the op they rewrite, and by the ops that compute its first two operands."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._ordered = sorted(patterns, key=lambda item: (-item.benefit, not item.roots))
        self._by_root: dict[str, tuple[Pattern, ...]] = {}
        self._known: dict[tuple[str, str | None, str | None], list[Pattern]] = {}
        self._types = 0  # how many there were

    def of(self, name: str) -> tuple[Pattern, ...]:
        """Return the patterns for ops of this name, in the order of their trial."""
        known = self._by_root.get(name)
        if known is None:
            known = self._by_root[name] = tuple(item for item in self._ordered if item.is_for(name))
        return known

    def for_op(self, op: Op, report: PassReport) -> list[Pattern]:
        """Return the patterns to try on an op, in order; the report names those that never fire too."""
        types = op.snapshot.types
        if self._types != len(types):
            self._types = len(types)
            self._known.clear()
        operands = op.operands
        if len(operands) > 1:
            key = (op.name, operands[0].owner.name, operands[1].owner.name)
        else:
            key = (op.name, operands[0].owner.name if operands else None, None)
        known = self._known.get(key)
        if known is None:
            known = [item for item in self.of(op.name) if _may_match(item, key[1:], types.values())]
            self._known[key] = known
            for each in known:
                report.patterns.setdefault(each.name, PatternRecord())
        return known


def _may_match(item: Pattern, owners: tuple[str | None, ...], types: Iterable[TypeFacts]) -> bool:
    if item.among is not None and not any(map(item.among, types)):
        return False
    return all(
        owner is None or (facts(owner).is_constant if names == "constant" else owner in map(full_name, names.split()))
        for owner, names in ((owners[number], names) for number, names in item.of.items())
    )


@contextmanager
def snapshot_of(root: ir.Operation, report: PassReport) -> Generator[Snapshot]:
    """Give a snapshot of an op; the program becomes as it is unless an exception is raised. Report sizes and time."""
    start = perf_counter()
    with root.context, ir.Location.unknown():
        snapshot = Snapshot(root)
        try:
            before = inner_ops(snapshot.root)
            report.ops_before += len(before)
            report.constant_bytes_before += sum(map(constant_bytes, before))
            yield snapshot
            after = inner_ops(snapshot.root)
            report.ops_after += len(after)
            report.constant_bytes_after += sum(map(constant_bytes, after))
            snapshot.commit()
        finally:
            snapshot.close()
    report.seconds += perf_counter() - start


def apply_patterns(
    root: ir.Operation, patterns: Iterable[Pattern], options: RewriteOptions, report: PassReport, *, tidies: bool = True
) -> bool:
    """Apply the patterns inside `root` until none matches; return whether anything changed.

    `tidies` erases dead ops and gathers constants on the way.

    Raises:
        StablehloError: The patterns undo each other endlessly, which is a defect of theirs; nothing has changed.
    """
    with snapshot_of(root, report) as snapshot:
        index, rewriter = PatternIndex(patterns), Rewriter(snapshot, options, report)
        anything_changed, ops = False, inner_ops(snapshot.root)
        budget = _REWRITES_PER_OP * (len(ops) + 50)
        while True:
            rewriter.changed = False
            rewriter.worklist.update(dict.fromkeys(ops))
            budget = _run_worklist(rewriter, index, budget, tidies)
            anything_changed |= rewriter.changed
            if tidies:
                gather_constants(snapshot.root, rewriter)
            if not rewriter.changed:
                return anything_changed
            ops = inner_ops(snapshot.root)


def inner_ops(root: Op) -> list[Op]:
    """List all ops within `root`, each after those in its regions."""
    return within(root, inner_first=True)[:-1]


def _run_worklist(rewriter: Rewriter, index: PatternIndex, budget: int, tidies: bool) -> int:
    worklist, report = rewriter.worklist, rewriter.report
    while worklist:
        op, _ = worklist.popitem()
        if tidies and rewriter.is_dead(op):
            rewriter.erase(op)
            report.ops_erased_as_dead += 1
            continue
        candidates = index.for_op(op, report)
        if candidates and rewriter.is_effectful(op):
            candidates = [candidate for candidate in candidates if candidate.keeps_effects]
        start = perf_counter() if candidates else 0.0
        for candidate in candidates:
            suits = candidate.needs is None or holds_for_elements(candidate.needs, op.tensors)
            fired = suits and candidate.rewrite(op, rewriter)
            end = perf_counter()
            report.patterns[candidate.name].seconds += end - start
            start = end
            if fired:
                report.fire(candidate.name, op)
                rewriter.changed = True
                budget -= 1
                if budget == 0:
                    raise StablehloError(f"the patterns do not come to an end; the last was {candidate.name}")
                break
    return budget


def gather_constants(root: Op, rewriter: Rewriter) -> None:
    """Move constants to the start of their block, in their order, and keep one of each value.

    Those in branches and loops move to the block around these.
    """
    pending = blocks(root)
    while pending:
        pending += _gather(pending.pop(), rewriter)


def _gather(home: Block, rewriter: Rewriter) -> list[Block]:
    """Gather the constants of one block, and of the branches and loops in it; list the blocks that keep their own."""
    closed: list[Block] = []
    known: dict[object, Op] = {}
    number = -1  # of constants that are in place: before the first op of another kind
    pending = home.operations[::-1]
    while pending:
        op = pending.pop()
        if op.kind.is_constant:
            same = known.setdefault((op.name, op.results[0].type, tuple(op.attributes.items())), op)
            if same is not op:
                op.results[0].replace_all_uses_with(same.results[0])
                op.erase()
                rewriter.changed = True
            continue
        number = len(known) if number < 0 else number
        # Branches and loops read values from outside anyway; the bodies of other ops are kept self-contained.
        if op.kind.is_control_flow:
            pending += reversed(children(op))
        elif op.regions:
            closed += blocks(op)
    if 0 <= number < len(known):
        following = home.operations[number]  # the constants before it begin the block already
        for op in list(known.values())[number:]:
            op.move_before(following)
    return closed
