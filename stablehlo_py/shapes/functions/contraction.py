"""Dot products and convolutions."""

from __future__ import annotations

from ..language import ConvDimensionNumbers, DotDimensionNumbers, PairValues, RaggedDotDimensionNumbers, Shape
from ..registry import ErrorInvocation, Invocation, cases, shape_function
from .shared import check_dimensions, dilated, ones_unless, window_size, without, zeros_unless

CHANNELS_LAST = ConvDimensionNumbers(0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [1, 2])


def dot_shape(
    lhs: Shape, rhs: Shape, lhs_batch: list[int], rhs_batch: list[int], lhs_contract: list[int], rhs_contract: list[int]
) -> Shape:
    """Batch dimensions, then what is left of each side (C1 to C10, C12). Spec: dot_general."""
    assert len(lhs_batch) == len(rhs_batch), (
        f"there are {len(lhs_batch)} batching dimensions of lhs and {len(rhs_batch)} of rhs"
    )
    assert len(lhs_contract) == len(rhs_contract), (
        f"there are {len(lhs_contract)} contracting dimensions of lhs and {len(rhs_contract)} of rhs"
    )
    check_dimensions(lhs_batch + lhs_contract, len(lhs))
    check_dimensions(rhs_batch + rhs_contract, len(rhs))
    result: Shape = []
    for i in range(len(lhs_batch)):
        left = lhs[lhs_batch[i]]
        right = rhs[rhs_batch[i]]
        assert left == right, f"batching dimension {i} differs, it is {left} in lhs and {right} in rhs"
        result.append(left)
    for i in range(len(lhs_contract)):
        left = lhs[lhs_contract[i]]
        right = rhs[rhs_contract[i]]
        assert left == right, f"contracting dimension {i} differs, it is {left} in lhs and {right} in rhs"
    return result + without(lhs, lhs_batch + lhs_contract) + without(rhs, rhs_batch + rhs_contract)


@shape_function("stablehlo.dot_general")
@cases(
    Invocation("2x5x3xf32", "2x3x7xf32", returns="2x5x7xf32"),
    Invocation("?x5x3xf32", "2x3x?xf32", returns="2x5x?xf32"),
    ErrorInvocation(
        "2x5x3xf32",
        "2x4x7xf32",
        returns="2x5x7xf32",
        match="contracting dimension 0 differs, it is 3 in lhs and 4 in rhs",
    ),
    ErrorInvocation(
        "2x3xf32",
        "3x4xf32",
        dot_dimension_numbers=DotDimensionNumbers([], [], [1], [2]),
        returns="2x4xf32",
        match="out of range",
    ),
    ErrorInvocation(
        "2x3xf32",
        "3x4xf32",
        dot_dimension_numbers=DotDimensionNumbers([0], [], [1], [0]),
        returns="4xf32",
        match="1 batching dimensions of lhs and 0 of rhs",
    ),
    dot_dimension_numbers=DotDimensionNumbers([0], [0], [2], [1]),
)
def dot_general(lhs: Shape, rhs: Shape, dot_dimension_numbers: DotDimensionNumbers) -> Shape:
    """Batch dimensions, then what is left of each side (C12). Spec: dot_general."""
    return dot_shape(
        lhs,
        rhs,
        dot_dimension_numbers.lhs_batching_dimensions,
        dot_dimension_numbers.rhs_batching_dimensions,
        dot_dimension_numbers.lhs_contracting_dimensions,
        dot_dimension_numbers.rhs_contracting_dimensions,
    )


@shape_function("stablehlo.dot")
@cases(
    Invocation("2x3xf32", "3x4xf32", returns="2x4xf32"),
    Invocation("?xf32", "3xf32", returns="f32"),
    ErrorInvocation("2x3xf32", "4x5xf32", returns="2x5xf32", match="3 in lhs and 4 in rhs"),
)
def dot(lhs: Shape, rhs: Shape) -> Shape:
    """The product of matrices or vectors. Deprecated: dot_general."""
    assert 1 <= len(lhs) <= 2, f"lhs has to be a vector or a matrix, it has rank {len(lhs)}"
    assert 1 <= len(rhs) <= 2, f"rhs has to be a vector or a matrix, it has rank {len(rhs)}"
    return dot_shape(lhs, rhs, [], [], [len(lhs) - 1], [0])


