"""Reductions and sorts that do less than they say."""

from __future__ import annotations

import numpy as np

from ...bindings.attributes import int_of
from ..matching import constant_array, constant_op, i64, inherent_attributes, ints, is_neutral, same_types, with_shape
from ..rewriting import Pattern, Rewriter, pattern
from ..snapshot.parts import Block, Op, Value, body_of, captured_values

PATTERNS: list[Pattern] = []


def _reduces_something(op: Op) -> bool:
    """Return whether each result is made of at least one element, so that the body runs."""
    shape = op.operands[0].tensor.shape
    return all(shape[dim] > 0 for dim in ints(op, "dimensions"))


def is_inside(value: Value, block: Block) -> bool:
    """Return whether the value is an argument of the block or computed in it."""
    operation = value.op
    return (value.owner if operation is None else operation.block) is block


@pattern(PATTERNS, "reduce", folds=True)
def reduce_gives_outer_values(op: Op, rewriter: Rewriter) -> bool:
    """A body that returns values from outside makes them the results, if the reduction has elements (else the results
    are the initial values)."""
    block = body_of(op)
    values = list(block.terminator.operands)
    if not _reduces_something(op) or any(is_inside(value, block) for value in values):
        return False
    if not same_types(values, op.results):
        return False
    return rewriter.replace(op, values)


@pattern(PATTERNS, "reduce", folds=True)
def reduce_gives_constants(op: Op, rewriter: Rewriter) -> bool:
    """A body that only returns constants makes them, broadcast, the results, if the reduction has elements."""
    block = body_of(op)
    values = list(block.terminator.operands)
    if not _reduces_something(op) or any(result.tensor.static_shape is None for result in op.results):
        return False
    if any(nested.name != "stablehlo.constant" for nested in list(block.operations)[:-1]):
        return False
    arrays = [constant_array(value) if constant_op(value) is not None else None for value in values]
    known = [array for array in arrays if array is not None and array.ndim == 0]
    if len(known) < len(values):
        return False
    constants = [
        rewriter.constant(np.broadcast_to(array, result.tensor.shape), result.type, before=op)
        for array, result in zip(known, op.results, strict=True)
    ]
    return rewriter.replace(op, constants)


@pattern(PATTERNS, "reduce")
def reduce_of_empty(op: Op, rewriter: Rewriter) -> bool:
    """A reduction of no elements gives the initial values, broadcast."""
    shape = op.operands[0].tensor.static_shape
    results = list(op.results)
    if shape is None or 0 not in shape:
        return False
    init_values = list(op.operands)[len(results) :]
    if any(with_shape(result.type, []) != init.type for result, init in zip(results, init_values, strict=True)):
        return False  # the body computes in a wider type
    values = [
        rewriter.create(
            "broadcast_in_dim", [init], {"broadcast_dimensions": []}, before=op, result=result.type
        ).results[0]
        for init, result in zip(init_values, results, strict=True)
    ]
    return rewriter.replace(op, values)


def _body_ignores_init_values(op: Op) -> bool:
    """Whether the body is, for each result, one op on its two arguments with the initial value as its identity."""
    block = body_of(op)
    arguments, count = list(block.arguments), len(op.results)
    for index, value in enumerate(block.terminator.operands):
        operation = value.op
        if operation is None or len(operation.operands) != 2:
            return False
        if set(operation.operands) != {arguments[index], arguments[index + count]}:
            return False
        if not is_neutral(operation.name.removeprefix("stablehlo."), op.operands[count + index]):
            return False
    return True


@pattern(PATTERNS, "reduce", folds=True)
def reduce_over_no_dimension(op: Op, rewriter: Rewriter) -> bool:
    """A reduction over no dimension gives the inputs. The spec leaves open whether the initial values take part, so
    this is one of the permitted results. Without `optimize-float` the initial values must be exact identities of the
    body, so that it is the only one."""
    count = len(op.results)
    inputs = list(op.operands)[:count]
    if ints(op, "dimensions") or not same_types(inputs, op.results):
        return False
    if not rewriter.options.optimize_float and not _body_ignores_init_values(op):
        return False
    return rewriter.replace(op, inputs)


