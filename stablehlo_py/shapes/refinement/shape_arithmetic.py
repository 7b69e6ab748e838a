"""Evaluates the ops that programs compute shapes with, on small integer tensors whose elements are partly unknown.

The elements of a tensor are a flat tuple in row-major order. Known integers wrap around at their type's width, as the
spec has it. Symbols are dimension sizes and functions of them, which are assumed not to overflow.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.attributes import int_of
from ...bindings.elements import constant_value
from ..evaluation import symbols
from ..evaluation.attributes import read_attribute
from ..evaluation.conditions import Condition, both, choose, compare, either, negate
from ..evaluation.op_arguments import declared_shape
from ..evaluation.symbols import Expression, Number, interval
from .value_facts import Elements, ValueFacts, is_unknown, small_integer_count


def _wrapped(value: Any, type_: ir.Type) -> Any:
    if isinstance(value, bool) or not isinstance(value, int) or not isinstance(type_, ir.IntegerType):
        return value
    width = type_.width
    value &= (1 << width) - 1
    return value if type_.is_unsigned or width == 1 or value < 1 << (width - 1) else value - (1 << width)


def _divide(left: Number, right: Number) -> Number | None:
    """Division that rounds to zero, if the rounding is known."""
    if isinstance(left, int) and isinstance(right, int):
        if right == 0:
            return None
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    lows = [interval(value)[0] for value in (left, right)]
    if right == 0 or any(low is None or low < 0 for low in lows):
        return None
    return left // right


def _remainder(left: Number, right: Number) -> Number | None:
    quotient = _divide(left, right)
    return None if quotient is None else left - quotient * right


def _power(left: Number, right: Number) -> Number | None:
    if not isinstance(right, int) or not 0 <= right <= 64:
        return None
    return math.prod([left] * right)


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "stablehlo.add": operator.add,
    "stablehlo.subtract": operator.sub,
    "stablehlo.multiply": operator.mul,
    "stablehlo.maximum": symbols.maximum,
    "stablehlo.minimum": symbols.minimum,
    "stablehlo.divide": _divide,
    "stablehlo.remainder": _remainder,
    "stablehlo.power": _power,
}
_LOGICAL: dict[str, Callable[[Any, Any], Any]] = {
    "stablehlo.and": both,
    "stablehlo.or": either,
    "stablehlo.add": either,
    "stablehlo.multiply": both,
    "stablehlo.maximum": either,
    "stablehlo.minimum": both,
}
_PREDICATES = {"EQ": "eq", "NE": "ne", "LT": "slt", "LE": "sle", "GT": "sgt", "GE": "sge"}


def _element_type(value: ir.Value) -> ir.Type:
    return ir.RankedTensorType(value.type).element_type


def _is_boolean(value: ir.Value) -> bool:
    type_ = _element_type(value)
    return isinstance(type_, ir.IntegerType) and type_.width == 1


def _function(name: str, operand: ir.Value) -> Callable[[Any, Any], Any] | None:
    """Return the function of an op on two elements such as the operand's."""
    return (_LOGICAL if _is_boolean(operand) else _BINARY).get(name)


def _pairwise(op: ir.Operation, operands: Sequence[Elements]) -> list[Any] | None:
    function = _function(op.name, op.operands[0])
    return None if function is None else list(map(function, *operands))


def _compare(op: ir.Operation, operands: Sequence[Elements]) -> list[Any] | None:
    predicate = _PREDICATES[read_attribute(op.attributes["comparison_direction"], "str")]
    if _is_boolean(op.operands[0]) and predicate not in ("eq", "ne"):
        return None
    return [compare(predicate, a, b) for a, b in zip(*operands, strict=True)]


def _spread(operands: Sequence[Elements]) -> list[Elements]:
    """Return the operands with scalars repeated for each element of the second one."""
    return [part * len(operands[1]) if len(part) == 1 else part for part in operands]


