"""Parts of a snapshot: ops, values, blocks and regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...bindings import ir
from .facts import OpKind, TypeFacts


class Value:
    """A result of an op or an argument of a block.

    Attributes:
        owner: The op that computes it, or the block that it is an argument of.
        type: Its type.
        uses: The ops that use it with the number of the operand. The last use is the first of the bindings'.
        ir: The value of the program, or None as long as there is none.
    """

    __slots__ = ("ir", "owner", "tensor", "type", "uses")

    def __init__(self, owner: Op | Block, tensor: TypeFacts, real: ir.Value | None = None) -> None:
        self.owner = owner
        self.tensor: TypeFacts = tensor
        self.type: ir.Type = tensor.type
        self.ir = real
        self.uses: dict[tuple[Op, int], None] = {}

    @property
    def op(self) -> Op | None:
        """The op that computes the value, or None for an argument of a block."""
        return self.owner if isinstance(self.owner, Op) else None

    @property
    def has_one_use(self) -> bool:
        """Whether exactly one operand is the value."""
        return len(self.uses) == 1

    @property
    def users(self) -> list[Op]:
        """The ops that use the value, once per use."""
        return [user for user, _ in reversed(self.uses)]

    def retype(self, tensor: TypeFacts) -> None:
        """Give the result of a new op another type."""
        if tensor is not self.tensor:
            if self.ir is not None:
                raise ValueError(f"a value of the program keeps its type, {self.type}")
            self.tensor, self.type = tensor, tensor.type

    def replace_all_uses_with(self, value: Value) -> list[Op]:
        """Let the users of this value use another. Return the users, once per use."""
        users: list[Op] = []
        for use in reversed(list(self.uses)):
            user, index = use
            if user.original is None and user.ir is not None:
                user.note_change()
            user.operands[index] = value
            value.uses[use] = None
            users.append(user)
        self.uses.clear()
        return users


class Attributes(dict[str, ir.Attribute]):
    """The attributes of an op, which knows of changes."""

    __slots__ = ("op",)

    op: Op

    def __setitem__(self, name: str, attribute: ir.Attribute) -> None:
        super().__setitem__(name, attribute)
        self._note(name)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._note(name)

    def _note(self, name: str) -> None:
        self.op.known = None
        if self.op.ir is not None:
            self.op.snapshot.changed_attributes[self.op, name] = None


class Changes:
    """The ops and types of a snapshot, the pending changes of the program, and the attributes read so far."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.types: dict[ir.Type, TypeFacts] = {}
        self.changed = False
        self.changed_operands: list[Op] = []
        self.changed_attributes: dict[tuple[Op, str], None] = {}
        self.erased_arguments: list[tuple[Block, int]] = []
        self._read_attributes: dict[ir.Attribute, Any] = {}

    def once(self, attribute: ir.Attribute, read: Callable[[ir.Attribute], Any]) -> Any:
        """Return `read(attribute)`, read once; for one kind of attribute `read` is always the same function."""
        known = self._read_attributes.get(attribute)
        if known is None:
            known = self._read_attributes[attribute] = read(attribute)
        return known

    def tensor(self, type_: ir.Type) -> TypeFacts:
        """Return the one description of a type."""
        known = self.types.get(type_)
        if known is None:
            known = self.types[type_] = TypeFacts(type_)
        return known


