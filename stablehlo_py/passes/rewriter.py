"""The changes that patterns make to a program, in the driver's sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bindings import ir
from ..bindings.elements import dtype_of, from_numpy
from .effects import check_effects_kept, has_effects, is_dead, is_effect_free
from .matching import AttributeValues, attribute_of, constant_bytes, full_name, is_discardable, shape_of
from .report import PassReport
from .snapshot.parts import Block, Op, Region, Value, captured_values, within
from .snapshot.program import Snapshot


@dataclass(frozen=True)
class RewriteOptions:
    """The passes' options that patterns read; the passes document them."""

    fold_op_element_limit: int = 65536
    optimize_float: bool = True
    assume_no_undeclared_side_effects: bool = False


class Rewriter:
    """The interface through which a pattern changes the program, so that the driver knows of each change."""

    def __init__(self, snapshot: Snapshot, options: RewriteOptions, report: PassReport) -> None:
        self.snapshot = snapshot
        self.options = options
        self.report = report
        self.worklist: dict[Op, None] = {}
        self.changed = False
        self._effectful: dict[Op, bool] = {}
        self._kept: set[Op] = set()

    def keep(self, op: Op, reason: str) -> None:
        """Note in the report, once for each op, why an op that looks foldable stays."""
        if op not in self._kept:
            self._kept.add(op)
            self.report.keep(op.name, reason, op.location)

    def push(self, op: Op) -> None:
        """Put an op on the worklist, unless it waits there already."""
        self.worklist.setdefault(op)

    def _push_definer(self, value: Value) -> None:
        """A value with no user left is dead, one with a single user may match patterns that want just that."""
        operation = value.op
        if operation is not None and not len(value.uses) > 1:
            self.worklist.setdefault(operation)

    def create(
        self,
        name: str,
        operands: Sequence[Value],
        attributes: AttributeValues | None = None,
        *,
        before: Op,
        result: ir.Type | Sequence[ir.Type] | None = None,
        regions: int = 0,
    ) -> Op:
        """Create an op (`add` stands for `stablehlo.add`) in front of `before`, with its location.

        A number stands for an `i64` and a list for an `array<i64: …>`. Without `result` the types are inferred.
        """
        types = [result] if isinstance(result, ir.Type) else result
        known = {} if attributes is None else {name: attribute_of(value) for name, value in attributes.items()}
        op = self.snapshot.create(full_name(name), operands, types, known, before, regions)
        self.worklist.setdefault(op)
        return op

    def copy_into(self, block: Block, op: Op, operands: Sequence[Value]) -> Op:
        """Create an op like one without regions, on other operands, at the end of a block of a new op."""
        copy = self.snapshot.create(op.name, operands, [result.type for result in op.results], op.attributes, op)
        copy.move_to_end(block)
        self.worklist.setdefault(copy)
        return copy

    def add_block(self, region: Region, models: Sequence[Value]) -> Block:
        """Add a block to a region of a new op, with arguments of the types and locations of others."""
        return self.snapshot.add_block(region, models)

    def constant(self, value: np.ndarray | int | float | bool, type_: ir.Type, *, before: Op) -> Value:
        """Return a constant of this tensor type: the array, or one number for all elements."""
        array = compact(value) if isinstance(value, np.ndarray) else filled(value, type_)
        attribute = from_numpy(array, type_)
        op = self.create("constant", [], {"value": attribute}, before=before, result=type_)
        self.report.constant_bytes_created += constant_bytes(op)
        return op.results[0]

    def set_operand(self, op: Op, index: int, value: Value) -> None:
        """Exchange one operand."""
        old = op.operands[index]
        op.set_operand(index, value)
        self.push(op)
        self._push_definer(old)

    def replace(self, op: Op, values: Sequence[Value], *, keep_attributes: bool = False) -> bool:
        """Let the users of the op's results use `values`, and erase the op; return True, as patterns do that match.

        With `keep_attributes` the discardable attributes (such as `mhlo.sharding`) are copied to the op that defines
        the only new value.
        """
        if keep_attributes and len(values) == 1:
            merge_discardable_attributes(op, values[0])
        self.replace_uses(op, values)
        return self.erase(op)

    def forward(self, op: Op, value: Value) -> bool:
        """Replace an op of one result by an existing value of the same type; return whether the types are the same."""
        return value.type == op.results[0].type and self.replace(op, [value], keep_attributes=True)

    def replace_uses(self, op: Op, values: Sequence[Value]) -> bool:
        """Let the users of the op's results use `values`; the op is erased later if it is dead. Returns True."""
        for result, value in zip(op.results, values, strict=True):
            self.use_instead(result, value)
        self.changed = True
        self.push(op)
        return True

    def use_instead(self, value: Value, other: Value) -> None:
        """Let the users of `value` use another."""
        waiting = self.worklist
        for user in value.replace_all_uses_with(other):
            waiting.setdefault(user)

    def replace_with(
        self, op: Op, name: str, operands: Sequence[Value], attributes: AttributeValues | None = None
    ) -> Op:
        """Replace an op of one result by a new op of the same type, which takes over its discardable attributes."""
        new = self.create(name, operands, attributes, before=op, result=op.results[0].type)
        self.replace(op, [new.results[0]], keep_attributes=True)
        return new

    def rewrite_as(
        self, op: Op, name: str, operands: Sequence[Value], attributes: AttributeValues | None = None
    ) -> bool:
        """Do what `replace_with` does; return True, as patterns do that match."""
        self.replace_with(op, name, operands, attributes)
        return True

    def erase(self, op: Op, *, keeps_effects: bool = True) -> bool:
        """Remove an unused op; return True, as patterns do. With `keeps_effects`, effects in its regions raise."""
        operands = op.operands
        if op.regions:
            if keeps_effects:
                check_effects_kept(op)
            operands = [*operands, *captured_values(op)]
        self.forget(op)
        op.erase()
        self.changed = True
        for operand in operands:
            self._push_definer(operand)
        return True

    def forget(self, op: Op) -> None:
        """Take an op and everything in its regions off the worklist."""
        for inner in within(op) if op.regions else (op,):
            self.worklist.pop(inner, None)
            self._effectful.pop(inner, None)

    def is_dead(self, op: Op) -> bool:
        """Whether the op can be removed."""
        for result in op.results:
            if result.uses:
                return False
        return is_dead(op) if op.regions or not op.results else not self.is_effectful(op)

    def is_effectful(self, op: Op) -> bool:
        """Whether the op or an op in its regions has effects.

        Of most ops the name tells. Nested regions are walked once.
        """
        if not op.regions:
            if op.name == "stablehlo.custom_call":
                return not is_effect_free(op)
            if op.kind.is_effectful is None:
                op.kind.is_effectful = not is_effect_free(op)
            return op.kind.is_effectful
        if op not in self._effectful:
            for inner in within(op, inner_first=True):
                if inner.regions and inner not in self._effectful:
                    self._effectful[inner] = has_effects(inner, self.is_effectful)
        return self._effectful[op]


def filled(value: int | float | bool, type_: ir.Type) -> np.ndarray:
    """Return the value of a tensor type that holds one number everywhere."""
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


def merge_discardable_attributes(source: Op, value: Value) -> None:
    """Add the source's discardable attributes to the op that defines `value`, if one does.

    They replace attributes of the same name, except for `mhlo.frontend_attributes`, whose entries are merged, and the
    entry there by which XLA tells ops apart, which stays.
    """
    if not source.is_annotated:
        return
    discardable = [(name, attribute) for name, attribute in source.attributes.items() if is_discardable(name)]
    operation = value.op
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
