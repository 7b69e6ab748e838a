"""Ops whose operands hold what is an attribute, or a type, of their static counterparts."""

from __future__ import annotations

from ..language import DYNAMIC, GatherDimensionNumbers, PairValues, Shape, Value, Values
from ..registry import ErrorInvocation, Invocation, cases, shape_function
from .indexing import gather
from .movement import broadcast_in_dim
from .reduction import chlo_top_k, reduce_window
from .shared import check_dimension, product


def declared_or(calculated: list[int], declared: Shape) -> Shape:
    """The calculated dimension sizes, none of them negative; their number is declared."""
    assert len(calculated) == len(declared), f"{len(calculated)} sizes are given for rank {len(declared)}"
    for i in range(len(calculated)):
        assert calculated[i] >= 0, f"dimension {i} would have size {calculated[i]}"
    return calculated


@shape_function("stablehlo.dynamic_broadcast_in_dim")
@cases(
    Invocation(
        "?x3xf32", "3xi32", values={"output_dimensions": [4, 2, 3]}, broadcast_dimensions=[1, 2], returns="4x2x3xf32"
    ),
    ErrorInvocation(
        "5xf32",
        "2xi32",
        values={"output_dimensions": [4, 3]},
        broadcast_dimensions=[1],
        returns="4x3xf32",
        match="dimension 0 .* 5, .* 3",
    ),
)
def dynamic_broadcast_in_dim(
    operand: Shape, output_dimensions: Values, broadcast_dimensions: list[int], result: Shape
) -> Shape:
    """`output_dimensions`; the operand's dimension sizes are 1 or those that they become (C2 to C7). Spec:
    dynamic_broadcast_in_dim."""
    return broadcast_in_dim(operand, broadcast_dimensions, declared_or(output_dimensions, result))


@shape_function("stablehlo.dynamic_gather")
@cases(
    Invocation(
        "3x4x2xf32",
        "2x3x2xi64",
        "3xi64",
        values={"slice_sizes": [1, 2, 2]},
        dimension_numbers=GatherDimensionNumbers([2, 3], [0], [], [], [1, 0], 2),
        indices_are_sorted=False,
        returns="2x3x2x2xf32",
    )
)
def dynamic_gather(
    operand: Shape, start_indices: Shape, slice_sizes: Values, dimension_numbers: GatherDimensionNumbers
) -> Shape:
    """As gather, with `slice_sizes` as an operand. Spec: dynamic_gather."""
    return gather(operand, start_indices, dimension_numbers, slice_sizes)


@shape_function("stablehlo.dynamic_iota")
@cases(
    Invocation("2xi32", values={"output_shape": [2, 3]}, iota_dimension=1, returns="2x3xi32"),
    ErrorInvocation("2xi32", values={"output_shape": [2, 3]}, iota_dimension=2, returns="2x3xi32", match="range"),
)
def dynamic_iota(output_shape: Values, iota_dimension: int, result: Shape) -> Shape:
    """`output_shape`, which has the dimension that counts up (C1, C2). Spec: dynamic_iota."""
    check_dimension(iota_dimension, len(result))
    return declared_or(output_shape, result)


@shape_function("stablehlo.dynamic_reshape")
@cases(
    Invocation("2x6xf32", "2xi32", values={"output_shape": [3, 4]}, returns="3x4xf32"),
    ErrorInvocation("2x6xf32", "2xi32", values={"output_shape": [3, 5]}, returns="3x5xf32", match="12 .* 15"),
)
def dynamic_reshape(operand: Shape, output_shape: Values, result: Shape) -> Shape:
    """`output_shape`, for as many elements (C2, C3). Spec: dynamic_reshape."""
    total = product(operand)
    wanted = product(output_shape)
    assert total == wanted, f"the operand has {total} elements, the result would have {wanted}"
    return declared_or(output_shape, result)


@shape_function("stablehlo.real_dynamic_slice")
@cases(
    Invocation(
        "9xf32",
        "1xi32",
        "1xi32",
        "1xi32",
        values={"start_indices": [1], "limit_indices": [8], "strides": [2]},
        returns="4xf32",
    )
)
def real_dynamic_slice(
    operand: Shape, start_indices: Values, limit_indices: Values, strides: Values, result: Shape
) -> Shape:
    """The number of steps of the stride between start and limit. Spec: slice, with operands for its attributes."""
    calculated: Shape = []
    for i in range(len(operand)):
        assert strides[i] > 0, f"the stride of dimension {i} has to be positive, it is {strides[i]}"
        if strides[i] == 1:
            calculated.append(limit_indices[i] - start_indices[i])
        else:
            calculated.append((limit_indices[i] - start_indices[i] + strides[i] - 1) // strides[i])
    return declared_or(calculated, result)


@shape_function("stablehlo.set_dimension_size")
@cases(
    Invocation("2x3xf32", "i32", dimension=1, returns="tensor<2x?xf32, #stablehlo.bounds<?, 3>>"),
    ErrorInvocation("2x3xf32", "i32", dimension=2, match="out of range"),
)
def set_dimension_size(operand: Shape, dimension: int) -> Shape:
    """The operand's shape with one dimension size that is decided when the program runs. XLA: SetDimensionSize."""
    check_dimension(dimension, len(operand))
    operand[dimension] = DYNAMIC
    return operand


@shape_function("stablehlo.custom_call", target="stablehlo.dynamic_reduce_window")
def dynamic_reduce_window(
    inputs: list[Shape],
    init_values: list[Shape],
    window_dimensions: Values,
    window_strides: Values,
    base_dilations: Values,
    window_dilations: Values,
    padding: PairValues,
) -> list[Shape]:
    """As reduce_window, with its attributes as operands: what JAX exports for windows of unknown size."""
    return reduce_window(inputs, window_dimensions, window_strides, base_dilations, window_dilations, padding)


@shape_function("stablehlo.custom_call", target="stablehlo.dynamic_rng_bit_generator")
def dynamic_rng_bit_generator(initial_state: Shape, output_shape: Values, results: list[Shape]) -> list[Shape]:
    """As rng_bit_generator, with the shape of the bits as an operand."""
    return [initial_state, declared_or(output_shape, results[1])]


@shape_function("stablehlo.custom_call", target="stablehlo.dynamic_top_k")
def dynamic_top_k(operand: Shape, k: Value) -> tuple[Shape, Shape]:
    """As CHLO's top_k, with k as an operand."""
    return chlo_top_k(operand, k)
