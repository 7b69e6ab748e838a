"""Attributes as plain data: numbers, names and lists, and records with the spec's names for their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from .provider import ir, stablehlo_extension


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


def fields_of(attribute: object, kind: Any) -> dict[str, Any]:
    """The values of the fields of a record or a dataclass in the bindings' class of an attribute: numbers, types as
    text, lists as tuples."""
    found: dict[str, Any] = {}
    names: tuple[str, ...] = kind.__match_args__
    for name in names:
        value = getattr(attribute, _SPELLED_OTHERWISE.get(name, name))
        is_list = not isinstance(value, int | ir.Type)
        found[name] = tuple(value) if is_list else value if isinstance(value, int) else str(value)
    return found


class _Fields:
    """A record of the fields of an attribute, which the bindings' class `binding` hands out."""

    _binding: ClassVar[str]

    def __init_subclass__(cls, *, binding: str) -> None:
        cls._binding = binding

    @classmethod
    def of(cls, attribute: ir.Attribute) -> Self:
        """The fields of an attribute."""
        return cls(**fields_of(getattr(stablehlo_extension, cls._binding)(attribute), cls))


@dataclass(frozen=True)
class DotDims(_Fields, binding="DotDimensionNumbers"):
    """The dimensions of lhs and rhs that a dot product runs over. Spec: dot_general, inputs I3 to I6."""

    lhs_batching_dimensions: tuple[int, ...]
    rhs_batching_dimensions: tuple[int, ...]
    lhs_contracting_dimensions: tuple[int, ...]
    rhs_contracting_dimensions: tuple[int, ...]

    @staticmethod
    def of_op(op: ir.Operation, lhs_rank: int) -> DotDims:
        """The dimensions of `dot_general`, or of `dot`, which sums over the last of lhs and the first of rhs."""
        if op.name == "stablehlo.dot":
            return DotDims((), (), (lhs_rank - 1,), (0,))
        return DotDims.of(op.attributes["dot_dimension_numbers"])


@dataclass(frozen=True)
class DotAlgorithm(_Fields, binding="DotAlgorithm"):
    """The algorithm of a dot product; types are MLIR's, such as `tf32` or `bf16`. Spec: dot_general, I8 to I14."""

    lhs_precision_type: str
    rhs_precision_type: str
    accumulation_type: str
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool


@dataclass(frozen=True)
class ConvDims(_Fields, binding="ConvDimensionNumbers"):
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


@dataclass(frozen=True)
class GatherDims(_Fields, binding="GatherDimensionNumbers"):
    """The addressing of operand by start_indices, and the places of slices in result. Spec: gather, I3 to I8."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...]
    start_indices_batching_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    index_vector_dim: int


@dataclass(frozen=True)
class ScatterDims(_Fields, binding="ScatterDimensionNumbers"):
    """The addressing of inputs by scatter_indices, and the places of windows in updates. Spec: scatter, I4 to I9."""

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    input_batching_dims: tuple[int, ...]
    scatter_indices_batching_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    index_vector_dim: int