@pattern(PATTERNS, "reduce")
def reduce_of_unused_results(op: Op, rewriter: Rewriter) -> bool:
    """Drop inputs that no used result depends on, if each used result needs one pair of input and initial value, and
    the body of these is closed."""
    count = len(op.results)
    used = [index for index, result in enumerate(op.results) if result.uses]
    if not used or len(used) == count:
        return False
    block = body_of(op)
    terminator = block.terminator
    needed_arguments, needed_ops = computed_from([terminator.operands[index] for index in used], block)
    pairs = sorted({index % count for index in needed_arguments})
    if len(pairs) != len(used) or any(needed.regions for needed in needed_ops):
        return False
    operands = list(op.operands)
    new = rewriter.create(
        "reduce",
        [operands[pair] for pair in pairs] + [operands[pair + count] for pair in pairs],
        inherent_attributes(op),
        before=op,
        result=[op.results[index].type for index in used],
        regions=1,
    )
    kept = [argument for number, argument in enumerate(block.arguments) if number % count in pairs]
    new_block = rewriter.add_block(new.regions[0], kept)
    _copy_ops(block, needed_ops, dict(zip(kept, new_block.arguments, strict=True)), new_block, used, rewriter)
    for index, value in zip(used, new.results, strict=True):
        rewriter.use_instead(op.results[index], value)
    return rewriter.erase(op)


def all_operands(op: Op) -> list[Value]:
    """Return the op's operands and the outside values of its regions."""
    return [*op.operands, *captured_values(op)]


def computed_from(values: list[Value], block: Block) -> tuple[set[int], set[Op]]:
    """Return the numbers of the block's arguments and the block's ops that the values are computed from."""
    arguments: set[int] = set()
    ops: set[Op] = set()
    numbers: dict[Value, int] = {argument: number for number, argument in enumerate(block.arguments)}
    worklist = [value for value in values if is_inside(value, block)]
    while worklist:
        operation = (value := worklist.pop()).op
        if operation is None:
            arguments.add(numbers[value])
        elif operation not in ops:
            ops.add(operation)
            worklist += [operand for operand in all_operands(operation) if is_inside(operand, block)]
    return arguments, ops


def _copy_ops(
    block: Block, needed: set[Op], values: dict[Value, Value], target: Block, returned: list[int], rewriter: Rewriter
) -> None:
    """Copy the needed ops and a return of the results `returned` to the end of `target`; `values` maps old to new."""
    for op in block.operations:
        if op in needed:
            copy = rewriter.copy_into(target, op, [values.get(value, value) for value in op.operands])
            values.update(zip(op.results, copy.results, strict=True))
    old = [block.terminator.operands[index] for index in returned]
    rewriter.copy_into(target, block.terminator, [values.get(value, value) for value in old])


@pattern(PATTERNS, "sort", keeps_effects=True)
def sort_without_unused(op: Op, rewriter: Rewriter) -> bool:
    """Drops inputs that the comparator does not look at and whose sorted form nobody uses."""
    block = body_of(op)
    arguments = list(block.arguments)
    kept = [
        index
        for index, result in enumerate(op.results)
        if result.uses or (arguments[2 * index]).uses or (arguments[2 * index + 1]).uses
    ]
    if not kept or len(kept) == len(op.results):
        return False
    operands = list(op.operands)
    new = rewriter.create(
        "sort",
        [operands[index] for index in kept],
        inherent_attributes(op),
        before=op,
        result=[op.results[index].type for index in kept],
        regions=1,
    )
    block.append_to(new.regions[0])
    for index in reversed(range(len(operands))):
        if index not in kept:
            block.erase_argument(2 * index + 1)
            block.erase_argument(2 * index)
    for index, value in zip(kept, new.results, strict=True):
        rewriter.use_instead(op.results[index], value)
    return rewriter.erase(op)


@pattern(PATTERNS, "sort", keeps_effects=True)
def sort_along_named_dimension(op: Op, rewriter: Rewriter) -> bool:
    """A dimension counted from the end is written as counted from the start."""
    dimension = int_of(op.attributes["dimension"]) if "dimension" in op.attributes else -1
    type_ = op.operands[0].tensor.ranked
    if dimension >= 0 or type_ is None:
        return False
    op.attributes["dimension"] = i64(type_.rank + dimension)
    rewriter.push(op)
    return True
