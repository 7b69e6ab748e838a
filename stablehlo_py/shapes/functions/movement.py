"""Ops that move elements around, repeat them or make them up."""

from __future__ import annotations

from ..element_types import I2, I64, UI64, UNKNOWN
from ..language import DYNAMIC, DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import check_dimension, check_dimensions, product, same_dtype, unless_quantized, with_size


@shape_function("stablehlo.broadcast")
@cases(
    Invocation("3xf32", broadcast_sizes=[2, 4], returns="2x4x3xf32"),
    Invocation("?xf32", broadcast_sizes=[2], returns="2x?xf32"),
    ErrorInvocation("3xf32", broadcast_sizes=[2, -4], match="-4"),
)
def broadcast(operand: Shape, broadcast_sizes: list[int]) -> Shape:
    """The sizes, then the operand's shape. Deprecated: broadcast_in_dim."""
    for size in broadcast_sizes:
        assert size >= 0, f"a size must not be negative, it is {size}"
    return broadcast_sizes + operand


@shape_function("stablehlo.broadcast_in_dim")
@cases(
    Invocation("1x3xf32", broadcast_dimensions=[0, 2], returns="4x2x3xf32"),
    Invocation("f32", broadcast_dimensions=[], returns="4xf32"),
    ErrorInvocation("3xf32", broadcast_dimensions=[1], returns="3x4xf32", match="dimension 0 .* 3, .* 4"),
    ErrorInvocation("3xf32", broadcast_dimensions=[2], returns="3x4xf32", match="out of range"),
    ErrorInvocation("3x4xf32", broadcast_dimensions=[0], returns="3x4xf32", match="1 .* rank 2"),
    ErrorInvocation("3x4xf32", broadcast_dimensions=[0, 0], returns="3x4xf32", match="twice"),
)
def broadcast_in_dim(operand: Shape, broadcast_dimensions: list[int], result: Shape) -> Shape:
    """The declared result; each dimension size of the operand is 1 or that of its dimension in the result (C2 to C5).
    Spec: broadcast_in_dim."""
    assert len(broadcast_dimensions) == len(operand), (
        f"{len(broadcast_dimensions)} broadcast_dimensions are given for an operand of rank {len(operand)}"
    )
    check_dimensions(broadcast_dimensions, len(result))
    for i in range(len(operand)):
        size = result[broadcast_dimensions[i]]
        assert size == DYNAMIC or operand[i] == 1 or operand[i] == size, (
            f"dimension {i} of the operand is {operand[i]}, neither 1 nor the result's {size}"
        )
    return result


@shape_function("stablehlo.concatenate")
@cases(
    Invocation(["2x3xf32", "4x3xf32"], dimension=0, returns="6x3xf32"),
    Invocation(["2x?xf32", "4x3xf32", "1x3xf32"], dimension=0, returns="7x3xf32"),
    Invocation(["?x3xf32", "4x3xf32"], dimension=0, returns="?x3xf32"),
    ErrorInvocation(["2x3xf32", "4x5xf32"], dimension=0, match="dimension 1 .* 3 and 5"),
    ErrorInvocation(["2x3xf32", "4xf32"], dimension=0, match="ranks"),
    ErrorInvocation(["2xf32", "4xf32"], dimension=1, match="out of range"),
)
def concatenate(inputs: list[Shape], dimension: int) -> Shape:
    """The sum along `dimension`, and the common sizes of the other dimensions (C2, C4, C6). Spec: concatenate."""
    result = inputs[0]
    check_dimension(dimension, len(result))
    total = 0
    for shape in inputs:
        assert len(shape) == len(result), f"the inputs have different ranks, {len(result)} and {len(shape)}"
        for i in range(len(shape)):
            assert i == dimension or shape[i] == result[i], (
                f"dimension {i} of the inputs differs, {result[i]} and {shape[i]}"
            )
        total += shape[dimension]
    return with_size(result, dimension, total)


