"""Rules for element types that many ops share; an op's own rule is beside its shape function."""

from __future__ import annotations

from ..element_types import I1
from ..language import DType
from ..registry import dtype_function
from .elementwise import BINARY, BROADCAST, OTHER_BINARY, PREDICATES, UNARY
from .shared import complex_of, same_dtype, unless_quantized


@dtype_function(
    *UNARY,
    *("stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_reshape", "stablehlo.dynamic_slice"),
    *("stablehlo.real_dynamic_slice", "stablehlo.reduce_precision", "stablehlo.slice"),
)
def operand_unless_quantized(operand: DType) -> DType:
    """The operand's element type (C1). Spec, CHLO: the section of each op."""
    return unless_quantized(operand)


@dtype_function(
    *("stablehlo.broadcast", "stablehlo.cholesky", "stablehlo.collective_permute", "stablehlo.cross-replica-sum"),
    *("stablehlo.dynamic_gather", "stablehlo.gather", "stablehlo.set_dimension_size", "stablehlo.torch_index_select"),
)
def operand(operand: DType, /) -> DType:
    """The operand's element type. Spec: cholesky, collective_permute (C5), dynamic_gather, gather (C23)."""
    return operand


@dtype_function(
    *("stablehlo.all_gather", "stablehlo.all_to_all", "stablehlo.async_done", "stablehlo.optimization_barrier"),
    "stablehlo.sort",
)
def operands(operands: list[DType], /) -> list[DType]:
    """The element types of the operands, or of the values of a future. Spec: all_gather (C6), all_to_all (C9),
    async_done, optimization_barrier (C1), sort (C2)."""
    return operands


@dtype_function(
    *(*BINARY, *OTHER_BINARY, *BROADCAST),
    *("stablehlo.dynamic_pad", "stablehlo.dynamic_update_slice", "stablehlo.pad", "stablehlo.rng"),
    "stablehlo.triangular_solve",
)
def both_operands(lhs: DType, rhs: DType, /) -> DType:
    """The element type that the first two operands have (C1). Spec, CHLO: the section of each op."""
    return same_dtype(lhs, rhs)


@dtype_function("stablehlo.complex", "chlo.broadcast_complex")
def complex_number(lhs: DType, rhs: DType) -> DType:
    """The complex type of both parts. Spec: complex. CHLO: broadcast_complex."""
    return complex_of(same_dtype(lhs, rhs))


@dtype_function("stablehlo.select", "chlo.broadcast_select")
def both_alternatives(on_true: DType, on_false: DType) -> DType:
    """The element type of both alternatives (C2). Spec: select. CHLO: broadcast_select."""
    return same_dtype(on_true, on_false)


@dtype_function("stablehlo.compare", "chlo.broadcast_compare", "stablehlo.is_finite", *PREDICATES)
def boolean() -> DType:
    """A boolean. Spec: compare, is_finite. CHLO: broadcast_compare, is_inf, is_neg_inf, is_pos_inf."""
    return I1


@dtype_function("stablehlo.reduce", "stablehlo.reduce_window", "chlo.scan")
def body(body: list[DType]) -> list[DType]:
    """The element types that the body returns. Spec: reduce (C8), reduce_window (C16). CHLO: scan."""
    return body


@dtype_function("stablehlo.map", "stablehlo.reduce_scatter")
def computation(computation: list[DType]) -> DType:
    """The element type that the computation returns. Spec: map (C4), reduce_scatter (C9)."""
    return computation[0]


@dtype_function(
    *("stablehlo.convert", "stablehlo.convolution", "stablehlo.dot", "stablehlo.dot_general", "stablehlo.dynamic_conv"),
    *("stablehlo.dynamic_iota", "stablehlo.einsum", "stablehlo.unary_einsum", "chlo.ragged_dot"),
)
def declared(result: DType) -> DType:
    """The declared result: convert goes from any type to any other, sums may be kept in another type than their terms.
    Spec: convert, convolution, dot_general, dynamic_conv, dynamic_iota."""
    return result


@dtype_function("stablehlo.composite", "stablehlo.custom_call")
def all_declared(result: list[DType]) -> list[DType]:
    """The declared results; a target or a name can have a library function of its own. Spec: composite (C4),
    custom_call."""
    return result
