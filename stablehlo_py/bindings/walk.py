"""Ways through a program: ops within ops, blocks, symbols, and values that come from outside.

Nothing here recurses in Python, so a deep nest of regions is as good as a long block. Every list is complete before it
is returned, so the program may change during an iteration.
"""

from __future__ import annotations

from collections.abc import Callable

from .provider import ir


def operations(op: ir.Operation, *, inner_first: bool = False) -> list[ir.Operation]:
    """List `op` and all ops within it, at any depth.

    They are in the order of the text; with `inner_first` an op comes after those in its regions. Ops do not keep their
    module; the list does, if `op` is that of a module.
    """
    found = list[ir.Operation]()

    def visit(inner: ir.Operation) -> ir.WalkResult:
        found.append(inner)
        return ir.WalkResult.ADVANCE

    visit_operations(op, visit, ir.WalkOrder.POST_ORDER if inner_first else ir.WalkOrder.PRE_ORDER)
    found[-1 if inner_first else 0] = op.operation
    return found


def visit_operations(
    op: ir.Operation, visit: Callable[[ir.Operation], ir.WalkResult], order: ir.WalkOrder = ir.WalkOrder.PRE_ORDER
) -> None:
    """Call `visit`, which raises nothing, with `op` and all ops within it, which it leaves as they are."""
    try:
        op.walk(visit, order)
    except RuntimeError as error:  # the bindings hide what is raised in `visit`, which can only be an interrupt
        raise KeyboardInterrupt from error


def operations_within(op: ir.Operation, *, inner_first: bool = False) -> list[ir.Operation]:
    """List all ops within `op`, without `op` itself; see `operations`."""
    found = operations(op, inner_first=inner_first)
    del found[-1 if inner_first else 0]
    return found


def any_operation(
    op: ir.Operation,
    holds: Callable[[ir.Operation], bool],
    *,
    enters: Callable[[ir.Operation], bool] = lambda _: True,
) -> bool:
    """Whether something holds for `op` or an op within it.

    Ops are asked in the order of the text until one answers yes. The regions of an op are looked into where `enters`
    allows it.
    """
    pending = [op]
    while pending:
        inner = pending.pop()
        if holds(inner):
            return True
        if len(inner.regions) and enters(inner):
            pending += reversed(children(inner))
    return False


def descend(op: ir.Operation, enters: Callable[[ir.Operation], bool]) -> None:
    """Call `enters` with each op within `op` in the order of the text, and look into the op's regions if it says so.

    The ops of a region are listed when it is entered; until then they may change.
    """
    pending = children(op)[::-1]
    while pending:
        inner = pending.pop()
        if enters(inner) and len(inner.regions):
            pending += reversed(children(inner))


def blocks(op: ir.Operation) -> list[ir.Block]:
    """List the blocks of the op's own regions."""
    return [block for region in op.regions for block in region.blocks]


def children(op: ir.Operation) -> list[ir.Operation]:
    """List the ops in the op's own regions, without those in theirs.

    An iteration over blocks would import the generated classes of ops, which take 27 MB.
    """
    found = list[ir.Operation]()

    def visit(inner: ir.Operation) -> ir.WalkResult:
        found.append(inner)
        return ir.WalkResult.ADVANCE if len(found) == 1 else ir.WalkResult.SKIP

    visit_operations(op, visit)
    return found[1:]


def operations_of(op: ir.Operation, region: ir.Region) -> list[ir.Operation]:
    """List the ops in a region of `op`, without those in theirs."""
    if len(op.regions) == 1:
        return children(op)
    return [inner.operation for block in region.blocks for inner in block.operations]


def body_of(op: ir.Operation, index: int = 0) -> ir.Block:
    """Return the first block of the op's region `index`, for ops whose regions have one block."""
    return op.regions[index].blocks[0]


def has_body(op: ir.Operation) -> bool:
    """Whether the op has a region that is not empty; a function that is only declared has none."""
    return bool(len(op.regions)) and bool(len(op.regions[0].blocks))


def terminator_of(block: ir.Block) -> ir.Operation:
    """Return the last op of a block that is not empty."""
    return block.operations[len(block.operations) - 1].operation


def outermost(op: ir.Operation) -> ir.Operation:
    """Return the op that `op` is in and that is in no other, such as a program's module."""
    while op.parent is not None:
        op = op.parent.operation
    return op


def symbols(module: ir.Operation) -> dict[str, ir.Operation]:
    """Return the ops at the top of `module` that define a symbol, by its name; VHLO's have names of another kind."""
    from .attributes import symbol_name

    named = [op for op in children(module) if isinstance(op.attributes.get("sym_name"), ir.StringAttr)]
    return {symbol_name(op): op for op in named}


def functions(module: ir.Operation) -> dict[str, ir.Operation]:
    """Return the functions of `module`, by name."""
    from .attributes import symbol_name

    return {symbol_name(op): op for op in children(module) if op.name == "func.func"}


def captured_values(op: ir.Operation) -> list[ir.Value]:
    """List what the ops within `op` use from outside of it, each value once."""
    inside: set[ir.Value] = {argument for block in blocks(op) for argument in block.arguments}
    used: dict[ir.Value, None] = {}
    for inner in operations_within(op):
        inside.update(inner.results)
        used.update(dict.fromkeys(inner.operands))
        for block in blocks(inner):
            inside.update(block.arguments)
    return [value for value in used if value not in inside]


def replace_operands(op: ir.Operation, replacements: dict[ir.Value, ir.Value]) -> None:
    """Let `op` and the ops within it use other values: each key of `replacements` becomes its value."""
    for inner in operations(op):
        for index, operand in enumerate(inner.operands):
            if operand in replacements:
                inner.operands[index] = replacements[operand]


def handed_on(value: ir.Value, is_like: Callable[[ir.Value], bool], most: int | None = None) -> list[ir.Value]:
    """Trace a value back through operands that `is_like` it: `value` first, at most `most` values."""
    chain: dict[ir.Value, None] = {}
    found: ir.Value | None = value
    while found is not None and found not in chain and len(chain) != most:
        chain[found] = None
        operands = () if isinstance(found.owner, ir.Block) else found.owner.operation.operands
        found = next((operand for operand in operands if is_like(operand)), None)
    return list(chain)


def is_result(value: ir.Value) -> bool:
    """Whether an op computes `value`; otherwise it is the argument of a block."""
    return not isinstance(value.owner, ir.Block)


def is_used(value: ir.Value) -> bool:
    """Whether any op uses the value."""
    return next(iter(value.uses), None) is not None


def insertion_point_after(op: ir.Operation) -> ir.InsertionPoint:
    """The position behind `op`, which must not be a terminator. Old bindings can only name the op that follows."""
    if hasattr(ir.InsertionPoint, "after"):
        return ir.InsertionPoint.after(op)
    following = False
    for other in op.block:
        if following:
            return ir.InsertionPoint(other)
        following = other.operation == op
    return ir.InsertionPoint(op.block)