@dtype_function("stablehlo.concatenate")
def concatenate_dtype(inputs: list[DType]) -> DType:
    """The element type that all inputs have (C1, C5). Spec: concatenate."""
    result = inputs[0]
    for dtype in inputs:
        result = same_dtype(result, dtype)
    return result


@shape_function("stablehlo.constant", "chlo.constant")
@cases(Invocation(value="dense<[[1, 2, 3]]> : tensor<1x3xi32>", returns="1x3xi32"))
def constant(value: Shape) -> Shape:
    """The shape of the value (C1). Spec, CHLO: constant."""
    return value


@dtype_function("stablehlo.constant")
def constant_dtype(value: DType) -> DType:
    """The element type of the value (C1); an integer may be how a quantized one is stored. Spec: constant."""
    return UNKNOWN if I2 <= value <= UI64 and value != I64 else value


@dtype_function("chlo.constant", "chlo.constant_like")
def chlo_constant_dtype(value: DType) -> DType:
    """The element type, or the type, of the value. CHLO: constant, constant_like."""
    return value


@shape_function("stablehlo.iota")
@cases(
    Invocation(iota_dimension=1, returns="2x3xi32"),
    ErrorInvocation(iota_dimension=2, returns="2x3xi32", match="dimension 2 is out of range"),
)
def iota(iota_dimension: int, output: Shape) -> Shape:
    """The declared result, which has the dimension that counts up (C1). Spec: iota."""
    check_dimension(iota_dimension, len(output))
    return output


@dtype_function("stablehlo.iota")
def iota_dtype(output: DType) -> DType:
    """The declared result. Spec: iota."""
    return output


@shape_function("stablehlo.reshape")
@cases(
    Invocation("2x6xf32", returns="3x4xf32"),
    Invocation("f32", returns="1x1xf32"),
    Invocation("0x3xf32", returns="5x0xf32"),
    ErrorInvocation("2x6xf32", returns="3x5xf32", match="12 .* 15"),
)
def reshape(operand: Shape, result: Shape) -> Shape:
    """The declared result, for as many elements (C2); one unknown dimension size follows from the others. Spec:
    reshape."""
    unknown = 0
    position = 0
    others = 1
    for i in range(len(result)):
        if result[i] == DYNAMIC:
            unknown += 1
            position = i
        else:
            others = others * result[i]
    total = product(operand)
    if unknown == 0:
        assert total == others, f"the operand has {total} elements, the result would have {others}"
    if unknown == 1 and others != 0:
        assert total % others == 0, f"{total} elements do not divide into {others} equal parts"
        result[position] = total // others
    return result


@shape_function("stablehlo.reverse")
@cases(
    Invocation("2x?xf32", dimensions=[1, 0], returns="2x?xf32"),
    ErrorInvocation("2x3xf32", dimensions=[0, 0], match="twice"),
    ErrorInvocation("2x3xf32", dimensions=[2], match="out of range"),
)
def reverse(operand: Shape, dimensions: list[int]) -> Shape:
    """The operand's shape; the dimensions are different ones of it (C1 to C3). Spec: reverse."""
    check_dimensions(dimensions, len(operand))
    return operand


@shape_function("stablehlo.transpose")
@cases(
    Invocation("2x3x?xf32", permutation=[2, 0, 1], returns="?x2x3xf32"),
    ErrorInvocation("2x3xf32", permutation=[0, 0], match="twice"),
    ErrorInvocation("2x3xf32", permutation=[0], match="1 .* rank 2"),
)
def transpose(operand: Shape, permutation: list[int]) -> Shape:
    """The operand's dimension sizes in the order of the permutation (C2, C3). Spec: transpose."""
    assert len(permutation) == len(operand), (
        f"a permutation of {len(permutation)} dimensions is given for an operand of rank {len(operand)}"
    )
    check_dimensions(permutation, len(operand))
    return [operand[dimension] for dimension in permutation]


@dtype_function("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.reverse", "stablehlo.transpose")
def moved_dtype(operand: DType) -> DType:
    """The operand's element type (C1). Spec: broadcast_in_dim, reshape, reverse, transpose."""
    return unless_quantized(operand)
