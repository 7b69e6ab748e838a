"""The ops of CHLO that neither work on each element nor broadcast."""

from __future__ import annotations

from ..element_types import I32
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import check_dimension


@dtype_function("chlo.constant", "chlo.constant_like")
def chlo_constant_dtype(value: DType) -> DType:
    """The element type, or the type, of the value. CHLO: constant, constant_like."""
    return value


@shape_function("chlo.top_k")
@cases(
    Invocation("2x?xf32", k=3, returns=["2x3xf32", "2x3xi32"]),
    ErrorInvocation("2x3xf32", k=4, match="4 .* 3"),
    ErrorInvocation("f32", k=1, match="rank"),
)
def chlo_top_k(operand: Shape, k: int) -> tuple[Shape, Shape]:
    """The operand's shape with k elements in the last dimension, twice. CHLO: top_k."""
    assert len(operand) >= 1, "the operand has to have rank 1 at least"
    assert k >= 0, f"k must not be negative, it is {k}"
    assert k <= operand[-1], f"{k} elements are asked for, the last dimension has {operand[-1]}"
    shape = operand[: len(operand) - 1] + [k]
    return shape, shape


@dtype_function("chlo.top_k")
def chlo_top_k_dtype(operand: DType) -> tuple[DType, DType]:
    """The operand's element type, and 32-bit integers for positions. CHLO: top_k."""
    return operand, I32


@shape_function("chlo.scan")
@cases(
    Invocation(
        ["2x3xf32"],
        ["2xf32"],
        dimension=1,
        is_reverse=False,
        is_associative=False,
        regions=[
            "^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):"
            ' %s = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>'
            ' "stablehlo.return"(%s, %s) : (tensor<2xf32>, tensor<2xf32>) -> ()'
        ],
        returns=["2x3xf32", "2xf32"],
    )
)
def chlo_scan(inputs: list[Shape], inits: list[Shape], dimension: int, outputs: list[Shape]) -> list[Shape]:
    """For each output what the body returns with the scanned dimension put in, then what is carried. CHLO: scan."""
    result: list[Shape] = []
    for i in range(len(outputs)):
        shape = outputs[i]
        if len(inputs) > 0:
            check_dimension(dimension, len(shape))
            shape[dimension] = inputs[0][dimension]
        result.append(shape)
    return result + inits
