"""The parts of a mirror: ops, values, blocks and types that answer from Python what the bindings' ones do.

They answer as far as patterns ask; whatever they do not know raises `BeyondMirrorError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from math import prod
from typing import Any, NoReturn, cast

from ...bindings import ir
from ...bindings.capabilities import declares_effects_interface
from ...bindings.types import ElementType, element_type
from ...bindings.walk import operations
from ...contracts.facts import facts
from ...errors import StablehloError


class BeyondMirrorError(Exception):
    """The program has, or a pattern does, what only the bindings can do."""


class TensorType:
    """A type, with what patterns ask of it, which is asked of the bindings once."""

    def __init__(self, type_: ir.Type) -> None:
        self.type = type_

    @cached_property
    def ranked(self) -> ir.RankedTensorType | None:
        """The type of a ranked tensor, or None."""
        return self.type if isinstance(self.type, ir.RankedTensorType) else None

    @cached_property
    def static_shape(self) -> tuple[int, ...] | None:
        """The extents, if all are known."""
        return tuple(self.ranked.shape) if self.ranked is not None and self.ranked.has_static_shape else None

    @cached_property
    def count(self) -> int | None:
        """The number of elements of a tensor of static shape."""
        return None if self.static_shape is None else prod(self.static_shape)

    @cached_property
    def element(self) -> ElementType | None:
        """The type of the elements; None where they are quantized or outside the spec, and for what is not a tensor."""
        text = str(self.type.element_type) if isinstance(self.type, ir.ShapedType) else "!quant."
        try:
            return None if text.startswith("!quant.") else element_type(text)
        except StablehloError:
            return None


class _Mirrored:
    """A part of a mirror: asked for what it does not mirror, it raises `BeyondMirrorError`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        raise BeyondMirrorError(name)


class Value(_Mirrored):
    """A result of an op or an argument of a block. The last of its uses is the first of the bindings'."""

    __slots__ = ("ir", "owner", "tensor", "type", "uses")

    def __init__(self, owner: Op | Block, tensor: TensorType, real: ir.Value | None = None) -> None:
        self.owner = owner
        self.tensor = tensor
        self.type = tensor.type
        self.ir = real
        self.uses: dict[tuple[Op, int], None] = {}

    def replace_all_uses_with(self, value: Value) -> list[Op]:
        """Let the users of this value use another; returns them, as often as they do."""
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


@cache
def _any_discardable(names: tuple[str, ...]) -> bool:
    return any("." in name for name in names)


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
            self.op.mirror.changed_attributes[self.op, name] = None


class Kind:
    """The facts about the ops of one name that are asked of each."""

    def __init__(self, name: str, example: ir.Operation) -> None:
        known = facts(name)
        self.is_constant = known.is_constant
        self.is_effectful: bool | None = None  # the driver's: whether all of them have effects
        self.is_control_flow = known.is_control_flow
        self.declares_effects = declares_effects_interface(example)
        self._has_one_result = True  # until there is one of which it does not hold
        self.has_no_regions = known.dialect == "stablehlo" and not known.regions and not known.is_control_flow

    def results_of(self, op: ir.Operation) -> Sequence[ir.Value]:
        """The results of an op, which is faster where ops of this name have one."""
        if self._has_one_result:
            try:
                return (op.result,)
            except ValueError:
                self._has_one_result = False
        return list(op.results)


class Changes:
    """The ops of a mirror, what is to be changed in the program, and what was read from attributes."""

    def __init__(self) -> None:
        self._read_attributes: dict[ir.Attribute, Any] = {}
        self.ops: list[Op] = []
        self.changed = False
        self.changed_operands: list[Op] = []
        self.changed_attributes: dict[tuple[Op, str], None] = {}

    def once(self, attribute: ir.Attribute, read: Callable[[ir.Attribute], Any]) -> Any:
        """Return `read(attribute)`, read once; for one kind of attribute `read` is always the same function."""
        known = self._read_attributes.get(attribute)
        if known is None:
            known = self._read_attributes[attribute] = read(attribute)
        return known


