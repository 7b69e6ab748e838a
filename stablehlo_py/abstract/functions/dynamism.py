"""Ops whose operands hold what is an attribute, or a type, of their static counterparts."""

from __future__ import annotations

from ..language import DYNAMIC, DType, GatherDimensionNumbers, Shape, Values
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .indexing import gather_shape
from .shared import check_dimension, check_dimensions, product, same_dtype, unless_quantized


def declared_or(calculated: list[int], declared: Shape) -> Shape:
    """The extents calculated, none of which may be negative; as many as are declared."""
    assert len(calculated) == len(declared), f"{len(calculated)} extents are given for rank {len(declared)}"
    for i in range(len(calculated)):
        assert calculated[i] >= 0, f"dimension {i} would have extent {calculated[i]}"
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
    """`output_dimensions`; the operand's extents are 1 or those that they become (C2 to C7). Spec:
    dynamic_broadcast_in_dim."""
    assert len(broadcast_dimensions) == len(operand), (
        f"{len(broadcast_dimensions)} broadcast_dimensions are given for an operand of rank {len(operand)}"
    )
    check_dimensions(broadcast_dimensions, len(output_dimensions))
    for i in range(len(operand)):
        extent = output_dimensions[broadcast_dimensions[i]]
        assert operand[i] == 1 or operand[i] == extent, (
            f"dimension {i} of the operand is {operand[i]}, neither 1 nor the result's {extent}"
        )
    return declared_or(output_dimensions, result)


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
    return gather_shape(
        operand,
        start_indices,
        slice_sizes,
        dimension_numbers.offset_dims,
        dimension_numbers.collapsed_slice_dims,
        dimension_numbers.operand_batching_dims,
        dimension_numbers.index_vector_dim,
    )


@shape_function("stablehlo.dynamic_iota")
@cases(
    Invocation("2xi32", values={"output_shape": [2, 3]}, iota_dimension=1, returns="2x3xi32"),
    ErrorInvocation("2xi32", values={"output_shape": [2, 3]}, iota_dimension=2, returns="2x3xi32", match="range"),
)
def dynamic_iota(output_shape: Values, iota_dimension: int, result: Shape) -> Shape:
    """`output_shape`, which has the dimension that counts up (C1, C2). Spec: dynamic_iota."""
    check_dimension(iota_dimension, len(result))
    return declared_or(output_shape, result)


@dtype_function("stablehlo.dynamic_iota")
def dynamic_iota_dtype(result: DType) -> DType:
    """The declared result. Spec: dynamic_iota."""
    return result


@shape_function("stablehlo.dynamic_pad")
@cases(
    Invocation(
        "?xf32",
        "f32",
        "1xi32",
        "1xi32",
        "1xi32",
        values={"edge_padding_low": [1], "edge_padding_high": [2], "interior_padding": [0]},
        returns="?xf32",
    ),
    Invocation(
        "4xf32",
        "f32",
        "1xi32",
        "1xi32",
        "1xi32",
        values={"edge_padding_low": [1], "edge_padding_high": [2], "interior_padding": [1]},
        returns="10xf32",
    ),
)
def dynamic_pad(
    operand: Shape, edge_padding_low: Values, edge_padding_high: Values, interior_padding: Values, result: Shape
) -> Shape:
    """Each extent with the padding at its edges and between its elements (C2 to C4). Spec: dynamic_pad."""
    calculated: Shape = []
    for i in range(len(operand)):
        assert interior_padding[i] >= 0, f"interior_padding must not be negative, it is {interior_padding[i]}"
        between = 0 if interior_padding[i] == 0 else max(operand[i] - 1, 0) * interior_padding[i]
        calculated.append(operand[i] + between + edge_padding_low[i] + edge_padding_high[i])
    return declared_or(calculated, result)


@dtype_function("stablehlo.dynamic_pad")
def dynamic_pad_dtype(operand: DType, padding_value: DType) -> DType:
    """The element type of operand and padding (C1). Spec: dynamic_pad."""
    return same_dtype(operand, padding_value)


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
    """How many steps of the stride fit between start and limit. Spec: slice, with operands for its attributes."""
    calculated: Shape = []
    for i in range(len(operand)):
        assert strides[i] > 0, f"the stride of dimension {i} has to be positive, it is {strides[i]}"
        if strides[i] == 1:
            calculated.append(limit_indices[i] - start_indices[i])
        else:
            calculated.append((limit_indices[i] - start_indices[i] + strides[i] - 1) // strides[i])
    return declared_or(calculated, result)


@dtype_function("stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_reshape", "stablehlo.real_dynamic_slice")
def moved_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: dynamic_broadcast_in_dim (C1), dynamic_reshape (C1), slice (C1)."""
    return unless_quantized(operand)


@shape_function("stablehlo.set_dimension_size")
@cases(
    Invocation("2x3xf32", "i32", dimension=1, returns="tensor<2x?xf32, #stablehlo.bounds<?, 3>>"),
    ErrorInvocation("2x3xf32", "i32", dimension=2, match="out of range"),
)
def set_dimension_size(operand: Shape, dimension: int) -> Shape:
    """The operand's shape with one extent that is decided when the program runs. XLA: SetDimensionSize."""
    check_dimension(dimension, len(operand))
    operand[dimension] = DYNAMIC
    return operand


@dtype_function("stablehlo.dynamic_gather", "stablehlo.set_dimension_size")
def operand_dtype(operand: DType) -> DType:
    """The operand's element type. Spec: dynamic_gather. XLA: SetDimensionSize."""
    return operand
