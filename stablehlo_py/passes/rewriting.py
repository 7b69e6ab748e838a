"""Application of patterns to an op until none matches.

The bindings have a greedy driver too. It is not used: ops that Python creates and operands that Python sets are
unknown to it, so it finds follow-up matches only by walking everything again, at most ten times, and it cannot tell
which pattern took how long. This one keeps the C++ driver's habits where they show in the result: ops are visited from
the last to the first, then whatever a rewrite touched; dead ops go at once; constants end up at the start of their
block, each once.

Patterns are looked up by the name of their root op. Every rewrite puts only the ops on the worklist that it could
have given a new match, so the time is linear in the size of the module for patterns that look at a bounded
neighbourhood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypedDict, Unpack

import numpy as np

from ..bindings import ir
from ..bindings.build import create
from ..bindings.elements import dtype_of, from_numpy
from ..bindings.identity import address_of
from ..bindings.walk import blocks, captured_values, children, operations, operations_within
from ..contracts.facts import Facts, facts
from ..errors import StablehloError
from .effects import is_dead
from .matching import (
    constant_bytes,
    definer,
    full_name,
    has_several_uses,
    is_constant_op,
    is_discardable,
    shape_of,
    users,
)
from .mirror.parts import Op, TensorType
from .report import PassReport

_REWRITES_PER_OP = 200  # far more than any program needs; beyond it two patterns undo each other


@dataclass(frozen=True)
class RewriteOptions:
    """The passes' options that patterns read; the passes document them."""

    fold_op_element_limit: int = 65536
    optimize_float: bool = True
    assume_no_undeclared_side_effects: bool = False


RewriteFunction = Callable[[ir.Operation, "Rewriter"], bool]


@dataclass(frozen=True)
class Pattern:
    """A rewrite of the ops called `roots`, or of every op of which `where` is true if `roots` is empty.

    `rewrite` returns whether it changed anything; when it returns False or raises it must have changed nothing. Of
    several patterns of one op those with more `benefit` are tried first, then those with `roots`.

    `of` and `among` say what `rewrite` asks first, so that a driver that knows the answer need not call it: the names
    of the ops that compute an operand, with spaces between, or `constant` for any constant, by the operand's number,
    where there is one; and something about a type, which holds for none in most programs. `folds` says that folding
    shares the pattern with simplification: it needs no running either.
    """

    name: str
    roots: tuple[str, ...]
    rewrite: RewriteFunction
    benefit: int = 1
    where: Callable[[Facts], bool] = lambda known: known.dialect == "stablehlo"
    of: Mapping[int, str] = field(default_factory=dict[int, str], compare=False)
    among: Callable[[TensorType], bool] | None = None
    folds: bool = False

    def is_for(self, name: str) -> bool:
        """Return whether ops of this name can be a root of the pattern."""
        return name in self.roots if self.roots else self.where(facts(name))


class PatternFields(TypedDict, total=False):
    """The fields of a pattern that have a default."""

    benefit: int
    where: Callable[[Facts], bool]
    of: Mapping[int, str]
    among: Callable[[TensorType], bool]
    folds: bool


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


