"""Attributes as plain data: numbers, names and lists, and records with the spec's names for their fields."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from .provider import ir, provider, stablehlo_extension


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


def symbol_rows(attribute: ir.Attribute) -> list[list[str]]:
    """The names in a list of lists of references, such as the programs of a grid's processes, replica by replica."""
    return [[symbol_of(name) for name in ir.ArrayAttr(row)] for row in ir.ArrayAttr(attribute)]


def enum_of(attribute: ir.Attribute) -> str:
    """The value in an attribute of an enumeration: `LT` of `#stablehlo<comparison_direction LT>`."""
    return str(attribute).rstrip(">").split()[-1].rpartition("<")[2]


def symbol_name(op: ir.Operation) -> str:
    """Return the name of the symbol that `op` defines, such as a function's."""
    return string_of(op.attributes["sym_name"])


def is_private(function: ir.Operation) -> bool:
    """Whether only the module's own calls can call a function."""
    visibility = function.attributes.get("sym_visibility")
    return visibility is not None and string_of(visibility) == "private"


CALLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}  # ops by the attribute that names a function


def callee_of(op: ir.Operation) -> str:
    """The function that a call, or a composite, names; empty for another op."""
    name = CALLS.get(op.name)
    return "" if name is None else symbol_of(op.attributes[name])


def is_set(op: ir.Operation, name: str) -> bool:
    """Whether the boolean attribute `name` of `op` is present and true."""
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value


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
