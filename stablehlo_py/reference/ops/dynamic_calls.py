"""Ops whose shapes are operands, in the form of custom calls: what JAX exports of programs with symbolic dimensions
where the dialect has no dynamic op."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.types import Kind
from ..custom_calls import CustomCall, custom_call_handler
from ..settings import require_memory
from .bodies import Array, as_result
from .comparators import Comparison, ascending
from .random import random_bits
from .window import Windows, reduce_windows


def _ints(operand: Array) -> tuple[int, ...]:
    return tuple([int(value) for value in np.ravel(operand)])


@custom_call_handler("stablehlo.dynamic_reduce_window")
def dynamic_reduce_window(call: CustomCall, *operands: Any) -> Any:
    """reduce_window of the first operands, by the called computation, where the last five operands stand for its
    attributes window_dimensions, window_strides, base_dilations, window_dilations and padding."""
    *inputs_and_init_values, dimensions, strides, base_dilations, dilations, padding = operands
    (computation,) = ir.ArrayAttr(call.op.attribute("called_computations"))
    body, facts = call.op.program.body(ir.FlatSymbolRefAttr(computation).value)
    windows = Windows(
        _ints(dimensions), _ints(strides), _ints(base_dilations), _ints(dilations), _ints(padding[:, 0]),
        _ints(padding[:, 1]),
    )  # fmt: skip
    return as_result(reduce_windows(windows, body, facts, inputs_and_init_values))


@custom_call_handler("stablehlo.dynamic_rng_bit_generator")
def dynamic_rng_bit_generator(call: CustomCall, initial_state: Any, output_shape: Any) -> Any:
    """rng_bit_generator of bits in the shape that an operand gives."""
    shape = _ints(output_shape)
    require_memory(shape, call.op.tensor_result(1).dtype)
    return random_bits(call.op)(initial_state, shape)


@custom_call_handler("stablehlo.dynamic_top_k")
def dynamic_top_k(call: CustomCall, operand: Any, k: Any) -> Any:
    """The k largest elements along the last dimension, in descending order, and their indices; of equal ones the first
    comes first, and floats are in their total order. As chlo.top_k, whose k is an attribute."""
    type_ = call.op.tensor_operand(0).element_type
    comparison = Comparison("GT", type_.kind is Kind.FLOAT, type_, 0)
    order = np.argsort(ascending(operand, comparison), axis=-1, kind="stable")[..., : int(k)]
    return np.take_along_axis(operand, order, axis=-1), order.astype(call.op.tensor_result(1).dtype)