@dataclass
class Rewriter:
    """The interface through which a pattern changes the program, so that the driver knows of each change."""

    options: RewriteOptions
    report: PassReport
    worklist: dict[Any, ir.Operation] = field(default_factory=dict[Any, ir.Operation])
    changed: bool = False
    _kept: set[int] = field(default_factory=set[int])

    key = staticmethod(address_of)
    """The key of an op on the worklist."""

    def keep(self, op: ir.Operation, reason: str) -> None:
        """Note in the report, once for each op, why an op that looks foldable stays."""
        if self.key(op) not in self._kept:
            self._kept.add(self.key(op))
            self.report.keep(op.name, reason)

    def push(self, op: ir.Operation) -> None:
        """Put an op on the worklist, unless it waits there already."""
        self.worklist.setdefault(self.key(op), op)

    def push_all(self, ops: Sequence[ir.Operation]) -> None:
        """Put ops on the worklist, which is empty."""
        self.worklist.update((self.key(op), op) for op in ops)

    def push_users(self, value: ir.Value) -> None:
        for user in users(value):
            self.push(user)

    def _push_definer(self, value: ir.Value) -> None:
        """A value with no user left is dead, one with a single user may match patterns that want just that."""
        operation = definer(value)
        if operation is not None and not has_several_uses(value):
            self.push(operation)

    def create(
        self,
        name: str,
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
        *,
        before: ir.Operation,
        result: ir.Type | Sequence[ir.Type] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        """Create an op (`add` stands for `stablehlo.add`) in front of `before`, with its location.

        Without `result` the types are inferred.
        """
        op = create(
            full_name(name),
            operands,
            result,
            attributes,
            regions=regions,
            at=ir.InsertionPoint(before),
            location=before.location,
        )
        self.push(op)
        return op

    def constant(self, value: np.ndarray | int | float | bool, type_: ir.Type, *, before: ir.Operation) -> ir.Value:
        """A constant of this tensor type: the array, or one number for all elements."""
        array = compact(value) if isinstance(value, np.ndarray) else filled(value, type_)
        attribute = from_numpy(array, type_)
        op = self.create("constant", [], {"value": attribute}, before=before, result=type_)
        self.report.constant_bytes_created += constant_bytes(op)
        return op.results[0]

    def set_operand(self, op: ir.Operation, index: int, value: ir.Value) -> None:
        """Exchange one operand."""
        old = op.operands[index]
        op.operands[index] = value
        self.push(op)
        self._push_definer(old)

    def replace(self, op: ir.Operation, values: Sequence[ir.Value], *, keep_attributes: bool = False) -> bool:
        """Let the users of the op's results use `values`, and erase the op; return True, as patterns do that match.

        With `keep_attributes` the discardable attributes (such as `mhlo.sharding`) are copied to the op that defines
        the only new value.
        """
        if keep_attributes and len(values) == 1:
            merge_discardable_attributes(op, values[0])
        self.replace_uses(op, values)
        return self.erase(op)

    def forward(self, op: ir.Operation, value: ir.Value) -> bool:
        """Replace an op of one result by an existing value of the same type; return whether the types are the same."""
        return value.type == op.results[0].type and self.replace(op, [value], keep_attributes=True)

    def replace_uses(self, op: ir.Operation, values: Sequence[ir.Value]) -> bool:
        """Let the users of the op's results use `values`; the op is erased later if it is dead. Returns True."""
        for result, value in zip(op.results, values, strict=True):
            self.use_instead(result, value)
        self.changed = True
        self.push(op)
        return True

    def use_instead(self, value: ir.Value, other: ir.Value) -> None:
        """Let the users of `value` use another."""
        self.push_users(value)
        value.replace_all_uses_with(other)

    def replace_with(
        self,
        op: ir.Operation,
        name: str,
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Operation:
        """Replace an op of one result by a new op of the same type, which takes over its discardable attributes."""
        new = self.create(name, operands, attributes, before=op, result=op.results[0].type)
        self.replace(op, [new.results[0]], keep_attributes=True)
        return new

    def rewrite_as(
        self,
        op: ir.Operation,
        name: str,
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> bool:
        """Do what `replace_with` does; return True, as patterns do that match."""
        self.replace_with(op, name, operands, attributes)
        return True

    def erase(self, op: ir.Operation) -> bool:
        """Remove an op that has no users; return True, as patterns do that match."""
        self.forget(op)
        self._kept.discard(self.key(op))
        operands = [*op.operands, *(captured_values(op) if len(op.regions) else ())]
        op.erase()
        self.changed = True
        for operand in operands:
            self._push_definer(operand)
        return True

    def forget(self, op: ir.Operation) -> None:
        """Take an op and everything in its regions off the worklist."""
        for inner in operations(op) if len(op.regions) else (op,):
            self.worklist.pop(self.key(inner), None)

    def is_dead(self, op: ir.Operation) -> bool:
        """Whether the op can be removed."""
        return is_dead(op)

    def put_first(self, block: ir.Block, ops: Sequence[ir.Operation], number: int) -> None:
        """Move all ops but the first `number`, with which the block begins, behind these."""
        for index in range(number, len(ops)):
            if index:
                ops[index].move_after(ops[index - 1])
            else:
                ops[index].move_before(block.operations[0])

    def settle(self) -> None:
        """Make the changes to the program that have not been made yet."""


def filled(value: int | float | bool, type_: ir.Type) -> np.ndarray:
    """The value of a tensor type that holds one number everywhere."""
    dtype = dtype_of(ir.ShapedType(type_).element_type)
    return np.broadcast_to(np.array(value).astype(dtype), shape_of(type_))


def compact(array: np.ndarray) -> np.ndarray:
    """The array, broadcast from one element if all its elements have the same bits: constants store that once."""
    if array.size < 2 or not any(array.strides):
        return array
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(array.size, -1)
    uniform = np.array_equal(flat[0], flat[-1]) and bool(np.all(flat == flat[0]))
    return np.broadcast_to(array[(0,) * array.ndim], array.shape) if uniform else array


_IDENTITY = "xla_metadata_payload"


def merge_discardable_attributes(source: ir.Operation, value: ir.Value) -> None:
    """Add the source's discardable attributes to the op that defines `value`, if one does.

    They replace attributes of the same name, except for `mhlo.frontend_attributes`, whose entries are merged, and the
    entry there by which XLA tells ops apart, which stays.
    """
    if isinstance(source, Op) and not source.is_annotated:
        return
    discardable = [(name, attribute) for name, attribute in source.attributes.items() if is_discardable(name)]
    operation = definer(value)
    if operation is None or not discardable:
        return
    target = operation.attributes
    for name, attribute in discardable:
        if name == "mhlo.frontend_attributes" and name in target:
            own = {entry.name: entry.attr for entry in ir.DictAttr(target[name])}
            merged = own | {entry.name: entry.attr for entry in ir.DictAttr(attribute)}
            if _IDENTITY in own:
                merged[_IDENTITY] = own[_IDENTITY]
            attribute = ir.DictAttr.get(merged)
        target[name] = attribute


class PatternIndex:
    """Patterns by the name of the op they rewrite."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._ordered = sorted(patterns, key=lambda item: (-item.benefit, not item.roots))
        self._by_root: dict[str, tuple[Pattern, ...]] = {}

    def of(self, name: str) -> tuple[Pattern, ...]:
        """The patterns to try on an op of this name, in order."""
        known = self._by_root.get(name)
        if known is None:
            known = self._by_root[name] = tuple(item for item in self._ordered if item.is_for(name))
        return known

    def for_op(self, op: ir.Operation) -> Sequence[Pattern]:
        """The patterns to try on an op, in order."""
        return self.of(op.name)


def apply_patterns(
    root: ir.Operation, patterns: Iterable[Pattern], options: RewriteOptions, report: PassReport
) -> bool:
    """Apply the patterns inside `root` until none matches; return whether anything changed.

    Raises:
        StablehloError: The patterns undo each other endlessly, which is a defect of theirs.
    """
    start = perf_counter()
    with root.context, ir.Location.unknown():
        anything_changed = run_rounds(root, PatternIndex(patterns), Rewriter(options, report))
    report.seconds += perf_counter() - start
    return anything_changed


def run_rounds(root: ir.Operation, index: PatternIndex, rewriter: Rewriter) -> bool:
    """Do what `apply_patterns` does, by means of a rewriter."""
    report, anything_changed = rewriter.report, False
    operations = operations_within(root, inner_first=True)
    report.ops_before += len(operations)
    report.constant_bytes_before += sum(map(constant_bytes, operations))
    budget = _REWRITES_PER_OP * (len(operations) + 50)
    while True:
        rewriter.changed = False
        rewriter.push_all(operations)
        del operations
        budget = _run_worklist(rewriter, index, budget)
        anything_changed |= rewriter.changed
        rewriter.settle()
        gather_constants(root, rewriter)
        rewriter.settle()
        operations = operations_within(root, inner_first=True)
        if not rewriter.changed:
            break
    report.ops_after += len(operations)
    report.constant_bytes_after += sum(map(constant_bytes, operations))
    return anything_changed


def _run_worklist(rewriter: Rewriter, index: PatternIndex, budget: int) -> int:
    worklist, report = rewriter.worklist, rewriter.report
    while worklist:
        _, op = worklist.popitem()
        if rewriter.is_dead(op):
            rewriter.erase(op)
            report.ops_erased_as_dead += 1
            continue
        candidates = index.for_op(op)
        start = perf_counter() if candidates else 0.0
        for candidate in candidates:
            fired = candidate.rewrite(op, rewriter)
            end = perf_counter()
            record = report.patterns[candidate.name]
            record.seconds += end - start
            start = end
            if fired:
                record.fired += 1
                rewriter.changed = True
                budget -= 1
                if budget == 0:
                    rewriter.settle()
                    raise StablehloError(f"the patterns do not come to an end; the last was {candidate.name}")
                break
    return budget


def gather_constants(root: ir.Operation, rewriter: Rewriter) -> None:
    """Move constants to the start of their block, in their order, and keep one of each value.

    Those in branches and loops move to the block around these.
    """
    pending = blocks(root)
    while pending:
        pending += _gather(pending.pop(), rewriter)


def _gather(home: ir.Block, rewriter: Rewriter) -> list[ir.Block]:
    """Gather the constants of one block, and of the branches and loops in it; list the blocks that keep their own."""
    closed: list[ir.Block] = []
    known: dict[object, ir.Operation] = {}
    number = -1  # of constants that are in place: before the first op of another kind
    pending = [op.operation for op in home.operations][::-1]
    while pending:
        op = pending.pop()
        if is_constant_op(op):
            same = known.setdefault((op.name, op.results[0].type, tuple(op.attributes.items())), op)
            if same is not op:
                op.results[0].replace_all_uses_with(same.results[0])
                op.erase()
                rewriter.changed = True
            continue
        number = len(known) if number < 0 else number
        # Branches and loops read values from outside anyway; the bodies of other ops are kept self-contained.
        if facts(op.name).is_control_flow:
            pending += reversed(children(op))
        elif len(op.regions):
            closed += blocks(op)
    if 0 <= number < len(known):
        rewriter.put_first(home, list(known.values()), number)
    return closed