def _select(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    return list(map(choose, *_spread(operands)))


def _clamp(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    return [symbols.minimum(symbols.maximum(b, a), c) for a, b, c in zip(*_spread(operands), strict=True)]


def _convert(op: ir.Operation, operands: Sequence[Elements]) -> list[Any] | None:
    if _is_boolean(op.results[0]) and not _is_boolean(op.operands[0]):
        return [compare("ne", value, 0) for value in operands[0]]
    if _is_boolean(op.operands[0]) and not _is_boolean(op.results[0]):
        return [choose(value, 1, 0) for value in operands[0]]
    return list(operands[0])


def array_of(value: ir.Value, elements: Elements) -> np.ndarray:
    """Return the elements in the shape of their tensor. They stay objects: numpy makes floats of large integers."""
    flat = np.empty(len(elements), object)
    flat[:] = elements
    return flat.reshape(declared_shape(value.type))


def _concatenate(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    arrays = [array_of(*pair) for pair in zip(op.operands, operands, strict=True)]
    return np.concatenate(arrays, int_of(op.attributes["dimension"])).ravel().tolist()


def _slice(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    names = ("start_indices", "limit_indices", "strides")
    bounds = [read_attribute(op.attributes[name], "list[int]") for name in names]
    return array_of(op.operands[0], operands[0])[(*map(slice, *bounds), ...)].ravel().tolist()


def _broadcast(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    dimensions: list[int] = read_attribute(op.attributes["broadcast_dimensions"], "list[int]")
    operand, shape = array_of(op.operands[0], operands[0]), declared_shape(op.results[0].type)
    sizes = dict(zip(dimensions, operand.shape, strict=True))
    ordered = operand.transpose(sorted(range(operand.ndim), key=dimensions.__getitem__))
    return np.broadcast_to(ordered.reshape([sizes.get(d, 1) for d in range(len(shape))]), shape).ravel().tolist()


def _iota(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    return np.indices(declared_shape(op.results[0].type))[int_of(op.attributes["iota_dimension"])].ravel().tolist()


def _reduce(op: ir.Operation, operands: Sequence[Elements]) -> list[Any] | None:
    body = op.regions[0].blocks[0].operations
    function = _function(body[0].operation.name, op.operands[0])
    if len(op.operands) != 2 or len(body) != 2 or function is None or declared_shape(op.results[0].type):
        return None
    return [reduce(function, operands[0], operands[1][0])]


def _constant(op: ir.Operation, operands: Sequence[Elements]) -> list[Any]:
    array = constant_value(op).reshape(-1)
    return [bool(item) for item in array] if _is_boolean(op.results[0]) else [int(item) for item in array]


def _by_each(function: Callable[[Any], Any]) -> Callable[[ir.Operation, Sequence[Elements]], list[Any]]:
    return lambda op, operands: [function(value) for value in operands[0]]


def _sign(value: Number) -> Number | None:
    low, high = interval(value)
    if isinstance(value, int):
        return (value > 0) - (value < 0)
    if low is not None and low > 0:
        return 1
    if high is not None and high < 0:
        return -1
    if low == 0:
        return symbols.minimum(value, 1)
    return None


def _absolute(value: Number) -> Number | None:
    low, high = interval(value)
    if low is not None and low >= 0:
        return value
    return -value if high is not None and high <= 0 else None


_same = _by_each(lambda value: value)
Handler = Callable[[ir.Operation, Sequence[Elements]], list[Any] | None]
HANDLERS: dict[str, Handler] = {
    **dict.fromkeys([*_BINARY, *_LOGICAL], _pairwise),
    "stablehlo.compare": _compare,
    "stablehlo.select": _select,
    "stablehlo.clamp": _clamp,
    "stablehlo.convert": _convert,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.slice": _slice,
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.dynamic_broadcast_in_dim": _broadcast,
    "stablehlo.iota": _iota,
    "stablehlo.reduce": _reduce,
    "stablehlo.constant": _constant,
    "stablehlo.reshape": _same,
    "stablehlo.dynamic_reshape": _same,
    "stablehlo.optimization_barrier": _same,
    "stablehlo.negate": _by_each(operator.neg),
    "stablehlo.sign": _by_each(_sign),
    "stablehlo.abs": _by_each(_absolute),
    "stablehlo.not": _by_each(lambda value: negate(value) if isinstance(value, bool | Condition) else None),
}
# Ops that do nothing but compute: where their elements are known, a constant can stand for them.
FOLDABLE = {*HANDLERS, "stablehlo.get_dimension_size"} - {"stablehlo.constant", "stablehlo.optimization_barrier"}
_ONLY_FIRST = {"stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_reshape"}


def evaluate_elements(op: ir.Operation, name: str, facts: ValueFacts) -> None:
    """Find out the elements of an op's result, if it is a small integer tensor that a shape depends on, or all of
    whose operands are numbers."""
    handler = HANDLERS.get(name)
    if handler is None and name != "stablehlo.get_dimension_size":
        return
    if len(op.results) != 1 or small_integer_count(op.results[0].type) is None:
        return
    result = op.results[0]
    if handler is None:
        sizes = facts.sizes(op.operands[0])
        if sizes is not None:
            facts.set_elements(result, (sizes[int_of(op.attributes["dimension"])],))
        return
    sources = list(op.operands)[: 1 if name in _ONLY_FIRST else None]
    if not all(facts.is_concrete(operand) for operand in sources) and result not in facts.demanded:
        facts.forget_elements(result)
        return
    operands = [facts.elements(operand) for operand in sources]
    if any(elements is None for elements in operands):
        return
    values = handler(op, [elements for elements in operands if elements is not None])
    if values is None:
        return
    type_ = _element_type(result)
    facts.set_elements(
        result,
        tuple([_found(facts, result, i, _wrapped(value, type_)) for i, value in enumerate(values)]),
    )


def _found(facts: ValueFacts, result: ir.Value, position: int, value: Any) -> Any:
    """Return the element, or a symbol of its own if it is unknown or too large."""
    if value is not None and not (isinstance(value, Expression) and is_unknown(value)):
        return value
    fresh = facts.fresh_element(result, position)
    return Condition("unknown", fresh) if _is_boolean(result) else fresh
