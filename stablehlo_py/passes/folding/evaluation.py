"""Ops of constant operands become constants; the reference interpreter computes them."""

from __future__ import annotations

import math

import numpy as np

from ...bindings import ir
from ...errors import StablehloError
from ..effects import is_foldable
from ..matching import (
    constant_array,
    defining_op,
    element_count,
    has_no_encoding,
    inherent_attributes,
    ints,
    is_constant,
    is_quantized,
    shape_of,
    splat_value,
    static_shape,
    with_shape,
)
from ..rewriting import Pattern, Rewriter, captured_operands, pattern
from .limits import ELEMENTWISE, NEVER_FOLDED, reason_to_keep, rounds_floats

PATTERNS: list[Pattern] = []

_MOVES_FIRST_OPERAND = ("broadcast_in_dim", "dynamic_slice", "gather", "reshape", "slice", "transpose")
CHLO_FUNCTIONS = tuple(
    f"chlo.{name}"
    for name in (
        *("acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma", "erf"),
        *("erf_inv", "erfc", "is_inf", "is_neg_inf", "is_pos_inf", "lgamma", "next_after", "polygamma", "sinh"),
        *("square", "tan", "zeta"),
    )
)


def evaluate(op: ir.Operation, operands: list[np.ndarray]) -> list[np.ndarray]:
    """What the interpreter computes for the op. Raises `InterpreterError`."""
    if op.name.startswith("chlo."):
        return _evaluate_chlo(op, operands)
    from ...reference.interpreter import fold

    return fold(op, operands)


def _alone_in_function(
    op: ir.Operation, operand_types: list[ir.Type], result_types: list[ir.Type]
) -> tuple[ir.Module, ir.Operation]:
    """A module whose `main` does nothing but an op like this one, on operands and results of these types."""
    with op.context, op.location:
        module = ir.Module.create()
        function_type = ir.FunctionType.get(operand_types, result_types)
        attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": ir.TypeAttr.get(function_type)}
        function = ir.Operation.create("func.func", attributes=attributes, regions=1, ip=ir.InsertionPoint(module.body))
        block = ir.Block.create_at_start(function.regions[0], operand_types, [op.location] * len(operand_types))
        point = ir.InsertionPoint(block)
        copy = ir.Operation.create(
            op.name,
            results=result_types,
            operands=list(block.arguments),
            attributes=inherent_attributes(op),
            ip=point,
        )
        ir.Operation.create("func.return", operands=list(copy.results), ip=point)
    return module, copy


def _evaluate_chlo(op: ir.Operation, operands: list[np.ndarray]) -> list[np.ndarray]:
    """Runs a function that does nothing but the op: CHLO ops are lowered there."""
    from ...reference.interpreter import interpret

    types = [operand.type for operand in op.operands]
    module, _ = _alone_in_function(op, types, [result.type for result in op.results])
    return [np.asarray(value) for value in interpret(module, operands)]


def _evaluate_one_element(op: ir.Operation, elements: list[np.generic]) -> np.ndarray:
    """What an elementwise op gives for one element of each operand."""
    operand_types = [with_shape(operand.type, []) for operand in op.operands]
    module, scalar_op = _alone_in_function(op, operand_types, [with_shape(op.results[0].type, [])])
    result = evaluate(scalar_op, [np.asarray(element) for element in elements])[0]
    del module  # lives until here, as the op is part of it
    return result


def _foldable_type(value: ir.Value) -> bool:
    return static_shape(value) is not None and has_no_encoding(value) and not is_quantized(value)


def _refuse(op: ir.Operation, arrays: list[np.ndarray], rewriter: Rewriter) -> bool:
    """Notes why an op of constant operands is not folded. Returns whether it is not."""
    reason = reason_to_keep(op, arrays)
    if not reason and not rewriter.options.optimize_float and rounds_floats(op):
        reason = "optimize-float is off"
    if reason:
        rewriter.keep(op, reason)
    return bool(reason)


@pattern(PATTERNS, *ELEMENTWISE, benefit=3)
def fold_elementwise_of_splats(op: ir.Operation, rewriter: Rewriter) -> bool:
    """An elementwise op of constants that repeat one element each computes one element; the limit does not matter."""
    if not _foldable_type(op.results[0]):
        return False
    elements = [element for value in op.operands if (element := splat_value(value)) is not None]
    if len(elements) < len(op.operands) or element_count(op.results[0]) == 0:
        return False
    if _refuse(op, [np.asarray(element) for element in elements], rewriter):
        return False
    try:
        result = _evaluate_one_element(op, elements)
    except StablehloError as error:
        rewriter.keep(op, error.message)
        return False
    _replace_by_constants(op, [np.broadcast_to(result, shape_of(op.results[0].type))], rewriter)
    return True


