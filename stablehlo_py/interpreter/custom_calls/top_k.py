"""The largest elements: calls that XLA's compiler expands."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bindings import ir
from ...bindings.types import Kind
from ..ops.bodies import NUMPY_TYPES, Array, as_result
from .call import CustomCall
from .registry import runs


def largest(call: CustomCall, operand: Array, k: int, direction: str = "GT") -> tuple[np.ndarray, np.ndarray]:
    """The k first elements along the last dimension, in descending order (ascending for `LT`), and their indices; of
    equal ones the first comes first, and floats are in their total order."""
    values = np.asarray(operand)
    key: np.ndarray = values
    if call.op.tensor_operand(0).element_type.kind is Kind.FLOAT:
        key = call.op.arithmetic().total_order_key(values)
    elif values.dtype not in NUMPY_TYPES:
        key = values.astype(np.int8)
    order = np.argsort(key if direction == "LT" else ~key, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(values, order, axis=-1), order


@runs("TopK", "mhlo.topk")
def top_k(call: CustomCall, operand: Array) -> Any:
    """The largest elements along the last dimension, as many as the results have, and their indices."""
    attributes = call.op.attribute("mhlo.attributes", None)
    smallest = attributes is not None and "largest" in attributes and not ir.BoolAttr(attributes["largest"]).value
    k = call.op.tensor_result(0).shape[-1]
    if k is None:
        raise call.op.error("does not say how many elements it takes")
    values, order = largest(call, operand, k, "LT" if smallest else "GT")
    return values, order.astype(call.op.tensor_result(1).dtype)


@runs("stablehlo.dynamic_top_k")
def dynamic_top_k(call: CustomCall, operand: Array, k: Array) -> Any:
    """As chlo.top_k, whose k is an attribute."""
    values, order = largest(call, operand, int(k))
    return values, order.astype(call.op.tensor_result(1).dtype)


@runs("ApproxTopK", "PartialReduce")
def approx_top_k(call: CustomCall, *operands: Array) -> Any:
    """The exact result: the first `top_k` elements of each lane in the order of the comparator."""
    return _first(call, operands[: len(operands) // 2], call.backend_config.get("top_k"))


@runs("stablehlo.dynamic_approx_top_k")
def dynamic_approx_top_k(call: CustomCall, *operands: Array) -> Any:
    """As ApproxTopK, where k is an operand after the inputs and initial values, before the shapes of the results."""
    inputs = len(call.result_types)
    return _first(call, operands[:inputs], int(operands[2 * inputs]))


def _first(call: CustomCall, inputs: tuple[Any, ...], k: int | None) -> Any:
    """Return the first k elements along the reduction dimension in the order of the called comparator, stably."""
    dimension = call.backend_config["reduction_dim"]
    body, facts = call.op.program.body(call.called_computations[0])
    lanes = tuple([np.moveaxis(np.asarray(value), dimension, -1) for value in inputs])
    size = k if k is not None else call.op.tensor_result(0).shape[dimension]
    order = call.op.program.reading.stable_order(body, facts, lanes)[..., :size]
    results = [np.moveaxis(np.take_along_axis(lane, order, axis=-1), -1, dimension) for lane in lanes]
    return as_result(tuple(results))
