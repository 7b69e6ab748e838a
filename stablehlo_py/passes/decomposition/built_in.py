"""Ops expressed by others, where the spec or XLA defines them so."""

from __future__ import annotations

import math
from typing import Any

from ...bindings import stablehlo_extension
from ...bindings.types import ElementType
from ...shapes.registry import decomposition
from ..rewriting import plain
from .ops import NotDecomposableError, Ops, Tensor


def _can_overflow(element: ElementType) -> bool:
    """Need infinity for large intermediate results of a finite result: else it is NaN, or some number."""
    return element.has_infinity


def _needs_no_accuracy(stated: Any) -> None:
    """Refuse to replace an op that states the accuracy of its result: several roundings promise none."""
    if stated is not None and stablehlo_extension.ResultAccuracyAttr(stated).mode != "DEFAULT":
        raise NotDecomposableError


@decomposition("stablehlo.logistic", needs=_can_overflow)
def logistic(hlo: Ops, operand: Tensor, result_accuracy: Any) -> Tensor:
    """1 / (1 + exp(-x)). Spec: logistic."""
    _needs_no_accuracy(result_accuracy)
    one = hlo.constant_like(1.0, operand)
    return hlo.divide(one, hlo.add(one, hlo.exponential(hlo.negate(operand))))


@decomposition("stablehlo.tan", needs=lambda element: element.is_real and _can_overflow(element))
def tan(hlo: Ops, operand: Tensor, result_accuracy: Any) -> Tensor:
    """sin(x) / cos(x). Spec: tan."""
    _needs_no_accuracy(result_accuracy)
    return hlo.divide(hlo.sine(operand), hlo.cosine(operand))


@decomposition("stablehlo.clamp", needs=plain)
def clamp(hlo: Ops, min: Tensor, operand: Tensor, max: Tensor) -> Tensor:  # noqa: A002 (the names are the op's)
    """minimum(maximum(operand, min), max). Spec: clamp."""
    low = hlo.chlo.broadcast_maximum(operand, min, result=operand.type)
    return hlo.chlo.broadcast_minimum(low, max, result=operand.type)


@decomposition("stablehlo.broadcast", needs=plain)
def broadcast(hlo: Ops, operand: Tensor, broadcast_sizes: list[int]) -> Tensor:
    """broadcast_in_dim to the last dimensions. Deprecated: broadcast_in_dim."""
    first = len(broadcast_sizes)
    dimensions = [first + i for i in range(len(hlo.shape(operand)))]
    return hlo.broadcast_in_dim(operand, broadcast_dimensions=dimensions, result=hlo.result_type())


@decomposition("stablehlo.dot", needs=plain)
def dot(hlo: Ops, lhs: Tensor, rhs: Tensor, precision_config: Any) -> Tensor:
    """dot_general over the last dimension of lhs and the first of rhs. Deprecated: dot_general."""
    last = len(hlo.shape(lhs)) - 1
    numbers = f"#stablehlo.dot<lhs_contracting_dimensions = [{last}], rhs_contracting_dimensions = [0]>"
    precision = {} if precision_config is None else {"precision_config": precision_config}
    return hlo.dot_general(lhs, rhs, dot_dimension_numbers=numbers, result=hlo.result_type(), **precision)


@decomposition("stablehlo.einsum", needs=plain)
def einsum(hlo: Ops, lhs: Tensor, rhs: Tensor, einsum_config: str) -> Tensor:
    """dot_general, and a transpose where the result has its letters in another order. Deprecated: dot_general."""
    inputs, output = einsum_config.replace(" ", "").split("->")
    left, right = inputs.split(",")
    shared = [letter for letter in left if letter in right]
    batch = [letter for letter in shared if letter in output]
    contract = [letter for letter in shared if letter not in output]
    alone = [letter for letter in left + right if letter not in shared]
    if any(len(set(part)) != len(part) for part in (left, right)) or any(letter not in output for letter in alone):
        raise NotDecomposableError
    numbers = ", ".join(
        f"{side}_{kind}_dimensions = {[letters.index(letter) for letter in chosen]}"
        for side, letters in (("lhs", left), ("rhs", right))
        for kind, chosen in (("batching", batch), ("contracting", contract))
    )
    order = [*batch, *(letter for letter in left if letter in alone), *(letter for letter in right if letter in alone)]
    sizes = dict(zip(left + right, hlo.shape(lhs) + hlo.shape(rhs), strict=True))
    product = hlo.dot_general(
        lhs,
        rhs,
        dot_dimension_numbers=f"#stablehlo.dot<{numbers}>",
        result=hlo.tensor_type([sizes[letter] for letter in order], lhs),
    )
    if order == list(output):
        return product
    return hlo.transpose(product, permutation=[order.index(letter) for letter in output])


