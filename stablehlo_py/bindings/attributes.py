"""Attributes as plain data: numbers, names and lists, and records with the spec's names for their fields."""

from __future__ import annotations

from dataclasses import dataclass

from .provider import ir, stablehlo_extension


def int_of(attribute: ir.Attribute) -> int:
    """The number in an integer attribute."""
    return int(ir.IntegerAttr(attribute).value)


def ints_of(attribute: ir.Attribute) -> tuple[int, ...]:
    """A list of integers, whatever kind of attribute holds it: `array<i64>`, dense elements or an array of integers."""
    if isinstance(attribute, ir.ArrayAttr):
        return tuple(map(int_of, attribute))
    from .elements import to_numpy

    return tuple(to_numpy(attribute).reshape(-1).tolist())


def string_of(attribute: ir.Attribute) -> str:
    """The text in a string attribute."""
    return ir.StringAttr(attribute).value


def symbol_of(attribute: ir.Attribute) -> str:
    """The name in a reference to a symbol, without the `@`."""
    return ir.FlatSymbolRefAttr(attribute).value


def enum_of(attribute: ir.Attribute) -> str:
    """The value in an attribute of an enumeration: `LT` of `#stablehlo<comparison_direction LT>`."""
    return str(attribute).rstrip(">").split()[-1].rpartition("<")[2]


def symbol_name(op: ir.Operation) -> str:
    """The name of the symbol that `op` defines, such as that of a function."""
    return string_of(op.attributes["sym_name"])


def is_set(op: ir.Operation, name: str) -> bool:
    """Whether the boolean attribute `name` of `op` is present and true."""
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value


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
    """The meaning of each dimension of lhs, rhs and result of a convolution. Spec: convolution, I8 to I16."""

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