class Op:
    """An op, in the program or still to be created there.

    Attributes:
        name: Its full name, such as `stablehlo.add`.
        operands: The values that it uses; `Rewriter.set_operand` changes one.
        results: The values that it computes.
        regions: Its regions.
        block: The block that it is in, None for the root.
        ir: The op of the program, or None as long as there is none.
    """

    __slots__ = (
        "_attributes",
        "block",
        "erased",
        "following",
        "ir",
        "is_moved",
        "kind",
        "known",
        "name",
        "operands",
        "origin",
        "original",
        "preceding",
        "regions",
        "results",
        "snapshot",
    )

    def __init__(self, snapshot: Changes, name: str, kind: OpKind, operands: list[Value]) -> None:
        self.snapshot = snapshot
        self.name = name
        self.kind = kind
        self.operands = operands
        self.results: list[Value] = []
        self.regions: tuple[Region, ...] = ()
        self.block: Block | None = None
        self.preceding: Op | None = None
        self.following: Op | None = None
        self.ir: ir.Operation | None = None
        self.origin: ir.Operation | None = None  # the op in the program whose location it has
        self.original: list[Value] | None = None  # the operands before they were changed
        self.is_moved = False  # since it was read
        self.erased = False
        self._attributes: Attributes | None = None
        self.known: dict[str, Any] | None = None  # what was read from attributes
        snapshot.ops.append(self)
        for index, operand in enumerate(operands):
            operand.uses[self, index] = None

    @property
    def operation(self) -> Op:
        """The op itself, as of the bindings' ops."""
        return self

    def source(self, index: int) -> Op:
        """Return the op that computes an operand. Raises ValueError if it is an argument of a block."""
        op = self.operands[index].op
        if op is None:
            raise ValueError(f"no op computes operand {index} of {self.name}")
        return op

    @property
    def tensors(self) -> list[TypeFacts]:
        """The types of the operands and results."""
        return [value.tensor for value in (*self.operands, *self.results)]

    @property
    def location(self) -> ir.Location:
        """The location in the source."""
        return ir.Location.unknown() if self.origin is None else self.origin.location

    @property
    def parent(self) -> Op | None:
        """The op that it is in, None for the root."""
        return None if self.block is None else self.block.parent

    @property
    def attributes(self) -> Attributes:
        """The attributes by name; setting or deleting one changes the op."""
        if self._attributes is None:
            return self.give_attributes(() if self.ir is None else self.ir.attributes.items())
        return self._attributes

    @property
    def is_annotated(self) -> bool:
        """Whether there are discardable attributes."""
        if self._attributes is None and self.ir is not None and len(self.ir.attributes) == 0:
            return False
        return any("." in name for name in self.attributes)

    def give_attributes(self, attributes: Any) -> Attributes:
        """Set the attributes of a new op."""
        self._attributes = Attributes(attributes)
        self._attributes.op = self
        return self._attributes

    def once(self, name: str, read: Callable[[], Any]) -> Any:
        """Return `read()`, called once as long as the attributes stay; `name` tells answers apart."""
        if self.known is None:
            self.known = {}
        elif name in self.known:
            return self.known[name]
        self.known[name] = answer = read()
        return answer

    def note_change(self) -> None:
        """Remember that operands change."""
        if self.original is None and self.ir is not None:
            self.original = list(self.operands)
            self.snapshot.changed_operands.append(self)

    def set_operand(self, index: int, value: Value) -> None:
        """Exchange one operand."""
        self.note_change()
        del self.operands[index].uses[self, index]
        self.operands[index] = value
        value.uses[self, index] = None

    def move_before(self, other: Op) -> None:
        """Move the op in front of another, into the block of that one."""
        if self.block is not None:
            self.block.unlink(self)
        self.is_moved = True
        if other.block is not None:
            other.block.link(self, other)

    def move_to_end(self, block: Block) -> None:
        """Move the op to the end of a block."""
        if self.block is not None:
            self.block.unlink(self)
        self.is_moved = True
        block.link(self, None)

    def erase(self) -> None:
        """Mark as erased, with the ops in its regions: none of them uses anything."""
        self.snapshot.changed = True
        for op in within(self) if self.regions else (self,):
            op.erased = True
            for index, operand in enumerate(op.operands):
                operand.uses.pop((op, index), None)
        if self.ir is None and self.block is not None:
            self.block.unlink(self)

    def let_go(self) -> None:
        """Break the reference cycles."""
        self.operands, self.results, self.regions = [], [], ()
        self.block = self.preceding = self.following = self._attributes = self.original = None


class Region:
    """A region of an op."""

    __slots__ = ("blocks", "parent")

    def __init__(self, parent: Op) -> None:
        self.parent = parent
        self.blocks: list[Block] = []