@decomposition("stablehlo.batch_norm_inference", needs=_can_overflow)
def batch_norm_inference(
    hlo: Ops,
    operand: Tensor,
    scale: Tensor,
    offset: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: Any,
    feature_index: int,
) -> Tensor:
    """(operand - mean) / sqrt(variance + epsilon) * scale + offset. Spec: batch_norm_inference."""
    deviation = hlo.sqrt(hlo.add(variance, hlo.constant_like(epsilon.value, variance)))
    centered = hlo.along("subtract", operand, mean, feature_index)
    normalized = hlo.along("divide", centered, deviation, feature_index)
    return hlo.along("add", hlo.along("multiply", normalized, scale, feature_index), offset, feature_index)


def _other_dimensions(hlo: Ops, operand: Tensor, feature_index: int) -> tuple[list[int], float]:
    """Return all dimensions except that of the features, and the number of their elements."""
    shape = hlo.shape(operand)
    others = [i for i in range(len(shape)) if i != feature_index]
    return others, float(math.prod(shape[i] for i in others))


@decomposition("stablehlo.batch_norm_training", needs=_can_overflow)
def batch_norm_training(
    hlo: Ops, operand: Tensor, scale: Tensor, offset: Tensor, epsilon: Any, feature_index: int
) -> tuple[Tensor, Tensor, Tensor]:
    """batch_norm_inference with the operand's own mean and variance, and these. Spec: batch_norm_training."""
    others, count = _other_dimensions(hlo, operand, feature_index)
    elements = hlo.constant_like(count, scale)
    mean = hlo.divide(hlo.sum(operand, others), elements)
    centered = hlo.along("subtract", operand, mean, feature_index)
    variance = hlo.divide(hlo.sum(hlo.multiply(centered, centered), others), elements)
    output = hlo.create(
        "stablehlo.batch_norm_inference",
        [operand, scale, offset, mean, variance],
        operand.type,
        {"epsilon": epsilon, "feature_index": feature_index},
    )
    return output, mean, variance


@decomposition("stablehlo.batch_norm_grad", needs=_can_overflow)
def batch_norm_grad(
    hlo: Ops,
    operand: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    grad_output: Tensor,
    epsilon: Any,
    feature_index: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients with respect to operand, scale and offset of batch_norm_training. Spec: batch_norm_grad."""
    others, count = _other_dimensions(hlo, operand, feature_index)
    elements = hlo.constant_like(count, scale)
    spread = hlo.add(variance, hlo.constant_like(epsilon.value, variance))
    deviation = hlo.sqrt(spread)
    centered = hlo.along("subtract", operand, mean, feature_index)
    grad_offset = hlo.sum(grad_output, others)
    moment = hlo.sum(hlo.multiply(grad_output, centered), others)
    grad_scale = hlo.divide(moment, deviation)
    share = hlo.along("divide", hlo.along("multiply", centered, moment, feature_index), spread, feature_index)
    scaled = hlo.along("multiply", grad_output, elements, feature_index)
    rest = hlo.subtract(hlo.along("subtract", scaled, grad_offset, feature_index), share)
    factor = hlo.divide(hlo.divide(scale, deviation), elements)
    return hlo.along("multiply", rest, factor, feature_index), grad_scale, grad_offset