def einsum_shape(subscripts: list[int], letters: list[int], sizes: Shape) -> Shape:
    """The dimension sizes of the letters of an operand or a result, as they are in the operands."""
    for i in range(len(letters)):
        for j in range(i):
            assert letters[i] != letters[j] or sizes[i] == sizes[j], (
                f"the same letter stands for {sizes[j]} and for {sizes[i]}"
            )
    result: Shape = []
    for letter in subscripts:
        found = [size for i, size in enumerate(sizes) if letters[i] == letter]
        assert len(found) > 0, "a letter of the result is in no operand"
        result.append(found[0])
    return result


def split_config(config: list[int], part: int) -> list[int]:
    """The letters of one part of an einsum's config: 0 and 1 are the operands, 2 is the result."""
    result: list[int] = []
    current = 0
    for i in range(len(config)):
        if config[i] == 44:  # ,
            current = 1
        elif config[i] == 45:  # the dash of ->
            current = 2
        elif config[i] != 62 and current == part:  # >
            result.append(config[i])
    return result


@shape_function("stablehlo.einsum")
@cases(
    Invocation("2x3xf32", "3x4xf32", einsum_config="ab,bc->ac", returns="2x4xf32"),
    ErrorInvocation(
        "2x3xf32",
        "4x5xf32",
        einsum_config="ab,bc->abc",
        returns="2x3x5xf32",
        match="3 and for 4",
        accepted_officially="einsum has no verifier",
    ),
)
def einsum(lhs: Shape, rhs: Shape, einsum_config: str) -> Shape:
    """The dimension sizes of the result's letters. Deprecated: dot_general."""
    config = [ord(character) for character in einsum_config]
    letters = split_config(config, 0) + split_config(config, 1)
    assert len(letters) == len(lhs) + len(rhs), f"{len(letters)} letters are given for ranks {len(lhs)} and {len(rhs)}"
    return einsum_shape(split_config(config, 2), letters, lhs + rhs)


@shape_function("stablehlo.unary_einsum")
@cases(Invocation("2x3xf32", einsum_config="ab->a", returns="2xf32"))
def unary_einsum(operand: Shape, einsum_config: str) -> Shape:
    """The dimension sizes of the result's letters. Deprecated: einsum."""
    config = [ord(character) for character in einsum_config]
    letters = split_config(config, 0)
    assert len(letters) == len(operand), f"{len(letters)} letters are given for rank {len(operand)}"
    return einsum_shape(split_config(config, 2), letters, operand)


