"""Rules that several ops share, each written once."""

from __future__ import annotations

from ..element_types import BITS, COMPLEX_F32, COMPLEX_F64, F32, F64, QUANTIZED, UNKNOWN
from ..language import DType, Shape


def same(left: Shape, right: Shape) -> Shape:
    """The shape that two operands have to have in common."""
    assert len(left) == len(right), f"the operands have different ranks, {len(left)} and {len(right)}"
    for i in range(len(left)):
        assert left[i] == right[i], f"dimension {i} of the operands differs, {left[i]} and {right[i]}"
    return left


def all_same(shapes: list[Shape]) -> Shape:
    """The shape that all of a group of operands have to have in common; there has to be at least one."""
    assert len(shapes) > 0, "there has to be at least one operand"
    result = shapes[0]
    for shape in shapes:
        result = same(result, shape)
    return result


def scalar_or_same(scalar: Shape, operand: Shape) -> Shape:
    """The shape of `operand`, which the other has to have as well unless it is a scalar."""
    if len(scalar) == 0:
        return operand
    return same(operand, scalar)


def with_size(shape: Shape, dimension: int, size: int) -> Shape:
    """The shape with another size of one dimension."""
    return shape[:dimension] + [size] + shape[dimension + 1 :]


def check_start_indices(start_indices: list[Shape], rank: int) -> int:
    """The rank, which is the number of start_indices."""
    assert len(start_indices) == rank, f"{len(start_indices)} start_indices are given for an operand of rank {rank}"
    return rank


def same_dtype(left: DType, right: DType) -> DType:
    """The element type that two operands have to have in common. Results of quantized operands are declared."""
    if left >= QUANTIZED or right >= QUANTIZED:
        return UNKNOWN
    assert left == right, "the operands have different element types"
    return left


def unless_quantized(dtype: DType) -> DType:
    """The element type itself; results of quantized operands are declared, not calculated."""
    if dtype >= QUANTIZED:
        return UNKNOWN
    return dtype


def complex_of(dtype: DType) -> DType:
    """The complex type of two numbers of a floating-point type."""
    assert dtype in (F32, F64), "a complex number consists of two f32 or two f64"
    return COMPLEX_F32 if dtype == F32 else COMPLEX_F64


def component_of(dtype: DType) -> DType:
    """The type of a complex number's parts; any other type is its own."""
    if dtype == COMPLEX_F32:
        return F32
    if dtype == COMPLEX_F64:
        return F64
    return unless_quantized(dtype)


def bit_width(dtype: DType) -> int:
    """The bits of an element; for a quantized one, the bits of its storage type."""
    if dtype >= QUANTIZED:
        return BITS[(dtype - QUANTIZED) % 4096 // 64]
    return BITS[dtype]


def product(shape: Shape) -> int:
    """The number of elements of a tensor of this shape."""
    result = 1
    for size in shape:
        result = result * size
    return result


def without(shape: Shape, dimensions: list[int]) -> Shape:
    """The dimension sizes of all dimensions but those listed."""
    return [size for i, size in enumerate(shape) if i not in dimensions]


def check_dimension(dimension: int, rank: int) -> int:
    """`dimension`, which has to be one of a tensor of this rank."""
    assert dimension >= 0, f"dimension {dimension} is negative"
    assert dimension < rank, f"dimension {dimension} is out of range for rank {rank}"
    return dimension


def check_dimensions(dimensions: list[int], rank: int) -> list[int]:
    """`dimensions`, which have to be different ones of a tensor of this rank."""
    for i in range(len(dimensions)):
        check_dimension(dimensions[i], rank)
        for j in range(i):
            assert dimensions[i] != dimensions[j], f"dimension {dimensions[i]} is listed twice"
    return dimensions


def dilated(size: int, dilation: int) -> int:
    """The dimension size with `dilation - 1` elements put between any two."""
    assert dilation > 0, f"a dilation has to be positive, it is {dilation}"
    return max((size - 1) * dilation + 1, 0)


def window_size(size: int, window: int, stride: int, low: int, high: int, base_dilation: int, dilation: int) -> int:
    """The number of windows along one dimension of a padded and dilated base. Spec: reduce_window."""
    assert window > 0, f"a window's size has to be positive, it is {window}"
    assert stride > 0, f"a window's stride has to be positive, it is {stride}"
    padded = low + dilated(size, base_dilation) + high
    return max((padded - dilated(window, dilation)) // stride + 1, 0)


def ones_unless(given: list[int] | None, rank: int) -> list[int]:
    """The given list, or ones if it is absent or empty."""
    if given is None or len(given) == 0:
        return [1] * rank
    assert len(given) == rank, f"a list of {len(given)} numbers is given for {rank} dimensions"
    return given


def zeros_unless(given: list[list[int]] | None, rank: int) -> list[list[int]]:
    """The given padding, or none in any dimension if it is absent or empty."""
    if given is None or len(given) == 0:
        return [[0, 0] for _ in range(rank)]
    assert len(given) == rank, f"padding is given for {len(given)} of {rank} dimensions"
    return given


def window_shape(
    base: Shape,
    window: Shape,
    window_strides: list[int] | None,
    padding: list[list[int]] | None,
    base_dilations: list[int] | None,
    window_dilations: list[int] | None,
) -> Shape:
    """The number of windows along each dimension."""
    rank = len(base)
    strides = ones_unless(window_strides, rank)
    edges = zeros_unless(padding, rank)
    inner = ones_unless(base_dilations, rank)
    outer = ones_unless(window_dilations, rank)
    assert rank == len(window), f"the window has rank {len(window)}, what it moves over has rank {rank}"
    return [
        window_size(base[i], window[i], strides[i], edges[i][0], edges[i][1], inner[i], outer[i]) for i in range(rank)
    ]


def broadcast_size(left: int, right: int) -> int:
    """Return the common size of two dimensions; 1 is repeated to fit the other."""
    if right == 1:
        return left
    if left == 1:
        return right
    assert left == right, f"sizes {left} and {right} cannot be broadcast"
    return left


def broadcast(left: Shape, right: Shape) -> Shape:
    """The common shape of two that broadcast, aligned at their last dimensions as in numpy."""
    rank = max(len(left), len(right))
    padded = [1] * (rank - len(left)) + left
    other = [1] * (rank - len(right)) + right
    return [broadcast_size(padded[i], other[i]) for i in range(rank)]


def broadcast_along(left: Shape, right: Shape, broadcast_dimensions: list[int] | None) -> Shape:
    """The same as `broadcast`; `broadcast_dimensions` maps the smaller operand's dimensions to the result's."""
    if broadcast_dimensions is None or len(left) == len(right):
        return broadcast(left, right)
    small = left if len(left) < len(right) else right
    result = right if len(left) < len(right) else left
    assert len(broadcast_dimensions) == len(small), (
        f"{len(broadcast_dimensions)} broadcast dimensions are given for rank {len(small)}"
    )
    for i in range(len(small)):
        dimension = check_dimension(broadcast_dimensions[i], len(result))
        result[dimension] = broadcast_size(result[dimension], small[i])
    return result
