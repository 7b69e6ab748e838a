"""The structured attributes of the dialect as plain data, with the spec's names for their fields."""

from __future__ import annotations

from dataclasses import dataclass

from .provider import ir, stablehlo_extension


@dataclass(frozen=True)
class DotDims:
    """Which dimensions of lhs and rhs a dot product runs over. Spec: dot_general, inputs I3 to I6."""

    lhs_batching_dimensions: tuple[int, ...]
    rhs_batching_dimensions: tuple[int, ...]
    lhs_contracting_dimensions: tuple[int, ...]
    rhs_contracting_dimensions: tuple[int, ...]

    @staticmethod
    def of(attribute: ir.Attribute) -> DotDims:
        """The fields of `#stablehlo.dot<…>`."""
        dims = stablehlo_extension.DotDimensionNumbers(attribute)
        return DotDims(
            tuple(dims.lhs_batching_dimensions),
            tuple(dims.rhs_batching_dimensions),
            tuple(dims.lhs_contracting_dimensions),
            tuple(dims.rhs_contracting_dimensions),
        )


@dataclass(frozen=True)
class DotAlgorithm:
    """How a dot product is computed; types are MLIR's, such as `tf32` or `bf16`. Spec: dot_general, I8 to I14."""

    lhs_precision_type: str
    rhs_precision_type: str
    accumulation_type: str
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool

    @staticmethod
    def of(attribute: ir.Attribute) -> DotAlgorithm:
        """The fields of `#stablehlo.dot_algorithm<…>`."""
        algorithm = stablehlo_extension.DotAlgorithm(attribute)
        return DotAlgorithm(
            str(algorithm.lhs_precision_type),
            str(algorithm.rhs_precision_type),
            str(algorithm.accumulation_type),
            algorithm.lhs_component_count,
            algorithm.rhs_component_count,
            algorithm.num_primitive_operations,
            algorithm.allow_imprecise_accumulation,
        )


@dataclass(frozen=True)
class ConvDims:
    """What each dimension of lhs, rhs and result is to a convolution. Spec: convolution, I8 to I16."""

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: tuple[int, ...]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: tuple[int, ...]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: tuple[int, ...]

    @staticmethod
    def of(attribute: ir.Attribute) -> ConvDims:
        """The fields of `#stablehlo.conv<[…]x[…]->[…]>`."""
        dims = stablehlo_extension.ConvDimensionNumbers(attribute)
        return ConvDims(
            dims.input_batch_dimension,
            dims.input_feature_dimension,
            tuple(dims.input_spatial_dimensions),
            dims.kernel_input_feature_dimension,
            dims.kernel_output_feature_dimension,
            tuple(dims.kernel_spatial_dimensions),
            dims.output_batch_dimension,
            dims.output_feature_dimension,
            tuple(dims.output_spatial_dimensions),
        )


@dataclass(frozen=True)
class GatherDims:
    """How start_indices address operand, and where slices go in result. Spec: gather, I3 to I8."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    start_indices_batching_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    index_vector_dim: int

    @staticmethod
    def of(attribute: ir.Attribute) -> GatherDims:
        """The fields of `#stablehlo.gather<…>`."""
        dims = stablehlo_extension.GatherDimensionNumbers(attribute)
        return GatherDims(
            tuple(dims.offset_dims),
            tuple(dims.collapsed_slice_dims),
            tuple(dims.operand_batching_dims),
            tuple(dims.start_indices_batching_dims),
            tuple(dims.start_index_map),
            dims.index_vector_dim,
        )


@dataclass(frozen=True)
class ScatterDims:
    """How scatter_indices address inputs, and where windows are in updates. Spec: scatter, I4 to I9."""

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    input_batching_dims: tuple[int, ...]
    scatter_indices_batching_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    index_vector_dim: int

    @staticmethod
    def of(attribute: ir.Attribute) -> ScatterDims:
        """The fields of `#stablehlo.scatter<…>`."""
        dims = stablehlo_extension.ScatterDimensionNumbers(attribute)
        return ScatterDims(
            tuple(dims.update_window_dims),
            tuple(dims.inserted_window_dims),
            tuple(dims.input_batching_dims),
            tuple(dims.scatter_indices_batching_dims),
            tuple(dims.scattered_dims_to_operand_dims),  # the bindings' spelling
            dims.index_vector_dim,
        )