class Op(_Mirrored):
    """An op, in the program or still to be created there (then `ir` is None)."""

    __slots__ = (
        "_attributes",
        "before",
        "block",
        "erased",
        "ir",
        "kind",
        "known",
        "mirror",
        "name",
        "operands",
        "original",
        "place",
        "regions",
        "results",
    )

    def __init__(self, mirror: Changes, name: str, kind: Kind, operands: list[Value], block: Block | None) -> None:
        self.mirror = mirror
        self.name = name
        self.kind = kind
        self.operands = operands
        self.block: Block | None = block
        self.results: list[Value] = []
        self.regions: tuple[Region, ...] = ()
        self.ir: ir.Operation | None = None
        self.place: ir.Operation | None = None  # the op in the program whose location it has
        self.before: list[Op] | tuple[()] = ()  # new ops right in front of it
        self.original: list[Value] | None = None  # the operands before they were changed
        self.erased = False
        self._attributes: Attributes | None = None
        self.known: dict[str, Any] | None = None  # what was read from attributes
        mirror.ops.append(self)
        for index, operand in enumerate(operands):
            operand.uses[self, index] = None

    @property
    def operation(self) -> Op:
        return self

    @property
    def attributes(self) -> Attributes:
        if self._attributes is None:
            self.give_attributes(() if self.ir is None else self.ir.attributes.items())
        return cast(Attributes, self._attributes)

    @property
    def is_annotated(self) -> bool:
        """Whether there are discardable attributes."""
        if self._attributes is None and self.ir is not None and len(self.ir.attributes) == 0:
            return False
        return _any_discardable(tuple(self.attributes))

    def give_attributes(self, attributes: Any) -> None:
        """Set the attributes of a new op."""
        self._attributes = Attributes(attributes)
        self._attributes.op = self

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
            self.mirror.changed_operands.append(self)

    def set_operand(self, index: int, value: Value) -> None:
        self.note_change()
        del self.operands[index].uses[self, index]
        self.operands[index] = value
        value.uses[self, index] = None

    def erase(self) -> None:
        """Mark as erased, with what is in its regions: none of them uses anything."""
        self.mirror.changed = True
        for op in within(self) if self.regions else (self,):
            op.erased = True
            for index, operand in enumerate(op.operands):
                operand.uses.pop((op, index), None)

    def walk(self, visit: Callable[[Any], ir.WalkResult], order: ir.WalkOrder) -> None:
        """Call `visit` with the op and those within it."""
        post = order == ir.WalkOrder.POST_ORDER
        pending: list[tuple[Op, bool]] = [(self, False)]
        while pending:
            op, entered = pending.pop()
            if op.regions and not entered:
                if post:
                    pending.append((op, True))
                elif visit(op) == ir.WalkResult.SKIP:
                    continue
                inner = [one for region in op.regions for block in region.blocks for one in block.operations]
                pending += [(op, False) for op in reversed(inner)]
            else:
                visit(op)


class Region(_Mirrored):
    """A region of an op."""

    __slots__ = ("blocks",)

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks = blocks


class Block(_Mirrored):
    """A block. `listed` are its ops as of the last commit. No op has its name."""

    __slots__ = ("arguments", "ir", "listed")
    name = ""

    def __init__(self, real: ir.Block) -> None:
        self.ir = real
        self.arguments: list[Value] = []
        self.listed: list[Op] = []

    @property
    def operations(self) -> list[Op]:
        """The ops as they are now."""
        found: list[Op] = []
        for op in self.listed:
            if op.before:
                found += in_front_of(op)
            if not op.erased:
                found.append(op)
        return found


def within(op: Op, *, inner_first: bool = False) -> list[Op]:
    """List an op and those within it; see `operations`."""
    return cast(list[Op], operations(cast(ir.Operation, op), inner_first=inner_first)) if op.regions else [op]


def in_front_of(op: Op) -> Iterator[Op]:
    """The new ops between `op` and the op in the program before it."""
    pending = [(inner, False) for inner in reversed(op.before)]
    while pending:
        inner, entered = pending.pop()
        if inner.before and not entered:
            pending.append((inner, True))
            pending += [(other, False) for other in reversed(inner.before)]
        elif not inner.erased:
            yield inner
