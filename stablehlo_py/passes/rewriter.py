"""The changes that patterns make to a program, in the driver's sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bindings import ir
from ..bindings.build import create
from ..bindings.elements import dtype_of, from_numpy
from ..bindings.identity import address_of
from ..bindings.walk import captured_values, operations
from .effects import check_effects_kept, has_effects, is_dead, is_effect_free
from .matching import constant_bytes, definer, full_name, has_several_uses, is_discardable, shape_of, users
from .mirror.parts import Op
from .report import PassReport


@dataclass(frozen=True)
class RewriteOptions:
    """The passes' options that patterns read; the passes document them."""

    fold_op_element_limit: int = 65536
    optimize_float: bool = True
    assume_no_undeclared_side_effects: bool = False


@dataclass
class Rewriter:
    """The interface through which a pattern changes the program, so that the driver knows of each change."""

    options: RewriteOptions
    report: PassReport
    worklist: dict[Any, ir.Operation] = field(default_factory=dict[Any, ir.Operation])
    changed: bool = False
    _effectful: dict[Any, bool] = field(default_factory=dict[Any, bool])
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
        if len(op.regions):
            check_effects_kept(op)
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
            self._effectful.pop(self.key(inner), None)

    def is_dead(self, op: ir.Operation) -> bool:
        """Whether the op can be removed."""
        return is_dead(op)

    def is_effectful(self, op: ir.Operation) -> bool:
        """Whether the op has effects, its own or those of its regions. Nested regions are walked once."""
        if len(op.regions) == 0:
            return not is_effect_free(op)
        if self.key(op) not in self._effectful:
            for inner in operations(op, inner_first=True):
                if len(inner.regions) and self.key(inner) not in self._effectful:
                    self._effectful[self.key(inner)] = has_effects(inner, self.is_effectful)
        return self._effectful[self.key(op)]

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
