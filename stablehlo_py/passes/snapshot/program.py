"""Snapshots of programs: reading them, and changing the program as its snapshot was changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ...bindings import ir
from ...bindings.build import add_block, create
from ...bindings.walk import operations
from .facts import OpKind
from .parts import Block, Changes, Op, Region, Value, blocks

Real = TypeVar("Real", ir.Block, ir.Operation, ir.Value)


class Snapshot(Changes):
    """The snapshot of an op, and the way back to the program."""

    def __init__(self, root: ir.Operation) -> None:
        super().__init__()
        self._roots: list[ir.Operation] = []  # they own what is in no program yet
        self._kinds: dict[str, OpKind] = {}
        self._examples: dict[ir.Type, ir.Value] = {}
        self._values: dict[ir.Value, Value] = {}
        self._awaited: dict[ir.Value, Value] = {}  # arguments, and what is used before it is computed
        with root.context:
            self.root = self.read(root)

    def read(self, root: ir.Operation) -> Op:
        """Return the snapshot of an op and of those in it."""
        self._roots.append(root)
        alone: list[Op] = []  # those that no region has claimed yet
        values, kinds = self._values, self._kinds
        for real in operations(root, inner_first=True):
            name = real.name
            kind = kinds.get(name)
            if kind is None:
                kind = kinds[name] = OpKind(name, real)
            op = Op(self, name, kind, [values.get(one) or self._await(one) for one in real.operands])
            op.ir = op.origin = real
            if not kind.has_no_regions and len(real.regions):
                op.regions = self._read_regions(op, real, alone)
            for result in real.results:
                value = self._awaited.get(result) if self._awaited else None
                if value is None:
                    value = Value(op, self.tensor(result.type), result)
                value.owner = op
                values[result] = value
                op.results.append(value)
            alone.append(op)
        values.clear()
        self._awaited.clear()
        return alone[-1]

    def _read_regions(self, op: Op, real: ir.Operation, alone: list[Op]) -> tuple[Region, ...]:
        """Return the regions of an op, which take the ops in them."""
        regions: list[Region] = []
        for real_region in reversed(list(real.regions)):
            region = Region(op)
            for real_block in reversed(list(real_region.blocks)):
                block = self._read_block(real_block)
                block.region = region
                first = len(alone) - len(real_block.operations)
                block.fill(alone[first:])
                del alone[first:]
                region.blocks.append(block)
            region.blocks.reverse()
            regions.append(region)
        return tuple(regions[::-1])

    def _read_block(self, real: ir.Block) -> Block:
        """Return the snapshot of a block, and of its arguments."""
        block = Block(real)
        for argument in real.arguments:
            value = self._awaited.pop(argument, None)
            if value is None:
                value = Value(block, self.tensor(argument.type), argument)
            value.owner = block
            self._values[argument] = value
            block.arguments.append(value)
        return block

    def _await(self, real: ir.Value) -> Value:
        """Return the snapshot of a value whose owner is read later: the ops of a block come before its arguments."""
        value = self._values[real] = self._awaited[real] = Value(Block(None), self.tensor(real.type), real)
        return value

    def create(
        self,
        name: str,
        operands: Sequence[Value],
        types: Sequence[ir.Type] | None,
        attributes: Mapping[str, ir.Attribute],
        at: Op,
        regions: int = 0,
    ) -> Op:
        """Create an op in front of `at`, with its location. Its types are inferred unless they are given."""
        if types is None:  # the bindings infer them
            examples = list(map(self._example, operands))
            types = [result.type for result in _alone(name, examples, None, attributes).results]
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = OpKind(name, _alone(name, [], types, attributes))
        op = Op(self, name, kind, list(operands))
        op.results = [Value(op, self.tensor(type_)) for type_ in types]
        op.give_attributes(attributes)
        op.regions = tuple([Region(op) for _ in range(regions)])
        op.origin = at.origin
        if at.block is not None:
            at.block.link(op, at)
        return op

    def add_block(self, region: Region, models: Sequence[Value]) -> Block:
        """Add a block to a region of a new op, with arguments of the types and locations of others."""
        block = Block(None)
        block.models = list(models)
        block.arguments = [Value(block, model.tensor) for model in models]
        block.append_to(region)
        return block

    def _example(self, value: Value) -> ir.Value:
        """Return a value of the same type that is nowhere in the program."""
        known = self._examples.get(value.type)
        if known is None:
            cast = _alone("builtin.unrealized_conversion_cast", [], [value.type], {})
            known = self._examples[value.type] = cast.results[0]
        return known

    def close(self) -> None:
        """Break all reference cycles, so that nothing waits for the garbage collector."""
        for op in self.ops:
            op.let_go()
        self.ops.clear()

    def commit(self) -> None:
        """Change the program as the snapshot was changed; that is the end of the snapshot."""
        if not (self.changed or self.changed_operands or self.changed_attributes):
            return
        dead: list[Op] = []
        pending = blocks(self.root)[::-1]
        while pending:
            pending += reversed(_commit_block(pending.pop(), dead))
        for op in self.changed_operands:
            if op.original is None or op.ir is None or op.erased:
                continue
            for index, (old, new) in enumerate(zip(op.original, op.operands, strict=True)):
                if old is not new:
                    op.ir.operands[index] = _in_program(new.ir)
        for op, name in self.changed_attributes:
            if op.ir is None or op.erased:
                continue
            if name in op.attributes:
                op.ir.attributes[name] = op.attributes[name]
            elif name in op.ir.attributes:
                del op.ir.attributes[name]
        for op in reversed(dead):
            _in_program(op.ir).erase()
        for block, index in self.erased_arguments:
            if block.parent is not None and not block.parent.erased and block.ir is not None:
                block.ir.erase_argument(index)


def copy_of(
    op: Op,
    operands: Sequence[ir.Value],
    results: Sequence[ir.Type],
    captured: Mapping[Value, ir.Value],
    at: ir.InsertionPoint,
) -> ir.Operation:
    """Create a copy of an op as the snapshot knows it, on other operands; `captured` are values from outside."""
    values = dict(captured)
    root = _created(op, operands, results, at)
    pending = [(op, root)]
    while pending:
        source, copy = pending.pop()
        for region, real_region in zip(source.regions, copy.regions, strict=True):
            for block in region.blocks:
                real = add_block(real_region, [argument.type for argument in block.arguments])
                values.update(zip(block.arguments, real.arguments, strict=True))
                point = ir.InsertionPoint(real)
                for inner in block.operations:
                    types = [result.type for result in inner.results]
                    inner_copy = _created(inner, [values[operand] for operand in inner.operands], types, point)
                    values.update(zip(inner.results, inner_copy.results, strict=True))
                    if inner.regions:
                        pending.append((inner, inner_copy))
    return root


def _created(op: Op, operands: Sequence[ir.Value], results: Sequence[ir.Type], at: ir.InsertionPoint) -> ir.Operation:
    """Return a new op of the program with the name, attributes, location and empty regions of one of the snapshot."""
    return create(op.name, operands, results, op.attributes, regions=len(op.regions), at=at, location=op.location)


def _alone(
    name: str, operands: list[ir.Value], types: Sequence[ir.Type] | None, attributes: Mapping[str, ir.Attribute]
) -> ir.Operation:
    """Return an op that is nowhere in the program."""
    results = None if types is None else list(types)
    return ir.Operation.create(
        name, results=results, operands=operands, attributes=dict(attributes), infer_type=types is None, ip=False
    )


def _commit_block(block: Block, dead: list[Op]) -> list[Block]:
    """Create new ops of a block, move ops into it, and note erased ones; return the blocks in the regions of others."""
    inner: list[Block] = []
    waiting: list[Op] = []  # for an op that is in the program's block already
    for op in block:
        if op.ir is None or op.is_moved:
            waiting.append(op)
        else:
            for other in waiting:
                _put(other, op, block)
            waiting.clear()
        if op.erased:
            dead.append(op)
        else:
            inner += blocks(op)
    for other in waiting:
        _put(other, None, block)
    return inner


def _put(op: Op, before: Op | None, block: Block) -> None:
    """Create an op, or move it, at its position in the snapshot."""
    if op.ir is None:
        at = ir.InsertionPoint(_in_program(block.ir) if before is None else _in_program(before.ir))
        _create_real(op, at, [_in_program(operand.ir) for operand in op.operands])
    elif before is None:
        _in_program(block.ir).append(op.ir)
    else:
        op.ir.move_before(_in_program(before.ir))


def _create_real(op: Op, at: ir.InsertionPoint, operands: list[ir.Value]) -> None:
    op.ir = op.origin = real = _created(op, operands, [result.type for result in op.results], at)
    for value, result in zip(op.results, real.results, strict=True):
        value.ir = result
    for region, real_region in zip(op.regions, real.regions, strict=True):
        for block in region.blocks:
            if block.ir is not None:
                block.ir.append_to(real_region)
                continue
            locations = [_in_program(model.ir).location for model in block.models]
            types = [argument.type for argument in block.arguments]
            block.ir = real_region.blocks.append(*types, arg_locs=locations)
            for argument, real_argument in zip(block.arguments, block.ir.arguments, strict=True):
                argument.ir = real_argument


def _in_program(part: Real | None) -> Real:
    if part is None:
        raise ValueError("a part of the snapshot is not in the program")
    return part
