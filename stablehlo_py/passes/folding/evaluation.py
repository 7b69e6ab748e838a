"""Ops of constant operands become constants; the reference interpreter computes them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ...bindings import ir
from ...bindings.attributes import int_of
from ...bindings.build import add_block, create
from ...dialect.facts import OpFacts, facts
from ...errors import StablehloError
from ...interpreter.program import fold, interpret
from ...interpreter.settings import Settings
from ..effects import is_foldable
from ..matching import all_known, constant_array, defining_op, ints, is_constant, splat_value, with_shape
from ..rewriting import Pattern, RewriteOptions, Rewriter, pattern
from ..snapshot.parts import Op, Value, captured_values
from ..snapshot.program import copy_of
from .limits import is_never_folded, reason_to_keep, rounds_floats

PATTERNS: list[Pattern] = []

_MAX_OPERAND_ELEMENTS = 1 << 24  # a constant that repeats one element is small, whatever its dimension sizes
_MAX_STEPS = 100_000  # ops that one evaluation of an op with regions may run: loops may never end


def evaluate(op: Op, operands: list[np.ndarray], captured: dict[Value, np.ndarray]) -> list[np.ndarray]:
    """Return the results of the op, by the interpreter; `captured` are the values that its regions take from outside.

    The operands of an elementwise op may be one element each. Raises `InterpreterError`, for what takes more than
    100,000 steps too.
    """
    types, results = [[value.type for value in values] for values in ((*op.operands, *captured), op.results)]
    if facts(op.name).is_elementwise and not any(array.ndim for array in operands):
        types, results = [[with_shape(type_, []) for type_ in some] for some in (types, results)]
    module, copy = _alone_in_function(op, types, results, list(captured))
    if not op.name.startswith("chlo.") and not op.regions:
        return fold(copy, operands)
    settings = Settings(max_steps=_MAX_STEPS)
    return [np.asarray(value) for value in interpret(module, [*operands, *captured.values()], settings=settings)]


def follows_from(op: Op, is_known: Callable[[Value], bool]) -> bool:
    """Return whether the results are plain tensors that follow from known values alone."""
    if is_never_folded(op) or not op.results or not all(map(is_known, op.operands)):
        return False
    return (
        all(result.tensor.is_plain for result in op.results)
        and is_foldable(op)
        and all(map(is_known, captured_values(op)))
    )


def compute(
    op: Op,
    array_of: Callable[[Value], np.ndarray | None],
    refuse: Callable[[Op, list[np.ndarray]], str],
    keep: Callable[[Op, str], object],
) -> list[np.ndarray] | None:
    """Return the results of an op that follow from constants, or None if it stays.

    Args:
        op: The op.
        array_of: Returns the array of a value, None if its elements cannot be read.
        refuse: Returns the reason not to fold the op of these operands, or an empty text.
        keep: Called with the reason if the op stays.
    """
    captured = captured_values(op)
    arrays = all_known(map(array_of, (*op.operands, *captured)))
    if arrays is None:
        keep(op, "an operand's elements cannot be read")
        return None
    operands, others = arrays[: len(op.operands)], arrays[len(op.operands) :]
    reason = refuse(op, operands)
    if not reason:
        try:
            return evaluate(op, operands, dict(zip(captured, others, strict=True)))
        except StablehloError as error:
            reason = error.message
    keep(op, reason)
    return None


def _alone_in_function(
    op: Op, types: list[ir.Type], result_types: list[ir.Type], captured: Sequence[Value] = ()
) -> tuple[ir.Module, ir.Operation]:
    """Return a module whose `main` runs only a copy of the op, on operands and results of these types.

    Further parameters stand for captured values.
    """
    with op.location.context, op.location:
        module = ir.Module.create()
        function_type = ir.FunctionType.get(types, result_types)
        attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": ir.TypeAttr.get(function_type)}
        function = create("func.func", (), (), attributes, regions=1, at=ir.InsertionPoint(module.body))
        block = add_block(function.regions[0], types)
        point = ir.InsertionPoint(block)
        arguments = list(block.arguments)
        count = len(op.operands)
        copy = copy_of(op, arguments[:count], result_types, dict(zip(captured, arguments[count:], strict=True)), point)
        create("func.return", list(copy.results), (), at=point)
    return module, copy


def _refusal(options: RewriteOptions) -> Callable[[Op, list[np.ndarray]], str]:
    """Return the function that tells why an op of constant operands is not folded."""

    def refuse(op: Op, arrays: list[np.ndarray]) -> str:
        reason = reason_to_keep(op, arrays, keep_suspicious=True)
        if not reason and not options.optimize_float and rounds_floats(op):
            return "optimize-float is off"
        return reason

    return refuse


@pattern(PATTERNS, benefit=3, where=lambda known: known.dialect == "stablehlo" and known.is_elementwise)
def fold_elementwise_of_splats(op: Op, rewriter: Rewriter) -> bool:
    """An elementwise op of constants that repeat one element each computes one element; the limit does not matter."""
    type_ = op.results[0].tensor
    if not type_.is_plain or any(splat_value(value) is None for value in op.operands):
        return False
    results = compute(op, lambda value: np.asarray(splat_value(value)), _refusal(rewriter.options), rewriter.keep)
    return results is not None and _repeat(op, results[0], rewriter)


@pattern(PATTERNS, "broadcast_in_dim", "dynamic_slice", "gather", "reshape", "slice", "transpose", benefit=3)
def fold_movement_of_splat(op: Op, rewriter: Rewriter) -> bool:
    """Any part of a constant that repeats one element repeats that element; the limit does not matter."""
    element = splat_value(op.operands[0])
    if element is None or not op.results[0].tensor.is_plain or op.results[0].tensor.count == 0:
        return False
    return _repeat(op, element, rewriter)


def _repeat(op: Op, element: np.ndarray | np.generic, rewriter: Rewriter) -> bool:
    return rewriter.replace(op, folded(op, [np.broadcast_to(element, op.results[0].tensor.shape)], rewriter))


def _can_compute(known: OpFacts) -> bool:
    is_ours = known.dialect == "stablehlo" or (known.dialect == "chlo" and known.is_elementwise)
    return is_ours and not known.is_control_flow


@pattern(PATTERNS, benefit=2, where=_can_compute)
def fold_constant_operands(op: Op, rewriter: Rewriter) -> bool:
    """An op of constant operands becomes constants, within the limit on elements, if it has no side effects, is the
    same in every process, and has a specified result."""
    if len(op.operands) == 0 or op.name == "stablehlo.dynamic_iota":  # an iota is smaller than its numbers
        return False
    if not follows_from(op, is_constant):
        return False
    limit = rewriter.options.fold_op_element_limit
    count, taken = [max([math.prod(value.tensor.shape) for value in values]) for values in (op.results, op.operands)]
    if count > limit or taken > _MAX_OPERAND_ELEMENTS:
        rewriter.keep(op, f"more elements than the limit of {limit if count > limit else _MAX_OPERAND_ELEMENTS}")
        return False
    operand = constant_array(op.operands[0]) if op.name == "stablehlo.reverse" else None
    if operand is not None:
        dims = ints(op, "dimensions")
        if operand.size == 0 or not any(operand.shape[dim] > 1 and operand.strides[dim] for dim in dims):
            return False  # it changes nothing: simplification needs no new constant for it
    results = compute(op, constant_array, _refusal(rewriter.options), rewriter.keep)
    return results is not None and rewriter.replace(op, folded(op, results, rewriter))


@pattern(PATTERNS, "iota", benefit=2)
def fold_empty_iota(op: Op, rewriter: Rewriter) -> bool:
    """Counting over no elements gives a constant without elements. Longer counts stay: a constant takes the space
    that the op saves."""
    if op.results[0].tensor.count != 0 or not op.results[0].tensor.is_plain:
        return False
    return rewriter.replace(op, [rewriter.constant(0, op.results[0].type, before=op)])


def folded(op: Op, arrays: Sequence[np.ndarray], rewriter: Rewriter) -> list[Value]:
    """Create the constants that the results of an op turned out to be."""
    rewriter.report.ops_folded += 1
    pairs = zip(arrays, op.results, strict=True)
    return [rewriter.constant(array, result.type, before=op) for array, result in pairs]


def _same_splat(first: Value, second: Value) -> bool:
    ops = [defining_op(value, "constant") for value in (first, second)]
    attributes = [op.attributes["value"] for op in ops if op is not None]
    return len(attributes) == 2 and attributes[0] == attributes[1]


@pattern(PATTERNS, "concatenate", benefit=2)
def join_equal_splats(op: Op, rewriter: Rewriter) -> bool:
    """Neighbours in a concatenation that repeat the same element become one constant; no elements are added."""
    dimension = int_of(op.attributes["dimension"])
    groups: list[list[Value]] = []
    for operand in op.operands:
        if groups and splat_value(operand) is not None and _same_splat(groups[-1][0], operand):
            groups[-1].append(operand)
        else:
            groups.append([operand])
    if len(groups) == len(op.operands):
        return False
    joined: list[Value] = []
    for group in groups:
        if len(group) == 1:
            joined.append(group[0])
            continue
        shape = list(group[0].tensor.shape)
        shape[dimension] *= len(group)
        element = splat_value(group[0])
        if element is None:
            return False
        joined.append(rewriter.constant(np.broadcast_to(element, shape), with_shape(group[0].type, shape), before=op))
    if len(joined) == 1 and joined[0].type == op.results[0].type:
        return rewriter.replace(op, joined)
    return rewriter.rewrite_as(op, "concatenate", joined, {"dimension": op.attributes["dimension"]})
