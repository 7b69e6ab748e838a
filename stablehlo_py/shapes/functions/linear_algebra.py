"""Decompositions and solvers of linear algebra, transforms, normalizations and random numbers."""

from __future__ import annotations

from ..element_types import COMPLEX_F32, COMPLEX_F64, UNKNOWN
from ..language import DType, Shape, Values
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function
from .shared import check_dimension, complex_of, component_of, same, same_dtype


@shape_function("stablehlo.cholesky")
@cases(
    Invocation("2x3x3xf32", lower=True, returns="2x3x3xf32"),
    Invocation("?x3xf32", lower=False, returns="3x3xf32"),
    ErrorInvocation("3xf32", lower=True, match="rank 1"),
    ErrorInvocation("3x4xf32", lower=True, match="3 and 4"),
)
def cholesky(a: Shape) -> Shape:
    """The operand's shape, which is a batch of square matrices (C1 to C3). Spec: cholesky."""
    rank = len(a)
    assert rank >= 2, f"the operand has to consist of matrices, it has rank {rank}"
    assert a[rank - 2] == a[rank - 1], f"the matrices have to be square, they are {a[rank - 2]} and {a[rank - 1]} wide"
    a[rank - 2] = a[rank - 1]
    return a


@shape_function("stablehlo.triangular_solve")
@cases(
    Invocation("2x3x3xf32", "2x3x5xf32", returns="2x3x5xf32"),
    ErrorInvocation("3x3xf32", "4x5xf32", match="3 .* 4"),
    ErrorInvocation("3x4xf32", "3x5xf32", match="square"),
    left_side=True,
    lower=True,
    unit_diagonal=False,
    transpose_a="#stablehlo<transpose NO_TRANSPOSE>",
)
def triangular_solve(a: Shape, b: Shape, left_side: bool) -> Shape:
    """The shape of b; one side fits the square matrices a (C2 to C4). Spec: triangular_solve."""
    rank = len(a)
    assert rank >= 2, f"a has to consist of matrices, it has rank {rank}"
    assert len(b) == rank, f"a has rank {rank}, b rank {len(b)}"
    assert a[rank - 2] == a[rank - 1], f"a has to be square, it is {a[rank - 2]} by {a[rank - 1]}"
    shared = b[rank - 2] if left_side else b[rank - 1]
    assert a[rank - 1] == shared, f"a is {a[rank - 1]} wide, the side of b that it has to fit is {shared}"
    for i in range(rank - 2):
        assert a[i] == b[i], f"batch dimension {i} is {a[i]} in a and {b[i]} in b"
    return b


@shape_function("stablehlo.fft")
@cases(
    Invocation("2x9xcomplex<f32>", fft_type="FFT", fft_length=[9], returns="2x9xcomplex<f32>"),
    Invocation("2x9xf32", fft_type="RFFT", fft_length=[9], returns="2x5xcomplex<f32>"),
    Invocation("2x5xcomplex<f32>", fft_type="IRFFT", fft_length=[9], returns="2x9xf32"),
    ErrorInvocation("2x9xf32", fft_type="RFFT", fft_length=[8], match="9, .* 8"),
    ErrorInvocation("9xcomplex<f32>", fft_type="FFT", fft_length=[3, 9], match="rank"),
    ErrorInvocation("2x5xcomplex<f32>", fft_type="IRFFT", fft_length=[12], match="5, .* 7"),
)
def fft(operand: Shape, fft_type: str, fft_length: list[int]) -> Shape:
    """The operand's shape; half of the last dimension size and one for real input, and back (C1, C3, C5). Spec: fft."""
    count = len(fft_length)
    rank = len(operand)
    assert 1 <= count <= 3, f"a transform has one to three dimensions, not {count}"
    assert count <= rank, f"{count} dimensions are to be transformed, the operand has rank {rank}"
    if fft_type == "FFT" or fft_type == "IFFT":
        return operand
    for i in range(count if fft_type == "RFFT" else count - 1):
        size = operand[rank - count + i]
        assert size == fft_length[i], f"dimension {rank - count + i} is {size}, its fft_length is {fft_length[i]}"
    assert fft_length[-1] >= 0, f"fft_length {fft_length[-1]} is negative"
    half = fft_length[-1] // 2 + 1
    if fft_type == "RFFT" and fft_length[-1] != 0:
        operand[rank - 1] = half
    if fft_type == "IRFFT":
        assert operand[rank - 1] == half or operand[rank - 1] == fft_length[-1] == 0, (
            f"the last dimension is {operand[rank - 1]}, for its fft_length it has to be {half}"
        )
        operand[rank - 1] = fft_length[-1]
    return operand


@dtype_function("stablehlo.fft")
def fft_dtype(operand: DType, fft_type: str) -> DType:
    """Complex, except for the inverse of a transform of real numbers (C2). Spec: fft."""
    if fft_type == "RFFT":
        return complex_of(operand)
    assert operand in (COMPLEX_F32, COMPLEX_F64, UNKNOWN), "the operand has to be complex"
    if fft_type == "IRFFT":
        return component_of(operand)
    return operand


def check_feature(operand: Shape, feature_index: int, others: list[Shape]) -> int:
    """The number of features, which is the length of all the others."""
    check_dimension(feature_index, len(operand))
    features = operand[feature_index]
    for shape in others:
        assert len(shape) == 1, f"there has to be one number for each feature, not a tensor of rank {len(shape)}"
        assert shape[0] == features, f"there are {features} features and {shape[0]} numbers for them"
    return features


