"""Reductions and sorts that do less than they say."""

from __future__ import annotations

import numpy as np

from ...bindings.attributes import int_of
from ..matching import all_known, constant_array, i64, inherent_attributes, ints, is_neutral, same_types, with_shape
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
    values = block.terminator.operands
    if not _reduces_something(op) or any(is_inside(value, block) for value in values):
        return False
    return same_types(values, op.results) and rewriter.replace(op, values)


@pattern(PATTERNS, "reduce", folds=True)
def reduce_gives_constants(op: Op, rewriter: Rewriter) -> bool:
    """A body that only returns constants makes them, broadcast, the results, if the reduction has elements."""
    block = body_of(op)
    if not _reduces_something(op) or any(result.tensor.static_shape is None for result in op.results):
        return False
    if any(nested.name != "stablehlo.constant" for nested in block.operations[:-1]):
        return False
    arrays = all_known(map(constant_array, block.terminator.operands))
    if arrays is None:
        return False
    constants = [
        rewriter.constant(np.broadcast_to(array, result.tensor.shape), result.type, before=op)
        for array, result in zip(arrays, op.results, strict=True)
    ]
    return rewriter.replace(op, constants)


@pattern(PATTERNS, "reduce")
def reduce_of_empty(op: Op, rewriter: Rewriter) -> bool:
    """A reduction of no elements gives the initial values, broadcast."""
    shape = op.operands[0].tensor.static_shape
    if shape is None or 0 not in shape or any(result.tensor.static_shape is None for result in op.results):
        return False
    pairs = list(zip(op.operands[len(op.results) :], [result.type for result in op.results], strict=True))
    if any(with_shape(type_, []) != init.type for init, type_ in pairs):
        return False  # the body computes in a wider type
    along: dict[str, list[int]] = {"broadcast_dimensions": []}
    made = [rewriter.create("broadcast_in_dim", [init], along, before=op, result=type_) for init, type_ in pairs]
    return rewriter.replace(op, [each.results[0] for each in made])


def _body_ignores_init_values(op: Op) -> bool:
    """Whether the body is, for each result, one op on its two arguments with the initial value as its identity."""
    block = body_of(op)
    arguments, count = block.arguments, len(op.results)
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
    inputs = op.operands[:count]
    if ints(op, "dimensions") or not same_types(inputs, op.results):
        return False
    if not rewriter.options.optimize_float and not _body_ignores_init_values(op):
        return False
    return rewriter.replace(op, inputs)


@pattern(PATTERNS, "reduce")
def reduce_of_unused_results(op: Op, rewriter: Rewriter) -> bool:
    """Drop inputs that no used result depends on, if the used results need the pairs of input and initial value at
    their own positions, and the body of these is closed."""
    count = len(op.results)
    used = [index for index, result in enumerate(op.results) if result.uses]
    if not used or len(used) == count:
        return False
    block = body_of(op)
    terminator = block.terminator
    needed_arguments, needed_ops = computed_from([terminator.operands[index] for index in used], block)
    pairs = sorted({index % count for index in needed_arguments})
    if pairs != used or any(needed.regions for needed in needed_ops):
        return False
    operands = [op.operands[number] for number in (*pairs, *[pair + count for pair in pairs])]
    new = _with_results(op, used, operands, rewriter)
    kept = [argument for number, argument in enumerate(block.arguments) if number % count in pairs]
    new_block = rewriter.add_block(new.regions[0], kept)
    values = dict(zip(kept, new_block.arguments, strict=True))
    for inner in block.operations:
        if inner in needed_ops:
            copy = rewriter.copy_into(new_block, inner, [values.get(value, value) for value in inner.operands])
            values.update(zip(inner.results, copy.results, strict=True))
    returned = [terminator.operands[index] for index in used]
    rewriter.copy_into(new_block, terminator, [values.get(value, value) for value in returned])
    for index, value in zip(used, new.results, strict=True):
        rewriter.use_instead(op.results[index], value)
    return rewriter.erase(op)


def _with_results(op: Op, kept: list[int], operands: list[Value], rewriter: Rewriter) -> Op:
    """Create an op like a reduce or sort, on some operands, with the results `kept` and an empty region."""
    types = [op.results[index].type for index in kept]
    return rewriter.create(op.name, operands, inherent_attributes(op), before=op, result=types, regions=1)


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


@pattern(PATTERNS, "sort", keeps_effects=True)
def sort_without_unused(op: Op, rewriter: Rewriter) -> bool:
    """Drop inputs that the comparator does not look at and whose sorted form nobody uses."""
    block = body_of(op)
    arguments = block.arguments
    kept = [
        index
        for index, result in enumerate(op.results)
        if result.uses or arguments[2 * index].uses or arguments[2 * index + 1].uses
    ]
    if not kept or len(kept) == len(op.results):
        return False
    new = _with_results(op, kept, [op.operands[index] for index in kept], rewriter)
    block.append_to(new.regions[0])
    for index in reversed(range(len(op.operands))):
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
