"""Attributes that have fields, by the spec's names: dimension numbers of ops, and the algorithm of a dot product."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from .provider import ir, provider, stablehlo_extension

_SPELLED_OTHERWISE = {"scatter_dims_to_operand_dims": "scattered_dims_to_operand_dims"}  # by the bindings


class _Fields:
    """A record of the fields of an attribute, called as the bindings' class of the attribute."""

    @classmethod
    def binding(cls) -> Any:
        """The bindings' class."""
        of_chlo = cls.__name__.startswith("Ragged")
        return getattr(provider.module("_mlir_libs._chlo") if of_chlo else stablehlo_extension, cls.__name__)

    @classmethod
    def of(cls, attribute: ir.Attribute) -> Self:
        """The fields of an attribute: numbers, lists, and types as text."""
        known = cls.binding()(attribute)
        values: list[Any] = []
        for field in fields(cls):  # type: ignore[arg-type]
            value = getattr(known, _SPELLED_OTHERWISE.get(field.name, field.name))
            is_list = not isinstance(value, int | ir.Type)
            values.append(list(value) if is_list else value if isinstance(value, int) else str(value))
        return cls(*values)


@dataclass(frozen=True)
class DotDimensionNumbers(_Fields):
    """The dimensions of lhs and rhs that a dot product runs over. Spec: dot_general, inputs I3 to I6."""

    lhs_batching_dimensions: list[int]
    rhs_batching_dimensions: list[int]
    lhs_contracting_dimensions: list[int]
    rhs_contracting_dimensions: list[int]

    @staticmethod
    def of_op(op: ir.Operation, lhs_rank: int) -> DotDimensionNumbers:
        """The dimensions of `dot_general`, or of `dot`, which sums over the last of lhs and the first of rhs."""
        if op.name == "stablehlo.dot":
            return DotDimensionNumbers([], [], [lhs_rank - 1], [0])
        return DotDimensionNumbers.of(op.attributes["dot_dimension_numbers"])


@dataclass(frozen=True)
class RaggedDotDimensionNumbers(_Fields):
    """The dimensions of lhs and rhs that ragged_dot treats as batch, sums over, has ragged, and groups by."""

    lhs_batching_dimensions: list[int]
    rhs_batching_dimensions: list[int]
    lhs_contracting_dimensions: list[int]
    rhs_contracting_dimensions: list[int]
    lhs_ragged_dimensions: list[int]
    rhs_group_dimensions: list[int]


@dataclass(frozen=True)
class DotAlgorithm(_Fields):
    """The algorithm of a dot product; types are MLIR's, such as `tf32` or `bf16`. Spec: dot_general, I8 to I14."""

    lhs_precision_type: str
    rhs_precision_type: str
    accumulation_type: str
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool


@dataclass(frozen=True)
class ConvDimensionNumbers(_Fields):
    """The meaning of each dimension of lhs, rhs and result of a convolution. Spec: convolution, I8 to I16."""

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
class GatherDimensionNumbers(_Fields):
    """The addressing of operand by start_indices, and the positions of slices in result. Spec: gather, I3 to I8."""

    offset_dims: list[int]
    collapsed_slice_dims: list[int]
    operand_batching_dims: list[int]
    start_indices_batching_dims: list[int]
    start_index_map: list[int]
    index_vector_dim: int


@dataclass(frozen=True)
class ScatterDimensionNumbers(_Fields):
    """The addressing of inputs by scatter_indices, and the positions of windows in updates. Spec: scatter, I4 to I9."""

    update_window_dims: list[int]
    inserted_window_dims: list[int]
    input_batching_dims: list[int]
    scatter_indices_batching_dims: list[int]
    scatter_dims_to_operand_dims: list[int]
    index_vector_dim: int