@shape_function("stablehlo.convolution")
@cases(
    Invocation(
        "1x8x8x3xf32",
        "3x3x3x16xf32",
        window_strides=[2, 1],
        padding=[[1, 1], [0, 0]],
        rhs_dilation=[1, 2],
        returns="1x4x4x16xf32",
    ),
    Invocation("?x8x8x3xf32", "3x3x3x16xf32", returns="?x6x6x16xf32"),
    ErrorInvocation(
        "1x8x8x4xf32", "3x3x3x16xf32", returns="1x6x6x16xf32", match="lhs has 4 features, the kernel takes 3"
    ),
    dimension_numbers=CHANNELS_LAST,
    feature_group_count=1,
    batch_group_count=1,
)
def convolution(
    lhs: Shape,
    rhs: Shape,
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    window_strides: list[int] | None,
    padding: list[list[int]] | None,
    lhs_dilation: list[int] | None,
    rhs_dilation: list[int] | None,
) -> Shape:
    """Batches, features and windows at the positions that the dimension numbers give them (C10 to C14, C26). Spec:
    convolution."""
    spatial = len(dimension_numbers.input_spatial_dimensions)
    strides = ones_unless(window_strides, spatial)
    paddings = zeros_unless(padding, spatial)
    lhs_dilations = ones_unless(lhs_dilation, spatial)
    rhs_dilations = ones_unless(rhs_dilation, spatial)
    assert len(lhs) == len(rhs), f"lhs has rank {len(lhs)}, rhs rank {len(rhs)}"
    assert feature_group_count > 0, f"feature_group_count has to be positive, it is {feature_group_count}"
    assert batch_group_count > 0, f"batch_group_count has to be positive, it is {batch_group_count}"
    batches = lhs[dimension_numbers.input_batch_dimension]
    features = lhs[dimension_numbers.input_feature_dimension]
    kernel_features = rhs[dimension_numbers.kernel_input_feature_dimension]
    outputs = rhs[dimension_numbers.kernel_output_feature_dimension]
    assert features == kernel_features * feature_group_count, (
        f"lhs has {features} features, the kernel takes {kernel_features} in each of {feature_group_count} groups"
    )
    assert batches % batch_group_count == 0, f"{batches} batches do not fall into {batch_group_count} groups"
    assert outputs % feature_group_count == 0, f"{outputs} features do not fall into {feature_group_count} groups"
    assert outputs % batch_group_count == 0, f"{outputs} features do not fall into {batch_group_count} batch groups"
    result = [0] * len(lhs)
    result[dimension_numbers.output_batch_dimension] = batches // batch_group_count
    result[dimension_numbers.output_feature_dimension] = outputs
    for i in range(len(dimension_numbers.output_spatial_dimensions)):
        base = dilated(lhs[dimension_numbers.input_spatial_dimensions[i]], lhs_dilations[i])
        window = rhs[dimension_numbers.kernel_spatial_dimensions[i]]
        size = window_size(base, window, strides[i], paddings[i][0], paddings[i][1], 1, rhs_dilations[i])
        result[dimension_numbers.output_spatial_dimensions[i]] = size
    return result


@shape_function("stablehlo.dynamic_conv")
@cases(
    Invocation(
        "1x8x8x3xf32",
        "3x3x3x16xf32",
        "2x2xi64",
        values={"padding": [[1, 1], [0, 0]]},
        dimension_numbers=CHANNELS_LAST,
        feature_group_count=1,
        batch_group_count=1,
        returns="1x8x6x16xf32",
    )
)
def dynamic_conv(
    lhs: Shape,
    rhs: Shape,
    padding: PairValues,
    dimension_numbers: ConvDimensionNumbers,
    feature_group_count: int,
    batch_group_count: int,
    window_strides: list[int] | None,
    lhs_dilation: list[int] | None,
    rhs_dilation: list[int] | None,
) -> Shape:
    """As convolution, with the padding as an operand. Spec: dynamic_conv."""
    groups = feature_group_count
    return convolution(
        lhs, rhs, dimension_numbers, groups, batch_group_count, window_strides, padding, lhs_dilation, rhs_dilation
    )


@shape_function("chlo.ragged_dot")
@cases(
    Invocation(
        "6x4xf32",
        "3x4x5xf32",
        "3xi64",
        ragged_dot_dimension_numbers=RaggedDotDimensionNumbers([], [], [1], [1], [0], [0]),
        returns="6x5xf32",
    )
)
def chlo_ragged_dot(
    lhs: Shape, rhs: Shape, group_sizes: Shape, ragged_dot_dimension_numbers: RaggedDotDimensionNumbers
) -> Shape:
    """As dot_general; the groups of rhs vanish, and come first where lhs is summed over its ragged dimension, or has
    it as a batch. CHLO: ragged_dot."""
    numbers = ragged_dot_dimension_numbers
    lhs_contract = numbers.lhs_contracting_dimensions
    lhs_batch = numbers.lhs_batching_dimensions
    ragged = numbers.lhs_ragged_dimensions[0]
    groups = [] if ragged in lhs_contract + lhs_batch else numbers.rhs_group_dimensions
    rhs_batch = [moved(dimension, groups) for dimension in numbers.rhs_batching_dimensions]
    rhs_contract = [moved(dimension, groups) for dimension in numbers.rhs_contracting_dimensions]
    result = dot_shape(lhs, without(rhs, groups), lhs_batch, rhs_batch, lhs_contract, rhs_contract)
    return [group_sizes[-1]] + result if ragged in lhs_contract else result


def moved(dimension: int, gone: list[int]) -> int:
    """The number of a dimension once those in `gone` are removed."""
    return dimension - len([other for other in gone if other < dimension])