@shape_function("stablehlo.batch_norm_training")
@cases(
    Invocation("2x?x4xf32", "3xf32", "3xf32", feature_index=1, returns=["2x3x4xf32", "3xf32", "3xf32"]),
    Invocation("2x3xf32", "3xf32", "3xf32", feature_index=1, returns=["2x3xf32", "3xf32", "3xf32"]),
    ErrorInvocation("2x3xf32", "4xf32", "4xf32", feature_index=1, match="3 features and 4"),
    ErrorInvocation("2x3xf32", "3xf32", "3xf32", feature_index=2, match="out of range"),
    epsilon="1.0e-3 : f32",
)
def batch_norm_training(operand: Shape, scale: Shape, offset: Shape, feature_index: int) -> tuple[Shape, Shape, Shape]:
    """The operand's shape, and twice one number for each feature (C1, C3 to C7). Spec: batch_norm_training."""
    features = check_feature(operand, feature_index, [scale, offset])
    return operand, [features], [features]


@dtype_function("stablehlo.batch_norm_training")
def batch_norm_training_dtype(operand: DType, scale: DType, offset: DType) -> tuple[DType, DType, DType]:
    """The element type of all operands, three times (C2). Spec: batch_norm_training."""
    dtype = same_dtype(operand, same_dtype(scale, offset))
    return dtype, dtype, dtype


@shape_function("stablehlo.batch_norm_inference")
@cases(
    Invocation("2x3x?xf32", "3xf32", "3xf32", "3xf32", "3xf32", returns="2x3x?xf32"),
    ErrorInvocation("2x3xf32", "3xf32", "3xf32", "2xf32", "3xf32", match="3 features and 2"),
    epsilon="1.0e-3 : f32",
    feature_index=1,
)
def batch_norm_inference(
    operand: Shape, scale: Shape, offset: Shape, mean: Shape, variance: Shape, feature_index: int
) -> Shape:
    """The operand's shape; the others have one number for each feature (C1, C3 to C7). Spec: batch_norm_inference."""
    check_feature(operand, feature_index, [scale, offset, mean, variance])
    return operand


@dtype_function("stablehlo.batch_norm_inference")
def batch_norm_inference_dtype(operand: DType, scale: DType, offset: DType, mean: DType, variance: DType) -> DType:
    """The element type of all operands (C2). Spec: batch_norm_inference."""
    return same_dtype(operand, same_dtype(same_dtype(scale, offset), same_dtype(mean, variance)))


@shape_function("stablehlo.batch_norm_grad")
@cases(
    Invocation("2x3xf32", "3xf32", "3xf32", "3xf32", "2x3xf32", returns=["2x3xf32", "3xf32", "3xf32"]),
    ErrorInvocation("2x3xf32", "3xf32", "3xf32", "3xf32", "2x4xf32", match="3 and 4"),
    epsilon="1.0e-3 : f32",
    feature_index=1,
)
def batch_norm_grad(
    operand: Shape, scale: Shape, mean: Shape, variance: Shape, grad_output: Shape, feature_index: int
) -> tuple[Shape, Shape, Shape]:
    """The operand's shape, and twice one number for each feature (C1, C3 to C5). Spec: batch_norm_grad."""
    features = check_feature(operand, feature_index, [scale, mean, variance])
    return same(operand, grad_output), [features], [features]


@dtype_function("stablehlo.batch_norm_grad")
def batch_norm_grad_dtype(
    operand: DType, scale: DType, mean: DType, variance: DType, grad_output: DType
) -> tuple[DType, DType, DType]:
    """The element type of all operands, three times (C2). Spec: batch_norm_grad."""
    dtype = same_dtype(same_dtype(operand, grad_output), same_dtype(scale, same_dtype(mean, variance)))
    return dtype, dtype, dtype


@shape_function("stablehlo.rng")
@cases(
    Invocation("f32", "f32", "2xi64", values={"shape": [3, 4]}, returns="3x4xf32"),
    ErrorInvocation("2xf32", "f32", "2xi64", values={"shape": [3, 4]}, match="scalars"),
    rng_distribution="#stablehlo<rng_distribution UNIFORM>",
)
def rng(a: Shape, b: Shape, shape: Values) -> Shape:
    """The elements of `shape`; the bounds of the numbers are scalars (C4). Spec: rng."""
    assert len(a) == 0, "both parameters of a distribution have to be scalars"
    assert len(b) == 0, "both parameters of a distribution have to be scalars"
    return shape


@shape_function("stablehlo.rng_bit_generator")
@cases(
    Invocation("2xui64", returns=["2xui64", "2x3xui64"]),
    ErrorInvocation("2xui64", returns=["3xui64", "2x3xui64"], match="2 and 3"),
    rng_algorithm="#stablehlo<rng_algorithm THREE_FRY>",
)
def rng_bit_generator(initial_state: Shape, output_state: Shape, output: Shape) -> tuple[Shape, Shape]:
    """The state's shape, and the declared shape (C1). Spec: rng_bit_generator."""
    assert len(initial_state) == len(output_state), "both states have to have the same rank"
    for i in range(len(output_state)):
        declared = output_state[i]
        assert declared < 0 or initial_state[i] == declared, f"the states differ, {initial_state[i]} and {declared}"
    return initial_state, output


@dtype_function("stablehlo.rng_bit_generator")
def rng_bit_generator_dtype(initial_state: DType, output: DType) -> tuple[DType, DType]:
    """The state's element type, and the declared type (C1). Spec: rng_bit_generator."""
    return initial_state, output
