"""Attributes as plain data: numbers, names and lists, and records with the spec's names for their fields."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from .provider import ir, stablehlo_extension

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def int_of(attribute: ir.Attribute) -> int:
    """The number in an integer attribute."""
    return int(ir.IntegerAttr(attribute).value)


def ints_of(attribute: ir.Attribute) -> tuple[int, ...]:
    """A list of integers, whatever kind of attribute holds it: `array<i64>`, dense elements or an array of integers."""
    if isinstance(attribute, ir.ArrayAttr):
        return tuple(map(int_of, attribute))
    if isinstance(attribute, ir.DenseI64ArrayAttr):
        return tuple(attribute)
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


_SPELLED_OTHERWISE = {"scatter_dims_to_operand_dims": "scattered_dims_to_operand_dims"}  # by the bindings


def fields_of(attribute: object, record: type[DataclassInstance]) -> dict[str, Any]:
    """The values of a record's fields in the bindings' class of an attribute: numbers, types as text, lists as
    tuples."""
    found: dict[str, Any] = {}
    for field in fields(record):
        value = getattr(attribute, _SPELLED_OTHERWISE.get(field.name, field.name))
        is_list = not isinstance(value, int | ir.Type)
        found[field.name] = tuple(value) if is_list else value if isinstance(value, int) else str(value)
    return found


@dataclass(frozen=True)
class DotDims:
    """The dimensions of lhs and rhs that a dot product runs over. Spec: dot_general, inputs I3 to I6."""

    lhs_batching_dimensions: tuple[int, ...]
    rhs_batching_dimensions: tuple[int, ...]
    lhs_contracting_dimensions: tuple[int, ...]
    rhs_contracting_dimensions: tuple[int, ...]

    @staticmethod
    def of(attribute: ir.Attribute) -> DotDims:
        """The fields of `#stablehlo.dot<…>`."""
        return DotDims(**fields_of(stablehlo_extension.DotDimensionNumbers(attribute), DotDims))


@dataclass(frozen=True)
class DotAlgorithm:
    """The algorithm of a dot product; types are MLIR's, such as `tf32` or `bf16`. Spec: dot_general, I8 to I14."""

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
        return DotAlgorithm(**fields_of(stablehlo_extension.DotAlgorithm(attribute), DotAlgorithm))


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
        return ConvDims(**fields_of(stablehlo_extension.ConvDimensionNumbers(attribute), ConvDims))


@dataclass(frozen=True)
class GatherDims:
    """The addressing of operand by start_indices, and the places of slices in result. Spec: gather, I3 to I8."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    start_indices_batching_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    index_vector_dim: int

    @staticmethod
    def of(attribute: ir.Attribute) -> GatherDims:
        """The fields of `#stablehlo.gather<…>`."""
        return GatherDims(**fields_of(stablehlo_extension.GatherDimensionNumbers(attribute), GatherDims))


@dataclass(frozen=True)
class ScatterDims:
    """The addressing of inputs by scatter_indices, and the places of windows in updates. Spec: scatter, I4 to I9."""

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    input_batching_dims: tuple[int, ...]
    scatter_indices_batching_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    index_vector_dim: int

    @staticmethod
    def of(attribute: ir.Attribute) -> ScatterDims:
        """The fields of `#stablehlo.scatter<…>`."""
        return ScatterDims(**fields_of(stablehlo_extension.ScatterDimensionNumbers(attribute), ScatterDims))