class Block:
    """A block: the arguments, and a list of the ops that are linked to each other. No op has its name.

    The list keeps erased ops of the program: new ops are put in front of those that are there.
    """

    __slots__ = ("arguments", "first", "ir", "last", "models", "region")
    name = ""

    def __init__(self, real: ir.Block | None) -> None:
        self.ir = real
        self.arguments: list[Value] = []
        self.models: list[Value] = []  # of the arguments of a new block: they have their locations
        self.region: Region | None = None
        self.first: Op | None = None
        self.last: Op | None = None

    def __iter__(self) -> Iterator[Op]:
        """Yield the ops, those included that are erased."""
        op = self.first
        while op is not None:
            following = op.following
            yield op
            op = following

    @property
    def parent(self) -> Op | None:
        """The op that the block is in."""
        return None if self.region is None else self.region.parent

    @property
    def operations(self) -> list[Op]:
        """The ops as they are now."""
        return [op for op in self if not op.erased]

    @property
    def terminator(self) -> Op:
        """The last op of a block that is not empty."""
        op = self.last
        while op is not None and op.erased:
            op = op.preceding
        if op is None:
            raise ValueError("a block without ops has no terminator")
        return op

    def fill(self, ops: Iterable[Op]) -> None:
        """Link the ops of an empty block."""
        last: Op | None = None
        for op in ops:
            op.block = self
            op.preceding = last
            if last is None:
                self.first = op
            else:
                last.following = op
            last = op
        self.last = last

    def link(self, op: Op, before: Op | None) -> None:
        """Put an op that is in no block in front of another, or at the end."""
        preceding = self.last if before is None else before.preceding
        op.block, op.preceding, op.following = self, preceding, before
        if preceding is None:
            self.first = op
        else:
            preceding.following = op
        if before is None:
            self.last = op
        else:
            before.preceding = op
        op.snapshot.changed = True

    def unlink(self, op: Op) -> None:
        """Take an op out."""
        if op.preceding is None:
            self.first = op.following
        else:
            op.preceding.following = op.following
        if op.following is None:
            self.last = op.preceding
        else:
            op.following.preceding = op.preceding
        op.block = op.preceding = op.following = None

    def append_to(self, region: Region) -> None:
        """Move the block to the end of a region of a new op."""
        if self.region is not None:
            self.region.blocks.remove(self)
        self.region = region
        region.blocks.append(self)

    def erase_argument(self, index: int) -> None:
        """Remove an argument that nothing uses."""
        del self.arguments[index]
        if self.ir is None:
            del self.models[index]
        elif self.region is not None:
            self.region.parent.snapshot.erased_arguments.append((self, index))


def within(op: Op, *, inner_first: bool = False) -> list[Op]:
    """List `op` and all ops within it in the order of the text, or each after those in its regions."""
    found: list[Op] = []
    pending = [op]
    while pending:
        inner = pending.pop()
        found.append(inner)
        if inner.regions:
            inside = children(inner)
            pending += inside if inner_first else reversed(inside)
    return found[::-1] if inner_first else found  # from the last op to the first, each before those in its regions


def children(op: Op) -> list[Op]:
    """List the ops in the op's own regions, without those in theirs."""
    return [inner for block in blocks(op) for inner in block.operations]


def blocks(op: Op) -> list[Block]:
    """List the blocks of the op's own regions."""
    return [block for region in op.regions for block in region.blocks]


def body_of(op: Op, index: int = 0) -> Block:
    """Return the first block of the op's region `index`, for ops whose regions have one block."""
    return op.regions[index].blocks[0]


def any_operation(op: Op, holds: Callable[[Op], bool], *, enters: Callable[[Op], bool] = lambda _: True) -> bool:
    """Return whether something holds for `op` or an op within it; regions are looked into where `enters` allows it."""
    pending = [op]
    while pending:
        inner = pending.pop()
        if holds(inner):
            return True
        if inner.regions and enters(inner):
            pending += reversed(children(inner))
    return False


def captured_values(op: Op) -> list[Value]:
    """List what the ops within `op` use from outside of it, each value once."""
    if not op.regions:
        return []
    inside: set[Value] = set()
    used: dict[Value, None] = {}
    for inner in within(op):
        if inner is not op:
            inside.update(inner.results)
            used.update(dict.fromkeys(inner.operands))
        for block in blocks(inner):
            inside.update(block.arguments)
    return [value for value in used if value not in inside]
