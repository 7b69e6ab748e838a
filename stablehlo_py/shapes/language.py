"""The words a library function is written with: its parameter types, its records, and the codes of element types.

A library function is a Python function in a subset that `compilation` turns into MLIR; the same function runs as
Python. The subset: `int`, `bool`, `list[int]`, `list[list[int]]`, `str` (as its characters), `T | None` for these,
tuples as results, the records below as parameters; assignment, `if`, `for` over `range(…)`, a list or `enumerate(…)`,
`while`, `return` anywhere, `assert condition, f"message {number}"`, `append`, indexing, slicing, `len`, `min`, `max`,
`sum`, `+`, `-`, `*`, `//`, `%`, comparisons, `and`, `or`, `not`, `in`, `is None`, conditional expressions,
comprehensions of lists with one `for`, module constants, and calls of other library functions (no recursion). An
index that is not written as a literal must not be negative."""

from __future__ import annotations

from dataclasses import dataclass

Shape = list[int]  # the dimension sizes of a tensor; a token and a scalar have none
DType = int  # the code of an element type, see `element_types`
Value = int  # the element of an integer tensor of rank 0 that is an operand
Values = list[int]  # the elements of an integer tensor of rank 1 that is an operand
PairValues = list[list[int]]  # the rows of an integer tensor of rank 2 that is an operand
Attribute = object  # an attribute that no library function needs; it must not be used

# An unknown dimension size, in declared result types and in the results of a library function. Operands never
# have it: their unknown dimension sizes are symbols.
DYNAMIC = -1


@dataclass(frozen=True)
class DotDimensionNumbers:
    """The dimensions that dot_general treats as batch, and those that it sums over."""

    lhs_batching_dimensions: list[int]
    rhs_batching_dimensions: list[int]
    lhs_contracting_dimensions: list[int]
    rhs_contracting_dimensions: list[int]


@dataclass(frozen=True)
class RaggedDotDimensionNumbers:
    """The dimensions that ragged_dot treats as batch, sums over, has ragged, and groups by."""

    lhs_batching_dimensions: list[int]
    rhs_batching_dimensions: list[int]
    lhs_contracting_dimensions: list[int]
    rhs_contracting_dimensions: list[int]
    lhs_ragged_dimensions: list[int]
    rhs_group_dimensions: list[int]


@dataclass(frozen=True)
class ConvDimensionNumbers:
    """The batch, feature and spatial dimensions in the operands and the result of a convolution."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: list[int]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: list[int]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: list[int]


@dataclass(frozen=True)
class GatherDimensionNumbers:
    """The relation of the result's and the operand's dimensions in a gather."""

    offset_dims: list[int]
    collapsed_slice_dims: list[int]
    operand_batching_dims: list[int]
    start_indices_batching_dims: list[int]
    start_index_map: list[int]
    index_vector_dim: int


@dataclass(frozen=True)
class ScatterDimensionNumbers:
    """The relation of the updates' and the inputs' dimensions in a scatter."""

    update_window_dims: list[int]
    inserted_window_dims: list[int]
    input_batching_dims: list[int]
    scatter_indices_batching_dims: list[int]
    scatter_dims_to_operand_dims: list[int]
    index_vector_dim: int


RECORDS = {
    record.__name__: record
    for record in (
        DotDimensionNumbers,
        RaggedDotDimensionNumbers,
        ConvDimensionNumbers,
        GatherDimensionNumbers,
        ScatterDimensionNumbers,
    )
}
