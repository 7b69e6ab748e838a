"""The mirror of a program: reading it, and changing the program as the mirror was changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ...bindings import ir
from ...bindings.build import create
from ...bindings.walk import operations
from .parts import BeyondMirrorError, Block, Changes, Kind, Op, Region, TensorType, Value, in_front_of


class Mirror(Changes):
    """The mirror of an op, and what is to be changed in the program."""

    root: Op

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[str, Kind] = {}
        self.types: dict[ir.Type, TensorType] = {}
        self._examples: dict[TensorType, ir.Value] = {}
        self._values: dict[ir.Value, Value] = {}

    def tensor(self, type_: ir.Type) -> TensorType:
        """The one description of a type."""
        known = self.types.get(type_)
        if known is None:
            known = self.types[type_] = TensorType(type_)
        return known

    def kind(self, name: str, example: Callable[[], ir.Operation]) -> Kind:
        """The facts about the ops of this name, of which there is an example."""
        known = self._kinds.get(name)
        if known is None:
            known = self._kinds[name] = Kind(name, example())
        return known

    def read(self, root: ir.Operation) -> None:
        """Mirror an op and those in it, which come before it, and before those that use their results."""
        alone: list[Op] = []  # those that no region has claimed yet
        values, kinds = self._values, self._kinds
        for real in operations(root, inner_first=True):
            name = real.name
            kind = kinds.get(name)
            if kind is None:
                kind = kinds[name] = Kind(name, real)
            regions = None if kind.has_no_regions or len(real.regions) == 0 else self._read_regions(real, alone)
            op = Op(self, name, kind, [values.get(one) or self._argument(one) for one in real.operands], None)
            op.ir = op.place = real
            op.results = [self.value(op, result) for result in kind.results_of(real)]
            for value in op.results:
                values[cast(ir.Value, value.ir)] = value
            if regions is not None:
                op.regions = regions
            alone.append(op)
        self.root = alone[-1]
        values.clear()

    def _read_regions(self, real: ir.Operation, alone: list[Op]) -> tuple[Region, ...]:
        """The regions of an op, which take the ops in them."""
        regions: list[Region] = []
        for region in reversed(list(real.regions)):
            blocks: list[Block] = []
            for real_block in reversed(list(region.blocks)):
                block = self._block(real_block)
                first = len(alone) - len(real_block.operations)
                block.listed = alone[first:]
                del alone[first:]
                for op in block.listed:
                    op.block = block
                blocks.append(block)
            regions.append(Region(blocks[::-1]))
        return tuple(regions[::-1])

    def _block(self, real: ir.Block) -> Block:
        """The mirror of a block, and of its arguments."""
        block = Block(real)
        for argument in real.arguments:
            known = self._values.get(argument)
            value = self.value(block, argument) if known is None else known
            value.owner = block
            self._values[argument] = value
            block.arguments.append(value)
        return block

    def _argument(self, real: ir.Value) -> Value:
        """The mirror of an argument, whose block is read only after the ops in it."""
        if not isinstance(real.owner, ir.Block):
            raise BeyondMirrorError("a value that is used before it is computed")
        self._values[real] = value = self.value(Block(real.owner), real)
        return value

    def value(self, owner: Op | Block, real: ir.Value) -> Value:
        """The mirror of a value in the program."""
        tensor = self.tensor(real.type)
        self._examples.setdefault(tensor, real)
        return Value(owner, tensor, real)

    def inferred(self, name: str, operands: list[Value], attributes: Any) -> list[ir.Type]:
        """The types that an op's results have, by what the bindings infer for other operands of the same types."""
        if any(operand.tensor not in self._examples for operand in operands):
            raise BeyondMirrorError(name)
        examples = [self._examples[operand.tensor] for operand in operands]
        return [result.type for result in _alone(name, examples, None, attributes).results]

    def create(self, name: str, operands: list[Value], types: list[ir.Type] | None, attributes: Any, at: Op) -> Op:
        """A new op in front of `at`, with its location."""
        if types is None:
            types = self.inferred(name, operands, attributes)
        kind = self.kind(name, lambda: _alone(name, [], types, attributes))
        op = Op(self, name, kind, operands, at.block)
        op.results = [Value(op, self.tensor(type_)) for type_ in types]
        op.give_attributes(attributes)
        op.place = at.place
        if not at.before:
            at.before = []
        at.before.append(op)
        self.changed = True
        return op

    def close(self) -> None:
        """Let go of everything, so that nothing waits for the garbage collector."""
        for op in self.ops:
            op.operands, op.results, op.regions = [], [], ()
            op.block = op._attributes = op.original = None  # pyright: ignore[reportPrivateUsage]
        self.ops.clear()

    def commit(self) -> None:
        """Change the program as the mirror was changed."""
        if not (self.changed or self.changed_operands or self.changed_attributes):
            return
        dead: list[Op] = []
        pending = [block for region in self.root.regions for block in region.blocks][::-1]
        while pending:
            pending += reversed(_commit_block(pending.pop(), dead))
        for op in self.changed_operands:
            _commit_operands(op)
        for op, name in self.changed_attributes:
            _commit_attribute(op, name)
        for op in reversed(dead):
            _real(op).erase()
        self.changed = False
        self.changed_operands.clear()
        self.changed_attributes.clear()


def _alone(name: str, operands: list[ir.Value], types: list[ir.Type] | None, attributes: Any) -> ir.Operation:
    """An op that is nowhere in the program."""
    infer = types is None
    return ir.Operation.create(
        name, results=types, operands=operands, attributes=dict(attributes), infer_type=infer, ip=False
    )


def _commit_block(block: Block, dead: list[Op]) -> list[Block]:
    """Create the new ops of a block, and note the erased ones; returns the blocks in the regions of the others."""
    listed: list[Op] = []
    inner: list[Block] = []
    for op in block.listed:
        if op.before:
            for new in in_front_of(op):
                _commit_new(new, op)
                listed.append(new)
            op.before = ()
        if op.erased:
            dead.append(op)
            continue
        listed.append(op)
        inner += [block for region in op.regions for block in region.blocks]
    for op in listed:
        op.before = ()
    block.listed = listed
    return inner


def _commit_new(op: Op, at: Op) -> None:
    op.ir = op.place = create(
        op.name,
        [_real(operand) for operand in op.operands],
        [result.type for result in op.results],
        op.attributes,
        at=ir.InsertionPoint(_real(at)),
        location=cast(ir.Operation, op.place).location,
    )
    op.original = None
    for value, real in zip(op.results, op.ir.results, strict=True):
        value.ir = real


def _real(part: Any) -> Any:
    """The op or value of the program that a part mirrors; the part is in the program by now."""
    return part.ir


def _commit_operands(op: Op) -> None:
    """Set the operands that are others than before."""
    if op.original is not None and op.ir is not None and not op.erased:
        for index, (old, new) in enumerate(zip(op.original, op.operands, strict=True)):
            if old is not new:
                op.ir.operands[index] = _real(new)
    op.original = None


def _commit_attribute(op: Op, name: str) -> None:
    if op.ir is not None and not op.erased:
        if name in op.attributes:
            op.ir.attributes[name] = op.attributes[name]
        elif name in op.ir.attributes:
            del op.ir.attributes[name]