@pattern(PATTERNS, *_MOVES_FIRST_OPERAND, benefit=3)
def fold_movement_of_splat(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Whatever part is taken of a constant that repeats one element, it repeats that element; the limit does not
    matter."""
    element = splat_value(op.operands[0])
    if element is None or not _foldable_type(op.results[0]) or element_count(op.results[0]) == 0:
        return False
    _replace_by_constants(op, [np.broadcast_to(element, shape_of(op.results[0].type))], rewriter)
    return True


def _is_reverse_of_nothing(op: ir.Operation, operand: np.ndarray) -> bool:
    """A reverse that changes nothing is left to simplification, which needs no new constant for it."""
    if op.name != "stablehlo.reverse":
        return False
    dims = ints(op, "dimensions")
    return operand.size <= 1 or not any(operand.shape[dim] > 1 and operand.strides[dim] for dim in dims)


@pattern(PATTERNS, benefit=2)
@pattern(PATTERNS, *CHLO_FUNCTIONS, benefit=2)
def fold_constant_operands(op: ir.Operation, rewriter: Rewriter) -> bool:
    """An op of constant operands gives constants, within the limit on elements, if it has no side effects, is the
    same in every process, and the spec says what it gives."""
    if op.name in NEVER_FOLDED or len(op.operands) == 0 or not all(map(is_constant, op.operands)):
        return False
    if not all(map(_foldable_type, op.results)) or not is_foldable(op):
        return False
    count = max((math.prod(shape_of(result.type)) for result in op.results), default=0)
    if count > rewriter.options.fold_op_element_limit:
        rewriter.keep(op, f"more elements than the limit of {rewriter.options.fold_op_element_limit}")
        return False
    arrays = [array for value in op.operands if (array := constant_array(value)) is not None]
    if len(arrays) < len(op.operands) or any(captured_operands(region) for region in op.regions):
        rewriter.keep(op, "uses values that are no constants")
        return False
    if _is_reverse_of_nothing(op, arrays[0]) or _refuse(op, arrays, rewriter):
        return False
    try:
        results = evaluate(op, arrays)
    except StablehloError as error:
        rewriter.keep(op, error.message)
        return False
    _replace_by_constants(op, results, rewriter)
    return True


def _replace_by_constants(op: ir.Operation, arrays: list[np.ndarray], rewriter: Rewriter) -> None:
    values = [
        rewriter.constant(array, result.type, before=op) for array, result in zip(arrays, op.results, strict=True)
    ]
    rewriter.report.ops_folded += 1
    rewriter.replace(op, values)


def _same_splat(first: ir.Value, second: ir.Value) -> bool:
    ops = [defining_op(value, "constant") for value in (first, second)]
    attributes = [op.attributes["value"] for op in ops if op is not None]
    return first.type == second.type and len(attributes) == 2 and attributes[0] == attributes[1]


@pattern(PATTERNS, "concatenate", benefit=2)
def join_equal_splats(op: ir.Operation, rewriter: Rewriter) -> bool:
    """Neighbours in a concatenation that repeat the same element become one constant; no elements are added."""
    dimension = ir.IntegerAttr(op.attributes["dimension"]).value
    groups: list[list[ir.Value]] = []
    for operand in op.operands:
        if groups and splat_value(operand) is not None and _same_splat(groups[-1][0], operand):
            groups[-1].append(operand)
        else:
            groups.append([operand])
    if len(groups) == len(op.operands):
        return False
    joined: list[ir.Value] = []
    for group in groups:
        if len(group) == 1:
            joined.append(group[0])
            continue
        shape = list(shape_of(group[0].type))
        shape[dimension] *= len(group)
        element = splat_value(group[0])
        if element is None:
            return False
        joined.append(rewriter.constant(np.broadcast_to(element, shape), with_shape(group[0].type, shape), before=op))
    if len(joined) == 1 and joined[0].type == op.results[0].type:
        rewriter.replace(op, joined)
    else:
        rewriter.replace_with(op, "concatenate", joined, {"dimension": op.attributes["dimension"]})
    return True
